/*
 * mem: allocation that does not fail, and arenas.
 *
 * Nothing here returns NULL.  When memory is out, mem_exhausted is called; the
 * program that links this library supplies it (restore the terminal, say so,
 * end), so that no layer below the front end ends the process.
 *
 * Sizes are bytes.  Products are checked for overflow.
 */
#ifndef SLOWTOP_BASE_MEM_H
#define SLOWTOP_BASE_MEM_H

#include <stddef.h>

#include "base/str.h"

/* Supplied by the program, called with the size that could not be had. */
_Noreturn void mem_exhausted(size_t size);

void *mem_alloc(size_t size);
void *mem_zero(size_t count, size_t size);
/*
 * The same for a table that is written all over: from a megabyte on the system is asked for
 * huge pages, which it clears six times as fast.  Of the last one (2 MB) all is taken.
 */
void *mem_zero_table(size_t count, size_t size);
/* A copy of so many items; `items` may be NULL when there are none. */
void *mem_dup(const void *items, size_t count, size_t size);
/* A copy of the text, with a NUL behind it. */
char *mem_text(struct str);
void *mem_resize(void *old, size_t count, size_t size);
void mem_free(void *p);

/*
 * Makes room for at least `need` items of `size` bytes in a growing array:
 * doubles `*room`.  Use through MEM_GROW, which keeps the types.
 */
void *mem_grow(void *items, size_t *room, size_t need, size_t size);
#define MEM_GROW(items, room, need)                                                       \
	((size_t)(need) <= (room)                                                         \
	        ? (void)0                                                                 \
	        : (void)((items) = mem_grow((items), &(room), (need), sizeof(*(items)))))

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

#endif
