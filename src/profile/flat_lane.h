/*
 * flat_lane: a thread's stack and sums in a flat profile; for the files of flat only.
 */
#ifndef SLOWTOP_PROFILE_FLAT_LANE_H
#define SLOWTOP_PROFILE_FLAT_LANE_H

#include "profile/flat.h"
#include "profile/walk.h"

/*
 * A frame tells which of its sum's times is on top: a place among the pairs of which sums
 * are made.  So it tells recursive calls, too.
 */
enum { SUM_PAIRS = 4, PAIR_SELF = 2, PAIR_NESTED = 3 };

_Static_assert(sizeof(struct flat_sum) == SUM_PAIRS * sizeof(nsec[CLOCKS]) &&
	offsetof(struct flat_sum, self) == PAIR_SELF * sizeof(nsec[CLOCKS]) &&
	offsetof(struct flat_sum, nested) == PAIR_NESTED * sizeof(nsec[CLOCKS]),
    "the places of a frame");

static inline uint32_t
frame_sum(uint32_t frame)
{
	return frame / SUM_PAIRS;
}

static inline bool
frame_is_nested(uint32_t frame)
{
	return frame % SUM_PAIRS == PAIR_NESTED;
}

/* The pair of times that is on top. */
static inline void *
frame_time(struct flat_sum *sums, uint32_t frame)
{
	return (unsigned char *)sums + frame * sizeof(nsec[CLOCKS]);
}

/* Those in which a key may be.  Middle bits of the product: these depend on all below. */
static inline uint32_t
slots_place(uint32_t key, uint32_t mask)
{
	return (key * UINT32_C(0x9e3779b1)) >> 12 & mask;
}

/* No word of an entry, with which keys begin. */
#define KEY_NONE UINT32_MAX

/* Makes it ready for its first record. */
void lane_ready(struct flat_lane *);
/* Room for so many frames more than are open. */
void lane_reserve(struct flat_lane *, size_t frames);
/* The method's sum, made if need be. */
uint32_t lane_sum(struct flat *, struct flat_lane *, uint32_t method);
/* It is to be found by the key from now on. */
void lane_remember(struct flat_lane *, uint32_t key, uint32_t sum);
/* As walk_exit_odd. */
void lane_exit_odd(struct walk *, uint32_t thread, uint32_t method, uint64_t offset);

#endif
