// SPDX-License-Identifier: Apache-2.0
/*
 * percall: calls on several sides, with the call tree below each side's.
 *
 * Calls are the outermost ones of methods that match (jank.h).  Those that the range or the trace
 * cuts are only counted.  Sides are two, the calls that took longer than a limit on the axis, or are of
 * slow frames, and the others; or blocks of calls that followed one another, in order of their begin.  The two sides are of
 * one thread: of several in scope the one with most calls that are whole has them all, the first of
 * equals; without a scope one of the app in front (scope_front) if it has some, asynchronous rows last.  Blocks are of all threads in scope together.
 *
 * A side's tree begins at the calls: they are below a thread's root, wherever they were made from.
 * The time of its nodes is the sum over the side's calls, so it adds up to that of the calls.
 *
 * The result is a value that points to nothing; times are nanoseconds, a clock that the trace lacks
 * is 0.  Costs the records of the threads with such calls twice; memory: 100 bytes for each node of
 * the tree and side, and 16 for each call of blocks.
 */
#pragma once

#include "profile/sum/transform.h"
#include "profile/timeline/jank.h"

enum { PERCALL_UNDER, PERCALL_OVER, PERCALL_SIDES };
/* Blocks: neighbours are alike, so single calls are no runs; of so many at least, if there are. */
enum { PERCALL_BLOCKS = 10, PERCALL_BLOCK_LEAST = 5 };

struct percall_query {
	const struct scope *scope; /* NULL: all threads */
	struct range range;
	struct str pattern; /* of full names of methods; empty: jank_frames */
	uint32_t method;    /* calls of it, whatever the pattern; 0: none */
	nsec over;
	const struct jank *frames; /* calls that begin in their slow ones are over, whatever they took; NULL: by time */
	bool blocks;        /* sides are blocks, `over` means nothing */
	bool folded;        /* methods of the trees are those that stand for them (trace/folded.h) */
	const uint32_t *as; /* by method: what `in` counts it as, below `as_count`; NULL: not wanted */
	uint32_t as_count;
};

struct percall_side {
	uint64_t calls;
	nsec time[CLOCKS];
	nsec state[JANK_STATES]; /* of the thread meanwhile */
	struct transformed *tree;
};

struct percall {
	uint32_t thread;  /* THREAD_NONE: no call is whole; of blocks one that has calls */
	uint32_t threads; /* in scope with calls that are whole */
	uint64_t cut;     /* calls of that thread; without one, or of blocks, of all in scope */
	bool states;      /* are known */
	struct percall_side *side;
	uint32_t count;   /* of sides */
	uint64_t *in;     /* by `as`: the calls over the limit that it occurs in */
};

/*
 * NULL when cancelled, or, and `e` filled, when the pattern is bad or too costly, or calls that a time divides
 * have none.
 */
struct percall *percall_new(const struct profile *, const struct percall_query *,
    const atomic_bool *cancel, struct err *e);
void percall_free(struct percall *);
/*
 * False, and why, when a side has no call: of calls of a pattern (NULL: of frames) of a thread, over a time
 * (-1: of slow frames).
 */
bool percall_check(const uint64_t calls[PERCALL_SIDES], uint64_t cut, const char *pattern, struct str thread,
    nsec over, struct err *e);
