#include <config.h>

#include "report/text/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/report.h"

/* For programs -------------------------------------------------------------------- */

static const char *const clock_words[CLOCKS] = {"cpu", "wall"};

/* Begins the next field; false when it is not in this form, or only when it is something. */
static bool
field_key(struct fields *f, const char *key, bool something)
{
	if (*key == '?' && f->json != NULL && !something)
		return false;
	key += *key == '?';
	if (*key == (f->json != NULL ? ',' : '{'))
		return false;
	key += *key == ',' || *key == '{';
	if (f->json != NULL)
		json_key(f->json, *key == '*' ? f->label : key);
	else if (f->any)
		sbuf_char(&f->sink->text, ',');
	f->any = true;
	return true;
}

/* The writer for a field's number; NULL: the field is left out. */
static struct json *
field_begin(struct fields *f, bool something)
{
	if (!field_key(f, f->list != NULL ? f->list[f->at++] : "", something))
		return NULL;
	return f->json != NULL ? f->json : &f->plain;
}

static char *
key_put(char *to, const char *end, struct str part)
{
	size_t n = part.n < (size_t)(end - to) ? part.n : (size_t)(end - to);

	memcpy(to, part.p, n);
	return to + n;
}

/* The keys of a field on all clocks, each with its value; without values: the heading. */
static void
field_clocks(struct fields *f, const char *keys, const nsec *const values[3])
{
	char key[FMT_SIZE] = {*keys};
	bool marked = *keys == ',';

	for (int c = 0; c < CLOCKS; c++) {
		struct str rest = str_from(keys + marked);

		for (int i = 0; rest.p != NULL && (f->clocks & 1u << c) != 0; i++) {
			struct str after = str_cut(&rest, ' '), before = str_cut(&after, '%');
			const char *end = key + sizeof(key) - 1;
			char *to = key_put(key + marked, end, before);

			(void)str_cut(&after, 's');
			to = key_put(to, end, str_from(clock_words[c]));
			to = key_put(to, end, after);
			*to = '\0';
			if (!field_key(f, key, true))
				continue;
			if (values == NULL)
				sbuf_text(&f->sink->text, key + marked);
			else
				json_us(f->json != NULL ? f->json : &f->plain, values[i][c]);
		}
	}
}

static void
heading(struct fields *f)
{
	for (const char *const *key = f->list; *key != NULL; key++) {
		if (strchr(*key, '%') != NULL)
			field_clocks(f, *key, NULL);
		else if (field_key(f, *key, true))
			csv_field(&f->sink->text,
			    str_from(**key == '*' ? f->label : *key + strspn(*key, "?,")));
	}
	fields_end(f);
}

void
fields_init(struct fields *f, struct sink *sink, struct json *json, const struct report *r,
    const char *const *list, const char *label)
{
	*f = (struct fields){
	    .sink = sink, .json = json, .list = list, .label = label, .clocks = r->trace->clocks};
	json_init(&f->plain, &sink->text, 0);
	if (json == NULL && list != NULL)
		heading(f);
}

bool
fields_row(struct fields *f)
{
	if (!sink_row(f->sink))
		return false;
	f->at = 0;
	f->any = false;
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

void
fields_str(struct fields *f, struct str value)
{
	struct json *j = field_begin(f, true);

	if (j == NULL)
		return;
	if (f->json != NULL)
		json_str(j, value);
	else
		csv_field(&f->sink->text, value);
}

void
fields_uint(struct fields *f, uint64_t value)
{
	struct json *j = field_begin(f, true);

	if (j != NULL)
		json_uint(j, value);
}

void
fields_bool(struct fields *f, bool value)
{
	struct json *j = field_begin(f, value);

	if (j != NULL && f->json != NULL)
		json_bool(j, value);
	else if (j != NULL)
		json_uint(j, value);
}

void
fields_us(struct fields *f, nsec value)
{
	struct json *j = field_begin(f, true);

	if (j != NULL)
		json_us(j, value);
}

void
fields_none(struct fields *f)
{
	struct json *j = field_begin(f, false);

	if (j != NULL && f->json != NULL)
		json_null(j);
}

static void
json_number(struct json *j, struct value v)
{
	if (v.kind == VALUE_TIME)
		json_us(j, v.a);
	else if (v.kind == VALUE_PERCENT)
		json_decimal(j, v.b > 0 ? 100 * (double)v.a / (double)v.b : 0);
	else if (v.kind == VALUE_DECIMAL)
		json_decimal(j, (double)v.a + (double)v.b / 1000);
	else
		json_int(j, v.a);
}

void
fields_value(struct fields *f, struct value v)
{
	struct json *j;

	if (v.kind == VALUE_TEXT)
		fields_str(f, v.text);
	else if (v.kind == VALUE_EMPTY)
		fields_none(f);
	else if ((j = field_begin(f, true)) != NULL)
		json_number(j, v);
}

void
fields_times(struct fields *f, const nsec *a, const nsec *b, const nsec *c)
{
	field_clocks(f, f->list[f->at++], (const nsec *const[3]){a, b, c});
}

void
fields_method(struct fields *f, const struct trace *t, uint32_t index)
{
	const struct method *m = trace_method(t, index);
	char id[NAME_ID_SIZE];

	fields_str(f, name_id(id, t, index));
	fields_str(f, m->class_name);
	fields_str(f, m->name);
	fields_str(f, m->signature);
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
	order = str_compare(a->name, b->name);
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
