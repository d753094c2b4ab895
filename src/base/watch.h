// SPDX-License-Identifier: Apache-2.0
/*
 * watch: a file that another program writes, or a pipe that goes on.
 *
 * A thread of its own tells when there is more, or something else.  It waits for inotify's
 * events where there is inotify, and looks every five seconds besides, because network file
 * systems send none; without inotify it looks twice a second.  It looks at most ten times a
 * second.  What a pipe brings goes into a temporary file, which grows as a file would.
 *
 * A file is followed through its descriptor, so a file that was renamed is read to its end;
 * `by_name`: the file that has the name is followed, whatever happened to the one before.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spool.h"
#include "base/worker.h"

enum watch_state {
	WATCH_LIVE,     /* may grow */
	WATCH_WAITING,  /* no file has the name, and none was read yet */
	WATCH_GONE,     /* no file has the name now; what was read can still be read */
	WATCH_REPLACED, /* another file has the name now */
	WATCH_TAKEN,    /* by name: a folder or what cannot be opened has it now, as with WATCH_GONE */
	WATCH_CUT,      /* shorter than it was */
	WATCH_CHANGED,  /* what was there before is different now */
	WATCH_ENDED,    /* the pipe's writer closed it */
	WATCH_FAILED,   /* see `err` */
};

struct watch_now {
	enum watch_state state;
	uint64_t version; /* counts changes of what can be read; 0: nothing can be yet */
	uint64_t size;    /* bytes */
	/* Both as they were when it was opened last; 0: it was not. */
	uint64_t opened, opened_size;
	struct err err;
};

struct watch;

/*
 * NULL and `e` when the file cannot be opened; `by_name` waits for one that is not there.
 * `pipe`: the descriptor to read instead of the path, which the watch does not close; < 0:
 * none.  Borrows what `how` points to.
 */
struct watch *watch_new(const char *path, int pipe, bool by_name, const struct tempfile_how *how,
    struct err *e);
/* NULL is fine. */
void watch_free(struct watch *);
/* Posts there on each change from now on; NULL: nowhere. */
void watch_tell(struct watch *, const struct notify *);
struct watch_now watch_ask(struct watch *);
bool watch_by_name(const struct watch *);
bool watch_of_pipe(const struct watch *);
/* A descriptor of what is followed, the caller's to close; -1: there is nothing to read yet. */
int watch_open(struct watch *);
/* The bytes that can be read of what was opened last count as opened. */
uint64_t watch_take(struct watch *);
/*
 * Gives back the disk what a pipe brought in [from, to), which is not to be read again, but for
 * what was given back before: it no longer counts as brought.  False: the file system cannot.
 */
bool watch_forget(struct watch *, uint64_t from, uint64_t to);
/*
 * True if the bytes opened last are still there, maybe with more after them, as far as their
 * beginning and end tell.
 */
bool watch_same(struct watch *);
/*
 * True if nothing more comes: after an end or an error and, unless by name, after a cut or a
 * change of what was there.
 */
bool watch_over(const struct watch *, enum watch_state);
/* True if nothing more comes, by the state now. */
bool watch_ended(struct watch *);
/* Begins again with the file that has the name now, as watch_new; not for pipes. */
bool watch_again(struct watch *, struct err *);
