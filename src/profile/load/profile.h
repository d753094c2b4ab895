// SPDX-License-Identifier: Apache-2.0
/*
 * profile: an open trace being counted: tree, threads, index, damage.
 *
 * profile_load walks the records in steps; after each step everything here holds for
 * the part that was read.  Queries (fold.h, timeline.h, replay.h) only read, so after
 * a step, or when loading is over, several threads may query at once; none may while
 * a step runs.
 *
 * Memory grows with distinct call paths, threads and a bounded number of blocks,
 * not with records.  The profile borrows the trace and must be freed before it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "profile/sum/tree.h"
#include "trace/trace.h"

/* One thread of the trace; index as in the trace.  Without records all is 0. */
struct stack {
	/* Members that every record touches come first, within one cache line. */
	uint64_t raw[CLOCKS]; /* last event as the file states it */
	uint64_t records;     /* all, also skipped ones */
	uint32_t node;  /* innermost open frame; NODE_NONE before the first event */
	uint32_t root;  /* (toplevel) of this thread */
	uint32_t guess; /* where the guess at the next entry is: tree_guess */
	uint32_t low;   /* shallowest frame since the last entry of a block */

	bool started;
	bool rooted;          /* has a root, also when its only event was taken back */
	uint32_t origin;      /* the first root: the stack before the first event */
	const uint8_t *base;  /* of the present records, the last entry made on an empty stack */
	uint64_t base_offset; /* file offset of that */
	nsec shift[CLOCKS];   /* from raw to true time: wraps and backward steps so far */
	nsec first[CLOCKS];
	uint64_t wraps[CLOCKS];
	uint64_t first_wraps; /* of the wall clock, before the first event */
	uint64_t inside; /* calls open within (other), the first not counted */
	/*
	 * When the calls that are open began, on the axis: of the frame `depth` below the root,
	 * [0] its own.  Of the profile's stacks only; the copies of queries do not have it.
	 */
	nsec *entered;
	size_t depth, entered_room;
};

/* Time of the last event, unwrapped and clamped. */
static inline nsec
stack_time(const struct stack *stack, enum clock_id clock)
{
	return (nsec)stack->raw[clock] + stack->shift[clock];
}

enum load_state {
	LOAD_MORE,    /* call again */
	LOAD_DONE,    /* everything was read */
	LOAD_STOPPED, /* profile_stop came first; what was read is valid */
	LOAD_FAILED,  /* gave up; what was read is valid */
};

/* The sampler that made the trace, as far as the events so far tell. */
struct sampled {
	bool yes;
	nsec interval; /* estimated time between two samples; 0 when that is not known */
};

struct blocks;
struct sampling;

struct profile {
	struct trace *trace;
	struct tree tree;
	struct stack *stacks;
	uint32_t stack_count;
	size_t stack_room;
	unsigned jobs;       /* threads that queries may use; 0: as many as pay */
	uint64_t records;    /* whole records read, skipped ones too */
	struct cursor at;    /* where reading goes on */
	enum load_state state;
	struct damage damage; /* of what was read, with the trace's own; final after the end */
	enum clock_id axis;   /* clock of the timeline: wall, or cpu when there is none */
	nsec begin, end;      /* first and last time on the axis, all threads */
	nsec latest;          /* wall time of the last event of any thread, at least 0 */
	uint32_t other;       /* method of (other); METHOD_NONE as long as there is none */
	struct onstack onstack; /* for exits that look for their frame */
	uint8_t *method_seen; /* by method index: met in a record that made no call */
	size_t method_seen_room;
	struct blocks *blocks; /* index/blocks.h */
	/*
	 * Was the trace made by a sampler, so that calls are what it saw?  Known when enough
	 * was read.
	 */
	struct sampled sampled;
	struct sampling *sampling; /* NULL when it is decided */
	uint64_t behind; /* file offset up to which pages were given back */
	unsigned restarts; /* how often counting began again: what followed it must, too */

	bool apart; /* threads are counted one after another, maybe by workers: loader.h */
	bool torn; /* the file became shorter while it was read: what was counted does not hold */
};

struct profile *profile_new(struct trace *);
void profile_free(struct profile *);

/*
 * Reads up to about `max_records` more.  LOAD_FAILED fills `e` (a file that is no
 * method trace after all: over 1 % of the records have the reserved action; or what its
 * format keeps found no space).
 */
enum load_state profile_load(struct profile *, uint64_t max_records, struct err *e);
/* Begins counting again, as if nothing had been read: what was read so far does not hold. */
void profile_again(struct profile *);
/* After records were counted: the state now.  `more`: there are others to be read. */
enum load_state profile_settle(struct profile *, bool more, struct err *);
/* Methods that another worker met. */
void profile_seen_add(struct profile *, const struct profile *from);
/*
 * Loads all again, by other choices (source.restart, which there must be), however far
 * loading was.  Methods and threads keep their indexes.
 */
void profile_restart(struct profile *);
/*
 * After LOAD_DONE: the file has `size` bytes now, and LOAD_MORE follows, with the bytes of before
 * counted as they are.  False: it cannot go on (source.grow); what was read stays.  After what came
 * was read, source.stale tells whether that holds with what was read before.
 */
bool profile_grow(struct profile *, uint64_t size);
/*
 * Records before a time on the axis, at most the first `most`, are not to be read again: sums keep
 * them, and ranges begin after them (blocks.kept).  Returns up to where the file's bytes are not
 * needed any more; 0: no more than before.
 */
uint64_t profile_forget(struct profile *, nsec before, uint64_t most);
/* Ends loading here: open calls end at their thread's last event. */
void profile_stop(struct profile *);
/* How many are open in a thread of the stacks. */
uint64_t profile_open_calls(const struct profile *, uint32_t thread);
/* Makes stacks for at least so many threads. */
void profile_stacks_extend(struct profile *, uint32_t count);
/* Takes `begin` and `end` from the stacks. */
void profile_axis_update(struct profile *);

/*
 * Did loading meet the thread?  If it did not, the file is not what it was: in a replay there
 * is no stack for the thread's records to begin on.
 */
static inline bool
profile_met(const struct profile *p, uint32_t thread)
{
	return thread < p->stack_count && p->stacks[thread].started;
}

/* Time from first to last event of a thread; 0 on a clock that the trace lacks. */
static inline nsec
stack_span(const struct stack *stack, enum clock_id clock)
{
	return stack_time(stack, clock) - stack->first[clock];
}

/*
 * Tells traces that a sampler wrote from those of every call.  Nothing in the file says so.
 * A sampler writes what changed on a stack since it last looked, all with one time, so that
 * most records have the time of the one before on their thread; it never unwinds; and its
 * looks are at least 100 us apart.  Judged by the first records of the file, which bounds
 * what it costs.
 */
enum { SAMPLING_RECORDS = 1 << 17 }; /* more are not looked at */

void sampling_free(struct sampling *);
