/*
 * onstack: has a method a frame on a thread's stack?
 *
 * Looking down the stack tells, but a trace may be as deep as it has records and ask with
 * every one of them.  Here the frames of the stack last asked about are kept counted by
 * method, a count for each thread that needs one, and brought along to the next stack:
 * that costs what the thread called and left in between.
 *
 * Only frames entered in the trace count, not those adopted from before it.  Belongs to
 * one tree.  Zero-initialise.
 */
#ifndef SLOWTOP_PROFILE_LOAD_ONSTACK_H
#define SLOWTOP_PROFILE_LOAD_ONSTACK_H

#include "base/map.h"
#include "profile/sum/tree.h"

struct onstack {
	struct idmap of_thread;
	struct onstack_frames {
		uint32_t top;        /* of the stack that is counted */
		struct idmap frames; /* method -> how many */
	} *items;
	size_t count, room;
};

/* On the stack that `node` is the top of. */
bool onstack_has(struct onstack *, const struct tree *, uint32_t thread, uint32_t node,
    uint32_t method);
void onstack_release(struct onstack *);

#endif
