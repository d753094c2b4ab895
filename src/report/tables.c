// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/tables.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "report/text/views.h"

enum { STEP = 256 }; /* rows between two looks at the sink */

struct tables *
tables_new(const struct report *r)
{
	struct tables *t = mem_zero(1, sizeof(*t));

	display_init(&t->display, r->trace, r->figures.names);
	t->display.figures.fold = r->fold;
	t->display.figures.clock = r->figures.clock;
	if (r->groups == NULL && r->options->past != NULL && range_is_all(&r->options->range)) {
		past_take(r->options->past, r);
		t->display.figures.rates = &r->options->past->rates;
	}
	if (r->groups == NULL)
		return t;
	t->display.fold = r->methods;
	t->display.figures.fold = r->methods;
	packages_init(&t->packages, &t->display);
	packages_set_by(&t->packages, r->options->view->by);
	packages_set(&t->packages, r->groups);
	return t;
}

struct list *
table_methods(const struct report *r)
{
	struct tables *t = r->tables;

	if (r->groups != NULL)
		return &t->packages.list;
	methods_init(&t->methods, &t->display);
	return &t->methods.list;
}

void
tables_free(struct tables *t)
{
	if (t == NULL)
		return;
	findings_list_release(&t->findings);
	frames_release(&t->frames);
	threads_release(&t->threads);
	calls_list_release(&t->calls);
	calltree_release(&t->tree);
	sequence_list_release(&t->sequence);
	methods_release(&t->methods);
	packages_release(&t->packages);
	usage_tables_release(&t->log);
	display_release(&t->display);
	mem_free(t);
}

/* Order and filters ---------------------------------------------------------------- */

bool
table_sort(struct list *l, const struct report_options *o, struct err *e)
{
	return o->sort == NULL || list_sort_word(l, o->sort) ||
	    list_sort_none(l, o->view->name, o->sort + strspn(o->sort, "+-"), e);
}

bool
table_where(struct report *r, struct list *l, struct err *e)
{
	const struct words *where = &r->options->where;
	struct sbuf line = {0};
	bool good;

	for (size_t i = 0; i < where->count; i++)
		sbuf_printf(&line, "%s%s", i > 0 ? " " : "", where->list[i]);
	good = wheres_set(&r->tables->display.wheres, l, sbuf_view(&line), e);
	sbuf_release(&line);
	if (good && where->count > 0)
		list_refilter(l);
	else if (!good && e != NULL)
		e->has_offset = false;
	return good;
}

/* The texts of a row as in the trace. */
static struct str
texts_raw(const struct list *l, const struct list_row *row, struct sbuf *out)
{
	sbuf_clear(out);
	for (int i = 0; i < l->count; i++) {
		struct value v = l->source->file != NULL ? l->source->file(l->of, row, i) : VALUE_NONE;

		if (v.kind != VALUE_TEXT || (list_column(l, i)->flags & LIST_FOR_PROGRAMS) != 0)
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
	bool good = table_where(r, l, e) && table_sort(l, o, e), passes;
	size_t count = 0;

	for (size_t i = 0; i < l->at.count && good; i++) {
		good = (methods ? rows_pass : rows_pass_filters)(r,
		    list_row_text(l, &l->rows[i], &text), texts_raw(l, &l->rows[i], &raw), &passes, e);
		if (good && passes)
			l->rows[count++] = l->rows[i];
	}
	sbuf_release(&text);
	sbuf_release(&raw);
	table_cut(r, l, count);
	return good;
}

void
table_cut(struct report *r, struct list *l, size_t count)
{
	r->tables->list = l;
	r->matched = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	r->count = r->matched < r->options->limit ? r->matched : r->options->limit;
	l->at.count = r->count;
}

/* Writing -------------------------------------------------------------------------- */

void
table_rows(struct sink *sink, struct json *j, struct sheet *sheet, enum sheet_format format)
{
	struct sbuf scratch = {0};
	struct sheet_writer w;

	sheet->scratch = &scratch;
	sheet->runs = sink->runs;
	sheet_writer_begin(&w, sheet, format, j);
	while (sheet_writer_step(&w, STEP, &sink->text) && sink_row(sink))
		;
	sheet_writer_release(&w);
	sbuf_release(&scratch);
}

void
table_text(struct sink *sink, const struct report *r)
{
	const struct list *l = r->tables->list;
	struct sheet sheet;
	struct sheet_column *last;

	list_sheet(&sheet, l, false);
	last = &sheet.columns[sheet.column_count - 1];
	snprintf(last->title, sizeof(last->title), "%s", list_title(l, last->of, FMT_BUF));
	/* As wide as figures of any method may need. */
	for (int c = 0; l->source->scrolls && c + 1 < sheet.column_count; c++)
		sheet.columns[c].width = l->width[sheet.columns[c].of];
	if (r->groups != NULL) {
		struct sheet_column name = *last;

		list_sheet_field(&sheet, l, 1, names_words(r->figures.names, "Methods"));
		last[0] = last[1];
		last[1] = name;
	}
	table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
}

void
table_figures(struct sheet *s, const struct report *r, const enum column_id *ids, const char *name)
{
	*s = (struct sheet){.figures = &r->figures};
	for (; *ids != COLUMNS; ids++) {
		const struct column *c = &column_table[*ids];

		if (!column_exists(c, r->trace))
			continue;
		sheet_add(s, c->id, *ids == COLUMN_METHOD ? names_words(r->figures.names, name)
							  : column_title(&r->figures, c, FMT_BUF), c->kind);
		s->columns[s->column_count - 1].of = (int)*ids;
	}
}

void
table_sheet(struct sink *sink, struct json *j, struct sheet *sheet, const char *name)
{
	if (j != NULL)
		member_array(j, output_key(name, VALUE_TEXT, "", FMT_BUF));
	table_rows(sink, j, sheet, j != NULL ? SHEET_AS_JSON : sink->lines ? SHEET_AS_LINES : SHEET_AS_CSV);
	if (j != NULL)
		json_end(j);
	sheet_release(sheet);
}

void
table_write(struct sink *sink, struct json *j, const struct list *l, const char *name,
    const struct sheet *how)
{
	struct sheet sheet;

	list_sheet(&sheet, l, true);
	if (how != NULL)
		sheet.goes_on = how->goes_on;
	if (how != NULL && how->members != NULL) {
		sheet.members = how->members;
		sheet.context = how->context;
	}
	table_sheet(sink, j, &sheet, name);
}

void
table_report(struct sink *sink, struct json *j, const struct report *r)
{
	table_write(sink, j, r->tables->list, r->options->view->name, NULL);
}

/* Threads -------------------------------------------------------------------------- */

void
table_columns(struct list *l, const char *const *words)
{
	struct columnset *set = l->columns;
	int count = 0;

	for (int i = 0; i < l->count; i++)
		set->of[i].shown = SHOWN_NO;
	for (; *words != NULL; words++)
		for (int i = 0; i < l->count; i++)
			if (strcmp(list_column(l, i)->id, *words) == 0 && set->of[i].shown == SHOWN_NO) {
				set->of[i].shown = SHOWN_YES;
				set->order[count++] = i;
			}
	for (int i = 0; i < l->count; i++)
		if (set->of[i].shown == SHOWN_NO)
			set->order[count++] = i;
}

bool
threads_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	const char *const shown[] = {"tid", "share", "wall", "cpu",
	    trace_has_both(r->trace) ? "busy" : "in-calls", "unknown", "in-calls", "calls", "records",
	    "open", "thread", NULL};
	struct threads *t = &r->tables->threads;

	threads_init(t, &r->tables->display, &r->scope);
	list_for_files(&t->list);
	table_columns(&t->list, shown);
	return table_take(r, &t->list, true, e);
}
