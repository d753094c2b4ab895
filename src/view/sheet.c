// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/sheet.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"

enum { NUMBER_WIDTH = 40, INDENT = 1 };

const struct sheet_format_row sheet_formats[SHEET_FORMATS] = {
    [SHEET_AS_TEXT] = {"text", ".txt", "columns as on the screen, all rows"},
    [SHEET_AS_CSV] = {"csv", ".csv", "comma-separated values, times in us"},
    [SHEET_AS_JSON] = {"json", ".json", "for programs, times in us"},
    [SHEET_AS_LINES] = {"jsonl", ".jsonl", "a JSON object a line, for databases"},
    [SHEET_AS_FOLDED] = {"folded", ".folded", "stacks for flame graphs, us each"},
};

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

void
sheet_release(struct sheet *s)
{
	if (s->own != NULL)
		s->free_own(s->own);
	s->own = NULL;
}

void
sheet_add(struct sheet *s, const char *id, const char *title, enum value_kind kind)
{
	struct sheet_column *c = &s->columns[s->column_count];

	if (s->column_count == SHEET_COLUMNS_MAX)
		return;
	s->column_count++;
	output_key(id, kind, "_us", c->key);
	snprintf(c->title, sizeof(c->title), "%s", title);
	c->kind = kind;
}

void
sheet_text(const struct sheet *s, size_t row, int column, struct sbuf *out)
{
	struct value v = s->cell(s, row, column, false);

	if (v.kind == VALUE_TEXT)
		clean_append(out, v.text, 0);
	else
		sbuf_str(out, value_format(s->figures, v, NUMBER_WIDTH, FMT_BUF));
}

void
sheet_row(const struct sheet *s, size_t row, struct sbuf *out)
{
	for (int c = 0; c < s->column_count; c++) {
		if (c > 0)
			sbuf_text(out, "  ");
		sbuf_printf(out, "%s ", s->columns[c].title);
		sheet_text(s, row, c, out);
	}
}

bool
sheet_can(const struct sheet *s, enum sheet_format format)
{
	return format != SHEET_AS_FOLDED || s->stack != NULL;
}

/* For people ------------------------------------------------------------------------ */

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
sheet_indent(struct sbuf *out, int depth, int width)
{
	for (int i = 0; i < width * (depth < SHEET_INDENT_MAX ? depth : SHEET_INDENT_MAX); i++)
		sbuf_char(out, ' ');
	if (depth > SHEET_INDENT_MAX)
		sbuf_printf(out, "%d: ", depth);
}

/* Columns as wide as their widest cell; `row` is `rows` in the heading. */
static struct str
text_cell(struct sheet_writer *w, size_t row, int column)
{
	const struct sheet *s = w->sheet;

	if (row == s->rows)
		return str_from(s->columns[column].title);
	sbuf_clear(&w->text);
	if (column + 1 == s->column_count && s->depth != NULL)
		sheet_indent(&w->text, s->depth(s, row), INDENT);
	sheet_text(s, row, column, &w->text);
	return sbuf_view(&w->text);
}

/* Two blanks after each but the last, which is not padded when it is a text. */
static void
text_line(struct sheet_writer *w, struct sbuf *out, size_t row)
{
	const struct sheet *s = w->sheet;

	for (int c = 0; c < s->column_count; c++) {
		bool left = s->columns[c].kind == VALUE_TEXT, last = c + 1 == s->column_count;

		if (w->width[c] == 0)
			continue;
		cell_text(out, text_cell(w, row, c), left && last ? 0 : w->width[c], left);
		sbuf_text(out, last ? "\n" : "  ");
	}
}

static void
text_step(struct sheet_writer *w, size_t at, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	/* The last column is not padded, so its width is not needed. */
	for (int c = 0; at < s->rows && !s->goes_on && c + 1 < s->column_count; c++) {
		int width = (int)utf8_width(text_cell(w, at, c));

		w->width[c] = width > w->width[c] ? width : w->width[c];
	}
	if (at + 1 == s->rows && !s->goes_on)
		text_line(w, out, s->rows);
	if (at >= s->rows)
		text_line(w, out, at - s->rows);
}

/* For programs ---------------------------------------------------------------------- */

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

static void
csv_value(struct sbuf *out, struct value v)
{
	struct json number;

	if (v.kind == VALUE_TEXT) {
		csv_field(out, v.text);
	} else if (v.kind != VALUE_EMPTY) {
		v.kind = v.kind == VALUE_BOOL ? VALUE_COUNT : v.kind;
		json_init(&number, out, 0);
		json_value(&number, v);
	}
}

static const char *
key_name(const struct sheet_column *c)
{
	return c->key + strspn(c->key, "?,{");
}

/* True if the column is of a clock that the trace lacks. */
static bool
is_clockless(const struct sheet *s, const struct sheet_column *c)
{
	unsigned clocks = s->figures->trace->clocks;

	return ((clocks & 1u << CLOCK_CPU) == 0 && strstr(c->key, "cpu_us") != NULL) ||
	    ((clocks & 1u << CLOCK_WALL) == 0 && strstr(c->key, "wall_us") != NULL);
}

/* Writes the heading of CSV; of several traces once, as all must have the same. */
static void
heading_put(const struct sheet_writer *w, struct sbuf *out)
{
	const struct sheet *s = w->sheet;
	struct sheet_runs *runs = s->runs;
	struct sbuf text = {0};
	const char *comma = "";
	char key[JSON_KEY];

	if (runs != NULL)
		sbuf_printf(&text, "%s,", runs->word);
	for (int c = 0; c < s->column_count; c++) {
		if (w->absent[c])
			continue;
		sbuf_text(&text, comma);
		csv_field(&text, str_from(json_unit_key(s->figures->trace->unit.name,
		    key_name(&s->columns[c]), key)));
		comma = ",";
	}
	sbuf_text(&text, "\r\n");
	if (runs == NULL || runs->heading.n == 0)
		sbuf_str(out, sbuf_view(&text));
	else
		runs->differs = !str_equal(sbuf_view(&text), sbuf_view(&runs->heading));
	if (runs != NULL && runs->heading.n == 0)
		sbuf_str(&runs->heading, sbuf_view(&text));
	sbuf_release(&text);
}

static void
fields_begin(struct sheet_writer *w, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	if (w->format == SHEET_AS_LINES) {
		w->rows = &w->json;
		w->json.unit = s->figures->trace->unit.name;
	} else if (w->format == SHEET_AS_JSON && w->rows == NULL) {
		w->rows = &w->json;
		json_init(&w->json, out, 2);
		w->json.unit = s->figures->trace->unit.name;
		json_object(&w->json);
		member_str(&w->json, "view", str_from(s->view));
		member_array(&w->json, "rows");
	}
	for (int c = 0; c < s->column_count; c++) {
		const char *key = s->columns[c].key;

		/*
		 * The column is one of the other form (CSV, JSON), or of a clock that the trace
		 * lacks: CSV of several traces has those of both clocks.
		 */
		w->absent[c] =
		    memchr(key, w->rows != NULL ? ',' : '{', strspn(key, "?,{")) != NULL ||
		    (is_clockless(s, &s->columns[c]) && (w->rows != NULL || s->runs == NULL));
	}
	if (w->rows == NULL && !s->goes_on)
		heading_put(w, out);
}

static struct value
field(const struct sheet *s, size_t row, int column, bool csv)
{
	const struct sheet_column *c = &s->columns[column];
	struct value v = s->cell(s, row, column, true);

	/* A method that a record names though no call of it is known. */
	if (v.kind == VALUE_EMPTY && c->kind == VALUE_CALLS)
		return value_count(0);
	/* An asynchronous slice is of no thread: JSON has no CPU time of it. */
	return v.kind == VALUE_EMPTY && csv && c->zero ? value_time(0) : v;
}

static void
csv_step(struct sheet_writer *w, size_t row, struct sbuf *out)
{
	const struct sheet_runs *runs = w->sheet->runs;
	const char *comma = "";

	if (runs != NULL && runs->differs)
		return;
	if (runs != NULL) {
		csv_field(out, str_from(runs->name));
		comma = ",";
	}
	for (int c = 0; c < w->sheet->column_count; c++) {
		if (w->absent[c])
			continue;
		sbuf_text(out, comma);
		csv_value(out, is_clockless(w->sheet, &w->sheet->columns[c])
			? VALUE_NONE : field(w->sheet, row, c, true));
		comma = ",";
	}
	sbuf_text(out, "\r\n");
}

static void
json_step(struct sheet_writer *w, size_t row, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	if (w->format == SHEET_AS_LINES)
		json_init(&w->json, out, 0);
	w->json.out = out;
	w->json.unit = s->figures->trace->unit.name;
	json_object(w->rows);
	if (w->format == SHEET_AS_LINES && s->runs != NULL)
		member_str(w->rows, s->runs->word, str_from(s->runs->name));
	if (w->format == SHEET_AS_LINES && s->runs != NULL && s->runs->at >= 0)
		member_us(w->rows, "at_us", s->runs->at);
	for (int c = 0; c < s->column_count; c++) {
		struct value v = w->absent[c] ? VALUE_NONE : field(s, row, c, false);

		if (w->absent[c] || (s->columns[c].key[0] == '?' && v.kind == VALUE_EMPTY))
			continue;
		json_key(w->rows, key_name(&s->columns[c]));
		json_value(w->rows, v);
	}
	if (s->members != NULL)
		s->members(s, row, w->rows);
	json_end(w->rows);
	if (w->format == SHEET_AS_LINES)
		json_finish(&w->json);
}

static void
stack_step(struct sheet_writer *w, size_t at, struct sbuf *out)
{
	w->sheet->stack(w->sheet, &w->folded, at, out);
}

/* All ------------------------------------------------------------------------------- */

void
sheet_writer_begin(struct sheet_writer *w, const struct sheet *s, enum sheet_format format,
    struct json *json)
{
	*w = (struct sheet_writer){.sheet = s, .format = format, .total = s->rows, .rows = json};
	folded_begin(&w->folded, s->figures);
	if (format == SHEET_AS_TEXT)
		w->total = 2 * s->rows;
	else if (format == SHEET_AS_FOLDED)
		w->total = s->stacks;
	for (int c = 0; c < s->column_count; c++) {
		w->width[c] = (int)utf8_width(str_from(s->columns[c].title));
		if (s->columns[c].width > w->width[c])
			w->width[c] = s->columns[c].width;
	}
}

bool
sheet_writer_step(struct sheet_writer *w, size_t rows, struct sbuf *out)
{
	static void (*const step[SHEET_FORMATS])(struct sheet_writer *, size_t, struct sbuf *) = {
	    [SHEET_AS_TEXT] = text_step,
	    [SHEET_AS_CSV] = csv_step,
	    [SHEET_AS_JSON] = json_step,
	    [SHEET_AS_LINES] = json_step,
	    [SHEET_AS_FOLDED] = stack_step,
	};

	if (w->done == 0 && w->format != SHEET_AS_TEXT && w->format != SHEET_AS_FOLDED)
		fields_begin(w, out);
	if (w->total == 0 && w->format == SHEET_AS_TEXT)
		text_line(w, out, 0);
	for (; rows > 0 && w->done < w->total; rows--)
		step[w->format](w, w->done++, out);
	if (w->done < w->total)
		return true;
	if (w->format == SHEET_AS_JSON && w->rows == &w->json) {
		w->json.out = out;
		json_end(&w->json);
		json_end(&w->json);
		json_finish(&w->json);
	}
	return false;
}

double
sheet_writer_progress(const struct sheet_writer *w)
{
	return w->total > 0 ? (double)w->done / (double)w->total : 1;
}

void
sheet_writer_release(struct sheet_writer *w)
{
	sbuf_release(&w->text);
	folded_release(&w->folded);
	w->sheet = NULL;
}
