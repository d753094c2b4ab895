/*
 * replay: decode a part of the trace again, with the stacks known.
 *
 * Checkpoints taken while loading say where to start; the tree is not changed.  The
 * visitor sees every record of the parts that are needed, in file order, threads
 * interleaved: the stretch of time since the thread's last event, spent with `before`
 * on top, and the frame on top after the record.
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
	nsec from[CLOCKS], to[CLOCKS];
	uint64_t offset; /* of the record */
};

/* Returns false to stop. */
typedef bool (*replay_visit)(void *context, const struct step *);

/*
 * Visits at least all steps of the threads in scope that touch [from, to] on the axis
 * (profile.h); steps outside and of other threads may be visited too.  False when
 * cancelled or stopped.  Costs the records between the checkpoints around the window.
 */
bool replay_window(const struct profile *, const struct scope *, nsec from, nsec to,
    replay_visit, void *context, const atomic_bool *cancel);

#endif
