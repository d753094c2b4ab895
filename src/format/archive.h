// SPDX-License-Identifier: Apache-2.0
/*
 * archive: data compressed with zstd, xz, bzip2 or lz4, and files in ZIP and tar archives.
 *
 * libarchive reads them, where it was there to build with; without it archive_find finds nothing.
 * Nothing is written but to the temporary file: names in an archive are names only.  What a stream
 * gives before it breaks off is used.
 */
#pragma once

#include "base/sbuf.h"
#include "base/spool.h"
#include "base/str.h"

struct archive_what {
	const char *name; /* "zstd", "ZIP" */
	bool members;     /* an archive of files */
};

/* True for the beginning of what is read. */
bool archive_find(struct str file, struct archive_what *);

/* The data that are unpacked, and what comes of them. */
struct archive_job {
	struct str packed;
	const struct archive_what *what;
	size_t before; /* bytes that were unpacked into the same file already */
	const char *member; /* the file that is wanted; NULL: the one that may be a trace */
	/* True for data whose beginning may be a trace's. */
	bool (*promises)(struct str head);
	/* False when so much may not become so much. */
	bool (*within)(size_t taken, uint64_t size, const struct tempfile_how *, struct err *);
	const struct tempfile_how *how;

	const struct archive_functions *lib; /* archive.c's, while it unpacks */
	struct sbuf chosen; /* the member's name, the caller's to release */
	bool cut;           /* the data end too early, or are damaged */
};

/*
 * Appends what is in it to a file.  False when nothing can be, or there is no such member, or several
 * that may be traces: then `e` lists them.
 */
bool archive_unpack(struct archive_job *, struct tempfile *, struct err *);
/* "3.6.2"; NULL: it was built without. */
const char *archive_library(void);
