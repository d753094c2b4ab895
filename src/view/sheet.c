// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/sheet.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { NUMBER_WIDTH = 40, INDENT = 1 };

const struct sheet_format_row sheet_formats[SHEET_FORMATS] = {
    [SHEET_AS_TEXT] = {"text", ".txt", "columns as on the screen, all rows"},
    [SHEET_AS_CSV] = {"csv", ".csv", "comma-separated values, times in us"},
    [SHEET_AS_JSON] = {"json", ".json", "for programs, times in us"},
    [SHEET_AS_FOLDED] = {"folded", ".folded", "stacks for flame graphs, ns each"},
};

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

/* Stacks ------------------------------------------------------------------------------ */

void
sheet_frame(struct sbuf *out, struct str name)
{
	struct sbuf clean = {0};

	clean_append(&clean, name, 0);
	for (size_t i = 0; i < clean.n; i++)
		sbuf_char(out, clean.p[i] == ';' ? ':' : clean.p[i]);
	sbuf_release(&clean);
}

void
sheet_stacks_release(struct sheet_stacks *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		sbuf_release(&s->frames[i]);
	mem_free(s->frames);
	mem_free(s->ids);
	*s = (struct sheet_stacks){.count = 0};
}

void
sheet_stacks_method(struct sheet_stacks *s, const struct figures *f, uint32_t method,
    struct sbuf *out)
{
	if (s->frames == NULL) {
		s->count = trace_method_count(f->trace);
		s->frames = mem_zero(s->count, sizeof(*s->frames));
	}
	if (method >= s->count) {
		sheet_frame(out, names_raw(f->names, method));
		return;
	}
	if (s->frames[method].n == 0)
		sheet_frame(&s->frames[method], names_raw(f->names, method));
	sbuf_str(out, sbuf_view(&s->frames[method]));
}

bool
sheet_can(const struct sheet *s, enum sheet_format format)
{
	return format != SHEET_AS_FOLDED || s->stack != NULL;
}

/* For people ------------------------------------------------------------------------ */

static struct str
text_cell(const void *of, int column, const void *row, char out[static FMT_SIZE])
{
	struct sheet_writer *w = (struct sheet_writer *)(uintptr_t)of;
	const struct sheet *s = w->sheet;
	const size_t *at = row;
	int indent = 0;

	if (row == NULL)
		return str_from(s->columns[column].title);
	if (column + 1 == s->column_count && s->depth != NULL)
		indent = INDENT * s->depth(s, *at);
	sbuf_clear(&w->text);
	for (int i = 0; i < indent; i++)
		sbuf_char(&w->text, ' ');
	sheet_text(s, *at, column, &w->text);
	return sbuf_view(&w->text);
}

static void
text_step(struct sheet_writer *w, size_t at, struct sbuf *out)
{
	size_t rows = w->sheet->rows;

	if (at < rows && !w->sheet->goes_on) {
		/* The last column is not padded, so its width is not needed. */
		w->table.count--;
		columns_fit(&w->table, &at);
		w->table.count++;
	}
	if (at + 1 == rows && !w->sheet->goes_on)
		columns_text(&w->table, out, NULL);
	if (at >= rows)
		columns_text(&w->table, out, &(size_t){at - rows});
}

/* For programs ---------------------------------------------------------------------- */

static void
fields_begin(struct sheet_writer *w, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	if (w->format == SHEET_AS_JSON && w->rows == NULL) {
		w->rows = &w->json;
		json_init(&w->json, out, 2);
		json_object(&w->json);
		member_str(&w->json, "view", str_from(s->view));
		member_array(&w->json, "rows");
	}
	for (int c = 0; c < s->column_count; c++)
		w->keys[c] = s->columns[c].key;
	fields_init(&w->fields, s->goes_on ? &w->text : out, w->rows,
	    s->figures->trace->clocks, w->keys, NULL);
}

static void
fields_step(struct sheet_writer *w, size_t row, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	w->json.out = w->fields.out = out;
	fields_row(&w->fields);
	for (int c = 0; c < s->column_count; c++) {
		struct value v = s->cell(s, row, c, true);

		/* A method that a record names though no call of it is known. */
		if (v.kind == VALUE_EMPTY && s->columns[c].kind == VALUE_CALLS)
			v = value_count(0);
		/* An asynchronous slice is of no thread: JSON has no CPU time of it. */
		if (v.kind == VALUE_EMPTY && w->rows == NULL && s->columns[c].zero)
			v = value_time(0);
		fields_put(&w->fields, v);
	}
	if (w->rows != NULL && s->members != NULL)
		s->members(s, row, w->rows);
	fields_end(&w->fields);
}

static void
stack_step(struct sheet_writer *w, size_t at, struct sbuf *out)
{
	w->sheet->stack(w->sheet, &w->stacks, at, out);
}

/* All ------------------------------------------------------------------------------- */

void
sheet_writer_begin(struct sheet_writer *w, const struct sheet *s, enum sheet_format format,
    struct json *json)
{
	*w = (struct sheet_writer){.sheet = s, .format = format, .total = s->rows, .rows = json};
	if (format == SHEET_AS_TEXT)
		w->total = 2 * s->rows;
	else if (format == SHEET_AS_FOLDED)
		w->total = s->stacks;
	w->table =
	    (struct columns){.of = w, .count = s->column_count, .whole = true, .cell = text_cell};
	for (int c = 0; c < s->column_count; c++)
		w->table.left |= (unsigned)(s->columns[c].kind == VALUE_TEXT) << c;
	columns_fit(&w->table, NULL);
	for (int c = 0; c < s->column_count; c++)
		if (s->columns[c].width > w->table.width[c])
			w->table.width[c] = s->columns[c].width;
}

bool
sheet_writer_step(struct sheet_writer *w, size_t rows, struct sbuf *out)
{
	static void (*const step[SHEET_FORMATS])(struct sheet_writer *, size_t, struct sbuf *) = {
	    [SHEET_AS_TEXT] = text_step,
	    [SHEET_AS_CSV] = fields_step,
	    [SHEET_AS_JSON] = fields_step,
	    [SHEET_AS_FOLDED] = stack_step,
	};

	if (w->done == 0 && (w->format == SHEET_AS_CSV || w->format == SHEET_AS_JSON))
		fields_begin(w, out);
	if (w->total == 0 && w->format == SHEET_AS_TEXT)
		columns_text(&w->table, out, NULL);
	for (; rows > 0 && w->done < w->total; rows--)
		step[w->format](w, w->done++, out);
	if (w->done < w->total)
		return true;
	if (w->rows == &w->json) {
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
	sheet_stacks_release(&w->stacks);
	w->sheet = NULL;
}
