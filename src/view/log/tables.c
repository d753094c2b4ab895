// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/log/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "view/log/filling.h"

const struct usage_table_info *const usage_table_info[USAGE_TABLES] = {
#define TABLE(number, name, ...) [USAGE_##number] = &usage_##name,
#include "view/log/tables.def"
};

const char *const usage_table_help[USAGE_TABLES] = {
#define TABLE(number, name, word, help) [USAGE_##number] = help,
#include "view/log/tables.def"
};

void
usage_tables_init(struct usage_tables *t, const struct figures *figures)
{
	*t = (struct usage_tables){.ask = USAGE_ASK_NONE};
	for (int i = 0; i < USAGE_TABLES; i++)
		list_init(&t->lists[i], &usage_table_info[i]->source, t, figures);
}

void
usage_tables_release(struct usage_tables *t)
{
	for (int i = 0; i < USAGE_TABLES; i++)
		list_release(&t->lists[i]);
	mem_free(t->rows);
	mem_free(t->values);
	arena_release(&t->texts);
	sbuf_release(&t->heading);
}

struct usage_ask
usage_tables_want(const struct usage_tables *t)
{
	struct usage_ask all = USAGE_ASK_NONE;

	all.what = usage_table_info[t->now]->asks;
	return t->now >= USAGE_INTERVALS ? t->ask : all;
}

const struct usage_goal *
usage_tables_goal(const struct usage_tables *t)
{
	const struct list_row *row = list_row(&t->lists[t->now]);

	return row != NULL ? &t->rows[row->item].goal : NULL;
}

/* Cells ------------------------------------------------------------------------- */

struct value
usage_get(const void *of, const struct list_row *row, int column)
{
	const struct usage_tables *t = of;

	return t->values[row->item * (size_t)t->filled->count + (size_t)column];
}

void
usage_children(void *of, struct list *l, const struct list_row *row)
{
	const struct usage_tables *t = of;

	for (size_t i = 0; l == t->filled && i < t->count; i++)
		list_add(l, (struct list_id){t->rows[i].identity, 0}, (uint32_t)i)->depth =
		    t->rows[i].depth;
}

struct value *
filling_add(struct filling *f, uint64_t identity, struct usage_goal goal)
{
	struct usage_tables *t = f->tables;
	size_t columns = (size_t)t->filled->count, at = t->count++;

	MEM_GROW(t->rows, t->row_room, t->count);
	MEM_GROW(t->values, t->value_room, t->count * columns);
	t->rows[at] = (struct usage_row){identity, 0, goal};
	return memset(t->values + at * columns, 0, columns * sizeof(*t->values));
}

uint64_t
filling_of(const struct filling *f, uint32_t thread, uint64_t n)
{
	return identity_below(identity_thread(f->identities, thread), n);
}

struct value
filling_kept(struct filling *f)
{
	struct value v = value_text(arena_str(&f->tables->texts, sbuf_view(&f->text)));

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
	return value_text(arena_str(&f->tables->texts, names_clean(f->names, text)));
}

/* Keeps the text so far, an id, with a name after it; `b` is the length of the id. */
static struct value
kept_with_id(struct filling *f, struct str name)
{
	int64_t id = (int64_t)f->text.n;
	struct value v;

	sbuf_str(&f->text, name);
	v = filling_kept(f);
	v.b = id;
	return v;
}

struct value
filling_process(struct filling *f, uint32_t process)
{
	const struct process *of;

	if (process >= f->processes.count)
		process = 0;
	of = &f->processes.items[process];
	if (process > 0)
		sbuf_printf(&f->text, "%" PRIu32 " ", of->pid);
	return kept_with_id(f, of->name.n > 0 ? names_clean(f->names, of->name)
	    : process > 0 ? STR("(no name)") : STR("(not known)"));
}

struct value
filling_pid(const struct filling *f, uint32_t process)
{
	return process > 0 && process < f->processes.count
	    ? value_count(f->processes.items[process].pid) : VALUE_NONE;
}

struct value
filling_thread(struct filling *f, uint32_t thread)
{
	sbuf_printf(&f->text, "%" PRIu32 " ", trace_thread(f->trace, thread)->id);
	return kept_with_id(f, names_thread(f->names, thread));
}

void
filling_put_thread(struct filling *f, struct value *v, uint32_t thread, int tid, int name, int pid,
    int process)
{
	const struct thread *of = trace_thread(f->trace, thread);

	v[tid] = value_count(of->id);
	v[name] = filling_thread(f, thread);
	v[pid] = filling_pid(f, of->process);
	v[process] = filling_process(f, of->process);
}

struct value
filling_average(nsec total, uint64_t count)
{
	return count > 0 ? value_time(total / (nsec)count) : VALUE_NONE;
}

struct value
filling_state(struct filling *f, uint8_t state, uint8_t io)
{
	sbuf_text(&f->text, task_states[state].name);
	if (io != IO_UNTOLD)
		sbuf_text(&f->text, io == IO_YES ? ", I/O" : ", not I/O");
	return filling_kept(f);
}

struct value
filling_waker(struct filling *f, uint32_t waker)
{
	if (waker == SCHED_INTERRUPT)
		return filling_text("(interrupt)");
	return waker < f->usage->thread_count ? filling_thread(f, waker) : VALUE_NONE;
}

struct value
filling_caller(struct filling *f, uint32_t caller)
{
	if (caller == 0)
		return VALUE_NONE;
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

/* ": wakers ran 62.00%; runnable, CPU busy 38.00%", the largest first. */
static void
spent_text(const struct waits *w, struct sbuf *out)
{
	static const char *const names[WAIT_KINDS] = {[WAIT_RAN] = "wakers ran",
	    [WAIT_HELD] = "runnable, CPU busy", [WAIT_IDLE] = "runnable, CPU idle",
	    [WAIT_INTERRUPT] = "sleeping, woken by IRQ", [WAIT_UNKNOWN] = "not known"};
	struct waits left = *w;
	const char *gap = ": ";

	for (int i = 0; i < WAIT_KINDS; i++) {
		int most = WAIT_RAN;

		for (int k = most; k < WAIT_KINDS; k++)
			if (left.spent[k] > left.spent[most])
				most = k;
		if (left.spent[most] == 0)
			return;
		sbuf_printf(out, "%s%s %s%%", gap, names[most],
		    fmt_percent(FMT_BUF, left.spent[most], w->range.to - w->range.from));
		gap = "; ";
		left.spent[most] = 0;
	}
}

/* Where the wait is, and in what; without one, why there is none. */
static void
wait_text(const struct waits *w, struct sbuf *out)
{
	nsec length = w->within.to - w->within.from;

	if (w->count > 0)
		sbuf_printf(out, ", %s-%s", fmt_ms(FMT_BUF, w->range.from),
		    fmt_ms(FMT_BUF, w->range.to));
	if (w->longest && (w->count == 0 || !range_equal(&w->range, &w->within)))
		sbuf_printf(out, "%s%s-%s", w->count > 0 ? " of " : " in ",
		    fmt_ms(FMT_BUF, w->within.from), fmt_ms(FMT_BUF, w->within.to));
	if (w->longest || w->count > 0)
		sbuf_text(out, " ms");
	if (w->longest && w->count == 0)
		sbuf_text(out, length > 0 && w->ran == length ? ": it ran all the time"
			: w->ran > 0 ? ": it ran, or what it did is not known"
				     : ": what it did then is not known");
	spent_text(w, out);
}

static void
heading(struct filling *f)
{
	const struct usage_tables *t = f->tables;
	struct sbuf *out = &f->tables->heading;
	const struct usage *u = f->usage;
	const struct range *range = &u->range;
	char from[FMT_SIZE], to[FMT_SIZE], percent[FMT_SIZE];

	if (t->now == USAGE_PATH) {
		path_heading(f, out);
		return;
	}
	sbuf_text(out, t->now != USAGE_WAITS ? usage_table_info[t->now]->title
		: u->list.waits.count == 0   ? "No wait"
		: u->list.waits.longest      ? "Longest wait"
					     : "Wait");
	if (t->now >= USAGE_INTERVALS)
		ask_text(f, out);
	if (t->now == USAGE_WAITS)
		wait_text(&u->list.waits, out);
	else if (t->now != USAGE_SUMMARY)
		sbuf_printf(out, ", %s-%s ms", fmt_ms(from, range->from), fmt_ms(to, range->to));
	if (f->log->has_sched && t->now < USAGE_INTERVALS)
		sbuf_printf(out, ", all cores %s%%", fmt_percent(percent, u->ran, u->known));
	if (t->now < USAGE_INTERVALS)
		sbuf_printf(out, " (%d/%d)", (int)t->now + 1, USAGE_INTERVALS);
}

/* Filling --------------------------------------------------------------------------------- */

void
usage_tables_fill(struct usage_tables *t, const struct trace *trace, const struct usage *usage)
{
	const struct usage_table_info *info = usage_table_info[t->now];
	struct usage_ask want = usage_tables_want(t);
	struct filling f = {.tables = t, .trace = trace, .log = trace->log, .usage = usage,
	    .names = usage_tables_list(t)->figures->names,
	    .identities = usage_tables_list(t)->figures->identities};

	sbuf_clear(&t->heading);
	t->missing = NULL;
	if (trace->log == NULL)
		t->missing = "cores and processes need a system trace";
	else if (usage == NULL || !usage_ask_equal(&usage->list.ask, &want))
		t->missing = "being counted";
	else if (info->sched && !trace->log->has_sched)
		t->missing = "no sched events in this log";
	if (t->missing != NULL) {
		sbuf_text(&t->heading, info->title);
		return;
	}
	f.length = usage->range.to - usage->range.from;
	/* The rows of another one have no values any more. */
	if (t->filled != NULL && t->filled != usage_tables_list(t))
		t->filled->at.count = 0;
	t->filled = usage_tables_list(t);
	t->count = 0;
	arena_release(&t->texts);
	processes_make(&f.processes, trace);
	heading(&f);
	info->fill(&f);
	list_update(t->filled);
	if (t->opened && t->now == USAGE_PATH)
		path_begin(t->filled, &usage->list.path);
	t->opened = false;
	processes_release(&f.processes);
	sbuf_release(&f.text);
}
