// SPDX-License-Identifier: Apache-2.0
/* treerows: the views of call paths (view/tree/rows.h): the call tree, and upside down the callers. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "report/tables.h"
#include "report/text/views.h"

bool
treerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_options *o = r->options;
	struct tree_rows_ask ask = {.figures = &r->figures, .callers = o->view->callers,
	    .min_percent = o->min_percent};
	struct calltree *t = &r->tables->tree;
	uint8_t *hidden = NULL;
	bool good = true;

	calltree_init(t, &r->tables->display, o->view->callers);
	if (o->where.count > 0)
		return err_set(e, ERR_UNSUPPORTED, "--where is not for the view '%s'", o->view->name);
	if (!table_sort(&t->list, o, e))
		return false;
	ask.sort = (enum column_id)t->list.sort;
	ask.reverse = t->list.ascending != column_ascends(&column_table[ask.sort]);
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

/* A line: a row, or what is not shown below it. */
struct tree_line {
	const struct tree_row *row;
	uint32_t depth;
	enum { LINE_ROW, LINE_FOLDED, LINE_DEEPER } what;
};

struct tree_lines {
	const struct report *report;
	struct tree_line *items;
	size_t count, room;
};

static void
line_add(struct tree_lines *l, const struct tree_row *row, uint32_t depth, int what)
{
	*MEM_ADD(l->items, l->count, l->room) = (struct tree_line){row, depth, what};
}

/* Adds lines for what was folded below a row, after all other rows below it. */
static void
lines_folded(struct tree_lines *l, const uint32_t *open, uint32_t *depth, uint32_t to)
{
	while (*depth > to) {
		const struct tree_row *row = &l->report->tree->rows[open[--*depth]];

		if (row->folded > 0)
			line_add(l, row, row->depth + 1, LINE_FOLDED);
	}
}

static void
lines_make(struct tree_lines *l, const struct report *r)
{
	uint32_t *open = NULL, depth = 0; /* by depth: the row above */
	size_t room = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		const struct tree_row *row = &r->tree->rows[i];

		lines_folded(l, open, &depth, row->depth);
		MEM_GROW(open, room, (size_t)row->depth + 1);
		open[row->depth] = i;
		depth = row->depth + 1;
		line_add(l, row, row->depth, LINE_ROW);
		if (row->deeper)
			line_add(l, row, row->depth + 1, LINE_DEEPER);
	}
	if (r->count == r->matched) {
		lines_folded(l, open, &depth, 0);
		if (r->tree->rest.folded > 0)
			line_add(l, &r->tree->rest, 0, LINE_FOLDED);
	}
	mem_free(open);
}

static void
name(struct sbuf *out, const struct report *r, const struct tree_line *line)
{
	uint32_t thread;
	enum clock_id clock = r->figures.clock;

	sheet_indent(out, (int)line->depth, 2);
	if (line->what == LINE_DEEPER) {
		sbuf_text(out, names_words(r->figures.names, "(callers that are not followed)"));
	} else if (line->what == LINE_FOLDED) {
		sbuf_printf(out, "(%" PRIu32 " below the cut-off, together %s %%)", line->row->folded,
		    fmt_percent(FMT_BUF, line->row->folded_time[clock], r->fold->total[clock]));
	} else if ((thread = tree_rows_thread(r->tree, line->row)) == THREAD_NONE) {
		sbuf_str(out, names_shown(r->figures.names, tree_rows_path(r->tree, line->row)->method));
	} else {
		sbuf_char(out, '[');
		sbuf_str(out, names_thread(r->figures.names, thread));
		sbuf_char(out, ']');
	}
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct tree_lines *l = s->model;
	const struct tree_line *line = &l->items[at];
	enum column_id id = (enum column_id)s->columns[column].of;

	if (id != COLUMN_METHOD)
		return line->what != LINE_ROW ? VALUE_NONE
					      : tree_rows_value(l->report->tree, id, line->row);
	sbuf_clear(s->scratch);
	name(s->scratch, l->report, line);
	return value_text(sbuf_view(s->scratch));
}

/* Finds the columns of paths: the one percentage that counts, the times, then all others that trees have. */
static void
columns_choose(bool callers, enum column_id shown[COLUMNS + 1])
{
	/* In callers, the self time of the topmost comes first. */
	static const enum column_id first[2][5] = {
	    {COLUMN_INCL_PERCENT, COLUMN_INCL, COLUMN_EXCL, COLUMN_OTHER_INCL, COLUMN_OTHER_EXCL},
	    {COLUMN_EXCL_PERCENT, COLUMN_EXCL, COLUMN_INCL, COLUMN_OTHER_EXCL, COLUMN_OTHER_INCL}};
	const int times = sizeof(first[0]) / sizeof(first[0][0]);
	int count = times;

	memcpy(shown, first[callers], sizeof(first[0]));
	for (enum column_id id = 0; id < COLUMNS; id++) {
		const struct column *c = &column_table[id];
		int i = 0;

		while (i < times && shown[i] != id)
			i++;
		if (i == times && (c->flags & LIST_TREES) != 0 && c->kind != VALUE_PERCENT)
			shown[count++] = id;
	}
	shown[count++] = COLUMN_METHOD;
	shown[count] = COLUMNS;
}

void
treerows_text(struct sink *sink, const struct report *r)
{
	enum column_id shown[COLUMNS + 1];
	bool upside = r->tree->callers != NULL;
	struct tree_lines lines = {.report = r};
	struct sheet sheet;

	lines_make(&lines, r);
	columns_choose(upside, shown);
	table_figures(&sheet, r, shown, upside ? "Method, below it its callers" : "Call tree");
	sheet.rows = lines.count;
	sheet.model = &lines;
	sheet.cell = cell;
	table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
	mem_free(lines.items);
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
