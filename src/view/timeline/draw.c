/*
 * draw: the timeline: axis, cells, marks, single calls, and the
 * rows that are no threads: calls by depth, states, cores, counters.
 */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "view/names/name_draw.h"
#include "view/display.h"
#include "view/timeline/drawing.h"
#include "view/timeline/rows.h"
#include "view/timeline/window.h"

enum {
	HUES = 16,
	NAME_LEAST = 4,                   /* columns; a name in less says nothing */
	COLOUR_LEAST = 3,
	WHOLLY = CELL_FULL - CELL_FULL / 10, /* a cell that is as good as of one thing */
};

/* Labels ------------------------------------------------------------------------------ */

static struct str
counter_name(const struct timeline_pane *p, uint32_t index)
{
	const struct log_counter *c = seg_at(&p->trace->log->counters, index);

	return c->name.n > 0 ? names_clean(p->names, c->name) : STR("(unnamed)");
}

/* "- 1203 com.example": a process, its threads below. */
static void
process_label(const struct drawing *d, int row, const struct track *t)
{
	const struct timeline_pane *p = d->pane;
	const struct process *process = &p->processes.items[t->index];
	int column, limit = d->r.column + d->label - 1;
	look style = ROLE_TEXT | LOOK_BOLD;

	column = canvas_format(d->canvas, row, d->r.column, limit, style, "%c",
	    p->folded[t->index] ? '+' : '-');
	if (t->index == 0) {
		canvas_text(d->canvas, row, column, limit, STR("no process"), style);
		return;
	}
	column = canvas_format(d->canvas, row, column, limit, style, "%" PRIu32 " ",
	    process->pid);
	canvas_text(d->canvas, row, column, limit, names_clean(p->names, process->name), style);
}

/* " ~deliverInput": the row is below its process, and its mark says what it is. */
static void
async_label(const struct drawing *d, int row, uint32_t thread)
{
	static const char prefix[] = "async: ";
	struct str name = names_thread(d->pane->names, thread);
	int limit = d->r.column + d->label - 1;

	if (str_starts(name, STR(prefix))) {
		name.p += sizeof(prefix) - 1;
		name.n -= sizeof(prefix) - 1;
	}
	canvas_put(d->canvas, row, d->r.column + 1, '~', ROLE_DIM);
	canvas_text(d->canvas, row, d->r.column + 2, limit, name, ROLE_TEXT);
}

static void
timeline_track_label(const struct drawing *d, int row, const struct track *t)
{
	const struct timeline_pane *p = d->pane;
	int limit = d->r.column + d->label - 1;
	int column = d->r.column + timeline_pane_id_width(p) + 1;

	switch (t->kind) {
	case TRACK_PROCESS:
		if (t->index < p->processes.count)
			process_label(d, row, t);
		break;
	case TRACK_LOAD:
		canvas_format(d->canvas, row, d->r.column, limit, ROLE_TEXT | LOOK_BOLD,
		    "%cCPU load", p->cores_open ? '-' : '+');
		break;
	case TRACK_CORE:
		canvas_format(d->canvas, row, d->r.column + 1, limit, ROLE_TEXT,
		    "cpu%" PRIu32, t->index);
		break;
	case TRACK_FREQUENCY:
		canvas_text(d->canvas, row, column, limit, STR("kHz"), ROLE_DIM);
		break;
	case TRACK_IDLE:
		canvas_text(d->canvas, row, column, limit, STR("idle"), ROLE_DIM);
		break;
	case TRACK_STATE:
		canvas_text(d->canvas, row, column, limit, STR("state"), ROLE_DIM);
		break;
	case TRACK_CALLS:
		canvas_format(d->canvas, row, column, limit, ROLE_DIM, "%" PRIu32, t->depth);
		break;
	case TRACK_COUNTER:
		canvas_text(d->canvas, row, d->r.column + 1, limit, counter_name(p, t->index),
		    ROLE_TEXT);
		break;
	case TRACK_ASYNC:
		async_label(d, row, t->index);
		break;
	case TRACK_INSTANTS:
		canvas_text(d->canvas, row, column, limit, STR("instants"), ROLE_DIM);
		break;
	case TRACK_POINTS:
		canvas_text(d->canvas, row, d->r.column + 1, limit, STR("instants"), ROLE_TEXT);
		break;
	case TRACK_THREAD:
	case TRACK_KINDS:
		break;
	}
}

/* Calls --------------------------------------------------------------------------------- */

/* One call, as long as it can be told from its neighbours. */
struct box {
	int from, to; /* cells */
	bool begins, ends;
	uint32_t what;
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

/* A cell that several share shows its height alone: a colour would be one of many. */
static bool
draw_shared(const struct drawing *d, int row, int i, const struct track_cell *cell, look hit)
{
	if (cell->parts <= 1)
		return false;
	canvas_put(d->canvas, row, d->r.column + d->label + i,
	    timeline_height(cell->share, false, d->canvas->utf8), ROLE_DIM | hit);
	return true;
}

static void
draw_calls(const struct drawing *d, int row, const struct track_cell *cells)
{
	struct box box = {.to = 0};
	char text[256];

	for (int i = 0; i < d->cells; i = box.to) {
		const struct track_cell *cell = &cells[i];
		int room;
		look style = timeline_method_look(d->show->fold, cell->what);

		box = (struct box){i, i + 1, cell->begins, true, cell->what};
		if (cell->what == TRACK_NOTHING)
			continue;
		if (d->show->search != NULL && display_is_hit(d->show->search, cell->what))
			style |= LOOK_HIT;
		if (draw_shared(d, row, i, cell, style & LOOK_HIT))
			continue;
		while (box.to < d->cells && goes_on(&cells[box.to], &cells[box.to - 1]))
			box.to++;
		/* One that goes on where several calls share a cell has no end here. */
		box.ends = box.to < d->cells &&
		    !(cells[box.to].parts > 1 && cells[box.to].what == box.what);
		room = box.to - box.from - 2;
		draw_box(d, row, &box,
		    name_short(d->pane->names, cell->what, room > 0 ? room : 1, text,
			sizeof(text)),
		    style);
	}
}

/* Threads on cores ------------------------------------------------------------------------ */

static void
draw_core(const struct drawing *d, int row, const struct track_cell *cells)
{
	struct box box = {.to = 0};

	for (int i = 0; i < d->cells; i = box.to) {
		const struct track_cell *cell = &cells[i];
		look style = (look)(ROLE_RANK + cell->what % HUES);

		box = (struct box){i, i + 1, cell->begins, true, cell->what};
		if (cell->what == TRACK_NOTHING)
			continue;
		if (cell->what == TRACK_LOST) {
			canvas_put(d->canvas, row, d->r.column + d->label + i, '?', ROLE_DIM);
			continue;
		}
		if (draw_shared(d, row, i, cell, 0))
			continue;
		while (box.to < d->cells && goes_on(&cells[box.to], &cells[box.to - 1]))
			box.to++;
		box.ends = box.to < d->cells;
		draw_box(d, row, &box, names_thread(d->pane->names, cell->what), style);
	}
}

/* States ---------------------------------------------------------------------------------- */

static const struct {
	char letter;
	look look;
} state_looks[TASK_CLASSES] = {
	[TASK_CLASS_NONE] = {' ', ROLE_TEXT},
	[TASK_CLASS_RUNNING] = {'R', ROLE_RANK + 1},
	[TASK_CLASS_RUNNABLE] = {'r', ROLE_RANK + 5},
	[TASK_CLASS_SLEEP] = {'S', ROLE_DIM},
	[TASK_CLASS_BLOCKED] = {'d', ROLE_RANK + 2},
	[TASK_CLASS_STOPPED] = {'T', ROLE_TEXT},
	[TASK_CLASS_DEAD] = {' ', ROLE_TEXT},
	[TASK_CLASS_OTHER] = {'?', ROLE_TEXT},
};

/* A letter: so all the time; a bar: it ran for that part of it. */
static void
draw_state(const struct drawing *d, int row, const struct track_cell *cells)
{
	for (int i = 0; i < d->cells; i++) {
		const struct track_cell *cell = &cells[i];
		enum task_class class;
		char letter;

		if (cell->what == TRACK_NOTHING)
			continue;
		class = task_states[cell->what >> 1].class;
		letter = state_looks[class].letter;
		if (class == TASK_CLASS_BLOCKED && cell->what & 1)
			letter = 'D';
		if (cell->share > 0 && cell->share < WHOLLY)
			canvas_put(d->canvas, row, d->r.column + d->label + i,
			    timeline_height(cell->share, false, d->canvas->utf8),
			    state_looks[TASK_CLASS_RUNNING].look);
		else
			canvas_put(d->canvas, row, d->r.column + d->label + i,
			    cell->share > 0 ? 'R' : (uint32_t)letter,
			    state_looks[cell->share > 0 ? TASK_CLASS_RUNNING : class].look);
	}
}

/* Shares and values ------------------------------------------------------------------------- */

static void
draw_height(const struct drawing *d, int row, const struct track_cell *cells, look style,
    bool ground)
{
	for (int i = 0; i < d->cells; i++) {
		if (cells[i].what == TRACK_NOTHING || (cells[i].share == 0 && !ground))
			continue;
		canvas_put(d->canvas, row, d->r.column + d->label + i,
		    timeline_height(cells[i].share, cells[i].share == 0, d->canvas->utf8),
		    cells[i].share > 0 ? style : ROLE_DIM);
	}
}

static void
draw_idle(const struct drawing *d, int row, const struct track_cell *cells)
{
	for (int i = 0; i < d->cells; i++) {
		uint32_t level = cells[i].what;

		if (level == TRACK_NOTHING || level == 0)
			continue;
		canvas_put(d->canvas, row, d->r.column + d->label + i,
		    level < 10 ? '0' + level : '#', ROLE_DIM);
	}
}

/* A sign for one, another where several share a cell. */
static void
draw_instants(const struct drawing *d, int row, const struct track_cell *cells)
{
	for (int i = 0; i < d->cells; i++)
		if (cells[i].what != TRACK_NOTHING)
			canvas_put(d->canvas, row, d->r.column + d->label + i,
			    cells[i].parts > 1 ? '#' : '*', ROLE_TEXT);
}

/*  --------------------------------------------------------------------------------- */

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
timeline_track_draw(const struct drawing *d, int row, const struct track *t)
{
	const struct track_cell *cells = timeline_track_cells(d->pane, t, d->cells);

	if (cells == NULL)
		return;
	switch (t->kind) {
	case TRACK_CALLS:
	case TRACK_ASYNC:
		draw_calls(d, row, cells);
		break;
	case TRACK_STATE:
		draw_state(d, row, cells);
		break;
	case TRACK_CORE:
		draw_core(d, row, cells);
		break;
	case TRACK_IDLE:
		draw_idle(d, row, cells);
		break;
	case TRACK_PROCESS:
	case TRACK_LOAD:
		draw_height(d, row, cells, ROLE_TEXT, false);
		break;
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		draw_instants(d, row, cells);
		break;
	case TRACK_FREQUENCY:
	case TRACK_COUNTER:
		draw_height(d, row, cells, ROLE_HEADER, true);
		break;
	case TRACK_THREAD:
	case TRACK_KINDS:
		break;
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

look
timeline_method_look(const struct fold *fold, uint32_t method)
{
	uint32_t rank = RANK_NONE;

	if (fold != NULL && method < fold->method_count)
		rank = fold->methods[method].rank;
	return rank == RANK_NONE ? ROLE_TEXT : (look)(ROLE_RANK + rank % 16);
}

enum { MARKED_LABEL = 12 };

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

/* The method that has most of what ran, where there are many cells by far; METHOD_NONE. */
static uint32_t
cell_winner(const struct drawing *d, const struct cell *cell)
{
	bool won = d->show->few || cell->won >= CELL_FULL / 2;

	return is_asleep(cell) || !won ? METHOD_NONE : cell->method;
}

/*
 * The colour of a cell's winner.  Each change of colour costs bytes: on a whole screen of
 * cells one that had a little more than the next has none; and a low bar is seen in its
 * colour only beside another of the same, in a text log not even there.
 */
static look
cell_look(const struct drawing *d, const struct cell *cells, int at)
{
	uint32_t winner = cell_winner(d, &cells[at]);
	bool alone = (at == 0 || cell_winner(d, &cells[at - 1]) != winner) &&
	    (at + 1 == d->cells || cell_winner(d, &cells[at + 1]) != winner);
	bool low = cells[at].busy < CELL_FULL / 4;

	return winner == METHOD_NONE || (low && (alone || d->pane->trace->log != NULL))
	    ? ROLE_DIM
	    : timeline_method_look(d->show->fold, winner);
}

static void
draw_cell(const struct drawing *d, int row, const struct cell *cells, int at)
{
	const struct cell *cell = &cells[at];
	look style;

	if (cell->method == METHOD_NONE)
		return;
	style = cell_look(d, cells, at);
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
			timeline_track_label(d, row, track);
		timeline_track_draw(d, row, track);
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
	for (int i = 0; i < d->cells; i++) {
		const struct glyph *g = canvas_at(d->canvas, d->r.row, first + i);

		if (g != NULL && g->text[0] == ' ' && timeline_cell_in(d, i, range))
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
	for (int i = 0; i < rows && p->top + (size_t)i < p->row_count; i++)
		draw_row(&d, r.row + 1 + i, p->top + (size_t)i);
	if (r.rows > rows + 1)
		timeline_last_line(&d, r.row + r.rows - 1);
}
