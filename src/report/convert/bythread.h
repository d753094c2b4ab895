/*
 * bythread: the calls of a trace sorted by thread, for formats that have one thread after
 * the other.
 *
 * One pass over the records; what it gives is spooled (base/spool.h), so that memory grows
 * with threads only, and can then be read as often as a format needs.  Zero-initialise,
 * bythread_make, bythread_release; one reader at a time.
 */
#ifndef SLOWTOP_REPORT_CONVERT_BYTHREAD_H
#define SLOWTOP_REPORT_CONVERT_BYTHREAD_H

#include "base/spool.h"
#include "report/convert/convert.h"

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

#endif
