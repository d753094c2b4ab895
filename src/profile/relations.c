#include <config.h>

#include "profile/relations.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
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
	idmap_release(&e->index);
	mem_free(e->items);
	mem_free(e);
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
	edge->inclusive[CLOCK_CPU] += inclusive[CLOCK_CPU];
	edge->inclusive[CLOCK_WALL] += inclusive[CLOCK_WALL];
}

/* One edge as an entry in the list of one of its ends. */
struct entry {
	uint64_t list; /* method * RELATION_KINDS + kind */
	struct relation relation;
	const struct method *method;
	enum clock_id clock;
};

static int
entry_identity(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->list != b->list)
		return a->list < b->list ? -1 : 1;
	return (a->relation.method > b->relation.method) -
	    (a->relation.method < b->relation.method);
}

static int
entry_order(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	nsec time_a = a->relation.inclusive[a->clock], time_b = b->relation.inclusive[b->clock];
	int order;

	if (a->list != b->list)
		return a->list < b->list ? -1 : 1;
	if (time_a != time_b)
		return time_a > time_b ? -1 : 1;
	order = method_compare(a->method, b->method);
	return order != 0 ? order : entry_identity(left, right);
}

static size_t
entries_make(const struct edges *e, const struct trace *t, struct entry *entries)
{
	enum clock_id clock = trace_default_clock(t);
	size_t n = 0;

	for (size_t i = 0; i < e->count; i++) {
		const struct edge *edge = &e->items[i];
		enum relation_kind up = edge->callee_recursive ? RELATION_PARENT_RECURSIVE
							       : RELATION_PARENT;
		enum relation_kind down = edge->caller_recursive ? RELATION_CHILD_RECURSIVE
								 : RELATION_CHILD;
		struct relation sums = {0, edge->calls,
		    {edge->inclusive[CLOCK_CPU], edge->inclusive[CLOCK_WALL]}};

		sums.method = edge->caller;
		entries[n++] = (struct entry){(uint64_t)edge->callee * RELATION_KINDS + up, sums,
		    trace_method(t, edge->caller), clock};
		sums.method = edge->callee;
		entries[n++] = (struct entry){(uint64_t)edge->caller * RELATION_KINDS + down, sums,
		    trace_method(t, edge->callee), clock};
	}
	return n;
}

/* Edges that differ only in the recursion of the other end are one entry. */
static size_t
entries_merge(struct entry *entries, size_t n)
{
	size_t kept = 0;

	qsort(entries, n, sizeof(*entries), entry_identity);
	for (size_t i = 0; i < n; i++) {
		struct relation *into = kept > 0 ? &entries[kept - 1].relation : NULL;

		if (into == NULL || entry_identity(&entries[kept - 1], &entries[i]) != 0) {
			entries[kept++] = entries[i];
			continue;
		}
		into->calls += entries[i].relation.calls;
		for (int c = 0; c < CLOCKS; c++)
			into->inclusive[c] += entries[i].relation.inclusive[c];
	}
	return kept;
}

void
edges_relate(const struct edges *e, const struct trace *t, struct fold *fold)
{
	struct entry *entries = mem_alloc(2 * e->count * sizeof(*entries));
	size_t n = entries_merge(entries, entries_make(e, t, entries));
	size_t lists = (size_t)fold->method_count * RELATION_KINDS;
	size_t at = 0;

	qsort(entries, n, sizeof(*entries), entry_order);
	fold->first = mem_alloc((lists + 1) * sizeof(*fold->first));
	fold->relations = mem_alloc(n * sizeof(*fold->relations));
	for (size_t list = 0; list < lists; list++) {
		fold->first[list] = (uint32_t)at;
		for (; at < n && entries[at].list == list; at++)
			fold->relations[at] = entries[at].relation;
	}
	fold->first[lists] = (uint32_t)at;
	mem_free(entries);
}
