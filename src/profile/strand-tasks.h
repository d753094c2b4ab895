/*
 * strand-tasks: what workers do with a stretch of records in a round.
 *
 * They count its threads, one after another, and take the stretch ahead apart, share by
 * share (strands.h).  Whoever is free takes what is next; threads with most records come
 * first, so that all are done at about the same time.
 */
#ifndef SLOWTOP_PROFILE_STRAND_TASKS_H
#define SLOWTOP_PROFILE_STRAND_TASKS_H

#include <stdatomic.h>

#include "profile/profile.h"
#include "profile/scope.h"
#include "profile/strands.h"

/* A thread with records in the stretch. */
struct task {
	uint32_t thread;
	const struct strand *strand;
	bool started; /* before */
};

/* Zero-initialise; the items with mem_free. */
struct tasks {
	struct task *items;
	uint32_t count;
	size_t room;
	atomic_uint next; /* task, then share of what is ahead */
};

/* Those of the stretch that loading met and that are in scope; NULL: all. */
void tasks_loaded(
    struct tasks *, const struct strands *, const struct profile *, const struct scope *);
/* Those with most records first. */
void tasks_order(struct tasks *);
/* Before a round. */
void tasks_begin(struct tasks *);
/*
 * What a worker is to do next: a task, or from `count` on a share of so many.  A single
 * share, which is as much as many threads, comes first.  False when nothing is left.
 */
bool tasks_next(struct tasks *, unsigned shares, unsigned *at);

#endif
