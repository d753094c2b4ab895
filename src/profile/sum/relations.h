/*
 * relations: callers and callees, summed while folding, then sorted into the four lists.
 *
 * Private to fold.  An edge is caller, callee, and whether each was recursive in that
 * place; Traceview's lists are sums of edges (doc/accounting.md).
 */
#ifndef SLOWTOP_PROFILE_SUM_RELATIONS_H
#define SLOWTOP_PROFILE_SUM_RELATIONS_H

#include "profile/sum/fold.h"

struct edges;

struct edges *edges_new(void);
void edges_free(struct edges *);
/* O(1) on average. */
void edges_add(struct edges *, uint32_t caller, uint32_t callee, bool caller_recursive,
    bool callee_recursive, uint64_t calls, const nsec inclusive[CLOCKS]);
/* Adds all edges of the second to the first. */
void edges_merge(struct edges *, const struct edges *);
/* Fills the fold's `first` and `relations`. */
void edges_relate(const struct edges *, const struct trace *, struct fold *);

#endif
