// SPDX-License-Identifier: Apache-2.0
/*
 * tracks: rows of the timeline beside the threads' own: nested calls, and of a text log
 * thread states, cores, counters.
 *
 * A track says what to draw, a cell is one column of it.  Memory is that of the cells,
 * whatever the number of records.  Times are nanoseconds on the profile's axis.
 */
#pragma once

#include "profile/timeline/timeline.h"
#include "trace/log.h"

enum track_kind {
	TRACK_THREAD,    /* a thread: cells of timeline.h */
	TRACK_CALLS,     /* calls of a thread at one depth */
	TRACK_ASYNC,     /* a row of asynchronous slices: calls at depth 1 */
	TRACK_STATE,     /* what the scheduler did with a thread */
	TRACK_PROCESS,   /* how much its threads ran; full: as much as one core can */
	TRACK_LOAD,      /* how much all cores ran */
	TRACK_CORE,      /* which thread ran on a core */
	TRACK_FREQUENCY, /* of a core, full: the highest of any */
	TRACK_IDLE,      /* how deep a core slept */
	TRACK_COUNTER,   /* struct track_scale says what is empty and full */
	TRACK_INSTANTS,  /* markers of a moment that a thread wrote */
	TRACK_POINTS,    /* those on tracks of a process */
	TRACK_REST,      /* stands for processes that are left out; nothing is drawn of it */
	TRACK_KINDS
};

enum { TRACK_DEPTH_MAX = 256 };

struct track {
	enum track_kind kind;
	uint32_t index; /* of the thread, process (+ 1, as in thread.process), core, counter */
	uint32_t depth; /* TRACK_CALLS: from 1 */
};

static inline bool
track_equal(const struct track *a, const struct track *b)
{
	return a->kind == b->kind && a->index == b->index && a->depth == b->depth;
}

/* The thread that the row is of; THREAD_NONE: none. */
static inline uint32_t
track_thread(const struct track *t)
{
	return t->kind <= TRACK_STATE || t->kind == TRACK_INSTANTS ? t->index : THREAD_NONE;
}

#define TRACK_NOTHING UINT32_MAX
/* The core's activity is not known. */
#define TRACK_LOST (UINT32_MAX - 1)

struct track_cell {
	/*
	 * Content of most of the cell: a method; a thread on a core, or TRACK_LOST; track_state;
	 * a level of idleness; 0 where there is only a share.  TRACK_NOTHING: nothing is known.
	 */
	uint32_t what;
	uint16_t share; /* in CELL_FULLths: covered by calls; running; of the full height */
	uint8_t parts;  /* how many calls, states... touch it, at most 255 */
	bool begins;    /* one of them begins in it */
};

/* Returns a state bar's cell value: a state (trace/sched.h), and if it waits for I/O. */
static inline uint32_t
track_state(const struct interval *i)
{
	return (uint32_t)i->state << 1 | (i->io == IO_YES);
}

/* Nested calls ------------------------------------------------------------------- */

/*
 * Calls of some threads by depth, over columns as in timeline_draw: decoded part by part, so that drawing can be
 * interrupted and go on.  Borrows the profile, which must not grow meanwhile.
 */
struct chart;

struct chart *chart_new(const struct profile *, nsec from, nsec to, uint32_t columns,
    const uint32_t *threads, uint32_t count);
void chart_free(struct chart *);
/* False when cancelled: then it goes on from there.  `done`: share so far, in CHART_ALLths. */
enum { CHART_ALL = 1000 };
bool chart_advance(struct chart *, const atomic_bool *cancel, atomic_uint *done);
/*
 * How deep calls of the thread are that touch the columns (its index in `threads`), at most
 * TRACK_DEPTH_MAX; and the cells of a depth.  When all was drawn.
 */
uint32_t chart_depth(const struct chart *, uint32_t at);
const struct track_cell *chart_cells(const struct chart *, uint32_t at, uint32_t depth);

/* One more thing is in it. */
static inline void
track_cell_part(struct track_cell *cell)
{
	cell->parts += cell->parts < UINT8_MAX;
}

/* Logs ---------------------------------------------------------------------------- */

/* Values of a counter where a row of it is lowest and highest: of those in the window, or 0. */
struct track_scale {
	bool known; /* there is a value in the window */
	double from, to;
};

/* True if the foot is neither 0 nor the only value. */
static inline bool
track_scale_begins(const struct track_scale *s)
{
	return s->known && s->from < s->to && (s->from < 0 || s->from > 0);
}

/*
 * Fills count x columns cells with what the scheduler, frequencies and counters tell of
 * tracks of these kinds; others stay unchanged.  Costs the log's intervals, steps and
 * values, and its instants in the window.  `scales`: count of them, or NULL.  False when
 * cancelled.
 */
bool tracks_draw(const struct profile *, nsec from, nsec to, uint32_t columns,
    const struct track *, uint32_t count, struct track_cell *cells,
    struct track_scale *scales, const atomic_bool *cancel);

/* Around a time: the last marker at or before it, and the first one after it. */
struct instants_near {
	bool has_last, has_next;
	nsec last, next;
	nsec earlier; /* the one before the last; INSTANTS_NONE: there is none */
	struct log_detail last_detail, next_detail;
};

#define INSTANTS_NONE INT64_MIN

/*
 * Finds the instants around `at` of a thread, or, with THREAD_NONE, on tracks of the process.
 * Costs the instants from `at` to them.  False when cancelled.
 */
bool instants_find_near(const struct log *, uint32_t thread, uint32_t process, nsec at,
    struct instants_near *, const atomic_bool *cancel);

/* The content of a track at one time, and its span. */
struct track_point {
	bool known;        /* there is something */
	nsec from, to;     /* it begins and ends */
	struct interval state;  /* TRACK_STATE and TRACK_CORE */
	struct interval before, after; /* the thread's; state TASK_UNKNOWN: not known */
	bool idle;         /* TRACK_CORE: nothing runs, */
	bool lost;         /* or it is unknown what runs */
	double value;      /* counter, kHz, level of idleness; cores that ran */
	struct instants_near near; /* TRACK_INSTANTS and TRACK_POINTS */
};

/* Costs as much; false when cancelled. */
bool track_point_find(const struct profile *, const struct track *, nsec at,
    struct track_point *, const atomic_bool *cancel);
