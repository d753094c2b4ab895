#include <config.h>

#include "view/sheet.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { NUMBER_WIDTH = 40 };

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
sheet_add_column(struct sheet *s, enum column_id id)
{
	const struct column *c = &column_table[id];
	char title[FMT_SIZE];

	sheet_add(s, c->id, column_title(s->figures, id, title), c->kind);
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
