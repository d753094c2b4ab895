/*
 * deal: the threads of a trace divided among the workers of a query.
 *
 * Threads have no call path in common, so workers with different threads may add to the
 * same sums.  Sums must not depend on how threads are divided.
 */
#ifndef SLOWTOP_PROFILE_SUM_DEAL_H
#define SLOWTOP_PROFILE_SUM_DEAL_H

#include "base/worker.h"
#include "profile/load/profile.h"
#include "profile/load/scope.h"

enum { DEAL_MOST = 8 };

struct deal {
	unsigned count; /* workers, at least one: for worker_all */
	struct scope *threads[DEAL_MOST];
};

/* How many workers the profile's queries have, if it pays for so many. */
unsigned deal_workers(const struct profile *, uint64_t most);
/* The threads in scope among so many at most: alike in records. */
struct deal deal_threads(const struct profile *, const struct scope *, uint64_t most);
void deal_release(struct deal *);

#endif
