/*
 * deal: the threads of a trace are dealt to workers, who count their records at once.
 *
 * Each worker reads a stretch of the records whole and counts those of its own threads,
 * on nodes that all share.  Threads have no path in common, so nothing is counted twice
 * and there is nothing to join: after each stretch the profile is what one pass would
 * have made of it, apart from the numbers of its nodes.  Before each the threads are dealt
 * anew, by a sample of what it holds.
 *
 * For records that are read as they stand (plain.h), with other things between them, and
 * threads of which not one has nearly all the records; sweep.h and join.h are for others.
 */
#ifndef SLOWTOP_PROFILE_DEAL_H
#define SLOWTOP_PROFILE_DEAL_H

#include "profile/profile.h"

struct deal;

/*
 * Among `jobs` workers, the caller's thread being one.  NULL when that is not possible,
 * or would bring less than parts.  What was loaded before stays.  Borrows the profile.
 */
struct deal *deal_new(struct profile *, unsigned jobs);
/*
 * Counts about `max_records` more.  False, with nothing done, when only one pass can go
 * on from here; then and at the end of the records free it and use profile_load.
 */
bool deal_round(struct deal *, uint64_t max_records);
void deal_free(struct deal *);

#endif
