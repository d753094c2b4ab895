// SPDX-License-Identifier: Apache-2.0
/*
 * ids: a set of ids of rows: those that are open, those that are marked.
 *
 * Zero-initialise; ids_release gives the memory back.  Everything but ids_clear costs the
 * same whatever the size.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifies a row, wherever sorting puts it.  `b` is below UINT64_MAX. */
struct list_id {
	uint64_t a, b;
};

struct ids {
	struct list_id *slots; /* open addressing; those with `b` of UINT64_MAX are free */
	size_t count, room;    /* room: a power of two, at least twice the count */
};

static inline bool
list_id_equal(struct list_id x, struct list_id y)
{
	return x.a == y.a && x.b == y.b;
}

bool ids_has(const struct ids *, struct list_id);
/* ids_add and ids_remove return whether they changed anything. */
bool ids_add(struct ids *, struct list_id);
bool ids_remove(struct ids *, struct list_id);
bool ids_clear(struct ids *);
/* Copies all ids; frees those that `to` had. */
void ids_copy(struct ids *to, const struct ids *from);
void ids_release(struct ids *);
/* All, in no order, from `*at` 0 on; NULL after the last. */
const struct list_id *ids_next(const struct ids *, size_t *at);
