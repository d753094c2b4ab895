// SPDX-License-Identifier: Apache-2.0
/* The table of app starts, and below each its phases. */

#include <config.h>

#include "view/log/filling.h"

enum { START_NUMBER, START_START, START_TIME, START_INITIAL, START_FULL, START_RUNNING, START_RUNNABLE,
	START_SLEEPING, START_BLOCKED, START_PID, START_TYPE, START_PROCESS, START_PACKAGE,
	START_CAUSE, START_PHASE };

static const struct column start_columns[] = {
	{"number", "#", "in the order of time, phases after their start", VALUE_COUNT, .from = 120,
	    .flags = LIST_ASCENDING},
	{"start", "Start ms", "since the log began", VALUE_TIME, .from = 0, .flags = LIST_ASCENDING},
	{"time", "Time ms", "how long", VALUE_TIME, .from = 0},
	{"ttid", "Display ms", "to the first frame that was drawn (TTID)", VALUE_TIME, .from = 60},
	{"ttfd", "In full ms", "to the first frame drawn after the app said that it is complete (TTFD)",
	    VALUE_TIME, .from = 100},
	{"running", "Running", "what the app's main thread did: it ran", VALUE_TIME, .from = 80},
	{"runnable", "Runnable", "it waited for a core", VALUE_TIME, .from = 110},
	{"sleeping", "Sleeping", "it slept", VALUE_TIME, .from = 90},
	{"blocked", "Blocked", "it was blocked in the kernel", VALUE_TIME, .from = 110},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"type", "Type", "cold: with a new process; warm: with a new activity; hot", VALUE_TEXT, .from = 0},
	{"process", "Process", "that started", VALUE_TEXT, .from = 140, .flags = LIST_WITH_ID},
	{"package", "Package", "that started", VALUE_TEXT, .flags = LIST_FOR_PROGRAMS},
	{"cause", "Mostly", "what else than to run took most of a phase", VALUE_TEXT, .from = 130},
	{"phase", "App start, phases", "the package; below it the phases of its start", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static struct value *
row_add(struct filling *f, const struct app_start *start, uint64_t n, nsec from, nsec to)
{
	struct value *v = filling_add(f,
	    identity_below(identity_process(f->identities, start->process),
		(uint64_t)start->from * START_PHASES + n),
	    (struct usage_goal){.kind = GOAL_TIME, .thread = start->thread, .at = from, .to = to});

	v[START_NUMBER] = value_count(f->tables->count);
	v[START_START] = value_time(from);
	v[START_PID] = filling_pid(f, start->process);
	v[START_PACKAGE] = filling_clean(f, str_from(start->package));
	return v;
}

static void
states_put(const struct filling *f, struct value *v, const nsec state[JANK_STATES], uint32_t thread)
{
	static const int columns[JANK_STATES] = {[JANK_RUNNING] = START_RUNNING,
	    [JANK_RUNNABLE] = START_RUNNABLE, [JANK_SLEEPING] = START_SLEEPING,
	    [JANK_BLOCKED] = START_BLOCKED};

	for (int i = 0; f->log->has_sched && thread != THREAD_NONE && i < JANK_STATES; i++)
		v[columns[i]] = value_time(state[i]);
}

static void
parts_fill(struct filling *f, const struct app_start *start)
{
	bool taken[START_PHASES] = {false};

	/* In the order of time; the rest has no time of its own and comes last. */
	for (int n = 0; n < START_PHASES; n++) {
		const struct start_part *p = NULL;
		struct value *v;
		int phase = -1;

		for (int i = 0; i < START_PHASES; i++) {
			const struct start_part *at = &start->parts[i];

			if (!taken[i] && at->to >= at->from &&
			    (p == NULL || (i != START_OTHER && at->from < p->from))) {
				p = at;
				phase = i;
			}
		}
		if (p == NULL)
			return;
		taken[phase] = true;
		v = row_add(f, start, (uint64_t)phase + 1, p->from, p->to);
		f->tables->rows[f->tables->count - 1].depth = 1;
		if (phase == START_OTHER)
			v[START_START] = VALUE_NONE;
		v[START_TIME] = value_time(p->time);
		v[START_PHASE] = filling_text(start_phase_names[phase]);
		states_put(f, v, p->state, start->thread);
		if (p->cause.time > 0)
			v[START_CAUSE] = path_cause(f, &p->cause);
	}
}

static void
starts_fill(struct filling *f)
{
	const struct starts *all = &f->usage->starts;

	for (size_t i = 0; i < all->count; i++) {
		const struct app_start *start = &all->items[i];
		struct value *v = row_add(f, start, 0, start->from, start->to);

		v[START_TIME] = value_time(start->to - start->from);
		if (start->initial >= 0)
			v[START_INITIAL] = value_time(start->initial);
		if (start->full >= 0)
			v[START_FULL] = value_time(start->full);
		v[START_TYPE] = filling_text(start_type_names[start->type]);
		v[START_PROCESS] = filling_process(f, start->process);
		v[START_PHASE] = v[START_PACKAGE];
		states_put(f, v, start->state, start->thread);
		parts_fill(f, start);
	}
}

const struct usage_table_info usage_starts = {
	"App starts", false, starts_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("starts", start_columns, START_NUMBER, "no app starts in this range"),
};
