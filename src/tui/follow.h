// SPDX-License-Identifier: Apache-2.0
/*
 * follow: the trace on the screen grows: what comes to it is read, by formats that can go on
 * (source.grow), or the whole again.
 *
 * That begins at most four times a second, and takes at most a quarter of the time.
 * Until it has ended the figures are those of before; what is chosen stays, as with :reload.
 * While nothing comes nothing is done.
 */
#pragma once

#include "base/watch.h"
#include "profile/sum/range.h"
#include "view/place.h"

struct app;
struct tui_options;

struct follow {
	struct watch *watch; /* NULL: nothing was followed yet */
	bool own;            /* it is not borrowed */
	bool off;            /* nothing is followed now */
	struct watch_now now;
	bool paused, refused; /* the last load failed, as `why` tells */
	enum { FOLLOW_RESTS, FOLLOW_READS, FOLLOW_COUNTS } growing; /* what came */
	nsec end;             /* of the trace, before that */
	char why[120];
	nsec window;          /* so much of the end is shown; 0: all */
	struct range slid;    /* the window that this set last */
	nsec keep_last;       /* records of a pipe that are kept, from its end; 0: all */
	int64_t begun_ms, next_ms;
	int64_t changed_ms;   /* when the file last did */
	uint64_t rested;      /* its version of which records that were held were asked for */
	int64_t came_ms; /* the last time that something came; 0: columns of now are empty */
};

void follow_init(struct app *, const struct tui_options *);
void follow_release(struct app *);
bool follow_is_on(const struct app *);
/* Milliseconds until something is to be done; -1: there is nothing. */
int follow_wait(const struct app *);
/* Does it; whether the title changed. */
bool follow_step(struct app *);
/* The engine has read what came, or cannot: after its answers were taken. */
void follow_take(struct app *);
/*
 * Another fold comes in the place of one of the same subset; true if it has more of the trace: what
 * came between them is now.
 */
bool follow_rates(struct app *, const struct fold *);
/* The trace on the screen has more than before, and columns of now say what (view/diff/rates.h). */
void follow_came(struct app *);
/* The load that this began has ended; `why` it failed, NULL: it did not. */
void follow_loaded(struct app *, const char *why);
/*
 * The trace on the screen could not be read to its end: may another come in its place?  Tells why
 * it could not, once.
 */
bool follow_waits(struct app *);
/* Where a range is in a trace of that extent: the window that slides is at its end. */
struct range follow_range(const struct app *, struct range, nsec begin, nsec end);
/* The subset's range begins after the records that a pipe no longer has. */
void follow_clip(struct app *);
/* Slides the window to the end of the new trace; `place` has that of before. */
void follow_slide(struct app *, struct place *);
/* "following", "following, up to 12.3 s", "paused, +1.2 MB"; false when nothing is followed. */
bool follow_text(const struct app *, char *out, size_t size);
