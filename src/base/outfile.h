/*
 * outfile: a file that appears whole or not at all.
 *
 * Until outfile_commit it has no name where the file system can do that, so that nothing is
 * left when the process is killed; elsewhere another name beside its own, which
 * outfile_abandon removes.  Its bytes are on the disk before it gets its name.
 *
 * It gets owner, group and permissions of the file that it takes the place of, if it may
 * (OUTFILE_REPLACE), but never setuid or setgid.  Symbolic links stay, and are followed,
 * to what is not there yet, too; but not where the kernel does not follow them.  What is
 * no regular file (a pipe, /dev/null) is written in place.
 */
#ifndef SLOWTOP_BASE_OUTFILE_H
#define SLOWTOP_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

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
	const char *path;   /* borrowed */
	struct sbuf target; /* what `path` leads to; empty: written in place */
	struct sbuf beside; /* the name for now; empty: none */
};

bool outfile_open(struct outfile *, const char *path, enum outfile_how, struct err *e);
/* Whether there is such a file already, of any kind. */
bool outfile_exists(const char *path);
/* Closes and gives it its name; false, and nothing left behind, when that or a write failed. */
bool outfile_commit(struct outfile *, struct err *e);
/* Closes; nothing is left behind. */
void outfile_abandon(struct outfile *);

/*
 * textfile: small text files of our own, read and written whole.
 */

enum { TEXTFILE_MAX = 1 << 20 };

/* Appends what it has; nothing when there is no such file.  False also for one too long. */
bool textfile_read(const char *path, struct sbuf *text, struct err *e);
/* In its place, whole or not at all; makes the folders above it. */
bool textfile_write(const char *path, struct str text, struct err *e);
/* The same, for its owner's eyes alone. */
bool textfile_write_private(const char *path, struct str text, struct err *e);

/*
 * A stream whose bytes go compressed (gzip, RFC 1952) into another one.
 *
 * fclose ends it, and fails when a write did; the other stream stays open.
 */

/* NULL when there is no memory for it. */
FILE *gzout_open(FILE *to);

#endif
