/* Paths in the order that a reader wants, and single ones found. */
#include <config.h>

#include "profile/paths.h"

#include "base/mem.h"

static int
falling(int64_t a, int64_t b)
{
	return (a < b) - (a > b);
}

static int
by_average(const struct path *a, const struct path *b, enum clock_id clock)
{
	/* Long double holds the product of two 64-bit numbers well enough to compare. */
	long double x = (long double)a->inclusive[clock] * (long double)b->calls;
	long double y = (long double)b->inclusive[clock] * (long double)a->calls;

	return (x < y) - (x > y);
}

static int
by_name(const struct path *a, const struct path *b, const struct trace *trace)
{
	int order = 0;

	if (trace != NULL)
		order = method_compare(trace_method(trace, a->method),
		    trace_method(trace, b->method));
	return order != 0 ? order : (a->method > b->method) - (a->method < b->method);
}

static int
by_key(const struct path *a, const struct path *b, const struct path_order *o)
{
	switch (o->key) {
	case PATH_BY_INCLUSIVE:
		return falling(a->inclusive[o->clock], b->inclusive[o->clock]);
	case PATH_BY_EXCLUSIVE:
		return falling(a->exclusive[o->clock], b->exclusive[o->clock]);
	case PATH_BY_CALLS:
		return (a->calls < b->calls) - (a->calls > b->calls);
	case PATH_BY_AVERAGE:
		return by_average(a, b, o->clock);
	case PATH_BY_THREADS:
		return falling(a->threads, b->threads);
	case PATH_BY_NAME:
		return by_name(a, b, o->trace);
	}
	return 0;
}

static int
path_compare(const void *left, const void *right, const void *context)
{
	const struct path *a = left, *b = right;
	const struct path_order *o = context;
	int order = by_key(a, b, o);

	if (order != 0)
		return o->reverse ? -order : order;
	order = falling(a->inclusive[o->clock], b->inclusive[o->clock]);
	if (order == 0)
		order = by_name(a, b, o->trace);
	return order != 0 ? order : (a > b) - (a < b);
}

void
paths_sort(const struct path **items, uint32_t count, const struct path_order *order)
{
	msort((void **)(void *)items, count, path_compare, order);
}

void
paths_children(const struct paths *p, uint32_t path, const struct path_order *order,
    const struct path **out)
{
	uint32_t first = path == PATH_NONE ? 0 : p->items[path].child;
	uint32_t n = path == PATH_NONE ? p->roots : p->items[path].children;

	for (uint32_t i = 0; i < n; i++)
		out[i] = &p->items[first + i];
	paths_sort(out, n, order);
}

uint32_t
paths_child(const struct paths *p, uint32_t path, uint32_t method)
{
	const struct path *parent = &p->items[path];

	for (uint32_t c = parent->child; c < parent->child + parent->children; c++) {
		if (p->items[c].method == method)
			return c;
	}
	return PATH_NONE;
}

uint32_t
paths_depth(const struct paths *p, uint32_t path)
{
	uint32_t depth = 0;

	for (; p->items[path].parent != PATH_NONE; path = p->items[path].parent)
		depth++;
	return depth;
}

nsec
paths_total(const struct paths *p, enum clock_id clock)
{
	nsec total = 0;

	for (uint32_t r = 0; r < p->roots; r++)
		total += p->items[r].inclusive[clock];
	return total;
}
