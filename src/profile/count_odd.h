/*
 * count_odd: what the loops that count records (count.c, flat-count.c) meet seldom: ids
 * without a row, clocks that go back.
 *
 * Private to these.  Out of their way, so that what comes a hundred million times stays
 * short.  Damage is counted in the walk's.
 */
#ifndef SLOWTOP_PROFILE_COUNT_ODD_H
#define SLOWTOP_PROFILE_COUNT_ODD_H

#include "profile/item.h"

/* The index of the method in the item's word; IDMAP_NONE: method_unknown tells. */
static inline __attribute__((always_inline)) uint32_t
item_method(enum plain_form form, uint32_t word, const struct idmap *methods)
{
	return form == PLAIN_NONE ? word >> 2 : idmap_get(methods, word >> 2);
}

/* What the trace makes of a method that it has no row for. */
uint32_t method_unknown(struct walk *, uint32_t word, uint64_t offset);
/*
 * The thread of a run that begins with a record of this id, IDMAP_NONE when the trace lists
 * none; its row may be made by this.
 */
uint32_t thread_met(struct walk *, uint32_t thread, uint32_t id, uint64_t offset);
/* The rest of a run of so many records whose thread is not listed: each counts, as the first. */
void thread_unlisted(struct walk *, uint32_t id, uint64_t records, uint64_t offset);
/* As walk_clock_odd, for times that are in registers elsewhere. */
pair64 clock_odd(struct walk *, struct lane *, pair64 times, uint64_t offset);

#endif
