/*
 * sweep-state: a sweep from round to round; for the files of sweep only.
 */
#ifndef SLOWTOP_PROFILE_SWEEP_STATE_H
#define SLOWTOP_PROFILE_SWEEP_STATE_H

#include "profile/comb.h"
#include "profile/sweep.h"

struct sweep {
	struct profile *profile; /* between rounds it has everything */
	/* By worker: the nodes that it adds, and what was wrong.  The first is that one. */
	struct profile **profiles;
	struct comb comb;
	size_t first_mark;       /* of this round's checkpoints */
	uint32_t *marks;         /* their records */
	size_t mark_room;
	bool over; /* one pass goes on */
};

/*
 * The tasks of the stretch at hand, those with most records first.  Its names are taken
 * before: threads get their rows in the order of the records, and of the names between them.
 */
void sweep_tasks(struct sweep *);
/* The checkpoints among its records, with all threads that have none of these. */
void sweep_marks(struct sweep *);

#endif
