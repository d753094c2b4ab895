// SPDX-License-Identifier: Apache-2.0
/*
 * sequence: what a thread did in a range, in the order of time.
 *
 * A tree of its calls: below each those that it made, one after another.  Calls of one method
 * that follow each other below one caller are one row, a run, with the calls below it.  A run
 * shorter than `least` is small: its calls are not told apart, and small runs of several methods
 * that follow each other are one row with their sums.  So there are some
 * hundred rows for each level of the stack at most, whatever the number of calls; a shorter range
 * shows more.
 *
 * A call belongs to a range as in calls.h, with its times within it.  Times are nanoseconds,
 * positions in time are on the profile's axis.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/sum/range.h"
#include "profile/timeline/calls.h"

#define SEQUENCE_SHARE 0.005 /* of the range: what takes less is small */

struct sequence_query {
	uint32_t thread;
	struct range range;
	nsec least; /* on the axis; 0: by SEQUENCE_SHARE of what there is of the range */
};

/* A call, a run of calls, or several small runs. */
struct sequence_row {
	uint32_t method; /* METHOD_NONE: small calls of several methods */
	uint32_t depth;  /* rows that it is below */
	uint32_t below;  /* rows below it, which follow it */
	uint32_t flags;  /* CALL_BEFORE, CALL_BEYOND: of any of its calls */
	uint64_t calls;
	nsec from, to;   /* of its first and last call */
	nsec time[CLOCKS], exclusive[CLOCKS];
};

struct thread_sequence {
	struct sequence_query query; /* with the `least` that held */
	struct range window; /* the part of the range that the trace has */
	struct sequence_row *rows;
	uint32_t count;
	/* The innermost call that was open all the time; those before are its callers; else 0. */
	uint32_t base;
};

/* So much of a range, as far as the trace has it; at least 1. */
nsec sequence_least(const struct profile *, const struct range *, double share);

/*
 * Borrows nothing; sequence_free.  NULL when cancelled.  Costs the records of the blocks around
 * the range, and memory for the thread's stack and the rows.
 */
struct thread_sequence *sequence_find(const struct profile *, const struct sequence_query *,
    const atomic_bool *cancel);
void sequence_free(struct thread_sequence *);
