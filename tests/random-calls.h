// SPDX-License-Identifier: Apache-2.0
/*
 * random-calls: every call of a random trace with its times, found in a plain way.
 *
 * What tests of the engine compare with: one pass over the records, one stack a thread,
 * nothing clever.
 */
#pragma once

#include <stdbool.h>

#include "profile/load/profile.h"
#include "random-trace.h"
#include "trace/event.h"

enum { SLEEP_US = 100 }; /* off the CPU for longer: asleep */

struct ref_call {
	int method, depth;
	nsec enter[CLOCKS], leave[CLOCKS], own[CLOCKS];
	bool before, unfinished;
};

/* A stretch between two records of a thread. */
struct stretch {
	int call; /* index, -1: nothing open */
	nsec from[CLOCKS], to[CLOCKS];
};

struct ref_thread {
	struct ref_call *calls;
	int call_count;
	struct stretch *stretches;
	int *top_after; /* call on top after the stretch */
	int count;
	int stack[RANDOM_RECORDS], depth, adopted;
	bool started;
	nsec now[CLOCKS];
	int *entered; /* methods adopted, in the order of their exits */
	int entered_count;
};

extern struct ref_thread ref[RANDOM_THREADS];

/* The reference of random_records unchanged; reference_free before the next. */
void reference_make(void);
void reference_free(void);
/* Some random traces, each loaded and with its reference made. */
void reference_rounds(void (*check)(struct profile *));

/* CPU time of a stretch up to a wall time within it: where it slept, half of it before that. */
nsec reference_cpu(const struct stretch *, nsec wall);

/* How much of [a, b) is within [from, to). */
nsec overlap(nsec a, nsec b, nsec from, nsec to);
