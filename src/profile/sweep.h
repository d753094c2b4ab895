/*
 * sweep: a stretch of the records at a time, each of its threads counted by one worker.
 *
 * The records of a stretch are taken apart by their threads (strands.h), and whichever
 * worker is free takes the next thread, those with most records first, on a tree that all
 * share.  Threads have no path in common, so nothing is counted twice and there is
 * nothing to join: after each stretch the profile is what one pass would have made of it,
 * apart from the numbers of its nodes.  Who finds no thread left takes apart what comes
 * next.
 *
 * One worker gains as well: a thread's paths stay in the cache while it is counted.  For
 * records that are read as they stand (plain.h).
 */
#ifndef SLOWTOP_PROFILE_SWEEP_H
#define SLOWTOP_PROFILE_SWEEP_H

#include "profile/profile.h"

struct sweep;

/*
 * Among `jobs` workers, the caller's thread being one, or as many as can be started.  NULL
 * when that is not possible.  What was loaded before stays.  Borrows the profile.
 */
struct sweep *sweep_new(struct profile *, unsigned jobs);
/*
 * Counts about `max_records` more, or as many as the round before was to.  False, with
 * nothing done, when only one pass can go on from here; then and at the end of the records
 * free it and use profile_load.
 */
bool sweep_round(struct sweep *, uint64_t max_records);
void sweep_free(struct sweep *);

#endif
