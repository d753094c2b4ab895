#include <config.h>

#include "profile/sum/relations.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

struct edge {
	uint32_t caller, callee;
	bool caller_recursive, callee_recursive;
	uint64_t calls;
	nsec inclusive[CLOCKS];
};

struct edges {
	struct idmap index;
	struct edge *items;
	size_t count, room;
};

struct edges *
edges_new(void)
{
	return mem_zero(1, sizeof(struct edges));
}

void
edges_free(struct edges *e)
{
	if (e == NULL)
		return;
	idmap_release(&e->index);
	mem_free(e->items);
	mem_free(e);
}

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
	uint32_t at = idmap_get(&e->index, key);
	struct edge *edge;

	if (at == IDMAP_NONE) {
		MEM_GROW(e->items, e->room, e->count + 1);
		at = (uint32_t)e->count++;
		e->items[at] = (struct edge){caller, callee, caller_recursive, callee_recursive,
		    0, {0}};
		idmap_put(&e->index, key, at);
	}
	edge = &e->items[at];
	edge->calls += calls;
	times_add(edge->inclusive, inclusive);
}

void
edges_merge(struct edges *into, const struct edges *more)
{
	for (size_t i = 0; i < more->count; i++) {
		const struct edge *edge = &more->items[i];

		edges_add(into, edge->caller, edge->callee, edge->caller_recursive,
		    edge->callee_recursive, edge->calls, edge->inclusive);
	}
}

/* The two lists that an edge is in: the callee's parents and the caller's children. */
static size_t
parent_list(const struct edge *edge)
{
	return (size_t)edge->callee * RELATION_KINDS +
	    (edge->callee_recursive ? RELATION_PARENT_RECURSIVE : RELATION_PARENT);
}

static size_t
child_list(const struct edge *edge)
{
	return (size_t)edge->caller * RELATION_KINDS +
	    (edge->caller_recursive ? RELATION_CHILD_RECURSIVE : RELATION_CHILD);
}

static struct relation
relation_of(const struct edge *edge, uint32_t other)
{
	return (struct relation){other, edge->calls,
	    {edge->inclusive[CLOCK_CPU], edge->inclusive[CLOCK_WALL]}};
}

/* Puts every edge into its two lists; list i is then [first[i], first[i + 1]). */
static void
lists_fill(const struct edges *e, size_t lists, struct fold *fold)
{
	uint32_t *next = mem_zero(lists + 1, sizeof(*next));

	for (size_t i = 0; i < e->count; i++) {
		next[parent_list(&e->items[i])]++;
		next[child_list(&e->items[i])]++;
	}
	for (size_t i = 0, sum = 0; i <= lists; i++) {
		fold->first[i] = (uint32_t)sum;
		sum += next[i];
		next[i] = fold->first[i];
	}
	for (size_t i = 0; i < e->count; i++) {
		const struct edge *edge = &e->items[i];

		fold->relations[next[parent_list(edge)]++] = relation_of(edge, edge->caller);
		fold->relations[next[child_list(edge)]++] = relation_of(edge, edge->callee);
	}
	mem_free(next);
}

static int
order_method(const void *left, const void *right)
{
	const struct relation *a = left, *b = right;

	return (a->method > b->method) - (a->method < b->method);
}

static int
order_time(const void *left, const void *right, void *context)
{
	const struct relation *a = left, *b = right;
	const struct trace *t = context;
	enum clock_id clock = trace_default_clock(t);
	int order;

	if (a->inclusive[clock] != b->inclusive[clock])
		return a->inclusive[clock] > b->inclusive[clock] ? -1 : 1;
	order = method_compare(trace_method(t, a->method), trace_method(t, b->method));
	return order != 0 ? order : order_method(left, right);
}

/* Edges that differ only in the recursion of the other end are one entry. */
static uint32_t
list_merge(struct relation *list, uint32_t n)
{
	uint32_t kept = 0;

	qsort(list, n, sizeof(*list), order_method);
	for (uint32_t i = 0; i < n; i++) {
		struct relation *into = kept > 0 ? &list[kept - 1] : NULL;

		if (into == NULL || into->method != list[i].method) {
			list[kept++] = list[i];
			continue;
		}
		into->calls += list[i].calls;
		times_add(into->inclusive, list[i].inclusive);
	}
	return kept;
}

void
edges_relate(const struct edges *e, const struct trace *t, struct fold *fold)
{
	size_t lists = (size_t)fold->method_count * RELATION_KINDS;
	uint32_t end = 0;

	fold->first = mem_alloc((lists + 1) * sizeof(*fold->first));
	fold->relations = mem_alloc(2 * e->count * sizeof(*fold->relations));
	lists_fill(e, lists, fold);
	for (size_t i = 0; i < lists; i++) {
		struct relation *list = fold->relations + fold->first[i];
		uint32_t n = fold->first[i + 1] - fold->first[i];

		if (n > 1) {
			n = list_merge(list, n);
			qsort_r(list, n, sizeof(*list), order_time, (void *)(uintptr_t)t);
		}
		/* Close the gaps that merging left; most lists are empty. */
		if (n > 0 && list != fold->relations + end)
			memmove(fold->relations + end, list, n * sizeof(*list));
		fold->first[i] = end;
		end += n;
	}
	fold->first[lists] = end;
}
