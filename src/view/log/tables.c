#include <config.h>

#include "view/log/tables.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "view/log/filling.h"

const struct usage_table_info usage_table_info[USAGE_TABLES] = {
    [USAGE_PROCESSES] = {"processes", "CPU by process", "who ran, summed by process", true,
	&usage_processes_columns, usage_processes_fill},
    [USAGE_THREADS] = {"threads", "CPU by thread", "who ran, and on which cores", true,
	&usage_threads_columns, usage_threads_fill},
    [USAGE_CORES] = {"cores", "CPU by core", "how busy each core was, and how fast", true,
	&usage_cores_columns, usage_cores_fill},
    [USAGE_STATES] = {"states", "Thread states", "what each thread did while it did not run",
	true, &usage_states_columns, usage_states_fill},
    [USAGE_SWITCHES] = {"switches", "Switches", "the states of all threads together", true,
	&usage_switches_columns, usage_switches_fill},
    [USAGE_LATENCY] = {"latency", "Wakeup latency", "how long woken threads waited for a core",
	true, &usage_latency_columns, usage_latency_fill},
    [USAGE_BLOCKED] = {"blocked", "Blocked", "where threads were blocked", true,
	&usage_blocked_columns, usage_blocked_fill},
    [USAGE_PRIORITIES] = {"priorities", "Priorities", "with which priorities threads ran", true,
	&usage_priorities_columns, usage_priorities_fill},
    [USAGE_COUNTERS] = {"counters", "Counters", "what programs and the kernel counted", false,
	&usage_counters_columns, usage_counters_fill},
    [USAGE_LEVELS] = {"frequencies", "Frequencies, idle levels",
	"how long each core had which", false, &usage_levels_columns, usage_levels_fill},
    [USAGE_TOP] = {"top", "Top 20", "most CPU time, longest runs, most switches...", true,
	&usage_top_columns, usage_top_fill},
    [USAGE_CHAINS] = {"chains", "Chains", "calls over threads and processes (HiTraceChain)",
	false, &usage_chains_columns, usage_chains_fill},
    [USAGE_SUMMARY] = {"summary", "Log summary", "what was read of the whole log, and what not",
	false, &usage_summary_columns, usage_summary_fill},
    [USAGE_INTERVALS] = {"intervals", "Intervals", "each time that a thread was in a state",
	true, &usage_intervals_columns, usage_intervals_fill},
    [USAGE_WAKERS] = {"wakers", "Wakers", "the waker of a thread, its waker, and so on", true,
	&usage_wakers_columns, usage_wakers_fill},
    [USAGE_CHAIN] = {"chain", "Chain", "the slices of one chain", false, &usage_chain_columns,
	usage_chain_fill},
};

void
usage_tables_init(struct usage_tables *t, const struct figures *figures)
{
	*t = (struct usage_tables){.ask = USAGE_ASK_NONE};
	for (int i = 0; i < USAGE_TABLES; i++)
		cells_init(&t->tables[i], figures);
}

void
usage_tables_release(struct usage_tables *t)
{
	for (int i = 0; i < USAGE_TABLES; i++)
		cells_release(&t->tables[i]);
	mem_free(t->goals);
	sbuf_release(&t->heading);
}

struct usage_ask
usage_tables_want(const struct usage_tables *t)
{
	return t->now >= USAGE_INTERVALS ? t->ask : USAGE_ASK_NONE;
}

const struct usage_goal *
usage_tables_goal(const struct usage_tables *t)
{
	size_t row = cells_cursor(&t->tables[t->now]);

	return row != SIZE_MAX ? &t->goals[row] : NULL;
}

/* Cells ------------------------------------------------------------------------- */

struct value *
filling_add(struct filling *f, uint64_t identity, struct usage_goal goal)
{
	struct value *cells = cells_add(f->cells, identity);
	size_t count = f->cells->count;

	MEM_GROW(f->tables->goals, f->tables->goal_room, count);
	f->tables->goals[count - 1] = goal;
	return cells;
}

struct value
filling_kept(struct filling *f)
{
	struct value v = value_text(cells_keep(f->cells, sbuf_view(&f->text)));

	sbuf_clear(&f->text);
	return v;
}

struct value
filling_text(const char *text)
{
	return value_text(str_from(text));
}

struct value
filling_clean(struct filling *f, struct str text)
{
	return value_text(cells_keep(f->cells, names_clean(f->names, text)));
}

struct value
filling_process(struct filling *f, uint32_t process)
{
	const struct process *of;

	if (process >= f->processes.count)
		process = 0;
	of = &f->processes.items[process];
	if (f->process_labels[process].n == 0) {
		if (process == 0)
			sbuf_text(&f->text, "(not known)");
		else
			sbuf_printf(&f->text, "%" PRIu32 " ", of->pid);
		if (of->name.n > 0)
			sbuf_str(&f->text, names_clean(f->names, of->name));
		else if (process > 0)
			sbuf_text(&f->text, "(no name)");
		f->process_labels[process] = filling_kept(f).text;
	}
	return value_text(f->process_labels[process]);
}

struct value
filling_process_of(struct filling *f, uint32_t thread)
{
	return filling_process(f, trace_thread(f->trace, thread)->process);
}

struct value
filling_pid(const struct filling *f, uint32_t process)
{
	return process > 0 && process < f->processes.count
	    ? value_count(f->processes.items[process].pid) : (struct value){.kind = VALUE_EMPTY};
}

struct value
filling_thread(struct filling *f, uint32_t thread)
{
	if (f->thread_labels[thread].n == 0) {
		sbuf_printf(&f->text, "%" PRIu32 " ", trace_thread(f->trace, thread)->id);
		sbuf_str(&f->text, names_thread(f->names, thread));
		f->thread_labels[thread] = filling_kept(f).text;
	}
	return value_text(f->thread_labels[thread]);
}

struct value
filling_average(nsec total, uint64_t count)
{
	return count > 0 ? value_time(total / (nsec)count) : (struct value){.kind = VALUE_EMPTY};
}

struct value
filling_state(struct filling *f, uint8_t state, uint8_t io)
{
	sbuf_text(&f->text, task_states[state].name);
	if (io != IO_UNTOLD)
		sbuf_text(&f->text, io == IO_YES ? ", I/O" : ", no I/O");
	return filling_kept(f);
}

struct value
filling_waker(struct filling *f, uint32_t waker)
{
	if (waker == SCHED_INTERRUPT)
		return filling_text("(interrupt)");
	return waker < f->usage->thread_count ? filling_thread(f, waker)
					      : (struct value){.kind = VALUE_EMPTY};
}

struct value
filling_caller(struct filling *f, uint32_t caller)
{
	if (caller == 0)
		return (struct value){.kind = VALUE_EMPTY};
	return filling_clean(f, *(struct str *)seg_at(&f->log->texts, caller - 1));
}

/* The heading ------------------------------------------------------------------- */

/* The subject of a list: "1203 render, Sleeping". */
static void
ask_text(struct filling *f, struct sbuf *out)
{
	const struct usage_ask *a = &f->usage->list.ask;
	const char *gap = " of ";

	if (a->thread != THREAD_NONE && a->thread < f->usage->thread_count) {
		sbuf_text(out, gap);
		sbuf_str(out, filling_thread(f, a->thread).text);
		gap = ", ";
	}
	if (a->what == USAGE_ASK_CHAIN) {
		const struct log_chain *chain = seg_at(&f->log->chains, a->chain);

		sbuf_char(out, ' ');
		sbuf_str(out, names_clean(f->names, chain->id));
	}
	if (a->what == USAGE_ASK_INTERVALS && a->state >= 0) {
		sbuf_text(out, gap);
		sbuf_str(out, filling_state(f, (uint8_t)a->state,
				  a->io > 0 ? (uint8_t)a->io : IO_UNTOLD).text);
		gap = ", ";
	}
	if (a->caller > 0) {
		sbuf_text(out, gap);
		sbuf_str(out, filling_caller(f, a->caller).text);
	}
	if (a->cpu != UINT32_MAX)
		sbuf_printf(out, " on cpu%" PRIu32, a->cpu);
	if (a->woken)
		sbuf_text(out, ", woken");
	if (f->usage->list.total > USAGE_LISTED_MAX)
		sbuf_printf(out, ", %d of %" PRIu64, USAGE_LISTED_MAX, f->usage->list.total);
}

static void
heading(struct filling *f)
{
	const struct usage_tables *t = f->tables;
	struct sbuf *out = &f->tables->heading;
	const struct usage *u = f->usage;
	char from[FMT_SIZE], to[FMT_SIZE], percent[FMT_SIZE];

	sbuf_text(out, usage_table_info[t->now].title);
	if (t->now >= USAGE_INTERVALS)
		ask_text(f, out);
	if (t->now == USAGE_WAKERS)
		sbuf_printf(out, " at %s ms", fmt_ms(from, u->list.ask.at));
	else if (t->now != USAGE_SUMMARY)
		sbuf_printf(out, ", %s-%s ms", fmt_ms(from, u->range.from), fmt_ms(to, u->range.to));
	if (f->log->has_sched && t->now < USAGE_INTERVALS)
		sbuf_printf(out, ", all cores %s%%", fmt_percent(percent, u->ran, u->ran + u->idle));
	if (t->now < USAGE_INTERVALS)
		sbuf_printf(out, " (%d/%d)", (int)t->now + 1, USAGE_INTERVALS);
}

/*  --------------------------------------------------------------------------------- */

void
usage_tables_fill(struct usage_tables *t, const struct trace *trace, const struct usage *usage)
{
	const struct usage_table_info *info = &usage_table_info[t->now];
	struct usage_ask want = usage_tables_want(t);
	struct filling f = {.tables = t, .cells = &t->tables[t->now], .trace = trace,
	    .log = trace->log, .usage = usage, .names = t->tables[t->now].figures->names};

	sbuf_clear(&t->heading);
	t->missing = NULL;
	if (trace->log == NULL)
		t->missing = "a method trace tells nothing of cores and processes";
	else if (usage == NULL || !usage_ask_equal(&usage->list.ask, &want))
		t->missing = "being counted";
	else if (info->sched && !trace->log->has_sched)
		t->missing = "no sched events in this log";
	if (t->missing != NULL) {
		sbuf_text(&t->heading, info->title);
		return;
	}
	f.length = usage->range.to - usage->range.from;
	for (uint32_t i = 0; i < usage->core_count; i++)
		f.cores += usage->cores[i].switched;
	cells_begin(f.cells, info->columns);
	processes_make(&f.processes, trace);
	f.process_labels = mem_zero((size_t)f.processes.count + 1, sizeof(struct str));
	f.thread_labels = mem_zero((size_t)trace_thread_count(trace) + 1, sizeof(struct str));
	heading(&f);
	info->fill(&f);
	cells_end(f.cells);
	processes_release(&f.processes);
	mem_free(f.process_labels);
	mem_free(f.thread_labels);
	sbuf_release(&f.text);
}
