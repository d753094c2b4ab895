// SPDX-License-Identifier: Apache-2.0
/*
 * frames: the list of frames: how long each took, and what took most of it.
 *
 * Its rows are those of profile/timeline/jank.h, in order of time at first; without a log those of
 * the main thread before others.  It takes the result over and borrows the display.
 */
#pragma once

#include "base/map.h"
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

/* Frames of a process of a log. */
struct frames_group {
	uint32_t process; /* index + 1 of log.processes; 0: none */
	uint32_t count, slow;
};
enum { FRAMES_GROUPS = 4 };

struct frames {
	struct list list;
	const struct display *display; /* borrowed */
	struct jank *jank; /* owned; NULL before the first */
	bool scheduled; /* the states of threads are known */
	uint32_t main;  /* the thread whose frames come first; THREAD_NONE: none is known */
	uint32_t of_main, over; /* frames of it, of a log of its process; and of these slow ones */
	uint32_t others;        /* rows of others */
	uint32_t worst; /* the slow one that is over by most; UINT32_MAX: there is none */
	uint32_t longest; /* the same */
	struct frames_group groups[FRAMES_GROUPS]; /* those of others, the largest first */
	uint32_t group_count;
	bool front;     /* only rows of the main thread's process, where a log has some */
	bool log;       /* the rows are a log's frames: */
	bool told;      /* some of them of SurfaceFlinger's timeline */
	struct processes processes; /* with names as shown, in the arena */
	struct str *causes; /* those met, in words, in the arena */
	struct idmap cause_of; /* bits of log_janks -> causes */
	struct arena arena;
};

void frames_init(struct frames *, const struct display *);
void frames_release(struct frames *);
/* Takes it over. */
void frames_set(struct frames *, struct jank *);
/* A log's rows are of the app in front alone, if it has some; or all. */
void frames_set_front(struct frames *, bool);
/* The frame of a row of the list. */
const struct jank_frame *frames_at(const struct frames *, const struct list_row *);
/*
 * How much later it ended than it was to; false: not known.  Of a log it may be negative, of calls
 * of a pattern it is known of those over the budget only.
 */
bool frames_over(const struct frames *, const struct jank_frame *, nsec *over);
/*
 * Appends how many of the main thread's frames are slow, the longest and the worst, and how many
 * frames are of others; nothing before there is an answer.  Returns how it looks.
 */
look frames_summary(const struct frames *, struct sbuf *out);
/* The frame of the cursor's row; NULL: there is none. */
const struct jank_frame *frames_cursor(const struct frames *);
/* Its id; 0, 0: none.  The frame of an id; NULL: it is not there. */
struct list_id frames_cursor_id(const struct frames *);
const struct jank_frame *frames_find(const struct frames *, struct list_id);
/* Name of a log's process; why its frame was slow, empty where it was not. */
struct str frames_process(const struct frames *, const struct jank_frame *);
struct str frames_cause(const struct frames *, const struct jank_frame *);
/* Moves to the next slow row (direction 1), or the one before; false: none. */
bool frames_step(struct frames *, int direction);
