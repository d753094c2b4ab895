// SPDX-License-Identifier: Apache-2.0
/*
 * traceview: what Traceview's -r prints, in five blocks: totals, threads, single calls,
 * methods, calls again as the timeline has them.
 *
 * Differences from the original are listed in doc/traceview.md.  Threads are in the order
 * of their ids, calls in that of entry.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spool.h"
#include "profile/load/profile.h"
#include "report/sink.h"

/*
 * Every single call of a trace, in the order of entry, by Traceview's rules.
 *
 * Among the calls are "(context switch)" pseudo-calls: with two clocks, where wall time
 * went on by over 100 us more than CPU time; with CPU time only, where the next record
 * is another thread's.  In that case threads share a made-up axis on which only one runs
 * at a time.  An exit on an empty stack is ignored here, not adopted.
 *
 * The trace is decoded again, twice with CPU time only; calls are spooled, so that
 * memory does not grow with their number.  Times are microseconds.
 */

enum tv_clock { TV_CPU, TV_WALL, TV_DUAL };

#define TV_SWITCH METHOD_NONE

struct tv_call {
	uint32_t thread, method; /* of the trace; TV_SWITCH */
	int64_t cpu[2], real[2]; /* start, end */
	int64_t exclusive;       /* cpu */
};

struct tv_method {
	int64_t cpu_exclusive, cpu_inclusive, real_exclusive, real_inclusive;
	uint64_t calls, recursive_calls;
};

struct tv_thread {
	bool started, called;    /* has records; has calls */
	int64_t cpu[2], real[2]; /* of its first and last record */
	int64_t cpu_inclusive, real_inclusive; /* of its root */
};

struct tvcalls {
	enum tv_clock clock;
	struct spool calls; /* struct tv_call */
	struct tv_method *methods; /* by method of the trace */
	uint32_t method_count;
	struct tv_thread *threads; /* by thread of the trace */
	uint32_t thread_count;
};

/*
 * `folder`: for the spool, when it is needed.  False when cancelled or out of space.
 * Release in both cases.
 */
bool tvcalls_make(struct tvcalls *, const struct profile *, const char *folder,
    const atomic_bool *cancel, struct err *e);
void tvcalls_release(struct tvcalls *);

void traceview_write(struct sink *, const struct trace *, struct tvcalls *);
