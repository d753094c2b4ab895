/*
 * timeline_pane-draw: the drawing of timeline_pane: axis, cells, marks, single calls.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "view/table.h"
#include "view/timeline_pane.h"
#include "view/window.h"

/* Lower blocks of 1/8 to 8/8, and what stands for them in ASCII. */
static const uint32_t blocks[] = {
    0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
static const char heights[] = ".:=#";

enum { BLOCKS = sizeof blocks / sizeof *blocks, HEIGHTS = sizeof heights - 1 };

struct drawing {
	struct canvas *canvas;
	struct rect r;
	const struct timeline_pane *pane;
	const struct timeline_show *show;
	int label; /* columns */
	int cells;
	nsec from, to;  /* window that is drawn */
	bool has_cells; /* they are of this window */
	int cursor;     /* cell of the time cursor, or -1 */
};

/* While the trace grows, the newest cells of the whole are as good as exact ones. */
static void
choose_window(struct drawing *d)
{
	const struct axis *axis = &d->pane->axis;
	const struct engine_timeline *cells = d->pane->cells;

	d->from = axis->from;
	d->to = axis->to;
	if (cells == NULL || cells->columns != (uint32_t)d->cells)
		return;
	if (cells->from == axis->from && cells->to == axis->to)
		d->has_cells = true;
	else if (axis->whole && cells->from == axis->begin && cells->to <= axis->end &&
		 cells->to > cells->from)
		d->has_cells = true;
	if (d->has_cells) {
		d->from = cells->from;
		d->to = cells->to;
	}
}

static look
method_look(const struct fold *fold, uint32_t method)
{
	uint32_t rank = RANK_NONE;

	if (fold != NULL && method < fold->method_count)
		rank = fold->methods[method].rank;
	return rank == RANK_NONE ? ROLE_TEXT : (look)(ROLE_RANK + rank % 16);
}

enum { MARKED_LABEL = 12, NARROW = 50 };

/* Threads ------------------------------------------------------------------------ */

/* The lowest block is kept for sleep, so that the two differ without colour. */
static uint32_t
cell_height(const struct cell *cell, bool asleep, bool utf8)
{
	int steps = utf8 ? BLOCKS : HEIGHTS;
	int busy = cell->busy < CELL_FULL ? cell->busy : CELL_FULL;
	int height = (busy * steps + CELL_FULL - 1) / CELL_FULL;

	if (utf8)
		return blocks[asleep ? 0 : height > 2 ? height - 1 : 1];
	return asleep ? '_' : (uint32_t)heights[height > 1 ? height - 1 : 0];
}

static void
draw_cell(const struct drawing *d, int row, int column, const struct cell *cell)
{
	bool asleep = cell->busy == 0 && cell->asleep > 0;
	look style = asleep ? ROLE_DIM : method_look(d->show->fold, cell->method);

	if (cell->method == METHOD_NONE)
		return;
	if (d->show->search != NULL && table_is_hit(d->show->search, cell->method))
		style |= LOOK_HIT;
	canvas_put(
	    d->canvas, row, column, cell_height(cell, asleep, d->canvas->utf8), style);
}

static const struct cell *
find_cells(const struct drawing *d, uint32_t thread)
{
	const struct engine_timeline *t = d->pane->cells;

	for (uint32_t i = 0; d->has_cells && i < t->rows; i++)
		if (t->threads[i] == thread)
			return t->cells + (size_t)i * t->columns;
	return NULL;
}

/* " 9 pool-1  "; a star at the end when only some threads are in scope, and this is. */
static void
draw_label(const struct drawing *d, int row, uint32_t thread)
{
	const struct timeline_pane *p = d->pane;
	bool in = scope_has(d->show->scope, thread);
	look style = in ? ROLE_TEXT : ROLE_DIM;
	int limit = d->r.column + d->label - 1;
	int column =
	    canvas_format(d->canvas, row, d->r.column, limit, style, "%*" PRIu32 " ",
		timeline_pane_id_width(p), trace_thread(p->trace, thread)->id);
	struct str name = names_thread(p->names, thread);

	/* A narrow label has no column to spare for a mark. */
	if (limit - column >= MARKED_LABEL)
		name = names_head(p->names, name, limit - column);
	canvas_text(d->canvas, row, column, limit, name, style);
	if (d->show->scope != NULL && in)
		canvas_put(d->canvas, row, limit, '*', style);
	if (d->show->focused && thread == p->thread)
		canvas_add_look(d->canvas, row, d->r.column, limit, LOOK_SELECTED);
}

static void
draw_thread(const struct drawing *d, int row, uint32_t thread)
{
	const struct cell *cells = find_cells(d, thread);
	int first = d->r.column + d->label;

	draw_label(d, row, thread);
	for (int i = 0; cells != NULL && i < d->cells; i++)
		draw_cell(d, row, first + i, &cells[i]);
	if (d->show->focused && thread == d->pane->thread && d->cursor >= 0)
		canvas_add_look(d->canvas, row, first + d->cursor, first + d->cursor + 1,
		    LOOK_SELECTED);
}

static bool
cell_in(const struct drawing *d, int cell, const struct range *range)
{
	return axis_cell_start(d->from, d->to, cell + 1, d->cells) > range->from &&
	       axis_cell_start(d->from, d->to, cell, d->cells) < range->to;
}

/* Last line ---------------------------------------------------------------------- */

/* "1152 calls of cursor method" at the right, short where it would hide marks. */
static void
draw_marks(const struct drawing *d, int row)
{
	const struct engine_marks *marks = d->pane->marks;
	const struct fold *fold = d->show->fold;
	int first = d->r.column + d->label, last = -1;
	uint32_t method = d->show->method;
	bool known = marks != NULL && marks->method == method && marks->from == d->from &&
		     marks->to == d->to && marks->columns == (uint32_t)d->cells;
	uint64_t calls;
	char text[80];
	int at;

	for (int i = 0; known && i < d->cells; i++) {
		if (marks->marks[i] == 0 ||
		    (window_is_set(&d->show->window) && !cell_in(d, i, &d->show->window)))
			continue;
		/* Blanks between marks look like them: each change of looks costs bytes. */
		if (last >= 0)
			canvas_fill(d->canvas, row, first + last + 1, first + i, ' ', ROLE_MARK);
		canvas_put(d->canvas, row, first + i, '^', ROLE_MARK);
		last = i;
	}
	if (fold == NULL || method == METHOD_TOPLEVEL || method >= fold->method_count)
		return;
	calls = fold->methods[method].calls + fold->methods[method].recursive_calls;
	at =
	    d->cells - snprintf(text, sizeof text, " %" PRIu64 " call%s of cursor method",
			   calls, calls == 1 ? "" : "s");
	/* Short also as long as the marks are not known, which mostly leave no room. */
	if (!known || at <= last)
		at = d->cells - snprintf(text, sizeof text, " %" PRIu64 " call%s", calls,
				    calls == 1 ? "" : "s");
	canvas_text(d->canvas, row, first + (at > 0 ? at : 0), first + d->cells,
	    str_from(text), ROLE_HEADER);
}

/* How the figures of a call are written, from the longest form to the shortest. */
static const struct {
	const char *depth, *gap, *incl, *excl, *unit;
	int clocks; /* so many, the trace's own first */
	int name;   /* columns that must be left for the method */
} forms[] = {
    {"  depth ", "  ", " incl ", " excl ", " ms", CLOCKS, 24},
    {"  depth ", "  ", " incl ", " excl ", "", CLOCKS, 24},
    {" d", " ", " ", "/", "", CLOCKS, 16},
    {" d", " ", " ", "/", "", 1, 8},
    {" d", "", "", "", "", 0, 0},
};

/* "  depth 12  wall incl 48.112 excl 2.010 ms" */
static int
call_figures(
    const struct drawing *d, const struct call *call, size_t form, char *out, size_t size)
{
	static const enum clock_id order[] = {CLOCK_WALL, CLOCK_CPU};
	static const char *const names[CLOCKS] = {
	    [CLOCK_CPU] = "cpu", [CLOCK_WALL] = "wall"};
	const char *open = call->unfinished || call->entered_before ? "+" : "";
	int n = snprintf(out, size, "%s%" PRIu32, forms[form].depth, call->depth);
	int left = forms[form].clocks;

	for (size_t i = 0; i < CLOCKS; i++) {
		enum clock_id clock = order[i];
		char inclusive[FMT_SIZE], exclusive[FMT_SIZE];

		if (!trace_has_clock(d->pane->trace, clock) || left-- <= 0)
			continue;
		n += snprintf(out + n, size - (size_t)n, "%s%s%s%s%s%s%s%s",
		    forms[form].gap, names[clock], forms[form].incl,
		    fmt_ms(inclusive, call->leave[clock] - call->enter[clock]), open,
		    forms[form].excl, fmt_ms(exclusive, call->exclusive[clock]),
		    forms[form].unit);
	}
	return n;
}

/* "1.204113 s c.e.f.ImageCache.decode  depth 12  wall incl 48.112 excl 2.010 ms" */
static void
draw_call(const struct drawing *d, int row, int column)
{
	const struct timeline_pane *p = d->pane;
	const struct call *call = timeline_pane_call(p);
	int limit = d->r.column + d->label + d->cells, width;
	char time[FMT_SIZE], figures[4 * FMT_SIZE];
	struct name_fit name;
	size_t form = 0;

	if (p->thread == THREAD_NONE)
		return;
	axis_time(time, p->axis.cursor, d->cells > 0 ? (d->to - d->from) / d->cells : 1);
	column = canvas_format(d->canvas, row, column, limit, ROLE_HEADER, "%s s ", time);
	if (call == NULL) {
		if (timeline_pane_call_known(p))
			canvas_text(
			    d->canvas, row, column, limit, STR("no call open"), ROLE_DIM);
		return;
	}
	while ((width = call_figures(d, call, form, figures, sizeof figures)) +
		       forms[form].name >
		   limit - column &&
	       form + 1 < sizeof forms / sizeof *forms)
		form++;
	name =
	    names_fit(p->names, call->method, limit - column - width, d->show->elision);
	column = canvas_text(d->canvas, row, column, limit, name.text,
	    method_look(d->show->fold, call->method));
	canvas_text(d->canvas, row, column, limit, str_from(figures), ROLE_TEXT);
}

static void
draw_last_line(const struct drawing *d, int row)
{
	size_t shown = (size_t)timeline_pane_rows(d->pane);
	int column = d->r.column + d->label;

	if (d->cells < NARROW && d->pane->thread_count <= shown)
		column = d->r.column;
	if (d->pane->thread_count > shown)
		canvas_format(d->canvas, row, d->r.column, d->r.column + d->label,
		    ROLE_HEADER, " + %zu more", d->pane->thread_count - shown);
	if (d->show->focused)
		draw_call(d, row, column);
	else if (d->show->method != METHOD_NONE)
		draw_marks(d, row);
}

/* The pane ----------------------------------------------------------------------- */

/* An end of a range takes the place of a label that is in its way. */
static void
draw_range_end(const struct drawing *d, int cell, uint32_t end, look style)
{
	int first = d->r.column + d->label, limit = first + d->cells;
	int from = first + cell, to = from;
	const struct glyph *g;

	while (from > first && (g = canvas_at(d->canvas, d->r.row, from - 1)) != NULL &&
	       g->text[0] != ' ')
		from--;
	while (to < limit && (g = canvas_at(d->canvas, d->r.row, to)) != NULL &&
	       g->text[0] != ' ')
		to++;
	canvas_fill(d->canvas, d->r.row, from, to, ' ', style);
	canvas_put(d->canvas, d->r.row, first + cell, end, style);
}

/* "[---.5---1.0---]" between the labels, as far as it is in view. */
static void
draw_range(const struct drawing *d, const struct range *range, look style)
{
	int first = d->r.column + d->label;
	int from = axis_cell(d->from, d->to, range->from, d->cells);
	int to = axis_cell(d->from, d->to, range->to - 1, d->cells);

	if (from >= 0)
		draw_range_end(d, from, '[', style);
	if (to >= 0 && to != from)
		draw_range_end(d, to, ']', style);
	for (int i = 0; i < d->cells; i++) {
		const struct glyph *g = canvas_at(d->canvas, d->r.row, first + i);

		if (g != NULL && g->text[0] == ' ' && cell_in(d, i, range))
			canvas_put(d->canvas, d->r.row, first + i,
			    d->canvas->utf8 ? 0x2500 : '-', style);
	}
}

static void
draw_axis(const struct drawing *d)
{
	look style = ROLE_HEADER | (d->show->focused ? LOOK_BOLD : 0);
	int first = d->r.column + d->label;

	canvas_fill(d->canvas, d->r.row, d->r.column, first, ' ', style);
	axis_draw(d->canvas, d->r.row, first, first + d->cells, d->from, d->to, style);
	if (d->show->choosing)
		draw_range(d, &d->show->chosen, ROLE_CURSOR);
	else if (window_is_set(&d->show->window))
		draw_range(d, &d->show->window, style);
	/* Each thread counts its own time. */
	if (d->pane->trace->own_axes)
		canvas_text(
		    d->canvas, d->r.row, d->r.column, first - 1, STR("own axes"), style);
	if (d->cursor >= 0) {
		int at = first + d->cursor;
		const struct glyph *glyph = canvas_at(d->canvas, d->r.row, at);

		if (glyph != NULL && glyph->text[0] == ' ')
			canvas_put(d->canvas, d->r.row, at,
			    d->canvas->utf8 ? 0x2502 : '|', style);
		canvas_add_look(d->canvas, d->r.row, at, at + 1, LOOK_SELECTED);
	}
}

void
timeline_pane_draw(struct canvas *c, struct rect r, const struct timeline_pane *p,
    const struct timeline_show *show)
{
	struct drawing d = {.canvas = c,
	    .r = r,
	    .pane = p,
	    .show = show,
	    .label = timeline_pane_label_width(p),
	    .cells = timeline_pane_cells(p)};
	int rows = timeline_pane_rows(p);

	if (r.rows <= 0 || r.columns <= 0 || r.rows != p->lines ||
	    r.columns != p->columns)
		return;
	choose_window(&d);
	d.cursor = axis_cell(d.from, d.to, p->axis.cursor, d.cells);
	for (int i = 0; i < r.rows; i++)
		canvas_fill(c, r.row + i, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	draw_axis(&d);
	for (int i = 0; i < rows && p->top + (size_t)i < p->thread_count; i++)
		draw_thread(&d, r.row + 1 + i, p->threads[p->top + (size_t)i]);
	if (r.rows > rows + 1)
		draw_last_line(&d, r.row + r.rows - 1);
}
