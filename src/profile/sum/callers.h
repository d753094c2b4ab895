// SPDX-License-Identifier: Apache-2.0
/*
 * callers: the call tree upside down: methods, below each what called it, and so on.
 *
 * The numbers of a caller are its part of the topmost method's: calls, exclusive time,
 * and inclusive time, in which recursion counts once, with the outermost call.  So those
 * of a topmost method are fold.h's (calls: first and recursive together), and those of a
 * method's callers add up to its own, since the last frame, (toplevel), is one of them.
 *
 * Of a set of methods the first topmost row may be all of them as one: calls from outside of the
 * set, their exclusive time, and inclusive time of the outermost; below it come the nearest callers
 * outside of the set.
 *
 * `tree` can be sorted and walked like other paths, but is made level by level:
 * callers_expand costs the paths that end in the topmost method below that caller, some
 * 20 ns each, and a node that was not expanded has no children.  Ids: topmost methods
 * first; the callers of one are contiguous.  `threads` and flags other than CALLER_* are
 * not known, roots have no thread.
 *
 * Pointers to items hold until the next callers_expand.  Borrows the paths, which must
 * outlive it; for one thread at a time.  Memory: 8 bytes a path and 72 a caller made.
 */
#pragma once

#include "profile/sum/paths.h"

enum caller_flags {
	CALLER_EXPANDED = 1 << 8,
	CALLER_LAST = 1 << 9, /* nothing calls it: the bottom of every stack */
	CALLER_SET = 1 << 10, /* of a whole set; the topmost has METHOD_TOPLEVEL, `threads` methods */
};

struct callers {
	struct paths tree;
	const struct paths *paths;
	size_t room;
	struct caller_part *parts; /* by id */
	size_t part_room;
	uint8_t *inside; /* by path: enum path_inside; NULL without a set */
	struct caller_place *places; /* the paths of all, those of a caller in a row */
	uint32_t *slot; /* by method: the caller just made for it */
	/* Scratch of callers_expand. */
	struct caller_place *moved;
	size_t moved_room;
};

/*
 * The callers of all methods but (toplevel), or of a set: by method whether it is one, those of all
 * as one first.  Costs the paths.
 */
struct callers *callers_new(const struct paths *, const uint8_t *set);
void callers_free(struct callers *);

/* Makes the callers of one known; the second time it does nothing. */
void callers_expand(struct callers *, uint32_t id);
/* How many paths callers_expand would cost; 0 when it is done. */
uint32_t callers_cost(const struct callers *, uint32_t id);
/*
 * An upper bound of the callers below the id, at all levels; counted up to `most`, which
 * also bounds the cost.
 */
size_t callers_below(const struct callers *, uint32_t id, size_t most);
