/*
 * sampling: tells traces that a sampler wrote from those of every call.
 *
 * Nothing in the file says so.  A sampler writes what changed on a stack since it last
 * looked, all with one time, so that most records have the time of the one before on
 * their thread; it never unwinds; and its looks are at least 100 us apart.  Judged by the
 * first records of the file, which bounds what it costs.
 */
#ifndef SLOWTOP_PROFILE_LOAD_SAMPLING_H
#define SLOWTOP_PROFILE_LOAD_SAMPLING_H

#include <stdbool.h>

#include "trace/event.h"

enum { SAMPLING_RECORDS = 1 << 17 }; /* more are not looked at */

struct sampling;

struct sampling *sampling_new(void);
void sampling_free(struct sampling *);

/* The next events; false when enough were seen, also for the calls after. */
bool sampling_watch(struct sampling *, const struct batch *);

/* By the events so far. */
struct sampled {
	bool yes;
	nsec interval; /* estimated time between two samples; 0 when that is not known */
};
struct sampled sampling_judge(struct sampling *);

#endif
