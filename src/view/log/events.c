// SPDX-License-Identifier: Apache-2.0
/* Tables of a log's counters and chains, and of how it could be read. */

#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "view/log/filling.h"

/* Tables of what was chosen in another one: intervals, waits, the slices of a chain. */

static struct usage_goal
time_goal(uint32_t thread, nsec at, nsec to)
{
	return (struct usage_goal){.kind = GOAL_TIME, .thread = thread, .at = at, .to = to};
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
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{.id = NULL},
};

static void
intervals_fill(struct filling *f)
{
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->interval_count; n++) {
		const struct interval *i = &l->intervals[n];
		struct value *v = filling_add(f,
		    filling_of(f, i->thread, (uint64_t)i->from), time_goal(i->thread, i->from, i->to));

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

const struct usage_table_info usage_intervals = {
	"Intervals", true, intervals_fill, USAGE_ASK_INTERVALS,
	USAGE_SOURCE("intervals", interval_columns, INTERVAL_LENGTH,
	    "no such interval in this range"),
};

/* Why a thread waited ------------------------------------------------------------------- */

enum { WAITS_NUMBER, WAITS_START, WAITS_LENGTH, WAITS_SHARE, WAITS_LOG, WAITS_TID, WAITS_STATE,
	WAITS_THREAD, WAITS_WHAT };

static const struct column waits_columns[] = {
	{"number", "#", "each wait before what explains it", VALUE_COUNT, .from = 120,
	    .flags = LIST_ASCENDING},
	{"start", "Start ms", "since the log began", VALUE_TIME, .flags = LIST_ASCENDING},
	{"duration", "Time ms", "how long", VALUE_TIME, .from = 0},
	{"share%", "% of wait", "of the whole wait; nothing: the rows below it have it",
	    VALUE_PERCENT, .from = 0},
	{"log-time", "In the log", "", VALUE_TIME, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"state", "State", "what the thread was in", VALUE_TEXT, .from = 120},
	{"thread", "Thread", "its id and name; Enter goes there", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"what", "Why", "what it waited for, below that what happened meanwhile", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

/* "blocked for I/O in io_schedule", "sleeps" */
static void
sleep_text(struct filling *f, const struct wait_row *w)
{
	bool blocked = task_states[w->state].class == TASK_CLASS_BLOCKED;
	struct value caller = filling_caller(f, w->caller);

	sbuf_text(&f->text, !blocked ? "sleeps" : w->io == IO_YES ? "blocked for I/O" : "blocked");
	if (w->caller > 0)
		sbuf_printf(&f->text, " in %.*s", STR_ARG(caller.text));
}

static struct value
what_text(struct filling *f, const struct wait_row *w)
{
	bool for_core = task_states[w->state].class == TASK_CLASS_RUNNABLE;
	struct value waker = filling_waker(f, w->waker);

	if (w->state == TASK_UNKNOWN && w->kind == WAIT_UNKNOWN)
		return filling_text("not known");
	if (w->kind == WAIT_IDLE || w->kind == WAIT_RAN || w->kind == WAIT_HELD) {
		sbuf_printf(&f->text, w->kind == WAIT_IDLE ? "cpu%" PRIu32 " is idle"
				    : w->kind == WAIT_RAN  ? "runs on cpu%" PRIu32
							   : "has cpu%" PRIu32, w->cpu);
		if (w->method != METHOD_NONE)
			sbuf_printf(&f->text, ": %.*s", STR_ARG(names_full(f->names, w->method)));
		return filling_kept(f);
	}
	if (!for_core)
		sleep_text(f, w);
	else if (w->cpu != UINT32_MAX)
		sbuf_printf(&f->text, "waits for cpu%" PRIu32, w->cpu);
	else
		sbuf_text(&f->text, "waits for a core");
	if (w->waker == SCHED_INTERRUPT)
		sbuf_text(&f->text, ", woken by an interrupt");
	else if (waker.kind == VALUE_TEXT)
		sbuf_printf(&f->text, ", woken by %.*s", STR_ARG(waker.text));
	else if (w->state == TASK_PREEMPTED)
		sbuf_text(&f->text, ", preempted");
	if (w->kind == WAIT_UNKNOWN)
		sbuf_text(&f->text, waker.kind == VALUE_TEXT && !for_core ? "; not followed"
									   : "; the end is not known");
	return filling_kept(f);
}

static void
waits_fill(struct filling *f)
{
	const struct waits *all = &f->usage->list.waits;

	for (size_t n = 0; n < all->count; n++) {
		const struct wait_row *w = &all->rows[n];
		struct value *v = filling_add(f, n, time_goal(w->thread, w->from, w->to));

		f->tables->rows[f->tables->count - 1].depth = w->depth;
		v[WAITS_NUMBER] = value_count(n + 1);
		v[WAITS_START] = value_time(w->from);
		v[WAITS_LENGTH] = value_time(w->to - w->from);
		if (w->kind != WAIT_FOLLOWED)
			v[WAITS_SHARE] = value_percent(
			    w->to - w->from, all->range.to - all->range.from);
		v[WAITS_LOG] = log_time(f, w->from);
		v[WAITS_TID] = value_count(trace_thread(f->trace, w->thread)->id);
		if (w->state != TASK_UNKNOWN)
			v[WAITS_STATE] = filling_state(f, w->state, w->io);
		v[WAITS_THREAD] = filling_thread(f, w->thread);
		v[WAITS_WHAT] = what_text(f, w);
	}
}

const struct usage_table_info usage_waits = {
	"Wait", true, waits_fill, USAGE_ASK_WAITS,
	USAGE_SOURCE("waits", waits_columns, WAITS_NUMBER,
	    "no wait of this thread is known here"),
};

/* One chain ----------------------------------------------------------------------- */

enum { LINK_NUMBER, LINK_START, LINK_LENGTH, LINK_LOG, LINK_TID, LINK_PID, LINK_SPAN, LINK_PARENT,
	LINK_FLAG, LINK_PROCESS, LINK_THREAD, LINK_SLICE };

static const struct column link_columns[] = {
	{"number", "#", "parents before their children", VALUE_COUNT, .flags = LIST_ASCENDING},
	{"start", "Start ms", "since the log began", VALUE_TIME, .flags = LIST_ASCENDING},
	{"duration", "Time ms", "how long; nothing: it does not end in the log", VALUE_TIME, .from = 0},
	{"log-time", "In the log", "", VALUE_TIME, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"span", "Span", "this node of the chain", VALUE_TEXT, .from = 0},
	{"parent", "Parent", "the node that it is below", VALUE_TEXT, .from = 70},
	{"flag", "C/S", "C: the caller's side, S: the called side", VALUE_TEXT, .from = 90},
	{"process", "Process", "whose slice it is", VALUE_TEXT, .from = 120, .flags = LIST_WITH_ID},
	{"thread", "Thread", "its id and name", VALUE_TEXT, .from = 60, .flags = LIST_WITH_ID},
	{"slice", "Slice", "its name, below its parent", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
chain_fill(struct filling *f)
{
	static const char flags[][2] = {"C", "S"};
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->link_count; n++) {
		const struct usage_link *u = &l->links[n];
		const struct log_link *link = &u->link;
		struct value *v = filling_add(f, link->offset,
		    time_goal(link->thread, link->from,
			link->to != LOG_OPEN ? link->to : link->from));

		f->tables->rows[f->tables->count - 1].depth = u->depth;
		v[LINK_NUMBER] = value_count(n + 1);
		v[LINK_START] = value_time(link->from);
		if (link->to != LOG_OPEN)
			v[LINK_LENGTH] = value_time(link->to - link->from);
		v[LINK_LOG] = log_time(f, link->from);
		filling_put_thread(f, v, link->thread, LINK_TID, LINK_THREAD, LINK_PID,
		    LINK_PROCESS);
		v[LINK_SPAN] = filling_clean(f, u->span);
		v[LINK_PARENT] = filling_clean(f, u->parent);
		if (u->flag != 0)
			v[LINK_FLAG] = filling_text(flags[u->flag == 'S']);
		v[LINK_SLICE] = filling_clean(f, trace_method(f->trace, link->method)->name);
	}
}

const struct usage_table_info usage_chain = {
	"Chain", false, chain_fill, USAGE_ASK_CHAIN,
	USAGE_SOURCE("chain", link_columns, LINK_NUMBER, "no slice of this chain"),
};

/* Counters ------------------------------------------------------------------------ */

enum { COUNTER_COUNT, COUNTER_NOW, COUNTER_FIRST, COUNTER_LAST, COUNTER_DELTA, COUNTER_RATE, COUNTER_LEAST,
	COUNTER_MOST, COUNTER_AVERAGE, COUNTER_UNIT, COUNTER_PID, COUNTER_CATEGORY, COUNTER_PROCESS,
	COUNTER_NAME };

static const struct column counter_columns[] = {
	{"count", "Count", "values that were set", VALUE_COUNT, .from = 0},
	{"at-cursor", "At cursor", "value that holds at the time cursor", VALUE_REAL, .from = 100,
	    .flags = LIST_FOR_PEOPLE},
	{"first", "First", "value", VALUE_REAL, .from = 100},
	{"last", "Last", "value", VALUE_REAL, .from = 0},
	{"delta", "Delta", "from first to last", VALUE_REAL, .from = 76},
	{"rate", "Rate/s", "delta a second of the range", VALUE_REAL, .from = 120},
	{"min", "Min", "smallest value", VALUE_REAL, .from = 60},
	{"max", "Max", "largest value; Enter goes to when it was set", VALUE_REAL, .from = 0},
	{"average", "Avg", "weighted by how long each value held", VALUE_REAL, .from = 70},
	{"unit", "Unit", "of the values", VALUE_TEXT, .from = 90},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"category", "Category", "", VALUE_TEXT, .flags = LIST_FOR_PROGRAMS},
	{"process", "Process", "whose counter it is", VALUE_TEXT, .from = 100, .flags = LIST_WITH_ID},
	{"counter", "Counter", "its name", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

/* The number of samples that are at a time or before it. */
static uint64_t
samples_until(const struct spool *samples, nsec at)
{
	uint64_t low = 0, high = samples->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		const struct log_sample *s = spool_peek(samples, middle);

		if (s->at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Values of counters that hold at a time, by counter; NAN before the first.  The caller frees it. */
static double *
values_at(const struct log *log, uint32_t count, nsec at)
{
	double *values = mem_alloc(((size_t)count + 1) * sizeof(*values));
	uint64_t n = samples_until(&log->samples, at);
	uint32_t left = count;

	for (uint32_t i = 0; i < count; i++)
		values[i] = NAN;
	while (n > 0 && left > 0) {
		const struct log_sample *s = spool_peek(&log->samples, --n);

		if (s->counter >= count || !isnan(values[s->counter]) || isnan(s->value))
			continue;
		values[s->counter] = s->value;
		left--;
	}
	return values;
}

static void
counters_fill(struct filling *f)
{
	double *now = values_at(f->log, f->usage->counter_count, f->tables->cursor);

	for (uint32_t i = 0; i < f->usage->counter_count; i++) {
		const struct usage_counter *u = &f->usage->counters[i];
		const struct log_counter *c = seg_at(&f->log->counters, i);
		struct value *v;

		if (!u->known)
			continue;
		v = filling_add(f, identity_below(identity_process(f->identities, c->process),
		    identity_text(c->name)), (struct usage_goal){.kind = GOAL_TIME,
		    .thread = THREAD_NONE, .at = u->max_at, .to = u->max_at});
		v[COUNTER_COUNT] = value_count(u->count);
		v[COUNTER_NOW] = value_measure(now[i], -1, c->unit);
		v[COUNTER_FIRST] = value_measure(u->first, -1, c->unit);
		v[COUNTER_LAST] = value_measure(u->last, -1, c->unit);
		v[COUNTER_DELTA] = value_measure(u->last - u->first, -1, c->unit);
		if (f->length > 0)
			v[COUNTER_RATE] = value_measure(
			    (u->last - u->first) * 1e9 / (double)f->length, 3, c->unit);
		v[COUNTER_LEAST] = value_measure(u->min, -1, c->unit);
		v[COUNTER_MOST] = value_measure(u->max, -1, c->unit);
		v[COUNTER_AVERAGE] = value_measure(u->average, 3, c->unit);
		v[COUNTER_UNIT] = filling_text(log_unit_names[c->unit]);
		v[COUNTER_PID] = filling_pid(f, c->process);
		v[COUNTER_CATEGORY] = filling_clean(f, c->category);
		v[COUNTER_PROCESS] = filling_process(f, c->process);
		v[COUNTER_NAME] = filling_clean(f, c->name);
	}
	mem_free(now);
}

const struct usage_table_info usage_counters = {
	"Counters", false, counters_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("counters", counter_columns, COUNTER_COUNT,
	    "no counter has a value in this range"),
};

/* Messages of Android's log ------------------------------------------------------------- */

enum { MESSAGE_TIME, MESSAGE_PRIORITY, MESSAGE_PID, MESSAGE_TID, MESSAGE_PROCESS, MESSAGE_THREAD,
	MESSAGE_TAG, MESSAGE_TEXT };

static const struct column message_columns[] = {
	{"time", "Time ms", "since the log began", VALUE_TIME, .from = 0, .flags = LIST_ASCENDING},
	{"priority", "P", "as logcat has it: V D I W E F", VALUE_TEXT, .from = 0},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"process", "Process", "that wrote it", VALUE_TEXT, .from = 120, .flags = LIST_WITH_ID},
	{"thread", "Thread", "that wrote it; Enter goes there", VALUE_TEXT, .from = 90, .flags = LIST_WITH_ID},
	{"tag", "Tag", "of its message", VALUE_TEXT, .from = 0},
	{"message", "Message", "", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
messages_fill(struct filling *f)
{
	const struct usage_list *l = &f->usage->list;

	for (size_t n = 0; n < l->message_count; n++) {
		const struct usage_message *m = &l->messages[n];
		struct value *v = filling_add(f, identity_below(filling_of(f, m->thread, (uint64_t)m->at), n),
		    time_goal(m->thread, m->at, m->at));

		v[MESSAGE_TIME] = value_time(m->at);
		sbuf_char(&f->text, m->priority);
		v[MESSAGE_PRIORITY] = filling_kept(f);
		filling_put_thread(f, v, m->thread, MESSAGE_TID, MESSAGE_THREAD, MESSAGE_PID,
		    MESSAGE_PROCESS);
		v[MESSAGE_TAG] = filling_clean(f, m->tag);
		v[MESSAGE_TEXT] = filling_clean(f, m->text);
	}
}

const struct usage_table_info usage_messages = {
	"Log messages", false, messages_fill, USAGE_ASK_MESSAGES,
	USAGE_SOURCE("messages", message_columns, MESSAGE_TIME, "no message in this range"),
};

/* Chains -------------------------------------------------------------------------- */

enum { CHAIN_SLICES, CHAIN_START, CHAIN_LENGTH, CHAIN_THREADS, CHAIN_FIRST, CHAIN_ID };

static const struct column chain_columns[] = {
	{"slices", "Slices", "that begin in the range", VALUE_COUNT, .from = 0},
	{"start", "Start ms", "of the first slice", VALUE_TIME, .flags = LIST_ASCENDING},
	{"duration", "Lasts ms", "from the first slice's beginning to the last end", VALUE_TIME, .from = 0},
	{"changes", "Thread hops", "of thread, from one slice to the next", VALUE_COUNT, .from = 70},
	{"first", "First slice", "its name", VALUE_TEXT, .from = 0},
	{"chain", "Chain id", "Enter: its slices", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
chains_fill(struct filling *f)
{
	for (uint32_t i = 0; i < f->usage->chain_count; i++) {
		const struct usage_chain *c = &f->usage->chains[i];
		struct usage_goal goal = {.kind = GOAL_TABLE, .table = USAGE_CHAIN,
		    .ask = USAGE_ASK_NONE};
		struct str id = ((struct log_chain *)seg_at(&f->log->chains, i))->id;
		struct value *v;

		if (c->slices == 0)
			continue;
		goal.ask.what = USAGE_ASK_CHAIN;
		goal.ask.chain = i;
		v = filling_add(f, identity_text(id), goal);
		v[CHAIN_SLICES] = value_count(c->slices);
		v[CHAIN_START] = value_time(c->from);
		v[CHAIN_LENGTH] = value_time(c->to - c->from);
		v[CHAIN_THREADS] = value_count(c->changes);
		v[CHAIN_FIRST] = filling_clean(f, trace_method(f->trace, c->first)->name);
		v[CHAIN_ID] = filling_clean(f, id);
	}
}

const struct usage_table_info usage_chains = {
	"Flows", false, chains_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("chains", chain_columns, CHAIN_LENGTH,
	    "no slice in this range has a chain id (HiTraceChain)"),
};

/* Summary ------------------------------------------------------------------------- */

enum { SUMMARY_NUMBER, SUMMARY_COUNT, SUMMARY_WHAT, SUMMARY_NAME, SUMMARY_HELP };

static const struct column summary_columns[] = {
	{"number", "#", "in the order of the list", VALUE_COUNT, .from = 120, .flags = LIST_ASCENDING},
	{"count", "Count", "how many there are in the whole log", VALUE_COUNT, .from = 0},
	{"what", "What", "log, marker, form, level, tag, event, event not read, line not read", VALUE_TEXT, .from = 60},
	{"name", "Name", "what is counted", VALUE_TEXT, .from = 0},
	{"help", "Meaning", "", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

static void
summary_row(struct filling *f, const char *what, struct value name, uint64_t count,
    struct value help)
{
	struct value *v = filling_add(
	    f, f->tables->count, (struct usage_goal){.kind = GOAL_NONE});

	v[SUMMARY_NUMBER] = value_count(f->tables->count);
	v[SUMMARY_COUNT] = value_count(count);
	v[SUMMARY_WHAT] = filling_text(what);
	v[SUMMARY_NAME] = name;
	v[SUMMARY_HELP] = help;
}

static struct value
func_size(struct filling *f, const struct log_func *func)
{
	if (func->bytes == 0)
		return VALUE_NONE;
	sbuf_printf(&f->text, "%s of the file", fmt_bytes(FMT_BUF, func->bytes));
	return filling_kept(f);
}

static void
summary_fill(struct filling *f)
{
	const struct log_summary *s = &f->log->summary;
	uint32_t funcs = seg_count(&f->log->funcs), left_count;
	const struct log_func **left;

	for (int i = 0; i < log_count_count; i++) {
		uint64_t count = log_count_get(s, &log_counts[i]);

		if (count > 0 || !log_counts[i].trouble)
			summary_row(f, "log", filling_text(log_counts[i].name), count,
			    filling_text(log_counts[i].help));
	}
	for (int i = 0; i < LOG_MARKERS; i++)
		if (s->markers[i] > 0)
			summary_row(f, "marker", filling_text(log_marker_names[i]), s->markers[i], VALUE_NONE);
	for (int i = 0; i < LOG_FORMS; i++)
		if (s->forms[i] > 0)
			summary_row(f, "form", filling_text(log_form_names[i]), s->forms[i],
			    filling_text("markers in this form"));
	for (int i = 0; i < LOG_LEVELS; i++)
		if (s->levels[i] > 0)
			summary_row(f, "level", filling_text(log_levels[i].name), s->levels[i],
			    filling_text("slices of this level"));
	for (int i = 0; i < LOG_TAGS; i++) {
		if (s->tags[i] == 0)
			continue;
		log_tag_text(&f->text, i);
		summary_row(f, "tag", filling_kept(f), s->tags[i],
		    filling_text("slices with this tag"));
	}
	for (uint32_t i = 0; i < funcs; i++) {
		const struct log_func *func = seg_at(&f->log->funcs, i);

		if (func->count > 0 && !func->left)
			summary_row(f, "event", filling_clean(f, func->name), func->count,
			    func_size(f, func));
	}
	left = log_left(f->log, &left_count);
	for (uint32_t i = 0; i < left_count; i++)
		summary_row(f, "not read", filling_clean(f, left[i]->name), left[i]->count,
		    func_size(f, left[i]));
	mem_free((void *)left);
	for (size_t i = 0; i < LOG_SKIPPED_KEPT && i < s->skipped; i++)
		summary_row(f, "line", filling_text("not read"), 1,
		    filling_clean(f, f->log->skipped[i]));
}

const struct usage_table_info usage_summary = {
	"Log summary", false, summary_fill, USAGE_ASK_NOTHING,
	USAGE_SOURCE("summary", summary_columns, SUMMARY_NUMBER, ""),
};
