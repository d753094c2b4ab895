// SPDX-License-Identifier: Apache-2.0
/*
 * plain-transform: what transforms make of stacks, one by one, without a tree.
 *
 * The slow reference of t-transform.  Shares with the program only what a transform's
 * text matches.  Fixed sizes: no stack deeper than ITEM_DEPTH, no more than ITEMS of them.
 */
#pragma once

#include "profile/sum/paths.h"
#include "profile/sum/transform.h"

enum { ITEM_DEPTH = 24, ITEMS = 4096 };

/* A stack, (toplevel) left out, and what was counted at its last frame. */
struct item {
	uint32_t thread;
	int depth;
	uint32_t path[ITEM_DEPTH];
	struct count count;
};

struct items {
	struct item list[ITEMS];
	int n;
};

/* All paths of a tree, each with what was counted at its end. */
void items_take(struct items *, const struct tree *, const uint32_t *roots, uint32_t threads);
/* What the transforms that are not off make of each; several may be of one path then. */
void items_apply(
    struct items *, const struct transforms *, struct trace *, const struct scope *);
/* Sorted, one item a path that has something. */
void items_sum(struct items *);
bool items_equal(const struct items *, const struct items *);
