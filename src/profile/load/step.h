// SPDX-License-Identifier: Apache-2.0
/*
 * step: what a record did, and what is assumed of the time since the last one of its thread.
 *
 * In a dual-clock trace a step with over 100 us more wall than CPU time is one in which
 * the thread slept (Traceview's context switch).  When it slept is not recorded: it is
 * put in the middle, half of the CPU time before it and half after it, as Traceview
 * does.  In other steps the CPU time is spread evenly.  All times are nanoseconds.
 */
#pragma once

#include <stdbool.h>

#include "base/wide.h"
#include "trace/event.h"

/* More wall than CPU time by this much is sleep. */
#define SLEEP_MIN ((nsec)100000)

/* The time [from, to] was spent with `before` on top. */
struct step {
	uint32_t thread;
	uint32_t before, after; /* nodes; `after` is a child of `before` at an entry */
	bool first;             /* the thread's first event: no time before it */
	uint32_t word;          /* method and action as recorded (trace/event.h) */
	uint64_t inside;        /* calls open within `before`, if it is (other), the first not counted */
	nsec from[CLOCKS], to[CLOCKS];
	uint64_t offset; /* of the record */
	uint64_t order;  /* how many records come before */
};

/* Returns false to stop. */
typedef bool (*visit_step)(void *context, const struct step *);

static inline nsec
step_cpu(const struct step *s)
{
	return s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
}

static inline bool
step_sleeps(const struct step *s)
{
	return s->to[CLOCK_WALL] - s->from[CLOCK_WALL] - step_cpu(s) > SLEEP_MIN;
}

/* CPU time before the sleep and after it. */
static inline nsec
step_head(const struct step *s)
{
	return step_cpu(s) / 2;
}

static inline nsec
step_tail(const struct step *s)
{
	return step_cpu(s) - step_head(s);
}

/*
 * The CPU clock at a wall time within the step: from its beginning to its end, never
 * descending, so that the pieces of a step that is cut add up.
 */
static inline nsec
step_cpu_at(const struct step *s, nsec wall)
{
	nsec since = wall - s->from[CLOCK_WALL], left = s->to[CLOCK_WALL] - wall;

	if (left <= 0)
		return s->to[CLOCK_CPU];
	if (since <= 0)
		return s->from[CLOCK_CPU];
	if (!step_sleeps(s))
		return s->from[CLOCK_CPU] +
		       (nsec)wide_div(wide_mul((uint64_t)step_cpu(s), (uint64_t)since),
			   (uint64_t)(since + left));
	if (since <= step_head(s))
		return s->from[CLOCK_CPU] + since;
	if (left <= step_tail(s))
		return s->to[CLOCK_CPU] - left;
	return s->from[CLOCK_CPU] + step_head(s);
}

/* The CPU clock at a wall time within the step, its time spread evenly: for one thread's figures. */
static inline nsec
step_cpu_share(const struct step *s, nsec wall)
{
	nsec since = wall - s->from[CLOCK_WALL], length = s->to[CLOCK_WALL] - s->from[CLOCK_WALL];

	if (since <= 0 || length <= 0)
		return s->from[CLOCK_CPU];
	return since >= length ? s->to[CLOCK_CPU] : s->from[CLOCK_CPU] +
	    (nsec)wide_div(wide_mul((uint64_t)step_cpu(s), (uint64_t)since), (uint64_t)length);
}

/* Both clocks at a time on the axis (profile.h) within the step. */
static inline void
step_times_at(const struct step *s, enum clock_id axis, nsec at, nsec out[CLOCKS])
{
	out[CLOCK_CPU] = axis == CLOCK_WALL ? step_cpu_at(s, at) : at;
	out[CLOCK_WALL] = axis == CLOCK_WALL ? at : 0;
}
