/*
 * strands-slice: how a slice of a stretch is taken apart; for the files of strands only.
 */
#ifndef SLOWTOP_PROFILE_STRANDS_SLICE_H
#define SLOWTOP_PROFILE_STRANDS_SLICE_H

#include "base/mem.h"
#include "profile/strands.h"

/* Records that are copied at once, and looked at while they are in the nearest caches. */
enum { CHUNK = 16 * BATCH_EVENTS };

struct linker {
	struct run *runs;
	struct strand_list *list;
	struct strand_slots *slots;
	uint32_t run; /* number of the next */
	bool between; /* other things stand between the records */
};

/*
 * The runs of the records [record, end), at most BATCH_EVENTS, which stand at `p`.  Returns
 * where it ended: before the end where something else is between.
 */
uint32_t slice_link(struct linker *, enum plain_form, const uint8_t *p, uint32_t record,
    uint32_t end);
/* A whole stretch with other things between its records: takes `plain` and `end`, too. */
void slice_between(struct strands *, struct strand_list *, struct strand_slots *);

static inline __attribute__((always_inline)) struct strand *
strand_of(struct strand_list *list, struct strand_slots *slots, uint32_t id)
{
	uint32_t *slot = &slots->of[id];

	if (*slot == 0) {
		MEM_GROW(list->items, list->room, list->count + 1);
		list->items[list->count] = (struct strand){id, RUN_NONE, RUN_NONE, 0};
		*slot = ++list->count;
	}
	return &list->items[*slot - 1];
}

/* A strand goes on with what is linked from `first` to `last`. */
static inline __attribute__((always_inline)) void
strand_extend(struct strand *strand, struct run *runs, uint32_t first, uint32_t last,
    uint32_t records)
{
	if (strand->first == RUN_NONE)
		strand->first = first;
	else
		runs[strand->last].next = first;
	strand->last = last;
	strand->records += records;
}

static inline void
slots_clear(struct strand_slots *slots, const struct strand_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		slots->of[list->items[i].id] = 0;
}

#endif
