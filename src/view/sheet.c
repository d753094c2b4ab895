#include <config.h>

#include "view/sheet.h"

#include <ctype.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"

enum { NUMBER_WIDTH = 40, INDENT = 1, GAP = 2 };

const struct sheet_format_row sheet_formats[SHEET_FORMATS] = {
    [SHEET_AS_TEXT] = {"text", ".txt", "columns as on the screen, all rows"},
    [SHEET_AS_CSV] = {"csv", ".csv", "comma-separated values, times in ns"},
    [SHEET_AS_JSON] = {"json", ".json", "for programs, times in ns"},
    [SHEET_AS_FOLDED] = {"folded", ".folded", "stacks for flame graphs, ns each"},
};

void
sheet_add(struct sheet *s, const char *id, const char *title, enum value_kind kind)
{
	struct sheet_column *c = &s->columns[s->column_count];

	if (s->column_count == SHEET_COLUMNS_MAX)
		return;
	s->column_count++;
	snprintf(c->id, sizeof(c->id), "%s", id);
	snprintf(c->title, sizeof(c->title), "%s", title);
	c->kind = kind;
}

void
sheet_text(const struct sheet *s, size_t row, int column, struct sbuf *out)
{
	struct value v = s->cell(s, row, column, false);
	char buffer[FMT_SIZE];

	if (v.kind == VALUE_TEXT)
		clean_append(out, v.text, 0);
	else
		sbuf_str(out, value_format(s->figures, v, NUMBER_WIDTH, buffer));
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

static void
pad(struct sbuf *out, int columns)
{
	for (int i = 0; i < columns; i++)
		sbuf_char(out, ' ');
}

/* The last column is not padded, so its width is not needed. */
static void
measure_row(struct sheet_writer *w, size_t row)
{
	for (int c = 0; c + 1 < w->sheet->column_count; c++) {
		int width;

		sbuf_clear(&w->text);
		sheet_text(w->sheet, row, c, &w->text);
		width = (int)utf8_width(sbuf_view(&w->text));
		if (width > w->widths[c])
			w->widths[c] = width;
	}
}

#define TITLES SIZE_MAX

static void
text_row(struct sheet_writer *w, size_t row, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	for (int c = 0; c < s->column_count; c++) {
		bool last = c + 1 == s->column_count, left = s->columns[c].kind == VALUE_TEXT;
		int gap;

		sbuf_clear(&w->text);
		if (row == TITLES) {
			sbuf_text(&w->text, s->columns[c].title);
		} else {
			if (last && s->depth != NULL)
				pad(&w->text, INDENT * s->depth(s, row));
			sheet_text(s, row, c, &w->text);
		}
		gap = w->widths[c] - (int)utf8_width(sbuf_view(&w->text));
		pad(out, left ? 0 : gap);
		sbuf_str(out, sbuf_view(&w->text));
		if (!last)
			pad(out, left ? gap + GAP : GAP);
	}
	sbuf_char(out, '\n');
}

static void
text_step(struct sheet_writer *w, size_t at, struct sbuf *out)
{
	size_t rows = w->sheet->rows;

	if (at < rows)
		measure_row(w, at);
	if (at + 1 == rows)
		text_row(w, TITLES, out);
	if (at >= rows)
		text_row(w, at - rows, out);
}

/* For programs ---------------------------------------------------------------------- */

/* "incl%" is incl_percent, "incl" of a time incl_ns. */
static void
field_name(const struct sheet_column *c, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = c->id; *p != '\0' && *p != '%' && n + 12 < size; p++)
		out[n++] = isalnum((unsigned char)*p) ? *p : '_';
	snprintf(out + n, size - n, "%s",
	    c->kind == VALUE_TIME      ? "_ns"
	    : c->kind == VALUE_PERCENT ? "_percent"
				       : "");
}

static void
put_number(struct sbuf *out, struct value v)
{
	/* Ten thousandths of a percent are finer than anything that is shown. */
	if (v.kind == VALUE_PERCENT && v.b > 0)
		sbuf_printf(out, "%.4f", 100.0 * (double)v.a / (double)v.b);
	else if (v.kind == VALUE_DECIMAL)
		sbuf_text(out, value_decimal(v, FMT_BUF));
	else if (v.kind != VALUE_EMPTY && v.kind != VALUE_PERCENT)
		sbuf_printf(out, "%lld", (long long)v.a);
}

static void
csv_head(const struct sheet *s, struct sbuf *out)
{
	for (int c = 0; c < s->column_count; c++) {
		char name[48];

		field_name(&s->columns[c], name, sizeof(name));
		sbuf_printf(out, "%s%s", c > 0 ? "," : "", name);
		if (s->columns[c].kind == VALUE_CALLS)
			sbuf_printf(out, ",recursive_%s", name);
	}
	sbuf_text(out, "\r\n");
}

static void
csv_step(struct sheet_writer *w, size_t row, struct sbuf *out)
{
	const struct sheet *s = w->sheet;

	for (int c = 0; c < s->column_count; c++) {
		struct value v = s->cell(s, row, c, true);

		if (c > 0)
			sbuf_char(out, ',');
		if (v.kind == VALUE_TEXT)
			csv_field(out, v.text);
		else
			put_number(out, v);
		if (s->columns[c].kind != VALUE_CALLS)
			continue;
		sbuf_char(out, ',');
		if (v.kind == VALUE_CALLS)
			sbuf_printf(out, "%lld", (long long)v.b);
	}
	sbuf_text(out, "\r\n");
}

static void
json_cell(struct json *j, const char *name, struct value v)
{
	if (v.kind == VALUE_EMPTY || (v.kind == VALUE_PERCENT && v.b <= 0))
		return; /* nothing is known: no member */
	json_key(j, name);
	if (v.kind == VALUE_TEXT)
		json_str(j, v.text);
	else if (v.kind == VALUE_PERCENT) /* thousandths, too */
		json_us(j, (int64_t)(100000.0 * (double)v.a / (double)v.b + 0.5));
	else
		json_int(j, v.a);
}

static void
json_head(struct sheet_writer *w, struct sbuf *out)
{
	json_init(&w->json, out, 2);
	json_object(&w->json);
	member_str(&w->json, "view", str_from(w->sheet->view));
	json_key(&w->json, "rows");
	json_array(&w->json);
}

static void
json_step(struct sheet_writer *w, size_t row, struct sbuf *out)
{
	const struct sheet *s = w->sheet;
	struct json *j = &w->json;

	j->out = out;
	json_object(j);
	if (s->depth != NULL)
		member_int(j, "depth", s->depth(s, row));
	for (int c = 0; c < s->column_count; c++) {
		struct value v = s->cell(s, row, c, true);
		char name[48], recursive[64];

		field_name(&s->columns[c], name, sizeof(name));
		json_cell(j, name, v);
		if (v.kind != VALUE_CALLS)
			continue;
		snprintf(recursive, sizeof(recursive), "recursive_%s", name);
		member_int(j, recursive, v.b);
	}
	json_end(j);
}

static void
stack_step(struct sheet_writer *w, size_t at, struct sbuf *out)
{
	w->sheet->stack(w->sheet, &w->stacks, at, out);
}

/* All ------------------------------------------------------------------------------- */

void
sheet_writer_begin(struct sheet_writer *w, const struct sheet *s, enum sheet_format format)
{
	*w = (struct sheet_writer){.sheet = s, .format = format, .total = s->rows};
	if (format == SHEET_AS_TEXT)
		w->total = 2 * s->rows;
	else if (format == SHEET_AS_FOLDED)
		w->total = s->stacks;
	for (int c = 0; c < s->column_count; c++)
		w->widths[c] = (int)utf8_width(str_from(s->columns[c].title));
}

bool
sheet_writer_step(struct sheet_writer *w, size_t rows, struct sbuf *out)
{
	static void (*const step[SHEET_FORMATS])(struct sheet_writer *, size_t, struct sbuf *) = {
	    [SHEET_AS_TEXT] = text_step,
	    [SHEET_AS_CSV] = csv_step,
	    [SHEET_AS_JSON] = json_step,
	    [SHEET_AS_FOLDED] = stack_step,
	};

	if (w->done == 0 && w->format == SHEET_AS_CSV)
		csv_head(w->sheet, out);
	if (w->done == 0 && w->format == SHEET_AS_JSON)
		json_head(w, out);
	if (w->total == 0 && w->format == SHEET_AS_TEXT)
		text_row(w, TITLES, out);
	for (; rows > 0 && w->done < w->total; rows--)
		step[w->format](w, w->done++, out);
	if (w->done < w->total)
		return true;
	if (w->format == SHEET_AS_JSON) {
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
