// SPDX-License-Identifier: Apache-2.0
/*
 * paths: the call tree as a value, and the tree of callers.  Their sums must be those of
 * the method table, on random traces, for separate threads, for all as one, and for
 * ranges.
 */
#include <config.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/sum/callers.h"

#include <stdlib.h>
#include <string.h>

#include "random-trace.h"
#include "tap/tap.h"
#include "tests/folded.h"

static struct profile *
load(struct trace *t)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	return p;
}

/* Parents before their children, these in a row, each method once, threads counted. */
static bool
links_hold(const struct paths *p)
{
	uint32_t next = p->roots;

	for (uint32_t id = 0; id < p->count; id++) {
		const struct path *path = &p->items[id];

		if ((path->parent == PATH_NONE) != (id < p->roots) || path->threads == 0)
			return false;
		if ((path->method == METHOD_TOPLEVEL) != (id < p->roots))
			return false;
		if (path->children == 0)
			continue;
		if (path->child != next)
			return false;
		next += path->children;
		for (uint32_t c = path->child; c < next; c++) {
			if (p->items[c].parent != id ||
			    paths_child(p, id, p->items[c].method) != c)
				return false;
		}
	}
	return next == p->count;
}

static bool
is_recursive(const struct paths *p, uint32_t id)
{
	uint32_t method = p->items[id].method;

	while ((id = p->items[id].parent) != PATH_NONE) {
		if (p->items[id].method == method)
			return true;
	}
	return false;
}

static bool
times_hold(const struct paths *p)
{
	for (uint32_t id = 0; id < p->count; id++) {
		const struct path *path = &p->items[id];
		nsec sum[CLOCKS] = {path->exclusive[0], path->exclusive[1]};

		for (uint32_t c = path->child; c < path->child + path->children; c++) {
			sum[0] += p->items[c].inclusive[0];
			sum[1] += p->items[c].inclusive[1];
		}
		if (sum[0] != path->inclusive[0] || sum[1] != path->inclusive[1])
			return false;
		if (((path->flags & PATH_RECURSIVE) != 0) != is_recursive(p, id))
			return false;
	}
	return true;
}

/* By method: what the paths add up to. */
static bool
sums_are_folds(const struct paths *p, const struct fold *f)
{
	struct method_sum *sums = calloc(f->method_count, sizeof(*sums));
	bool same = p->method_count == f->method_count;

	for (uint32_t id = 0; id < p->count; id++) {
		const struct path *path = &p->items[id];
		struct method_sum *sum = &sums[path->method];
		bool recursive = (path->flags & PATH_RECURSIVE) != 0;

		*(recursive ? &sum->recursive_calls : &sum->calls) += path->calls;
		for (int c = 0; c < CLOCKS; c++) {
			sum->exclusive[c] += path->exclusive[c];
			sum->inclusive[c] += recursive ? 0 : path->inclusive[c];
		}
	}
	for (uint32_t m = 0; same && m < f->method_count; m++) {
		const struct method_sum *a = &sums[m], *b = &f->methods[m];

		same = a->calls == b->calls && a->recursive_calls == b->recursive_calls &&
		    memcmp(a->exclusive, b->exclusive, sizeof(a->exclusive)) == 0 &&
		    memcmp(a->inclusive, b->inclusive, sizeof(a->inclusive)) == 0;
	}
	same = same && paths_total(p, CLOCK_WALL) == f->total[CLOCK_WALL] &&
	    paths_total(p, CLOCK_CPU) == f->total[CLOCK_CPU];
	free(sums);
	return same;
}

static bool
same_numbers(const struct path *a, const struct path *b)
{
	return a->calls == b->calls &&
	    memcmp(a->inclusive, b->inclusive, sizeof(a->inclusive)) == 0 &&
	    memcmp(a->exclusive, b->exclusive, sizeof(a->exclusive)) == 0;
}

/* The figures of a set of methods as one, path by path. */
static struct path
set_sum(const struct paths *p, const uint8_t *set)
{
	struct path sum = {0};

	for (uint32_t id = 0; id < p->count; id++) {
		const struct path *path = &p->items[id];
		bool outermost = true;

		if (set[path->method] == 0)
			continue;
		for (uint32_t up = path->parent; up != PATH_NONE; up = p->items[up].parent)
			outermost &= set[p->items[up].method] == 0;
		if (set[p->items[path->parent].method] == 0)
			sum.calls += path->calls;
		for (int clock = 0; clock < CLOCKS; clock++) {
			sum.exclusive[clock] += path->exclusive[clock];
			sum.inclusive[clock] += outermost ? path->inclusive[clock] : 0;
		}
	}
	return sum;
}

/*
 * Everything expanded: callers add up to what they call, topmost methods to the table; those of a
 * set as one to its sums, and nothing of the set calls it.
 */
static bool
callers_hold(const struct paths *p, const struct fold *f, const uint8_t *set)
{
	struct callers *c = callers_new(p, set);
	bool same = true;

	for (uint32_t id = 0; id < c->tree.count && c->tree.count < 200000 && same; id++) {
		struct path sum = {0};
		const struct path *top;

		callers_expand(c, id);
		top = &c->tree.items[id];
		if (id < c->tree.roots && top->method == METHOD_TOPLEVEL) {
			sum = set_sum(p, set);
			same = id == 0 && same_numbers(&sum, top);
			sum = (struct path){0};
		} else if (id < c->tree.roots) {
			const struct method_sum *m = &f->methods[top->method];

			same = top->calls == m->calls + m->recursive_calls &&
			    memcmp(top->inclusive, m->inclusive, sizeof(m->inclusive)) == 0 &&
			    memcmp(top->exclusive, m->exclusive, sizeof(m->exclusive)) == 0;
		}
		for (uint32_t k = top->child; k < top->child + top->children; k++) {
			sum.calls += c->tree.items[k].calls;
			same = same && (id > 0 || set == NULL || set[c->tree.items[k].method] == 0);
			for (int clock = 0; clock < CLOCKS; clock++) {
				sum.inclusive[clock] += c->tree.items[k].inclusive[clock];
				sum.exclusive[clock] += c->tree.items[k].exclusive[clock];
			}
		}
		same = same && ((top->flags & CALLER_LAST) != 0 ? top->method == METHOD_TOPLEVEL
		    : same_numbers(&sum, top));
	}
	callers_free(c);
	return same;
}

static struct path_key
by_calls(const void *of, const struct path *path)
{
	return (struct path_key){.figure = (int64_t)path->calls};
}

static struct path_key
by_exclusive(const void *of, const struct path *path)
{
	return (struct path_key){.figure = path->exclusive[CLOCK_WALL]};
}

static bool
ordered(const struct paths *p, struct path_key (*key)(const void *, const struct path *), bool reverse)
{
	const struct path_order order = {.key = key, .clock = CLOCK_WALL, .reverse = reverse};
	bool fine = true;

	for (uint32_t id = 0; id < p->count; id++) {
		const struct path *path = &p->items[id], **out;

		if (path->children == 0)
			continue;
		out = calloc(path->children, sizeof(*out));
		paths_children(p, id, &order, out);
		for (uint32_t i = 0; i < path->children; i++) {
			int64_t value[2] = {0, 0};

			fine = fine && out[i]->parent == id;
			for (int k = 0; k < 2 && i > 0; k++)
				value[k] = key(NULL, out[i - 1 + (uint32_t)k]).figure;
			fine = fine && (reverse ? value[0] <= value[1] : value[0] >= value[1]);
		}
		free(out);
	}
	return fine;
}

/* One selection, threads apart and together. */
static void
selection(const struct profile *p, const struct scope *scope, const struct range *range,
    const char *what, int seed)
{
	struct fold *f = fold_new(p, scope, range, NULL);
	struct range_sums sums, *of = NULL;
	struct paths *apart, *one;
	uint8_t *set;

	if (range != NULL && range_count(p, scope, range, &sums, NULL, NULL))
		of = &sums;
	apart = paths_counted(p, scope, of, NULL, false, false, NULL);
	one = paths_counted(p, scope, of, NULL, true, false, NULL);

	ok(links_hold(apart) && links_hold(one), "%s, seed %d: links", what, seed);
	ok(times_hold(apart) && times_hold(one), "%s, seed %d: times add up", what, seed);
	ok(sums_are_folds(apart, f), "%s, seed %d: threads apart as the table", what, seed);
	ok(sums_are_folds(one, f), "%s, seed %d: threads as one as the table", what, seed);
	ok(one->roots <= 1 && one->count <= apart->count, "%s, seed %d: merged", what, seed);
	ok(callers_hold(one, f, NULL), "%s, seed %d: callers", what, seed);
	ok(callers_hold(apart, f, NULL), "%s, seed %d: callers of threads apart", what, seed);
	set = mem_zero(one->method_count, sizeof(*set));
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < one->method_count; m++)
		set[m] = m % 3 == 1;
	ok(callers_hold(one, f, set), "%s, seed %d: callers of a set", what, seed);
	ok(callers_hold(apart, f, set), "%s, seed %d: callers of a set, of threads apart", what, seed);
	mem_free(set);
	ok(ordered(one, by_calls, false) && ordered(apart, by_exclusive, true),
	    "%s, seed %d: sorted", what, seed);
	paths_free(one);
	paths_free(apart);
	fold_free(f);
	if (of != NULL)
		range_release(of);
}

static void
selections(int seed)
{
	size_t size;
	uint8_t *bytes;
	struct err e = {0};
	struct trace *t;
	struct profile *p;
	struct scope *some = scope_new(RANDOM_THREADS, true);
	struct range middle;

	random_trace_make((uint64_t)seed, seed % 3);
	bytes = random_trace_bytes(&size);
	t = format_open_memory(bytes, size, "made", &e);
	p = load(t);
	some->in[seed % RANDOM_THREADS] = 0;
	middle.from = p->begin + (p->end - p->begin) / 3;
	middle.to = p->begin + (p->end - p->begin) / 2;
	selection(p, NULL, NULL, "whole", seed);
	selection(p, some, NULL, "some threads", seed);
	selection(p, NULL, &middle, "range", seed);
	selection(p, some, &middle, "some threads in a range", seed);
	scope_free(some);
	profile_free(p);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
	for (int seed = 1; seed <= 6; seed++)
		selections(seed);
	return tap_done();
}
