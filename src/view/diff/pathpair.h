// SPDX-License-Identifier: Apache-2.0
/*
 * pathpair: the call paths of two traces as one tree, for the screen of the second (B); or of a trace's
 * slow calls (B) and of its others.
 *
 * A path is in it if either trace has it.  Threads are joined by name and kind, methods by class, name
 * and signature.  Methods and threads are those of B.  Methods that only A has become rows of B's trace
 * (trace_method_foreign); threads that only A has are no threads, but have a name here.
 *
 * The value holds no pointer into paths or into A, and is immutable.  Cost: linear in the paths of both
 * and the methods of both traces, some 0.5 us each; 300 bytes a path.  Times are nanoseconds.
 */
#pragma once

#include "profile/sum/pathjoin.h"

/* A root that is a thread of A only. */
struct pathpair_root {
	uint32_t id;
	struct str name; /* p NULL: B has the thread */
};

struct pathpair {
	struct paths paths; /* as wide as both */
	unsigned clocks;    /* that both traces have; one at least */
	struct pathjoin_sums sums[CLOCKS]; /* by path; of clocks that both have */
	struct pathpair_root *roots; /* by root */
	struct arena kept;
};

/*
 * Joins paths of A and B, whose threads are together in both or in none.  NULL when cancelled.
 * `calls`: the paths are of so many calls on each side, one at least; times are means of a call,
 * calls those of all.  NULL: sums.
 */
struct pathpair *pathpair_new(const struct trace *a, struct trace *b,
    const struct paths *const of[DIFF_SIDES], const uint64_t *calls, const atomic_bool *cancel);
void pathpair_free(struct pathpair *);

static inline const struct pathjoin_figures *
pathpair_of(const struct pathpair *p, uint32_t path, enum clock_id clock)
{
	return path != PATH_NONE ? &p->sums[clock].of[path] : &p->sums[clock].toplevel;
}

/* True if B has the path. */
static inline bool
pathpair_in_b(const struct pathpair *p, uint32_t path)
{
	const struct pathjoin_figures *f =
	    &p->sums[(p->clocks & 1u << CLOCK_CPU) != 0 ? CLOCK_CPU : CLOCK_WALL].of[path];

	return path < p->paths.roots ? p->roots[path].name.p == NULL
				     : f->calls[DIFF_B] > 0 || f->inclusive[DIFF_B] > 0;
}
