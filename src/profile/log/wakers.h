// SPDX-License-Identifier: Apache-2.0
/*
 * wakers: what one thread of a log did at a time, what woke it, and the wait that it was in.
 *
 * Found in the log's intervals (trace/sched.h) on demand; nothing is kept.  Functions cost
 * the intervals between the wakeups, at worst all.
 */
#pragma once

#include <stdatomic.h>

#include "profile/sum/range.h"
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

/*
 * The wakeup that ends the sleep of a thread at `at`; of one that does not sleep then, the
 * last before.  False when there is none, or when cancelled.
 */
bool wakers_last(const struct log *, uint32_t thread, nsec at, struct wake *,
    const atomic_bool *cancel);
/* Finds a thread's state at a time; false when that is not known. */
bool wakers_state(const struct log *, uint32_t thread, nsec at, struct interval *,
    const atomic_bool *cancel);
/*
 * From when its state at a time began to when it runs; where it runs, the wait before that,
 * from when it left its core.  False when it is not known, or there is none.
 */
bool wakers_wait(const struct log *, uint32_t thread, nsec at, struct range *,
    const atomic_bool *cancel);
/*
 * The longest time within [from, to) in which it did not run, clipped to that, the first of
 * several; `*ran`: how long it ran there.  False when there is none, or when cancelled.
 */
bool wakers_longest(const struct log *, uint32_t thread, const struct range *within,
    struct range *wait, nsec *ran, const atomic_bool *cancel);
