/*
 * replay: decode a part of the trace again, with the stacks known.
 *
 * The index (index/blocks.h) says where to start; the tree is not changed.  A visitor sees the
 * records of a block in file order, threads interleaved: the stretch of time since the thread's
 * last event, spent with `before` on top, and the frame on top after the record.
 *
 * Several replays of one profile may run at the same time, each on its own thread.
 */
#ifndef SLOWTOP_PROFILE_REPLAY_H
#define SLOWTOP_PROFILE_REPLAY_H

#include <stdatomic.h>

#include "profile/index/blocks.h"
#include "profile/profile.h"
#include "profile/scope.h"

struct step {
	uint32_t thread;
	uint32_t before, after; /* nodes; `after` is a child of `before` at an entry */
	bool first;             /* the thread's first event: no time before it */
	uint32_t word;          /* method and action as recorded (trace/event.h) */
	uint64_t inside;        /* calls open within `before`, if it is (other), the first not counted */
	nsec from[CLOCKS], to[CLOCKS];
	uint64_t offset; /* of the record */
	uint64_t order;  /* how many records come before */
};

/* Returns false to stop. */
typedef bool (*replay_visit)(void *context, const struct step *);

/*
 * Visits at least all steps of the threads in scope that touch [from, to] on the axis
 * (profile.h); steps of theirs outside may be visited too.  False when cancelled or
 * stopped.  Costs the records of the blocks around the window.
 */
bool replay_window(const struct profile *, const struct scope *, nsec from, nsec to,
    replay_visit, void *context, const atomic_bool *cancel);

/* Block by block: those of `list`, which may be read, in any order. */
struct replay;

struct replay *replay_new(const struct profile *, const struct scope *, nsec from, nsec to,
    const atomic_bool *cancel);
void replay_free(struct replay *);
const struct block_list *replay_list(const struct replay *);
/* An item of the list: all steps that its threads have in the block. */
bool replay_block(struct replay *, uint32_t item, replay_visit, void *context);

/* Rows of a picture, by thread. */
struct strip;
struct replay_rows {
	struct replay_row {
		struct strip *strip;
		nsec until; /* when nothing more of it is wanted */
		bool wanted;
	} *items;
	uint32_t wanted; /* how many are */
};

/* The same of the rows that are wanted, until none is: drawn, which is faster than visiting. */
bool replay_draw(struct replay *, uint32_t item, struct replay_rows *);

#endif
