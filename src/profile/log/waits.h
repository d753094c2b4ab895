// SPDX-License-Identifier: Apache-2.0
/*
 * waits: why a thread of a log did not run: what had the core that it waited for, or what the
 * thread did that woke it, and so on back to where the time was spent.
 *
 * Rows are a tree in the order of time.  A wait has below it what explains it, and the rows
 * without any below them, the leaves, cover the whole time once: doc/accounting.md has the
 * rules.  A value of its own.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/sum/range.h"
#include "trace/log.h"

enum wait_kind {
	WAIT_FOLLOWED,  /* a wait that the rows below it explain: no leaf */
	WAIT_RAN,       /* the thread ran, which woke the one above at last */
	WAIT_HELD,      /* the thread ran on the core that the one above waited for */
	WAIT_IDLE,      /* that core was idle; `thread` is the one that waits */
	WAIT_INTERRUPT, /* the thread slept until an interrupt: a timer, a device, the network */
	WAIT_UNKNOWN,   /* the log does not tell, or the limits were met */
	WAIT_KINDS
};

struct wait_row {
	nsec from, to;
	uint32_t thread;
	uint32_t waker;  /* of a sleep: what ended it; of a wait for a core: what began it;
	                  * as interval.waker */
	uint32_t caller; /* what a blocked thread waited in: index + 1 of log.texts, or 0 */
	uint32_t method; /* the slice in the middle of a run; METHOD_NONE: none */
	uint32_t depth;
	uint32_t cpu;    /* that it ran on, or waited for; UINT32_MAX: none, not known */
	uint8_t kind;    /* enum wait_kind */
	uint8_t state;   /* enum task_state; TASK_UNKNOWN: not known, or an idle core */
	uint8_t io;      /* enum interval_io */
};

struct waits {
	struct range range; /* of the wait */
	/* Set by waits_longest: the range it looked in, and how long the thread ran there. */
	bool longest;
	struct range within;
	nsec ran;
	nsec spent[WAIT_KINDS]; /* by leaves; their sum is the length of the range */
	struct wait_row *rows;
	size_t count, room;
};

/* Deeper waits, and those after so many rows, are not followed; the longest runs have slices. */
enum { WAITS_DEPTH = 64, WAITS_ROWS = 10000, WAITS_WITHIN = 200000, WAITS_SLICES = 1000 };

/*
 * The wait that the thread is in at `at`: from when its state began to when it runs; where it
 * runs, the wait before, from when it left its core.  No rows when it is not known what it
 * did.  Costs the log's intervals; false when cancelled.  waits_release.
 */
bool waits_find(const struct profile *, uint32_t thread, nsec at, struct waits *,
    const atomic_bool *cancel);
/* The longest wait of the thread within [from, to), as far as it is within; else the same. */
bool waits_longest(const struct profile *, uint32_t thread, const struct range *within,
    struct waits *, const atomic_bool *cancel);
/* All that the thread did within a stretch, runs, too; no slices are looked up. */
bool waits_within(const struct profile *, uint32_t thread, const struct range *, struct waits *,
    const atomic_bool *cancel);
void waits_release(struct waits *);
