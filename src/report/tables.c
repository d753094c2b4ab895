// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/tables.h"

#include "base/mem.h"
#include "report/text/views.h"

enum { STEP = 256 }; /* rows between two looks at the sink */

void
tables_free(struct tables *t)
{
	if (t == NULL)
		return;
	frames_release(&t->frames);
	usage_tables_release(&t->log);
	display_release(&t->display);
	mem_free(t);
}

/* Order and filters ---------------------------------------------------------------- */

/* Shown or not. */
static bool
is_there(const struct list *l, int column)
{
	return column_exists(list_column(l, column), l->figures->trace->clocks) &&
	    (l->source->has == NULL || l->source->has(l->of, column));
}

static bool
sort(struct list *l, const struct report_options *o, struct err *e)
{
	struct sbuf words = {0};
	int column = 0;

	while (column < l->count && (!is_there(l, column) ||
	    !column_is(list_column(l, column), o->sort_word)))
		column++;
	if (column < l->count) {
		list_sort(l, column,
		    o->sort_signed ? o->ascending : column_ascends(list_column(l, column)));
		return true;
	}
	for (int i = 0; i < l->count; i++)
		if (is_there(l, i))
			sbuf_printf(&words, "%s%s", words.n > 0 ? ", " : "", list_column(l, i)->id);
	err_set(e, ERR_UNSUPPORTED, "'%s' has no column '%s', only %s", o->view->name, o->sort_word,
	    sbuf_cstr(&words));
	sbuf_release(&words);
	return false;
}

/* The texts of a row as in the trace. */
static struct str
texts_raw(const struct list *l, const struct list_row *row, struct sbuf *out)
{
	sbuf_clear(out);
	for (int i = 0; i < l->count; i++) {
		struct value v = l->source->file != NULL ? l->source->file(l->of, row, i) : VALUE_NONE;

		if (v.kind != VALUE_TEXT)
			continue;
		sbuf_text(out, out->n > 0 ? " " : "");
		sbuf_str(out, v.text);
	}
	return sbuf_view(out);
}

bool
table_take(struct report *r, struct list *l, bool methods, struct err *e)
{
	const struct report_options *o = r->options;
	struct sbuf text = {0}, raw = {0};
	bool good = !o->sort_given || sort(l, o, e), passes;
	size_t count = 0;

	for (size_t i = 0; i < l->at.count && good; i++) {
		good = (methods ? rows_pass : rows_pass_filters)(r,
		    list_row_text(l, &l->rows[i], &text), texts_raw(l, &l->rows[i], &raw), &passes, e);
		if (good && passes)
			l->rows[count++] = l->rows[i];
	}
	sbuf_release(&text);
	sbuf_release(&raw);
	r->tables->list = l;
	r->matched = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	r->count = r->matched < o->limit ? r->matched : o->limit;
	l->at.count = r->count;
	return good;
}

/* Writing -------------------------------------------------------------------------- */

static void
rows_write(struct sink *sink, struct json *j, const struct sheet *sheet, enum sheet_format format)
{
	struct sheet_writer w;

	sheet_writer_begin(&w, sheet, format, j);
	while (sheet_writer_step(&w, STEP, &sink->text) && sink_row(sink))
		;
	sheet_writer_release(&w);
}

void
table_text(struct sink *sink, const struct report *r)
{
	struct sbuf scratch = {0};
	struct sheet sheet;

	list_sheet(&sheet, r->tables->list, false);
	sheet.scratch = &scratch;
	rows_write(sink, NULL, &sheet, SHEET_AS_TEXT);
	sbuf_release(&scratch);
}

void
table_write(struct sink *sink, struct json *j, const struct list *l, const char *name)
{
	struct sbuf scratch = {0};
	struct sheet sheet;

	list_sheet(&sheet, l, true);
	sheet.scratch = &scratch;
	if (j != NULL)
		member_array(j, output_key(name, VALUE_TEXT, "", FMT_BUF));
	rows_write(sink, j, &sheet, j != NULL ? SHEET_AS_JSON : SHEET_AS_CSV);
	if (j != NULL)
		json_end(j);
	sheet_release(&sheet);
	sbuf_release(&scratch);
}
