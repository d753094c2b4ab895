// SPDX-License-Identifier: Apache-2.0
/*
 * axis: a window on the time line: zooming, panning, the time cursor, and the labels.
 *
 * Nanoseconds; windows are half-open [from, to) and stay within the whole, which may
 * grow while a trace is read.  A window that is the whole grows with it.  Until it is
 * moved, the cursor is in the middle.
 *
 * Functions that return bool say whether they changed anything.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/number.h"
#include "profile/sum/range.h"
#include "trace/trace.h"
#include "view/canvas.h"

enum times { TIMES_RELATIVE, TIMES_CLOCK, TIMES_DAY, TIMES_COUNTED /* they are no times */ };

/* How times are shown: from the trace's begin, by a clock, by the time of day. */
struct timescale {
	enum times kind;
	nsec origin; /* what the clock showed when the trace began; since 1970 for TIMES_DAY */
};

/* TIMES_RELATIVE unless `absolute` and known. */
struct timescale timescale_of(const struct trace *, bool absolute);
/* "1.204113", "33199.420658", "14:03:05.204" */
const char *timescale_text(
    const struct timescale *, char out[static FMT_SIZE], nsec at, unsigned decimals);
/* Returns the text after a time: " s", or nothing. */
const char *timescale_unit(const struct timescale *);
/* Parses the user's text, in this form, with a unit, or without one in this (base/number.h). */
bool timescale_parse(
    const struct timescale *, struct str text, struct str unit, nsec *at, struct err *);

static inline nsec
timescale_origin(const struct timescale *s)
{
	return s != NULL && s->kind != TIMES_RELATIVE ? s->origin : 0;
}

/* The window. */
struct axis {
	nsec begin, end; /* the whole */
	nsec from, to;   /* the window */
	bool whole;      /* the window is the whole */
	bool placed;     /* the cursor was moved */
	bool exact;      /* to a moment, not just to a cell */
	nsec cursor;     /* within the window */
};

enum { AXIS_MIN_SPAN = 1000 }; /* a microsecond: no trace tells finer times apart */

void axis_set_whole(struct axis *, nsec begin, nsec end);

/* Half (1) or twice (-1) the window; the cursor stays at its place on the screen. */
bool axis_zoom(struct axis *, int direction);
/* Pans by quarters of the window; the cursor stays at its place on the screen. */
bool axis_pan(struct axis *, int quarters);
/* Pans to the start (-1) or end (1). */
bool axis_pan_end(struct axis *, int direction);
bool axis_show_all(struct axis *);
/* [from, to), made wider to AXIS_MIN_SPAN where needed; of RANGE_ALL: all. */
bool axis_zoom_to(struct axis *, nsec from, nsec to);
/* Returns the range shown; RANGE_ALL for the whole, which grows with the trace. */
struct range axis_shown(const struct axis *);
/* Pans as little as needed to see [from, to); zooms out to it if it is too wide. */
bool axis_fit(struct axis *, nsec from, nsec to);

/* Moves the cursor by cells of a screen that has `cells`; pans at the edges. */
bool axis_move(struct axis *, int64_t by, int cells);
/* Moves the cursor to a moment. */
bool axis_move_to(struct axis *, nsec at);

/* The cell of [from, to) that holds `at`; -1 when none does. */
int axis_cell(nsec from, nsec to, nsec at, int cells);
/* Where a cell starts. */
nsec axis_cell_start(nsec from, nsec to, int cell, int cells);

/* The unit that the labels of the window have, as in base/number.h; "s" by the time of day. */
const char *axis_unit(const struct axis *, int cells, const struct timescale *);
/* Labels of [from, to) over columns [column, limit) of a row. */
void axis_draw(struct canvas *, int row, int column, int limit, nsec from, nsec to,
    const struct timescale *, look);
/* A moment with the decimals that tell moments `step` apart: "1.204113". */
const char *axis_time(
    char out[static FMT_SIZE], nsec at, nsec step, const struct timescale *);

/*
 * The window that all figures are of, how it is chosen and written.  Those chosen here are of
 * whole microseconds, which no trace is finer than, so that what is written of one is all of it.
 */

/* Is it a part of the trace?  An empty one means the whole. */
static inline bool
window_is_set(const struct range *w)
{
	return w->from < w->to && !range_is_all(w);
}

/* The smallest that holds both; RANGE_ALL when that is the whole [begin, end]. */
struct range window_around(struct range a, struct range b, nsec begin, nsec end);

enum { WINDOW_TEXT = 2 * FMT_SIZE + 8 };

/* "1.200-1.260 s"; open ends are those of the whole. */
const char *window_text(char out[static WINDOW_TEXT], const struct range *, nsec begin,
    nsec end, const struct timescale *);
