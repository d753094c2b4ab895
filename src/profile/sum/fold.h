// SPDX-License-Identifier: Apache-2.0
/*
 * fold: the method table with parents and children, summed from the tree.
 *
 * The rules are Traceview's and dmtracedump's: inclusive time counts the outermost
 * call of a method on each stack only; calls are told apart as first and recursive;
 * exclusive time is that with the method on top; "self" the part of it in calls that
 * are not recursive; four lists of relations.  A list's sum over plain parents is the
 * inclusive time, and so is self plus plain children.  Wall exclusive time includes
 * waiting.
 *
 * A fold is a value of its own: immutable, holds no pointer into the profile, may be
 * handed to another thread.  Times are nanoseconds; a clock that the trace lacks is 0.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/sum/range.h"

struct transformed;

struct method_sum {
	/* Has a record in scope.  Others are all 0, but for own calls and time of what counts as another. */
	bool present;
	uint32_t rank; /* 0-based by inclusive time on the default clock; RANK_NONE: no rank */
	uint32_t threads; /* threads that called it */
	uint64_t calls, recursive_calls;
	nsec inclusive[CLOCKS], exclusive[CLOCKS], self[CLOCKS];
	struct longest longest; /* on the axis, of those in the range */
	uint32_t longest_thread; /* that made it */
};

#define RANK_NONE UINT32_MAX

/* The order in which a reader sees them. */
enum relation_kind {
	RELATION_PARENT,
	RELATION_CHILD,
	RELATION_PARENT_RECURSIVE,
	RELATION_CHILD_RECURSIVE,
	RELATION_KINDS
};

struct relation {
	uint32_t method; /* METHOD_TOPLEVEL for calls from an empty stack */
	uint64_t calls;
	nsec inclusive[CLOCKS];
};

struct fold_thread {
	uint64_t records;
	uint64_t calls; /* entries, adopted frames included; of rows aside 0 */
	nsec first[CLOCKS], last[CLOCKS]; /* within the range */
	nsec covered; /* time on the axis with a call open */
	nsec idle; /* of that, in idle calls themselves, where the query says which are */
	nsec unknown; /* on the axis, what it did, for events of cores are missing; of a log */
	/* Part of the total: last minus first; of a log, its slices in no other; of rows aside 0. */
	nsec part[CLOCKS];
	uint32_t open; /* calls still open at its last event */
	uint32_t deepest; /* calls open at once, at most */
	bool in_scope;
};

struct fold {
	uint32_t method_count; /* METHOD_TOPLEVEL included; index as in the trace */
	struct method_sum *methods;
	uint32_t thread_count;
	struct fold_thread *threads; /* all; in a range only those that were counted are filled */
	/*
	 * Base of percentages: the sum over the threads in scope of last minus first; of a log,
	 * of their slices that are in no other.  In scope: see scope_counts.
	 */
	nsec total[CLOCKS];
	nsec whole[CLOCKS]; /* the same of the whole trace; `total` without a range */
	struct range range; /* as asked for */
	nsec length; /* on the axis: of the range, as far as the trace goes */
	bool unknown; /* not all of it is known of some thread */
	uint64_t calls;     /* all calls in scope */
	uint64_t whole_calls; /* the same of the whole trace */
	uint64_t records;   /* read so far, all threads */
	uint32_t present;   /* methods present, (toplevel) not counted */
	/* `calls` and `present` without transforms. */
	uint64_t recorded_calls;
	uint32_t recorded_present;
	uint32_t *met, met_count; /* the same with (toplevel), by index */

	/* Relations of method m of kind k: first[m * RELATION_KINDS + k] up to the next. */
	uint32_t *first; /* method_count * RELATION_KINDS + 1 entries; NULL without relations */
	struct relation *relations;
};

/*
 * A query.  `same`: by method index of the trace the index of the method that it is counted as,
 * which must be counted as itself (NULL: each for itself).  Calls of one from another are then
 * recursive, and ranks are theirs.
 */
struct fold_query {
	const struct scope *scope;
	const struct range *range;
	const struct range_sums *sums; /* of the range, of all threads; NULL: to be counted */
	const uint32_t *same;
	uint32_t same_count; /* methods beyond are counted as themselves */
	bool relations; /* false: their lists are empty, and it takes two thirds of the time */
	bool unranked;  /* no ranks are asked for: sorting takes a third of the time of many methods */
	const uint8_t *idle; /* by method: its calls are idle; NULL: none are */
	uint32_t idle_count; /* methods beyond are not */
	/*
	 * The tree to sum in place of the trace's (transform.h); NULL: as recorded.  It must
	 * be of the same range.  Ranks, threads and what is said of the whole trace stay as
	 * recorded.
	 */
	const struct transformed *of;
	const struct fold *recorded; /* without `of`, the rest the same; NULL: made for it */
};

/*
 * Cost: linear in nodes and methods (about 60 ms for 1.5 million nodes), and for a
 * range the records in it.  `scope` NULL: all threads; `range` NULL: the whole trace.  Ranks
 * are those of the whole trace always.  Returns NULL only when `cancel` (may be NULL)
 * became true.
 */
struct fold *fold_make(const struct profile *, const struct fold_query *,
    const atomic_bool *cancel);
void fold_free(struct fold *);

/*
 * The time that a thread was busy: its CPU time where the trace has that clock, else the time
 * in calls that are not idle; rows of asynchronous slices, which are no threads, are not.
 */
nsec fold_busy(const struct fold *, const struct trace *, uint32_t thread);
/* The time in which that is known; 0: there is none, or the row is no thread. */
nsec fold_known(const struct fold *, const struct trace *, uint32_t thread);

/* The list of one kind, by inclusive time on the default clock descending, then name. */
const struct relation *fold_relations(const struct fold *, uint32_t method,
    enum relation_kind, uint32_t *count);
