// SPDX-License-Identifier: Apache-2.0
/*
 * mem: allocation that does not fail, and arenas.
 *
 * Nothing here returns NULL.  When memory is out, mem_exhausted is called; the
 * program that links this library supplies it (restore the terminal, say so,
 * end), so that no layer below the front end ends the process.
 *
 * Sizes are bytes.  Products are checked for overflow.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Supplied by the program; called with the size that could not be allocated. */
_Noreturn void mem_exhausted(size_t size);

void *mem_alloc(size_t size);
void *mem_zero(size_t count, size_t size);
/*
 * Zeroed memory for a table that is written all over: from a megabyte on it asks the
 * system for huge pages, which are cleared six times as fast.  The last one (2 MB) is
 * taken whole.
 */
void *mem_zero_table(size_t count, size_t size);
/* A copy of so many items; `items` may be NULL when there are none. */
void *mem_dup(const void *items, size_t count, size_t size);
/* Sorts as qsort does; `items` may be NULL when there are none. */
void mem_sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *));
/*
 * For such orders: which of two numbers comes first, and by what where that tells nothing.  Both
 * orders are found: a text is compared only where the numbers are equal, by `?:`.
 */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
static inline int
order_then(int order, int next)
{
	return order != 0 ? order : next;
}
/* Compares items by the int64_t that they begin with. */
int mem_order_leading(const void *, const void *);
/* Returns how many items of an array in that order are before the key, an item like them. */
size_t mem_before(const void *items, size_t count, size_t size, const void *key,
    int (*order)(const void *, const void *));
/* A copy of the text, terminated by NUL. */
char *mem_text(struct str);
void *mem_resize(void *old, size_t count, size_t size);
void mem_free(void *p);

/*
 * Makes room for at least `need` items of `size` bytes in a growing array:
 * doubles `*room`.  Use through MEM_GROW, which keeps the types.
 */
void *mem_grow(void *items, size_t *room, size_t need, size_t size);
/* Clears what is new, too. */
void *mem_grow_zero(void *items, size_t *room, size_t need, size_t size);
#define MEM_GROW(items, room, need)                                                       \
	((size_t)(need) <= (room)                                                         \
	        ? (void)0                                                                 \
	        : (void)((items) = mem_grow((items), &(room), (need), sizeof(*(items)))))
/*
 * Adds an item to such an array; returns its place, not cleared.  The value that it gets must not
 * read the array or the count, which may be the old or the new one.
 */
#define MEM_ADD(items, count, room)                                                       \
	(MEM_GROW(items, room, (size_t)(count) + 1), (items) + (count)++)
/* MEM_GROW for an array whose items are zero until they are set. */
#define MEM_GROW_ZERO(items, room, need)                                                  \
	((size_t)(need) <= (room)                                                         \
	        ? (void)0                                                                 \
	        : (void)((items) = mem_grow_zero((items), &(room), (need), sizeof(*(items)))))

/*
 * Clears an item of a hundred bytes or more, of which there are millions: gcc clears those with an
 * instruction that takes longer than this call.
 */
void mem_clear(void *, size_t size);

/*
 * arena: many small allocations released together.  Zero-initialise; what it
 * gives out stays where it is until arena_release.
 */
struct arena {
	struct arena_block *blocks;
	size_t used;  /* bytes used in the first block */
	size_t total; /* bytes taken from the system, all blocks */
};

void *arena_alloc(struct arena *, size_t size); /* aligned for any type, not cleared */
struct str arena_str(struct arena *, struct str);
void arena_release(struct arena *);

/*
 * seg: a growing array whose items never move.
 *
 * Item i lives in a segment twice as large as the one before, so a pointer to an
 * item stays valid until seg_release.  While one thread appends, others may read the
 * items below seg_count: an item is filled between seg_reserve and seg_commit.
 * Zero-initialise with SEG_INIT(item type).  Item access is O(1).
 */

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

/* The next item, all zero unless it was cut, not counted yet; NULL when full (2^32 - 256 items). */
void *seg_reserve(struct seg *);
/* Counts it; returns its index. */
uint32_t seg_commit(struct seg *);
/* Adds a copy of an item; false when full. */
bool seg_add(struct seg *, const void *item);
/* Forgets those from `count` on, which stay readable until others take their places. */
void seg_cut(struct seg *, uint32_t count);
void seg_release(struct seg *);

/*
 * vast: memory for an array that may become very large, and is read everywhere at once.
 *
 * Small ones are as mem_resize makes them.  Large ones get a stretch of addresses much
 * longer than they are, so that they grow in place without being copied, and the
 * system is asked for huge pages: a call tree is larger than what a processor can find
 * in its tables of small pages.  At most one huge page (2 MB) is touched in vain.
 *
 * Zero-initialise; vast_release gives the memory back.  What is new is not cleared.
 */

struct vast {
	void *items;
	size_t mapped;   /* bytes of addresses kept; 0: not large */
	size_t writable; /* the part of it that may be used */
	size_t used;     /* bytes, as asked for */
};

/* At least `count * size` bytes; keeps what was there.  Does not fail (mem.h). */
void *vast_resize(struct vast *, size_t count, size_t size);
/* Can it be resized to so many bytes without being moved?  From 1 MB on it may. */
bool vast_stays(const struct vast *, size_t bytes);
void vast_release(struct vast *);

/*
 * msort: sorts pointers or items, stable, in the same order everywhere.
 *
 * A top-down merge sort: the halves are the first n/2 and the rest, and of equals the
 * one from the first half goes first.  With an order that contradicts itself the result
 * is thus still the same on every machine (qsort's is not).
 */

typedef int msort_order(const void *a, const void *b, const void *context);

/* O(n log n) comparisons of items, which are what the pointers point to. */
void msort(void **items, size_t n, msort_order *order, const void *context);
/* Sorts an array of items of `size` bytes each, as msort does. */
void msort_items(void *items, size_t n, size_t size, msort_order *order, const void *context);
/* Like msort_items; ends soon after `cancel` (may be NULL) became true, with the items in any order. */
void msort_items_until(void *items, size_t n, size_t size, msort_order *order,
    const void *context, const atomic_bool *cancel);
