// SPDX-License-Identifier: Apache-2.0
/*
 * schedule: which thread of a simulated program runs next, on which core, and when.
 *
 * A core runs one task until that sleeps, ends or uses up its slice; then the task that
 * is due first takes its place.  The core with the earliest clock is always advanced
 * first, so that events of all cores come in the order of time.  Times are nanoseconds.
 *
 * The caller embeds `struct task` as the first member of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CORES_MAX = 64 };

struct task {
	int64_t wake;
};

struct core {
	int64_t now;       /* INT64_MAX when idle */
	int64_t slice_end; /* then another may have the core */
	struct task *task; /* NULL: nothing to run */
};

struct schedule {
	struct core cores[CORES_MAX];
	unsigned core_count;
	struct task **waiting; /* heap by time of wake */
	size_t waiting_count;
};

/* At most `tasks` will be waiting at once. */
void schedule_init(struct schedule *, unsigned cores, size_t tasks);
void schedule_release(struct schedule *);

/* A new task, or one that was taken off its core: it runs from `wake` on. */
void schedule_add(struct schedule *, struct task *, int64_t wake);
/* The core to advance next; without a task when none can run. */
struct core *schedule_next(struct schedule *);
/* The core's task goes on at `wake`; the core takes the next one. */
void schedule_yield(struct schedule *, struct core *, int64_t wake);
/* The core's task has ended. */
void schedule_end(struct schedule *, struct core *);
/* All tasks are due now. */
void schedule_wake_all(struct schedule *, int64_t now);
