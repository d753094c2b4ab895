/*
 * gap: what is assumed of the time between two events of a thread.
 *
 * In a dual-clock trace a gap with over 100 us more wall than CPU time is one in which
 * the thread slept (Traceview's context switch).  When it slept is not recorded: it is
 * put in the middle, half of the CPU time before it and half after it, as Traceview
 * does.  In other gaps the CPU time is spread evenly.  All times are nanoseconds.
 */
#ifndef SLOWTOP_PROFILE_GAP_H
#define SLOWTOP_PROFILE_GAP_H

#include "trace/trace.h"

/* More wall than CPU time by this much is sleep. */
#define GAP_SLEEP_MIN ((nsec)100000)

struct gap {
	nsec wall_from, wall_to, cpu_from, cpu_to;
};

static inline bool
gap_sleeps(const struct gap *g)
{
	return g->wall_to - g->wall_from - (g->cpu_to - g->cpu_from) > GAP_SLEEP_MIN;
}

/* CPU time before the sleep and after it. */
static inline nsec
gap_head(const struct gap *g)
{
	return (g->cpu_to - g->cpu_from) / 2;
}

static inline nsec
gap_tail(const struct gap *g)
{
	return g->cpu_to - g->cpu_from - gap_head(g);
}

/*
 * The CPU clock at a wall time within the gap: cpu_from at its beginning, cpu_to at its
 * end, never descending, so that the pieces of a gap that is cut add up.
 */
nsec gap_cpu_at(const struct gap *, nsec wall);

#endif
