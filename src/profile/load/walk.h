// SPDX-License-Identifier: Apache-2.0
/*
 * walk: what a record does to its thread's clock and stack, and what comes of it.
 *
 * One inner loop follows the records of a thread: walk.c.  Loading counts them in the tree;
 * a range counts them beside it; a picture draws them; other questions see them one by one.
 * All follow the same rules, so they agree to the nanosecond.  Some 10 ns a record, most of
 * it the tree's memory: what is known of the thread stays in registers meanwhile.
 *
 * Rules (doc/formats.md says why): an exit on an empty
 * stack adopts what came before it; an exit of a frame further down closes those above
 * it; an exit of a method that is not open is ignored; a clock that goes back counts
 * as no time, or, if it went back by more than half its range, as a wrap.
 *
 * When the tree is at its limit, calls on paths that it does not have go to a node
 * (other) below the last frame that it has; all that they call is one with them.
 */
#pragma once

#include "profile/load/partition.h"
#include "profile/load/profile.h"
#include "profile/load/step.h"

struct entered;
struct cell_row;

/* Beyond the limit of paths so many frames from before the trace are still adopted. */
enum { ADOPTIONS_MAX = 1 << 20 };

struct walk {
	struct profile *profile;
	struct stack *stacks;
	struct damage *damage;
	bool build; /* the tree may grow and counts; else both are only read */
	struct onstack *onstack;
};

/*
 * Counts the runs of one thread in the profile.  The index gets an entry for each block that
 * they are in.
 */
void runs_load(struct runs *, struct walk *, uint32_t thread);
/*
 * Counts the runs up to the record `until`, which begins a batch or is the end, in `counts`, by
 * node; the walk does not build.
 */
void runs_count(struct runs *, struct walk *, uint32_t thread, uint32_t until,
    struct count *counts);
/*
 * Draws the runs that begin before the record `until`, and adds what is entered in them (NULL:
 * it is not asked for).
 */
void runs_draw(struct runs *, struct walk *, struct stack *, uint32_t until, struct cell_row *,
    const struct entered *);
/* Like runs_load, for all threads in the order of the file. */
void batch_load(const struct batch *, struct walk *);

/*
 * Visits runs: `visit` sees each record.  `order`: how many records come before the chunk;
 * `method_count`: that loading met, records of others are left out.  False when stopped.
 */
struct step_sink {
	visit_step visit;
	void *context;
	uint64_t order;
	uint32_t method_count;
};

bool runs_visit(struct runs *, struct walk *, uint32_t thread, const struct step_sink *);

/*
 * Advances the stack's clocks to a record's times, and says in `delta` how much they went on: 0
 * at the first one, which sets them.
 */
void walk_clock(struct walk *, struct stack *, const uint64_t time[CLOCKS], uint64_t offset,
    nsec delta[CLOCKS]);
