// SPDX-License-Identifier: Apache-2.0
/*
 * draw: the timeline: axis, cells, marks, single calls, and the
 * rows that are no threads: calls by depth, states, cores, counters.
 */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "view/display.h"
#include "view/names/looks.h"
#include "view/timeline/parts.h"

enum {
	NAME_LEAST = 4,                   /* columns; a name in less says nothing */
	HALF_DENSE = 0x2592,              /* calls from a highlighted method */
	WHOLLY = CELL_FULL - CELL_FULL / 10, /* a cell that is as good as of one thing */
};

/* Labels ------------------------------------------------------------------------------ */

/*
 * "Binder:1203_1", "Default…rker-12", "pool…read 1203": with the id where the name does not
 * tell enough.
 */
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
	    names_short(d->pane->names, name, end - column), style);
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

/* "MemFree from 4.1 GiB": a counter's name, and where its scale begins if there is room. */
static void
counter_label(const struct drawing *d, int row, const struct track *t)
{
	const struct timeline_pane *p = d->pane;
	struct str name = ((struct log_counter *)seg_at(&p->trace->log->counters, t->index))->name;
	int limit = d->r.column + d->label - 1;
	int column = canvas_text(d->canvas, row, d->r.column + 1, limit,
	    name.n > 0 ? names_clean(p->names, name) : STR("(unnamed)"), ROLE_TEXT);
	char scale[SCALE_TEXT];

	if (timeline_scale_text(scale, p, t) && limit - column > (int)strlen(scale))
		canvas_text(d->canvas, row, column + 1, limit, str_from(scale), ROLE_DIM);
}

/* Draws the label of a row that is not a thread; below one, right of its name's first letter. */
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
		canvas_put(d->canvas, row, first, p->folds[t->index].folded ? '+' : '-', style);
		draw_name(d, row, first + 1, name.n > 0 ? name : STR("process"),
		    t->index > 0 ? &process->pid : NULL, style);
		break;
	case TRACK_REST:
		canvas_format(d->canvas, row, first, limit, style, "%c%" PRIu32 " processes",
		    p->idle_open ? '-' : '+', p->idle_count);
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
		counter_label(d, row, t);
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

/* Cells from `at` on have the method's colour. */
static void
legend_method(const struct drawing *d, uint32_t method, int cells)
{
	struct looks *looks = names_looks(d->pane->names);
	struct legend_item item = {.look = looks_method(looks, method), .cells = (uint32_t)cells};

	if (method == METHOD_TOPLEVEL || !timeline_pane_has_legend(d->pane))
		return;
	item.name = looks_group(looks, method);
	legend_add(d->legend, &item);
}

/* True if both cells are as good as full of short calls of one method. */
static bool
is_filled_alike(const struct track_cell *cell, const struct track_cell *before)
{
	return cell->parts > 1 && before->parts > 1 && cell->share >= WHOLLY &&
	    before->share >= WHOLLY && cell->what == before->what;
}

static uint32_t
faded_sign(const struct drawing *d)
{
	return d->canvas->utf8 ? 0x2591 : '.';
}

/* One call, as long as it can be told from its neighbours. */
struct box {
	int from, to; /* cells */
	bool begins, ends, faded;
};

/* True if the cell goes on with the one call of the cell before it. */
static bool
goes_on(const struct track_cell *cell, const struct track_cell *before)
{
	return cell->parts == 1 && before->parts == 1 && !cell->begins &&
	    cell->what == before->what;
}

/* A bar: with its name, and an edge where it begins; or of blocks, the last with an edge. */
static void
draw_bar(const struct drawing *d, int row, const struct box *box, struct str name, look style)
{
	int first = d->r.column + d->label, at = first + box->from, end = first + box->to;
	struct canvas *c = d->canvas;

	if (c->utf8 && end - at <= NAME_LEAST) {
		canvas_fill(c, row, at, end, box->faded ? faded_sign(d) : 0x2588, style);
		if (box->ends && !box->faded)
			canvas_put(c, row, end - 1, TIMELINE_BAR_END, style);
		return;
	}
	if (!box->faded)
		style |= LOOK_BLOCK;
	canvas_fill(c, row, at, end, ' ', style);
	if (box->begins)
		canvas_put(c, row, at++, c->utf8 ? 0x258f : '|', style);
	if (end - at >= NAME_LEAST)
		canvas_text(c, row, at, end, name, style);
}

/* "[decode-----]" where there are columns for it, else '|' or a block. */
static void
draw_box(const struct drawing *d, int row, const struct box *box, struct str name, look style)
{
	int first = d->r.column + d->label, at = first + box->from, end = first + box->to;
	int column = at;

	if (d->canvas->colours) {
		draw_bar(d, row, box, name, style);
		return;
	}
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

		box = (struct box){i, i + 1, cell->begins, true, !core &&
		    d->pane->highlight != METHOD_NONE && d->pane->highlight != cell->what};
		if (cell->what == TRACK_NOTHING)
			continue;
		style = !core ? looks_method(names_looks(names), cell->what)
			: cell->what != TRACK_LOST ? (look)(ROLE_HUE + cell->what % HUES)
						   : ROLE_DIM;
		if (box.faded)
			style = ROLE_IDLE;
		else if (!core && !d->canvas->colours && d->pane->highlight != METHOD_NONE)
			style |= LOOK_UNDERLINE;
		if (!core && d->show->search != NULL && display_is_hit(d->show->search, cell->what))
			style |= LOOK_UNDERLINE;
		if (core && cell->what == TRACK_LOST) {
			canvas_put(d->canvas, row, at, '?', style);
			continue;
		}
		while (box.to < d->cells &&
		    (goes_on(&cells[box.to], &cells[box.to - 1]) ||
			(d->canvas->colours && is_filled_alike(&cells[box.to], cell))))
			box.to++;
		if (cell->parts > 1 && box.to - i <= NAME_LEAST)
			box.to = i + 1;
		if (!core && !box.faded)
			legend_method(d, cell->what, box.to - box.from);
		/* A shared cell: the colour is that of the call with most of it. */
		if (cell->parts > 1 && box.to == i + 1) {
			canvas_put(d->canvas, row, at, box.faded ? faded_sign(d)
			    : timeline_height(cell->share, false, d->canvas->utf8), style);
			continue;
		}
		/* A call that goes on where several share a cell has no end here. */
		next = box.to < d->cells ? &cells[box.to] : NULL;
		box.ends = next != NULL && (core || next->parts <= 1 || next->what != cell->what);
		box.begins &= cell->parts == 1;
		room = box.to - box.from - 2;
		draw_box(d, row, &box,
		    core ? names_thread(names, cell->what)
			 : name_short(names, cell->what, room > 0 ? room : 1, text, sizeof(text)),
		    style);
	}
}

/* Cell by cell ---------------------------------------------------------------------------- */

enum {
	HUE_BLUE = ROLE_HUE, /* in every theme (theme.c) */
	HUE_ORANGE,
	HUE_GREEN,
	HUE_RED_ORANGE = ROLE_HUE + 5,
	HUE_MUTED = ROLE_HUE + HUES - 1,
};

/* Letters, or with colours a share of the height. */
static const struct state_look {
	char letter;
	int height;
	look look;
	const char *name;
} state_looks[TASK_CLASSES] = {
	[TASK_CLASS_NONE] = {' ', 0, ROLE_TEXT, ""},
	[TASK_CLASS_RUNNING] = {'R', CELL_FULL, HUE_GREEN, "running"},
	[TASK_CLASS_RUNNABLE] = {'r', CELL_FULL / 2, HUE_BLUE, "waiting for a core"},
	[TASK_CLASS_SLEEP] = {'S', 0, ROLE_IDLE, "asleep"},
	[TASK_CLASS_BLOCKED] = {'d', CELL_FULL / 2, HUE_ORANGE, "blocked"},
	[TASK_CLASS_STOPPED] = {'T', CELL_FULL / 2, ROLE_TEXT, "stopped"},
	[TASK_CLASS_DEAD] = {' ', 0, ROLE_TEXT, ""},
	[TASK_CLASS_OTHER] = {'?', 0, ROLE_TEXT, ""},
};

static const struct state_look blocked_for_io = {
    'D', CELL_FULL / 2, HUE_RED_ORANGE, "blocked for I/O"};

/* A letter: so all the time; a bar: it ran for that part of it, or, with colours, any state. */
static uint32_t
state_sign(const struct drawing *d, const struct track_cell *cell, look *style)
{
	bool some = cell->share > 0;
	enum task_class class = some ? TASK_CLASS_RUNNING : task_states[cell->what >> 1].class;
	const struct state_look *s = class == TASK_CLASS_BLOCKED && (cell->what & 1) != 0
	    ? &blocked_for_io : &state_looks[class];

	*style = s->look;
	if (s->name[0] != '\0')
		legend_add(d->legend, &(struct legend_item){
		    s->look, (unsigned char)s->letter, str_from(s->name), 1});
	if (some && (d->canvas->colours || cell->share < WHOLLY))
		return timeline_height(cell->share, false, d->canvas->utf8);
	if (!d->canvas->colours || s->name[0] == '\0')
		return (unsigned char)s->letter;
	return timeline_height(s->height, s->height == 0, d->canvas->utf8);
}

/* Returns the character that shows a cell of such a row, and its look; 0: nothing. */
static uint32_t
cell_sign(const struct drawing *d, enum track_kind kind, const struct track_cell *cell, look *style)
{
	bool some = cell->share > 0;

	*style = ROLE_DIM;
	switch (kind) {
	case TRACK_STATE:
		return state_sign(d, cell, style);
	case TRACK_IDLE:
		return cell->what == 0 ? 0 : cell->what < 10 ? '0' + cell->what : '#';
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		*style = ROLE_TEXT;
		return cell->parts > 1 ? '#' : '*';
	case TRACK_COUNTER:
		if (some)
			*style = HUE_MUTED;
		return timeline_step(cell->share, d->canvas->utf8);
	default:
		if (some)
			*style = HUE_MUTED;
		else if (kind != TRACK_FREQUENCY)
			return 0;
		break;
	}
	return timeline_height(cell->share, !some, d->canvas->utf8);
}

/* Rows ------------------------------------------------------------------------------ */

static void
track_draw(const struct drawing *d, int row, const struct track *t)
{
	const struct track_cell *cells = timeline_track_cells(d->pane, t, d->cells);
	bool core = t->kind == TRACK_CORE;

	if (t->kind == TRACK_REST)
		canvas_text(d->canvas, row, d->r.column + d->label, d->r.column + d->label + d->cells,
		    STR("without slices or running time"), ROLE_DIM);
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

/* While the trace grows, the newest cells of the whole are as good as exact ones. */
static void
choose_window(struct drawing *d)
{
	const struct axis *axis = &d->pane->axis;
	const struct engine_timeline *cells = d->pane->cells;

	d->window = (struct range){axis->from, axis->to};
	if (cells == NULL || cells->columns != (uint32_t)d->cells)
		return;
	d->has_cells = range_equal(&cells->window, &d->window) ||
	    (axis->whole && cells->window.from == axis->begin && cells->window.to <= axis->end &&
		cells->window.to > cells->window.from);
	if (d->has_cells)
		d->window = cells->window;
}

/* Threads ------------------------------------------------------------------------ */

/* Without CPU time the rules of idle time tell what waits. */
static bool
is_asleep(const struct drawing *d, const struct cell *cell)
{
	return (cell->busy == 0 && cell->asleep > 0) ||
	    (!trace_has_clock(d->pane->trace, CLOCK_CPU) &&
		looks_method(names_looks(d->pane->names), cell->method) == ROLE_IDLE);
}

/* In which cells a call of the highlighted method is open; NULL: not known, or there is none. */
static const uint8_t *
find_marks(const struct drawing *d, uint32_t thread)
{
	const struct engine_marks *m = d->pane->marks;

	if (m == NULL || m->method != d->pane->highlight ||
	    !range_equal(&m->window, &d->window) || m->columns != (uint32_t)d->cells)
		return NULL;
	for (uint32_t i = 0; i < m->rows; i++)
		if (m->threads[i] == thread)
			return m->marks + (size_t)(i + 1) * m->columns;
	return NULL;
}

/* The method itself is as ever, underlined without colours; calls from it are half so dense. */
static void
draw_highlight(const struct drawing *d, int row, const struct cell *cell, int at, bool open)
{
	uint32_t method = d->pane->highlight;
	look style = looks_method(names_looks(d->pane->names), method);
	uint32_t sign = timeline_height(cell->busy, is_asleep(d, cell), d->canvas->utf8);

	if (cell->method == method && !d->canvas->colours)
		style |= LOOK_UNDERLINE;
	else if (cell->method != method && !is_asleep(d, cell))
		sign = open ? d->canvas->utf8 ? HALF_DENSE : '+' : faded_sign(d);
	if (cell->method == method || open)
		legend_method(d, method, 1);
	else
		style = ROLE_IDLE;
	canvas_put(d->canvas, row, d->r.column + d->label + at, sign, style);
}

static void
draw_cell(const struct drawing *d, int row, const struct cell *cells, int at)
{
	const struct cell *cell = &cells[at];
	look style;

	if (cell->method == METHOD_NONE)
		return;
	if (!is_asleep(d, cell))
		legend_method(d, cell->method, 1);
	style = is_asleep(d, cell) ? ROLE_IDLE
				: looks_method(names_looks(d->pane->names), cell->method);
	if (d->show->search != NULL && display_is_hit(d->show->search, cell->method))
		style |= LOOK_UNDERLINE;
	canvas_put(d->canvas, row, d->r.column + d->label + at,
	    timeline_height(cell->busy, is_asleep(d, cell), d->canvas->utf8), style);
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

/* "47 %" on the right. */
static void
draw_busy(const struct drawing *d, int row, uint32_t thread)
{
	int limit = d->r.column + d->r.columns, width = timeline_pane_busy_width(d->pane);
	const struct fold *fold = d->show->fold;
	int percent;
	nsec busy, known;

	if (width == 0 || fold == NULL || thread >= fold->thread_count)
		return;
	busy = fold_busy(fold, d->pane->trace, thread);
	known = fold_known(fold, d->pane->trace, thread);
	if (known <= 0)
		return;
	percent = (int)((double)busy * 100 / (double)known + 0.5);
	if (busy > 0 && percent == 0)
		canvas_text(d->canvas, row, limit - width + 2, limit, STR("<1 %"), ROLE_TEXT);
	else
		canvas_format(d->canvas, row, limit - width, limit, busy > 0 ? ROLE_TEXT : ROLE_DIM,
		    "%4d %%", percent);
}

/* A row of any kind; unknown parts stay blank. */
static void
draw_row(const struct drawing *d, int row, size_t at)
{
	const struct track *track = &d->pane->rows[at];
	int first = d->r.column + d->label;
	const uint8_t *marks;

	if (track->kind == TRACK_THREAD || (track->kind == TRACK_STATE && track->depth == 0)) {
		draw_label(d, row, track->index);
		draw_busy(d, row, track->index);
	}
	if (track->kind == TRACK_THREAD) {
		const struct cell *cells = find_cells(d, track->index);

		marks = find_marks(d, track->index);
		for (int i = 0; cells != NULL && i < d->cells; i++) {
			if (d->pane->highlight == METHOD_NONE)
				draw_cell(d, row, cells, i);
			else if (cells[i].method != METHOD_NONE)
				draw_highlight(d, row, &cells[i], i, marks != NULL && marks[i] != 0);
		}
	} else {
		if (track->kind != TRACK_STATE || track->depth > 0)
			track_label(d, row, track);
		track_draw(d, row, track);
	}
	if (d->show->search != NULL && timeline_pane_is_hit(d->pane, d->show->search, at)) {
		int end = first - 1;

		while (end > d->r.column && canvas_at(d->canvas, row, end - 1)->text[0] == ' ')
			end--;
		canvas_add_look(d->canvas, row, d->r.column, end, LOOK_HIT);
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
	return axis_cell_start(d->window.from, d->window.to, cell + 1, d->cells) > range->from &&
	       axis_cell_start(d->window.from, d->window.to, cell, d->cells) < range->to;
}

/* The pane ----------------------------------------------------------------------- */

/* Blanks; but not that before the unit of a label. */
static bool
is_free(const struct drawing *d, int column)
{
	const struct glyph *g = canvas_at(d->canvas, d->r.row, column);
	const struct glyph *next = canvas_at(d->canvas, d->r.row, column + 1);

	/* s, ms, us or with a micro sign, ns */
	return g == NULL || (g->text[0] == ' ' &&
		(next == NULL || next->text[0] == '\0' || strchr("smun\302", next->text[0]) == NULL));
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
	int from = axis_cell(d->window.from, d->window.to, range->from, d->cells);
	int to = axis_cell(d->window.from, d->window.to, range->to - 1, d->cells);

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
	axis_draw(d->canvas, d->r.row, first, first + d->cells, d->window.from, d->window.to,
	    &d->pane->scale, style);
	if (d->show->choosing)
		draw_range(d, &d->show->chosen, ROLE_CURSOR);
	else if (window_is_set(&d->show->window))
		draw_range(d, &d->show->window, style);
	if (d->show->deadline > 0) {
		int at = axis_cell(d->window.from, d->window.to, d->show->deadline, d->cells);

		if (at >= 0)
			draw_range_end(d, at, '|', style);
	}
	if (timeline_pane_busy_width(d->pane) > 0)
		canvas_text(d->canvas, d->r.row, first + d->cells + 2, d->r.column + d->r.columns,
		    STR("busy"), style);
	/* Each thread counts its own time. */
	if (d->pane->trace->own_axes)
		canvas_text(
		    d->canvas, d->r.row, d->r.column, first - 1, STR("threads not aligned"), style);
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
	struct legend legend = {.count = 0};
	struct drawing d = {.canvas = c,
	    .legend = &legend,
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
	d.cursor = axis_cell(d.window.from, d.window.to, p->axis.cursor, d.cells);
	for (int i = 0; i < r.rows; i++)
		canvas_fill(c, r.row + i, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	draw_axis(&d);
	for (int i = 0; i < rows && p->top + (size_t)i < p->row_count; i++)
		draw_row(&d, r.row + 1 + i, p->top + (size_t)i);
	if (c->colours)
		timeline_colours_spare(&d, rows);
	if (timeline_pane_has_legend(p))
		legend_draw(&legend, c, r.row + 1 + rows, r.column + d.label, r.column + r.columns);
	if (r.rows > rows + 1)
		timeline_last_line(&d, r.row + r.rows - 1);
}
