// SPDX-License-Identifier: Apache-2.0
/*
 * diff: two folds, method by method: what got slower, and how much of that more calls
 * explain.
 *
 * A is what was before, B what is now; a delta is always B minus A.
 *
 * Methods are paired by their names (pairs.h); of several with the same name those with records
 * in their fold, in the order of their rows: the first with the first.  Of a family with as many
 * records in A as in B, those left over are paired, too, in the order of their numbers, hashed
 * ones in that of their calls and times.  If with that order alone, without regard to equal
 * numbers, calls differ less, it holds for the whole family: all of it was numbered anew.
 *
 * Every method with a record in either fold is in one row, (toplevel) apart from the
 * others.  Exclusive time is therefore kept: the deltas of all rows and of (toplevel) add
 * up to the difference of the totals.
 *
 * A diff is a value of its own and outlives folds and traces.  Times are nanoseconds; one
 * of a clock that a trace lacks is 0 there.
 */
#pragma once

#include "profile/sum/fold.h"
#include "profile/sum/pairs.h"

enum diff_value { DIFF_INCLUSIVE, DIFF_EXCLUSIVE, DIFF_VALUES };

struct diff_sum {
	uint32_t method; /* METHOD_NONE: not there, and all else is 0 */
	uint64_t calls;  /* recursive ones, too */
	uint64_t recursive_calls;
	nsec time[DIFF_VALUES][CLOCKS];
};

/* Why methods with other names are a pair; or, moved, may be one (origins.h). */
enum diff_why { DIFF_SAME_NAME, DIFF_BY_FAMILY, DIFF_BY_MAPPING, DIFF_BY_RENAME, DIFF_MOVED, DIFF_WHYS };

struct diff_row {
	struct diff_sum sum[DIFF_SIDES];
	enum diff_why why;
	uint32_t moved; /* where `why` says so: the method of the other side */
	bool unknown;   /* only the other side has names of a mapping */
};

/* The side that alone has the method; DIFF_SIDES: both have it. */
static inline int
diff_only_in(const struct diff_row *r)
{
	return r->sum[DIFF_A].method == METHOD_NONE   ? DIFF_B
	    : r->sum[DIFF_B].method == METHOD_NONE ? DIFF_A
						   : DIFF_SIDES;
}

struct diff {
	struct diff_row *rows;
	uint32_t count;
	struct diff_row toplevel;
	nsec total[DIFF_SIDES][CLOCKS]; /* what percentages of the trace are of */
	unsigned clocks;                /* that both traces have */
};

/* Linear in methods, when the names are known; the traces are still those of the names. */
void diff_make(struct diff *, const struct diff_names *, const struct fold *a,
    const struct fold *b);
void diff_release(struct diff *);

/* The value and clock that are compared. */
struct diff_by {
	enum diff_value value;
	enum clock_id clock;
	nsec min; /* changes of less are none; 0: all are changes */
	struct trace_unit unit; /* of both traces */
};

/*
 * The least change worth telling unless asked for: a millisecond, but not more than a
 * thousandth of the longer trace.
 */
nsec diff_min_default(const struct diff *, enum clock_id);

enum diff_change {
	DIFF_SLOWER, /* in both: B takes more time by `min` at least */
	DIFF_FASTER, /* less */
	DIFF_ONLY_B, /* whatever time it takes */
	DIFF_ONLY_A,
	DIFF_UNCHANGED,
	DIFF_CHANGES
};

enum diff_change diff_change(const struct diff_row *, const struct diff_by *);

static inline nsec
diff_time(const struct diff_row *r, int side, const struct diff_by *by)
{
	return r->sum[side].time[by->value][by->clock];
}

/* Saturates, which only damaged traces notice. */
nsec diff_between(nsec a, nsec b);
static inline nsec
diff_delta(const struct diff_row *r, const struct diff_by *by)
{
	return diff_between(diff_time(r, DIFF_A, by), diff_time(r, DIFF_B, by));
}

/*
 * Why the time changed.  With T and n the time and the calls of a side, and t = T / n:
 *
 *	by_calls = (nB - nA) * tA      more calls that take as long as they did
 *	by_time  = (tB - tA) * nB      each of those that there are takes longer
 *
 * by_calls is rounded to the nearest nanosecond, half away from 0, and by_time is the rest
 * of the delta, so the two add up to it exactly.  Without calls in A all is by_calls.
 */
struct diff_cause {
	int64_t calls; /* nB - nA */
	nsec by_calls, by_time;
};

struct diff_cause diff_cause(const struct diff_row *, const struct diff_by *);
/* Time of a call, rounded the same way; 0 without calls. */
nsec diff_per_call(const struct diff_row *, int side, const struct diff_by *);
/* Does the delta exceed so many thousandths of a percent of A?  Never without time in A. */
bool diff_exceeds(const struct diff_row *, const struct diff_by *, unsigned percent);
