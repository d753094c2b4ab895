// SPDX-License-Identifier: Apache-2.0
/*
 * pathpair: what must hold of the call paths of any two traces: differences below a path add up to
 * its own, nothing is lost or counted twice, and of a trace with itself nothing differs.
 */
#include <config.h>

#include "view/diff/pathpair.h"

#include <stdlib.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "random-trace.h"
#include "tap/tap.h"

enum { TRACES = 6 };

struct counted {
	uint8_t *bytes;
	struct trace *trace;
	struct profile *profile;
	struct paths *paths;
};

static void
counted_open(struct counted *c, uint64_t seed, bool together)
{
	struct err e = {.kind = ERR_NONE};
	size_t size;

	random_trace_make(seed, (int)(seed % 3));
	c->bytes = random_trace_bytes(&size);
	c->trace = format_open_memory(c->bytes, size, "memory", &e);
	if (c->trace == NULL)
		exit(1);
	c->profile = profile_new(c->trace);
	if (loader_run(c->profile, 1, NULL, &e) != LOAD_DONE)
		exit(1);
	c->paths = paths_counted(c->profile, NULL, NULL, NULL, together, false, NULL);
}

static void
counted_close(struct counted *c)
{
	paths_free(c->paths);
	profile_free(c->profile);
	trace_free(c->trace);
	free(c->bytes);
}

/* The exclusive times of all paths. */
static nsec
own_sum(const struct paths *p, enum clock_id clock)
{
	nsec sum = 0;

	for (uint32_t id = 0; id < p->count; id++)
		sum += p->items[id].exclusive[clock];
	return sum;
}

static uint64_t
calls_sum(const struct paths *p)
{
	uint64_t sum = 0;

	for (uint32_t id = 0; id < p->count; id++)
		sum += p->items[id].calls;
	return sum;
}

/* How many paths have other sums than their own and those of the paths below. */
static size_t
wrong_sums(const struct pathpair *p, enum clock_id clock)
{
	size_t wrong = 0;

	for (uint32_t id = 0; id < p->paths.count; id++) {
		const struct path *path = &p->paths.items[id];
		const struct pathjoin_figures *f = pathpair_of(p, id, clock);
		nsec sum[DIFF_SIDES] = {f->exclusive[DIFF_A], f->exclusive[DIFF_B]};
		nsec change = llabs(f->exclusive[DIFF_B] - f->exclusive[DIFF_A]), before = INT64_MAX;

		for (uint32_t k = path->child; k < path->child + path->children; k++) {
			const struct pathjoin_figures *below = pathpair_of(p, k, clock);

			wrong += p->paths.items[k].parent != id;
			wrong += clock == CLOCK_CPU && pathjoin_width(below) > before;
			before = pathjoin_width(below);
			change += below->change;
			for (int side = 0; side < DIFF_SIDES; side++)
				sum[side] += below->inclusive[side];
		}
		wrong += change != f->change || sum[DIFF_A] != f->inclusive[DIFF_A] ||
		    sum[DIFF_B] != f->inclusive[DIFF_B];
	}
	return wrong;
}

static void
test_pair(const struct counted *a, const struct counted *b, const char *what)
{
	struct pathpair *p = pathpair_new(
	    a->trace, b->trace, (const struct paths *[]){a->paths, b->paths}, NULL, NULL);
	uint64_t calls[DIFF_SIDES] = {0, 0};

	if (!ok(p != NULL && p->clocks != 0, "%s: joined", what))
		return;
	for (int c = 0; c < CLOCKS; c++) {
		nsec own[DIFF_SIDES] = {0, 0};

		if ((p->clocks & 1u << c) == 0)
			continue;
		for (uint32_t id = 0; id < p->paths.count; id++)
			for (int side = 0; side < DIFF_SIDES; side++)
				own[side] += p->sums[c].of[id].exclusive[side];
		ok(own[DIFF_A] == own_sum(a->paths, (enum clock_id)c) &&
			own[DIFF_B] == own_sum(b->paths, (enum clock_id)c),
		    "%s: all time of both, clock %d", what, c);
		is_int((long long)wrong_sums(p, (enum clock_id)c), 0, "%s: sums, clock %d", what, c);
	}
	for (uint32_t id = 0; id < p->paths.count; id++)
		for (int side = 0; side < DIFF_SIDES; side++)
			calls[side] += pathpair_of(p, id, (p->clocks & 1u << CLOCK_CPU) != 0 ? CLOCK_CPU
			    : CLOCK_WALL)->calls[side];
	ok(calls[DIFF_A] == calls_sum(a->paths) && calls[DIFF_B] == calls_sum(b->paths), "%s: all calls", what);
	pathpair_free(p);
}

static void
test_itself(const struct counted *a, const struct counted *same)
{
	struct pathpair *p = pathpair_new(
	    a->trace, same->trace, (const struct paths *[]){a->paths, same->paths}, NULL, NULL);
	size_t different = 0;

	for (int c = 0; p != NULL && c < CLOCKS; c++)
		for (uint32_t id = 0; (p->clocks & 1u << c) != 0 && id < p->paths.count; id++)
			different += p->sums[c].of[id].change != 0;
	ok(p != NULL && different == 0, "nothing differs from itself");
	pathpair_free(p);
}

int
main(void)
{
	atomic_bool cancelled = true;

	for (uint64_t seed = 1; seed <= TRACES; seed++) {
		struct counted a, b, same;

		counted_open(&a, seed, seed % 2 == 0);
		counted_open(&b, seed + 3, seed % 2 == 0);
		counted_open(&same, seed, seed % 2 == 0);
		test_pair(&a, &b, "first");
		/* A's methods are rows of B's trace now, and are met again. */
		test_pair(&a, &b, "again");
		test_itself(&a, &same);
		(void)pathpair_new(a.trace, b.trace,
		    (const struct paths *[]){a.paths, b.paths}, NULL, &cancelled);
		counted_close(&a);
		counted_close(&b);
		counted_close(&same);
	}
	return tap_done();
}
