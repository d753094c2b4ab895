// SPDX-License-Identifier: Apache-2.0
/*
 * critical: where the time of a stretch of a thread went, by cause: it ran, waited for a core, slept until
 * another thread woke it, for a lock, another process or the disk; and what happened meanwhile.
 *
 * Causes are of the thread's own states; their times add up to the stretch.  Below each are the sums
 * of the leaves of its waits (waits.h): what the threads did that ended them at last; those add
 * up to the cause, but for running and runnable ones, which need none.  Nothing lies outside of the
 * stretch.  Borrows the trace's texts.  doc/accounting.md has the rules.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/log/waits.h"
#include "profile/sum/range.h"

/* Why the thread did what it did; the first of those from CRITICAL_LOCK on that fits. */
enum critical_cause {
	CRITICAL_RUNNING,
	CRITICAL_RUNNABLE,
	CRITICAL_LOCK,      /* of: the method of the slice; owner */
	CRITICAL_BINDER,    /* of: the process that woke it, index + 1; method: that it called */
	CRITICAL_IO,        /* of: the function, index + 1 of log.texts */
	CRITICAL_BLOCKED,   /* the same */
	CRITICAL_INTERRUPT,
	CRITICAL_WOKEN,     /* of: the thread that woke it */
	CRITICAL_UNKNOWN,
	CRITICAL_CAUSES
};

/* Kinds of leaves. */
enum critical_leaf { LEAF_RUNNING, LEAF_RUNNABLE, LEAF_HELD, LEAF_IDLE, LEAF_IO, LEAF_INTERRUPT,
	LEAF_UNKNOWN, CRITICAL_LEAVES };

extern const char *const critical_leaf_names[CRITICAL_LEAVES];

struct critical_sum {
	nsec time, longest, longest_at;
	uint64_t count;
	uint32_t of;       /* by cause; of a leaf the function of LEAF_IO */
	uint32_t method;   /* of CRITICAL_BINDER the slice that names it; METHOD_NONE */
	uint32_t thread;   /* of a leaf; THREAD_NONE: an idle core, or a cause */
	struct str owner;  /* of a lock */
	uint8_t cause;     /* enum critical_cause */
	uint8_t leaf;      /* enum critical_leaf */
	bool is_cause;     /* its leaves come after it */
};

struct critical {
	struct range range;
	uint32_t thread;
	struct critical_sum *sums; /* causes, the longest first; after each its leaves, so ordered */
	size_t count, room;
};

/*
 * Costs the intervals around each wait, and the records of the thread in the range; false when
 * cancelled.  critical_release.
 */
bool critical_find(const struct profile *, uint32_t thread, const struct range *, struct critical *,
    const atomic_bool *cancel);
void critical_release(struct critical *);

/*
 * A slice of the runtime's about a lock that another thread has: "monitor contention with owner N
 * (TID) at METHOD(FILE) waiters=W blocking from METHOD(FILE)", "Lock contention on NAME (owner tid:
 * T)".  False when it is none; what it does not say is empty, waiters -1.  Borrows the text.
 */
struct lock_slice {
	struct str owner, method; /* method: that the owner is in */
	struct str blocked;       /* the method that waits */
	int64_t waiters;
};
/* The former as a pattern of names: those may tell both methods. */
#define LOCK_SLICES "^monitor contention with owner "
bool lock_slice_parse(struct str text, struct lock_slice *);
