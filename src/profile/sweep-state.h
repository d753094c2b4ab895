/*
 * sweep-state: a sweep from round to round; for the files of sweep only.
 */
#ifndef SLOWTOP_PROFILE_SWEEP_STATE_H
#define SLOWTOP_PROFILE_SWEEP_STATE_H

#include "base/crew.h"
#include "profile/strand-tasks.h"
#include "profile/sweep.h"

struct hand {
	struct profile *profile; /* the nodes that this worker adds, and what was wrong */
	struct strand_scratch scratch;
};

struct sweep {
	struct profile *profile; /* between rounds it has everything */
	struct hand *hands;      /* the first's profile is that one */
	unsigned count;
	struct strands stretches[2], *now, *ahead;
	struct tasks tasks;
	size_t first_mark;       /* of this round's checkpoints */
	uint32_t *marks;         /* their records */
	size_t mark_room;
	bool over; /* one pass goes on */
	struct crew *crew;
};

/*
 * The tasks of the stretch at hand, those with most records first.  Its names are taken
 * before: threads get their rows in the order of the records, and of the names between them.
 */
void sweep_tasks(struct sweep *);
/* The checkpoints among its records, with all threads that have none of these. */
void sweep_marks(struct sweep *);

#endif
