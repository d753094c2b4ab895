// SPDX-License-Identifier: Apache-2.0
/*
 * range: a stretch of time, and the trace counted again within it.
 *
 * Times are nanoseconds on the profile's axis, [from, to); a `to` at or after the end of
 * the trace includes the end, and a `from` there has nothing.  Times of adjacent ranges
 * add up exactly; a call counts in every range with which it shares time, and one that
 * takes no time in the range that holds its instant.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"

struct range {
	nsec from, to;
};

#define RANGE_ALL ((struct range){INT64_MIN, INT64_MAX})

static inline bool
range_is_all(const struct range *r)
{
	return r->from == INT64_MIN && r->to == INT64_MAX;
}

static inline bool
range_equal(const struct range *a, const struct range *b)
{
	return a->from == b->from && a->to == b->to;
}

/* Returns the part of it whose records can be read again (profile_forget). */
struct range range_readable(const struct profile *, struct range);

/* Returns what of the range is within [from, to). */
static inline struct range
range_within(const struct range *r, nsec from, nsec to)
{
	return (struct range){nsec_max(r->from, from), nsec_min(r->to, to)};
}

/* How much of [from, to) is in the range; true also for what has no length within it. */
static inline bool
range_clip(const struct range *r, nsec from, nsec to, nsec *length)
{
	const struct range both = range_within(r, from, to);

	*length = both.to - both.from;
	return both.to > both.from || (from == to && from >= r->from && from < r->to);
}

/*
 * Is anything recorded of the range: a call that shares time with it, an event within it, or of
 * a log the scheduler, a counter or a moment?  Costs the records of a block or two.
 */
bool range_has_events(const struct profile *, const struct range *, const atomic_bool *cancel);

/* Its figures are those of the trace, without another look at the records. */
static inline bool
range_is_whole(const struct range *r, const struct profile *p)
{
	return r->from <= p->begin && r->to >= p->end;
}

/*
 * The longest call of some nodes within a range.  A node knows that of the whole trace: where
 * a range cuts it or does not have it, another may be longer, up to `bound`.
 */
struct longest {
	nsec length, at; /* its begin; length -1: there is none */
	nsec bound;
};

#define LONGEST_NONE ((struct longest){-1, 0, -1})

/* Adds a node whose longest call is not shorter than the longest so far, or is not known. */
bool longest_look(struct longest *, const struct node *, const struct range *);

/* Adds a node that has something of the range; true if its call is the longest now. */
static inline bool
longest_add(struct longest *l, const struct node *node, const struct range *range)
{
	/* Most are shorter, and their parts in a range are, too. */
	if (node->longest >= 0 && node->longest < l->length)
		return false;
	return longest_look(l, node, range);
}

/* -1 when it is not known. */
static inline nsec
longest_length(const struct longest *l)
{
	return l->length >= l->bound ? l->length : -1;
}

/* A thread's part of the range. */
struct range_stack {
	bool present;     /* its events, first to last, meet the range */
	nsec begin;       /* of the other clock, where it enters the range */
};

struct range_sums {
	struct range range;       /* that was counted */
	struct count *counts;     /* by node; of threads in scope */
	struct range_stack *stacks; /* by thread */
	bool all;                 /* all threads were in scope */
};

/* The progress of a query, for other threads to read. */
typedef atomic_uint share_done;
enum { SHARE_ALL = 1 << 20 };

/*
 * Counts the range; costs the records of the blocks around it, or those outside
 * when they are fewer, divided among the profile's `jobs`.  `done` (may be NULL) grows from 0
 * to about SHARE_ALL.  False when cancelled, and then there is nothing to release.
 */
bool range_count(const struct profile *, const struct scope *, const struct range *,
    struct range_sums *, share_done *done, const atomic_bool *cancel);
void range_release(struct range_sums *);
