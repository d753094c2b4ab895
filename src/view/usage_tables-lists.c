/* Tables of what was chosen in another one: intervals, wakers, the slices of a chain. */
#include <config.h>

#include "view/usage_filling.h"

static struct usage_goal
time_goal(uint32_t thread, nsec at)
{
	return (struct usage_goal){.kind = GOAL_TIME, .thread = thread, .at = at};
}

static struct value
log_time(const struct filling *f, nsec at)
{
	return grid_time(at + (nsec)f->log->origin);
}

/* Intervals ----------------------------------------------------------------------- */

enum { INTERVAL_LENGTH, INTERVAL_START, INTERVAL_CPU, INTERVAL_PRIORITY, INTERVAL_LOG,
	INTERVAL_TID, INTERVAL_STATE, INTERVAL_NEXT, INTERVAL_WHY, INTERVAL_THREAD };

static const struct grid_column interval_columns[] = {
	{"duration", "Time ms", "how long", SHEET_TIME, 0, false},
	{"start", "Start ms", "since the log began", SHEET_TIME, 0, true},
	{"cpu", "CPU", "the core that it ran on", SHEET_COUNT, 0, true},
	{"priority", "Prio", "with which it ran", SHEET_COUNT, 60, true},
	{"log-time", "In the log", "", SHEET_TIME, GRID_FOR_PROGRAMS, true},
	{"tid", "Tid", "", SHEET_COUNT, GRID_FOR_PROGRAMS, true},
	{"state", "State", "what it was in", SHEET_TEXT, 0, true},
	{"next", "Then", "the state that it left the core for", SHEET_TEXT, 100, true},
	{"why", "Woken by, blocked in", "who ended the sleep before; what it waited in",
	    SHEET_TEXT, 76, true},
	{"thread", "Thread", "its id and name", SHEET_TEXT, 0, true},
	{NULL, NULL, NULL, SHEET_TEXT, 0, false},
};

const struct grid_columns usage_intervals_columns = {
	interval_columns, INTERVAL_LENGTH, "no such interval in this range"};

void
usage_intervals_fill(struct filling *f)
{
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->interval_count; n++) {
		const struct interval *i = &l->intervals[n];
		struct value *v = filling_add(f,
		    (uint64_t)i->from ^ (uint64_t)i->thread << 40, time_goal(i->thread, i->from));

		v[INTERVAL_LENGTH] = grid_time(i->to - i->from);
		v[INTERVAL_START] = grid_time(i->from);
		v[INTERVAL_LOG] = log_time(f, i->from);
		v[INTERVAL_TID] = grid_count(trace_thread(f->trace, i->thread)->id);
		v[INTERVAL_STATE] = filling_state(f, i->state, i->io);
		v[INTERVAL_WHY] = i->caller > 0 ? filling_caller(f, i->caller)
						: filling_waker(f, i->waker);
		v[INTERVAL_THREAD] = filling_thread(f, i->thread);
		if (i->state != TASK_RUNNING)
			continue;
		v[INTERVAL_CPU] = grid_count(i->cpu);
		if (i->priority != SCHED_NO_PRIORITY)
			v[INTERVAL_PRIORITY] = grid_number(i->priority);
		if (i->next != TASK_UNKNOWN)
			v[INTERVAL_NEXT] = filling_state(f, i->next, IO_UNTOLD);
	}
}

/* Wakers -------------------------------------------------------------------------- */

enum { WAKE_NUMBER, WAKE_AT, WAKE_SLEPT, WAKE_WAITED, WAKE_CPU, WAKE_LOG, WAKE_STATE,
	WAKE_CALLER, WAKE_THREAD, WAKE_WAKER };

static const struct grid_column wake_columns[] = {
	{"number", "#", "back in time: each row wakes the one above", SHEET_COUNT, 0, true},
	{"at", "Woken ms", "when it was woken", SHEET_TIME, 0, true},
	{"slept", "Slept ms", "how long it had slept", SHEET_TIME, 0, false},
	{"waited", "Waited ms", "for a core, once woken", SHEET_TIME, 60, false},
	{"cpu", "CPU", "the core that it came on", SHEET_COUNT, 60, true},
	{"log-time", "In the log", "", SHEET_TIME, GRID_FOR_PROGRAMS, true},
	{"state", "Slept in", "the state that the wakeup ended", SHEET_TEXT, 100, true},
	{"caller", "Blocked in", "the kernel's function, where it is told", SHEET_TEXT, 120, true},
	{"thread", "Thread", "who was woken", SHEET_TEXT, 0, true},
	{"waker", "Woken by", "who did it; Enter goes there", SHEET_TEXT, 0, true},
	{NULL, NULL, NULL, SHEET_TEXT, 0, false},
};

const struct grid_columns usage_wakers_columns = {
	wake_columns, WAKE_NUMBER, "no wakeup of this thread before, in the whole log"};

void
usage_wakers_fill(struct filling *f)
{
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->wake_count; n++) {
		const struct wake *w = &l->wakes[n];
		/* An interrupt is nowhere to go to; but who was woken is. */
		uint32_t to = w->waker < f->usage->thread_count ? w->waker : w->thread;
		struct value *v = filling_add(f, n, time_goal(to, w->at));

		v[WAKE_NUMBER] = grid_count(n + 1);
		v[WAKE_AT] = grid_time(w->at);
		if (w->slept >= 0) {
			v[WAKE_SLEPT] = grid_time(w->at - w->slept);
			v[WAKE_STATE] = filling_state(f, w->state, w->io);
			v[WAKE_CALLER] = filling_caller(f, w->caller);
		}
		if (w->ran >= 0) {
			v[WAKE_WAITED] = grid_time(w->ran - w->at);
			v[WAKE_CPU] = grid_count(w->cpu);
		}
		v[WAKE_LOG] = log_time(f, w->at);
		v[WAKE_THREAD] = filling_thread(f, w->thread);
		v[WAKE_WAKER] = filling_waker(f, w->waker);
	}
}

/* One chain ----------------------------------------------------------------------- */

enum { LINK_NUMBER, LINK_START, LINK_LENGTH, LINK_LOG, LINK_TID, LINK_SPAN, LINK_PARENT,
	LINK_FLAG, LINK_PROCESS, LINK_THREAD, LINK_SLICE };

static const struct grid_column link_columns[] = {
	{"number", "#", "parents before their children", SHEET_COUNT, 0, true},
	{"start", "Start ms", "since the log began", SHEET_TIME, 0, true},
	{"duration", "Time ms", "how long; nothing: it does not end in the log", SHEET_TIME, 0,
	    false},
	{"log-time", "In the log", "", SHEET_TIME, GRID_FOR_PROGRAMS, true},
	{"tid", "Tid", "", SHEET_COUNT, GRID_FOR_PROGRAMS, true},
	{"span", "Span", "this node of the chain", SHEET_TEXT, 0, true},
	{"parent", "Parent", "the node that called it", SHEET_TEXT, 70, true},
	{"flag", "C/S", "C: the caller's side, S: the called side", SHEET_TEXT, 90, true},
	{"process", "Process", "whose slice it is", SHEET_TEXT, 120, true},
	{"thread", "Thread", "its id and name", SHEET_TEXT, 60, true},
	{"slice", "Slice", "its name, below its parent", SHEET_TEXT, 0, true},
	{NULL, NULL, NULL, SHEET_TEXT, 0, false},
};

const struct grid_columns usage_chain_columns = {link_columns, LINK_NUMBER,
	"no slice of this chain"};

void
usage_chain_fill(struct filling *f)
{
	static const char flags[][2] = {"C", "S"};
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->link_count; n++) {
		const struct usage_link *u = &l->links[n];
		const struct log_link *link = &u->link;
		struct value *v = filling_add(f, link->offset, time_goal(link->thread, link->from));

		grid_depth(f->grid, u->depth);
		v[LINK_NUMBER] = grid_count(n + 1);
		v[LINK_START] = grid_time(link->from);
		if (link->to != LOG_OPEN)
			v[LINK_LENGTH] = grid_time(link->to - link->from);
		v[LINK_LOG] = log_time(f, link->from);
		v[LINK_TID] = grid_count(trace_thread(f->trace, link->thread)->id);
		v[LINK_SPAN] = filling_clean(f, u->span);
		v[LINK_PARENT] = filling_clean(f, u->parent);
		if (u->flag != 0)
			v[LINK_FLAG] = filling_text(flags[u->flag == 'S']);
		v[LINK_PROCESS] = filling_process_of(f, link->thread);
		v[LINK_THREAD] = filling_thread(f, link->thread);
		v[LINK_SLICE] = filling_clean(f, trace_method(f->trace, link->method)->name);
	}
}
