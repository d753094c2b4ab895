#include <config.h>

#include "format/logline-parts.h"

enum {
	FLAGS_MAX = 8,
	SECONDS_DIGITS = 9, /* 31 years: times fit in 63 bits of nanoseconds */
	FRACTION_DIGITS = 9,
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
	const char *p = *end, *least = *end - begin > 10 ? *end - 10 : begin;
	uint64_t n = 0;

	while (p > least && is_digit(p[-1]))
		p--;
	for (const char *digit = p; digit < *end; digit++)
		n = n * 10 + (uint64_t)(*digit - '0');
	if (p == *end || n > UINT32_MAX || (p > begin && is_digit(p[-1])))
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

/* "( 2519)", "(-----)", or nothing: what stands before the cpu; `*end` moves before it. */
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

bool
logline_left(struct logline *line, const char *begin, const char *end)
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

/* Where the first colon or blank is; `end` without one. */
static const char *
word_end(const char *p, const char *end)
{
	for (; end - p >= 8; p += 8) {
		uint64_t w = word_load(p);
		uint64_t found = word_find(w, ':') | word_find(w, ' ') | word_find(w, '\t');

		if (found != 0)
			return p + word_first(found);
	}
	while (p < end && *p != ':' && !is_blank(*p))
		p++;
	return p;
}

/* "seconds.fraction:"; returns what follows the colon, NULL when it is none. */
static const char *
time_parse(const char *p, const char *end, uint64_t *ns)
{
	static const uint32_t scale[FRACTION_DIGITS + 1] = {1000000000, 100000000, 10000000,
	    1000000, 100000, 10000, 1000, 100, 10, 1};
	const char *begin = p;
	uint64_t seconds = 0, fraction = 0;

	for (; p < end && is_digit(*p); p++) {
		if (p - begin == SECONDS_DIGITS)
			return NULL;
		seconds = seconds * 10 + (uint64_t)(*p - '0');
	}
	if (p == begin || p == end || *p != '.')
		return NULL;
	begin = ++p;
	if (end - p >= 8 && six_digits(p, &fraction)) {
		*ns = seconds * 1000000000 + fraction * 1000;
		return p + 7;
	}
	for (; p < end && is_digit(*p); p++) {
		if (p - begin == FRACTION_DIGITS)
			return NULL;
		fraction = fraction * 10 + (uint64_t)(*p - '0');
	}
	if (p == begin || p == end || *p != ':')
		return NULL;
	*ns = seconds * 1000000000 + fraction * scale[p - begin];
	return p + 1;
}

static inline const char *
blanks_skip(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/*
 * Flags and time as nearly all kernels print them, " d..2 1234.123456:" with or without
 * the flags; returns what follows the colon, NULL when anything is otherwise.
 */
static const char *
columns_quick(struct logline *line, const char *p, const char *end)
{
	uint64_t w, found, fraction;
	unsigned n = 0;

	if (end - p < 32 || *p++ != ' ')
		return NULL;
	line->flags = (struct str){p, 0};
	if (!is_digit(*p)) {
		w = word_load(p);
		found = word_find(w, ' ') | word_find(w, '\t');
		n = found != 0 ? word_first(found) : 0;
		if (n == 0)
			return NULL;
		line->flags.n = n;
		p += n + 1;
	}
	w = word_load(p);
	n = word_digits(w);
	if (n == 0 || n == 8 || p[n] != '.' || !six_digits(p + n + 1, &fraction))
		return NULL;
	line->ns = word_number(w, n) * 1000000000 + fraction * 1000;
	return p + n + 8;
}

/* Any flags and any time. */
static const char *
columns_parse(struct logline *line, const char *p, const char *end)
{
	const char *begin = p, *after;

	p = blanks_skip(p, end);
	if (p == begin)
		return NULL;
	line->flags = (struct str){p, 0};
	after = p < end && is_digit(*p) ? time_parse(p, end, &line->ns) : NULL;
	if (after != NULL)
		return after;
	begin = p;
	while (p < end && !is_blank(*p))
		p++;
	line->flags.n = (size_t)(p - begin);
	if (line->flags.n > FLAGS_MAX)
		return NULL;
	return time_parse(blanks_skip(p, end), end, &line->ns);
}

const char *
logline_columns(struct logline *line, const char *p, const char *end)
{
	const char *after = columns_quick(line, p, end);

	if (after == NULL)
		after = columns_parse(line, p, end);
	if (after == NULL)
		return NULL;
	p = blanks_skip(after, end);
	return p > after ? p : NULL;
}

bool
logline_func(struct logline *line, const char *p, const char *end)
{
	const char *begin = p;

	p = word_end(p, end);
	if (p == begin || p == end || *p != ':')
		return false;
	line->func = (struct str){begin, (size_t)(p - begin)};
	logline_payload(line, p + 1, end);
	return true;
}

bool
logline_parse(struct logline *line, struct str text)
{
	const char *end = text.p + text.n, *from = text.p, *open;

	line->writer = line->func_number = 0;
	while (from < end && (open = memchr(from, '[', (size_t)(end - from))) != NULL) {
		const char *p = open + 1;
		uint32_t cpu = 0;

		for (; p < end && is_digit(*p) && cpu < LOGLINE_CPUS; p++)
			cpu = cpu * 10 + (uint32_t)(*p - '0');
		if (p > open + 1 && p < end && *p == ']' && cpu < LOGLINE_CPUS &&
		    logline_left(line, text.p, open)) {
			p = logline_columns(line, p + 1, end);
			if (p != NULL && logline_func(line, p, end)) {
				line->cpu = cpu;
				return true;
			}
		}
		from = open + 1;
	}
	return false;
}

bool
logline_excluded(const struct logline *line)
{
	return line->ns == 0 && str_equal(line->comm, STR("dummy"));
}
