/* Tables of a log's counters and chains, and of how it could be read. */
#include <config.h>

#include <inttypes.h>

#include "view/usage_filling.h"

/* Counters ------------------------------------------------------------------------ */

enum { COUNTER_COUNT, COUNTER_FIRST, COUNTER_LAST, COUNTER_DELTA, COUNTER_RATE, COUNTER_LEAST,
	COUNTER_MOST, COUNTER_AVERAGE, COUNTER_PID, COUNTER_CATEGORY, COUNTER_PROCESS,
	COUNTER_NAME };

static const struct grid_column counter_columns[] = {
	{"count", "Count", "values that were set", SHEET_COUNT, 0, false},
	{"first", "First", "value", SHEET_COUNT, 100, false},
	{"last", "Last", "value", SHEET_COUNT, 0, false},
	{"delta", "Delta", "from first to last", SHEET_COUNT, 76, false},
	{"rate", "Rate/s", "delta a second of the range", SHEET_DECIMAL, 120, false},
	{"min", "Min", "smallest value", SHEET_COUNT, 60, false},
	{"max", "Max", "largest value; Enter goes to when it was set", SHEET_COUNT, 0, false},
	{"average", "Avg", "weighted by how long each value held", SHEET_DECIMAL, 70, false},
	{"pid", "Pid", "", SHEET_COUNT, GRID_FOR_PROGRAMS, true},
	{"category", "Category", "", SHEET_TEXT, GRID_FOR_PROGRAMS, true},
	{"process", "Process", "whose counter it is", SHEET_TEXT, 100, true},
	{"counter", "Counter", "its name", SHEET_TEXT, 0, true},
	{NULL, NULL, NULL, SHEET_TEXT, 0, false},
};

const struct grid_columns usage_counters_columns = {
	counter_columns, COUNTER_COUNT, "no counter has a value in this range"};

void
usage_counters_fill(struct filling *f)
{
	for (uint32_t i = 0; i < f->usage->counter_count; i++) {
		const struct usage_counter *u = &f->usage->counters[i];
		const struct log_counter *c = seg_at(&f->log->counters, i);
		struct value *v;
		int64_t delta;

		if (!u->known)
			continue;
		v = filling_add(f, i, (struct usage_goal){.kind = GOAL_TIME,
		    .thread = THREAD_NONE, .at = u->max_at});
		v[COUNTER_COUNT] = grid_count(u->count);
		v[COUNTER_FIRST] = grid_number(u->first);
		v[COUNTER_LAST] = grid_number(u->last);
		if (!__builtin_sub_overflow(u->last, u->first, &delta)) {
			v[COUNTER_DELTA] = grid_number(delta);
			if (f->length > 0)
				v[COUNTER_RATE] =
				    grid_decimal((double)delta * 1e9 / (double)f->length);
		}
		v[COUNTER_LEAST] = grid_number(u->min);
		v[COUNTER_MOST] = grid_number(u->max);
		v[COUNTER_AVERAGE] = grid_decimal(u->average);
		v[COUNTER_PID] = filling_pid(f, c->process);
		v[COUNTER_CATEGORY] = filling_clean(f, c->category);
		v[COUNTER_PROCESS] = filling_process(f, c->process);
		v[COUNTER_NAME] = filling_clean(f, c->name);
	}
}

/* Chains -------------------------------------------------------------------------- */

enum { CHAIN_SLICES, CHAIN_START, CHAIN_LENGTH, CHAIN_THREADS, CHAIN_FIRST, CHAIN_ID };

static const struct grid_column chain_columns[] = {
	{"slices", "Slices", "that begin in the range", SHEET_COUNT, 0, false},
	{"start", "Start ms", "of the first slice", SHEET_TIME, 0, true},
	{"duration", "Lasts ms", "from the first slice's beginning to the last end", SHEET_TIME, 0,
	    false},
	{"changes", "Changes", "of thread, from one slice to the next", SHEET_COUNT, 70, false},
	{"first", "First slice", "its name", SHEET_TEXT, 0, true},
	{"chain", "Chain id", "Enter: its slices", SHEET_TEXT, 0, true},
	{NULL, NULL, NULL, SHEET_TEXT, 0, false},
};

const struct grid_columns usage_chains_columns = {
	chain_columns, CHAIN_LENGTH, "no slice in this range has a chain id (HiTraceChain)"};

void
usage_chains_fill(struct filling *f)
{
	for (uint32_t i = 0; i < f->usage->chain_count; i++) {
		const struct usage_chain *c = &f->usage->chains[i];
		struct usage_goal goal = {.kind = GOAL_TABLE, .table = USAGE_CHAIN,
		    .ask = USAGE_ASK_NONE};
		struct value *v;

		if (c->slices == 0)
			continue;
		goal.ask.what = USAGE_ASK_CHAIN;
		goal.ask.chain = i;
		v = filling_add(f, i, goal);
		v[CHAIN_SLICES] = grid_count(c->slices);
		v[CHAIN_START] = grid_time(c->from);
		v[CHAIN_LENGTH] = grid_time(c->to - c->from);
		v[CHAIN_THREADS] = grid_count(c->changes);
		v[CHAIN_FIRST] = filling_clean(f, trace_method(f->trace, c->first)->name);
		v[CHAIN_ID] = filling_clean(
		    f, ((struct log_chain *)seg_at(&f->log->chains, i))->id);
	}
}

/* Summary ------------------------------------------------------------------------- */

enum { SUMMARY_NUMBER, SUMMARY_COUNT, SUMMARY_WHAT, SUMMARY_NAME, SUMMARY_HELP };

static const struct grid_column summary_columns[] = {
	{"number", "#", "in the order of the list", SHEET_COUNT, 120, true},
	{"count", "Count", "how many there are in the whole log", SHEET_COUNT, 0, false},
	{"what", "What", "log, marker, form, level, tag, event, line not read", SHEET_TEXT, 60, true},
	{"name", "Name", "what is counted", SHEET_TEXT, 0, true},
	{"help", "Meaning", "", SHEET_TEXT, 0, true},
	{NULL, NULL, NULL, SHEET_TEXT, 0, false},
};

const struct grid_columns usage_summary_columns = {summary_columns, SUMMARY_NUMBER, ""};

static void
summary_row(struct filling *f, const char *what, struct value name, uint64_t count,
    struct value help)
{
	struct value *v = filling_add(
	    f, f->grid->line_count, (struct usage_goal){.kind = GOAL_NONE});

	v[SUMMARY_NUMBER] = grid_count(f->grid->line_count);
	v[SUMMARY_COUNT] = grid_count(count);
	v[SUMMARY_WHAT] = filling_text(what);
	v[SUMMARY_NAME] = name;
	v[SUMMARY_HELP] = help;
}

void
usage_summary_fill(struct filling *f)
{
	const struct log_summary *s = &f->log->summary;
	const struct value none = {.kind = VALUE_EMPTY};
	uint32_t funcs = seg_count(&f->log->funcs);

	for (int i = 0; i < log_count_count; i++) {
		uint64_t count = log_count_get(s, &log_counts[i]);

		if (count > 0 || !log_counts[i].trouble)
			summary_row(f, "log", filling_text(log_counts[i].name), count,
			    filling_text(log_counts[i].help));
	}
	for (int i = 0; i < LOG_MARKERS; i++)
		if (s->markers[i] > 0)
			summary_row(f, "marker", filling_text(log_marker_names[i]), s->markers[i], none);
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

		if (func->count > 0)
			summary_row(f, "event", filling_clean(f, func->name), func->count, none);
	}
	for (size_t i = 0; i < LOG_SKIPPED_KEPT && i < s->skipped; i++)
		summary_row(f, "line", filling_text("not read"), 1,
		    filling_clean(f, f->log->skipped[i]));
}
