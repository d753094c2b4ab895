// SPDX-License-Identifier: Apache-2.0
/*
 * starts: how the apps of a log started: when, for how long, and in which phases.
 *
 * Android's starts are what the system server tells of them: asynchronous slices
 * "launchingActivity#N" with a moment "launchingActivity#N:completed-warm:PACKAGE" (since 13),
 * "launching: PACKAGE" before, from "MetricsLogger:launchObserverNotifyIntentStarted" on where
 * that is told.  A log with none of these has hot ones: from "activityResume" on a main thread until the
 * process drew a frame.  OpenHarmony's have a slice for each phase, the app's "HandleLaunchAbility(...)
 * ##PACKAGE" among them; without that there is no start.
 *
 * The result borrows the trace's texts; times are nanoseconds since the log's begin.
 * Costs the records of the threads with such slices, those of threads with frames (jank.h), and for
 * each start those of its process and what critical_find takes of its phases.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/log/critical.h"
#include "profile/sum/range.h"
#include "profile/timeline/jank.h"

enum start_phase {
	/* Android */
	START_LAUNCH_DELAY, /* before the process's first slice */
	START_BIND,
	START_ACTIVITY,
	START_RESUME,
	START_FIRST_FRAME,
	/* OpenHarmony; each but the frames lasts until the next one that is there */
	START_TOUCH,
	START_BY_SCB,
	START_LOAD_ABILITY,
	START_ATTACH,
	START_LAUNCH_ABILITY,
	START_FOREGROUND,
	START_APP_FRAME,
	START_RENDER_FRAME,
	START_OTHER, /* the rest */
	START_PHASES
};

extern const char *const start_phase_names[START_PHASES];

enum start_type { START_UNTOLD, START_COLD, START_WARM, START_HOT, START_TYPES };

extern const char *const start_type_names[START_TYPES];

struct start_part {
	nsec from, to; /* to < from: it has no such phase */
	nsec time;     /* of START_OTHER no one stretch */
	nsec state[JANK_STATES]; /* of the main thread; 0 without scheduler events */
	struct critical_sum cause; /* the largest that is not running; its time 0: none, or not known */
};

struct app_start {
	nsec from, to;
	nsec state[JANK_STATES];
	nsec initial, full; /* to the first and to the full display, since `from`; -1: not told */
	uint32_t thread;    /* main; THREAD_NONE: not known */
	uint32_t process;   /* index + 1 of the log's; 0: not known */
	enum start_type type;
	char package[128];  /* as the file has it, cut */
	struct start_part parts[START_PHASES];
};

enum { STARTS_MAX = 64 };

struct starts {
	struct app_start *items; /* in order of time */
	size_t count; /* the first STARTS_MAX */
};

/* The starts that begin in the range; false when cancelled.  starts_release. */
bool starts_find(const struct profile *, const struct range *, struct starts *,
    const atomic_bool *cancel);
void starts_release(struct starts *);
