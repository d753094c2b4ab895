// SPDX-License-Identifier: Apache-2.0
/* treerows: the views of call paths (view/tree/rows.h): the call tree, and upside down the callers. */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "report/tables.h"
#include "report/text/views.h"

bool
treerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_options *o = r->options;
	struct tree_rows_ask ask = {.figures = &r->figures, .callers = o->view->callers,
	    .min_percent = o->min_percent,
	    .sort = !o->sort_given && o->view->callers ? COLUMN_EXCL : o->sort};
	uint8_t *hidden = NULL;
	bool good = true;

	if (ask.sort == COLUMN_RANK)
		return err_set(e, ERR_UNSUPPORTED, "'%s' has no column 'rank'", o->view->name);
	ask.reverse = o->sort_given && o->ascending != column_ascends(&column_table[ask.sort]);
	if (o->filters.count + o->methods.count > 0)
		good = methods_hidden(r, &hidden, cancel, e);
	ask.hidden = hidden;
	ask.paths = r->paths = good
	    ? report_paths(r, o->view->callers || o->together, cancel) : NULL;
	r->tree = mem_zero(1, sizeof(*r->tree));
	good = good && ((r->paths != NULL && tree_rows_make(r->tree, &ask, cancel)) ||
	    err_set(e, ERR_CANCELLED, "interrupted"));
	mem_free(hidden);
	r->count = r->matched = r->tree->count;
	if (r->count > o->limit)
		r->count = o->limit;
	return good;
}

/* Text ---------------------------------------------------------------------------- */

/* Deeper rows are indented no further, but say how deep they are. */
enum { INDENT_MAX = 60 };

static struct value
row_value(const struct report *r, enum column_id column, const void *row)
{
	return tree_rows_value(r->tree, column, row);
}

static void
indent(struct sbuf *out, uint32_t depth)
{
	for (uint32_t i = 0; i < depth && i < INDENT_MAX; i++)
		sbuf_text(out, "  ");
	if (depth > INDENT_MAX)
		sbuf_printf(out, "%" PRIu32 ": ", depth);
}

static void
name(struct sbuf *out, const struct report *r, const struct tree_row *row)
{
	uint32_t thread = tree_rows_thread(r->tree, row);

	if (thread == THREAD_NONE) {
		sbuf_str(out, names_shown(r->figures.names, tree_rows_path(r->tree, row)->method));
		return;
	}
	sbuf_char(out, '[');
	sbuf_str(out, names_thread(r->figures.names, thread));
	sbuf_char(out, ']');
}

static void
folded_line(const struct figure_columns *t, struct sbuf *out, const struct tree_row *row,
    uint32_t depth)
{
	const struct report *r = t->report;
	enum clock_id clock = r->figures.clock;

	columns_blank(&t->columns, out);
	indent(out, depth);
	sbuf_printf(out, "(%" PRIu32 " below the cut-off, ", row->folded);
	sbuf_printf(out, "together %s %%)\n",
	    fmt_percent(FMT_BUF, row->folded_time[clock], r->fold->total[clock]));
}

/* What was folded below a row follows all other rows below it. */
static void
folded_lines(const struct figure_columns *t, struct sbuf *out, const uint32_t *open,
    uint32_t *depth, uint32_t to)
{
	while (*depth > to) {
		const struct report *r = t->report;
		const struct tree_row *row = &r->tree->rows[open[--*depth]];

		if (row->folded > 0)
			folded_line(t, out, row, row->depth + 1);
	}
}

void
treerows_text(struct sink *sink, const struct report *r)
{
	/* Of callers what the topmost has itself comes first. */
	static const enum column_id tree[] = {COLUMN_INCL_PERCENT, COLUMN_INCL, COLUMN_EXCL,
	    COLUMN_OTHER_INCL, COLUMN_OTHER_EXCL, COLUMN_CALLS, COLUMNS};
	static const enum column_id callers[] = {COLUMN_EXCL_PERCENT, COLUMN_EXCL, COLUMN_INCL,
	    COLUMN_OTHER_EXCL, COLUMN_OTHER_INCL, COLUMN_CALLS, COLUMNS};
	struct figure_columns t;
	uint32_t *open = NULL, depth = 0; /* by depth: the row above */
	size_t room = 0;

	figure_columns_init(&t, r, r->tree->callers != NULL ? callers : tree, row_value);
	for (uint32_t i = 0; i < r->count; i++)
		columns_fit(&t.columns, &r->tree->rows[i]);
	columns_text(&t.columns, &sink->text, NULL);
	sbuf_text(&sink->text, names_words(r->figures.names, r->tree->callers != NULL
		? "Method, below it its callers\n" : "Call tree\n"));
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct tree_row *row = &r->tree->rows[i];
		uint32_t at = row->depth;

		folded_lines(&t, &sink->text, open, &depth, at);
		MEM_GROW(open, room, (size_t)at + 1);
		open[at] = i;
		depth = at + 1;
		columns_text(&t.columns, &sink->text, row);
		indent(&sink->text, at);
		name(&sink->text, r, row);
		sbuf_char(&sink->text, '\n');
		if (!row->deeper)
			continue;
		columns_blank(&t.columns, &sink->text);
		indent(&sink->text, at + 1);
		sbuf_text(&sink->text, names_words(r->figures.names,
		    "(callers that are not followed)\n"));
	}
	if (r->count == r->matched) {
		folded_lines(&t, &sink->text, open, &depth, 0);
		if (r->tree->rest.folded > 0)
			folded_line(&t, &sink->text, &r->tree->rest, 0);
	}
	mem_free(open);
}

/* CSV and JSON -------------------------------------------------------------------- */

static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};
static const char *const folded_keys[CLOCKS] = {"folded_cpu_us", "folded_wall_us"};

void
treerows_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct tree_rows *t = r->tree;
	struct sheet sheet;

	tree_rows_sheet(&sheet, t, r->count);
	table_sheet(sink, j, &sheet, r->options->view->name);
	if (j == NULL)
		return;
	if (t->rest.folded > 0) {
		member_uint(j, "folded", t->rest.folded);
		member_times(j, r->trace->clocks, folded_keys, t->rest.folded_time);
	}
	if (t->callers == NULL)
		return;
	if (t->deeper > 0 && t->depth_max != UINT32_MAX)
		member_uint(j, "depth_max", t->depth_max);
	else if (t->deeper > 0)
		member_uint(j, "callers_max", t->callers_max);
	member_object(j, "toplevel");
	member_times(j, r->trace->clocks, exclusive_keys, t->outside);
	json_end(j);
}
