// SPDX-License-Identifier: Apache-2.0
/*
 * events: the calls of a trace as entries and exits, for outputs that are made of events: in
 * the order of the file, or thread by thread.
 */
#pragma once

#include <stdatomic.h>

#include "base/spool.h"
#include "profile/index/closed.h"

/*
 * In the order of the file: what closed.h gives, as entries and exits that are told apart.  Threads
 * are interleaved as in the file.  Hidden methods are left out: what they call appears in their
 * caller.  Memory grows with threads and depth, not with records.
 */

struct convert;

struct visit_event {
	uint32_t thread, node, method; /* of the call */
	bool enter;                    /* else it is left */
	unsigned flags;                /* enum closed_flags, of an entry or an exit */
	uint64_t offset;               /* of an entry's record; UINT64_MAX: without one */
	nsec at[CLOCKS];               /* 0 on a clock that the trace lacks */
};

/* Each returns false to stop; `begin` and `end` may be NULL. */
struct visitor {
	/* Before the first event of a thread, at its first time in the window. */
	bool (*begin)(void *context, uint32_t thread, const nsec at[CLOCKS]);
	bool (*event)(void *context, const struct visit_event *);
	/* After the last one, at the thread's last time in the window. */
	bool (*end)(void *context, uint32_t thread, const nsec at[CLOCKS]);
};

/* Visits the calls that were asked for; false when cancelled or stopped.  Costs the records of the window. */
bool convert_visit(struct convert *, const struct visitor *, void *context);

/*
 * Sorted by thread, for formats that have one thread after the other: one pass over the
 * records; what it gives is spooled (base/spool.h), so that memory grows
 * with threads only, and can then be read as often as a format needs.  Zero-initialise,
 * bythread_make, bythread_release; one reader at a time.
 */

struct bythread_event {
	nsec at[CLOCKS];
	uint32_t node; /* entered or left */
	uint32_t enter;
};

struct bythread_stack {
	bool present;
	nsec begin[CLOCKS], end[CLOCKS]; /* while it is made: so far */
	uint64_t events;
	struct bythread_chunk *filling;
	uint64_t first, last; /* chunks in the spool, + 1 */
};

struct bythread {
	struct bythread_stack *stacks; /* by thread */
	uint32_t stack_count;
	struct spool spool;
};

/* False when cancelled or out of space (the conversion's `err`).  Release in both cases. */
bool bythread_make(struct bythread *, struct convert *);
void bythread_release(struct bythread *);
/* In order; false when `visit` returned false. */
bool bythread_read(struct bythread *, uint32_t thread,
    bool (*visit)(void *context, const struct bythread_event *), void *context);
