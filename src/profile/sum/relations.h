// SPDX-License-Identifier: Apache-2.0
/*
 * relations: which method calls which while a tree is summed, and the lists of parents and children that
 * a fold has of it.
 *
 * Times saturate.  Nothing fails.
 */
#pragma once

#include "base/map.h"
#include "profile/sum/fold.h"

/* Empty when zeroed; to be released. */
struct edges {
	struct idmap index;
	struct edge *items;
	size_t count, room;
};

/* Calls of an edge; whether each method was recursive in that place.  O(1) on average. */
void edges_add(struct edges *, uint32_t caller, uint32_t callee, bool caller_recursive,
    bool callee_recursive, uint64_t calls, const nsec inclusive[CLOCKS]);
/* Fills the fold's `first` and `relations`; they are incomplete once `cancel` (may be NULL) is true. */
void edges_relate(const struct edges *, const struct trace *, struct fold *,
    const atomic_bool *cancel);
void edges_release(struct edges *);
