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
#ifndef SLOWTOP_BASE_VAST_H
#define SLOWTOP_BASE_VAST_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
