// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/waits.h"

#include <stdlib.h>

#include "base/mem.h"
#include "profile/log/wakers.h"
#include "profile/timeline/timeline.h"

enum {
	CANCEL_ITEMS = 65536,
	/* Of a range with more intervals only the end is explained. */
	ITEMS_MAX = 1 << 22,
};

/* Intervals of the range, by thread or core, in order of time. */
struct grouped {
	uint32_t count;  /* of groups */
	uint64_t *first; /* of each group, and the end of the last */
	uint64_t *items; /* of log.sched */
};

struct finding {
	const struct profile *profile;
	const struct sched *sched;
	const atomic_bool *cancel;
	struct waits *out;
	struct grouped threads, cores;
	nsec since; /* intervals are known from here on */
};

static bool
cancelled(const struct finding *f)
{
	return f->cancel != NULL && atomic_load(f->cancel);
}

/* The intervals ----------------------------------------------------------------------- */

static bool
runs(const struct interval *i)
{
	return i->state == TASK_RUNNING;
}

static void
grouped_release(struct grouped *g)
{
	mem_free(g->first);
	mem_free(g->items);
}

/* Counts become places; afterwards each place is the group's end, so that of the next. */
static void
grouped_place(struct grouped *g)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i <= g->count; i++) {
		uint64_t count = g->first[i];

		g->first[i] = sum;
		sum += count;
	}
	g->items = mem_alloc((sum + 1) * sizeof(*g->items));
}

/* Each begins where the one before it ended. */
static void
grouped_settle(struct grouped *g)
{
	for (uint32_t i = g->count; i > 0; i--)
		g->first[i] = g->first[i - 1];
	g->first[0] = 0;
}

/*
 * One round over the intervals that touch [since, to]: counts them, or puts them in their
 * places.  UINT64_MAX when cancelled.
 */
static uint64_t
intervals_visit(struct finding *f, nsec to, bool place)
{
	const struct interval *i;
	uint64_t touched = 0;

	for (uint64_t n = 0; (i = sched_within(f->sched, &n, f->since, to + 1)) != NULL; n++) {
		if (n % CANCEL_ITEMS == 0 && cancelled(f))
			return UINT64_MAX;
		if (i->from > to || i->to < f->since || i->thread >= f->threads.count)
			continue;
		touched++;
		if (place)
			f->threads.items[f->threads.first[i->thread]] = n;
		f->threads.first[i->thread]++;
		if (!runs(i) || i->cpu >= f->cores.count)
			continue;
		if (place)
			f->cores.items[f->cores.first[i->cpu]] = n;
		f->cores.first[i->cpu]++;
	}
	return touched;
}

static void
groups_clear(struct finding *f)
{
	mem_free(f->threads.first);
	mem_free(f->cores.first);
	f->threads.first = mem_zero((size_t)f->threads.count + 1, sizeof(uint64_t));
	f->cores.first = mem_zero((size_t)f->cores.count + 1, sizeof(uint64_t));
}

static bool
intervals_group(struct finding *f)
{
	const struct range *r = &f->out->range;
	uint64_t touched;

	f->threads.count = trace_thread_count(f->profile->trace);
	f->cores.count = (uint32_t)f->sched->cpu_count;
	f->since = r->from;
	for (;;) {
		groups_clear(f);
		touched = intervals_visit(f, r->to, false);
		if (touched == UINT64_MAX)
			return false;
		if (touched <= ITEMS_MAX || r->to - f->since < 2)
			break;
		f->since = r->to - (r->to - f->since) / 2;
	}
	grouped_place(&f->threads);
	grouped_place(&f->cores);
	if (intervals_visit(f, r->to, true) == UINT64_MAX)
		return false;
	grouped_settle(&f->threads);
	grouped_settle(&f->cores);
	return true;
}

static const struct interval *
item_at(const struct finding *f, const struct grouped *g, uint32_t group, uint64_t at)
{
	return at < g->first[group + 1] ? sched_interval(f->sched, g->items[at]) : NULL;
}

/* The place of the group's first interval that ends after `at`. */
static uint64_t
first_after(const struct finding *f, const struct grouped *g, uint32_t group, nsec at)
{
	uint64_t from = g->first[group], to = g->first[group + 1];

	while (from < to) {
		uint64_t middle = from + (to - from) / 2;

		if (sched_interval(f->sched, g->items[middle])->to > at)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* Rows -------------------------------------------------------------------------------- */

/* Valid until the next one. */
static struct wait_row *
row_add(struct finding *f, enum wait_kind kind, uint32_t thread, nsec from, nsec to, uint32_t depth)
{
	struct waits *w = f->out;

	MEM_GROW(w->rows, w->room, w->count + 1);
	w->rows[w->count] = (struct wait_row){.from = from, .to = to, .thread = thread,
	    .waker = SCHED_NONE, .method = METHOD_NONE, .depth = depth, .cpu = UINT32_MAX,
	    .kind = (uint8_t)kind};
	w->spent[kind] += kind != WAIT_FOLLOWED ? to - from : 0;
	return &w->rows[w->count++];
}

/* Is it not known what the core did in a part of the time? */
static bool
core_unknown(const struct finding *f, uint32_t cpu, nsec from, nsec to)
{
	for (uint64_t n = 0; n < f->sched->gaps.count; n++) {
		const struct sched_gap *gap = spool_peek(&f->sched->gaps, n);

		if (gap->cpu == cpu && gap->from < to && gap->to > from)
			return true;
	}
	return false;
}

/* No thread ran on the core, or the rows end. */
static void
core_rest(struct finding *f, uint32_t cpu, uint32_t waiting, nsec from, nsec to, uint32_t depth)
{
	bool known = from >= f->since && f->out->count < WAITS_ROWS &&
	    !core_unknown(f, cpu, from, to);

	if (from < to)
		row_add(f, known ? WAIT_IDLE : WAIT_UNKNOWN, waiting, from, to, depth)->cpu = cpu;
}

/* What ran on a core, while a thread waited for it. */
static void
holders_add(struct finding *f, uint32_t cpu, uint32_t waiting, nsec from, nsec to, uint32_t depth)
{
	const struct interval *i;
	uint64_t at;

	if (from < f->since && f->since < to) {
		core_rest(f, cpu, waiting, from, f->since, depth);
		from = f->since;
	}
	at = first_after(f, &f->cores, cpu, from);
	for (; f->out->count < WAITS_ROWS && (i = item_at(f, &f->cores, cpu, at)) != NULL; at++) {
		nsec a = i->from > from ? i->from : from, b = i->to < to ? i->to : to;
		struct wait_row *row;

		if (i->from >= to)
			break;
		if (b <= a)
			continue;
		core_rest(f, cpu, waiting, from, a, depth);
		row = row_add(f, WAIT_HELD, i->thread, a, b, depth);
		row->cpu = cpu;
		row->state = TASK_RUNNING;
		from = b;
	}
	core_rest(f, cpu, waiting, from, to, depth);
}

static void explain(struct finding *, uint32_t thread, nsec from, nsec to, uint32_t depth);

/* The part [from, to) of a thread's interval that is no run; `next` follows it, or is NULL. */
static void
wait_add(struct finding *f, const struct interval *i, const struct interval *next, nsec from,
    nsec to, uint32_t depth)
{
	bool for_core = task_states[i->state].class == TASK_CLASS_RUNNABLE;
	bool follow = depth + 1 < WAITS_DEPTH && f->out->count < WAITS_ROWS;
	uint32_t waker = i->waker, cpu = UINT32_MAX;
	enum wait_kind kind = WAIT_UNKNOWN;
	struct wait_row *row;

	if (next == NULL || next->from != i->to || i->to > to)
		next = NULL;
	if (for_core) {
		if (next != NULL && runs(next) && next->cpu < f->cores.count)
			cpu = next->cpu;
		if (cpu != UINT32_MAX && follow)
			kind = WAIT_FOLLOWED;
	} else {
		waker = next != NULL ? next->waker : SCHED_NONE;
		if (waker == SCHED_INTERRUPT)
			kind = WAIT_INTERRUPT;
		else if (waker < f->threads.count && follow)
			kind = WAIT_FOLLOWED;
	}
	row = row_add(f, kind, i->thread, from, to, depth);
	row->waker = waker;
	row->caller = i->caller;
	row->cpu = cpu;
	row->state = i->state;
	row->io = i->io;
	if (kind == WAIT_FOLLOWED && for_core)
		holders_add(f, cpu, i->thread, from, to, depth + 1);
	else if (kind == WAIT_FOLLOWED)
		explain(f, waker, from, to, depth + 1);
}

/* What a thread did from one time to another. */
static void
explain(struct finding *f, uint32_t thread, nsec from, nsec to, uint32_t depth)
{
	const struct interval *i;
	uint64_t at = first_after(f, &f->threads, thread, from);

	for (; from < to && (i = item_at(f, &f->threads, thread, at)) != NULL; at++) {
		nsec end = i->to < to ? i->to : to;

		if (i->from >= to)
			break;
		if (i->from > from)
			row_add(f, WAIT_UNKNOWN, thread, from, i->from, depth);
		from = i->from > from ? i->from : from;
		if (end <= from)
			continue;
		if (f->out->count >= WAITS_ROWS)
			break;
		if (runs(i)) {
			struct wait_row *row = row_add(f, WAIT_RAN, thread, from, end, depth);

			row->cpu = i->cpu;
			row->state = TASK_RUNNING;
		} else {
			wait_add(f, i, item_at(f, &f->threads, thread, at + 1), from, end, depth);
		}
		from = end;
	}
	if (from < to)
		row_add(f, WAIT_UNKNOWN, thread, from, to, depth);
}

static bool
is_run(const struct wait_row *row)
{
	return row->kind == WAIT_RAN || row->kind == WAIT_HELD;
}

static int
longest_first(const void *left, const void *right)
{
	const nsec *a = left, *b = right;

	return (*a < *b) - (*a > *b);
}

/* Runs that are not longer than this have no slices looked up. */
static nsec
slices_from(const struct waits *w)
{
	nsec *lengths = mem_alloc((w->count + 1) * sizeof(*lengths)), from = 0;
	size_t count = 0;

	for (size_t n = 0; n < w->count; n++)
		if (is_run(&w->rows[n]))
			lengths[count++] = w->rows[n].to - w->rows[n].from;
	if (count > WAITS_SLICES) {
		qsort(lengths, count, sizeof(*lengths), longest_first);
		from = lengths[WAITS_SLICES];
	}
	mem_free(lengths);
	return from;
}

/* The slices in which threads ran. */
static bool
slices_find(struct finding *f)
{
	nsec from = slices_from(f->out);

	for (size_t n = 0; n < f->out->count; n++) {
		struct wait_row *row = &f->out->rows[n];
		struct call call;

		if (!is_run(row) || row->to - row->from <= from)
			continue;
		if (!timeline_call(f->profile, row->thread, row->from + (row->to - row->from) / 2, 0,
			METHOD_NONE, &call, f->cancel))
			return false;
		row->method = call.method;
	}
	return true;
}

bool
waits_find(const struct profile *p, uint32_t thread, nsec at, struct waits *w,
    const atomic_bool *cancel)
{
	struct finding f = {.profile = p, .sched = &p->trace->log->sched, .cancel = cancel, .out = w};
	bool whole;

	*w = (struct waits){.count = 0};
	if (thread >= trace_thread_count(p->trace) ||
	    !wakers_wait(p->trace->log, thread, at, &w->range, cancel))
		return !cancelled(&f);
	whole = intervals_group(&f);
	if (whole) {
		explain(&f, thread, w->range.from, w->range.to, 0);
		whole = slices_find(&f);
	}
	grouped_release(&f.threads);
	grouped_release(&f.cores);
	return whole;
}

void
waits_release(struct waits *w)
{
	mem_free(w->rows);
}
