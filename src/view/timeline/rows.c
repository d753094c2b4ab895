// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "view/timeline/parts.h"

/* Screen rows from which processes and cores are among the threads. */
enum { GROUPED_FROM = 9 };

/* Where more processes have slices, only the one in front is open, and those with pinned threads. */
enum { OPEN_MOST = 8 };

const struct track_choice track_choices[TRACK_CHOICES] = {
	{TRACK_LOAD, "load", "how much all cores of a log ran"},
	{TRACK_CORE, "cores", "which thread ran on each core"},
	{TRACK_FREQUENCY, "frequency", "how fast each core was"},
	{TRACK_IDLE, "idle", "how deep each core slept"},
	{TRACK_PROCESS, "processes", "processes of a log above their threads"},
	{TRACK_STATE, "states", "what the scheduler did with an open thread"},
	{TRACK_CALLS, "calls", "the calls of an open thread by depth"},
	{TRACK_ASYNC, "async", "asynchronous slices of a log"},
	{TRACK_COUNTER, "counters", "counters of a log"},
	{TRACK_INSTANTS, "instants", "markers of a moment in a log"},
};

static const struct log *
log_of(const struct timeline_pane *p)
{
	return p->trace->log;
}

static uint32_t
process_of(const struct timeline_pane *p, uint32_t thread)
{
	return trace_thread(p->trace, thread)->process;
}

static bool
shows(const struct timeline_pane *p, enum track_kind kind)
{
	return (p->kinds & 1u << kind) != 0;
}

bool
timeline_rows_grouped(const struct timeline_pane *p)
{
	return log_of(p) != NULL && timeline_pane_rows(p) >= GROUPED_FROM;
}

/* True if it is the row of a thread, not one below it. */
static bool
is_head(const struct track *t)
{
	return t->kind == TRACK_THREAD || t->kind == TRACK_ASYNC ||
	    (t->kind == TRACK_STATE && t->depth == 0);
}

/* Making them ---------------------------------------------------------------------- */

static void
row_add(struct timeline_pane *p, enum track_kind kind, uint32_t index, uint32_t depth)
{
	*MEM_ADD(p->rows, p->row_count, p->row_room) = (struct track){kind, index, depth};
}

static bool
has_states(const struct timeline_pane *p, uint32_t thread)
{
	return log_of(p) != NULL && log_of(p)->has_sched && shows(p, TRACK_STATE) &&
	    trace_thread(p->trace, thread)->kind == THREAD_TASK;
}

bool
timeline_rows_has_calls(const struct timeline_pane *p, uint32_t thread)
{
	return thread < p->fact_count && p->facts[thread].open && shows(p, TRACK_CALLS) &&
	    p->facts[thread].covered > 0;
}

/* A thread that has no slices shows its states at once. */
static void
thread_add(struct timeline_pane *p, uint32_t thread, bool grouped)
{
	const struct thread_facts *facts = &p->facts[thread];
	bool bare;

	if (grouped && trace_thread(p->trace, thread)->kind == THREAD_ASYNC) {
		if (shows(p, TRACK_ASYNC))
			row_add(p, TRACK_ASYNC, thread, 0);
		return;
	}
	bare = facts->covered == 0 && has_states(p, thread);
	row_add(p, bare ? TRACK_STATE : TRACK_THREAD, thread, 0);
	/* Rows without other content show their instants without being opened. */
	if (!facts->open && !(facts->instants && facts->covered == 0 && !bare))
		return;
	if (!bare && has_states(p, thread))
		row_add(p, TRACK_STATE, thread, 1);
	if (facts->instants && shows(p, TRACK_INSTANTS))
		row_add(p, TRACK_INSTANTS, thread, 1);
	for (uint32_t d = 1; timeline_rows_has_calls(p, thread) && d <= facts->depth; d++)
		row_add(p, TRACK_CALLS, thread, d);
}

static void
cores_add(struct timeline_pane *p)
{
	const struct log *log = log_of(p);

	if (!log->has_sched || !shows(p, TRACK_LOAD))
		return;
	row_add(p, TRACK_LOAD, 0, 0);
	for (uint32_t cpu = 0; p->cores_open && cpu < log->sched.cpu_count; cpu++) {
		if (!log->sched.cpus[cpu].met)
			continue;
		if (shows(p, TRACK_CORE))
			row_add(p, TRACK_CORE, cpu, 0);
		if (!p->steps_open || log->steps.count == 0)
			continue;
		if (shows(p, TRACK_FREQUENCY) && log->frequency_told[cpu])
			row_add(p, TRACK_FREQUENCY, cpu, 0);
		if (shows(p, TRACK_IDLE) && log->idle_told[cpu])
			row_add(p, TRACK_IDLE, cpu, 0);
	}
}

/* Threads or counters of each process, in order: lists of indexes + 1. */
struct members {
	uint32_t *first; /* by process */
	uint32_t *next;  /* by index */
};

/* The last one first. */
static void
members_add(struct members *m, uint32_t process, uint32_t index)
{
	m->next[index] = m->first[process];
	m->first[process] = index + 1;
}

/* Markers of a moment on tracks of a process. */
static bool
has_points(const struct timeline_pane *p, uint32_t process)
{
	const struct log_process *of =
	    process > 0 ? seg_at(&log_of(p)->processes, process - 1) : NULL;

	return of != NULL && of->instants && shows(p, TRACK_INSTANTS);
}

static void
process_add(struct timeline_pane *p, uint32_t process, const struct members *threads,
    const struct members *counters)
{
	if (shows(p, TRACK_PROCESS))
		row_add(p, TRACK_PROCESS, process, 0);
	if (p->folds[process].folded && shows(p, TRACK_PROCESS))
		return;
	/* Stacks of asynchronous slices are below the threads. */
	for (int async = 0; async < 2; async++) {
		for (uint32_t i = threads->first[process]; i > 0; i = threads->next[i - 1]) {
			if ((trace_thread(p->trace, i - 1)->kind == THREAD_ASYNC) == (async > 0))
				thread_add(p, i - 1, true);
		}
	}
	if (has_points(p, process))
		row_add(p, TRACK_POINTS, process, 0);
	for (uint32_t i = counters->first[process]; i > 0 && shows(p, TRACK_COUNTER);
	     i = counters->next[i - 1]) {
		const struct log_counter *c = seg_at(&log_of(p)->counters, i - 1);

		/* A size or frequency that never changes is in the table only. */
		if (c->unit == LOG_UNIT_NONE || c->min < c->max)
			row_add(p, TRACK_COUNTER, i - 1, 0);
	}
}

/* A process among others. */
struct row_group {
	size_t first; /* place of its first thread or, after all of them, its own */
	nsec busy;    /* of its threads that are some */
	bool ahead;   /* the main thread's, or one with a pinned thread */
	bool slices;  /* there are some */
	bool idle;    /* none, and no thread ran */
	uint32_t process;
};

/* By busy time where threads are by some time, else in the order of their first threads. */
static int
group_compare(const void *a, const void *b)
{
	const struct row_group *x = a, *y = b;

	return order_then(ORDER(y->ahead, x->ahead), order_then(ORDER(x->idle, y->idle),
	    order_then(x->ahead ? 0 : ORDER(y->busy, x->busy), ORDER(x->first, y->first))));
}

/* All processes in order; those that no key opened or closed are open where there is most to see. */
static struct row_group *
groups_order(struct timeline_pane *p, uint32_t count)
{
	struct row_group *groups = mem_zero(count + 1, sizeof(*groups));
	uint32_t sliced = 0;

	for (uint32_t i = 0; i < count; i++)
		groups[i] = (struct row_group){.process = i, .first = p->thread_count + i,
		    .idle = i > 0 && !has_points(p, i)};
	for (size_t i = p->thread_count; i-- > 0;) {
		uint32_t thread = p->threads[i], process = process_of(p, thread);
		const struct thread_facts *facts = &p->facts[thread];

		if (process >= count)
			continue;
		groups[process].first = i;
		groups[process].ahead |= facts->pinned || thread == p->main_thread;
		groups[process].slices |= facts->covered > 0 || facts->instants;
		groups[process].idle &= !groups[process].slices && facts->busy <= 0;
		if (p->by <= ORDER_CPU && trace_thread(p->trace, thread)->kind == THREAD_TASK)
			groups[process].busy += facts->busy;
	}
	for (uint32_t i = 0; i < count; i++)
		sliced += groups[i].slices;
	for (uint32_t i = 0; i < count; i++) {
		groups[i].idle &= !groups[i].ahead;
		if (!p->folds[i].chosen)
			p->folds[i].folded =
			    !groups[i].slices || (sliced > OPEN_MOST && !groups[i].ahead);
	}
	qsort(groups, count, sizeof(*groups), group_compare);
	return groups;
}

static void
groups_add(struct timeline_pane *p)
{
	const struct log *log = log_of(p);
	uint32_t counter_count = seg_count(&log->counters), count, shown = 0;
	struct members threads, counters;
	struct row_group *groups;

	processes_release(&p->processes);
	processes_make(&p->processes, p->trace);
	count = p->processes.count;
	MEM_GROW_ZERO(p->folds, p->fold_room, count);
	threads.first = mem_zero(count, sizeof(*threads.first));
	threads.next = mem_zero(p->fact_count + 1, sizeof(*threads.next));
	counters.first = mem_zero(count, sizeof(*counters.first));
	counters.next = mem_zero(counter_count + 1, sizeof(*counters.next));
	for (size_t i = p->thread_count; i-- > 0;) {
		uint32_t process = process_of(p, p->threads[i]);

		if (process < count)
			members_add(&threads, process, p->threads[i]);
	}
	for (uint32_t i = counter_count; i-- > 0;) {
		const struct log_counter *c = seg_at(&log->counters, i);

		if (c->process < count)
			members_add(&counters, c->process, i);
	}
	groups = groups_order(p, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t process = groups[i].process;

		if (groups[i].first < p->thread_count || counters.first[process] > 0 ||
		    has_points(p, process))
			groups[shown++] = groups[i];
	}
	p->idle_count = 0;
	for (uint32_t i = 0; i < shown && shows(p, TRACK_PROCESS); i++)
		p->idle_count += groups[i].idle;
	/* One row for a single process would be as long. */
	if (p->idle_count == 1 || p->idle_count == shown)
		p->idle_count = 0;
	for (uint32_t i = 0; i < shown; i++) {
		bool idle = p->idle_count > 0 && groups[i].idle;

		p->folds[groups[i].process].idle = idle;
		if (idle && !groups[i - 1].idle)
			row_add(p, TRACK_REST, 0, 0);
		if (!idle || p->idle_open)
			process_add(p, groups[i].process, &threads, &counters);
	}
	mem_free(groups);
	mem_free(threads.first);
	mem_free(threads.next);
	mem_free(counters.first);
	mem_free(counters.next);
}

/* Finds the row itself, or the nearest row that it belonged to; else its old place. */
static size_t
row_near(const struct timeline_pane *p, const struct track *was, size_t before)
{
	uint32_t thread = track_thread(was);
	size_t near = SIZE_MAX;

	for (size_t i = 0; i < p->row_count; i++) {
		const struct track *t = &p->rows[i];

		if (track_equal(t, was))
			return i;
		if (thread == THREAD_NONE || track_thread(t) != thread)
			continue;
		if (is_head(t) || (t->kind == was->kind && t->depth < was->depth))
			near = i;
	}
	return near != SIZE_MAX ? near : before;
}

/*
 * A row let in costs as much as two moves of the cursor, and so few rows are scrolled by
 * all but one: not every line down costs that much.
 */
enum { FEW_ROWS = 4 };

void
timeline_rows_keep(struct timeline_pane *p)
{
	size_t shown = (size_t)timeline_pane_rows(p);
	size_t last = p->row_count > shown ? p->row_count - shown : 0;
	size_t beyond = shown > 0 && shown <= FEW_ROWS ? shown - 1 : 0;

	if (p->row >= p->row_count)
		p->row = p->row_count > 0 ? p->row_count - 1 : 0;
	if (p->row < p->top)
		p->top = p->row > beyond ? p->row - beyond : 0;
	if (p->row_count > 0 && shown > 0 && p->row >= p->top + shown)
		p->top = p->row + 1 - shown + beyond;
	if (p->top > last)
		p->top = last;
}

/* True if the threads of the process are left out. */
static bool
is_left_out(const struct timeline_pane *p, uint32_t process)
{
	return process < p->fold_room &&
	    (p->folds[process].folded || (p->folds[process].idle && !p->idle_open));
}

/* Shows the threads of a process that are left out; false if they are not. */
static bool
process_open(struct timeline_pane *p, uint32_t process)
{
	if (!is_left_out(p, process))
		return false;
	p->idle_open |= p->folds[process].idle;
	p->folds[process] = (struct process_fold){.chosen = true};
	return true;
}

void
timeline_rows_build(struct timeline_pane *p)
{
	size_t before = p->row, top = p->top;

	/* Until the user goes elsewhere the cursor is on the first thread. */
	if (!p->settled)
		p->on = (struct track){TRACK_THREAD, p->thread, 0};
	p->row_count = 0;
	if (timeline_rows_grouped(p)) {
		do {
			p->row_count = 0;
			cores_add(p);
			groups_add(p);
		} while (p->sought && p->thread < trace_thread_count(p->trace) &&
		    process_open(p, process_of(p, p->thread)));
		p->sought = false;
	} else {
		for (size_t i = 0; i < p->thread_count; i++)
			thread_add(p, p->threads[i], false);
	}
	p->row = row_near(p, &p->on, before);
	/* The cursor's row stays where it is on the screen, unless all is in view. */
	if (p->settled && p->row >= before)
		p->top = top + (p->row - before);
	else if (p->settled)
		p->top = top > before - p->row ? top - (before - p->row) : 0;
	timeline_rows_keep(p);
	if (timeline_pane_track(p) != NULL && track_thread(timeline_pane_track(p)) != THREAD_NONE)
		p->thread = track_thread(timeline_pane_track(p));
}

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
	p->on = p->rows[row];
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
	p->on = (struct track){TRACK_THREAD, thread, 0};
	p->settled = true;
	t = thread < trace_thread_count(p->trace) ? trace_thread(p->trace, thread) : NULL;
	p->sought = !timeline_rows_grouped(p);
	if (!p->sought && t != NULL && process_open(p, t->process)) {
		timeline_rows_build(p);
		p->thread = thread;
	}
	while (row < p->row_count &&
	    (!is_head(&p->rows[row]) || p->rows[row].index != thread))
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
	struct scroll at = {.count = p->row_count, .cursor = p->row};

	(void)scroll_move(&at, by);
	return timeline_pane_select_row(p, at.cursor);
}

bool
timeline_pane_move_thread(struct timeline_pane *p, int64_t by)
{
	int step = by < 0 ? -1 : 1;
	uint64_t left = by < 0 ? -(uint64_t)by : (uint64_t)by;
	size_t at = p->row, found = p->row;

	while (left > 0 && (step > 0 ? at + 1 < p->row_count : at > 0)) {
		at = step > 0 ? at + 1 : at - 1;
		if (is_head(&p->rows[at])) {
			found = at;
			left--;
		}
	}
	return found != p->row && timeline_pane_select_row(p, found);
}

/* Search ------------------------------------------------------------------------------- */


/* "com.example 1203", as labels have it. */
static bool
process_is_hit(const struct timeline_pane *p, const struct display *d, uint32_t process)
{
	const struct process *of = &p->processes.items[process];
	struct sbuf text = {0};
	bool hit;

	sbuf_str(&text, names_clean(p->names, of->name));
	sbuf_printf(&text, " %" PRIu32, of->pid);
	hit = process > 0 &&
	    pattern_match(d->search, sbuf_view(&text), NULL, NULL) == PATTERN_MATCH;
	sbuf_release(&text);
	return hit;
}

/* A thread that the row stands for and that is found, the first or the last one. */
static uint32_t
hit_within(const struct timeline_pane *p, const struct display *d, const struct track *t,
    int direction)
{
	for (size_t i = 0; i < p->thread_count; i++) {
		uint32_t thread = p->threads[direction < 0 ? p->thread_count - 1 - i : i];
		uint32_t process = process_of(p, thread);
		bool rest = t->kind == TRACK_REST;

		if (is_left_out(p, process) &&
		    (rest ? p->folds[process].idle : process == t->index) &&
		    (display_is_thread_hit(d, thread) || (rest && process_is_hit(p, d, process))))
			return thread;
	}
	return THREAD_NONE;
}

bool
timeline_pane_is_hit(const struct timeline_pane *p, const struct display *d, size_t row)
{
	const struct track *t = &p->rows[row];
	const struct log_counter *counter;

	if (d->search == NULL)
		return false;
	if (is_head(t))
		return display_is_thread_hit(d, t->index);
	if (t->kind == TRACK_PROCESS)
		return process_is_hit(p, d, t->index) || hit_within(p, d, t, 1) != THREAD_NONE;
	if (t->kind == TRACK_REST)
		return !p->idle_open && hit_within(p, d, t, 1) != THREAD_NONE;
	if (t->kind != TRACK_COUNTER)
		return false;
	counter = seg_at(&log_of(p)->counters, t->index);
	return pattern_match(d->search, names_clean(p->names, counter->name), NULL, NULL) ==
	    PATTERN_MATCH;
}

struct searched {
	const struct timeline_pane *pane;
	const struct display *display;
};

static bool
is_hit(const void *list, size_t row)
{
	const struct searched *s = list;

	return timeline_pane_is_hit(s->pane, s->display, row);
}

enum hits_found
timeline_pane_search_next(struct timeline_pane *p, const struct display *d, int direction)
{
	const struct searched s = {p, d};
	size_t row = p->row;
	enum hits_found found = hits_next(&s, is_hit, p->row_count, p->row, direction, &row);
	const struct track *t = &p->rows[row];
	uint32_t within = THREAD_NONE;

	if (found == HITS_NONE)
		return found;
	if (t->kind == TRACK_REST || (t->kind == TRACK_PROCESS && !process_is_hit(p, d, t->index)))
		within = hit_within(p, d, t, direction);
	timeline_pane_select_row(p, row);
	if (within != THREAD_NONE)
		timeline_pane_select_thread(p, within);
	return found;
}

void
timeline_pane_search_position(
    const struct timeline_pane *p, const struct display *d, size_t *n, size_t *of)
{
	const struct searched s = {p, d};

	hits_position(&s, is_hit, p->row_count, p->row, n, of);
}

/* Opening and closing ------------------------------------------------------------------ */

/* Returns the switch that `+` and `-` turn for the cursor's row; NULL: they do nothing. */
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
		return p->folds != NULL ? &p->folds[t->index].folded : NULL;
	case TRACK_REST:
		return &p->idle_open;
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
	if (t->kind == TRACK_PROCESS)
		p->folds[t->index].chosen = true;
	timeline_pane_select_row(p, p->row);
	timeline_rows_build(p);
	timeline_pane_select_row(p, p->row);
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

/* Where nothing is open: steps to the next cell that differs. */
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

/* Steps from one marker to the next, or back to the one before. */
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
	enum track_kind kind = p->point.row.kind;
	struct range span;
	nsec to;

	if (point != NULL && (kind == TRACK_INSTANTS || kind == TRACK_POINTS))
		return step_instants(p, &point->near, direction);
	if (!timeline_pane_span(p, &span))
		return step_cells(p, direction);
	to = direction > 0 ? span.to : span.from;
	/* At the span's start already: goes into the span before. */
	if (direction < 0 && p->axis.cursor <= span.from)
		to = span.from - 1;
	if (to < p->axis.begin || to >= p->axis.end)
		return false;
	return axis_move_to(&p->axis, to);
}
