// SPDX-License-Identifier: Apache-2.0
/*
 * jank: frames of the display, or other calls that have a budget: how long each took, what
 * took most of it, and what its thread did meanwhile.
 *
 * A frame is a call of one of the query's methods that begins in the range and is not within
 * another one on its thread.  It ends where its call ends, at the latest with the range; it says so
 * when it was cut.  Of a log without a pattern the frames are those of the display: joined.c.
 * The heaviest path goes from the frame's node to the callee with the most
 * inclusive time in this frame, on the axis, and on as long as a callee has half of the frame.
 *
 * The result is a value that points to nothing; times are nanoseconds, a clock that the trace
 * lacks is 0.  Costs the records of the threads with such calls, and memory for JANK_KEEP rows.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/sum/range.h"

/* Rows kept: the longest. */
enum { JANK_KEEP = 1 << 16 };

/* Frames of method traces: calls of Android's choreographer and the like. */
extern const char jank_frames[];

/* The source of a frame of a log. */
enum jank_source {
	JANK_CALLS,         /* calls that match a pattern */
	JANK_TIMELINE,      /* SurfaceFlinger, of all layers of a process with one token */
	JANK_DISPLAY,       /* SurfaceFlinger, of the display */
	JANK_CHOREOGRAPHER, /* a slice Choreographer#doFrame, with what draws it */
	JANK_HITRACE,       /* a slice ReceiveVsync, or OnVsyncEvent with UIVsyncTask in it */
	JANK_SOURCES,
	/* Calls that are no rows: */
	JANK_TASK = JANK_SOURCES, /* UIVsyncTask within a frame */
	JANK_DRAW,  /* DrawFrame */
	JANK_QUEUE, /* queueBuffer */
	JANK_SENT,  /* MarshRSTransactionData: to the render service */
	JANK_TAKEN, /* ProcessCommandUni, there */
};
extern const char *const jank_source_names[JANK_SOURCES];

/* The part that took most of a slow frame, where SurfaceFlinger does not tell. */
enum jank_cause {
	JANK_UNTOLD,
	JANK_VSYNC_DELAY, /* the UI thread began late */
	JANK_UI,
	JANK_RENDER,
	JANK_DRAWING, /* a thread that queues buffers: of Flutter, of games */
	JANK_SERVICE, /* OpenHarmony's render service */
	JANK_CAUSES,
};
extern const char *const jank_cause_names[JANK_CAUSES];

struct jank_frame;

/* A call path of a frame: all its calls there. */
struct jank_part {
	uint32_t node; /* of the tree: the frame's own, or below it */
	uint32_t best; /* the callee with the most time, NODE_NONE */
	uint64_t calls;
	nsec time[CLOCKS], best_time; /* inclusive; the latter on the axis */
};

/* Takes a frame with its parts, in any order; of a frame that began before the range none. */
typedef void (*jank_take)(void *context, const struct jank_frame *, uint32_t node,
    const struct jank_part *parts, size_t count);

struct jank_query {
	const struct scope *scope; /* NULL: all threads */
	struct range range;
	struct str pattern; /* of full names of methods; empty: jank_frames, or a log's frames */
	uint32_t method; /* calls of it are the frames, whatever the pattern; 0: none */
	nsec budget; /* of every frame; 0: the display's period, or JANK_BUDGET; JANK_NO_BUDGET: none */
	jank_take take; /* is given every frame, cut ones, too, as it ends; NULL: not wanted */
	void *context;
};

/* A frame at 60 Hz. */
enum { JANK_BUDGET = 16700000 };
#define JANK_NO_BUDGET INT64_MAX

/* States of a thread of a text log. */
enum jank_state { JANK_RUNNING, JANK_RUNNABLE, JANK_SLEEPING, JANK_BLOCKED, JANK_STATES };
extern const enum jank_state jank_states[]; /* by task_class, of those from running to blocked */

struct jank_frame {
	nsec start; /* on the axis */
	nsec time[CLOCKS]; /* 0: it is open */
	nsec state[JANK_STATES]; /* 0 without scheduler events */
	uint32_t thread, method; /* of a timeline's without calls: of its slices, METHOD_NONE */
	uint32_t heaviest;  /* method at the end of the heaviest path; METHOD_NONE: it calls nothing */
	nsec heaviest_time; /* inclusive, in this frame, on the axis */
	bool cut;           /* it ends after the range, or not in the trace */
	bool slow;          /* SurfaceFlinger says so; of others, it ended after its deadline */
	nsec expected, deadline; /* its vsync, and when it was to end; deadline -1: not told */

	/* Members that only frames of logs have. */
	enum jank_source source;
	bool open;        /* SurfaceFlinger's, not ended: it has no length */
	int8_t drew;      /* something drew it: 1 or 0; -1: not known */
	uint32_t process, pid; /* index + 1 of log.processes, and its id; 0: none */
	uint32_t layers;  /* SurfaceFlinger's frames that it is of */
	uint32_t janks;   /* bits of log_janks */
	int64_t token;    /* vsync id; 0: none */
	nsec ui, render;  /* time in doFrame, in DrawFrames; -1: not known */
	enum jank_cause cause; /* of a slow one */
	struct range called, drawn; /* from the first doFrame, or call that draws, to the last; to 0: none */
	nsec drawn_first; /* end of the first call that draws; 0: none */
	uint32_t drawer;  /* the thread of that */
	bool queued;      /* queueBuffer drew it */
	int64_t display;  /* token of the display's frame that shows it; 0: none */
	nsec shown;       /* when that ended; -1: not known */
};

struct jank {
	struct jank_frame *frames; /* by start, then by thread; of a log's by process and token */
	uint32_t count;
	uint64_t total; /* frames in the range, those not kept, too */
	nsec budget;    /* of frames that are told none: asked for, or the median of the period */
	const char *counter; /* that tells the period; NULL: none */
	bool set;       /* the budget was asked for */
};

/* An order of struct jank_frame: by thread, then by time. */
int jank_thread_order(const void *, const void *);
/* NULL when cancelled; without frames, and `e` filled, when the pattern is bad or too costly. */
struct jank *jank_find(const struct profile *, const struct jank_query *, const atomic_bool *cancel,
    struct err *e);
void jank_free(struct jank *);
/* True if SurfaceFlinger tells of the frame. */
bool jank_is_told(const struct jank_frame *);
/* How much later it ended than it was to; false: not known. */
bool jank_over(const struct jank_frame *, enum clock_id axis, nsec *over);
/* Writes the budget of frames that are told none: "period 11.131 ms: VSP-period". */
void jank_budget_put(struct sbuf *, const struct jank *);
/*
 * joined.c: makes frames of a log's calls, which are in any order, and of SurfaceFlinger's.
 * Costs a sort of both.
 */
void jank_join(struct jank *, const struct profile *, const struct jank_query *);
/*
 * hitrace.c: sets token, vsync and deadline of a frame of OpenHarmony; false: its name does not
 * tell a deadline.
 */
bool hitrace_read(const struct trace *, struct jank_frame *);
/*
 * Sets which frames of OpenHarmony drew and what shows them, and, without a budget, deadlines of
 * threads that are not main; drops what is none.
 */
void hitrace_join(struct jank *rows, const struct trace *, const struct jank *calls, bool budget);
/* Has the trace frames?  Calls of the pattern, or what jank_find finds without one. */
bool jank_any(const struct trace *, struct str pattern);
