// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/pathjoin.h"

#include "base/mem.h"

enum { CANCEL_PATHS = 4096 };

void
pathjoin_release(struct pathjoin *j)
{
	idmap_release(&j->places);
	mem_free(j->nodes);
	*j = (struct pathjoin){.nodes = NULL};
}

nsec
pathjoin_plus(nsec a, nsec b)
{
	nsec sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

uint32_t
pathjoin_find(struct pathjoin *j, uint32_t above, uint32_t item)
{
	uint64_t key = ((uint64_t)(above + 1) << 32) + item; /* PATH_NONE + 1 is 0 */
	uint32_t at = idmap_get(&j->places, key);

	if (at != IDMAP_NONE)
		return at;
	at = (uint32_t)j->count;
	*MEM_ADD(j->nodes, j->count, j->room) =
	    (struct pathjoin_node){above, item, PATH_NONE, PATH_NONE};
	if (above != PATH_NONE) {
		j->nodes[at].next = j->nodes[above].child;
		j->nodes[above].child = at;
	}
	idmap_put(&j->places, key, at);
	return at;
}

void
pathjoin_sum(const struct pathjoin *j, struct pathjoin_sums *s)
{
	/* From the last to the first: those above are before. */
	for (size_t id = j->count; id-- > 0;) {
		uint32_t up = j->nodes[id].above;
		struct pathjoin_figures *f = &s->of[id], *above = up != PATH_NONE ? &s->of[up] : &s->toplevel;
		nsec own = diff_between(f->exclusive[DIFF_A], f->exclusive[DIFF_B]);

		for (int side = 0; side < DIFF_SIDES; side++) {
			f->inclusive[side] = pathjoin_plus(f->inclusive[side], f->exclusive[side]);
			above->inclusive[side] = pathjoin_plus(above->inclusive[side], f->inclusive[side]);
		}
		own = own < 0 ? -own : own;
		s->own_most = own > s->own_most ? own : s->own_most;
		f->change = pathjoin_plus(f->change, own);
		above->change = pathjoin_plus(above->change, f->change);
	}
}

int64_t
pathjoin_mean(int64_t sum, uint64_t n)
{
	int64_t count = (int64_t)n, whole = sum / count, rest = sum % count;

	if (rest < 0) {
		whole--;
		rest += count;
	}
	return whole + (rest >= count - rest);
}

void
pathjoin_sum_means(const struct pathjoin *j, struct pathjoin_sums *s, const uint64_t counts[DIFF_SIDES],
    const nsec totals[DIFF_SIDES])
{
	struct pathjoin_figures *top = &s->toplevel;

	for (size_t id = 0; id < j->count; id++) {
		struct pathjoin_figures *f = &s->of[id];

		for (int side = 0; side < DIFF_SIDES; side++)
			f->exclusive[side] = pathjoin_mean(f->exclusive[side], counts[side]);
	}
	pathjoin_sum(j, s);
	for (int side = 0; side < DIFF_SIDES; side++) {
		nsec total = pathjoin_mean(totals[side], counts[side]);

		top->exclusive[side] = diff_between(top->inclusive[side], total);
		top->inclusive[side] = total;
	}
}

/* Paths while they are made. */
struct pathjoin_making {
	const struct pathjoin *join;
	struct pathjoin_sums *const *sums; /* by clock */
	const struct trace *trace;
	const struct pathjoin_figures *widths; /* by node */
	struct pathjoin_figures *of[CLOCKS];   /* by path */
	struct paths *paths;
};

/* Puts the larger width first, then goes by name. */
static int
sibling_order(const void *left, const void *right, const void *context)
{
	const struct pathjoin_making *m = context;
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	const struct pathjoin_node *a = &m->join->nodes[l], *b = &m->join->nodes[r];
	nsec x = pathjoin_width(&m->widths[l]), y = pathjoin_width(&m->widths[r]);
	int order = ORDER(y, x);

	if (order == 0 && a->above != PATH_NONE)
		order = method_compare(trace_method(m->trace, a->item), trace_method(m->trace, b->item));
	else if (order == 0 && a->item < trace_thread_count(m->trace) && b->item < trace_thread_count(m->trace))
		order = str_compare(trace_thread(m->trace, a->item)->name, trace_thread(m->trace, b->item)->name);
	return order_then(order, ORDER(a->item, b->item));
}

static void
path_put(struct pathjoin_making *m, uint32_t node, uint32_t parent)
{
	struct paths *p = m->paths;
	struct path *path = &p->items[p->count];
	bool root = parent == PATH_NONE;

	*path = (struct path){.method = root ? METHOD_TOPLEVEL : m->join->nodes[node].item, .parent = parent,
	    .longest = -1};
	for (int c = 0; c < CLOCKS; c++) {
		const struct pathjoin_figures *f;

		if (m->sums[c] == NULL)
			continue;
		f = &m->sums[c]->of[node];
		path->calls = f->calls[DIFF_A] + f->calls[DIFF_B];
		path->inclusive[c] = pathjoin_width(f);
		path->exclusive[c] = pathjoin_plus(f->exclusive[DIFF_A], f->exclusive[DIFF_B]);
		m->of[c][p->count] = *f;
	}
	if (root)
		p->root_thread[p->roots++] = m->join->nodes[node].item;
	p->count++;
}

/* Puts siblings in order, level by level; false when cancelled. */
static bool
levels_put(struct pathjoin_making *m, uint32_t *order, const atomic_bool *cancel)
{
	const struct pathjoin_node *nodes = m->join->nodes;
	uint32_t n = 0, id;

	for (size_t i = 0; i < m->join->count; i++)
		if (nodes[i].above == PATH_NONE)
			order[n++] = (uint32_t)i;
	msort_items(order, n, sizeof(*order), sibling_order, m);
	for (uint32_t i = 0; i < n; i++)
		path_put(m, order[i], PATH_NONE);
	for (id = 0; id < n && (id % CANCEL_PATHS != 0 || !is_cancelled(cancel)); id++) {
		uint32_t from = n;

		for (uint32_t c = nodes[order[id]].child; c != PATH_NONE; c = nodes[c].next)
			order[n++] = c;
		msort_items(order + from, n - from, sizeof(*order), sibling_order, m);
		m->paths->items[id].child = from;
		m->paths->items[id].children = n - from;
		for (uint32_t i = from; i < n; i++)
			path_put(m, order[i], id);
	}
	return id == n;
}

bool
pathjoin_paths(const struct pathjoin *j, struct pathjoin_sums *const sums[CLOCKS], const struct trace *t,
    struct paths *p, const atomic_bool *cancel)
{
	struct pathjoin_making m = {.join = j, .sums = sums, .trace = t, .paths = p};
	uint32_t *order = mem_alloc((j->count + 1) * sizeof(*order)); /* nodes by path */
	bool whole;

	*p = (struct paths){.items = mem_alloc((j->count + 1) * sizeof(*p->items)),
	    .root_thread = mem_alloc((j->count + 1) * sizeof(*p->root_thread)),
	    .method_count = trace_method_count(t)};
	for (int c = CLOCKS; c-- > 0;) {
		if (sums[c] == NULL)
			continue;
		m.widths = sums[c]->of;
		m.of[c] = mem_alloc((j->count + 1) * sizeof(*m.of[c]));
	}
	whole = levels_put(&m, order, cancel);
	for (int c = 0; c < CLOCKS; c++) {
		if (sums[c] == NULL)
			continue;
		mem_free(sums[c]->of);
		sums[c]->of = m.of[c];
	}
	mem_free(order);
	return whole;
}
