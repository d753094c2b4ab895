/*
 * fold-share: the threads' trees summed, by several workers.
 *
 * Private to fold.  Each worker sums whole threads into a share of its own; the first one's
 * then takes in the others, so that the sums do not depend on who did what.
 */
#ifndef SLOWTOP_PROFILE_FOLD_SHARE_H
#define SLOWTOP_PROFILE_FOLD_SHARE_H

#include "profile/fold.h"
#include "profile/relations.h"

/* What is asked for, the same for all shares. */
struct folding {
	const struct profile *profile;
	const struct transformed *of; /* NULL: the trace as recorded */
	const struct tree *tree;      /* the profile's, or that of `of` */
	const struct scope *scope;
	const struct count *counts; /* by node, of a range; NULL: the tree's */
	const struct range_sums *sums; /* of a range; NULL: whole */
	struct range range;
	const uint32_t *same; /* by method: the one that it is counted as; may be NULL */
	uint32_t same_count;
	uint32_t method_count;
	bool relations;
	bool slices; /* of a log as recorded: what roots have of their own is no slice */
	struct fold_thread *threads; /* each filled by the share that sums it */
	const atomic_bool *cancel;
};

struct frame;

/* Sums of one method, without what only some have, in one line of the cache. */
struct tally {
	uint32_t open; /* frames of it on the stack */
	uint32_t last; /* thread + 1 that called it last */
	uint32_t threads;
	bool present;
	bool ranked; /* present in the whole trace */
	uint64_t calls, recursive_calls;
	nsec inclusive[CLOCKS], exclusive[CLOCKS];
};

struct tally_rest {
	nsec nested[CLOCKS]; /* exclusive in recursive calls */
	nsec rank; /* inclusive over all threads, in the whole trace, default clock */
};

enum { SHARE_ALIGN = 128 }; /* bytes: processors fetch lines in pairs */

/* Written at every node: two shares do not meet in one line of the cache. */
struct share {
	_Alignas(SHARE_ALIGN) const struct folding *folding;
	struct tally *tallies; /* by method, and so are the next */
	struct tally_rest *rests;
	void *memory; /* where the tallies are */
	bool part;    /* what is summed is not the whole trace, whose ranks are asked for */
	enum clock_id rank_clock;
	struct edges *edges; /* NULL without relations */
	nsec total[CLOCKS], whole[CLOCKS];
	uint64_t calls, whole_calls;
	struct frame *stack;
	size_t depth, room;
	uint64_t thread_calls; /* of the thread at hand, as the next */
	uint32_t deepest;
	unsigned visited;
	bool cancelled;
};

/* What the method is counted as. */
static inline uint32_t
folding_counted_as(const struct folding *f, uint32_t method)
{
	return method < f->same_count ? f->same[method] : method;
}

/* Time inclusive in the whole trace, on the clock of the ranks. */
static inline nsec
share_rank_time(const struct share *s, uint32_t method)
{
	return s->part ? s->rests[method].rank : s->tallies[method].inclusive[s->rank_clock];
}

/* Adds a thread of a flat profile; its time from first to last is `inclusive`. */
void share_flat(struct share *, uint32_t thread, bool in_scope, nsec inclusive[CLOCKS]);
/* Sums all threads; false when cancelled.  The share is to be released in any case. */
bool share_fold(struct share *, const struct folding *);
void share_release(struct share *);

#endif
