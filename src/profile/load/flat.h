// SPDX-License-Identifier: Apache-2.0
/*
 * flat: the sums of methods, thread by thread, without call paths: a flat profile.
 *
 * Tables without callers and paths need far fewer nodes.  The tree of a flat profile has
 * one node below a thread's root for each method and, below that, one for its recursive
 * calls.  A node is no stack here: a thread's open calls are a list of nodes, and
 * inclusive time is summed where the outermost call of a method begins and ends (struct
 * node_sum).  All else is as in walk.h, so every sum is that of a tree of paths, to the
 * nanosecond.
 *
 * A flat profile only gives folds of all records without relations, groups and transforms
 * (fold.h), and not how deep threads were.  Several workers may count at once, each other threads.
 */
#pragma once

#include "profile/load/profile.h"

struct walk;

/* A thread's open calls, outermost first, after its root. */
struct flat_stack {
	uint32_t *frames;
	size_t frame_room;
	uint32_t depth; /* without the root */
};

struct flat {
	struct flat_stack *stacks;
	uint32_t count;
	size_t room;
};

/* The profile is to count so, from its beginning.  Does nothing for logs. */
void flat_begin(struct profile *);
/* Nothing was counted yet, again. */
void flat_clear(struct flat *);
void flat_free(struct flat *);
void flat_extend(struct flat *, uint32_t stacks);
/* Room for so many frames more than are open. */
void flat_reserve(struct flat_stack *, size_t frames);

/* Leaves the frame on top. */
void flat_pop(struct walk *, struct stack *);
/* Like walk_enter_miss, and like walk_exit_odd for an exit that names its method. */
uint32_t flat_enter_miss(struct walk *, struct stack *, uint32_t method, uint64_t offset);
void flat_exit_odd(struct walk *, struct stack *, uint32_t method, uint64_t offset);
