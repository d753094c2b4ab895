// SPDX-License-Identifier: Apache-2.0
/*
 * worker: a few threads that run one function and are joined.
 *
 * Threads share only what `arg` points to; the function divides the work (by index, or by
 * an atomic counter in `arg`).  Signals that a program handles are blocked in these
 * threads, so that only the main thread is interrupted; signals of a fault (SIGBUS and
 * its like) are not blocked.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * crew: threads that work in rounds.
 *
 * All threads, the caller's among them, begin a round together, and the round ends when
 * the last is done; between rounds only the caller runs.  So every thread reads without a
 * lock what any thread wrote in the round before.
 */

struct crew;

/* One worker's part of a round; the caller is worker 0. */
typedef void crew_work(void *arg, unsigned worker);

/* `count` workers, 1 to WORKER_MAX + 1.  NULL when their threads cannot be started. */
struct crew *crew_new(unsigned count, crew_work *, void *arg);
void crew_round(struct crew *);
/* NULL is fine. */
void crew_free(struct crew *);

/*
 * notify: wakes a poll loop from another thread or from a signal handler.
 *
 * Posts before the loop looks are one wake-up.  Owns a pipe until notify_close.
 */

struct notify {
	int fd; /* poll this for reading */
	int in; /* the other end of the pipe */
};

bool notify_open(struct notify *, struct err *);
/* Posts, from any thread or signal handler; never waits, leaves errno alone. */
void notify_post(const struct notify *);
/* True if there was a post since the last call; by the loop only. */
bool notify_take(const struct notify *);
void notify_close(struct notify *);

/*
 * clock: time that passes, whatever the date is set to.
 *
 * Since some moment in the past, the same for all calls in a process; it never runs
 * backwards.
 */

uint64_t clock_us(void);
int64_t clock_ms(void);

struct worker_pool;

/* `index` counts from 0. */
typedef void worker_run(unsigned index, void *arg);

enum { WORKER_MAX = 64 };

/*
 * Starts `count` threads (at most WORKER_MAX).  `done` (or NULL) is posted each time
 * one has returned; it and `arg` must live until worker_join.  False if not all could
 * be started, and then none has run.
 */
bool worker_start(struct worker_pool **out, unsigned count, worker_run *run, void *arg,
    const struct notify *done, struct err *);

/*
 * Runs it `count` times, with indexes from 0, and returns when all are done: the first on the
 * calling thread, each other on one of its own; all on the first if those cannot be started.
 */
void worker_all(unsigned count, worker_run *run, void *arg);

/* Threads that have not returned; what the others wrote can be read. */
unsigned worker_running(const struct worker_pool *);

/* Waits for all and gives the memory back.  NULL is fine. */
void worker_join(struct worker_pool *);

/*
 * Blocks in the calling thread what a thread that it starts now is to have blocked: all
 * signals but those of its own faults.  For threads outside a pool.
 */
void worker_block_signals(sigset_t *old);

/*
 * The calling thread, and those that it starts from now on, let other threads of the process
 * have the processor first.  It cannot be undone.
 */
void worker_behind(void);

/* Is the flag true?  Without one (NULL), never. */
static inline bool
is_cancelled(const atomic_bool *cancel)
{
	return cancel != NULL && atomic_load_explicit(cancel, memory_order_relaxed);
}

/* Processors that this process may use, at least 1. */
unsigned worker_processors(void);
