/*
 * tempfile: bytes that come one after another, kept in a temporary file until they can be
 * mapped.
 *
 * The file has no name any more once it is made, so that nothing is left behind whatever
 * ends the process.  A full disk is an error that says so; so is one that large data would
 * leave less than TEMPFILE_SPARE bytes of, for others write there, too.
 */
#ifndef SLOWTOP_BASE_TEMPFILE_H
#define SLOWTOP_BASE_TEMPFILE_H

#include <stdatomic.h>

#include "base/filemap.h"

enum { TEMPFILE_SPARE = 64 << 20 };

/* Where and how; all may be NULL or 0.  Borrowed. */
struct tempfile_how {
	const char *folder; /* for the file; NULL or empty: /tmp */
	const atomic_bool *cancel;
	uint64_t unpack_most; /* bytes that data may be decompressed to; 0: see gunzip.h */
};

struct tempfile {
	int fd;
	const struct tempfile_how *how;
	uint64_t size;
};

/* Where it is made. */
const char *tempfile_folder(const struct tempfile_how *);
bool tempfile_begin(struct tempfile *, const struct tempfile_how *, struct err *);
bool tempfile_write(struct tempfile *, const void *bytes, size_t size, struct err *);
/* What can be read from `fd`, until there are `most` bytes or a little more. */
bool tempfile_copy(struct tempfile *, int fd, uint64_t most, struct err *);
/* From its start on it can be read again, by whoever gets `fd`. */
bool tempfile_rewind(struct tempfile *, struct err *);
/* The first bytes of what was written; how many there are, up to `size`. */
size_t tempfile_head(const struct tempfile *, void *head, size_t size);
/* Maps what was written; the file is closed, also on failure. */
bool tempfile_map(struct tempfile *, struct filemap *, struct err *);
void tempfile_drop(struct tempfile *);

static inline bool
tempfile_cancelled(const struct tempfile_how *how)
{
	return how->cancel != NULL && atomic_load(how->cancel);
}

#endif
