#include <config.h>

#include "format/methodline.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 6 };

bool
number_parse(struct str s, int base, uint64_t *value, struct str *rest)
{
	char text[32];
	size_t n = s.n < sizeof(text) - 1 ? s.n : sizeof(text) - 1;
	char *end;

	if (n == 0 || s.p[0] < '0' || s.p[0] > '9')
		return false;
	memcpy(text, s.p, n);
	text[n] = '\0';
	*value = strtoull(text, &end, base);
	*rest = (struct str){s.p + (end - text), s.n - (size_t)(end - text)};
	return true;
}

static int
fields_split(struct str line, struct str field[FIELDS_MAX])
{
	int n = 0;

	if (memchr(line.p, '\t', line.n) != NULL) {
		while (line.p != NULL && n < FIELDS_MAX)
			field[n++] = str_cut(&line, '\t');
		return n;
	}
	while (n < FIELDS_MAX) {
		size_t end = 0;

		while (end < line.n &&
		    !(line.p[end] == ' ' && (end + 1 == line.n || line.p[end + 1] == ' ')))
			end++;
		field[n++] = (struct str){line.p, end};
		while (end < line.n && line.p[end] == ' ')
			end++;
		if (end == line.n)
			break;
		line = (struct str){line.p + end, line.n - end};
	}
	return n;
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
