/*
 * outfile: a file that appears whole or not at all.
 *
 * Written under another name beside it and renamed by outfile_commit, with the mode of
 * the file that it takes the place of, if it may (OUTFILE_REPLACE); symbolic links to
 * that stay.  What is no regular
 * file (a pipe, /dev/null) is written in place.
 */
#ifndef SLOWTOP_BASE_OUTFILE_H
#define SLOWTOP_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/sbuf.h"

enum outfile_how {
	OUTFILE_REPLACE,
	OUTFILE_NEW, /* never in the place of a file, nor of one that came meanwhile */
};

struct outfile {
	FILE *file;
	enum outfile_how how;
	bool refused;       /* because of OUTFILE_NEW */
	const char *path;   /* borrowed */
	struct sbuf target; /* what `path` leads to, when that is a file already */
	struct sbuf beside; /* the name for now; empty: written in place */
};

bool outfile_open(struct outfile *, const char *path, enum outfile_how, struct err *e);
/* Whether there is such a file already, of any kind. */
bool outfile_exists(const char *path);
/* The name under which another program may write it, for now. */
const char *outfile_name(const struct outfile *);
/* Closes and renames; false, and nothing left behind, when that or a write failed. */
bool outfile_commit(struct outfile *, struct err *e);
/* Closes; nothing is left behind. */
void outfile_abandon(struct outfile *);

#endif
