// SPDX-License-Identifier: Apache-2.0
/*
 * map: from ids of a file (method words, thread ids) and from texts to dense indexes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"

/*
 * From the ids of a file (method words, thread ids) to dense indexes.
 *
 * Ids within a window that the caller chooses once are looked up by position (one
 * load); others go through a hash, so sparse ids cost no more than 64 bytes each, and
 * hostile ones no more time than others.  Keys are any 64-bit value except UINT64_MAX.
 * Zero-initialise; idmap_release gives the memory back.
 */

#define IDMAP_NONE UINT32_MAX

struct idmap_slot {
	uint64_t key;
	uint32_t value;
};

struct idmap {
	uint64_t base; /* first key of the window */
	uint64_t span; /* keys in the window */
	uint32_t *window; /* value + 1, 0 for none: untouched parts cost no memory */
	struct idmap_slot *slots; /* open addressing, a power of two */
	size_t slot_count, slot_used;
	uint64_t seed; /* of the places of keys in `slots` */
};

/* Must come before the first idmap_put.  Costs 4 bytes a key, where keys are near others. */
void idmap_window(struct idmap *, uint64_t base, uint64_t span);
/* Makes room for so many keys outside the window, which then cost no enlarging. */
void idmap_expect(struct idmap *, size_t count);
/* Adds or replaces. */
void idmap_put(struct idmap *, uint64_t key, uint32_t value);
/* The key's value; one that has none gets this. */
uint32_t idmap_add(struct idmap *, uint64_t key, size_t value);
uint32_t idmap_find(const struct idmap *, uint64_t key); /* outside the window */
void idmap_release(struct idmap *);

static inline uint32_t
idmap_get(const struct idmap *m, uint64_t key)
{
	uint64_t place = key - m->base;

	if (__builtin_expect(place < m->span, 1))
		return m->window[place] - 1;
	return idmap_find(m, key);
}

/*
 * From texts to dense indexes, the same for equal texts.
 *
 * Texts must stay where they are: short ones are copied to be near each other, long ones
 * are borrowed, unless `owns`.  A text is looked at once to hash and once to compare.  A kind, chosen by
 * the caller, keeps equal texts of different meaning apart.  Hostile texts cost no more
 * time than others.  Zero-initialise; one thread.
 */

struct intern_item {
	struct str text;
	uint64_t kind;
};

struct intern {
	struct idmap places; /* of texts, by their hash or the next free key after it */
	struct intern_item *items; /* by index */
	size_t count, room;
	uint64_t seed;
	struct arena near; /* copies of short texts */
	bool owns;         /* and of long ones */
};

/* The index; a new text's is the count before. */
uint32_t intern_add(struct intern *, struct str text, uint64_t kind);
uint32_t intern_find(const struct intern *, struct str text, uint64_t kind); /* IDMAP_NONE */
void intern_release(struct intern *);
