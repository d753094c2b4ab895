#include <config.h>

#include "format/logline.h"

enum {
	FLAGS_MAX = 8,
	SECONDS_DIGITS = 9, /* 31 years: times fit in 63 bits of nanoseconds */
	FRACTION_DIGITS = 9,
};

static inline bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

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
	uint64_t n = 0, unit = 1;

	for (; p > begin && is_digit(p[-1]) && *end - p < 10; p--, unit *= 10)
		n += unit * (uint64_t)(p[-1] - '0');
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

/* comm, tid and tgid, which end before the bracket at `end`. */
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

/* What stands behind the cpu. */
static bool
right_parse(struct logline *line, const char *p, const char *end)
{
	const char *begin = p, *after;

	p = blanks_skip(p, end);
	if (p == begin)
		return false;
	line->flags = (struct str){p, 0};
	after = time_parse(p, end, &line->ns);
	if (after == NULL) {
		begin = p;
		while (p < end && !is_blank(*p))
			p++;
		line->flags.n = (size_t)(p - begin);
		if (line->flags.n > FLAGS_MAX)
			return false;
		after = time_parse(blanks_skip(p, end), end, &line->ns);
		if (after == NULL)
			return false;
	}
	p = blanks_skip(after, end);
	if (p == after)
		return false;
	begin = p;
	while (p < end && *p != ':' && !is_blank(*p))
		p++;
	if (p == begin || p == end || *p != ':')
		return false;
	line->func = (struct str){begin, (size_t)(p - begin)};
	p = blanks_skip(p + 1, end);
	line->payload = (struct str){p, (size_t)(end - p)};
	return true;
}

bool
logline_parse(struct logline *line, struct str text)
{
	const char *end = text.p + text.n, *from = text.p, *open;

	while (from < end && (open = memchr(from, '[', (size_t)(end - from))) != NULL) {
		const char *p = open + 1;
		uint32_t cpu = 0;

		for (; p < end && is_digit(*p) && cpu < LOGLINE_CPUS; p++)
			cpu = cpu * 10 + (uint32_t)(*p - '0');
		if (p > open + 1 && p < end && *p == ']' && cpu < LOGLINE_CPUS &&
		    left_parse(line, text.p, open) && right_parse(line, p + 1, end)) {
			line->cpu = cpu;
			return true;
		}
		from = open + 1;
	}
	return false;
}
