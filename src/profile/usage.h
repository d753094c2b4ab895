/*
 * usage: what the cores did over a stretch of a log: by core, process, thread and state,
 * and what its counters were.
 *
 * A value of its own: immutable, holds no pointer into the profile.  All times are
 * nanoseconds clipped to the stretch at both ends, so that those of adjacent stretches add
 * up; an interval counts in each with which it shares time.  Rows come in the order in
 * which they were met; whoever shows them sorts.
 */
#ifndef SLOWTOP_PROFILE_USAGE_H
#define SLOWTOP_PROFILE_USAGE_H

#include <stdatomic.h>

#include "profile/profile.h"
#include "profile/range.h"
#include "profile/scope.h"
#include "trace/log.h"

struct usage_core {
	uint32_t cpu;
	bool met;        /* it has records */
	bool switched;   /* it has scheduler events: the times mean something */
	nsec lost;       /* in the whole log: who ran is not known */
	nsec ran, idle;  /* the threads in scope; all threads for `idle` */
	uint64_t runs;
};

struct usage_thread {
	nsec ran;
	uint64_t runs;   /* times that it was on a core */
	nsec longest;
};

struct usage_process {
	nsec ran;
	uint64_t runs;
	uint32_t threads; /* that ran */
};

/* A thread on a core. */
struct usage_share {
	uint32_t thread, cpu;
	nsec ran;
	uint64_t runs;
};

/* A thread in a state. */
struct usage_state {
	uint32_t thread;
	uint8_t state; /* enum task_state */
	uint8_t io;    /* enum interval_io */
	uint64_t count;
	nsec total, least, most;
};

struct usage_frequency {
	uint32_t cpu, khz;
	nsec time;
};

struct usage_counter {
	uint64_t count; /* values set within; 0: only one from before, or none */
	bool known;     /* it has a value at some time of the stretch */
	int64_t first, last, min, max;
	double average; /* weighted by how long each value held */
};

struct usage {
	struct range range; /* as counted: within the log */
	struct usage_core *cores;
	uint32_t core_count;
	struct usage_thread *threads; /* by thread of the trace */
	uint32_t thread_count;
	struct usage_process *processes; /* by index + 1 of the log's; 0: of threads without */
	uint32_t process_count;
	struct usage_share *shares;
	size_t share_count, share_room;
	struct usage_state *states;
	size_t state_count, state_room;
	struct usage_frequency *frequencies; /* of a core one after another, longest first */
	size_t frequency_count, frequency_room;
	struct usage_counter *counters; /* by counter of the log */
	uint32_t counter_count;
	nsec ran, idle; /* all cores */
};

/* What one thread did: how long it was in each state, and who woke it first and last. */
struct usage_split {
	nsec time[TASK_STATES][IO_YES + 1];
	uint32_t waker; /* thread that woke it last; SCHED_NONE */
	uint32_t caller; /* where it was blocked longest: index + 1 of the log's texts, 0 none */
	uint64_t sleeps;
};

/* Costs the log's intervals; false when cancelled. */
bool usage_split(const struct profile *, uint32_t thread, const struct range *,
    struct usage_split *, const atomic_bool *cancel);

/* Costs the log's intervals, steps and counter values.  NULL when cancelled. */
struct usage *usage_new(const struct profile *, const struct scope *, const struct range *,
    const atomic_bool *cancel);
void usage_free(struct usage *);

#endif
