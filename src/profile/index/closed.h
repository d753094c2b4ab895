// SPDX-License-Identifier: Apache-2.0
/*
 * closed: the calls of threads within a range, from entry to exit; one walk for all that lists,
 * counts, draws or writes calls one by one.
 *
 * For each thread its entries and exits nest, each entry has its exit, and times never go back.
 * Calls that are open where the range begins, or the trace, are entered there, the outermost
 * first; those that are open at the end leave there, the innermost first; their flags say so.  A
 * call that shares only the first instant of the range with it is left out, unless one within it
 * begins in that instant: CLOSED_TOUCHES.  Nothing is entered at the end of a range, but at the
 * trace's.  Times are nanoseconds within the range; a clock that the trace lacks is 0.
 *
 * Threads come as the records do, in the order of the file.  Memory grows with threads and depth.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/load/step.h"
#include "profile/sum/range.h"

enum closed_flags {
	CLOSED_BEFORE = 1 << 0,   /* began before the range, or before the trace */
	CLOSED_BEYOND = 1 << 1,   /* ends after the range, or never in the trace */
	CLOSED_UNENDED = 1 << 2,  /* the trace does not have its exit */
	CLOSED_UNROLLED = 1 << 3, /* left by an exception */
	CLOSED_TOUCHES = 1 << 4,  /* shares the first instant of the range with it, and no time */
};

struct closed {
	uint32_t thread, node;
	uint32_t depth;  /* open calls of its thread that are given, itself included */
	unsigned flags;  /* enum closed_flags; at its entry those of the entry */
	nsec enter[CLOCKS], leave[CLOCKS], self[CLOCKS]; /* the latter two once it has left */
	uint64_t order;  /* grows with entries: CLOSED_ORDER + records before; below it: CLOSED_BEFORE */
	uint64_t offset; /* of the record of the entry; UINT64_MAX: there is none in the range */
};

#define CLOSED_ORDER (UINT64_C(1) << 31)

/* The outermost open call of its thread that is given; call[-1] is the next one above it. */
static inline const struct closed *
closed_outermost(const struct closed *call)
{
	return call - (call->depth - 1);
}

/* Each returns false to stop; all but `leave` may be NULL.  A call is in place until it returns. */
struct closed_sink {
	/* Before a thread's first call, at its first time in the range, with `node` on top. */
	bool (*begin)(void *context, uint32_t thread, uint32_t node, const nsec at[CLOCKS]);
	bool (*enter)(void *context, const struct closed *);
	bool (*leave)(void *context, const struct closed *);
	/* After its last one, at its last time in the range. */
	bool (*end)(void *context, uint32_t thread, const nsec at[CLOCKS]);
};

/* All borrowed. */
struct closed_query {
	const struct profile *profile;
	struct range range;
	const uint8_t *only; /* by node, 0: it is passed over, and calls within it are given; NULL: all */
	const struct closed_sink *sink;
	void *context;
};

/* All at once; false when cancelled or stopped.  Costs the records of the range. */
bool closed_visit(const struct closed_query *, const struct scope *, const atomic_bool *cancel);

/* Step by step, for a replay (replay.h) that passes over blocks without a call that is wanted. */
struct closed_walk;

struct closed_walk *closed_new(const struct closed_query *);
void closed_free(struct closed_walk *);
/* A visit_step, the walk its context. */
bool closed_step(void *walk, const struct step *);
/* True if the thread is past the end of the range. */
bool closed_is_past(const struct closed_walk *, uint32_t thread);
/* The calls that are still open leave.  Once, after the last step. */
bool closed_finish(struct closed_walk *);
