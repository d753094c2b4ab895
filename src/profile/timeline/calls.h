// SPDX-License-Identifier: Apache-2.0
/*
 * calls: all calls of one method, one by one.
 *
 * Found by decoding the parts of the trace where threads that call the method have records,
 * without those that by the method index (blocks.h) have none of it; in steps, so that what was
 * found so far can be shown.  A call belongs to a range when it shares time with it, or takes
 * none and its instant is within (range.h);
 * its times are those within, and it says so when it was cut, so that sums agree with
 * the profile's figures.  What was open before the trace or is open at its end is cut,
 * too.
 *
 * Counts, sums, extremes and the histogram are of all calls; rows are kept of the longest
 * CALLS_KEEP, so that memory is bounded.  Calls within (other), see walk.h, are not told
 * apart.
 *
 * The result is a value that points to nothing; times are nanoseconds, a clock that the
 * trace lacks is 0.
 */
#pragma once

#include <stdatomic.h>

#include "profile/index/closed.h"
#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/sum/range.h"
#include "profile/timeline/spread.h"
#include "profile/timeline/timeline.h"

enum { CALLS_KEEP = 1 << 17 };

struct calls_query {
	const struct scope *scope; /* NULL: all threads */
	struct range range;
	uint32_t method;
	enum clock_id clock; /* that durations are compared on: the longest, over budget */
	nsec budget;         /* a call that took longer is over it; 0: there is none */
	uint32_t keep;       /* rows; 0: CALLS_KEEP */
};

enum call_flags {
	CALL_BEFORE = CLOSED_BEFORE, /* began before the range, or before the trace */
	CALL_BEYOND = CLOSED_BEYOND, /* ends after the range, or never in the trace */
	CALL_RECURSIVE = 1 << 8,     /* one of the same method was open */
};

struct call_row {
	nsec start; /* on the axis, within the range */
	nsec time[CLOCKS], exclusive[CLOCKS];
	uint64_t order; /* grows with entries: CALL_ORDER_FIRST + replay's, or CALL_BEFORE */
	uint32_t thread;
	uint32_t frame; /* index into `frames` */
	uint32_t flags;
};

#define CALL_ORDER_FIRST CLOSED_ORDER

/* A frame of the stack that a call was made on. */
struct call_frame {
	uint32_t method;
	uint32_t caller; /* index; FRAME_NONE for those called from an empty stack */
	uint32_t depth;  /* 1: called from an empty stack */
	uint32_t node;   /* of the tree, to look the call up again */
};
#define FRAME_NONE UINT32_MAX

struct calls {
	uint32_t method;
	struct range range;
	enum clock_id clock;
	nsec budget;
	bool whole;      /* all was looked at */
	double progress; /* 0 to 1 */

	uint64_t count;     /* all calls, recursive ones too */
	uint64_t recursive;
	uint64_t cut;       /* with CALL_BEFORE or CALL_BEYOND */
	uint64_t over;      /* budget */
	nsec inclusive[CLOCKS]; /* of calls that are not recursive: the profile's figure */
	nsec exclusive[CLOCKS];
	struct spread spread[CLOCKS];

	struct call_row *rows; /* by start, then by thread */
	uint32_t row_count;    /* less than `count` when not all were kept */
	struct call_frame *frames;
	uint32_t frame_count;
	nsec *sorted[CLOCKS]; /* durations of all calls; NULL when not all were kept */
};

/* The search: borrows profile and scope, one thread at a time. */
struct calls_search;

struct calls_search *calls_search_new(const struct profile *, const struct calls_query *);
/* Decodes some part; false when there was none left. */
bool calls_search_step(struct calls_search *);
/* Returns the calls found so far, to be freed by calls_free. */
struct calls *calls_search_result(const struct calls_search *);
void calls_search_free(struct calls_search *);

/* All at once; NULL only when cancelled.  `done` may be NULL, as in range_count. */
struct calls *calls_find(const struct profile *, const struct calls_query *,
    share_done *done, const atomic_bool *cancel);
void calls_free(struct calls *);

/* The place of a call among those of its method: by start, then thread, then order. */
struct call_place {
	nsec start;
	uint32_t thread;
	uint64_t order; /* as in a row; of calls from before the trace any smaller number */
};

/*
 * The nearest call after `from` in time (direction 1), or before it (-1), that begins in
 * the query's range; `call` has method METHOD_NONE when there is none.  Its times are its
 * own, also outside the range.  False when cancelled.  Costs the parts up to it.
 */
bool calls_near(const struct profile *, const struct calls_query *,
    const struct call_place *from, int direction, struct call_place *, struct call *,
    const atomic_bool *cancel);
/* Threads in scope with the method on their stacks at some time: scope_free. */
struct scope *calls_threads(const struct profile *, const struct scope *, uint32_t method);

/* 0 to 1000.  Exact when all calls were kept, else see spread.h. */
nsec calls_percentile(const struct calls *, enum clock_id, unsigned permille);
static inline bool
calls_all_kept(const struct calls *c)
{
	return c->row_count == c->count;
}
