// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/samples/callgraph.h"

#include <stdlib.h>

#include "base/mem.h"

enum { DEPTH_MOST = 64, SMALL = 10000, PATHS_MOST = 1 << 20 };

#define COST_MOST (UINT64_C(1) << 60)

/* The graph ---------------------------------------------------------------------------- */

uint32_t
callgraph_function(struct callgraph *g, struct str name, struct str file)
{
	/* slowtop calls so what is below all calls. */
	uint32_t method = str_equal(name, STR("(toplevel)")) ? METHOD_NONE
	    : samples_method(&g->s, name, file, false);
	uint32_t function = idmap_add(&g->functions, method, g->count);

	if (function == g->count)
		*MEM_ADD(g->list, g->count, g->room) = (struct callgraph_function){.method = method};
	return function;
}

bool
callgraph_own(struct callgraph *g, uint32_t function, uint64_t cost)
{
	if (cost > COST_MOST / g->scale - g->total)
		return false;
	g->list[function].own += cost;
	g->total += cost;
	return true;
}

bool
callgraph_calls(struct callgraph *g, uint32_t caller, uint32_t callee, uint64_t calls, uint64_t cost)
{
	struct callgraph_function *f = &g->list[caller];
	uint32_t edge = idmap_add(&g->edges, (uint64_t)caller << 32 | callee, g->edge_count);
	struct callgraph_edge *e;

	if (edge == g->edge_count) {
		*MEM_ADD(g->edge, g->edge_count, g->edge_room) =
		    (struct callgraph_edge){.caller = caller, .callee = callee};
		if (f->last > 0)
			g->edge[f->last - 1].next = edge + 1;
		else
			f->first = edge + 1;
		f->last = edge + 1;
	}
	e = &g->edge[edge];
	if (calls > COST_MOST - e->calls || cost > COST_MOST - e->cost)
		return false;
	e->calls += calls;
	e->cost += cost;
	return true;
}

/* A function in the search, and the edge from it that comes next, + 1. */
struct search_frame {
	uint32_t function, edge;
};

/* Finds the calls back to functions that the search from this one is still in. */
static void
back_find(struct callgraph *g, uint32_t root, struct search_frame *stack)
{
	size_t depth = 0;

	if (g->list[root].met)
		return;
	g->list[root].met = true;
	stack[depth++] = (struct search_frame){root, g->list[root].first};
	while (depth > 0) {
		struct search_frame *top = &stack[depth - 1];
		struct callgraph_edge *e;
		struct callgraph_function *callee;

		if (top->edge == 0) {
			g->list[top->function].searched = true;
			depth--;
			continue;
		}
		e = &g->edge[top->edge - 1];
		top->edge = e->next;
		callee = &g->list[e->callee];
		if (!callee->met) {
			callee->met = true;
			stack[depth++] = (struct search_frame){e->callee, callee->first};
		} else if (!callee->searched) {
			e->back = true;
		}
	}
}

/* Roots come first: functions that nothing calls, then what is left. */
static void
back_find_all(struct callgraph *g)
{
	struct search_frame *stack = mem_alloc((g->count + 1) * sizeof(*stack));
	bool *called = mem_zero(g->count + 1, sizeof(*called));

	for (size_t i = 0; i < g->edge_count; i++)
		called[g->edge[i].callee] |= g->edge[i].caller != g->edge[i].callee;
	for (uint32_t i = 0; i < g->count; i++)
		if (!called[i])
			back_find(g, i, stack);
	for (uint32_t i = 0; i < g->count; i++)
		back_find(g, i, stack);
	mem_free(called);
	mem_free(stack);
	for (uint32_t i = 0; i < g->count; i++)
		g->list[i].outside = g->list[i].own;
	for (size_t i = 0; i < g->edge_count; i++) {
		const struct callgraph_edge *e = &g->edge[i];

		*(e->back ? &g->list[e->callee].back : &g->list[e->callee].inside) += e->cost;
		if (!e->back)
			g->list[e->caller].outside += e->cost;
	}
}

/* Paths -------------------------------------------------------------------------------- */

/* The cost of a function beyond what its callers claim: it is a root, too. */
static double
cost_beyond(const struct callgraph_function *f)
{
	double more = (double)f->outside - (double)f->inside - (double)f->back;

	return more > 0 ? more : 0;
}

/* The cost that is divided among its paths; what comes back to it is in these. */
static double
cost_of(const struct callgraph_function *f)
{
	return (double)f->inside + cost_beyond(f);
}

static uint32_t
path_add(struct callgraph *g, uint32_t function, uint32_t parent, double share, double called)
{
	struct callgraph_function *f = &g->list[function];

	MEM_GROW(g->paths, g->path_room, g->path_count + 1);
	g->paths[g->path_count] = (struct callgraph_path){.function = function, .parent = parent,
	    .before = f->path, .depth = parent > 0 ? g->paths[parent - 1].depth + 1 : 1, .share = share,
	    .called = called};
	f->path = (uint32_t)++g->path_count;
	f->paths++;
	return f->path;
}

/* The path of a call from a path, + 1; 0: it is too small, or a call back, which ends there. */
static uint32_t
path_call(struct callgraph *g, uint32_t parent, const struct callgraph_edge *e)
{
	double share = g->paths[parent - 1].share, called = share * (double)e->calls;
	double cost = share * (double)e->cost;

	if (g->path_count >= PATHS_MOST || g->paths[parent - 1].depth >= DEPTH_MOST)
		return 0;
	if (e->back) {
		if (called >= 0.5)
			(void)path_add(g, e->callee, parent, 0, called);
		return 0;
	}
	if (cost <= 0 || cost * SMALL < (double)g->total || called < 0.5)
		return 0;
	return path_add(g, e->callee, parent, cost / cost_of(&g->list[e->callee]), called);
}

/* All paths from a root, each before those below it. */
static void
paths_from(struct callgraph *g, uint32_t root, double share)
{
	struct search_frame stack[DEPTH_MOST + 1];
	size_t depth = 0;

	stack[depth++] = (struct search_frame){path_add(g, root, 0, share, 0), g->list[root].first};
	while (depth > 0) {
		struct search_frame *top = &stack[depth - 1];
		const struct callgraph_edge *e;
		uint32_t path;

		if (top->edge == 0) {
			depth--;
			continue;
		}
		e = &g->edge[top->edge - 1];
		top->edge = e->next;
		path = path_call(g, top->function, e);
		if (path > 0)
			stack[depth++] = (struct search_frame){path, g->list[e->callee].first};
	}
}

/* Dividing ------------------------------------------------------------------------------ */

struct divided {
	double weight, rest;
	uint64_t size;
	uint32_t path; /* + 1; 0: of what has none */
};

static int
rest_order(const void *a, const void *b)
{
	const struct divided *x = a, *y = b;

	return order_then(ORDER(y->rest, x->rest), ORDER(x->path, y->path));
}

/* Divides a whole in proportion to weights, by the largest remainder. */
static void
parts_divide(struct divided *parts, size_t count, uint64_t whole)
{
	double weights = 0;
	uint64_t left = whole;

	for (size_t i = 0; i < count; i++)
		weights += parts[i].weight;
	for (size_t i = 0; i < count; i++) {
		double exact = weights > 0 ? (double)whole * (parts[i].weight / weights) : 0;
		uint64_t size = exact < (double)left ? (uint64_t)exact : left;

		parts[i].size = size;
		parts[i].rest = exact - (double)size;
		left -= size;
	}
	qsort(parts, count, sizeof(*parts), rest_order);
	for (size_t i = 0; left > 0; i = (i + 1) % count) {
		uint64_t more = left > count ? left / count : 1;

		parts[i].size += more;
		left -= more;
	}
}

/* A path is there for a call: one without any takes it from that with the most. */
static void
parts_fill(struct divided *parts, size_t count, uint64_t whole)
{
	size_t most = 0;

	for (size_t i = 0; i < count && whole >= count; i++) {
		if (parts[i].size > 0)
			continue;
		for (size_t k = 0; k < count; k++)
			most = parts[k].size > parts[most].size ? k : most;
		parts[most].size--;
		parts[i].size++;
	}
}

/* Puts own cost and calls where the paths of the function are, and the rest below `small`. */
static void
function_divide(struct callgraph *g, uint32_t function, uint64_t calls, uint32_t small)
{
	struct callgraph_function *f = &g->list[function];
	struct divided *parts = mem_zero((size_t)f->paths + 1, sizeof(*parts));
	double share = 0, called = 0;
	size_t count = 0;
	uint32_t rest = 0;

	for (uint32_t path = f->path; path > 0; path = g->paths[path - 1].before) {
		share += g->paths[path - 1].share;
		called += g->paths[path - 1].called;
	}
	if ((share < 1 - 1e-9 && f->own > 0) || (double)calls - called >= 0.5 || f->path == 0)
		rest = path_add(g, function, small, share < 1 ? 1 - share : 0,
		    (double)calls > called ? (double)calls - called : 0);
	for (uint32_t path = f->path; path > 0; path = g->paths[path - 1].before) {
		if (g->paths[path - 1].share > 0)
			parts[count++] = (struct divided){.weight = g->paths[path - 1].share, .path = path};
	}
	if (count > 0)
		parts_divide(parts, count, f->own);
	for (size_t i = 0; i < count; i++)
		g->paths[parts[i].path - 1].own = parts[i].size;
	count = 0;
	for (uint32_t path = f->path; path > 0; path = g->paths[path - 1].before) {
		if (g->paths[path - 1].called > 0 || path == rest)
			parts[count++] = (struct divided){.weight = g->paths[path - 1].called, .path = path};
	}
	if (count > 0) {
		parts_divide(parts, count, calls);
		parts_fill(parts, count, calls);
	}
	for (size_t i = 0; i < count; i++)
		g->paths[parts[i].path - 1].calls = parts[i].size;
	mem_free(parts);
}

void
callgraph_paths(struct callgraph *g)
{
	uint64_t *calls = mem_zero(g->count + 1, sizeof(*calls));
	const uint32_t count = (uint32_t)g->count;
	uint32_t small;

	g->thread = samples_thread_one(&g->s);
	back_find_all(g);
	for (uint32_t i = 0; i < count; i++) {
		const struct callgraph_function *f = &g->list[i];
		double more = cost_beyond(f);

		if (more > 0 && more * SMALL >= (double)g->total)
			paths_from(g, i, more / cost_of(f));
	}
	for (size_t i = 0; i < g->edge_count; i++) {
		const struct callgraph_edge *e = &g->edge[i];

		if (e->calls <= COST_MOST - calls[e->callee])
			calls[e->callee] += e->calls;
	}
	small = path_add(g, callgraph_function(g, STR("(small)"), STR("")), 0, 0, 0);
	for (uint32_t i = 0; i < count; i++)
		function_divide(g, i, calls[i], small);
	mem_free(calls);
	trace_note(g->s.trace, "call paths are estimated from a call graph; each function's own cost is "
	    "exact");
}

bool
callgraph_take(struct sampler *s)
{
	struct callgraph *g = (struct callgraph *)s;
	struct callgraph_path *p;
	bool leads;

	if (g->taken == g->path_count)
		return false;
	p = &g->paths[g->taken++];
	leads = g->taken < g->path_count && g->paths[g->taken].depth > p->depth;
	p->node = samples_call(s, p->parent > 0 ? g->paths[p->parent - 1].node : 0,
	    g->list[p->function].method);
	if (p->own == 0 && p->calls == 0 && !leads)
		return true;
	s->calls = p->calls < UINT32_MAX ? (uint32_t)p->calls : UINT32_MAX;
	samples_add_stack(s, g->thread, p->own * g->scale, 0, p->node);
	return true;
}

void
callgraph_release(struct callgraph *g)
{
	idmap_release(&g->functions);
	idmap_release(&g->edges);
	mem_free(g->list);
	mem_free(g->edge);
	mem_free(g->paths);
}
