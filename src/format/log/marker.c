// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/marker.h"

#include "base/compat.h"
#include "format/log/line.h"

const char marker_letters[MARKER_KINDS + 1] = "BESFCINGH?";

static inline bool
is_lower_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

bool
marker_is_level(struct str s)
{
	if (s.n < 3 || s.n % 2 == 0 ||
	    (s.p[0] != 'D' && s.p[0] != 'I' && s.p[0] != 'C' && s.p[0] != 'M'))
		return false;
	for (size_t i = 1; i < s.n; i += 2) {
		if (!is_digit(s.p[i]) || !is_digit(s.p[i + 1]) ||
		    (s.p[i] - '0') * 10 + (s.p[i + 1] - '0') > 63)
			return false;
	}
	return true;
}

/* A decimal number with nothing around it; what does not fit in 64 bits saturates. */
static bool
int64_parse(struct str s, int64_t *value)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	uint64_t most = (uint64_t)INT64_MAX + negative, n = 0;
	size_t i = negative;

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		uint64_t digit = (uint64_t)(s.p[i] - '0');

		if (!is_digit(s.p[i]))
			return false;
		n = n > (most - digit) / 10 ? most : n * 10 + digit;
	}
	*value = negative ? (int64_t)(0 - n) : (int64_t)n;
	return true;
}

/* The writer's process id, up to the bar; the rest is what follows it. */
static bool
pid_parse(struct marker *m, struct str *rest)
{
	struct str field = str_cut(rest, '|');
	int64_t pid;

	if (!int64_parse(field, &pid) || pid < 0 || pid > UINT32_MAX)
		return false;
	m->pid = (uint32_t)pid;
	m->has_pid = true;
	return true;
}

/* "[chain,span,parent]#" at the beginning, and "C##" or "S##" after it. */
static void
chain_parse(struct marker *m, struct str *rest)
{
	struct str ids[3];
	const char *p = rest->p, *end = p + rest->n;

	if (rest->n == 0 || *p != '[')
		return;
	for (int i = 0; i < 3; i++) {
		ids[i].p = ++p;
		while (p < end && is_lower_hex(*p))
			p++;
		ids[i].n = (size_t)(p - ids[i].p);
		if (ids[i].n == 0 || p == end || *p != (i < 2 ? ',' : ']'))
			return;
	}
	if (end - p < 2 || p[1] != '#')
		return;
	p += 2;
	m->chain = ids[0];
	m->span = ids[1];
	m->parent = ids[2];
	if (end - p >= 3 && (*p == 'C' || *p == 'S') && p[1] == '#' && p[2] == '#') {
		m->flag = *p;
		p += 3;
	} else if (end - p >= 2 && p[0] == '#' && p[1] == '#') {
		p += 2;
	}
	*rest = (struct str){p, (size_t)(end - p)};
}

/* Takes H: and the chain off. */
static bool
hitrace_parse(struct marker *m, struct str *rest)
{
	if (!str_starts(*rest, STR("H:")))
		return false;
	m->api = MARKER_HITRACE_OLD;
	*rest = (struct str){rest->p + 2, rest->n - 2};
	chain_parse(m, rest);
	return true;
}

static struct str
until(struct str whole, const char *end)
{
	return (struct str){whole.p, (size_t)(end - whole.p)};
}

/* Returns the text after a field and its bar; empty at the end. */
static struct str
behind(struct str rest)
{
	return rest.p != NULL ? rest : (struct str){"", 0};
}

static void
begin_parse(struct marker *m, struct str whole)
{
	bool hitrace = hitrace_parse(m, &whole);
	struct str rest = whole, field;

	m->name = whole;
	(void)str_cut(&rest, '|');
	if (!hitrace) {
		struct str args, category;

		/* WebView: name, arguments, category. */
		if (rest.p == NULL)
			return;
		m->name = until(whole, rest.p - 1);
		args = str_cut(&rest, '|');
		category = rest;
		if (category.p == NULL || memchr(category.p, '|', category.n) != NULL) {
			m->name = whole;
			return;
		}
		m->args = args;
		m->category = category;
		return;
	}
	while (rest.p != NULL) {
		field = str_cut(&rest, '|');
		if (!marker_is_level(field))
			continue;
		m->api = MARKER_HITRACE_NEW;
		m->name = until(whole, field.p - 1);
		m->level = field;
		m->args = behind(rest);
		return;
	}
}

/* HiTrace before API version 19: the number is after the last blank. */
static bool
old_parse(struct marker *m, struct str whole)
{
	const char *blank = whole.n > 0 ? memrchr(whole.p, ' ', whole.n) : NULL;

	if (blank == NULL || !int64_parse((struct str){blank + 1, whole.n -
		(size_t)(blank + 1 - whole.p)}, &m->value))
		return false;
	m->name = until(whole, blank);
	return true;
}

/* name|number|level..., name|number..., or the old form. */
static void
numbered_parse(struct marker *m, struct str whole)
{
	bool hitrace = hitrace_parse(m, &whole);
	struct str rest = whole, first = {NULL, 0}, first_rest = {NULL, 0};
	int64_t value, first_value = 0;

	m->name = whole;
	(void)str_cut(&rest, '|');
	while (rest.p != NULL) {
		struct str field = str_cut(&rest, '|'), after = rest;
		struct str level = after.p != NULL ? str_cut(&after, '|') : (struct str){"", 0};

		if (!int64_parse(field, &value))
			continue;
		if (first.p == NULL) {
			first = field;
			first_rest = rest;
			first_value = value;
		}
		if (!marker_is_level(level))
			continue;
		if (hitrace)
			m->api = MARKER_HITRACE_NEW;
		m->name = until(whole, field.p - 1);
		m->value = value;
		m->level = level;
		if (m->kind == MARKER_ASYNC_BEGIN && after.p != NULL)
			m->category = str_cut(&after, '|');
		m->args = behind(after);
		return;
	}
	if (first.p != NULL) {
		m->name = until(whole, first.p - 1);
		m->value = first_value;
		if (first_rest.p == NULL)
			return;
		if (m->kind == MARKER_COUNTER) {
			m->category = str_cut(&first_rest, '|');
			m->args = behind(first_rest);
			return;
		}
		m->args = str_cut(&first_rest, '|');
		m->category = behind(first_rest);
		return;
	}
	m->malformed = !hitrace || !old_parse(m, whole);
}

/* Level or name; arguments follow it. */
static void
end_parse(struct marker *m, struct str rest)
{
	struct str field = str_cut(&rest, '|');

	if (marker_is_level(field)) {
		m->level = field;
		m->api = MARKER_HITRACE_NEW;
	} else {
		m->name = field;
	}
	m->args = behind(rest);
}

static void
instant_parse(struct marker *m, struct str rest)
{
	m->name = rest;
}

/* track|name|cookie, track|cookie or track|name: the last field is the cookie or name. */
static void
track_parse(struct marker *m, struct str whole)
{
	const char *last;
	struct str rest = whole;

	m->track = str_cut(&rest, '|');
	m->name = behind(rest);
	if (m->kind == MARKER_TRACK_INSTANT) {
		m->malformed = rest.p == NULL;
		return;
	}
	last = rest.p != NULL ? memrchr(whole.p, '|', whole.n) : NULL;
	if (last == NULL || !int64_parse((struct str){last + 1,
		(size_t)(whole.p + whole.n - last - 1)}, &m->value)) {
		m->malformed = true;
		return;
	}
	m->name.n = last >= m->name.p ? (size_t)(last - m->name.p) : 0;
	m->malformed = m->kind == MARKER_TRACK_BEGIN && last < m->name.p;
}

void
marker_parse(struct marker *m, struct str payload)
{
	static void (*const parse[MARKER_OTHER])(struct marker *, struct str) = {
	    [MARKER_BEGIN] = begin_parse, [MARKER_END] = end_parse,
	    [MARKER_ASYNC_BEGIN] = numbered_parse, [MARKER_ASYNC_END] = numbered_parse,
	    [MARKER_COUNTER] = numbered_parse, [MARKER_INSTANT] = instant_parse,
	    [MARKER_TRACK_INSTANT] = track_parse, [MARKER_TRACK_BEGIN] = track_parse,
	    [MARKER_TRACK_END] = track_parse};
	struct str rest, fields;
	const char *letter;

	*m = (struct marker){.kind = MARKER_OTHER, .truncated = payload.n >= MARKER_CUT};
	payload = logline_trim(payload);
	m->name = payload;
	letter = payload.n > 0 ? memchr(marker_letters, payload.p[0], MARKER_OTHER) : NULL;
	if (letter == NULL)
		return;
	if (payload.n == 1 && payload.p[0] == 'E') {
		m->kind = MARKER_END;
		m->name = STR("");
		return;
	}
	if (payload.n < 2 || payload.p[1] != '|')
		return;
	m->kind = (enum marker_kind)(letter - marker_letters);
	rest = (struct str){payload.p + 2, payload.n - 2};
	m->name = STR("");
	fields = rest;
	if (!pid_parse(m, &rest) || rest.p == NULL) {
		/* Cut before its name, or within the number: its end comes all the same. */
		if (m->kind == MARKER_BEGIN && (m->has_pid || fields.n == 0)) {
			m->truncated = true;
			m->has_pid = false;
			return;
		}
		/* An end needs only its letter. */
		m->malformed = m->kind != MARKER_END;
		return;
	}
	parse[m->kind](m, rest);
}

struct str
marker_unprint(struct str s)
{
	static const struct str nested = STR("tracing_mark_write:");
	size_t i = s.n >= 2 && s.p[0] == '0' && s.p[1] == 'x' ? 2 : 0, digits = i;

	while (i < s.n && is_lower_hex(s.p[i]))
		i++;
	if (i - digits >= 8) {
		const char *colon = memchr(s.p + i, ':', s.n - i);
		const char *bar = memchr(s.p + i, '|', s.n - i);

		/* The symbol after the address has no bar in it. */
		if (colon != NULL && (bar == NULL || colon < bar)) {
			s.n -= (size_t)(colon + 1 - s.p);
			s.p = colon + 1;
		}
	}
	s = str_trim_left(s);
	return str_starts(s, nested) ? str_trim_left((struct str){s.p + nested.n, s.n - nested.n}) : s;
}
