// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/waits.h"

#include <stdlib.h>

#include "base/mem.h"
#include "profile/log/wakers.h"
#include "profile/timeline/timeline.h"

enum { CANCEL_ITEMS = 65536 };

struct waiting {
	const struct profile *profile;
	const struct sched *sched;
	const atomic_bool *cancel;
	struct waits *out;
	uint32_t threads, cores;
	size_t rows;     /* at most */
	uint64_t *first; /* by thread: its first interval; made when it is needed */
};

static bool
runs(const struct interval *i)
{
	return i->state == TASK_RUNNING;
}

/* A search for what a thread did, or what ran on a core, from one time to another. */
struct seek {
	const struct waiting *finding;
	bool core;
	uint32_t of; /* thread, or core */
	nsec from, to;
	uint64_t next; /* of log.sched */
};

/* The next interval, also that which begins at the end; NULL after the last, or when cancelled. */
static const struct interval *
seek_next(struct seek *k)
{
	const struct waiting *f = k->finding;
	const struct interval *i;

	while ((i = sched_within(f->sched, &k->next, k->from, k->to + 1)) != NULL) {
		if (++k->next % CANCEL_ITEMS == 0 && is_cancelled(f->cancel))
			return NULL;
		if (i->to > k->from && (k->core ? runs(i) && i->cpu == k->of : i->thread == k->of))
			return i;
	}
	return NULL;
}

/* Rows -------------------------------------------------------------------------------- */

/* Valid until the next one. */
static struct wait_row *
row_add(struct waiting *f, enum wait_kind kind, uint32_t thread, nsec from, nsec to, uint32_t depth)
{
	struct waits *w = f->out;
	struct wait_row *row = MEM_ADD(w->rows, w->count, w->room);

	*row = (struct wait_row){.from = from, .to = to, .thread = thread,
	    .waker = SCHED_NONE, .method = METHOD_NONE, .depth = depth, .cpu = UINT32_MAX,
	    .kind = (uint8_t)kind};
	w->spent[kind] += kind != WAIT_FOLLOWED ? to - from : 0;
	return row;
}

/* True if it is not known what the core did in a part of the time. */
static bool
core_unknown(const struct waiting *f, uint32_t cpu, nsec from, nsec to)
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
core_rest(struct waiting *f, uint32_t cpu, uint32_t waiting, nsec from, nsec to, uint32_t depth)
{
	bool known = f->out->count < f->rows && !core_unknown(f, cpu, from, to);

	if (from < to)
		row_add(f, known ? WAIT_IDLE : WAIT_UNKNOWN, waiting, from, to, depth)->cpu = cpu;
}

/* Adds rows of what ran on a core while a thread waited for it. */
static void
holders_add(struct waiting *f, uint32_t cpu, uint32_t waiting, nsec from, nsec to, uint32_t depth)
{
	struct seek k = {f, true, cpu, from, to, 0};
	const struct interval *i;

	while (f->out->count < f->rows && (i = seek_next(&k)) != NULL) {
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

/* A time that is explained, by what ended before `before`. */
struct stretch {
	nsec from, to, before;
};

static void explain(struct waiting *, uint32_t thread, struct stretch, uint32_t depth);

/*
 * The part [from, to) of a thread's interval that is no run; `next` follows it, or is NULL.
 * What ends it may come after the part, and explains the part alone.
 */
static void
wait_add(struct waiting *f, const struct interval *i, const struct interval *next,
    struct stretch s, uint32_t depth)
{
	struct seek end = {f, false, i->thread, i->to, i->to, 0};
	bool for_core = task_states[i->state].class == TASK_CLASS_RUNNABLE;
	bool follow = depth + 1 < WAITS_DEPTH && f->out->count < f->rows;
	uint32_t waker = i->waker, cpu = UINT32_MAX;
	enum wait_kind kind = WAIT_UNKNOWN;
	struct wait_row *row;

	if (i->to > s.to && i->to <= s.before)
		next = seek_next(&end);
	if (next == NULL || next->from != i->to || i->to > s.before)
		next = NULL;
	if (for_core) {
		if (next != NULL && runs(next) && next->cpu < f->cores)
			cpu = next->cpu;
		if (cpu != UINT32_MAX && follow)
			kind = WAIT_FOLLOWED;
	} else {
		waker = next != NULL ? next->waker : SCHED_NONE;
		if (waker == SCHED_INTERRUPT)
			kind = WAIT_INTERRUPT;
		else if (waker < f->threads && waker != i->thread && follow)
			kind = WAIT_FOLLOWED;
	}
	row = row_add(f, kind, i->thread, s.from, s.to, depth);
	row->waker = waker;
	row->caller = i->caller;
	row->cpu = cpu;
	row->state = i->state;
	row->io = i->io;
	if (kind == WAIT_FOLLOWED && for_core)
		holders_add(f, cpu, i->thread, s.from, s.to, depth + 1);
	else if (kind == WAIT_FOLLOWED)
		explain(f, waker, (struct stretch){s.from, s.to, i->to}, depth + 1);
}

/* True if the interval is the first of its thread, which was woken to it. */
static bool
is_woken_first(struct waiting *f, const struct interval *i)
{
	if (task_states[i->state].class != TASK_CLASS_RUNNABLE || i->waker == SCHED_NONE)
		return false;
	if (f->first == NULL) {
		f->first = mem_zero(f->threads + (size_t)1, sizeof(*f->first));
		for (uint64_t n = f->sched->intervals.count; n-- > 0;)
			f->first[sched_interval(f->sched, n)->thread] = n;
	}
	return sched_interval(f->sched, f->first[i->thread])->from == i->from;
}

/* Adds rows of what a thread did from one time to another. */
static void
explain(struct waiting *f, uint32_t thread, struct stretch s, uint32_t depth)
{
	nsec from = s.from, to = s.to;
	struct seek k = {f, false, thread, from, to, 0};
	const struct interval *i = seek_next(&k), *next;

	for (; from < to && i != NULL; i = next) {
		nsec end = i->to < to ? i->to : to;

		next = seek_next(&k);
		if (i->from >= to)
			break;
		if (i->from > from && is_woken_first(f, i)) {
			const struct interval slept = {.from = from, .to = i->from, .thread = thread,
			    .waker = SCHED_NONE, .state = TASK_SLEEPING};

			wait_add(f, &slept, i, (struct stretch){from, i->from, s.before}, depth);
		} else if (i->from > from) {
			row_add(f, WAIT_UNKNOWN, thread, from, i->from, depth);
		}
		from = i->from > from ? i->from : from;
		if (end <= from)
			continue;
		if (f->out->count >= f->rows)
			break;
		if (runs(i)) {
			struct wait_row *row = row_add(f, WAIT_RAN, thread, from, end, depth);

			row->cpu = i->cpu;
			row->state = TASK_RUNNING;
		} else {
			wait_add(f, i, next, (struct stretch){from, end, s.before}, depth);
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
slices_find(struct waiting *f)
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

static bool
wait_explain(const struct profile *p, uint32_t thread, struct waits *w, size_t rows, const atomic_bool *cancel)
{
	struct waiting f = {.profile = p, .sched = &p->trace->log->sched, .cancel = cancel,
	    .out = w, .threads = trace_thread_count(p->trace),
	    .cores = (uint32_t)p->trace->log->sched.cpu_count, .rows = rows};

	explain(&f, thread, (struct stretch){w->range.from, w->range.to, INT64_MAX}, 0);
	mem_free(f.first);
	return !is_cancelled(cancel) && (rows > WAITS_ROWS || slices_find(&f));
}

bool
waits_within(const struct profile *p, uint32_t thread, const struct range *range, struct waits *w,
    const atomic_bool *cancel)
{
	*w = (struct waits){.range = *range};
	return wait_explain(p, thread, w, WAITS_WITHIN, cancel);
}

bool
waits_find(const struct profile *p, uint32_t thread, nsec at, struct waits *w,
    const atomic_bool *cancel)
{
	*w = (struct waits){.count = 0};
	if (thread >= trace_thread_count(p->trace) ||
	    !wakers_wait(p->trace->log, thread, at, &w->range, cancel))
		return !is_cancelled(cancel);
	return wait_explain(p, thread, w, WAITS_ROWS, cancel);
}

bool
waits_longest(const struct profile *p, uint32_t thread, const struct range *within,
    struct waits *w, const atomic_bool *cancel)
{
	*w = (struct waits){.longest = true, .within = *within};
	w->within.to = nsec_max(w->within.to, w->within.from);
	if (thread >= trace_thread_count(p->trace) ||
	    !wakers_longest(p->trace->log, thread, &w->within, &w->range, &w->ran, cancel))
		return !is_cancelled(cancel);
	return wait_explain(p, thread, w, WAITS_ROWS, cancel);
}

void
waits_release(struct waits *w)
{
	mem_free(w->rows);
}
