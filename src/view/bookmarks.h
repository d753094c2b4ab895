// SPDX-License-Identifier: Apache-2.0
/*
 * bookmarks: places in a trace that the user gave a letter, kept in a file of all traces.
 *
 * A line is a trace, a letter and a place, in fields with a TAB between, bytes that are no
 * visible ASCII and `%` as %XX.  The newest BOOKMARK_LINES are kept.  Lines that make no
 * sense are passed over.
 */
#pragma once

#include "base/sbuf.h"
#include "profile/sum/range.h"

enum { BOOKMARKS = 26, BOOKMARK_LINES = 1000 };

struct bookmark {
	bool set;
	char view;           /* the key of the view */
	uint32_t thread;     /* its id; of the time cursor */
	nsec cursor;
	struct range shown;  /* by the timeline */
	struct range window; /* that is counted */
	struct sbuf method;  /* full name in the file's own bytes; empty: none */
};

struct bookmarks {
	struct bookmark items[BOOKMARKS]; /* a to z */
	struct bookmark before;           /* where the user was before the last jump */
};

/* Takes its place, and its parts over. */
void bookmark_put(struct bookmark *, struct bookmark now);
void bookmarks_release(struct bookmarks *);

/* Takes those of the trace out of the file's text. */
void bookmarks_read(struct bookmarks *, struct str text, struct str trace);
/* The file's text with one of the trace's in its newest form, or without it. */
void bookmarks_write(const struct bookmarks *, int index, struct str text, struct str trace,
    struct sbuf *out);
