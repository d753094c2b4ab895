// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/output.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"

/* For programs -------------------------------------------------------------------- */

const char *
output_key(const char *id, enum value_kind kind, const char *unit, char out[static FMT_SIZE])
{
	size_t n = 0;

	for (const char *p = id; *p != '\0' && *p != '%' && n + 12 < FMT_SIZE; p++)
		out[n++] = isalnum((unsigned char)*p) ? *p : '_';
	snprintf(out + n, FMT_SIZE - n, "%s",
	    kind == VALUE_TIME ? unit : kind == VALUE_PERCENT ? "_percent" : "");
	return out;
}

static const char *
field_name(const struct fields *f, const char *key)
{
	return *key == '*' ? f->label : key + strspn(key, "?,{");
}

/* Begins the next field; false when it is not in this form, or only when it is something. */
static bool
field_begin(struct fields *f, bool something)
{
	int at = f->at++;
	const char *key = f->list[at];

	if ((f->absent >> at & 1) != 0 || (*key == '?' && f->json != NULL && !something))
		return false;
	if (f->json != NULL)
		json_key(f->json, field_name(f, key));
	else if (f->any)
		sbuf_char(f->out, ',');
	f->any = true;
	return true;
}

void
fields_init(struct fields *f, struct sbuf *out, struct json *json, unsigned clocks,
    const char *const *list, const char *label)
{
	*f = (struct fields){.out = out, .json = json, .list = list, .label = label};
	for (int i = 0; list[i] != NULL; i++) {
		size_t marks = strspn(list[i], "?,{");
		bool absent = memchr(list[i], json != NULL ? ',' : '{', marks) != NULL ||
		    ((clocks & 1u << CLOCK_CPU) == 0 && strstr(list[i], "cpu_us") != NULL) ||
		    ((clocks & 1u << CLOCK_WALL) == 0 && strstr(list[i], "wall_us") != NULL);

		f->absent |= (uint64_t)absent << i;
	}
	for (int i = 0; json == NULL && list[i] != NULL; i++)
		if (field_begin(f, true))
			csv_field(out, str_from(field_name(f, list[i])));
	if (json == NULL)
		fields_end(f);
}

void
fields_row(struct fields *f)
{
	f->at = 0;
	if (f->json != NULL)
		json_object(f->json);
}

void
fields_end(struct fields *f)
{
	f->any = false;
	if (f->json != NULL)
		json_end(f->json);
	else
		sbuf_text(f->out, "\r\n");
}

/* Numbers and null; texts of JSON. */
static void
json_value(struct json *j, struct value v)
{
	if (v.kind == VALUE_EMPTY)
		json_null(j);
	else if (v.kind == VALUE_TEXT)
		json_str(j, v.text);
	else if (v.kind == VALUE_TIME)
		json_us(j, v.a);
	else if (v.kind == VALUE_PERCENT)
		json_decimal(j, v.b > 0 ? 100 * (double)v.a / (double)v.b : 0);
	else if (v.kind == VALUE_BOOL)
		json_bool(j, v.a != 0);
	else if (v.kind == VALUE_REAL)
		(v.b < 0 ? json_real : json_decimal)(j, value_is(v));
	else
		json_int(j, v.a);
}

void
json_members(struct json *j, const struct member *list)
{
	for (; list->key != NULL; list++) {
		if (list->value.kind == VALUE_EMPTY)
			continue;
		json_key(j, list->key);
		json_value(j, list->value);
	}
}

void
fields_put(struct fields *f, struct value v)
{
	struct json number;

	if (!field_begin(f, v.kind != VALUE_EMPTY))
		return;
	if (f->json != NULL) {
		json_value(f->json, v);
	} else if (v.kind == VALUE_TEXT) {
		csv_field(f->out, v.text);
	} else if (v.kind != VALUE_EMPTY) {
		v.kind = v.kind == VALUE_BOOL ? VALUE_COUNT : v.kind;
		json_init(&number, f->out, 0);
		json_value(&number, v);
	}
}

void
fields_times(struct fields *f, const nsec *a, const nsec *b, const nsec *c)
{
	for (int k = 0; k < CLOCKS; k++) {
		fields_put(f, value_time(a[k]));
		if (b != NULL)
			fields_put(f, value_time(b[k]));
		if (c != NULL)
			fields_put(f, value_time(c[k]));
	}
}

/* For people ---------------------------------------------------------------------- */

void
cell_text(struct sbuf *out, struct str text, int width, bool left)
{
	int gap = width - (int)utf8_width(text);

	for (int i = 0; i < gap && !left; i++)
		sbuf_char(out, ' ');
	sbuf_str(out, text);
	for (int i = 0; i < gap && left; i++)
		sbuf_char(out, ' ');
}

void
columns_fit(struct columns *t, const void *row)
{
	for (int c = 0; c < t->count; c++) {
		int width = (int)utf8_width(t->cell(t->of, c, row, FMT_BUF));

		t->width[c] = width > t->width[c] ? width : t->width[c];
	}
}

void
columns_text(const struct columns *t, struct sbuf *out, const void *row)
{
	for (int c = 0; c < t->count; c++) {
		bool left = (t->left & 1u << c) != 0, last = t->whole && c + 1 == t->count;

		if (t->width[c] == 0)
			continue;
		cell_text(out, t->cell(t->of, c, row, FMT_BUF), left && last ? 0 : t->width[c], left);
		sbuf_text(out, last ? "\n" : "  ");
	}
}
