// SPDX-License-Identifier: Apache-2.0
/* Tables of what threads did while they did not run, and how. */
#include <config.h>

#include "view/log/filling.h"

/* A list of the intervals of a thread in a state. */
static struct usage_goal
intervals_goal(uint32_t thread, int state, int io, nsec longest_at, nsec longest)
{
	struct usage_goal goal = {.kind = GOAL_TABLE, .table = USAGE_INTERVALS,
	    .ask = USAGE_ASK_NONE, .at = longest_at, .to = longest_at + longest};

	goal.ask.what = USAGE_ASK_INTERVALS;
	goal.ask.thread = thread;
	goal.ask.state = state;
	goal.ask.io = io;
	return goal;
}

/* Count, total, least, average, most: in several tables, at the same places. */
#define STRETCH_COLUMNS                                                                   \
	{"total", "Total ms", "all together", VALUE_TIME, .from = 0},                      \
	    {"count", "Count", "how often", VALUE_COUNT, .from = 0},                       \
	    {"min", "Min ms", "the shortest", VALUE_TIME, .from = 70},                     \
	    {"average", "Avg ms", "", VALUE_TIME, .from = 60},                             \
	    {"max", "Max ms", "the longest", VALUE_TIME, .from = 0}

static void
stretch_cells(struct value *v, nsec total, uint64_t count, nsec least, nsec most)
{
	v[0] = value_time(total);
	v[1] = value_count(count);
	v[2] = value_time(least);
	v[3] = filling_average(total, count);
	v[4] = value_time(most);
}

/* Thread states ------------------------------------------------------------------- */

enum { STATE_SHARE = 5, STATE_TID, STATE_PID, STATE_STATE, STATE_THREAD, STATE_PROCESS };

static const struct column state_columns[] = {
	STRETCH_COLUMNS,
	{"share%", "% of time", "of the range", VALUE_PERCENT, .from = 100},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"state", "State", "what it was in", VALUE_TEXT, .from = 0},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"process", "Process", "whose thread it is", VALUE_TEXT, .from = 110, .flags = LIST_WITH_ID},
	{.id = NULL},
};

static void
states_fill(struct filling *f)
{
	for (size_t i = 0; i < f->usage->state_count; i++) {
		const struct usage_state *s = &f->usage->states[i];
		struct value *v = filling_add(f,
		    filling_of(f, s->thread, (uint64_t)s->state << 8 | s->io),
		    intervals_goal(s->thread, s->state, s->io, s->most_at, s->most));

		stretch_cells(v, s->total, s->count, s->least, s->most);
		v[STATE_SHARE] = value_percent(s->total, f->length);
		filling_put_thread(f, v, s->thread, STATE_TID, STATE_THREAD, STATE_PID,
		    STATE_PROCESS);
		v[STATE_STATE] = filling_state(f, s->state, s->io);
	}
}

const struct usage_table_info usage_states = {
	"Thread states", true, states_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("states", state_columns, 0, "no thread has a state in this range"),
};

/* States of all threads ------------------------------------------------------------- */

enum { SWITCH_THREADS = 5, SWITCH_STATE };

static const struct column switch_columns[] = {
	STRETCH_COLUMNS,
	{"threads", "Threads", "that were in it", VALUE_COUNT, .from = 0},
	{"state", "State", "Enter: the threads that were in it", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
switches_fill(struct filling *f)
{
	struct usage_state sums[TASK_STATES][IO_YES + 1] = {{{0}}};
	uint32_t threads[TASK_STATES][IO_YES + 1] = {{0}};

	for (size_t i = 0; i < f->usage->state_count; i++) {
		const struct usage_state *s = &f->usage->states[i];
		struct usage_state *sum = &sums[s->state][s->io];

		if (threads[s->state][s->io]++ == 0)
			sum->least = INT64_MAX;
		sum->total += s->total;
		sum->count += s->count;
		sum->least = nsec_min(sum->least, s->least);
		sum->most = nsec_max(sum->most, s->most);
	}
	for (uint8_t state = 0; state < TASK_STATES; state++) {
		for (uint8_t io = IO_UNTOLD; io <= IO_YES; io++) {
			const struct usage_state *sum = &sums[state][io];
			struct value *v;

			if (threads[state][io] == 0)
				continue;
			v = filling_add(f, (uint64_t)state << 8 | io,
			    (struct usage_goal){.kind = GOAL_TABLE, .table = USAGE_STATES,
			    .ask = USAGE_ASK_NONE, .filter = task_states[state].name});
			stretch_cells(v, sum->total, sum->count, sum->least, sum->most);
			v[SWITCH_THREADS] = value_count(threads[state][io]);
			v[SWITCH_STATE] = filling_state(f, state, io);
		}
	}
}

const struct usage_table_info usage_switches = {
	"State totals", true, switches_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("switches", switch_columns, 0, "no thread has a state in this range"),
};

/* Wakeup latency -------------------------------------------------------------------- */

enum { LATENCY_TOTAL, LATENCY_COUNT, LATENCY_AVERAGE, LATENCY_MOST, LATENCY_AT, LATENCY_TID,
	LATENCY_PID, LATENCY_WAKER, LATENCY_PROCESS, LATENCY_THREAD };

static const struct column latency_columns[] = {
	{"total", "Waited ms", "for a core, all wakeups together", VALUE_TIME, .from = 0},
	{"wakeups", "Wakeups", "times that it was woken", VALUE_COUNT, .from = 0},
	{"average", "Avg ms", "wait for a core after a wakeup", VALUE_TIME, .from = 60},
	{"max", "Max ms", "the longest wait", VALUE_TIME, .from = 0},
	{"max-at", "At ms", "when the longest began", VALUE_TIME, .from = 100, .flags = LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"waker", "Then woken by", "who woke it when it waited longest", VALUE_TEXT, .from = 100},
	{"process", "Process", "whose thread it is", VALUE_TEXT, .from = 130, .flags = LIST_WITH_ID},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{.id = NULL},
};

static void
latency_fill(struct filling *f)
{
	for (uint32_t i = 0; i < f->usage->thread_count; i++) {
		const struct usage_thread *t = &f->usage->threads[i];
		struct usage_goal goal = intervals_goal(i, -1, -1, t->waited_at, t->waited_most);
		struct value *v;

		if (t->wakeups == 0)
			continue;
		goal.ask.woken = true;
		v = filling_add(f, filling_of(f, i, 0), goal);
		v[LATENCY_TOTAL] = value_time(t->waited);
		v[LATENCY_COUNT] = value_count(t->wakeups);
		v[LATENCY_AVERAGE] = filling_average(t->waited, t->wakeups);
		v[LATENCY_MOST] = value_time(t->waited_most);
		v[LATENCY_AT] = value_time(t->waited_at);
		filling_put_thread(f, v, i, LATENCY_TID, LATENCY_THREAD, LATENCY_PID,
		    LATENCY_PROCESS);
		v[LATENCY_WAKER] = filling_waker(f, t->waker);
	}
}

const struct usage_table_info usage_latency = {
	"Scheduling latency", true, latency_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("latency", latency_columns, LATENCY_MOST, "no thread was woken in this range"),
};

/* Blocked --------------------------------------------------------------------------- */

enum { BLOCK_TOTAL, BLOCK_COUNT, BLOCK_AVERAGE, BLOCK_MOST, BLOCK_AT, BLOCK_TID, BLOCK_IO, BLOCK_THREAD,
	BLOCK_CALLER };

static const struct column block_columns[] = {
	{"total", "Total ms", "all together", VALUE_TIME, .from = 0},
	{"count", "Count", "how often", VALUE_COUNT, .from = 0},
	{"average", "Avg ms", "", VALUE_TIME, .from = 70},
	{"max", "Max ms", "the longest", VALUE_TIME, .from = 0},
	{"max-at", "At ms", "", VALUE_TIME, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"io", "For", "I/O or something else; nothing: not told", VALUE_TEXT, .from = 0},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"caller", "Blocked in", "the kernel's function, where it is told", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
blocked_fill(struct filling *f)
{
	static const char *const io[] = {[IO_UNTOLD] = "", [IO_NO] = "not I/O", [IO_YES] = "I/O"};

	for (size_t i = 0; i < f->usage->block_count; i++) {
		const struct usage_block *b = &f->usage->blocks[i];
		struct usage_goal goal = intervals_goal(b->thread, -1, b->io, b->most_at, b->most);
		struct value *v;

		goal.ask.caller = b->caller;
		if (b->caller == 0)
			goal.ask.state = TASK_BLOCKED;
		v = filling_add(f, filling_of(f, b->thread, (uint64_t)b->caller << 2 | b->io), goal);
		v[BLOCK_TOTAL] = value_time(b->total);
		v[BLOCK_COUNT] = value_count(b->count);
		v[BLOCK_AVERAGE] = filling_average(b->total, b->count);
		v[BLOCK_MOST] = value_time(b->most);
		v[BLOCK_AT] = value_time(b->most_at);
		v[BLOCK_TID] = value_count(trace_thread(f->trace, b->thread)->id);
		v[BLOCK_IO] = filling_text(io[b->io]);
		v[BLOCK_THREAD] = filling_thread(f, b->thread);
		v[BLOCK_CALLER] = filling_caller(f, b->caller);
	}
}

const struct usage_table_info usage_blocked = {
	"Blocked", true, blocked_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("blocked", block_columns, 0, "no thread was blocked in this range"),
};

/* Priorities ------------------------------------------------------------------------ */

enum { PRIORITY_THREADS = 5, PRIORITY_SHARE, PRIORITY };

static const struct column priority_columns[] = {
	STRETCH_COLUMNS,
	{"threads", "Threads", "that ran with it", VALUE_COUNT, .from = 0},
	{"share%", "% of running", "of what all threads ran", VALUE_PERCENT, .from = 0},
	{"priority", "Priority", "the kernel's number: less is more urgent; nothing: not told", VALUE_COUNT, .flags = LIST_ASCENDING},
	{.id = NULL},
};

static void
priorities_fill(struct filling *f)
{
	for (size_t i = 0; i < f->usage->priority_count; i++) {
		const struct usage_priority *p = &f->usage->priorities[i];
		struct value *v = filling_add(
		    f, (uint32_t)p->priority, (struct usage_goal){.kind = GOAL_NONE});

		stretch_cells(v, p->total, p->count, p->least, p->most);
		v[PRIORITY_THREADS] = value_count(p->threads);
		v[PRIORITY_SHARE] = value_percent(p->total, f->usage->ran);
		if (p->priority != SCHED_NO_PRIORITY)
			v[PRIORITY] = value_number(p->priority);
	}
}

const struct usage_table_info usage_priorities = {
	"Priorities", true, priorities_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("priorities", priority_columns, 0, "no thread ran in this range"),
};
