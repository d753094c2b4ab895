/*
 * transform-apply: the tree while transforms are applied to it, for transform's files.
 *
 * The frames stand in an order in which each is behind the one above it; those from
 * before the trace, with their roots, stand first (`bottoms`), so that the tree that is
 * made of them can have them as tree.h wants it.  A transform says of each frame what
 * becomes of it (enum fate), then all move up in the array at once: what a frame becomes
 * never stands behind it.
 */
#ifndef SLOWTOP_PROFILE_TRANSFORM_APPLY_H
#define SLOWTOP_PROFILE_TRANSFORM_APPLY_H

#include "profile/transform.h"

#define FRAME_NONE UINT32_MAX

struct frame {
	uint32_t method;
	uint32_t parent; /* FRAME_NONE for (toplevel) */
};

/* "Above" is the nearest frame above that stays. */
enum fate {
	FATE_STAY,  /* below the one above */
	FATE_LIFT,  /* stays below `into` */
	FATE_MERGE, /* its time is the one's above, its calls go */
	FATE_JOIN,  /* its time is that of `into`, its calls go */
	FATE_GO,    /* goes with time and calls */
};

struct applying {
	struct frame *frames;
	struct count *counts;
	uint32_t count, bottoms;
	bool twins; /* a path may be several frames, in one thread */
	uint32_t *roots, *open; /* by thread: frames, or FRAME_NONE */
	const struct paths_source *source;
	struct trace *trace;
	const atomic_bool *cancel;

	/* Of the transform at hand, by frame. */
	uint8_t *fate;
	uint32_t *state; /* what the transform knows of the stack down to the frame */
	uint32_t *into;  /* a frame before it that stays; made when first needed */

	/* What the transform is about. */
	const struct transform *transform;
	const uint8_t *matches; /* by method */
	const uint8_t *const *path; /* of a path of patterns: by place, by method */
	size_t depth;
	uint32_t made;          /* the method of frames that stand for several */
};

/* A look at the flag now and then; true when to stop. */
static inline bool
applying_cancelled(const struct applying *a, uint32_t i)
{
	return i % 65536 == 0 && a->cancel != NULL && atomic_load(a->cancel);
}

static inline bool
count_is_empty(const struct count *c)
{
	return c->calls == 0 && c->time[CLOCK_CPU] == 0 && c->time[CLOCK_WALL] == 0;
}

/* transform-fates.c: of all frames, for the transform at hand.  False when cancelled. */
bool fates_find(struct applying *);
/* Does the time of (toplevel) itself go? */
bool fates_leave_root(enum transform_id);

/* transform-far.c: what needs more than the stack of a frame.  False when cancelled. */
bool fates_include(struct applying *);
bool fates_recursion(struct applying *);
bool fates_below(struct applying *);

#endif
