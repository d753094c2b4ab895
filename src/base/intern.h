/*
 * intern: from texts to dense indexes, the same for equal texts.
 *
 * Texts must stay where they are: short ones are copied to be near each other, long ones
 * are borrowed.  A text is looked at once to hash and once to compare.  A kind, chosen by the caller, keeps equal texts of different meaning
 * apart.  Hostile texts cost no more time than others.  Zero-initialise; one thread.
 */
#ifndef SLOWTOP_BASE_INTERN_H
#define SLOWTOP_BASE_INTERN_H

#include <stdint.h>

#include "base/str.h"

struct intern_item {
	struct str text;
	uint64_t kind;
};

struct intern {
	struct intern_slot *slots; /* open addressing, a power of two */
	size_t slot_count;
	struct intern_item *items; /* by index */
	size_t count, room;
	uint64_t seed;
	/* Copies of short texts. */
	char **blocks;
	size_t block_count, block_room;
	char *near;
	size_t near_left;
};

/* The index; a new text's is the count before. */
uint32_t intern_add(struct intern *, struct str text, uint64_t kind);
void intern_release(struct intern *);

#endif
