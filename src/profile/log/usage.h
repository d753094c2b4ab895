// SPDX-License-Identifier: Apache-2.0
/*
 * usage: what the cores did in a range of a log: by core, process, thread and state, and
 * what its counters were.
 *
 * A value of its own: immutable, holds no pointer into the profile.  All times are
 * nanoseconds clipped to the range at both ends, so that those of adjacent ranges add up;
 * an interval counts in each with which it shares time.  Rows come in the order in which
 * they were met, unsorted.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/log/listed.h"
#include "profile/log/starts.h"
#include "profile/sum/range.h"
#include "trace/log.h"

struct usage_core {
	uint32_t cpu;
	bool met;        /* it has records */
	bool switched;   /* it has scheduler events: the times mean something */
	nsec ran, idle;  /* the threads in scope; all threads for `idle` */
	nsec unknown;    /* which thread ran */
	uint64_t runs;
};

struct usage_thread {
	nsec ran;
	nsec unknown;    /* how long it is not known what it did */
	uint64_t runs;   /* times that it was on a core */
	nsec longest, longest_at;
	uint64_t left, preempted; /* runs that ended by going to sleep, and otherwise */
	/* Wakeups, and how long it then waited for a core. */
	uint64_t wakeups;
	nsec waited, waited_most, waited_at;
	uint32_t waker;  /* of its longest wait, as interval.waker */
	size_t share;    /* its first one, + 1; 0: it did not run */
};

struct usage_process {
	nsec ran, unknown; /* unknown: of each of its threads that ran */
	uint64_t runs;
	uint32_t threads; /* that ran */
};

/* A thread on a core. */
struct usage_share {
	uint32_t thread, cpu;
	size_t next; /* the same thread's on another core, + 1; 0: the last */
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
	nsec most_at;  /* when the longest began */
};

/* A priority of running threads. */
struct usage_priority {
	int32_t priority;
	uint32_t threads;
	uint64_t count;
	nsec total, least, most;
};

/* Where a thread was blocked. */
struct usage_block {
	uint32_t thread;
	uint32_t caller; /* index + 1 of the log's texts; 0: not told */
	uint8_t io;      /* enum interval_io */
	uint64_t count;
	nsec total, most, most_at;
};

/* A core at a frequency, or in an idle state. */
struct usage_step {
	uint32_t cpu;
	uint32_t value; /* kHz; level: 0 not idle, else one more than the kernel's number */
	nsec time;
	uint64_t count; /* stretches of it */
};

/* Steps of one core after another, the longest of each first. */
struct usage_steps {
	struct usage_step *items;
	size_t count, room;
};

struct usage_counter {
	uint64_t count; /* values set within; 0: only one from before, or none */
	bool known;     /* it has a value at some time of the stretch */
	double first, last, min, max;
	nsec max_at;
	double average; /* weighted by how long each value held */
};

/* A chain of the log's (log_chain), by its slices that begin within the stretch. */
struct usage_chain {
	uint64_t slices, changes; /* of thread, from one to the next */
	nsec from, to;
	uint32_t first; /* method of the first */
	uint32_t thread; /* of the last */
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
	struct usage_priority *priorities;
	size_t priority_count, priority_room;
	struct usage_block *blocks;
	size_t block_count, block_room;
	struct usage_steps frequencies, levels;
	struct usage_counter *counters; /* by counter of the log */
	uint32_t counter_count;
	struct usage_chain *chains; /* by chain of the log */
	uint32_t chain_count;
	nsec ran, idle, known; /* all cores; known: in which they ran a thread or were idle */
	struct starts starts; /* that begin in the range */
	struct usage_list list;
};

/* Causes that were met in a split, each once; the first USAGE_MET_MAX. */
struct usage_met {
	uint32_t what;  /* caller (index + 1 of the log's texts), or waker */
	uint8_t io;
	uint64_t count;
	nsec time;
};

enum { USAGE_MET_MAX = 16 };

/* The time that one thread was in each state, and why. */
struct usage_split {
	nsec time[TASK_STATES][IO_YES + 1];
	/* Where it was blocked, and its wakers, the most frequent first. */
	struct usage_met reasons[USAGE_MET_MAX], wakers[USAGE_MET_MAX];
	uint32_t reason_count, waker_count;
	bool waited;
	struct interval longest; /* of its sleeps; clipped */
};

/* Costs the log's intervals; false when cancelled. */
bool usage_split(const struct profile *, uint32_t thread, const struct range *,
    struct usage_split *, const atomic_bool *cancel);

/* `ask` may be NULL.  Costs the log's intervals, steps and counter values.  NULL when cancelled. */
struct usage *usage_new(const struct profile *, const struct scope *, const struct range *,
    const struct usage_ask *ask, const atomic_bool *cancel);
void usage_free(struct usage *);
