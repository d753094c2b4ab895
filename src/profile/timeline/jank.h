// SPDX-License-Identifier: Apache-2.0
/*
 * jank: frames of the display, or other calls that have a budget: how long each took, what
 * took most of it, and what its thread did meanwhile.
 *
 * A frame is a call of one of the query's methods that begins in the range and is not within
 * another one on its thread.  It ends where its call ends, at the latest with the range; it says so
 * when it was cut.  The heaviest path goes from the frame's node to the callee with the most
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

/*
 * Frames as platforms name them: Android's choreographer and render thread, OpenHarmony's vsync
 * and render service; and what an app does when it starts.
 */
extern const char jank_frames[];

struct jank_query {
	const struct scope *scope; /* NULL: all threads */
	struct range range;
	struct str pattern; /* of full names of methods; empty: jank_frames */
};

/* States of a thread of a text log. */
enum jank_state { JANK_RUNNING, JANK_RUNNABLE, JANK_SLEEPING, JANK_BLOCKED, JANK_STATES };

struct jank_frame {
	nsec start; /* on the axis */
	nsec time[CLOCKS];
	nsec state[JANK_STATES]; /* 0 without scheduler events */
	uint32_t thread, method;
	uint32_t heaviest;  /* method at the end of the heaviest path; METHOD_NONE: it calls nothing */
	nsec heaviest_time; /* inclusive, in this frame, on the axis */
	bool cut;           /* it ends after the range, or not in the trace */
};

struct jank {
	struct jank_frame *frames; /* by start, then by thread */
	uint32_t count;
	uint64_t total; /* frames in the range, those not kept, too */
};

/* NULL when cancelled; without frames, and `e` filled, when the pattern is bad or too costly. */
struct jank *jank_find(const struct profile *, const struct jank_query *, const atomic_bool *cancel,
    struct err *e);
void jank_free(struct jank *);
/* Has the trace such methods?  Those of the pattern, or of jank_frames. */
bool jank_any(const struct trace *, struct str pattern);
