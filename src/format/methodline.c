#include <config.h>

#include "format/methodline.h"

#include <string.h>

enum {
	FIELDS_MAX = 6,
	DIGITS_MAX = 31, /* of a number; what follows is not part of it */
};

/* The value of a digit of any base; more than that for what is none. */
static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* Behind 0x, when a digit follows. */
static bool
hex_follows(struct str s)
{
	return s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X') &&
	    digit_value(s.p[2]) < 16;
}

bool
number_parse(struct str s, unsigned base, uint64_t *value, struct str *rest)
{
	size_t n = s.n < DIGITS_MAX ? s.n : DIGITS_MAX, at = 0;
	uint64_t sum = 0;

	if (n == 0 || s.p[0] < '0' || s.p[0] > '9')
		return false;
	if (base == 0 && hex_follows(s)) {
		base = 16;
		at = 2;
	} else if (base == 0) {
		base = s.p[0] == '0' ? 8 : 10;
	}
	for (; at < n && digit_value(s.p[at]) < base; at++) {
		if (__builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)digit_value(s.p[at]), &sum))
			sum = UINT64_MAX;
	}
	*value = sum;
	*rest = (struct str){s.p + at, s.n - at};
	return true;
}

/* Behind each field stand `least` blanks or more, or the end and any number of them. */
static int
fields_split_blanks(struct str line, size_t least, struct str field[FIELDS_MAX])
{
	int n = 0;

	while (n < FIELDS_MAX) {
		size_t end = 0, next = 0;

		for (; next < line.n; end = next) {
			while (end < line.n && line.p[end] != ' ')
				end++;
			for (next = end; next < line.n && line.p[next] == ' ';)
				next++;
			if (next - end >= least || next == line.n)
				break;
		}
		field[n++] = (struct str){line.p, end};
		if (next == line.n)
			break;
		line = (struct str){line.p + next, line.n - next};
	}
	return n;
}

static int
fields_split(struct str line, struct str field[FIELDS_MAX])
{
	struct str first = line;
	int n = 0;

	field[0] = str_cut(&first, '\t');
	if (first.p != NULL) {
		for (n = 1; first.p != NULL && n < FIELDS_MAX; n++)
			field[n] = str_cut(&first, '\t');
		return n;
	}
	n = fields_split_blanks(line, 2, field);
	return n > 1 ? n : fields_split_blanks(line, 1, field);
}

static int32_t
line_number(struct str s)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	struct str digits = {s.p + negative, s.n - negative}, rest;
	uint64_t value;

	if (!number_parse(digits, 10, &value, &rest) || rest.n > 0 || value > INT32_MAX)
		return 0;
	return negative ? -(int32_t)value : (int32_t)value;
}

static bool
method_id(struct str text, uint32_t *id)
{
	struct str rest;
	uint64_t value;

	if (str_equal(text, STR("(nil)"))) { /* %p of 0 on some C libraries */
		*id = 0;
		return true;
	}
	if (!number_parse(text, 0, &value, &rest) || rest.n > 0)
		return false;
	*id = (uint32_t)value;
	return true;
}

/* Behind the id, whose column counts as one of `n`. */
static void
columns_take(struct method *m, const struct str *f, int n)
{
	if (n == 2) { /* function */
		m->name = f[0];
	} else if (n == 4 && (f[2].n == 0 || f[2].p[0] != '(')) { /* function path line */
		m->name = f[0];
		m->file = f[1];
		m->line = line_number(f[2]);
	} else { /* class name [signature [file [line]]] */
		m->class_name = f[0];
		m->name = f[1];
		if (n > 3)
			m->signature = f[2];
		if (n > 4)
			m->file = f[3];
		if (n > 5)
			m->line = line_number(f[4]);
	}
}

bool
methodline_parse(struct str line, struct method *m)
{
	struct str f[FIELDS_MAX];
	int n = fields_split(line, f);
	uint32_t id;

	*m = (struct method){0};
	if (n < 2 || !method_id(f[0], &id))
		return false;
	m->id = id;
	columns_take(m, f + 1, n);
	return true;
}

bool
methodline_parse_named(struct str line, struct method *m)
{
	struct str f[FIELDS_MAX];
	int n = fields_split(line, f);

	*m = (struct method){0};
	if (line.n == 0)
		return false;
	columns_take(m, f, n < FIELDS_MAX ? n + 1 : FIELDS_MAX);
	return true;
}
