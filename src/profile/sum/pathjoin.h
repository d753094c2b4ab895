// SPDX-License-Identifier: Apache-2.0
/*
 * pathjoin: call paths of two sides as one tree.
 *
 * Its maker says of each path which node of the tree it is, and gives the exclusive times and calls of
 * the nodes; sums below each node, and the tree as a value of struct paths, come from here.
 *
 * Nodes above others have lower numbers.  Owns what it points to; times are nanoseconds, or what the
 * traces count.  Nothing fails but by cancelling.  Cost: linear in the nodes, 40 bytes each, and 96 for
 * the sums on a clock.
 */
#pragma once

#include "base/map.h"
#include "profile/sum/diff.h"
#include "profile/sum/paths.h"

struct pathjoin_figures {
	nsec exclusive[DIFF_SIDES], inclusive[DIFF_SIDES];
	nsec change; /* of exclusive times in it and below, whatever their signs: more than cancels out */
	uint64_t calls[DIFF_SIDES];
	bool proved; /* to differ */
};

/* Figures of all nodes on a clock. */
struct pathjoin_sums {
	struct pathjoin_figures *of; /* by node; pathjoin_paths: by path.  mem_free */
	struct pathjoin_figures toplevel; /* inclusive: of all */
	nsec own_most; /* the largest difference of an exclusive time */
};

struct pathjoin_node {
	uint32_t above; /* PATH_NONE of roots */
	uint32_t item;  /* as its maker says: method; of roots the thread */
	uint32_t child, next; /* a list in no order */
};

/* Zero-initialise. */
struct pathjoin {
	struct idmap places; /* by the node above, and item */
	struct pathjoin_node *nodes;
	size_t count, room;
};

void pathjoin_release(struct pathjoin *);
/* The node of that item below another (PATH_NONE: a root), made when it is met first. */
uint32_t pathjoin_find(struct pathjoin *, uint32_t above, uint32_t item);
/* Sums up exclusive times, which all nodes have: inclusive times, changes, and the largest difference. */
void pathjoin_sum(const struct pathjoin *, struct pathjoin_sums *);
/*
 * Divides the times that all nodes have by the counts, then sums up; what rounding leaves of the totals' means is
 * the top level's own.
 */
void pathjoin_sum_means(const struct pathjoin *, struct pathjoin_sums *, const uint64_t counts[DIFF_SIDES],
    const nsec totals[DIFF_SIDES]);
/* Divides by a count, rounding half up. */
int64_t pathjoin_mean(int64_t sum, uint64_t count);
/*
 * Makes paths with the times of both sides on each clock that has sums (NULL: none), and puts these in
 * their order: siblings by width on the first clock, then by name.  Items are methods and threads of the
 * trace.  False when cancelled.  The caller frees items and roots.
 */
bool pathjoin_paths(const struct pathjoin *, struct pathjoin_sums *const sums[CLOCKS],
    const struct trace *, struct paths *, const atomic_bool *cancel);
/* Saturates, which only damaged traces notice. */
nsec pathjoin_plus(nsec a, nsec b);

/* Returns the time of both sides, by which paths are wide. */
static inline nsec
pathjoin_width(const struct pathjoin_figures *f)
{
	return pathjoin_plus(f->inclusive[DIFF_A], f->inclusive[DIFF_B]);
}
