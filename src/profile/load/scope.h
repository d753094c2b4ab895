// SPDX-License-Identifier: Apache-2.0
/*
 * scope: which threads a query is about, and which of them each of its workers has.
 *
 * A set of thread indexes, by value of its flags; NULL instead of a scope means all.
 * Owned by its maker; scope_copy for another thread's use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/worker.h"
#include "profile/load/profile.h"

struct scope {
	uint32_t count;   /* threads covered by `in`; higher indexes are out */
	bool front;       /* of scope_front: the user did not choose it */
	uint8_t in[];     /* 1: chosen */
};

struct scope *scope_new(uint32_t count, bool in);
/* Makes a scope of one thread. */
struct scope *scope_of_thread(const struct profile *, uint32_t thread);
/* Makes a scope of the threads of a log's process (index + 1). */
struct scope *scope_of_process(const struct trace *, uint32_t process);
/* Makes a scope of the app in front; NULL: not a log, or no app has frames. */
struct scope *scope_front(const struct trace *);
struct scope *scope_copy(const struct scope *); /* NULL stays NULL */
void scope_free(struct scope *);
bool scope_equal(const struct scope *, const struct scope *);
/* How many are chosen. */
uint32_t scope_size(const struct scope *);

static inline bool
scope_has(const struct scope *s, uint32_t thread)
{
	return s == NULL || (thread < s->count && s->in[thread] != 0);
}

/* Returns the user's choice: NULL where the scope is scope_front's. */
static inline struct scope *
scope_chosen(struct scope *s)
{
	return s != NULL && s->front ? NULL : s;
}

/*
 * True if rows whose slices are no work (frames of the display, Chrome's asynchronous ones) count
 * in sums: no thread is chosen that did some.
 */
bool scope_is_aside(const struct scope *, const struct profile *);

static inline bool
scope_counts(const struct scope *s, const struct trace *t, uint32_t thread, bool is_aside)
{
	return scope_has(s, thread) && (is_aside || !trace_thread(t, thread)->aside);
}

/*
 * The threads of a trace divided among the workers of a query.  Threads have no call path in
 * common, so workers with different threads may add to the same sums, which must not depend
 * on how threads are divided.
 */
enum { DEAL_MOST = 8 };

struct deal {
	unsigned count; /* workers, at least one: for worker_all */
	struct scope *threads[DEAL_MOST];
};

/* How many workers the profile's queries have, if it pays for so many. */
unsigned deal_workers(const struct profile *, uint64_t most);
/* The threads in scope among so many at most: alike in records. */
struct deal deal_threads(const struct profile *, const struct scope *, uint64_t most);
void deal_release(struct deal *);
