// SPDX-License-Identifier: Apache-2.0
/*
 * filemap: a whole file, mapped read-only.
 *
 * The bytes stay valid until filemap_close.  When the file is cut while it is mapped, what
 * it lost reads as zeros, so ask filemap_left before believing what was read.
 * Offsets are 64-bit.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/err.h"

struct filemap {
	const uint8_t *bytes; /* NULL when the file is empty */
	size_t size;
	bool borrowed;        /* memory of another owner: never unmapped or advised */
	size_t room;          /* addresses from `bytes` on that are its own, for more of the file */
	int file;             /* a descriptor of it + 1, 0: none */
	int guard;            /* its number among guarded maps + 1, 0: none */
	atomic_size_t again;  /* bytes of filemap_again since pages were given back */
};

/* Regular files only: a directory, a pipe or a device is refused by name. */
bool filemap_open(struct filemap *, const char *path, struct err *);
/*
 * Maps an open file; its descriptor may be closed after that.  `grows`: keeps addresses, which
 * cost no memory, for 16 times as much, or a tebibyte for a file without a name, where there are
 * so many.
 */
bool filemap_open_fd(struct filemap *, int fd, bool grows, struct err *);
/*
 * Maps more of the same file, up to `size`; what is mapped stays where it is.  False, with all
 * as before, when there is no room for it, or the file lost something.
 */
bool filemap_grow(struct filemap *, uint64_t size);
/*
 * Tells the system that [from, to) was read and will not be soon, so that its
 * pages stop counting as ours.  They stay in the page cache.
 */
void filemap_behind(const struct filemap *, size_t from, size_t to);
/*
 * Tells that so many bytes were read which the next key may read again: to map pages anew takes
 * longer than to read them.  When they are 64 MB, all pages stop counting.  Any thread.
 */
void filemap_again(struct filemap *, size_t bytes);
/* Gives back [*from, to) when that is many bytes, and moves `from` there. */
static inline void
filemap_passed(const struct filemap *map, size_t *from, size_t to)
{
	enum { PASSED_BYTES = 8 << 20 };

	if (to - *from < PASSED_BYTES)
		return;
	filemap_behind(map, *from, to);
	*from = to;
}

/*
 * Gives back to the disk what is in [from, to) of an open file, whose size stays; it reads as zeros
 * then.  False where the file system cannot.
 */
bool file_forget(int fd, uint64_t from, uint64_t to);
/* Are [from, to)'s pages in the page cache?  By a sample of 64. */
bool filemap_cached(const struct filemap *, size_t from, size_t to);
/*
 * How many bytes from the beginning the file still has; this never grows.  `ask`: asks
 * the system, too; else only faults of reading are known, and a cut within the last page
 * read is not.
 */
size_t filemap_left(const struct filemap *, bool ask);
void filemap_close(struct filemap *);

/*
 * mapguard: survives reading a mapped file that becomes shorter.
 *
 * Pages that a file lost raise SIGBUS when they are read.  With the guard installed they
 * become zeros instead, and the map knows from where on; a reader checks with
 * filemap_left before it believes what it read.  The table of maps belongs to the signal
 * handler and is therefore global.
 */

/*
 * Takes SIGBUS for the process.  `otherwise` is called in the handler before the program
 * ends because of a fault outside all maps, or because another process sent the signal;
 * it must be async-signal-safe.  May be NULL.
 */
void mapguard_install(void (*otherwise)(void));

/*
 * A file as it was when it was opened, to tell later whether it is another.
 *
 * Asking costs one stat and reads nothing.  A write within the same tick of the file
 * system's clock (some milliseconds) that leaves the size as it was is not noticed.
 */

struct filemark {
	char *path; /* owned; NULL: nothing is marked, and that stays the same */
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
	bool grows; /* what is appended to it is no change */
};

enum filemark_now {
	FILEMARK_SAME,
	FILEMARK_GONE,     /* no file has the name now */
	FILEMARK_REPLACED, /* another file has the name: the open one keeps its bytes */
	FILEMARK_CHANGED,  /* the same file was written to, cut or extended */
};

/* Marks an open file; only a regular one is. */
void filemark_take(struct filemark *, int fd, const char *path);
enum filemark_now filemark_ask(const struct filemark *);
void filemark_release(struct filemark *);
