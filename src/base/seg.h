/*
 * seg: a growing array whose items never move.
 *
 * Item i lives in a segment twice as large as the one before, so a pointer to an
 * item stays valid until seg_release.  While one thread appends, others may read the
 * items below seg_count: an item is filled between seg_reserve and seg_commit.
 * Zero-initialise with SEG_INIT(item type).  Item access is O(1).
 */
#ifndef SLOWTOP_BASE_SEG_H
#define SLOWTOP_BASE_SEG_H

#include <stddef.h>
#include <stdint.h>

enum { SEG_FIRST_BITS = 8, SEG_MAX = 24 }; /* 256 items in the first; 2^32 - 256 in all */

struct seg {
	size_t item; /* bytes of one */
	uint32_t count;
	unsigned char *part[SEG_MAX];
};

#define SEG_INIT(type) ((struct seg){.item = sizeof(type)})

static inline void *
seg_at(const struct seg *s, uint32_t index)
{
	uint64_t place = (uint64_t)index + (1u << SEG_FIRST_BITS);
	int part = 63 - __builtin_clzll(place) - SEG_FIRST_BITS;

	return s->part[part] + (place - (1ull << (part + SEG_FIRST_BITS))) * s->item;
}

static inline uint32_t
seg_count(const struct seg *s)
{
	return __atomic_load_n(&s->count, __ATOMIC_ACQUIRE);
}

/* The next item, all zero, not counted yet; NULL when full (2^32 - 256 items). */
void *seg_reserve(struct seg *);
/* Counts it; returns its index. */
uint32_t seg_commit(struct seg *);
void seg_release(struct seg *);

#endif
