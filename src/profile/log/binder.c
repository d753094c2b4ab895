// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/binder.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "profile/timeline/jank.h"
#include "trace/log.h"

/* Both sides ----------------------------------------------------------------------- */

enum binder_side { SIDE_NONE, SIDE_CLIENT, SIDE_SERVER, SIDE_ASYNC, SIDE_RECEIVED, SIDES };

static enum binder_side
side_of(const struct trace *t, uint32_t method)
{
	static const struct str names[SIDES] = {[SIDE_NONE] = STR("?"),
	    [SIDE_CLIENT] = STR("binder transaction"), [SIDE_SERVER] = STR("binder reply"),
	    [SIDE_ASYNC] = STR("binder transaction async"), [SIDE_RECEIVED] = STR("binder async rcv")};
	struct str name = trace_method(t, method)->name;

	for (int i = SIDE_CLIENT; i < SIDES; i++)
		if (str_equal(name, names[i]))
			return (enum binder_side)i;
	return SIDE_NONE;
}

static void
link_take(const struct trace *t, struct binder_calls *calls, struct idmap *open,
    const struct log_link *link)
{
	const enum binder_side side = side_of(t, link->method);
	struct binder_call *call;
	uint32_t at;

	if (side == SIDE_CLIENT || side == SIDE_ASYNC) {
		idmap_put(open, link->chain, (uint32_t)calls->count);
		*MEM_ADD(calls->items, calls->count, calls->room) = (struct binder_call){
		    .from = link->from, .done = -1,
		    .to = side == SIDE_CLIENT && link->to != LOG_OPEN ? link->to : -1,
		    .client = link->thread, .server = THREAD_NONE, .method = METHOD_NONE,
		    .code = link->code, .size = link->size, .failed = link->failed,
		    .one_way = side == SIDE_ASYNC};
		return;
	}
	at = side != SIDE_NONE ? idmap_get(open, link->chain) : IDMAP_NONE;
	if (at == IDMAP_NONE)
		return;
	call = &calls->items[at];
	call->server = link->thread;
	call->served = link->from;
	if (side == SIDE_SERVER && link->to != LOG_OPEN)
		call->done = link->to;
}

static bool
links_take(const struct profile *p, struct binder_calls *calls, const atomic_bool *cancel)
{
	const struct log *log = p->trace->log;
	struct idmap open = {0}; /* chain -> its last call */
	bool whole = true;

	for (uint64_t n = 0; n < log->links.count && whole; n++) {
		whole = !sched_stopped(cancel, n);
		link_take(p->trace, calls, &open, spool_peek(&log->links, n));
	}
	idmap_release(&open);
	return whole;
}

/* Running time of the client -------------------------------------------------------- */

/* How long a thread ran since the point before, of the thread's; later: since its first. */
struct point {
	nsec at, ran;
	uint32_t thread;
};

static int
point_order(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	return order_then(ORDER(a->thread, b->thread), ORDER(a->at, b->at));
}

/* The first point of the thread at `at` or later, or the one after its last. */
static size_t
point_find(const struct point *points, size_t count, uint32_t thread, nsec at)
{
	const struct point key = {.at = at, .thread = thread};

	return mem_before(points, count, sizeof(*points), &key, point_order);
}

static void
run_add(struct point *points, size_t count, const struct interval *i)
{
	nsec from = i->from;

	for (size_t k = point_find(points, count, i->thread, from); k < count &&
	     points[k].thread == i->thread && from < i->to; k++) {
		nsec to = points[k].at < i->to ? points[k].at : i->to;

		points[k].ran += to - from;
		from = to;
	}
}

static bool
blocked_find(const struct profile *p, struct binder_calls *calls, const atomic_bool *cancel)
{
	const struct sched *sched = &p->trace->log->sched;
	struct point *points = mem_zero(2 * calls->count + 1, sizeof(*points));
	size_t count = 0;
	const struct interval *i;
	bool whole = true;

	for (size_t n = 0; n < calls->count; n++) {
		const struct binder_call *c = &calls->items[n];

		if (c->to < c->from)
			continue;
		points[count++] = (struct point){.at = c->from, .thread = c->client};
		points[count++] = (struct point){.at = c->to, .thread = c->client};
	}
	qsort(points, count, sizeof(*points), point_order);
	for (uint64_t n = 0; whole && (i = sched_within(sched, &n, 0, INT64_MAX)) != NULL; n++) {
		whole = !sched_stopped(cancel, n);
		if (i->state == TASK_RUNNING)
			run_add(points, count, i);
	}
	for (size_t k = 1; k < count; k++)
		if (points[k].thread == points[k - 1].thread)
			points[k].ran += points[k - 1].ran;
	for (size_t n = 0; n < calls->count; n++) {
		struct binder_call *c = &calls->items[n];

		if (c->to >= c->from)
			c->blocked = c->to - c->from -
			    (points[point_find(points, count, c->client, c->to)].ran -
				points[point_find(points, count, c->client, c->from)].ran);
	}
	mem_free(points);
	return whole;
}

/* Methods ---------------------------------------------------------------------------- */

struct str
binder_method(struct str slice)
{
	struct str parts[6], rest = slice;
	size_t count = 0, first = 1;

	if (str_starts(slice, STR("H:")))
		rest = (struct str){slice.p + 2, slice.n - 2};
	while (rest.p != NULL && count < sizeof(parts) / sizeof(parts[0])) {
		const char *at = rest.p, *end = rest.p + rest.n;

		while (at + 1 < end && (at[0] != ':' || at[1] != ':'))
			at++;
		if (at + 1 >= end) {
			parts[count++] = rest;
			break;
		}
		parts[count++] = (struct str){rest.p, (size_t)(at - rest.p)};
		rest = (struct str){at + 2, (size_t)(end - at - 2)};
	}
	/* AIDL, a language, the interface, its method, the side. */
	if (count < 4 || (!str_equal(parts[0], STR("AIDL")) && !str_equal(parts[0], STR("HIDL"))))
		return (struct str){NULL, 0};
	if (count >= 5 && (str_equal(parts[1], STR("cpp")) || str_equal(parts[1], STR("java")) ||
		str_equal(parts[1], STR("ndk")) || str_equal(parts[1], STR("rust"))))
		first = 2;
	if (count != first + 3 || parts[first].n == 0 || parts[first].p[0] != 'I')
		return (struct str){NULL, 0};
	return (struct str){parts[first].p,
	    (size_t)(parts[first + 1].p + parts[first + 1].n - parts[first].p)};
}

/* How many of them are before `at` on the thread, or on one before it. */
static uint32_t
slices_before(const struct jank *j, uint32_t thread, nsec at)
{
	const struct jank_frame key = {.thread = thread, .start = at};

	return (uint32_t)mem_before(j->frames, j->count, sizeof(key), &key, jank_thread_order);
}

/* The first of them in the server's reply, or the client's around the call; METHOD_NONE: there is none. */
static uint32_t
method_of(const struct jank *j, const struct binder_call *c, bool client)
{
	uint32_t at = client ? slices_before(j, c->client, c->from + 1) - 1
			     : slices_before(j, c->server, c->served);
	const struct jank_frame *f = &j->frames[at];

	if (at >= j->count)
		return METHOD_NONE;
	if (client)
		return f->thread == c->client && (f->time[CLOCK_WALL] == 0 || /* it is open */
			f->start + f->time[CLOCK_WALL] > c->from) ? f->method : METHOD_NONE;
	return f->thread == c->server && f->start <= c->done ? f->method : METHOD_NONE;
}

/* Finds the methods of calls that have none: by slices of servers, or of clients. */
static bool
methods_find(const struct profile *p, struct binder_calls *calls, bool client, const atomic_bool *cancel)
{
#define NAMES(side) STR("^(?:H:)?[AH]IDL::(?:(?:cpp|java|ndk|rust)::)?I\\w+::\\w+::\\w*" side "$")
	static const struct str patterns[] = {NAMES("[sS]erver"), NAMES("client")};
	struct jank_query q = {.range = {p->end, p->begin}, .pattern = patterns[client]};
	struct err e = {0};
	struct jank *found;

	for (size_t i = 0; i < calls->count; i++) {
		const struct binder_call *c = &calls->items[i];
		nsec from = client ? p->begin : c->served, to = client ? c->from : c->done;

		if (c->method != METHOD_NONE || to < from)
			continue;
		q.range.from = from < q.range.from ? from : q.range.from;
		q.range.to = to >= q.range.to ? to + 1 : q.range.to;
	}
	if (q.range.to < q.range.from || !jank_any(p->trace, q.pattern))
		return true;
	found = jank_find(p, &q, cancel, &e);
	if (found == NULL)
		return false;
	mem_sort(found->frames, found->count, sizeof(*found->frames), jank_thread_order);
	for (size_t i = 0; i < calls->count; i++) {
		struct binder_call *c = &calls->items[i];

		if (c->method == METHOD_NONE && (client || c->done >= c->served))
			c->method = method_of(found, c, client);
	}
	jank_free(found);
	return true;
}

/* All ---------------------------------------------------------------------------------- */

bool
binder_calls_find(const struct profile *p, const struct scope *scope, const struct range *range,
    struct binder_calls *calls, const atomic_bool *cancel)
{
	size_t kept = 0;
	bool whole;

	*calls = (struct binder_calls){.items = NULL};
	whole = links_take(p, calls, cancel);
	for (size_t i = 0; i < calls->count; i++) {
		const struct binder_call *c = &calls->items[i];

		if (c->from >= range->from && c->from < range->to && scope_has(scope, c->client))
			calls->items[kept++] = *c;
	}
	calls->count = kept;
	if (kept > 0)
		whole = whole && (!p->trace->log->has_sched || blocked_find(p, calls, cancel)) &&
		    methods_find(p, calls, false, cancel) && methods_find(p, calls, true, cancel);
	if (!whole)
		binder_calls_release(calls);
	return whole;
}

void
binder_calls_release(struct binder_calls *calls)
{
	mem_free(calls->items);
	*calls = (struct binder_calls){.items = NULL};
}
