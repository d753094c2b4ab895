/*
 * filemap: a whole file, mapped read-only.
 *
 * The bytes stay valid until filemap_close.  When the file is cut while it is mapped, what
 * it lost reads as zeros (mapguard.h), so ask filemap_left before believing what was read.
 * Offsets are 64-bit.
 */
#ifndef SLOWTOP_BASE_FILEMAP_H
#define SLOWTOP_BASE_FILEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct filemap {
	const uint8_t *bytes; /* NULL when the file is empty */
	size_t size;
	bool borrowed;        /* somebody else's memory: never unmapped or advised */
	int file;             /* a descriptor of it + 1, 0: none */
	int guard;            /* mapguard's number + 1, 0: none */
};

/* Regular files only: a directory, a pipe or a device is refused by name. */
bool filemap_open(struct filemap *, const char *path, struct err *);
/* The same of an open file, which may be closed then. */
bool filemap_open_fd(struct filemap *, int fd, struct err *);
/*
 * Tells the system that [from, to) was read and will not be soon, so that its
 * pages stop counting as ours.  They stay in the page cache.
 */
void filemap_behind(const struct filemap *, size_t from, size_t to);
/* Are [from, to)'s pages in the page cache?  By a sample of 64. */
bool filemap_cached(const struct filemap *, size_t from, size_t to);
/*
 * How many bytes from the beginning the file still has; never more than were told before.
 * `ask`: asks the system, too; else only what reading ran into is known, and a cut within the
 * last page read is not.
 */
size_t filemap_left(const struct filemap *, bool ask);
void filemap_close(struct filemap *);

#endif
