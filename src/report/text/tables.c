#include <config.h>

#include "report/text/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"

/* For programs -------------------------------------------------------------------- */

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
		sbuf_char(&f->sink->text, ',');
	f->any = true;
	return true;
}

void
fields_init(struct fields *f, struct sink *sink, struct json *json, unsigned clocks,
    const char *const *list, const char *label)
{
	*f = (struct fields){.sink = sink, .json = json, .list = list, .label = label};
	json_init(&f->plain, &sink->text, 0);
	for (int i = 0; list[i] != NULL; i++) {
		size_t marks = strspn(list[i], "?,{");
		bool absent = memchr(list[i], json != NULL ? ',' : '{', marks) != NULL ||
		    ((clocks & 1u << CLOCK_CPU) == 0 && strstr(list[i], "cpu_us") != NULL) ||
		    ((clocks & 1u << CLOCK_WALL) == 0 && strstr(list[i], "wall_us") != NULL);

		f->absent |= (uint32_t)absent << i;
	}
	for (int i = 0; json == NULL && list[i] != NULL; i++)
		if (field_begin(f, true))
			csv_field(&sink->text, str_from(field_name(f, list[i])));
	if (json == NULL)
		fields_end(f);
}

bool
fields_row(struct fields *f)
{
	if (!sink_row(f->sink))
		return false;
	f->at = 0;
	if (f->json != NULL)
		json_object(f->json);
	return true;
}

void
fields_end(struct fields *f)
{
	f->any = false;
	if (f->json != NULL)
		json_end(f->json);
	else
		sbuf_text(&f->sink->text, "\r\n");
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
	else if (v.kind == VALUE_DECIMAL)
		json_decimal(j, (double)v.a + (double)v.b / 1000);
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
	if (!field_begin(f, v.kind != VALUE_EMPTY))
		return;
	if (f->json != NULL)
		json_value(f->json, v);
	else if (v.kind == VALUE_TEXT)
		csv_field(&f->sink->text, v.text);
	else if (v.kind != VALUE_EMPTY)
		json_value(&f->plain, v);
}

void
fields_bool(struct fields *f, bool value)
{
	if (f->json == NULL)
		fields_put(f, value_count(value));
	else if (field_begin(f, value))
		json_bool(f->json, value);
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

void
fields_method(struct fields *f, const struct trace *t, uint32_t index)
{
	const struct method *m = trace_method(t, index);
	char id[NAME_ID_SIZE];

	fields_put(f, value_text(name_id(id, t, index)));
	fields_put(f, value_text(m->class_name));
	fields_put(f, value_text(m->name));
	fields_put(f, value_text(m->signature));
}

/* Order --------------------------------------------------------------------------- */

static int
ranked_order(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	int order = (a->key > b->key) - (a->key < b->key);

	if (order == 0)
		order = str_compare(a->text, b->text);
	if (order != 0)
		return a->ascending ? order : -order;
	order = a->tie != NULL ? a->tie(a->report, a->id, b->id) : str_compare(a->name, b->name);
	if (order == 0)
		order = (a->id > b->id) - (a->id < b->id);
	return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

void
ranked_sort(struct ranked *list, uint32_t count, bool ascending, uint32_t *rows)
{
	for (uint32_t i = 0; i < count; i++)
		list[i].ascending = ascending;
	qsort(list, count, sizeof(*list), ranked_order);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = list[i].index;
	mem_free(list);
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
columns_init(struct columns *t)
{
	for (int c = 0; c < t->count; c++)
		t->width[c] = 0;
	columns_fit(t, NULL);
}

void
columns_fit(struct columns *t, const void *row)
{
	char text[FMT_SIZE];

	for (int c = 0; c < t->count; c++) {
		int width = (int)utf8_width(t->cell(t->of, c, row, text));

		t->width[c] = width > t->width[c] ? width : t->width[c];
	}
}

void
columns_text(const struct columns *t, struct sbuf *out, const void *row)
{
	char text[FMT_SIZE];

	for (int c = 0; c < t->count; c++) {
		bool left = (t->left & 1u << c) != 0, last = t->whole && c + 1 == t->count;

		if (t->width[c] == 0)
			continue;
		cell_text(out, t->cell(t->of, c, row, text), left && last ? 0 : t->width[c], left);
		sbuf_text(out, last ? "\n" : "  ");
	}
}

void
columns_blank(const struct columns *t, struct sbuf *out)
{
	for (int c = 0; c < t->count; c++)
		if (t->width[c] > 0)
			cell_text(out, STR(""), t->width[c] + 2, false);
}

void
columns_html(const struct columns *t, struct sbuf *out, const void *row)
{
	char text[FMT_SIZE];

	for (int c = 0; c < t->count; c++) {
		if (t->width[c] == 0)
			continue;
		sbuf_text(out, row == NULL ? "<th scope=\"col\" class=\"n\">" : "<td class=\"n\">");
		html_text(out, t->cell(t->of, c, row, text));
		sbuf_text(out, row == NULL ? "</th>" : "</td>");
	}
}
