// SPDX-License-Identifier: Apache-2.0
/*
 * frames: the list of frames: how long each took, and what took most of it.
 *
 * Its rows are those of profile/timeline/jank.h, in order of time at first, those of the main
 * thread before others.  It takes the result over and borrows the display.
 */
#pragma once

#include "profile/timeline/jank.h"
#include "view/list/list.h"
#include "view/names/processes.h"

enum frames_column {
#define COLUMN(number, ...) number,
#include "view/frames.def"
#undef COLUMN
	FRAME_COLUMNS
};

extern const struct list_source frames_source;

struct frames {
	struct list list;
	const struct display *display; /* borrowed */
	struct jank *jank; /* owned; NULL before the first */
	nsec budget;
	bool scheduled; /* the states of threads are known */
	uint32_t main;  /* the thread whose frames come first; THREAD_NONE: none is known */
	uint32_t of_main, over; /* frames of it, and of these over the budget */
	uint32_t others;        /* rows of other threads */
	uint32_t worst; /* the longest of it; UINT32_MAX: there is none */
	bool told;      /* some are of SurfaceFlinger's timeline: */
	struct processes processes; /* with names as shown, in the arena */
	struct arena arena;
};

void frames_init(struct frames *, const struct display *);
void frames_release(struct frames *);
/* Takes it over. */
void frames_set(struct frames *, struct jank *);
/* The rows depend on it. */
void frames_set_budget(struct frames *, nsec);
/* The frame of a row of the list. */
const struct jank_frame *frames_at(const struct frames *, const struct list_row *);
bool frames_is_over(const struct frames *, const struct jank_frame *);
/*
 * Appends how many of the main thread's frames and starts are over the budget, the worst, and how many rows are
 * of others; nothing before there is an answer.  Returns how it looks.
 */
look frames_summary(const struct frames *, struct sbuf *out);
/* The frame of the cursor's row; NULL: there is none. */
const struct jank_frame *frames_cursor(const struct frames *);
/* Moves to the next row over the budget (direction 1), or the one before; false: none. */
bool frames_step(struct frames *, int direction);
