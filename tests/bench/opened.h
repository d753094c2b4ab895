// SPDX-License-Identifier: Apache-2.0
/*
 * opened: a trace as the benchmarks of the engine have it, step by step, and clocks.
 *
 * Zero-initialise.  Errors are the callee's; out of memory ends the program.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"
#include "profile/load/profile.h"
#include "profile/timeline/timeline.h"
#include "trace/trace.h"

/* A picture of the timeline: as many cells as a large terminal has. */
enum { ROWS_MAX = 60, COLUMNS = 300 };

struct opened {
	struct trace *trace;
	struct profile *profile;
	struct overview *overview;
	uint32_t threads[ROWS_MAX], rows;
	struct cell cells[ROWS_MAX * COLUMNS];
};

bool opened_trace(struct opened *, const char *path, struct err *);
/* jobs 0: as many workers as pay. */
bool opened_load(struct opened *, unsigned jobs, struct err *);
void opened_overview(struct opened *);
/* Draws the window into `cells`. */
void opened_draw(struct opened *, nsec from, nsec to);
void opened_release(struct opened *);

double seconds(clockid_t);
