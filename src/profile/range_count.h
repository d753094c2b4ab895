/*
 * range_count: the state of counting a range; for the files of range only.
 *
 * A part is wholly inside the range, wholly outside, or must be clipped.  The counts of
 * the range are those of the parts inside; or, where that is less work, those of the whole
 * trace less those of all other parts.  In both cases the parts that are clipped are then
 * gone through step by step, and what is theirs is added.
 */
#ifndef SLOWTOP_PROFILE_RANGE_COUNT_H
#define SLOWTOP_PROFILE_RANGE_COUNT_H

#include "profile/range.h"

/* What the threads in scope have in a part. */
enum part_use {
	PART_NONE, /* no records */
	PART_OUTSIDE,
	PART_INSIDE,
	PART_CLIPPED, /* some of both, or it is not known without looking */
};

/* How far a thread is on its way into the range. */
struct entering {
	bool known;      /* a step was seen */
	bool crossed;    /* it is past the beginning */
	uint32_t still;  /* frame on top of those open before the range and not left */
	uint64_t inside; /* calls within it, if it is (other), of which the same holds */
	nsec begin;      /* the other clock there */
};

struct counting {
	const struct profile *profile;
	const struct scope *scope;
	struct range range;
	bool closed; /* the range includes its end */
	bool dual;
	unsigned jobs; /* 0: as many as pay */
	const atomic_bool *cancel;
	share_done *done;
	unsigned part_share; /* of SHARE_ALL, for each part */

	size_t part_count;
	uint8_t *uses;  /* by part: enum part_use */
	bool inverse;   /* what is outside is counted, to be taken from the whole */
	struct count *counts;
	struct entering *lanes;
};

/* Is the part to be counted as a whole? */
static inline bool
counting_whole(const struct counting *c, size_t part)
{
	if (c->inverse)
		return c->uses[part] == PART_OUTSIDE || c->uses[part] == PART_CLIPPED;
	return c->uses[part] == PART_INSIDE;
}

static inline bool
counting_holds(const struct counting *c, nsec at)
{
	return at >= c->range.from && (at < c->range.to || c->closed);
}

static inline void
counting_done(const struct counting *c)
{
	if (c->done != NULL)
		atomic_fetch_add_explicit(c->done, c->part_share, memory_order_relaxed);
}

/* How many threads count so many parts. */
unsigned counting_jobs(const struct counting *, size_t parts);
/* A call and all that it was called from: they are open. */
void counting_stack(const struct counting *, uint32_t node);

/* Nothing is counted yet. */
void counting_begin(struct counting *);
void counting_release(struct counting *);

enum strands_end {
	STRANDS_DONE,
	STRANDS_CANCELLED,
	STRANDS_NONE, /* it cannot be done */
	STRANDS_LOST, /* the file has not all records any more: nothing that was counted holds */
};

/* Adds what is in the parts that are counted as a whole.  False when cancelled. */
bool range_wholes(struct counting *);
/* The same, thread by thread. */
enum strands_end range_strands(struct counting *, unsigned jobs);
/* Adds what of the range is in the parts that are clipped.  False when cancelled. */
bool range_clips(struct counting *);

#endif
