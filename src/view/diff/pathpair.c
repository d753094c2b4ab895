// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/pathpair.h"

#include "base/mem.h"

enum { CANCEL_PATHS = 4096 };

/* The pair while it is made. */
struct pathpair_making {
	struct pathpair *made;
	const struct trace *a;
	struct trace *b;
	struct pathjoin join;
	uint32_t *method;    /* of B, by method of A; METHOD_NONE: not known yet */
	uint32_t *of_method; /* by method of B: the first of its name */
	uint32_t threads;    /* of B; items from there on are threads of A */
	struct intern names; /* of threads */
	uint32_t *named;     /* threads by name, as items */
	size_t named_room;
	size_t sum_room[CLOCKS];
	size_t sum_count;
};

/* Finds B's methods that have the names of A's. */
static void
methods_pair(struct pathpair_making *p, uint32_t count_a, uint32_t count_b)
{
	struct diff_names names = {.count = 0};

	p->method = mem_alloc(((size_t)count_a + 1) * sizeof(*p->method));
	p->of_method = mem_alloc(((size_t)count_b + 1) * sizeof(*p->of_method));
	for (uint32_t m = 0; m < count_a; m++)
		p->method[m] = METHOD_NONE;
	for (uint32_t m = 0; m < count_b; m++)
		p->of_method[m] = m;
	diff_names_update(&names, p->a, p->b);
	for (uint32_t key = 0; key < names.count; key++) {
		const uint32_t *first = names.first[DIFF_B];
		uint32_t stands = first[key] < first[key + 1] ? names.methods[DIFF_B][first[key]] : METHOD_NONE;

		for (uint32_t i = first[key]; i < first[key + 1]; i++)
			if (names.methods[DIFF_B][i] < count_b)
				p->of_method[names.methods[DIFF_B][i]] = stands;
		first = names.first[DIFF_A];
		for (uint32_t i = first[key]; i < first[key + 1]; i++)
			if (names.methods[DIFF_A][i] < count_a)
				p->method[names.methods[DIFF_A][i]] = stands;
	}
	diff_names_release(&names);
}

static uint32_t
method_find(struct pathpair_making *p, int side, uint32_t method)
{
	if (side == DIFF_B)
		return p->of_method[method];
	if (p->method[method] == METHOD_NONE)
		p->method[method] = trace_method_foreign(p->b, trace_method(p->a, method));
	if (p->method[method] == METHOD_NONE) /* the table is full */
		p->method[method] = METHOD_TOPLEVEL;
	return p->method[method];
}

/* Finds the item of a root. */
static uint32_t
thread_find(struct pathpair_making *p, int side, uint32_t thread)
{
	const struct trace *of = side == DIFF_A ? p->a : p->b;
	const struct thread *t;
	struct str key;
	uint32_t at;

	if (thread == THREAD_NONE)
		return thread;
	t = trace_thread(of, thread);
	key = trace_thread_key(of, t);
	at = intern_find(&p->names, key, t->kind);
	if (at == IDMAP_NONE) {
		at = intern_add(&p->names, key, t->kind);
		MEM_GROW(p->named, p->named_room, (size_t)at + 1);
		p->named[at] = side == DIFF_A ? p->threads + thread : thread;
	}
	return p->named[at];
}

/* Adds the paths of a side; false when cancelled. */
static bool
side_add(struct pathpair_making *p, int side, const struct paths *paths, const atomic_bool *cancel)
{
	uint32_t *at = mem_alloc(((size_t)paths->count + 1) * sizeof(*at)); /* by path */
	bool whole = true;

	for (uint32_t id = 0; id < paths->count && whole; id++) {
		const struct path *path = &paths->items[id];
		bool root = path->parent == PATH_NONE;

		at[id] = pathjoin_find(&p->join, root ? PATH_NONE : at[path->parent],
		    root ? thread_find(p, side, paths->root_thread[id]) : method_find(p, side, path->method));
		for (int c = 0; c < CLOCKS; c++) {
			struct pathjoin_sums *sums = &p->made->sums[c];
			struct pathjoin_figures *f;

			MEM_GROW(sums->of, p->sum_room[c], p->join.count);
			if (p->sum_count < p->join.count)
				sums->of[at[id]] = (struct pathjoin_figures){.change = 0};
			f = &sums->of[at[id]];
			f->exclusive[side] = pathjoin_plus(f->exclusive[side], path->exclusive[c]);
			f->calls[side] += path->calls;
		}
		p->sum_count = p->join.count;
		whole = id % CANCEL_PATHS != 0 || !is_cancelled(cancel);
	}
	mem_free(at);
	return whole;
}

/* Keeps the names of roots that are threads of A only. */
static void
roots_name(struct pathpair_making *p)
{
	struct pathpair *made = p->made;

	made->roots = mem_zero((size_t)made->paths.roots + 1, sizeof(*made->roots));
	for (uint32_t root = 0; root < made->paths.roots; root++) {
		uint32_t *item = &made->paths.root_thread[root];
		const struct thread *t;

		if (*item == THREAD_NONE || *item < p->threads)
			continue;
		t = trace_thread(p->a, *item - p->threads);
		made->roots[root] = (struct pathpair_root){t->id, arena_str(&made->kept, t->name)};
		*item = THREAD_NONE;
	}
}

struct pathpair *
pathpair_new(const struct trace *a, struct trace *b, const struct paths *const of[DIFF_SIDES],
    const uint64_t *calls, const atomic_bool *cancel)
{
	const struct paths *of_b = of[DIFF_B];
	struct pathpair *made = mem_zero(1, sizeof(*made));
	struct pathpair_making p = {.made = made, .a = a, .b = b, .threads = trace_thread_count(b)};
	struct pathjoin_sums *sums[CLOCKS] = {NULL};
	bool good;

	made->clocks = a->clocks & b->clocks;
	methods_pair(&p, trace_method_count(a), trace_method_count(b));
	/* B first: where both have a thread, it is B's. */
	good = side_add(&p, DIFF_B, of_b, cancel) && side_add(&p, DIFF_A, of[DIFF_A], cancel);
	for (int c = 0; c < CLOCKS && good; c++) {
		if ((made->clocks & 1u << c) == 0)
			continue;
		sums[c] = &made->sums[c];
		if (calls == NULL)
			pathjoin_sum(&p.join, sums[c]);
		else
			pathjoin_sum_means(&p.join, sums[c], calls,
			    (nsec[]){paths_total(of[DIFF_A], c), paths_total(of_b, c)});
	}
	good = good && pathjoin_paths(&p.join, sums, b, &made->paths, cancel);
	if (good)
		roots_name(&p);
	for (uint32_t root = 0; good && root < made->paths.roots; root++)
		made->paths.items[root].threads = of_b->roots > 0 ? of_b->items[0].threads : 0;
	pathjoin_release(&p.join);
	intern_release(&p.names);
	mem_free(p.named);
	mem_free(p.method);
	mem_free(p.of_method);
	if (good)
		return made;
	pathpair_free(made);
	return NULL;
}

void
pathpair_free(struct pathpair *p)
{
	if (p == NULL)
		return;
	mem_free(p->paths.items);
	mem_free(p->paths.root_thread);
	for (int c = 0; c < CLOCKS; c++)
		mem_free(p->sums[c].of);
	mem_free(p->roots);
	arena_release(&p->kept);
	mem_free(p);
}
