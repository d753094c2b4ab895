/*
 * outfile: a file that appears whole or not at all.
 *
 * Written under another name beside it and renamed by outfile_commit, with the mode of
 * the file that it takes the place of.  What is no regular file (a pipe, /dev/null) is
 * written in place.
 */
#ifndef SLOWTOP_BASE_OUTFILE_H
#define SLOWTOP_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/sbuf.h"

struct outfile {
	FILE *file;
	const char *path;   /* borrowed */
	struct sbuf beside; /* the name for now; empty: written in place */
};

bool outfile_open(struct outfile *, const char *path, struct err *e);
/* The name under which another program may write it, for now. */
const char *outfile_name(const struct outfile *);
/* Closes and renames; false, and nothing left behind, when that or a write failed. */
bool outfile_commit(struct outfile *, struct err *e);
/* Closes; nothing is left behind. */
void outfile_abandon(struct outfile *);

#endif
