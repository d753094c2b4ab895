/*
 * deal-hands: which worker a thread's records go to.
 *
 * By a sample of the records that come next; whoever had a thread before keeps it as long
 * as the work is even.  Private to deal.
 */
#ifndef SLOWTOP_PROFILE_DEAL_HANDS_H
#define SLOWTOP_PROFILE_DEAL_HANDS_H

#include "profile/profile.h"

enum { HANDS_ID_MAX = 0xffff }; /* records have no larger thread ids */

struct hands {
	uint8_t owner[HANDS_ID_MAX + 1]; /* by the records' thread id */
	unsigned workers;
	struct sample *sample;
	bool dealt; /* the first time */
	uint8_t *started; /* by lane, before the round; others had not */
	uint32_t started_count;
	size_t started_room;
};

/* Can so many workers share the rest of the records better than by parts of the file? */
bool hands_worth(const struct profile *, unsigned workers);
void hands_init(struct hands *, unsigned workers);
void hands_release(struct hands *);
/*
 * Looks at the records [from, to) of the file, so that dealing them takes no time.  May
 * be done while those before are counted, by one thread.
 */
void hands_look(struct hands *, struct source *, uint64_t from, uint64_t to);
/* Which threads the file does not list, for hands_give. */
void hands_unknown(uint8_t dealt[HANDS_ID_MAX + 1], const struct trace *);
/* What a worker does with the threads' records, as they are dealt now: enum dealt. */
void hands_give(const struct hands *, unsigned worker, uint8_t dealt[HANDS_ID_MAX + 1]);
/*
 * Deals the threads for the records from the profile's place to where it stops.  False
 * when everybody keeps what he has.
 */
bool hands_deal(struct hands *, const struct profile *);

static inline bool
hands_started(const struct hands *h, uint32_t lane)
{
	return lane < h->started_count && h->started[lane] != 0;
}

#endif
