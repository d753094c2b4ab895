// SPDX-License-Identifier: Apache-2.0
/*
 * vsync: when the display of a log refreshes, by the counters of the trace.
 *
 * SurfaceFlinger writes the period (VSP-period, VsyncPeriod), or a value that changes with each
 * vsync (VSYNC-app, VSYNC-sf, HW_VSYNC_*).  Costs one pass over the samples of counters, and
 * memory for VSYNC_MOST of each of these at most.
 */
#pragma once

#include <stdint.h>

#include "trace/event.h"

struct log;

/* Values and changes kept: the first. */
enum { VSYNC_MOST = 1 << 20 };

struct vsync_value {
	nsec at, period;
};

struct vsync {
	const char *counter; /* that tells the period; NULL: none does */
	nsec period;         /* the median; 0: not known */
	struct vsync_value *periods; /* in order of time; of counters that tell it */
	uint32_t period_count;
	struct vsync_value *app; /* vsyncs of apps, in order of time */
	uint32_t app_count;
};

void vsync_find(struct vsync *, const struct log *);
void vsync_release(struct vsync *);
/* The period at a time; 0: not known. */
nsec vsync_period(const struct vsync *, nsec at);
/* The last vsync of apps up to a time that is at most so much earlier, or else the time. */
nsec vsync_before(const struct vsync *, nsec at, nsec most);
