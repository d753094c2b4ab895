// SPDX-License-Identifier: Apache-2.0
/*
 * spool: a growing array of equal items, most of it on disk.
 *
 * The first megabytes are in memory, and the last, which are filled; the rest is in a file
 * without a name, mapped part by part, of which parts that were not used lately are given
 * back to the system.  For what must be remembered of every record: memory stays bounded,
 * disk space does not.
 *
 * Zero-initialise, spool_init, spool_release.  One thread at a time.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/filemap.h"

/*
 * tempfile: bytes that come one after another, kept in a temporary file until they can be
 * mapped.
 *
 * The file loses its name right after it is made, so that nothing is left over however
 * the process ends.  It is in memory if no folder was chosen and /tmp takes none.  Writing
 * fails when the disk is full, and also when large data would leave less than
 * TEMPFILE_SPARE bytes on it, because other programs write there, too.
 */

enum { TEMPFILE_SPARE = 64 << 20 };

/* How a temporary file is made, and what is read of it; all may be NULL or 0.  Borrowed. */
struct tempfile_how {
	const char *folder; /* for the file; NULL or empty: /tmp */
	const atomic_bool *cancel;
	uint64_t unpack_most; /* bytes that data may be decompressed to; 0: see format/input.h */
	const char *sample_type; /* which of several values of samples is read */
	const char *detail; /* which argument of Chrome's events is part of slices' names */
	int from; /* a descriptor of the data + 1, which may grow; 0: the path says where they are */
	bool ended; /* they grow no more */
};

struct tempfile {
	int fd;
	const struct tempfile_how *how;
	uint64_t size;
};

/* A descriptor of a file in memory, or in /tmp where there are none such; -1: no. */
int memfile_make(void);
bool tempfile_begin(struct tempfile *, const struct tempfile_how *, struct err *);
bool tempfile_write(struct tempfile *, const void *bytes, size_t size, struct err *);
/* Appends what can be read from `fd`, until there are `most` bytes or a little more. */
bool tempfile_copy(struct tempfile *, int fd, uint64_t most, struct err *);
/* Moves `fd` to the start of the file, so that it can be read again. */
bool tempfile_rewind(struct tempfile *, struct err *);
/* The first bytes of what was written; how many there are, up to `size`. */
size_t tempfile_head(const struct tempfile *, void *head, size_t size);
/* Maps what was written; the file is closed, also on failure. */
bool tempfile_map(struct tempfile *, struct filemap *, struct err *);
void tempfile_drop(struct tempfile *);

enum { SPOOL_RECENT = 8 };

struct spool {
	struct tempfile_how how; /* of the file; borrows */
	size_t item;        /* bytes */
	unsigned shift;     /* a part has 1 << shift items */
	uint64_t count;
	char *next, *end;   /* what is cleared of the part that is filled now */
	char *filling;      /* the last part's memory, when it is none of the first; or NULL */
	void **parts;
	size_t part_count, part_room;
	size_t forgotten; /* parts that were given back */
	int fd; /* -1: not needed yet */
	size_t recent[SPOOL_RECENT]; /* parts, + 1 */
	unsigned next_recent;
};

void spool_init(struct spool *, size_t item, const char *folder);
void spool_release(struct spool *);

/* Clears more of the last part, or begins another; for spool_add. */
bool spool_more(struct spool *, struct err *e);

/*
 * The next item, cleared.  NULL and `e` when there is no space for it.  Adding may move the
 * items before; only those of the last few parts are cheap to touch.
 */
static inline void *
spool_add(struct spool *s, struct err *e)
{
	void *item;

	if (__builtin_expect(s->next == s->end, 0) && !spool_more(s, e))
		return NULL;
	item = s->next;
	s->next += s->item;
	s->count++;
	return item;
}

/*
 * Adds so many items that are contiguous, no more than a part has, and tells the first one's index:
 * others that are clear may be before it.  NULL and `e` when there is no space.
 */
void *spool_append(struct spool *, size_t count, uint64_t *first, struct err *e);

/*
 * Forgets the items from `count` on; those that are added next are clear.  Costs what is
 * forgotten.
 */
void spool_cut(struct spool *, uint64_t count);

/*
 * Gives the disk back what the items before `count` take, but for some of them: they are not to be
 * read again.
 */
void spool_forget(struct spool *, uint64_t count);

void *spool_at(struct spool *, uint64_t index);

/* Reads an item; safe from several threads while none adds or uses spool_at. */
static inline const void *
spool_peek(const struct spool *s, uint64_t index)
{
	return (const char *)s->parts[index >> s->shift] +
	    (index & ((UINT64_C(1) << s->shift) - 1)) * s->item;
}

/* How many items from `index` on, itself included, are contiguous in memory. */
static inline uint64_t
spool_run(const struct spool *s, uint64_t index)
{
	uint64_t part = UINT64_C(1) << s->shift;
	uint64_t run = part - (index & (part - 1));

	return run < s->count - index ? run : s->count - index;
}
