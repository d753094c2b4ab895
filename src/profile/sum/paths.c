// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/sum/idle.h"
#include "profile/sum/paths.h"
#include "profile/sum/transform.h"

enum { CANCEL_PATHS = 4096 }; /* a look at the flag after so many */

/* Nodes of the tree that are one path: a list, threads ascending. */
struct path_member {
	uint32_t next; /* NODE_NONE: the last */
	uint32_t thread;
};

struct making {
	const struct paths_source *source;
	struct paths *paths;
	size_t room;
	struct path_member *members; /* by node */
	uint32_t *first, *last; /* by path: its nodes */
	nsec *bound; /* by path: of its longest call */
	size_t first_room, last_room, bound_room;
	uint32_t *slot; /* by method: the child of the present path, if it is one */
	const atomic_bool *cancel;
};

static bool
cancelled(const struct making *m, uint32_t id)
{
	return id % CANCEL_PATHS == 0 && is_cancelled(m->cancel);
}

static uint32_t
path_add(struct making *m, uint32_t method, uint32_t parent)
{
	struct paths *p = m->paths;
	uint32_t id = p->count++;

	MEM_GROW(p->items, m->room, p->count);
	MEM_GROW(m->first, m->first_room, p->count);
	MEM_GROW(m->last, m->last_room, p->count);
	MEM_GROW(m->bound, m->bound_room, p->count);
	p->items[id] = (struct path){.method = method, .parent = parent, .longest = -1};
	m->first[id] = m->last[id] = NODE_NONE;
	m->bound[id] = -1;
	return id;
}

/* The node is one of those that are the path. */
static void
path_join(struct making *m, uint32_t id, uint32_t node, uint32_t thread)
{
	const struct count count = tree_count_of(m->source->tree, m->source->counts, node);
	struct path *path = &m->paths->items[id];
	struct longest longest;
	uint32_t last = m->last[id];

	if (last == NODE_NONE)
		m->first[id] = node;
	else
		m->members[last].next = node;
	m->last[id] = node;
	m->members[node] = (struct path_member){NODE_NONE, thread};
	longest = (struct longest){path->longest, path->longest_at, m->bound[id]};
	if (longest_add(&longest, &m->source->tree->nodes[node], &m->source->range)) {
		path->longest = longest.length;
		path->longest_at = longest.at;
	}
	m->bound[id] = longest.bound;
	path->calls += count.calls;
	for (int c = 0; c < CLOCKS && !(m->source->idle && path->parent == PATH_NONE); c++)
		path->exclusive[c] += count.time[c];
	if (path->parent != PATH_NONE && tree_is_bottom(m->source->tree, node))
		path->flags |= PATH_ADOPTED;
}

static void
roots_make(struct making *m, bool together)
{
	const struct paths_source *s = m->source;

	m->paths->root_thread = mem_alloc((s->thread_count + 1) * sizeof(uint32_t));
	for (uint32_t t = 0; t < s->thread_count; t++) {
		uint32_t id = 0;

		if (s->roots[t] == NODE_NONE || !scope_has(s->scope, t))
			continue;
		if (!together || m->paths->count == 0) {
			id = path_add(m, METHOD_TOPLEVEL, PATH_NONE);
			m->paths->root_thread[id] = together ? THREAD_NONE : t;
		}
		path_join(m, id, s->roots[t], t);
	}
	m->paths->roots = m->paths->count;
}

/*
 * All children of a path are made before those of the next, so a method's slot is one of
 * them exactly if it is not below the first: nothing needs to be cleared in between.
 */
static void
children_make(struct making *m, uint32_t id)
{
	const struct tree *tree = m->source->tree;
	uint32_t from = m->paths->count;

	for (uint32_t n = m->first[id]; n != NODE_NONE; n = m->members[n].next) {
		uint32_t c = tree_child(tree, n);

		for (; c != NODE_NONE; c = tree_sibling(tree, c)) {
			uint32_t method = source_method(m->source, c);
			uint32_t child = m->slot[method];

			if (child < from || child >= m->paths->count)
				child = m->slot[method] = path_add(m, method, id);
			path_join(m, child, c, m->members[n].thread);
		}
	}
	m->paths->items[id].child = from;
	m->paths->items[id].children = m->paths->count - from;
}

static void
threads_count(struct making *m)
{
	for (uint32_t id = 0; id < m->paths->count; id++) {
		uint32_t before = THREAD_NONE;

		for (uint32_t n = m->first[id]; n != NODE_NONE; n = m->members[n].next) {
			const struct count c = tree_count_of(m->source->tree, m->source->counts, n);

			/* A path that a thread only has outside the range does not count. */
			if (m->members[n].thread == before ||
			    (c.calls == 0 && c.time[CLOCK_CPU] == 0 && c.time[CLOCK_WALL] == 0))
				continue;
			before = m->members[n].thread;
			m->paths->items[id].threads++;
		}
	}
}

static void
open_mark(struct making *m, uint32_t *path_of)
{
	const struct paths_source *s = m->source;
	const struct node *nodes = s->tree->nodes;

	memset(path_of, 0xff, s->tree->count * sizeof(*path_of));
	for (uint32_t id = 0; id < m->paths->count; id++) {
		for (uint32_t n = m->first[id]; n != NODE_NONE; n = m->members[n].next)
			path_of[n] = id;
	}
	for (uint32_t t = 0; t < s->thread_count; t++) {
		if (s->roots[t] == NODE_NONE || !scope_has(s->scope, t))
			continue;
		for (uint32_t n = s->open[t]; nodes[n].parent != NODE_NONE; n = nodes[n].parent) {
			if (path_of[n] != PATH_NONE)
				m->paths->items[path_of[n]].flags |= PATH_OPEN;
		}
	}
}

/* Upwards: what children have is their parent's as well. */
static void
inclusive_sum(struct paths *p)
{
	for (uint32_t id = p->count; id-- > 0;) {
		struct path *path = &p->items[id];

		for (int c = 0; c < CLOCKS; c++) {
			path->inclusive[c] += path->exclusive[c];
			if (path->parent != PATH_NONE)
				p->items[path->parent].inclusive[c] += path->inclusive[c];
		}
	}
}

/* Drops what has nothing of the selection; the others keep their order. */
static void
paths_compact(struct paths *p, bool slices, uint32_t *id_now)
{
	uint8_t *kept = mem_zero(p->count, 1);
	uint32_t n = 0, roots = 0;

	for (uint32_t id = p->count; id-- > 0;) {
		const struct path *path = &p->items[id];

		/* With slices it is not enough for a root that a thread was there. */
		kept[id] |= (path->calls > 0 && !(slices && path->parent == PATH_NONE)) ||
		    path->inclusive[CLOCK_CPU] != 0 || path->inclusive[CLOCK_WALL] != 0;
		if (kept[id] && path->parent != PATH_NONE)
			kept[path->parent] = 1;
	}
	for (uint32_t id = 0; id < p->count; id++) {
		struct path *path = &p->items[n];

		if (!kept[id])
			continue;
		id_now[id] = n++;
		*path = p->items[id];
		path->child = path->children = 0;
		if (path->parent == PATH_NONE) {
			p->root_thread[roots++] = p->root_thread[id];
			continue;
		}
		path->parent = id_now[path->parent];
		if (p->items[path->parent].children++ == 0)
			p->items[path->parent].child = id_now[id];
	}
	p->count = n;
	p->roots = roots;
	mem_free(kept);
}

/* The path after `id`, from top to bottom; leaves the frames on the way. */
static uint32_t
next_path(const struct paths *p, uint32_t id, uint32_t *open)
{
	if (p->items[id].children > 0)
		return p->items[id].child;
	for (;;) {
		const struct path *path = &p->items[id];
		const struct path *parent;

		open[path->method]--;
		if (path->parent == PATH_NONE)
			return id + 1 < p->roots ? id + 1 : PATH_NONE;
		parent = &p->items[path->parent];
		if (id + 1 < parent->child + parent->children)
			return id + 1;
		id = path->parent;
	}
}

/* Along the links, so that `open` has the methods of the stack. */
static bool
recursion_mark(struct making *m)
{
	struct paths *p = m->paths;
	uint32_t *open = mem_zero(p->method_count, sizeof(*open));
	uint32_t id = p->roots > 0 ? 0 : PATH_NONE, visited = 0;

	for (; id != PATH_NONE && !cancelled(m, ++visited); id = next_path(p, id, open)) {
		if (open[p->items[id].method]++ > 0)
			p->items[id].flags |= PATH_RECURSIVE;
	}
	mem_free(open);
	return id == PATH_NONE;
}

/*
 * `together`: the roots of all threads are one.  NULL only when `cancel` (may be NULL)
 * became true.
 */
static struct paths *
paths_make(const struct paths_source *s, bool together, const atomic_bool *cancel)
{
	struct making m = {.source = s, .cancel = cancel};
	bool whole = true;

	m.paths = mem_zero(1, sizeof(*m.paths));
	m.paths->method_count = s->method_count;
	m.members = mem_alloc(s->tree->count * sizeof(*m.members));
	m.slot = mem_zero(s->method_count, sizeof(*m.slot));
	roots_make(&m, together);
	for (uint32_t id = 0; id < m.paths->count && whole; id++) {
		children_make(&m, id);
		whole = !cancelled(&m, id);
	}
	if (whole) {
		threads_count(&m);
		if (s->open != NULL)
			open_mark(&m, m.slot = mem_resize(m.slot, s->tree->count, sizeof(*m.slot)));
		for (uint32_t id = 0; id < m.paths->count; id++)
			if (m.paths->items[id].longest < m.bound[id])
				m.paths->items[id].longest = -1;
		inclusive_sum(m.paths);
		paths_compact(m.paths, s->slices, m.first);
		whole = recursion_mark(&m);
		m.paths->items = mem_resize(m.paths->items, (size_t)m.paths->count + 1,
		    sizeof(*m.paths->items));
	}
	mem_free(m.members);
	mem_free(m.first);
	mem_free(m.last);
	mem_free(m.bound);
	mem_free(m.slot);
	if (whole)
		return m.paths;
	paths_free(m.paths);
	return NULL;
}

struct paths_source
paths_source_of(const struct profile *p, const struct scope *scope,
    const struct range_sums *sums)
{
	size_t threads = (size_t)p->stack_count + 1;
	uint32_t *roots = mem_alloc(threads * sizeof(*roots));
	uint32_t *open = sums == NULL ? mem_alloc(threads * sizeof(*open)) : NULL;
	bool aside = scope_is_aside(scope, p);

	for (uint32_t t = 0; t < p->stack_count; t++) {
		bool there = p->stacks[t].started && scope_counts(scope, p->trace, t, aside) &&
		    (sums == NULL || sums->stacks[t].present);

		roots[t] = there ? p->stacks[t].root : NODE_NONE;
		if (open != NULL)
			open[t] = p->stacks[t].node;
	}
	return (struct paths_source){.tree = &p->tree, .slices = p->trace->log != NULL,
	    .idle = p->trace->log != NULL,
	    .counts = sums != NULL ? sums->counts : NULL,
	    .range = sums != NULL ? sums->range : RANGE_ALL, .roots = roots,
	    .open = open, .thread_count = p->stack_count,
	    .method_count = trace_method_count(p->trace), .scope = scope};
}

void
paths_source_release(struct paths_source *s)
{
	mem_free((uint32_t *)s->roots);
	mem_free((uint32_t *)s->open);
}

struct paths *
paths_counted(const struct profile *p, const struct scope *scope,
    const struct range_sums *sums, const struct transformed *of, bool together, bool folded,
    const atomic_bool *cancel)
{
	struct paths_source recorded = paths_source_of(p, scope, sums), now;
	struct paths *made;

	recorded.folded = folded ? p->trace : NULL;
	now = recorded;
	if (of != NULL)
		now = transformed_source(of, &recorded);
	made = paths_make(&now, together, cancel);
	paths_source_release(&recorded);
	return made;
}

void
paths_mark_idle(struct paths *p, const struct trace *t, const uint8_t *idle, uint32_t count)
{
	bool cpu = trace_has_clock(t, CLOCK_CPU);
	nsec *busy;

	if (!trace_has_clock(t, CLOCK_WALL) || (!cpu && idle == NULL))
		return;
	busy = mem_zero_table(p->count, sizeof(*busy));
	for (uint32_t id = p->count; id-- > p->roots;) {
		struct path *path = &p->items[id];

		/* Slices of no thread have no CPU time. */
		if (cpu)
			busy[id] = trace_method(t, path->method)->async
			    ? path->inclusive[CLOCK_WALL] : path->inclusive[CLOCK_CPU];
		else if (path->method < count && idle[path->method] != 0)
			path->flags |= PATH_WAITS;
		else
			busy[id] += path->exclusive[CLOCK_WALL];
		if (!cpu)
			busy[path->parent] += busy[id];
		if (idle_time(busy[id], path->inclusive[CLOCK_WALL]))
			path->flags |= PATH_IDLE;
	}
	mem_free(busy);
}

nsec
paths_busy(const struct paths *p, const struct trace *t, nsec *roots, nsec *methods)
{
	bool cpu = trace_has_clock(t, CLOCK_CPU);
	uint32_t *root_of = mem_alloc(((size_t)p->count + 1) * sizeof(*root_of));
	nsec sum = 0;

	for (uint32_t id = 0; id < p->count; id++) {
		const struct path *path = &p->items[id];
		bool root = id < p->roots;
		nsec time = path->exclusive[cpu ? CLOCK_CPU : CLOCK_WALL];
		uint32_t thread;

		root_of[id] = root ? id : root_of[path->parent];
		thread = p->root_thread[root_of[id]];
		if ((!cpu && (root || (path->flags & PATH_WAITS) != 0)) ||
		    (thread != THREAD_NONE && trace_thread(t, thread)->kind != THREAD_TASK))
			continue;
		roots[root_of[id]] += time;
		if (!root && methods != NULL)
			methods[path->method] += time;
		sum += time;
	}
	mem_free(root_of);
	return sum;
}

void
paths_free(struct paths *p)
{
	if (p == NULL)
		return;
	mem_free(p->items);
	mem_free(p->root_thread);
	mem_free(p);
}

/* Sorting, and finding single paths ------------------------- */

/* A path while it is sorted. */
struct sorted {
	const struct path *path;
	struct path_key key;
};


static int
by_name(const struct path *a, const struct path *b, const struct trace *trace)
{
	int order = 0;

	if (trace != NULL)
		order = method_compare(trace_method(trace, a->method),
		    trace_method(trace, b->method));
	return order_then(order, ORDER(a->method, b->method));
}

static int
path_compare(const void *left, const void *right, const void *context)
{
	const struct sorted *x = left, *y = right;
	const struct path *a = x->path, *b = y->path;
	const struct path_order *o = context;
	int order;

	if (o->names)
		order = by_name(a, b, o->trace);
	else
		order = x->key.figure != y->key.figure ? ORDER(y->key.figure, x->key.figure)
		    : str_compare(x->key.text, y->key.text);
	if (order != 0)
		return o->reverse ? -order : order;
	return order_then(ORDER(b->inclusive[o->clock], a->inclusive[o->clock]),
	    order_then(ORDER(a->longest_at, b->longest_at), ORDER(a, b)));
}

void
paths_children(const struct paths *p, uint32_t path, const struct path_order *order,
    const struct path **out)
{
	uint32_t first = path == PATH_NONE ? 0 : p->items[path].child;
	uint32_t n = path == PATH_NONE ? p->roots : p->items[path].children;
	struct sorted *list = mem_alloc(((size_t)n + 1) * sizeof(*list));

	for (uint32_t i = 0; i < n; i++) {
		const struct path *child = &p->items[first + i];

		list[i] = (struct sorted){child, {child->inclusive[order->clock], {NULL, 0}}};
		if (order->key != NULL)
			list[i].key = order->key(order->of, child);
	}
	msort_items(list, n, sizeof(*list), path_compare, order);
	for (uint32_t i = 0; i < n; i++)
		out[i] = list[i].path;
	mem_free(list);
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

/* From top to bottom ---------------------------------------------------------------- */

static void
children_push(struct pathwalk *w, uint32_t id, uint32_t depth)
{
	const struct paths *p = w->paths;
	uint32_t count = id == PATH_NONE ? p->roots : p->items[id].children;

	if (count == 0)
		return;
	MEM_GROW(w->list, w->list_room, count);
	MEM_GROW(w->items, w->room, w->count + count);
	paths_children(p, id, &w->order, w->list);
	for (uint32_t i = count; i-- > 0;)
		w->items[w->count++] = (struct pathwalk_item){paths_id(p, w->list[i]), depth};
}

uint32_t
pathwalk_next(struct pathwalk *w, uint32_t *depth)
{
	if (!w->started)
		children_push(w, PATH_NONE, 0);
	else if (w->into)
		children_push(w, w->last, w->last_depth + 1);
	w->started = w->into = true;
	if (w->count == 0) {
		w->into = false;
		return PATH_NONE;
	}
	w->count--;
	w->last = w->items[w->count].id;
	*depth = w->last_depth = w->items[w->count].depth;
	return w->last;
}

void
pathwalk_skip(struct pathwalk *w)
{
	w->into = false;
}

void
pathwalk_release(struct pathwalk *w)
{
	mem_free(w->items);
	mem_free(w->list);
	*w = (struct pathwalk){.paths = NULL};
}
