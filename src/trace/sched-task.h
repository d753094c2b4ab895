/*
 * sched-task: a thread as the scheduler has it; for the files of sched only.
 *
 * sched.c says who runs on which core, sched-wakeups.c who waits for one and why.
 */
#ifndef SLOWTOP_TRACE_SCHED_TASK_H
#define SLOWTOP_TRACE_SCHED_TASK_H

#include "trace/sched.h"

struct task {
	nsec since;
	nsec clock;      /* ran so far, without an open interval */
	nsec waking_at;  /* of the first sched_waking since it left the core; -1 none */
	uint64_t asleep; /* its last interval off the core and not runnable, + 1 */
	uint32_t waking_by, waker, caller;
	int32_t priority;
	uint16_t cpu;
	uint8_t state;   /* enum task_state */
	uint8_t io;
	bool switched;   /* a switch showed it */
};

/* There are so many, and this one. */
void sched_cpus_grow(struct sched *, uint32_t cpu);
void sched_tasks_grow(struct sched *, uint32_t thread);

static inline struct sched_cpu *
cpu_at(struct sched *s, uint32_t cpu)
{
	if (cpu >= s->cpu_count)
		sched_cpus_grow(s, cpu);
	return &s->cpus[cpu];
}

static inline struct task *
task_at(struct sched *s, uint32_t thread)
{
	if (thread >= s->task_count)
		sched_tasks_grow(s, thread);
	return &s->tasks[thread];
}

/* The state that a thread was in ends; it has none then. */
void sched_task_close(struct sched *, uint32_t thread, nsec at, enum task_state next);
void sched_task_open(struct sched *, uint32_t thread, nsec at, enum task_state);

#endif
