/*
 * replay: decode a part of the trace again, with the stacks known.
 *
 * Checkpoints taken while loading say where to start; the tree is not changed.  A part
 * is what lies between two checkpoints.  The visitor sees every record of a part in
 * file order, threads interleaved: the stretch of time since the thread's last event,
 * spent with `before` on top, and the frame on top after the record.
 *
 * Several replays of one profile may run at the same time, each on its own thread.
 */
#ifndef SLOWTOP_PROFILE_REPLAY_H
#define SLOWTOP_PROFILE_REPLAY_H

#include <stdatomic.h>

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
	uint64_t order;  /* part << 32 | place in it: grows from record to record */
};

/* Returns false to stop. */
typedef bool (*replay_visit)(void *context, const struct step *);

/*
 * Visits at least all steps of the threads in scope that touch [from, to] on the axis
 * (profile.h); steps of theirs outside may be visited too.  False when cancelled or
 * stopped.  Costs the records between the checkpoints around the window.
 */
bool replay_window(const struct profile *, const struct scope *, nsec from, nsec to,
    replay_visit, void *context, const atomic_bool *cancel);

/* In how many parts the window's records are, up to `most`. */
size_t replay_window_parts(const struct profile *, nsec from, nsec to, size_t most);

/* Part by part; going on to the next one is cheaper than jumping. */
struct replay;

struct replay *replay_new(const struct profile *, const struct scope *,
    const atomic_bool *cancel);
bool replay_part(struct replay *, size_t part, replay_visit, void *context);
/*
 * Draws a stretch of the records, until no pen is down; the caller has put the stacks of
 * threads with pens: fresh when they have not begun, else as they stood there.  False when
 * cancelled.
 */
struct pens;
struct stack *replay_stack(struct replay *, uint32_t thread);
void replay_stack_fresh(const struct profile *, uint32_t thread, struct stack *);
bool replay_draw(struct replay *, struct cursor at, uint64_t end, struct pens *);
void replay_free(struct replay *);

size_t replay_part_count(const struct profile *);

/*
 * What is known of a thread in a part without decoding it: for questions about a stack
 * over a long time most parts need not be decoded.
 */
struct part_info {
	bool active;   /* the thread has records in this part */
	nsec from, to; /* its first and last time on the axis, from the event before */
	uint32_t low;  /* the shallowest frame that was on top */
};

struct part_info replay_part_info(const struct profile *, size_t part, uint32_t thread);
/* The frame on top of a thread's stack where a part begins. */
uint32_t replay_part_start(const struct profile *, size_t part, uint32_t thread);
/* All threads as they stand where a part begins. */
void replay_part_stacks(const struct profile *, size_t part, struct stack *stacks);
/* Where a part begins, and the file offset where it ends. */
struct cursor replay_part_at(const struct profile *, size_t part);
uint64_t replay_part_end(const struct profile *, size_t part);

#endif
