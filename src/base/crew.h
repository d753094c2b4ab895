/*
 * crew: threads that work in rounds.
 *
 * All begin a round together, the caller's thread among them, and it is over when the last
 * is done; between rounds only the caller runs.  So what one round wrote, whoever it was,
 * the next one reads without a lock.
 */
#ifndef SLOWTOP_BASE_CREW_H
#define SLOWTOP_BASE_CREW_H

#include "base/worker.h"

struct crew;

/* One worker's part of a round; the caller is worker 0. */
typedef void crew_work(void *arg, unsigned worker);

/* `count` workers, 1 to WORKER_MAX + 1.  NULL when their threads cannot be started. */
struct crew *crew_new(unsigned count, crew_work *, void *arg);
void crew_round(struct crew *);
/* NULL is fine. */
void crew_free(struct crew *);

#endif
