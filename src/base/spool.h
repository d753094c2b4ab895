/*
 * spool: a growing array of equal items, most of it on disk.
 *
 * The first megabytes are in memory, the rest in a file without a name, mapped part by
 * part; parts that were not used lately are given back to the system.  For what must be
 * remembered of every record: memory stays bounded, disk space does not.
 *
 * Zero-initialise, spool_init, spool_release.  One thread at a time.
 */
#ifndef SLOWTOP_BASE_SPOOL_H
#define SLOWTOP_BASE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tempfile.h"

enum { SPOOL_RECENT = 8 };

struct spool {
	struct tempfile_how how; /* of the file; borrows */
	size_t item;        /* bytes */
	size_t per_part;    /* items */
	uint64_t count;
	void **parts;
	size_t part_count, part_room;
	int fd; /* -1: not needed yet */
	size_t recent[SPOOL_RECENT]; /* parts, + 1 */
	unsigned next_recent;
};

void spool_init(struct spool *, size_t item, const char *folder);
/*
 * The next item, cleared.  NULL and `e` when there is no space for it.  Items do not
 * move, but only the last few parts are cheap to touch.
 */
void *spool_add(struct spool *, struct err *e);
void *spool_at(struct spool *, uint64_t index);
/* To read: from several threads, too, as long as none adds or uses spool_at. */
const void *spool_peek(const struct spool *, uint64_t index);
void spool_release(struct spool *);

#endif
