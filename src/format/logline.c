#include <config.h>

#include "format/logline.h"

#include <endian.h>

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

static inline uint64_t
word_at(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

/*
 * Six digits and a colon, which is what most fractions are: all bytes at once.  Pairs of
 * digits are summed, then pairs of pairs.
 */
static inline bool
six_digits(const char *p, uint64_t *value)
{
	uint64_t w = word_at(p), digits = (w & 0xffffffffffff) - 0x303030303030;

	if ((w >> 48 & 0xff) != ':' ||
	    ((digits | (digits + 0x767676767676)) & 0x808080808080) != 0)
		return false;
	digits = (digits * 10 + (digits >> 8)) & 0xff00ff00ff;
	*value = (digits & 0xff) * 10000 + (digits >> 16 & 0xff) * 100 + (digits >> 32 & 0xff);
	return true;
}

/* Where the first colon or blank is; `end` without one. */
static const char *
word_end(const char *p, const char *end)
{
	const uint64_t low = 0x0101010101010101, high = 0x8080808080808080;

	for (; end - p >= 8; p += 8) {
		uint64_t w = word_at(p), colon = w ^ low * ':', blank = w ^ low * ' ',
			 tab = w ^ low * '\t';
		/* A byte that is 0 borrows; what it makes of those above it does not matter. */
		uint64_t found = ((colon - low) & ~colon) | ((blank - low) & ~blank) |
		    ((tab - low) & ~tab);

		if ((found & high) != 0)
			return p + __builtin_ctzll(found & high) / 8;
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

/* What stands behind the cpu. */
static bool
right_parse(struct logline *line, const char *p, const char *end)
{
	const char *begin = p, *after;

	p = blanks_skip(p, end);
	if (p == begin)
		return false;
	line->flags = (struct str){p, 0};
	after = p < end && is_digit(*p) ? time_parse(p, end, &line->ns) : NULL;
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
	p = word_end(p, end);
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

bool
logline_excluded(const struct logline *line)
{
	return line->ns == 0 && str_equal(line->comm, STR("dummy"));
}
