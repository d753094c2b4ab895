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
	return value_time(at + (nsec)f->log->origin);
}

/* Intervals ----------------------------------------------------------------------- */

enum { INTERVAL_LENGTH, INTERVAL_START, INTERVAL_CPU, INTERVAL_PRIORITY, INTERVAL_LOG,
	INTERVAL_TID, INTERVAL_STATE, INTERVAL_NEXT, INTERVAL_WHY, INTERVAL_THREAD };

static const struct column interval_columns[] = {
	{"duration", "Time ms", "how long", VALUE_TIME, .from = 0},
	{"start", "Start ms", "since the log began", VALUE_TIME, .flags = LIST_ASCENDING},
	{"cpu", "CPU", "the core that it ran on", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"priority", "Prio", "with which it ran", VALUE_COUNT, .from = 60, .flags = LIST_ASCENDING},
	{"log-time", "In the log", "", VALUE_TIME, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"state", "State", "what it was in", VALUE_TEXT, .from = 0},
	{"next", "Then", "the state that it left the core for", VALUE_TEXT, .from = 100},
	{"why", "Woken by, blocked in", "who ended the sleep before; what it waited in",
	    VALUE_TEXT, .from = 76},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

const struct list_source usage_intervals_columns = CELLS_SOURCE(
	interval_columns, INTERVAL_LENGTH, "no such interval in this range");

void
usage_intervals_fill(struct filling *f)
{
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->interval_count; n++) {
		const struct interval *i = &l->intervals[n];
		struct value *v = filling_add(f,
		    (uint64_t)i->from ^ (uint64_t)i->thread << 40, time_goal(i->thread, i->from));

		v[INTERVAL_LENGTH] = value_time(i->to - i->from);
		v[INTERVAL_START] = value_time(i->from);
		v[INTERVAL_LOG] = log_time(f, i->from);
		v[INTERVAL_TID] = value_count(trace_thread(f->trace, i->thread)->id);
		v[INTERVAL_STATE] = filling_state(f, i->state, i->io);
		v[INTERVAL_WHY] = i->caller > 0 ? filling_caller(f, i->caller)
						: filling_waker(f, i->waker);
		v[INTERVAL_THREAD] = filling_thread(f, i->thread);
		if (i->state != TASK_RUNNING)
			continue;
		v[INTERVAL_CPU] = value_count(i->cpu);
		if (i->priority != SCHED_NO_PRIORITY)
			v[INTERVAL_PRIORITY] = value_number(i->priority);
		if (i->next != TASK_UNKNOWN)
			v[INTERVAL_NEXT] = filling_state(f, i->next, IO_UNTOLD);
	}
}

/* Wakers -------------------------------------------------------------------------- */

enum { WAKE_NUMBER, WAKE_AT, WAKE_SLEPT, WAKE_WAITED, WAKE_CPU, WAKE_LOG, WAKE_STATE,
	WAKE_CALLER, WAKE_THREAD, WAKE_WAKER };

static const struct column wake_columns[] = {
	{"number", "#", "back in time: each row wakes the one above", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"at", "Woken ms", "when it was woken", VALUE_TIME, .flags = LIST_ASCENDING},
	{"slept", "Slept ms", "how long it had slept", VALUE_TIME, .from = 0},
	{"waited", "Waited ms", "for a core, once woken", VALUE_TIME, .from = 60},
	{"cpu", "CPU", "the core that it came on", VALUE_COUNT, .from = 60, .flags = LIST_ASCENDING},
	{"log-time", "In the log", "", VALUE_TIME, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"state", "Slept in", "the state that the wakeup ended", VALUE_TEXT, .from = 100},
	{"caller", "Blocked in", "the kernel's function, where it is told", VALUE_TEXT, .from = 120},
	{"thread", "Thread", "who was woken", VALUE_TEXT, .from = 0},
	{"waker", "Woken by", "who did it; Enter goes there", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

const struct list_source usage_wakers_columns = CELLS_SOURCE(
	wake_columns, WAKE_NUMBER, "no wakeup of this thread before, in the whole log");

void
usage_wakers_fill(struct filling *f)
{
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->wake_count; n++) {
		const struct wake *w = &l->wakes[n];
		/* An interrupt is nowhere to go to; but who was woken is. */
		uint32_t to = w->waker < f->usage->thread_count ? w->waker : w->thread;
		struct value *v = filling_add(f, n, time_goal(to, w->at));

		v[WAKE_NUMBER] = value_count(n + 1);
		v[WAKE_AT] = value_time(w->at);
		if (w->slept >= 0) {
			v[WAKE_SLEPT] = value_time(w->at - w->slept);
			v[WAKE_STATE] = filling_state(f, w->state, w->io);
			v[WAKE_CALLER] = filling_caller(f, w->caller);
		}
		if (w->ran >= 0) {
			v[WAKE_WAITED] = value_time(w->ran - w->at);
			v[WAKE_CPU] = value_count(w->cpu);
		}
		v[WAKE_LOG] = log_time(f, w->at);
		v[WAKE_THREAD] = filling_thread(f, w->thread);
		v[WAKE_WAKER] = filling_waker(f, w->waker);
	}
}

/* One chain ----------------------------------------------------------------------- */

enum { LINK_NUMBER, LINK_START, LINK_LENGTH, LINK_LOG, LINK_TID, LINK_SPAN, LINK_PARENT,
	LINK_FLAG, LINK_PROCESS, LINK_THREAD, LINK_SLICE };

static const struct column link_columns[] = {
	{"number", "#", "parents before their children", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"start", "Start ms", "since the log began", VALUE_TIME, .flags = LIST_ASCENDING},
	{"duration", "Time ms", "how long; nothing: it does not end in the log", VALUE_TIME, .from = 0},
	{"log-time", "In the log", "", VALUE_TIME, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"span", "Span", "this node of the chain", VALUE_TEXT, .from = 0},
	{"parent", "Parent", "the node that called it", VALUE_TEXT, .from = 70},
	{"flag", "C/S", "C: the caller's side, S: the called side", VALUE_TEXT, .from = 90},
	{"process", "Process", "whose slice it is", VALUE_TEXT, .from = 120},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 60},
	{"slice", "Slice", "its name, below its parent", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

const struct list_source usage_chain_columns = CELLS_SOURCE(link_columns, LINK_NUMBER,
	"no slice of this chain");

void
usage_chain_fill(struct filling *f)
{
	static const char flags[][2] = {"C", "S"};
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->link_count; n++) {
		const struct usage_link *u = &l->links[n];
		const struct log_link *link = &u->link;
		struct value *v = filling_add(f, link->offset, time_goal(link->thread, link->from));

		cells_depth(f->cells, u->depth);
		v[LINK_NUMBER] = value_count(n + 1);
		v[LINK_START] = value_time(link->from);
		if (link->to != LOG_OPEN)
			v[LINK_LENGTH] = value_time(link->to - link->from);
		v[LINK_LOG] = log_time(f, link->from);
		v[LINK_TID] = value_count(trace_thread(f->trace, link->thread)->id);
		v[LINK_SPAN] = filling_clean(f, u->span);
		v[LINK_PARENT] = filling_clean(f, u->parent);
		if (u->flag != 0)
			v[LINK_FLAG] = filling_text(flags[u->flag == 'S']);
		v[LINK_PROCESS] = filling_process_of(f, link->thread);
		v[LINK_THREAD] = filling_thread(f, link->thread);
		v[LINK_SLICE] = filling_clean(f, trace_method(f->trace, link->method)->name);
	}
}
