// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/line.h"

enum {
	FLAGS_LEAST = 4, /* columns of flags that touch the time */
	FLAGS_MAX = 8,
	SECONDS_DIGITS = 9, /* 31 years: times fit in 63 bits of nanoseconds */
	FRACTION_DIGITS = 9,
	TICKS_DIGITS = 18,
	CPU_DIGITS = 18,
};

struct str
logline_trim(struct str s)
{
	for (;;) {
		if (s.n > 0 && (is_blank(s.p[s.n - 1]) || s.p[s.n - 1] == '\r' ||
				   s.p[s.n - 1] == '\0'))
			s.n--;
		else if (s.n >= 3 && memcmp(s.p + s.n - 3, "\\n\\", 3) == 0)
			s.n -= 3;
		else if (s.n >= 2 && memcmp(s.p + s.n - 2, "\\n", 2) == 0)
			s.n -= 2;
		else
			return s;
	}
}

/* The decimal number that ends before `*end`, which moves to its first digit. */
static bool
number_before(const char *begin, const char **end, uint32_t *value)
{
	const char *p = *end;
	uint64_t n = 0;

	for (uint64_t unit = 1; p > begin && is_digit(p[-1]); unit *= 10) {
		n += (uint64_t)(*--p - '0') * unit;
		if (n > UINT32_MAX || unit > UINT32_MAX)
			return false;
	}
	if (p == *end)
		return false;
	*end = p;
	*value = (uint32_t)n;
	return true;
}

static const char *
blanks_before(const char *begin, const char *end)
{
	while (end > begin && is_blank(end[-1]))
		end--;
	return end;
}

/* "( 2519)", "(-----)", or nothing: what is before the cpu; `*end` moves before it. */
static bool
group_before(const char *begin, const char **end, struct logline *line)
{
	const char *p = *end;

	if (p == begin || p[-1] != ')')
		return true;
	p = blanks_before(begin, p - 1);
	if (p > begin && p[-1] == '-') {
		while (p > begin && p[-1] == '-')
			p--;
	} else if (number_before(begin, &p, &line->tgid)) {
		line->has_tgid = true;
	} else {
		return false;
	}
	p = blanks_before(begin, p);
	if (p == begin || p[-1] != '(')
		return false;
	*end = blanks_before(begin, p - 1);
	return *end < p - 1;
}

static bool
left_parse(struct logline *line, const char *begin, const char *end)
{
	const char *p = blanks_before(begin, end);
	bool parted = p < end;
	uint32_t number;

	line->has_tgid = false;
	if (p > begin && p[-1] == ')')
		parted = true;
	if (!group_before(begin, &p, line) || !parted || !number_before(begin, &p, &number))
		return false;
	if (p > begin && is_blank(p[-1]) && !line->has_tgid) {
		/* A tgid without parentheses. */
		line->tgid = number;
		line->has_tgid = true;
		p = blanks_before(begin, p);
		if (!number_before(begin, &p, &number))
			return false;
	}
	if (p == begin || p[-1] != '-')
		return false;
	p--;
	while (begin < p && is_blank(*begin))
		begin++;
	p = blanks_before(begin, p);
	line->comm = (struct str){begin, (size_t)(p - begin)};
	line->tid = number;
	return true;
}

/* "seconds.fraction:" or "ticks:"; returns what follows the colon, NULL when it is none. */
static const char *
time_parse(struct logline *line, const char *p, const char *end)
{
	static const uint32_t scale[FRACTION_DIGITS + 1] = {1000000000, 100000000, 10000000,
	    1000000, 100000, 10000, 1000, 100, 10, 1};
	uint64_t seconds, fraction;
	const char *dot = digits_take(p, end, TICKS_DIGITS, &seconds), *colon;

	if (dot == p || dot == end)
		return NULL;
	line->ticks = *dot == ':';
	if (line->ticks) {
		line->ns = seconds;
		return dot + 1;
	}
	if (*dot != '.' || dot - p > SECONDS_DIGITS)
		return NULL;
	colon = digits_take(dot + 1, end, FRACTION_DIGITS, &fraction);
	if (colon == dot + 1 || colon == end || *colon != ':')
		return NULL;
	line->ns = seconds * 1000000000 + fraction * scale[colon - dot - 1];
	return colon + 1;
}

static bool
left_recall(struct logline_memory *m, struct logline *line, const char *begin, const char *end)
{
	size_t n = (size_t)(end - begin);
	struct logline_left *left;
	uint64_t word[2];

	if (m == NULL || n < sizeof(word) || n > LOGLINE_LEFT)
		return left_parse(line, begin, end);
	memcpy(word, end - sizeof(word), sizeof(word));
	left = &m->left[(word[1] ^ word[0] * 5) * 0x9e3779b97f4a7c15u >> 56];
	if (left->n != n || memcmp(left->text, begin, n) != 0) {
		if (!left_parse(line, begin, end))
			return false;
		*left = (struct logline_left){.n = (uint8_t)n, .comm_n = (uint8_t)line->comm.n,
		    .comm = (uint8_t)(line->comm.p - begin), .has_tgid = line->has_tgid,
		    .tid = line->tid, .tgid = line->has_tgid ? line->tgid : 0};
		memcpy(left->text, begin, n);
		return true;
	}
	line->comm = (struct str){begin + left->comm, left->comm_n};
	line->tid = left->tid;
	line->tgid = left->tgid;
	line->has_tgid = left->has_tgid;
	return true;
}

/*
 * Parts flags from the time that they touch: all before the first digit after four columns, the
 * fourth of which may be a digit itself.
 */
static const char *
touching_parse(struct logline *line, const char *p, const char *end)
{
	size_t n = FLAGS_LEAST;

	if (end - p <= FLAGS_LEAST || is_digit(*p))
		return NULL;
	while (n < FLAGS_MAX && p + n < end && !is_digit(p[n]))
		n++;
	line->flags.n = n;
	return time_parse(line, p + n, end);
}

/* Flags, if there are any, and time; returns what follows its colon, NULL when it is none. */
static const char *
columns_parse(struct logline *line, const char *p, const char *end)
{
	const char *begin = p, *after;

	p = blanks_skip(p, end);
	if (p == begin)
		return NULL;
	line->flags = (struct str){p, 0};
	after = p < end && is_digit(*p) ? time_parse(line, p, end) : NULL;
	if (after != NULL)
		return after;
	begin = p;
	while (p < end && !is_blank(*p))
		p++;
	line->flags.n = (size_t)(p - begin);
	if (line->flags.n <= FLAGS_MAX)
		after = time_parse(line, blanks_skip(p, end), end);
	return after != NULL ? after : touching_parse(line, begin, p);
}

static bool
func_parse(struct logline *line, const char *p, const char *end)
{
	const char *begin = blanks_skip(p, end), *colon;

	colon = begin > p && begin < end ? memchr(begin, ':', (size_t)(end - begin)) : NULL;
	if (colon == NULL || colon == begin)
		return false;
	line->func = (struct str){begin, (size_t)(colon - begin)};
	if (memchr(begin, ' ', line->func.n) != NULL || memchr(begin, '\t', line->func.n) != NULL)
		return false;
	p = blanks_skip(colon + 1, end);
	line->payload = (struct str){p, (size_t)(end - p)};
	return true;
}

bool
logline_recall(struct logline_memory *m, struct logline *line, struct str text)
{
	const char *end = text.p + text.n, *from = text.p, *open;

	while (from < end && (open = memchr(from, '[', (size_t)(end - from))) != NULL) {
		uint64_t cpu;
		const char *p = digits_take(open + 1, end, CPU_DIGITS, &cpu);

		if (p > open + 1 && p < end && *p == ']' && cpu < LOGLINE_CPUS &&
		    left_recall(m, line, text.p, open) &&
		    (p = columns_parse(line, p + 1, end)) != NULL && func_parse(line, p, end)) {
			line->cpu = (uint32_t)cpu;
			return true;
		}
		from = open + 1;
	}
	return false;
}

bool
logline_parse(struct logline *line, struct str text)
{
	return logline_recall(NULL, line, text);
}

bool
logline_excluded(const struct logline *line)
{
	return line->ns == 0 && str_equal(line->comm, STR("dummy"));
}
