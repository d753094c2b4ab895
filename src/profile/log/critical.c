// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/critical.h"

#include <string.h>

#include "base/compat.h"
#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/log/binder.h"
#include "profile/log/wakers.h"
#include "profile/timeline/timeline.h"

const char *const critical_leaf_names[CRITICAL_LEAVES] = {
    [LEAF_RUNNING] = "running",
    [LEAF_RUNNABLE] = "runnable",
    [LEAF_HELD] = "held",
    [LEAF_IDLE] = "idle",
    [LEAF_IO] = "io",
    [LEAF_INTERRUPT] = "interrupt",
    [LEAF_UNKNOWN] = "not known",
};

/* Locks --------------------------------------------------------------------------- */

/* The text between two others, and what follows it; empty if the first is not there. */
static struct str
text_between(struct str *text, struct str from, struct str to)
{
	struct str found = {NULL, 0};
	const char *p = text->n >= from.n ? memmem(text->p, text->n, from.p, from.n) : NULL, *end;

	if (p == NULL)
		return found;
	found.p = p + from.n;
	found.n = (size_t)(text->p + text->n - found.p);
	end = to.n > 0 ? memmem(found.p, found.n, to.p, to.n) : NULL;
	found.n = end != NULL ? (size_t)(end - found.p) : found.n;
	*text = (struct str){found.p + found.n, (size_t)(text->p + text->n - found.p - found.n)};
	return found;
}

/* A method without the type that it returns. */
static struct str
method_between(struct str *text, struct str from)
{
	struct str method = text_between(text, from, STR("("));

	for (size_t i = method.n; i-- > 0;) {
		if (method.p[i] == ' ')
			return (struct str){method.p + i + 1, method.n - i - 1};
	}
	return method;
}

bool
lock_slice_parse(struct str text, struct lock_slice *lock)
{
	uint64_t waiters;
	struct str digits;

	*lock = (struct lock_slice){.waiters = -1};
	if (str_starts(text, STR("Lock contention on"))) {
		lock->owner = text_between(&text, STR("(owner "), STR(")"));
		return lock->owner.n > 0;
	}
	lock->owner = text_between(&text, STR("monitor contention with owner "), STR(" ("));
	if (lock->owner.n == 0)
		return false;
	lock->method = method_between(&text, STR(" at "));
	digits = text_between(&text, STR(" waiters="), STR(" "));
	if (digits.n > 0 && digits_take(digits.p, digits.p + digits.n, 9, &waiters) != NULL)
		lock->waiters = (int64_t)waiters;
	lock->blocked = method_between(&text, STR("blocking from "));
	return true;
}

/* The slices that the waits are in ---------------------------------------------------- */

/* The innermost slices of the thread when its waits began. */
struct innermost {
	const struct waits *waits;
	uint32_t *methods; /* by row; METHOD_NONE: none is open, or the row is not of the thread */
	const struct tree *tree;
	size_t next; /* row */
	uint32_t node; /* on top since the last step */
};

/* The next row of the thread itself. */
static size_t
own_row(const struct waits *w, size_t row)
{
	while (row < w->count && w->rows[row].depth > 0)
		row++;
	return row;
}

static bool
step_look(void *context, const struct step *step)
{
	struct innermost *in = context;

	/* At the time of a record the state is that after it. */
	for (; in->next < in->waits->count && in->waits->rows[in->next].from < step->to[CLOCK_WALL];
	     in->next = own_row(in->waits, in->next + 1)) {
		if (in->waits->rows[in->next].from >= step->from[CLOCK_WALL] || step->first)
			in->methods[in->next] = in->tree->nodes[step->before].method;
	}
	in->node = step->after;
	return true;
}

/* Fills in `methods`, zeroed; false when cancelled. */
static bool
innermost_find(const struct profile *p, const struct critical *path, const struct waits *w,
    uint32_t *methods, const atomic_bool *cancel)
{
	struct innermost in = {.waits = w, .methods = methods, .tree = &p->tree, .next = own_row(w, 0),
	    .node = NODE_NONE};
	struct scope *scope = scope_of_thread(p, path->thread);
	struct interval first;
	struct call call;
	bool done;

	for (size_t i = 0; i < w->count; i++)
		methods[i] = METHOD_NONE;
	done = replay_window(p, scope, path->range.from, path->range.to, step_look, &in, cancel);
	scope_free(scope);
	for (; in.node != NODE_NONE && in.next < w->count; in.next = own_row(w, in.next + 1))
		methods[in.next] = p->tree.nodes[in.node].method;
	/* A wait that the stretch cuts began before it. */
	if (!done || w->count == 0 || w->rows[0].state == TASK_RUNNING ||
	    !wakers_state(p->trace->log, path->thread, path->range.from, &first, cancel) ||
	    first.from >= path->range.from)
		return done;
	done = timeline_call(p, path->thread, first.from, 0, METHOD_NONE, &call, cancel);
	if (done)
		methods[0] = call.method;
	return done;
}

/* Causes ------------------------------------------------------------------------------- */

/* The slice that names the method of the call that the thread was in; METHOD_NONE: none does. */
static uint32_t
called_method(const struct binder_calls *calls, nsec at)
{
	uint32_t method = METHOD_NONE;

	/* Calls within calls: the last one that began counts. */
	for (size_t i = 0; i < calls->count && calls->items[i].from <= at; i++)
		if (calls->items[i].to >= at)
			method = calls->items[i].method;
	return method;
}

/* The calls that a stretch of the thread may be in; false when cancelled. */
static bool
calls_take(const struct profile *p, const struct critical *path, struct binder_calls *calls,
    const atomic_bool *cancel)
{
	enum { LONGEST = 2000000000 }; /* calls that began earlier have no method */
	const struct range range = {path->range.from - LONGEST, path->range.to};
	struct scope *scope = scope_of_thread(p, path->thread);
	bool done;

	done = binder_calls_find(p, scope, &range, calls, cancel);
	scope_free(scope);
	return done;
}

/* The cause of a row of the thread itself; `row` is of its waits, `slice` open when it began. */
static struct critical_sum
cause_of(const struct trace *t, const struct wait_row *row, uint32_t slice)
{
	const enum task_class class = task_states[row->state].class;
	struct str name = slice != METHOD_NONE ? trace_method(t, slice)->name : STR("");
	struct critical_sum sum = {.cause = CRITICAL_UNKNOWN, .is_cause = true, .thread = THREAD_NONE,
	    .method = METHOD_NONE};
	struct lock_slice lock;

	if (str_starts(name, STR("H:")))
		name = (struct str){name.p + 2, name.n - 2};
	if (class == TASK_CLASS_RUNNING) {
		sum.cause = CRITICAL_RUNNING;
	} else if (class == TASK_CLASS_RUNNABLE) {
		sum.cause = CRITICAL_RUNNABLE;
	} else if (class == TASK_CLASS_NONE && row->kind == WAIT_UNKNOWN) {
		return sum;
	} else if (lock_slice_parse(name, &lock)) {
		sum.cause = CRITICAL_LOCK;
		sum.of = slice;
		sum.owner = lock.owner;
	} else if (str_equal(name, STR("binder transaction"))) {
		sum.cause = CRITICAL_BINDER;
		sum.of = row->waker < trace_thread_count(t) ? trace_thread(t, row->waker)->process : 0;
	} else if (class == TASK_CLASS_BLOCKED) {
		sum.cause = row->io == IO_YES ? CRITICAL_IO : CRITICAL_BLOCKED;
		sum.of = row->caller;
	} else if (row->kind == WAIT_INTERRUPT) {
		sum.cause = CRITICAL_INTERRUPT;
	} else if (row->waker < trace_thread_count(t)) {
		sum.cause = CRITICAL_WOKEN;
		sum.of = row->waker;
	}
	return sum;
}

static bool
is_alike(const struct critical_sum *a, const struct critical_sum *b)
{
	if (a->cause != b->cause || a->is_cause != b->is_cause || a->leaf != b->leaf ||
	    a->thread != b->thread)
		return false;
	return a->is_cause && a->cause == CRITICAL_LOCK ? str_equal(a->owner, b->owner)
							: a->of == b->of && a->method == b->method;
}

/* Adds a stretch to the sum that is like `of` among those from `first` on; returns its place. */
static size_t
sum_add(struct critical *p, size_t first, const struct critical_sum *of, nsec from, nsec to)
{
	size_t i = first;
	struct critical_sum *sum;

	while (i < p->count && !is_alike(&p->sums[i], of))
		i++;
	if (i == p->count)
		*MEM_ADD(p->sums, p->count, p->room) = *of;
	sum = &p->sums[i];
	sum->time += to - from;
	sum->count++;
	if (to - from > sum->longest) {
		sum->longest = to - from;
		sum->longest_at = from;
	}
	return i;
}

/* Leaves ------------------------------------------------------------------------------- */

/* The leaf that a row is; false: it is explained by the rows below it. */
static bool
leaf_of(const struct wait_row *row, struct critical_sum *leaf)
{
	const enum task_class class = task_states[row->state].class;

	*leaf = (struct critical_sum){.thread = row->thread, .leaf = LEAF_UNKNOWN, .method = METHOD_NONE};
	if (class == TASK_CLASS_BLOCKED && row->io == IO_YES) {
		leaf->leaf = LEAF_IO;
		leaf->of = row->caller;
	} else if (class == TASK_CLASS_RUNNABLE && row->depth > 0) {
		leaf->leaf = LEAF_RUNNABLE;
	} else if (row->kind == WAIT_FOLLOWED) {
		return false;
	} else if (row->kind == WAIT_RAN) {
		leaf->leaf = LEAF_RUNNING;
	} else if (row->kind == WAIT_HELD) {
		leaf->leaf = LEAF_HELD;
	} else if (row->kind == WAIT_IDLE) {
		leaf->leaf = LEAF_IDLE;
		leaf->thread = THREAD_NONE;
	} else if (row->kind == WAIT_INTERRUPT) {
		leaf->leaf = LEAF_INTERRUPT;
	}
	return true;
}

/* The leaves of all causes. */
struct leaves {
	struct critical path; /* its sums are leaves; `of_cause` has the place of the cause of each */
	size_t *of_cause;
	size_t room;
};

/* Adds the leaves of a row of the thread's own to those of its cause. */
static void
leaves_add(struct leaves *l, size_t cause, const struct waits *w, size_t row)
{
	const uint32_t top = w->rows[row].depth;
	size_t i = row;

	do {
		const struct wait_row *r = &w->rows[i];
		struct critical_sum leaf;
		size_t at;

		if (!leaf_of(r, &leaf)) {
			i++;
			continue;
		}
		for (at = 0; at < l->path.count; at++)
			if (l->of_cause[at] == cause && is_alike(&l->path.sums[at], &leaf))
				break;
		at = sum_add(&l->path, at, &leaf, r->from, r->to);
		MEM_GROW(l->of_cause, l->room, l->path.count);
		l->of_cause[at] = cause;
		/* Rows below a leaf are part of it. */
		for (i++; i < w->count && w->rows[i].depth > r->depth; i++)
			;
	} while (i < w->count && w->rows[i].depth > top);
}

static int
time_order(const void *left, const void *right)
{
	const struct critical_sum *a = left, *b = right;

	return order_then(ORDER(b->time, a->time), order_then(ORDER(a->cause, b->cause),
	    ORDER(a->longest_at, b->longest_at)));
}

/* Puts the leaves after their causes, all by time. */
static void
critical_order(struct critical *p, const struct leaves *l)
{
	struct critical ordered = {.range = p->range, .thread = p->thread};
	size_t *place = mem_alloc((p->count + 1) * sizeof(*place));

	MEM_GROW(ordered.sums, ordered.room, p->count + l->path.count + 1);
	for (size_t i = 0; i < p->count; i++)
		place[i] = i;
	for (size_t done = 0; done < p->count; done++) {
		size_t most = done, first;

		for (size_t i = done + 1; i < p->count; i++)
			if (time_order(&p->sums[place[i]], &p->sums[place[most]]) < 0)
				most = i;
		first = place[most];
		place[most] = place[done];
		place[done] = first;
		ordered.sums[ordered.count++] = p->sums[first];
		most = ordered.count;
		for (size_t i = 0; i < l->path.count; i++) {
			if (l->of_cause[i] != first)
				continue;
			ordered.sums[ordered.count] = l->path.sums[i];
			ordered.sums[ordered.count++].cause = p->sums[first].cause;
		}
		mem_sort(&ordered.sums[most], ordered.count - most, sizeof(*ordered.sums), time_order);
	}
	mem_free(place);
	mem_free(p->sums);
	*p = ordered;
}

bool
critical_find(const struct profile *profile, uint32_t thread, const struct range *range,
    struct critical *p, const atomic_bool *cancel)
{
	struct waits w;
	struct leaves l = {.room = 0};
	struct binder_calls calls = {.items = NULL};
	uint32_t *methods;
	bool done;

	*p = (struct critical){.range = *range, .thread = thread};
	if (range->to <= range->from || thread >= trace_thread_count(profile->trace))
		return true;
	done = waits_within(profile, thread, range, &w, cancel);
	methods = mem_alloc((w.count + 1) * sizeof(*methods));
	done = done && innermost_find(profile, p, &w, methods, cancel) && calls_take(profile, p, &calls, cancel);
	for (size_t i = own_row(&w, 0); done && i < w.count; i = own_row(&w, i + 1)) {
		if (i % 64 == 0 && is_cancelled(cancel)) {
			done = false;
			break;
		}
		const struct wait_row *row = &w.rows[i];
		struct critical_sum sum = cause_of(profile->trace, row, methods[i]);
		size_t at;

		if (sum.cause == CRITICAL_BINDER)
			sum.method = called_method(&calls, row->from);
		at = sum_add(p, 0, &sum, row->from, row->to);

		if (sum.cause != CRITICAL_RUNNING && (sum.cause != CRITICAL_RUNNABLE || row->kind == WAIT_FOLLOWED))
			leaves_add(&l, at, &w, i);
	}
	if (done)
		critical_order(p, &l);
	binder_calls_release(&calls);
	mem_free(methods);
	mem_free(l.path.sums);
	mem_free(l.of_cause);
	waits_release(&w);
	return done;
}

void
critical_release(struct critical *p)
{
	mem_free(p->sums);
}
