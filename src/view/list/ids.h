/*
 * ids: a set of ids of rows: those that are open, those that are marked.
 *
 * Zero-initialise; ids_release gives the memory back.  Adding and looking up cost the same
 * whatever the size, removing costs the size.
 */
#ifndef SLOWTOP_VIEW_LIST_IDS_H
#define SLOWTOP_VIEW_LIST_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifies a row, wherever sorting puts it. */
struct list_id {
	uint64_t a, b;
};

struct ids {
	struct list_id *items; /* in no order */
	size_t count, room;
	uint32_t *slots; /* open addressing, a power of two: number of the item from 1 */
	size_t slot_count;
};

static inline bool
list_id_equal(struct list_id x, struct list_id y)
{
	return x.a == y.a && x.b == y.b;
}

bool ids_has(const struct ids *, struct list_id);
/* These return whether they changed anything. */
bool ids_add(struct ids *, struct list_id);
bool ids_remove(struct ids *, struct list_id);
bool ids_clear(struct ids *);
void ids_release(struct ids *);

#endif
