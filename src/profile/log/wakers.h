/*
 * wakers: the thread that woke a thread of a log, and the chain of wakers before it.
 *
 * Found in the log's intervals (trace/sched.h) on demand; nothing is kept.  Functions cost
 * the intervals between the wakeups, at worst all.
 */
#pragma once

#include <stdatomic.h>

#include "trace/log.h"

/* A thread is woken. */
struct wake {
	uint32_t thread;
	uint32_t waker; /* as interval.waker */
	nsec slept;     /* since when it slept; -1: not known */
	nsec at;
	nsec ran;       /* when it came on a core; -1: not in the log */
	uint32_t caller; /* of a blocked one: index + 1 of log.texts, 0 not told */
	uint8_t state;  /* what it slept in, enum task_state */
	uint8_t io;     /* enum interval_io */
	uint16_t cpu;   /* that it came on */
};

enum { WAKERS_MAX = 64 };

/*
 * The wakeup that ends the sleep of a thread at `at`; of one that does not sleep then, the
 * last before.  False when there is none, or when cancelled.
 */
bool wakers_last(const struct log *, uint32_t thread, nsec at, struct wake *,
    const atomic_bool *cancel);
/*
 * The wakeup of wakers_last, then that of its waker, and so on back in time up to one by
 * an interrupt; returns how many.
 */
size_t wakers_chain(const struct log *, uint32_t thread, nsec at,
    struct wake wakes[static WAKERS_MAX], const atomic_bool *cancel);

/* What a thread did at a time; false when that is not known. */
bool wakers_state(const struct log *, uint32_t thread, nsec at, struct interval *,
    const atomic_bool *cancel);
