/*
 * draw: the timeline: axis, cells, marks, single calls, and the
 * rows that are no threads: calls by depth, states, cores, counters.
 */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "view/names/looks.h"
#include "view/display.h"
#include "view/timeline/parts.h"

enum {
	NAME_LEAST = 4,                   /* columns; a name in less says nothing */
	COLOUR_LEAST = 3,
	WHOLLY = CELL_FULL - CELL_FULL / 10, /* a cell that is as good as of one thing */
};

/* Labels ------------------------------------------------------------------------------ */

/* "Binder:1203_1", "pool-1-th… 1203": with the id where the name does not tell enough. */
static void
draw_name(const struct drawing *d, int row, int column, struct str name, const uint32_t *id,
    look style)
{
	int limit = d->r.column + d->label - 1, end = limit;
	char text[16] = "";

	if (id != NULL)
		end -= snprintf(text, sizeof(text), " %" PRIu32, *id);
	if (end - column < NAME_LEAST) {
		text[0] = '\0';
		end = limit;
	}
	column = canvas_text(d->canvas, row, column, end,
	    names_head(d->pane->names, name, end - column), style);
	canvas_text(d->canvas, row, column, limit, str_from(text), ROLE_DIM);
}

/* " ~deliverInput": the row is below its process, and its mark says what it is. */
static void
async_label(const struct drawing *d, int row, uint32_t thread)
{
	static const char prefix[] = "async: ";
	struct str name = names_thread(d->pane->names, thread);

	if (str_starts(name, STR(prefix))) {
		name.p += sizeof(prefix) - 1;
		name.n -= sizeof(prefix) - 1;
	}
	canvas_put(d->canvas, row, d->r.column + 1, '~', ROLE_DIM);
	draw_name(d, row, d->r.column + 2, name, NULL, ROLE_TEXT);
}

/* Of what is no thread; below one, to the right of its name's first letter. */
static void
track_label(const struct drawing *d, int row, const struct track *t)
{
	static const char *const below[TRACK_KINDS] = {[TRACK_FREQUENCY] = "kHz",
	    [TRACK_IDLE] = "idle", [TRACK_STATE] = "state", [TRACK_INSTANTS] = "instants"};
	const struct timeline_pane *p = d->pane;
	int limit = d->r.column + d->label - 1, first = d->r.column;
	int column = first + (timeline_rows_grouped(p) ? 3 : 2);
	const struct process *process;
	look style = ROLE_TEXT | LOOK_BOLD;
	struct str name;

	switch (t->kind) {
	case TRACK_PROCESS:
		/* "-com.example 1203": its threads are below. */
		process = &p->processes.items[t->index];
		name = t->index == 0 ? STR("no process") : names_clean(p->names, process->name);
		canvas_put(d->canvas, row, first, p->folded[t->index] ? '+' : '-', style);
		draw_name(d, row, first + 1, name.n > 0 ? name : STR("process"),
		    t->index > 0 ? &process->pid : NULL, style);
		break;
	case TRACK_LOAD:
		canvas_format(d->canvas, row, first, limit, style, "%cCPU load",
		    p->cores_open ? '-' : '+');
		break;
	case TRACK_CORE:
		canvas_format(
		    d->canvas, row, first + 1, limit, ROLE_TEXT, "cpu%" PRIu32, t->index);
		break;
	case TRACK_CALLS:
		canvas_format(d->canvas, row, column, limit, ROLE_DIM, "%" PRIu32, t->depth);
		break;
	case TRACK_COUNTER:
		name = ((struct log_counter *)seg_at(&p->trace->log->counters, t->index))->name;
		canvas_text(d->canvas, row, first + 1, limit,
		    name.n > 0 ? names_clean(p->names, name) : STR("(unnamed)"), ROLE_TEXT);
		break;
	case TRACK_ASYNC:
		async_label(d, row, t->index);
		break;
	case TRACK_POINTS:
		canvas_text(d->canvas, row, first + 1, limit, STR("instants"), ROLE_TEXT);
		break;
	default:
		canvas_text(d->canvas, row, column, limit, str_from(below[t->kind]), ROLE_DIM);
		break;
	}
}

/* Calls --------------------------------------------------------------------------------- */

/* One call, as long as it can be told from its neighbours. */
struct box {
	int from, to; /* cells */
	bool begins, ends;
};

/* Does the cell go on with the one call of the cell before it? */
static bool
goes_on(const struct track_cell *cell, const struct track_cell *before)
{
	return cell->parts == 1 && before->parts == 1 && !cell->begins &&
	    cell->what == before->what;
}

/* "[decode-----]" where there are columns for it, else '|' or a block. */
static void
draw_box(const struct drawing *d, int row, const struct box *box, struct str name, look style)
{
	int first = d->r.column + d->label, at = first + box->from, end = first + box->to;
	int column = at;

	/* Far too small for a name: a colour for each would cost more than it tells. */
	if (end - at < COLOUR_LEAST)
		style = ROLE_DIM | (style & LOOK_HIT);
	if (end - at == 1) {
		canvas_put(d->canvas, row, at,
		    box->begins && box->ends ? '|' : box->begins ? '[' : box->ends ? ']' : '-',
		    style);
		return;
	}
	canvas_fill(d->canvas, row, at, end, '-', style);
	if (box->begins)
		canvas_put(d->canvas, row, column++, '[', style);
	if (box->ends)
		canvas_put(d->canvas, row, --end, ']', style);
	if (end - column >= NAME_LEAST)
		canvas_text(d->canvas, row, column, end, name, style);
}

/* Calls of a thread, or threads on a core. */
static void
draw_boxes(const struct drawing *d, int row, const struct track_cell *cells, bool core)
{
	struct names *names = d->pane->names;
	struct box box = {.to = 0};
	char text[256];

	for (int i = 0; i < d->cells; i = box.to) {
		const struct track_cell *cell = &cells[i], *next;
		look style;
		int room, at = d->r.column + d->label + i;

		box = (struct box){i, i + 1, cell->begins, true};
		if (cell->what == TRACK_NOTHING)
			continue;
		style = !core ? looks_method(names_looks(names), cell->what)
			: cell->what != TRACK_LOST ? (look)(ROLE_HUE + cell->what % HUES)
						   : ROLE_DIM;
		if (!core && d->show->search != NULL && display_is_hit(d->show->search, cell->what))
			style |= LOOK_HIT;
		if (core && cell->what == TRACK_LOST) {
			canvas_put(d->canvas, row, at, '?', style);
			continue;
		}
		/* A shared cell shows its height alone: a colour would be one of many. */
		if (cell->parts > 1) {
			canvas_put(d->canvas, row, at,
			    timeline_height(cell->share, false, d->canvas->utf8),
			    ROLE_DIM | (style & LOOK_HIT));
			continue;
		}
		while (box.to < d->cells && goes_on(&cells[box.to], &cells[box.to - 1]))
			box.to++;
		/* A call that goes on where several share a cell has no end here. */
		next = box.to < d->cells ? &cells[box.to] : NULL;
		box.ends = next != NULL && (core || next->parts <= 1 || next->what != cell->what);
		room = box.to - box.from - 2;
		draw_box(d, row, &box,
		    core ? names_thread(names, cell->what)
			 : name_short(names, cell->what, room > 0 ? room : 1, text, sizeof(text)),
		    style);
	}
}

/* Cell by cell ---------------------------------------------------------------------------- */

static const struct {
	char letter;
	look look;
} state_looks[TASK_CLASSES] = {
	[TASK_CLASS_NONE] = {' ', ROLE_TEXT},
	[TASK_CLASS_RUNNING] = {'R', ROLE_HUE + 2},
	[TASK_CLASS_RUNNABLE] = {'r', ROLE_HUE},
	[TASK_CLASS_SLEEP] = {'S', ROLE_DIM},
	[TASK_CLASS_BLOCKED] = {'d', ROLE_HUE + 1},
	[TASK_CLASS_STOPPED] = {'T', ROLE_TEXT},
	[TASK_CLASS_DEAD] = {' ', ROLE_TEXT},
	[TASK_CLASS_OTHER] = {'?', ROLE_TEXT},
};

/* What a cell of such a row shows; 0: nothing. */
static uint32_t
cell_sign(const struct drawing *d, enum track_kind kind, const struct track_cell *cell, look *style)
{
	bool some = cell->share > 0, values = kind == TRACK_FREQUENCY || kind == TRACK_COUNTER;
	enum task_class class;

	*style = ROLE_DIM;
	switch (kind) {
	case TRACK_STATE:
		class = some ? TASK_CLASS_RUNNING : task_states[cell->what >> 1].class;
		*style = state_looks[class].look;
		/* A letter: so all the time; a bar: it ran for that part of it. */
		if (some && cell->share < WHOLLY)
			break;
		return class == TASK_CLASS_BLOCKED && (cell->what & 1) != 0
			   ? 'D'
			   : (uint32_t)state_looks[class].letter;
	case TRACK_IDLE:
		return cell->what == 0 ? 0 : cell->what < 10 ? '0' + cell->what : '#';
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		*style = ROLE_TEXT;
		return cell->parts > 1 ? '#' : '*';
	default:
		if (some)
			*style = values ? ROLE_HEADER : ROLE_TEXT;
		else if (!values)
			return 0;
		break;
	}
	return timeline_height(cell->share, !some, d->canvas->utf8);
}

/* Rows ------------------------------------------------------------------------------ */

const struct track_cell *
timeline_track_cells(
    const struct timeline_pane *p, const struct track *track, int cells)
{
	const struct engine_tracks *t = p->tracks;

	if (track == NULL || t == NULL || t->columns != (uint32_t)cells ||
	    t->from != p->axis.from || t->to != p->axis.to)
		return NULL;
	for (uint32_t i = 0; i < t->count; i++) {
		struct track same = *track;

		if (track->kind == TRACK_STATE)
			same.depth = t->tracks[i].depth;
		if (track_equal(&t->tracks[i], &same))
			return t->cells + (size_t)i * t->columns;
	}
	return NULL;
}

static void
track_draw(const struct drawing *d, int row, const struct track *t)
{
	const struct track_cell *cells = timeline_track_cells(d->pane, t, d->cells);
	bool core = t->kind == TRACK_CORE;

	if (cells != NULL && (core || t->kind == TRACK_CALLS || t->kind == TRACK_ASYNC)) {
		draw_boxes(d, row, cells, core);
		return;
	}
	for (int i = 0; cells != NULL && i < d->cells; i++) {
		look style;
		uint32_t sign = cells[i].what != TRACK_NOTHING
				    ? cell_sign(d, t->kind, &cells[i], &style)
				    : 0;

		if (sign != 0)
			canvas_put(d->canvas, row, d->r.column + d->label + i, sign, style);
	}
}

/* Lower blocks of 1/8 to 8/8, and their ASCII substitutes. */
static const uint32_t blocks[] = {
    0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
static const char heights[] = ".:=#";

enum { BLOCKS = sizeof blocks / sizeof *blocks, HEIGHTS = sizeof heights - 1 };

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

/* Threads ------------------------------------------------------------------------ */

/* The lowest block is kept for sleep, so that the two differ without colour. */
uint32_t
timeline_height(int busy, bool asleep, bool utf8)
{
	int steps = utf8 ? BLOCKS : HEIGHTS;
	int height;

	busy = busy < CELL_FULL ? busy : CELL_FULL;
	height = (busy * steps + CELL_FULL - 1) / CELL_FULL;
	if (utf8)
		return blocks[asleep ? 0 : height > 2 ? height - 1 : 1];
	return asleep ? '_' : (uint32_t)heights[height > 1 ? height - 1 : 0];
}

static bool
is_asleep(const struct cell *cell)
{
	return cell->busy == 0 && cell->asleep > 0;
}

static void
draw_cell(const struct drawing *d, int row, const struct cell *cells, int at)
{
	const struct cell *cell = &cells[at];
	look style;

	if (cell->method == METHOD_NONE)
		return;
	style = is_asleep(cell) ? ROLE_IDLE
				: looks_method(names_looks(d->pane->names), cell->method);
	if (d->show->search != NULL && display_is_hit(d->show->search, cell->method))
		style |= LOOK_HIT;
	canvas_put(d->canvas, row, d->r.column + d->label + at,
	    timeline_height(cell->busy, is_asleep(cell), d->canvas->utf8), style);
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

/* "pool-1"; a star at the end when only some threads are in scope, and this is. */
static void
draw_label(const struct drawing *d, int row, uint32_t thread)
{
	const struct timeline_pane *p = d->pane;
	bool in = scope_has(d->show->scope, thread);
	look style = in ? ROLE_TEXT : ROLE_DIM;
	int first = d->r.column + (timeline_rows_grouped(p) ? 1 : 0);

	draw_name(d, row, first, names_thread(p->names, thread),
	    p->facts[thread].repeats ? &trace_thread(p->trace, thread)->id : NULL, style);
	if (d->show->scope != NULL && in)
		canvas_put(d->canvas, row, d->r.column + d->label - 1, '*', style);
}

/* A row of any kind; unknown parts stay blank. */
static void
draw_row(const struct drawing *d, int row, size_t at)
{
	const struct track *track = &d->pane->rows[at];
	int first = d->r.column + d->label;

	if (track->kind == TRACK_THREAD) {
		const struct cell *cells = find_cells(d, track->index);

		draw_label(d, row, track->index);
		for (int i = 0; cells != NULL && i < d->cells; i++)
			draw_cell(d, row, cells, i);
	} else {
		if (track->kind == TRACK_STATE && track->depth == 0)
			draw_label(d, row, track->index);
		else
			track_label(d, row, track);
		track_draw(d, row, track);
	}
	if (!d->show->focused || at != d->pane->row)
		return;
	canvas_add_look(d->canvas, row, d->r.column, first - 1, LOOK_SELECTED);
	if (d->cursor >= 0)
		canvas_add_look(d->canvas, row, first + d->cursor, first + d->cursor + 1,
		    LOOK_SELECTED);
}

bool
timeline_cell_in(const struct drawing *d, int cell, const struct range *range)
{
	return axis_cell_start(d->from, d->to, cell + 1, d->cells) > range->from &&
	       axis_cell_start(d->from, d->to, cell, d->cells) < range->to;
}

/* The pane ----------------------------------------------------------------------- */

/* Blanks; but not that before the unit of a label. */
static bool
is_free(const struct drawing *d, int column)
{
	const struct glyph *g = canvas_at(d->canvas, d->r.row, column);
	const struct glyph *next = canvas_at(d->canvas, d->r.row, column + 1);

	return g == NULL || (g->text[0] == ' ' && (next == NULL || next->text[0] != 's'));
}

/* An end of a range takes the place of a label that is in its way. */
static void
draw_range_end(const struct drawing *d, int cell, uint32_t end, look style)
{
	int first = d->r.column + d->label, limit = first + d->cells;
	int from = first + cell, to = from;

	while (from > first && !is_free(d, from - 1))
		from--;
	while (to < limit && !is_free(d, to))
		to++;
	canvas_fill(d->canvas, d->r.row, from, to, ' ', style);
	canvas_put(d->canvas, d->r.row, first + cell, end, style);
}

/* "[---.5---1.0---]" between the labels, its visible part. */
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
	for (int i = 0; i < d->cells; i++)
		if (is_free(d, first + i) && timeline_cell_in(d, i, range))
			canvas_put(d->canvas, d->r.row, first + i,
			    d->canvas->utf8 ? 0x2500 : '-', style);
}

static void
draw_axis(const struct drawing *d)
{
	look style = ROLE_HEADER | (d->show->focused ? LOOK_BOLD : 0);
	int first = d->r.column + d->label;

	canvas_fill(d->canvas, d->r.row, d->r.column, first, ' ', style);
	axis_draw(d->canvas, d->r.row, first, first + d->cells, d->from, d->to,
	    &d->pane->scale, style);
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

		if (is_free(d, at))
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
	for (int i = 0; i < rows && p->top + (size_t)i < p->row_count; i++)
		draw_row(&d, r.row + 1 + i, p->top + (size_t)i);
	if (r.rows > rows + 1)
		timeline_last_line(&d, r.row + r.rows - 1);
}
