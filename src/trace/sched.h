// SPDX-License-Identifier: Apache-2.0
/*
 * sched: what each thread did between scheduler events: ran on a core, waited for one,
 * slept.
 *
 * Fed in order of time, it makes one interval for each state of each thread and keeps
 * every thread's CPU clock: the time that it ran so far.  What damaged logs show is in
 * the comments of sched.c.  Times are nanoseconds of the trace, threads rows of it.
 *
 * Intervals are in the order of their ends, on disk but for the first megabytes (spool.h).
 * Reading them from several threads is safe while none feeds.  Zero-initialise,
 * sched_init, sched_release.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/spool.h"
#include "base/str.h"
#include "base/worker.h"
#include "trace/event.h"

enum task_state {
	TASK_UNKNOWN,
	TASK_RUNNING,
	TASK_RUNNABLE,
	TASK_PREEMPTED,
	TASK_SLEEPING,
	TASK_BLOCKED,
	TASK_BLOCKED_KILLABLE,
	TASK_STOPPED,
	TASK_TRACED,
	TASK_EXITED,
	TASK_ZOMBIE,
	TASK_DEAD,
	TASK_IDLE,
	TASK_WAKE_KILL,
	TASK_WAKING,
	TASK_PARKED,
	TASK_NO_LOAD,
	TASK_OTHER,
	TASK_STATES
};

enum task_class {
	TASK_CLASS_NONE,
	TASK_CLASS_RUNNING,
	TASK_CLASS_RUNNABLE,
	TASK_CLASS_SLEEP,
	TASK_CLASS_BLOCKED, /* told apart by interval.io */
	TASK_CLASS_STOPPED,
	TASK_CLASS_DEAD,
	TASK_CLASS_OTHER,
	TASK_CLASSES
};

struct task_state_info {
	const char *letters; /* as sched_switch prints it */
	const char *name;
	enum task_class class;
};

extern const struct task_state_info task_states[TASK_STATES];

/* prev_state as text or as a number. */
enum task_state task_state_parse(struct str);

enum interval_io { IO_UNTOLD, IO_NO, IO_YES };

#define SCHED_NONE UINT32_MAX
/* The waker is an interrupt, whatever thread it interrupted. */
#define SCHED_INTERRUPT (UINT32_MAX - 1)
/* The log does not tell the priority. */
#define SCHED_NO_PRIORITY INT32_MIN

struct interval {
	nsec from, to;
	uint32_t thread;
	/* Ended the sleep before a runnable state: a thread, SCHED_INTERRUPT or SCHED_NONE. */
	uint32_t waker;
	uint32_t caller; /* what a blocked thread waits in: index + 1 of log.texts, or 0 */
	int32_t priority; /* of a running thread, or SCHED_NO_PRIORITY */
	uint16_t cpu;    /* of a running thread */
	uint8_t state;   /* enum task_state */
	uint8_t next;    /* of a running thread: the state it left the core for */
	uint8_t io;      /* enum interval_io */
};

/* A core. */
struct sched_cpu {
	bool met;        /* it has a line */
	bool switched;   /* it has a switch */
	bool presumed;   /* `current` was taken from a line before the first switch */
	bool gap;        /* events were lost: the running thread is not known, whatever
	                  * `current` was */
	uint32_t current; /* thread; SCHED_NONE: idle, or not known */
	uint32_t first;  /* thread that its first switch left, see sched_again */
	bool first_known;
	nsec start;      /* its data begin here */
	nsec since;      /* of idle time or of a gap */
	nsec last;       /* its last line, or time that it is credited with */
	nsec ran, idle, lost;
};

struct sched_task;

/* The earliest begin and the latest end of SCHED_SPAN intervals. */
struct sched_span {
	nsec from, to;
};

enum { SCHED_SPAN = 1024 };

/* A look at the flag now and then, by the items gone through; true when to stop. */
static inline bool
sched_stopped(const atomic_bool *cancel, uint64_t item)
{
	return item % SCHED_SPAN == 0 && is_cancelled(cancel);
}

/* A span of unknown activity of a core: events were lost, or it had no data yet. */
struct sched_gap {
	nsec from, to;
	uint32_t cpu;
};

struct sched {
	struct spool intervals; /* struct interval */
	struct sched_span *spans; /* of each SCHED_SPAN of them */
	size_t span_room;
	struct spool gaps;      /* struct sched_gap, as they end */
	struct sched_cpu *cpus; /* by number */
	size_t cpu_count, cpu_room;
	struct sched_task *tasks; /* by thread */
	size_t task_count, task_room;
	/* A thread begins or ends to run; its clock is at sched_clock. */
	void (*ran)(void *context, uint32_t thread, nsec at);
	void *context;
	uint64_t switches, wakeups, wakings, ignored_wakeups, blocked_reasons, dropped_reasons;
	bool wrong;    /* something presumed of a core turned out false */
	struct err e;  /* no space for intervals or gaps: they end there */
};

void sched_init(struct sched *, const char *folder);
void sched_release(struct sched *);
/*
 * Forgets all; with `firsts` all but the facts of first switches, once everything was
 * fed: a second pass then presumes nothing false.
 */
void sched_again(struct sched *, bool firsts);

/*
 * Every line: its core, and the thread that was on it (SCHED_NONE: the idle task).  With
 * `presume` the thread is taken as running there until a switch tells.
 */
void sched_line(struct sched *, nsec at, uint32_t cpu, uint32_t thread, bool presume);
/* "CPU n buffer started": there is nothing of the core before its next line. */
void sched_buffer(struct sched *, uint32_t cpu);
/* Events of the core were lost after its last line. */
void sched_lost(struct sched *, uint32_t cpu);

struct sched_switch {
	nsec at;
	uint32_t cpu;
	uint32_t prev, next; /* SCHED_NONE: the idle task */
	int32_t next_priority;
	enum task_state state; /* of prev */
};

/*
 * False when it contradicts what was known: `prev` was not on that core, or `next` is on
 * another.  The later of the two holds; what the core, or the thread, did before is credited
 * to no thread.
 */
bool sched_switch(struct sched *, const struct sched_switch *);
void sched_wakeup(struct sched *, nsec at, uint32_t thread, uint32_t waker);
void sched_waking(struct sched *, nsec at, uint32_t thread, uint32_t waker);
void sched_blocked(struct sched *, uint32_t thread, bool io, uint32_t caller);
/* The end of the trace: closes all that is open. */
void sched_end(struct sched *, nsec at);

/* Its state before the end, for a log that goes on after it.  Zero-initialise. */
struct sched_mark {
	struct sched_task *tasks;
	struct sched_cpu *cpus;
	struct sched_span span; /* of the last intervals */
	uint64_t intervals, gaps;
	size_t task_count, cpu_count;
};
void sched_mark_take(struct sched_mark *, const struct sched *);
/* Has it as it was then, and releases the mark. */
void sched_mark_give(struct sched_mark *, struct sched *);
void sched_mark_release(struct sched_mark *);

/* How long a thread ran up to `at`, which is not before what was fed last. */
nsec sched_clock(const struct sched *, uint32_t thread, nsec at);

static inline const struct interval *
sched_interval(const struct sched *s, uint64_t index)
{
	return spool_peek(&s->intervals, index);
}

/*
 * Iterates over intervals that may overlap [from, to): returns the next, from `*index`
 * on, and moves the index to it; NULL after the last.  Spans without overlap are left
 * out.
 */
static inline const struct interval *
sched_within(const struct sched *s, uint64_t *index, nsec from, nsec to)
{
	while (*index < s->intervals.count && *index % SCHED_SPAN == 0) {
		const struct sched_span *span = &s->spans[*index / SCHED_SPAN];

		if (span->to >= from && span->from < to)
			break;
		*index += SCHED_SPAN;
	}
	return *index < s->intervals.count ? sched_interval(s, *index) : NULL;
}
