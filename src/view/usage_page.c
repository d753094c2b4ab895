#include <config.h>

#include "view/usage_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "view/figure_rows.h"
#include "view/info_rows.h"
#include "view/processes.h"

enum { SHARES_SHOWN = 4, FREQUENCIES_SHOWN = 3 };

const char *const usage_titles[USAGE_TABLES] = {
	[USAGE_PROCESSES] = "CPU by process",
	[USAGE_THREADS] = "CPU by thread",
	[USAGE_CORES] = "CPU by core",
	[USAGE_STATES] = "Thread states",
	[USAGE_SWITCHES] = "Switches",
	[USAGE_COUNTERS] = "Counters",
};

struct page {
	struct info *info;
	const struct trace *trace;
	const struct log *log;
	struct names *names;
	const struct usage *usage;
	struct processes processes;
	struct sbuf text; /* scratch */
};

static struct str
kept(struct page *p)
{
	struct str text = arena_str(&p->info->arena, sbuf_view(&p->text));

	sbuf_clear(&p->text);
	return text;
}

static struct str
process_label(struct page *p, uint32_t process)
{
	const struct process *of = &p->processes.items[process < p->processes.count ? process : 0];

	if (of->name.n > 0)
		sbuf_str(&p->text, names_clean(p->names, of->name));
	else if (process > 0)
		sbuf_printf(&p->text, "Process %" PRIu32, of->pid);
	else
		sbuf_text(&p->text, "(process not known)");
	return kept(p);
}

static struct str
thread_label(struct page *p, uint32_t thread)
{
	uint32_t process = trace_thread(p->trace, thread)->process;
	struct str of = process_label(p, process);

	sbuf_str(&p->text, names_thread(p->names, thread));
	sbuf_text(&p->text, "  of ");
	sbuf_str(&p->text, of);
	return kept(p);
}

static nsec
length(const struct page *p)
{
	return p->usage->range.to - p->usage->range.from;
}

static uint32_t
cores_used(const struct page *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->usage->core_count; i++)
		n += p->usage->cores[i].switched;
	return n;
}

static void
average(char out[static FMT_SIZE], nsec total, uint64_t count)
{
	if (count > 0)
		fmt_ms(out, total / (nsec)count);
	else
		snprintf(out, FMT_SIZE, "-");
}

static void
number(char out[static FMT_SIZE], uint64_t n)
{
	snprintf(out, FMT_SIZE, "%" PRIu64, n);
}

/* Ran, of one core, of all, times, average. */
static void
ran_figures(const struct page *p, struct figure_row *row, nsec ran, uint64_t runs)
{
	fmt_ms(row->figure[0], ran);
	fmt_percent(row->figure[1], ran, length(p));
	fmt_percent(row->figure[2], ran, length(p) * cores_used(p));
	number(row->figure[3], runs);
	average(row->figure[4], ran, runs);
}

/* Indexes sorted by a time, the longest first.  Not for use by several threads. */
struct ranked {
	nsec time;
	uint32_t index;
};

static int
ranked_order(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static void
ranked_add(struct ranked **list, size_t *count, size_t *room, nsec time, uint32_t index)
{
	MEM_GROW(*list, *room, *count + 1);
	(*list)[(*count)++] = (struct ranked){time, index};
}

static void
ranked_sort(struct ranked *list, size_t count)
{
	if (count > 1)
		qsort(list, count, sizeof(*list), ranked_order);
}

/* The tables --------------------------------------------------------------------- */

static void
processes_page(struct page *p)
{
	static const char *const titles[] = {"Running ms", "% of a core", "% of all", "Runs",
	    "Avg ms", "Threads", "Pid", NULL};
	struct figure_rows f = {.titles = titles, .name = "Process"};
	struct ranked *list = NULL;
	size_t count = 0, room = 0;

	for (uint32_t i = 0; i < p->usage->process_count; i++) {
		if (p->usage->processes[i].runs > 0)
			ranked_add(&list, &count, &room, p->usage->processes[i].ran, i);
	}
	ranked_sort(list, count);
	for (size_t i = 0; i < count; i++) {
		const struct usage_process *u = &p->usage->processes[list[i].index];
		struct figure_row *row = figure_rows_add(&f);

		ran_figures(p, row, u->ran, u->runs);
		number(row->figure[5], u->threads);
		number(row->figure[6], p->processes.items[list[i].index].pid);
		row->name = process_label(p, list[i].index);
	}
	mem_free(list);
	figure_rows_show(p->info, &f);
}

/* Where a thread ran most: "cpu4 61.02% cpu7 38.98%". */
static void
cores_text(struct page *p, const struct ranked *shares, size_t count, uint32_t thread)
{
	nsec ran = p->usage->threads[thread].ran;
	char percent[FMT_SIZE];

	for (size_t i = 0; i < count && i < SHARES_SHOWN; i++)
		sbuf_printf(&p->text, "  cpu%" PRIu32 " %s%%", p->usage->shares[shares[i].index].cpu,
		    fmt_percent(percent, shares[i].time, ran));
}

/* The shares of each thread together, the largest first. */
static int
share_order(const void *left, const void *right, void *context)
{
	const struct usage *u = context;
	const struct usage_share *a = &u->shares[((const struct ranked *)left)->index];
	const struct usage_share *b = &u->shares[((const struct ranked *)right)->index];

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->ran != b->ran)
		return a->ran > b->ran ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void
threads_page(struct page *p)
{
	static const char *const titles[] = {"Running ms", "% of a core", "% of all", "Runs",
	    "Avg ms", "Longest ms", "Tid", NULL};
	struct figure_rows f = {.titles = titles, .name = "Thread"};
	struct ranked *list = NULL, *shares = NULL;
	size_t count = 0, room = 0, share_count = 0, share_room = 0;
	size_t *first = mem_zero((size_t)p->usage->thread_count + 2, sizeof(*first));

	for (size_t i = 0; i < p->usage->share_count; i++) {
		ranked_add(&shares, &share_count, &share_room, p->usage->shares[i].ran, (uint32_t)i);
		first[p->usage->shares[i].thread + 1]++;
	}
	if (share_count > 1)
		qsort_r(shares, share_count, sizeof(*shares), share_order,
		    (struct usage *)(uintptr_t)p->usage);
	for (uint32_t i = 0; i < p->usage->thread_count; i++) {
		first[i + 1] += first[i];
		if (p->usage->threads[i].runs > 0)
			ranked_add(&list, &count, &room, p->usage->threads[i].ran, i);
	}
	ranked_sort(list, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t t = list[i].index;
		const struct usage_thread *u = &p->usage->threads[t];
		struct figure_row *row = figure_rows_add(&f);
		struct str label;

		ran_figures(p, row, u->ran, u->runs);
		fmt_ms(row->figure[5], u->longest);
		number(row->figure[6], trace_thread(p->trace, t)->id);
		label = thread_label(p, t);
		sbuf_str(&p->text, label);
		cores_text(p, shares + first[t], first[t + 1] - first[t], t);
		row->name = kept(p);
	}
	mem_free(first);
	mem_free(shares);
	mem_free(list);
	figure_rows_show(p->info, &f);
}

static void
cores_page(struct page *p)
{
	static const char *const titles[] = {"CPU", "Usage %", "Running ms", "Idle ms", "Runs",
	    NULL};
	struct figure_rows f = {.titles = titles, .name = "Longest at frequencies (MHz)"};
	char percent[FMT_SIZE];

	for (uint32_t i = 0; i < p->usage->core_count; i++) {
		const struct usage_core *c = &p->usage->cores[i];
		struct figure_row *row;
		int shown = 0;

		if (!c->met)
			continue;
		row = figure_rows_add(&f);
		number(row->figure[0], i);
		for (int k = 1; k < 5 && !c->switched; k++)
			snprintf(row->figure[k], FMT_SIZE, "-");
		if (c->switched) {
			fmt_percent(row->figure[1], c->ran, length(p));
			fmt_ms(row->figure[2], c->ran);
			fmt_ms(row->figure[3], c->idle);
			number(row->figure[4], c->runs);
		}
		for (size_t k = 0; k < p->usage->frequency_count; k++) {
			const struct usage_frequency *q = &p->usage->frequencies[k];

			if (q->cpu == i && shown++ < FREQUENCIES_SHOWN)
				sbuf_printf(&p->text, "%s%" PRIu32 ": %s%%", shown > 1 ? "  " : "",
				    q->khz / 1000, fmt_percent(percent, q->time, length(p)));
		}
		row->name = kept(p);
	}
	figure_rows_show(p->info, &f);
}

static const char *
io_text(const struct usage_state *s)
{
	if (task_states[s->state].class != TASK_CLASS_BLOCKED)
		return "";
	return s->io == IO_YES ? " (I/O)" : s->io == IO_NO ? " (no I/O)" : "";
}

static void
states_page(struct page *p)
{
	static const char *const titles[] = {"Total ms", "% of time", "Count", "Min ms", "Avg ms",
	    "Max ms", "Tid", NULL};
	struct figure_rows f = {.titles = titles, .name = "State, thread"};
	struct ranked *list = NULL;
	size_t count = 0, room = 0;

	for (size_t i = 0; i < p->usage->state_count; i++)
		ranked_add(&list, &count, &room, p->usage->states[i].total, (uint32_t)i);
	ranked_sort(list, count);
	for (size_t i = 0; i < count; i++) {
		const struct usage_state *s = &p->usage->states[list[i].index];
		struct figure_row *row = figure_rows_add(&f);
		struct str label = thread_label(p, s->thread);

		fmt_ms(row->figure[0], s->total);
		fmt_percent(row->figure[1], s->total, length(p));
		number(row->figure[2], s->count);
		fmt_ms(row->figure[3], s->least);
		average(row->figure[4], s->total, s->count);
		fmt_ms(row->figure[5], s->most);
		number(row->figure[6], trace_thread(p->trace, s->thread)->id);
		sbuf_printf(&p->text, "%s%s  ", task_states[s->state].name, io_text(s));
		sbuf_str(&p->text, label);
		row->name = kept(p);
	}
	mem_free(list);
	figure_rows_show(p->info, &f);
}

/* All threads together, by state. */
static void
switches_page(struct page *p)
{
	static const char *const titles[] = {"Total ms", "Count", "Min ms", "Avg ms", "Max ms", NULL};
	struct figure_rows f = {.titles = titles, .name = "State"};

	for (int state = 0; state < TASK_STATES; state++) {
		for (int io = IO_UNTOLD; io <= IO_YES; io++) {
			struct usage_state sum = {.state = (uint8_t)state, .io = (uint8_t)io,
			    .least = INT64_MAX};
			struct figure_row *row;

			for (size_t i = 0; i < p->usage->state_count; i++) {
				const struct usage_state *s = &p->usage->states[i];

				if (s->state != state || s->io != io)
					continue;
				sum.total += s->total;
				sum.count += s->count;
				if (s->least < sum.least)
					sum.least = s->least;
				if (s->most > sum.most)
					sum.most = s->most;
			}
			if (sum.count == 0)
				continue;
			row = figure_rows_add(&f);
			fmt_ms(row->figure[0], sum.total);
			number(row->figure[1], sum.count);
			fmt_ms(row->figure[2], sum.least);
			average(row->figure[3], sum.total, sum.count);
			fmt_ms(row->figure[4], sum.most);
			sbuf_printf(&p->text, "%s%s", task_states[state].name, io_text(&sum));
			row->name = kept(p);
		}
	}
	figure_rows_show(p->info, &f);
}

static void
counters_page(struct page *p)
{
	static const char *const titles[] = {"Count", "First", "Last", "Delta", "Rate/s", "Min",
	    "Max", "Avg", NULL};
	struct figure_rows f = {.titles = titles, .name = "Counter"};

	for (uint32_t i = 0; i < p->usage->counter_count; i++) {
		const struct usage_counter *u = &p->usage->counters[i];
		const struct log_counter *c = seg_at(&p->log->counters, i);
		struct figure_row *row;
		struct str of;
		int64_t delta;

		if (!u->known)
			continue;
		row = figure_rows_add(&f);
		of = process_label(p, c->process);
		number(row->figure[0], u->count);
		snprintf(row->figure[1], FMT_SIZE, "%" PRId64, u->first);
		snprintf(row->figure[2], FMT_SIZE, "%" PRId64, u->last);
		if (__builtin_sub_overflow(u->last, u->first, &delta)) {
			snprintf(row->figure[3], FMT_SIZE, "-");
			snprintf(row->figure[4], FMT_SIZE, "-");
		} else {
			snprintf(row->figure[3], FMT_SIZE, "%" PRId64, delta);
			snprintf(row->figure[4], FMT_SIZE, "%.3f",
			    length(p) > 0 ? (double)delta * 1e9 / (double)length(p) : 0.0);
		}
		snprintf(row->figure[5], FMT_SIZE, "%" PRId64, u->min);
		snprintf(row->figure[6], FMT_SIZE, "%" PRId64, u->max);
		snprintf(row->figure[7], FMT_SIZE, "%.2f", u->average);
		sbuf_str(&p->text, names_clean(p->names, c->name));
		sbuf_text(&p->text, "  of ");
		sbuf_str(&p->text, of);
		row->name = kept(p);
	}
	figure_rows_show(p->info, &f);
}

void
usage_page_build(struct info *info, const struct trace *t, struct names *names,
    const struct usage *usage, enum usage_table table)
{
	static void (*const pages[USAGE_TABLES])(struct page *) = {
	    [USAGE_PROCESSES] = processes_page,
	    [USAGE_THREADS] = threads_page,
	    [USAGE_CORES] = cores_page,
	    [USAGE_STATES] = states_page,
	    [USAGE_SWITCHES] = switches_page,
	    [USAGE_COUNTERS] = counters_page,
	};
	struct page p = {.info = info, .trace = t, .log = t->log, .names = names, .usage = usage};
	char heading[160], from[FMT_SIZE], to[FMT_SIZE];

	info_clear(info);
	if (t->log == NULL) {
		info_note(info, STR("a method trace tells nothing of cores and processes"));
		return;
	}
	if (usage == NULL) {
		info_note(info, STR("being counted"));
		return;
	}
	snprintf(heading, sizeof(heading), "%s, %s to %s ms, all cores %.2f%% (%d of %d; 9 again: next)",
	    usage_titles[table], fmt_ms(from, usage->range.from), fmt_ms(to, usage->range.to),
	    usage->ran + usage->idle > 0
		? 100.0 * (double)usage->ran / (double)(usage->ran + usage->idle) : 0.0,
	    (int)table + 1, USAGE_TABLES);
	info_heading(info, heading);
	if (!t->log->has_sched && table != USAGE_COUNTERS) {
		info_note(info, STR("no sched events in this log"));
		return;
	}
	processes_make(&p.processes, t);
	pages[table](&p);
	processes_release(&p.processes);
	sbuf_release(&p.text);
}
