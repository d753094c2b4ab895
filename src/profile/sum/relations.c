// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/relations.h"

#include <string.h>

#include "base/mem.h"

/*
 * An edge is caller, callee, and whether each was recursive in that place; Traceview's four
 * lists are sums of edges (doc/accounting.md).
 */
struct edge {
	uint32_t caller, callee;
	bool caller_recursive, callee_recursive;
	uint64_t calls;
	nsec inclusive[CLOCKS];
};

/* Calls nested in each other count whole, each: more than any time there is. */
static void
times_add(nsec into[CLOCKS], const nsec more[CLOCKS])
{
	for (int c = 0; c < CLOCKS; c++) {
		if (__builtin_add_overflow(into[c], more[c], &into[c]))
			into[c] = INT64_MAX;
	}
}

void
edges_add(struct edges *e, uint32_t caller, uint32_t callee, bool caller_recursive,
    bool callee_recursive, uint64_t calls, const nsec inclusive[CLOCKS])
{
	/* Method indexes have 30 bits. */
	uint64_t key = (uint64_t)caller << 32 | (uint64_t)callee << 2 |
	    (uint64_t)caller_recursive << 1 | callee_recursive;
	uint32_t at = idmap_add(&e->index, key, e->count);
	struct edge *edge;

	if (at == e->count) {
		*MEM_ADD(e->items, e->count, e->room) =
		    (struct edge){caller, callee, caller_recursive,
		    callee_recursive, 0, {0}};
	}
	edge = &e->items[at];
	edge->calls += calls;
	times_add(edge->inclusive, inclusive);
}

/* An entry of a list. */
struct listed {
	size_t list;
	struct relation is;
};

static int
order_method(const void *left, const void *right, const void *context)
{
	const struct listed *a = left, *b = right;

	return order_then(ORDER(a->list, b->list), ORDER(a->is.method, b->is.method));
}

static int
order_time(const void *left, const void *right, const void *context)
{
	const struct listed *a = left, *b = right;
	const struct trace *t = context;
	enum clock_id clock = trace_default_clock(t);
	int order;

	if (a->list != b->list)
		return a->list < b->list ? -1 : 1;
	if (a->is.inclusive[clock] != b->is.inclusive[clock])
		return a->is.inclusive[clock] > b->is.inclusive[clock] ? -1 : 1;
	order = method_compare(trace_method(t, a->is.method), trace_method(t, b->is.method));
	return order != 0 ? order : order_method(left, right, NULL);
}

/* Edges that differ only in the recursion of the other end are one entry. */
static size_t
lists_merge(struct listed *items, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || order_method(&items[kept - 1], &items[i], NULL) != 0) {
			items[kept++] = items[i];
			continue;
		}
		items[kept - 1].is.calls += items[i].is.calls;
		times_add(items[kept - 1].is.inclusive, items[i].is.inclusive);
	}
	return kept;
}

void
edges_relate(const struct edges *e, const struct trace *t, struct fold *fold,
    const atomic_bool *cancel)
{
	size_t lists = (size_t)fold->method_count * RELATION_KINDS, count = 2 * e->count;
	struct listed *items = mem_alloc(count * sizeof(*items));

	for (size_t i = 0; i < e->count; i++) {
		const struct edge *edge = &e->items[i];
		struct listed *two = &items[2 * i];

		/* An edge is in two lists: the callee's parents and the caller's children. */
		two[0] = (struct listed){(size_t)edge->callee * RELATION_KINDS +
		    (edge->callee_recursive ? RELATION_PARENT_RECURSIVE : RELATION_PARENT),
		    {.calls = edge->calls}};
		memcpy(two[0].is.inclusive, edge->inclusive, sizeof(edge->inclusive));
		two[1] = two[0];
		two[1].list = (size_t)edge->caller * RELATION_KINDS +
		    (edge->caller_recursive ? RELATION_CHILD_RECURSIVE : RELATION_CHILD);
		two[0].is.method = edge->caller;
		two[1].is.method = edge->callee;
	}
	if (count > 0) {
		msort_items_until(items, count, sizeof(*items), order_method, NULL, cancel);
		count = lists_merge(items, count);
		msort_items_until(items, count, sizeof(*items), order_time, t, cancel);
	}
	fold->first = mem_alloc((lists + 1) * sizeof(*fold->first));
	fold->relations = mem_alloc(count * sizeof(*fold->relations));
	for (size_t list = 0, i = 0; list <= lists; list++) {
		fold->first[list] = (uint32_t)i;
		for (; i < count && items[i].list == list; i++)
			fold->relations[i] = items[i].is;
	}
	mem_free(items);
}

void
edges_release(struct edges *e)
{
	idmap_release(&e->index);
	mem_free(e->items);
}
