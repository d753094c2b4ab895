#include <config.h>

#include "same-profile.h"

#include <string.h>

#include "profile/load/flat.h"
#include "profile/load/loader.h"
#include "profile/sum/fold.h"
#include "profile/timeline/timeline.h"
#include "random-trace.h"
#include "tap/tap.h"

struct profile *
load_whole(struct trace *t)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	return p;
}

/* The first records, maybe none. */
static void
load_begin(struct profile *p)
{
	struct err e = {0};

	profile_load(p, random_below(2) * 700, &e);
	/* As if enough had been read to tell what made the trace. */
	sampling_free(p->sampling);
	p->sampling = NULL;
}

static void
load_sweep(struct profile *p, unsigned jobs, int *rounds)
{
	struct loader *l = loader_new(p, jobs);
	struct err e = {0};

	(void)loader_divide(l, jobs);
	while (p->state == LOAD_MORE && loader_round(l, BATCH_EVENTS * (1 + random_below(12)))) {
		profile_settle(p, &e);
		*rounds += 1;
	}
	loader_free(l);
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
}

struct profile *
load_swept(struct trace *t, unsigned jobs, int *rounds)
{
	struct profile *p = profile_new(t);

	load_begin(p);
	load_sweep(p, jobs, rounds);
	return p;
}

struct profile *
load_flat(struct trace *t, unsigned jobs, int *rounds)
{
	struct profile *p = profile_new(t);

	flat_begin(p);
	load_begin(p);
	load_sweep(p, jobs, rounds);
	return p;
}

int
twins(const struct tree *t)
{
	int found = 0;

	for (uint32_t n = 1; n < t->count; n++) {
		for (uint32_t a = tree_child(t, n); a != NODE_NONE; a = tree_sibling(t, a)) {
			for (uint32_t b = tree_sibling(t, a); b != NODE_NONE; b = tree_sibling(t, b))
				found += t->nodes[a].method == t->nodes[b].method &&
				    !tree_is_bottom(t, a) && !tree_is_bottom(t, b);
		}
	}
	return found;
}

static bool
same_sums(const struct fold *a, const struct fold *b)
{
	bool same = a->method_count == b->method_count && a->calls == b->calls &&
	    a->records == b->records && memcmp(a->total, b->total, sizeof(a->total)) == 0;

	for (uint32_t m = 0; same && m < a->method_count; m++)
		same = memcmp(&a->methods[m], &b->methods[m], sizeof(a->methods[m])) == 0;
	for (uint32_t i = 0; same && i < a->thread_count; i++)
		same = memcmp(&a->threads[i], &b->threads[i], sizeof(a->threads[i])) == 0;
	return same;
}

static bool
same_relation(const struct relation *x, const struct relation *y)
{
	return x->method == y->method && x->calls == y->calls &&
	    memcmp(x->inclusive, y->inclusive, sizeof(x->inclusive)) == 0;
}

static bool
same_relations(const struct fold *a, const struct fold *b)
{
	for (uint32_t m = 0; m < a->method_count; m++) {
		for (int kind = 0; kind < RELATION_KINDS; kind++) {
			uint32_t n, k;
			const struct relation *x = fold_relations(a, m, (enum relation_kind)kind, &n);
			const struct relation *y = fold_relations(b, m, (enum relation_kind)kind, &k);

			if (n != k)
				return false;
			for (uint32_t i = 0; i < n; i++) {
				if (!same_relation(&x[i], &y[i]))
					return false;
			}
		}
	}
	return true;
}

static bool
same_damage(const struct damage *a, const struct damage *b)
{
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (a->kind[i].count == b->kind[i].count &&
		    (a->kind[i].count == 0 || a->kind[i].offset == b->kind[i].offset))
			continue;
		diag("%s: %llu at %#llx, not %llu at %#llx", damage_kinds[i].name,
		    (unsigned long long)b->kind[i].count, (unsigned long long)b->kind[i].offset,
		    (unsigned long long)a->kind[i].count, (unsigned long long)a->kind[i].offset);
		return false;
	}
	return true;
}

static int
calls_differing(const struct profile *a, const struct profile *b)
{
	int wrong = 0;

	for (int i = 0; i < 40 && a->end - a->begin >= 1000; i++) {
		uint32_t thread = (uint32_t)i % a->stack_count;
		nsec at = a->begin + (nsec)random_below((uint32_t)((a->end - a->begin) / 1000)) * 1000;
		struct call x, y;

		timeline_call_at(a, thread, at, &x, NULL);
		timeline_call_at(b, thread, at, &y, NULL);
		x.node = y.node = 0; /* the trees may number them differently */
		wrong += memcmp(&x, &y, sizeof(x)) != 0;
	}
	return wrong;
}

static uint32_t
paths_of(const struct profile *p)
{
	uint32_t count = 0;

	for (uint32_t n = 1; n < p->tree.count; n++)
		count += node_parent(&p->tree.nodes[n]) != NODE_NONE;
	return count;
}

/* Ranges are counted again from blocks. */
static int
ranges_differing(const struct profile *a, const struct profile *b)
{
	int wrong = 0;

	for (int i = 0; i < 5 && a->end - a->begin >= 1000; i++) {
		nsec length = a->end - a->begin;
		nsec from = a->begin + (nsec)random_below((uint32_t)(length / 1000)) * 1000;
		struct range range = {from, from + length / (1 + random_below(9))};
		struct fold *x = fold_new(a, NULL, &range, NULL), *y = fold_new(b, NULL, &range, NULL);

		wrong += !same_sums(x, y) || !same_relations(x, y);
		fold_free(x);
		fold_free(y);
	}
	return wrong;
}

void
counts_are(const struct profile *p, const struct profile *whole)
{
	ok(p->records == whole->records, "records");
	ok(same_damage(&whole->damage, &p->damage), "damage");
	is_int(twins(&p->tree), 0, "no path twice");
	is_int(paths_of(p), paths_of(whole), "as many paths");
}

void
sums_are(const struct profile *p, const struct profile *whole)
{
	struct fold *x = fold_new_sums(whole, NULL, NULL, NULL);
	struct fold *y = fold_new_sums(p, NULL, NULL, NULL);

	ok(p->records == whole->records, "records");
	ok(same_damage(&whole->damage, &p->damage), "damage");
	ok(p->begin == whole->begin && p->end == whole->end, "from and to");
	ok(same_sums(x, y), "sums");
	fold_free(x);
	fold_free(y);
	for (uint32_t i = 0; i < 2; i++) {
		struct scope *some = scope_new(whole->stack_count, false);

		for (uint32_t t = i; t < whole->stack_count; t += 2)
			some->in[t] = 1;
		x = fold_new_sums(whole, some, NULL, NULL);
		y = fold_new_sums(p, some, NULL, NULL);
		ok(same_sums(x, y), "sums of every other thread");
		fold_free(x);
		fold_free(y);
		scope_free(some);
	}
}

void
profile_is(const struct profile *p, const struct profile *whole)
{
	struct fold *x = fold_new(whole, NULL, NULL, NULL), *y = fold_new(p, NULL, NULL, NULL);

	counts_are(p, whole);
	ok(same_sums(x, y), "sums");
	ok(same_relations(x, y), "relations");
	is_int(calls_differing(whole, p), 0, "single calls");
	is_int(ranges_differing(whole, p), 0, "ranges");
	fold_free(x);
	fold_free(y);
}
