// SPDX-License-Identifier: Apache-2.0
/*
 * rates: what a trace that grows got in the last interval, method by method: the difference of two
 * folds of the same subset.  No record is read for it.
 *
 * Times are nanoseconds.  Owns its arrays; 40 bytes a method for each fold that it keeps.  Zero has
 * nothing.
 */
#pragma once

#include "profile/sum/fold.h"

/* The sums of a method, or what came to them. */
struct rate {
	nsec inclusive[CLOCKS], exclusive[CLOCKS];
	uint64_t calls; /* recursive ones, too */
};

/* Folds that are kept: several to an interval, where the trace is read more often. */
enum { RATES_PAST = 8 };

struct rates {
	nsec length; /* of the interval, on the axis; 0: nothing is known of now */
	struct rate *now; /* by method */
	nsec *busy;       /* by thread: how long it was (fold_busy) */
	uint32_t count, threads;
	struct rates_past {
		nsec end; /* of the trace then */
		struct rate *sums;
		nsec *busy;
		uint32_t count, threads;
	} past[RATES_PAST]; /* the oldest first */
	int past_count;
};

void rates_release(struct rates *);
/* Nothing is known of now: no more came.  What was before stays. */
void rates_pause(struct rates *);
/* Keeps the sums of a fold of the whole trace, which ends there. */
void rates_keep(struct rates *, const struct fold *, const struct trace *, nsec end);

/* From a trace to the next of the same file: which method or thread is which; UINT32_MAX: gone. */
struct rates_map {
	uint32_t (*method)(const void *of, uint32_t method);
	uint32_t (*thread)(const void *of, uint32_t thread);
	const void *of;
};

/*
 * Takes `from`'s folds over into `to`, and finds what came to the fold since the newest that is
 * `interval` old, else since the oldest.
 */
void rates_take(struct rates *to, struct rates *from, const struct fold *, const struct trace *,
    nsec end, nsec interval, const struct rates_map *);
