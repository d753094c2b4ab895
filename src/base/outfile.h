// SPDX-License-Identifier: Apache-2.0
/*
 * outfile: a file that appears whole or not at all.
 *
 * Until outfile_commit the file has no name where the file system allows that, so that
 * nothing is left when the process is killed; elsewhere it has a temporary name beside
 * its own, which outfile_abandon removes.  Its bytes are on the disk before it gets its
 * name.
 *
 * With OUTFILE_REPLACE it takes over owner, group and permissions of the file that it
 * replaces, as far as possible, but never setuid or setgid.  Symbolic links are kept and
 * followed, even to a target that does not exist yet, except where the kernel refuses to
 * follow them.  A pipe or device (/dev/null) is written in place.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/sbuf.h"

enum outfile_how {
	OUTFILE_REPLACE,
	OUTFILE_NEW, /* never in the place of a file or link, nor of one that came meanwhile */
};

struct outfile {
	FILE *file;
	enum outfile_how how;
	bool refused;       /* because of OUTFILE_NEW */
	int error;          /* errno of the first write that failed */
	const char *path;   /* borrowed */
	struct sbuf target; /* what `path` leads to; empty: written in place */
	struct sbuf beside; /* the name for now; empty: none */
};

bool outfile_open(struct outfile *, const char *path, enum outfile_how, struct err *e);
/* True if a file of any kind exists there. */
bool outfile_exists(const char *path);
/* Writes; outfile_commit tells of a failure. */
void outfile_write(struct outfile *, const void *bytes, size_t n);
/* Closes and names the file.  False when that or a write failed; then no file is left. */
bool outfile_commit(struct outfile *, struct err *e);
/* Closes and removes the file. */
void outfile_abandon(struct outfile *);
/*
 * Gives a file that another program wrote, on the same file system, its name; then it has no
 * other.  `taken`: because of OUTFILE_NEW.
 */
bool outfile_name(const char *part, const char *path, enum outfile_how, bool *taken, struct err *e);
/* Makes the folders above a file. */
bool outfile_folders(const char *path, mode_t mode, struct err *e);

/*
 * textfile: small text files of our own, read and written whole.
 */

enum { TEXTFILE_MAX = 1 << 20 };

/* Appends what it has; nothing when there is no such file.  False also for one too long. */
bool textfile_read(const char *path, struct sbuf *text, struct err *e);
/*
 * Replaces the file, whole or not at all; makes the folders above it.  `mode`: 0666, or 0600
 * for one that only its owner may read.
 */
bool textfile_write(const char *path, struct str text, mode_t mode, struct err *e);

/*
 * gzout: a stream that a thread compresses (gzip, RFC 1952) into another one.
 *
 * The other stream stays open; nothing else may write to it meanwhile.  A write that failed
 * is told at the end.
 */

struct gzout {
	FILE *file; /* what is written here is compressed */
	int unpacked, packed; /* descriptors */
	struct worker_pool *packer;
	int error; /* the thread's */
	const atomic_bool *cancel;
	atomic_bool dropped;
};

/* Once `cancel` is set nothing more is written to the other stream, and it fails with EINTR. */
bool gzout_open(struct gzout *, FILE *to, const atomic_bool *cancel, struct err *e);
/* Also closes the file.  Returns 0 or an errno. */
int gzout_close(struct gzout *);
/* Closes the file, too, but drops the rest of the data. */
void gzout_drop(struct gzout *);
