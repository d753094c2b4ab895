/* timeline_rows-move: the cursor among the rows, and what is opened and closed there. */
#include <config.h>

#include "view/timeline_rows.h"

/* The cursor ------------------------------------------------------------------------- */

const struct track *
timeline_pane_track(const struct timeline_pane *p)
{
	return p->row < p->row_count ? &p->rows[p->row] : NULL;
}

bool
timeline_pane_select_row(struct timeline_pane *p, size_t row)
{
	size_t before = p->row;

	if (row >= p->row_count)
		return false;
	p->row = row;
	p->settled = true;
	if (track_thread(&p->rows[row]) != THREAD_NONE)
		p->thread = track_thread(&p->rows[row]);
	timeline_rows_keep(p);
	return before != row;
}

bool
timeline_pane_select_thread(struct timeline_pane *p, uint32_t thread)
{
	uint32_t before = p->thread;
	const struct thread *t;
	size_t row = 0;

	p->thread = thread;
	p->settled = true;
	t = thread < trace_thread_count(p->trace) ? trace_thread(p->trace, thread) : NULL;
	if (timeline_rows_grouped(p) && t != NULL && t->process < p->folded_room &&
	    p->folded[t->process]) {
		p->folded[t->process] = false;
		timeline_rows_build(p);
		p->thread = thread;
	}
	while (row < p->row_count && (!timeline_rows_is_head(&p->rows[row]) || p->rows[row].index != thread))
		row++;
	if (row < p->row_count)
		timeline_pane_select_row(p, row);
	return before != thread;
}

bool
timeline_pane_select_track(struct timeline_pane *p, const struct track *track)
{
	for (size_t i = 0; i < p->row_count; i++) {
		if (!track_equal(&p->rows[i], track))
			continue;
		timeline_pane_select_row(p, i);
		return true;
	}
	return false;
}

bool
timeline_pane_move(struct timeline_pane *p, int64_t by)
{
	int64_t at = (int64_t)p->row, last = (int64_t)p->row_count - 1;

	if (last < 0)
		return false;
	at = by > last - at ? last : by < -at ? 0 : at + by;
	return timeline_pane_select_row(p, (size_t)at);
}

bool
timeline_pane_move_thread(struct timeline_pane *p, int64_t by)
{
	int step = by < 0 ? -1 : 1;
	uint64_t left = by < 0 ? -(uint64_t)by : (uint64_t)by;
	size_t at = p->row, found = p->row;

	while (left > 0 && (step > 0 ? at + 1 < p->row_count : at > 0)) {
		at = step > 0 ? at + 1 : at - 1;
		if (timeline_rows_is_head(&p->rows[at])) {
			found = at;
			left--;
		}
	}
	return found != p->row && timeline_pane_select_row(p, found);
}

/* Opening and closing ------------------------------------------------------------------ */

/* What `+` and `-` turn on and off for the cursor's row; NULL: nothing. */
static bool *
switch_of(struct timeline_pane *p, const struct track *t)
{
	uint32_t thread = track_thread(t);

	switch (t->kind) {
	case TRACK_LOAD:
		return &p->cores_open;
	case TRACK_CORE:
	case TRACK_FREQUENCY:
	case TRACK_IDLE:
		return &p->steps_open;
	case TRACK_PROCESS:
		return p->folded != NULL ? &p->folded[t->index] : NULL;
	case TRACK_THREAD:
	case TRACK_CALLS:
	case TRACK_STATE:
	case TRACK_INSTANTS:
		return thread < p->fact_count ? &p->facts[thread].open : NULL;
	default:
		return NULL;
	}
}

bool
timeline_pane_is_open(const struct timeline_pane *p)
{
	const struct track *t = timeline_pane_track(p);
	const bool *on = t != NULL ? switch_of((struct timeline_pane *)(uintptr_t)p, t) : NULL;

	return on != NULL && *on != (t->kind == TRACK_PROCESS);
}

bool
timeline_pane_any_open(const struct timeline_pane *p)
{
	bool any = false;

	for (size_t i = 0; i < p->fact_count; i++)
		any |= p->facts[i].open;
	return any;
}

bool
timeline_pane_open(struct timeline_pane *p, bool open)
{
	const struct track *t = timeline_pane_track(p);
	bool *on = t != NULL ? switch_of(p, t) : NULL;

	/* A core's own row closes with the cores. */
	if (on == &p->steps_open && !open && !p->steps_open)
		on = &p->cores_open;
	if (on == NULL || *on == (open != (t->kind == TRACK_PROCESS)))
		return false;
	*on = open != (t->kind == TRACK_PROCESS);
	p->settled = true;
	timeline_rows_build(p);
	return true;
}

void
timeline_pane_set_kinds(struct timeline_pane *p, unsigned kinds)
{
	p->kinds = kinds;
	timeline_rows_build(p);
}

void
timeline_pane_go_state(struct timeline_pane *p, uint32_t thread, nsec at)
{
	struct track state = {TRACK_STATE, thread, 1};

	timeline_pane_select_thread(p, thread);
	if (thread < p->fact_count && !p->facts[thread].open) {
		p->facts[thread].open = true;
		timeline_rows_build(p);
	}
	timeline_pane_select_track(p, &state);
	axis_move_to(&p->axis, at);
}

bool
timeline_pane_go_core(struct timeline_pane *p, uint32_t cpu, nsec at)
{
	struct track core = {TRACK_CORE, cpu, 0};

	if (!p->cores_open) {
		p->cores_open = true;
		timeline_rows_build(p);
	}
	axis_move_to(&p->axis, at);
	return timeline_pane_select_track(p, &core);
}

/* Along a row ------------------------------------------------------------------------ */

bool
timeline_pane_span(const struct timeline_pane *p, struct range *span)
{
	const struct call *call = timeline_pane_call(p);
	const struct track_point *point = timeline_pane_point(p);
	enum clock_id axis = trace_default_clock(p->trace);

	if (call != NULL)
		*span = (struct range){call->enter[axis], call->leave[axis]};
	else if (point != NULL)
		*span = (struct range){point->from, point->to};
	return call != NULL || point != NULL;
}

/* Where nothing is open: to the next cell that differs. */
static bool
step_cells(struct timeline_pane *p, int direction)
{
	int count = timeline_pane_cells(p);
	const struct track_cell *cells =
	    timeline_track_cells(p, timeline_pane_track(p), count);
	int at = axis_cell(p->axis.from, p->axis.to, p->axis.cursor, count), from = at;

	if (cells == NULL || at < 0)
		return false;
	do
		at += direction;
	while (at >= 0 && at < count && cells[at].what == cells[from].what);
	return at >= 0 && at < count &&
	    axis_move_to(&p->axis, axis_cell_start(p->axis.from, p->axis.to, at, count));
}

/* From one marker to the next, or back to the one before. */
static bool
step_instants(struct timeline_pane *p, const struct instants_near *near, int direction)
{
	nsec to = direction > 0           ? near->next
	    : p->axis.cursor > near->last ? near->last
					  : near->earlier;
	bool any = direction > 0 ? near->has_next : near->has_last && to != INSTANTS_NONE;

	return any && axis_move_to(&p->axis, to);
}

bool
timeline_pane_step(struct timeline_pane *p, int direction)
{
	const struct track_point *point = timeline_pane_point(p);
	struct range span;
	nsec to;

	if (point != NULL && track_is_instants(&p->point_track))
		return step_instants(p, &point->near, direction);
	if (!timeline_pane_span(p, &span))
		return step_cells(p, direction);
	to = direction > 0 ? span.to : span.from;
	/* At its start already: into what came before. */
	if (direction < 0 && p->axis.cursor <= span.from)
		to = span.from - 1;
	if (to < p->axis.begin || to >= p->axis.end)
		return false;
	return axis_move_to(&p->axis, to);
}
