// SPDX-License-Identifier: Apache-2.0
/* Tables of CPU use: processes, threads, cores, frequencies and idle states, and the top 20. */
#include <config.h>

#include "base/number.h"
#include "view/log/filling.h"

enum { SHARES_SHOWN = 8, FREQUENCIES_SHOWN = 3, TOP = 20 };

/* Ran, of one core, of all: the same columns first. */
#define RAN_COLUMNS                                                                       \
	{"running", "Running ms", "time on a core", VALUE_TIME, .from = 0},                \
	    {"core%", "% core", "of one core, as far as it is known", VALUE_PERCENT, .from = 0}, \
	    {"all%", "% all", "of all cores, as far as it is known", VALUE_PERCENT, .from = 60}, \
	    {"unknown", "Unknown ms", "time in which it is not known: events of cores are missing", \
		VALUE_TIME, .from = 140},                                                  \
	    {"runs", "Runs", "times that it was scheduled", VALUE_COUNT, .from = 50}

enum { RAN_CELLS = 5 };

/* Returns the part in percent; VALUE_NONE where nothing is known. */
static struct value
share_cell(nsec part, nsec known)
{
	return known > 0 ? value_percent(part, known) : VALUE_NONE;
}

static void
ran_cells(const struct filling *f, struct value *v, nsec ran, nsec unknown, uint64_t runs)
{
	v[0] = value_time(ran);
	v[1] = share_cell(ran, f->length - unknown);
	v[2] = share_cell(ran, f->usage->known);
	v[3] = value_time(unknown);
	v[4] = value_count(runs);
}

/* Processes ----------------------------------------------------------------------- */

enum { PROCESS_AVERAGE = RAN_CELLS, PROCESS_THREADS, PROCESS_ALL, PROCESS_PID, PROCESS_NAME };

static const struct column process_columns[] = {
	RAN_COLUMNS,
	{"average", "Avg ms", "average time on a core", VALUE_TIME, .from = 70},
	{"threads", "Threads", "threads of it that ran", VALUE_COUNT, .from = 60},
	{"all-threads", "Of", "threads of it that the log has", VALUE_COUNT, .from = 100},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"process", "Process", "its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{.id = NULL},
};

static void
processes_fill(struct filling *f)
{
	for (uint32_t i = 0; i < f->usage->process_count; i++) {
		const struct usage_process *u = &f->usage->processes[i];
		struct value *v;

		if (u->runs == 0)
			continue;
		v = filling_add(f, identity_process(f->identities, i),
		    (struct usage_goal){.kind = GOAL_PROCESS, .process = i});
		ran_cells(f, v, u->ran, u->unknown, u->runs);
		v[PROCESS_AVERAGE] = filling_average(u->ran, u->runs);
		v[PROCESS_THREADS] = value_count(u->threads);
		if (i < f->processes.count)
			v[PROCESS_ALL] = value_count(f->processes.items[i].threads);
		v[PROCESS_PID] = filling_pid(f, i);
		v[PROCESS_NAME] = filling_process(f, i);
	}
}

const struct usage_table_info usage_processes = {
	"CPU by process", true, processes_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("processes", process_columns, 0, "no process ran in this range"),
};

/* Threads ------------------------------------------------------------------------- */

enum { THREAD_AVERAGE = RAN_CELLS, THREAD_LONGEST, THREAD_LEFT, THREAD_PREEMPTED, THREAD_TID,
	THREAD_PID, THREAD_LABEL, THREAD_PROCESS, THREAD_CORES };

static const struct column thread_columns[] = {
	RAN_COLUMNS,
	{"average", "Avg ms", "average time on a core", VALUE_TIME, .from = 100},
	{"longest", "Longest", "longest time on a core, ms", VALUE_TIME, .from = 76},
	{"slept", "Slept", "runs that ended in sleep", VALUE_COUNT, .from = 120},
	{"preempted", "Preempt", "runs that ended in preemption", VALUE_COUNT, .from = 120},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"process", "Process", "whose thread it is", VALUE_TEXT, .from = 76, .flags = LIST_WITH_ID},
	{"cores", "On cores", "where it ran most", VALUE_TEXT, .from = 120},
	{.id = NULL},
};

/* The shares of each thread together, the largest first. */
static int
share_order(const void *left, const void *right)
{
	const struct usage_share *a = *(const struct usage_share *const *)left;
	const struct usage_share *b = *(const struct usage_share *const *)right;

	return order_then(ORDER(a->thread, b->thread),
	    order_then(ORDER(b->ran, a->ran), ORDER(a->cpu, b->cpu)));
}

/* "cpu4 61.02%  cpu7 38.98%" */
static struct value
cores_text(struct filling *f, const struct usage_share *const *share, size_t count)
{
	char percent[FMT_SIZE];
	nsec ran = count > 0 ? f->usage->threads[share[0]->thread].ran : 0;

	for (size_t i = 0; i < count && i < SHARES_SHOWN; i++)
		sbuf_printf(&f->text, "%scpu%u %s%%", i > 0 ? "  " : "", share[i]->cpu,
		    fmt_percent(percent, share[i]->ran, ran));
	return filling_kept(f);
}

static void
threads_fill(struct filling *f)
{
	const struct usage *usage = f->usage;
	const struct usage_share **shares =
	    mem_alloc((usage->share_count + 1) * sizeof(struct usage_share *));
	size_t at = 0;

	for (size_t i = 0; i < usage->share_count; i++)
		shares[i] = &usage->shares[i];
	mem_sort((void *)shares, usage->share_count, sizeof(*shares), share_order);
	for (uint32_t i = 0; i < f->usage->thread_count; i++) {
		const struct usage_thread *u = &f->usage->threads[i];
		size_t first = at;
		struct value *v;

		while (at < f->usage->share_count && shares[at]->thread == i)
			at++;
		if (u->runs == 0)
			continue;
		v = filling_add(f, filling_of(f, i, 0), (struct usage_goal){.kind = GOAL_TIME, .thread = i,
		    .at = u->longest_at, .to = u->longest_at + u->longest});
		ran_cells(f, v, u->ran, u->unknown, u->runs);
		v[THREAD_AVERAGE] = filling_average(u->ran, u->runs);
		v[THREAD_LONGEST] = value_time(u->longest);
		v[THREAD_LEFT] = value_count(u->left);
		v[THREAD_PREEMPTED] = value_count(u->preempted);
		filling_put_thread(f, v, i, THREAD_TID, THREAD_LABEL, THREAD_PID, THREAD_PROCESS);
		v[THREAD_CORES] = cores_text(f, shares + first, at - first);
	}
	mem_free((void *)shares);
}

const struct usage_table_info usage_threads = {
	"CPU by thread", true, threads_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("threads", thread_columns, 0, "no thread ran in this range"),
};

/* Cores --------------------------------------------------------------------------- */

enum { CORE_CPU, CORE_USAGE, CORE_RAN, CORE_IDLE, CORE_UNKNOWN, CORE_RUNS, CORE_BUSIEST,
	CORE_FREQUENCIES };

static const struct column core_columns[] = {
	{"cpu", "CPU", "the core's number", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"usage%", "Usage %", "of its known time that threads ran", VALUE_PERCENT, .from = 0},
	{"running", "Running ms", "time that threads ran", VALUE_TIME, .from = 0},
	{"idle", "Idle ms", "time that none did", VALUE_TIME, .from = 60},
	{"unknown", "Unknown ms", "time of which there are no events", VALUE_TIME, .from = 100},
	{"runs", "Runs", "times that a thread came on it", VALUE_COUNT, .from = 60},
	{"busiest", "Ran most", "the thread that ran on it most", VALUE_TEXT, .from = 100},
	{"frequencies", "Longest at (MHz)", "frequencies that it had longest", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

/* How long a core's frequency, or idle state, is known. */
static nsec
steps_known(const struct usage_steps *s, uint32_t cpu)
{
	nsec known = 0;

	for (size_t i = 0; i < s->count; i++)
		known += s->items[i].cpu == cpu ? s->items[i].time : 0;
	return known;
}

static struct value
frequencies_text(struct filling *f, uint32_t cpu)
{
	const struct usage_steps *s = &f->usage->frequencies;
	nsec known = steps_known(s, cpu);
	char percent[FMT_SIZE];
	int shown = 0;

	for (size_t i = 0; i < s->count && shown < FREQUENCIES_SHOWN; i++)
		if (s->items[i].cpu == cpu)
			sbuf_printf(&f->text, "%s%u: %s%%", shown++ > 0 ? "  " : "",
			    s->items[i].value / 1000,
			    fmt_percent(percent, s->items[i].time, known));
	return filling_kept(f);
}

static struct value
busiest_text(struct filling *f, uint32_t cpu)
{
	const struct usage_share *most = NULL;

	for (size_t i = 0; i < f->usage->share_count; i++) {
		const struct usage_share *s = &f->usage->shares[i];

		if (s->cpu == cpu && (most == NULL || s->ran > most->ran))
			most = s;
	}
	return most != NULL ? filling_thread(f, most->thread) : VALUE_NONE;
}

static void
cores_fill(struct filling *f)
{
	for (uint32_t i = 0; i < f->usage->core_count; i++) {
		const struct usage_core *c = &f->usage->cores[i];
		struct usage_ask ask = USAGE_ASK_NONE;
		struct value *v;

		if (!c->met)
			continue;
		ask.what = USAGE_ASK_INTERVALS;
		ask.cpu = i;
		v = filling_add(f, i, (struct usage_goal){.kind = GOAL_TABLE,
		    .table = USAGE_INTERVALS, .ask = ask});
		v[CORE_CPU] = value_count(i);
		v[CORE_FREQUENCIES] = frequencies_text(f, i);
		if (!c->switched)
			continue;
		v[CORE_USAGE] = share_cell(c->ran, f->length - c->unknown);
		v[CORE_RAN] = value_time(c->ran);
		v[CORE_IDLE] = value_time(c->idle);
		v[CORE_UNKNOWN] = value_time(c->unknown);
		v[CORE_RUNS] = value_count(c->runs);
		v[CORE_BUSIEST] = busiest_text(f, i);
	}
}

const struct usage_table_info usage_cores = {
	"CPU by core", true, cores_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("cores", core_columns, CORE_CPU, "no core has records"),
};

/* Frequencies and idle states ------------------------------------------------------- */

enum { LEVEL_CPU, LEVEL_VALUE, LEVEL_TIME, LEVEL_SHARE, LEVEL_COUNT, LEVEL_WHAT };

static const struct column level_columns[] = {
	{"cpu", "CPU", "the core's number", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"value", "kHz, state", "frequency, or idle state", VALUE_COUNT, .from = 0},
	{"time", "Time ms", "how long it had it", VALUE_TIME, .from = 0},
	{"share%", "% of time", "in which it is known", VALUE_PERCENT, .from = 0},
	{"count", "Count", "times that it was set", VALUE_COUNT, .from = 0},
	{"what", "What", "frequency or idle state", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
steps_fill(struct filling *f, const struct usage_steps *s, bool idle)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct usage_step *step = &s->items[i];
		struct value *v = filling_add(f,
		    (uint64_t)idle << 63 | (uint64_t)step->cpu << 32 | step->value,
		    (struct usage_goal){.kind = GOAL_NONE});

		v[LEVEL_CPU] = value_count(step->cpu);
		v[LEVEL_VALUE] = value_count(idle && step->value > 0 ? step->value - 1 : step->value);
		v[LEVEL_TIME] = value_time(step->time);
		v[LEVEL_SHARE] = share_cell(step->time, steps_known(s, step->cpu));
		v[LEVEL_COUNT] = value_count(step->count);
		v[LEVEL_WHAT] = filling_text(!idle ? "frequency"
			: step->value > 0	   ? "idle state"
						   : "not idle");
		if (idle && step->value == 0)
			v[LEVEL_VALUE].kind = VALUE_EMPTY;
	}
}

static void
levels_fill(struct filling *f)
{
	steps_fill(f, &f->usage->frequencies, false);
	steps_fill(f, &f->usage->levels, true);
}

const struct usage_table_info usage_levels = {
	"Frequencies, idle states", false, levels_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("frequencies", level_columns, LEVEL_CPU,
	    "no cpu_frequency or cpu_idle events in this range"),
};

/* The top 20 ------------------------------------------------------------------------ */

enum { TOP_NUMBER, TOP_TIME, TOP_COUNT, TOP_LIST, TOP_NAME };

static const struct column top_columns[] = {
	{"number", "#", "list by list", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"time", "Time ms", "CPU time, longest run or wait", VALUE_TIME, .from = 0},
	{"count", "Count", "runs, switches, wakeups or threads", VALUE_COUNT, .from = 0},
	{"list", "Most of", "what the list is by", VALUE_TEXT, .from = 0},
	{"name", "Thread, process", "its id and name", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

struct cpu_ranked {
	int64_t key;
	uint32_t index;
};

static int
ranked_order(const void *left, const void *right)
{
	const struct cpu_ranked *a = left, *b = right;

	return order_then(ORDER(b->key, a->key), ORDER(a->index, b->index));
}

enum top_list { TOP_CPU, TOP_RUN, TOP_SWITCHES, TOP_WAIT, TOP_PROCESS, TOP_LISTS };

static int64_t
top_key(const struct filling *f, enum top_list list, uint32_t i)
{
	const struct usage_thread *t = &f->usage->threads[i];

	switch (list) {
	case TOP_CPU:
		return t->ran;
	case TOP_RUN:
		return t->longest;
	case TOP_SWITCHES:
		return (int64_t)t->runs;
	case TOP_WAIT:
		return t->waited_most;
	default:
		return i < f->processes.count && i > 0 ? f->processes.items[i].threads : 0;
	}
}

static void
top_row(struct filling *f, enum top_list list, const struct cpu_ranked *r)
{
	static const char *const names[TOP_LISTS] = {[TOP_CPU] = "CPU time",
	    [TOP_RUN] = "longest run", [TOP_SWITCHES] = "switches",
	    [TOP_WAIT] = "wait once woken", [TOP_PROCESS] = "threads"};
	const struct usage_thread *t = &f->usage->threads[r->index];
	bool process = list == TOP_PROCESS;
	struct usage_goal goal = process
	    ? (struct usage_goal){.kind = GOAL_PROCESS, .process = r->index}
	    : (struct usage_goal){.kind = GOAL_TIME, .thread = r->index,
		  .at = list == TOP_WAIT ? t->waited_at : t->longest_at,
		  .to = list == TOP_WAIT ? t->waited_at + t->waited_most
					 : t->longest_at + t->longest};
	struct value *v = filling_add(f, process ? identity_process(f->identities, r->index)
						 : filling_of(f, r->index, (uint64_t)list), goal);

	v[TOP_NUMBER] = value_count(f->tables->count);
	if (process) {
		v[TOP_COUNT] = value_count((uint64_t)r->key);
	} else {
		v[TOP_TIME] = value_time(list == TOP_SWITCHES ? t->ran : r->key);
		v[TOP_COUNT] = value_count(list == TOP_WAIT ? t->wakeups : t->runs);
	}
	v[TOP_LIST] = filling_text(names[list]);
	v[TOP_NAME] = process ? filling_process(f, r->index) : filling_thread(f, r->index);
}

static void
top_fill(struct filling *f)
{
	uint32_t most = f->usage->thread_count > f->processes.count ? f->usage->thread_count
								     : f->processes.count;
	struct cpu_ranked *all = mem_alloc(((size_t)most + 1) * sizeof(*all));

	for (int list = 0; list < TOP_LISTS; list++) {
		uint32_t of = list == TOP_PROCESS ? f->processes.count : f->usage->thread_count;
		size_t count = 0;

		for (uint32_t i = 0; i < of; i++) {
			int64_t key = top_key(f, (enum top_list)list, i);

			if (key > 0)
				all[count++] = (struct cpu_ranked){key, i};
		}
		mem_sort(all, count, sizeof(*all), ranked_order);
		for (size_t i = 0; i < count && i < TOP; i++)
			top_row(f, (enum top_list)list, &all[i]);
	}
	mem_free(all);
}

const struct usage_table_info usage_top = {
	"Top 20", true, top_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("top", top_columns, TOP_NUMBER, "no thread ran in this range"),
};
