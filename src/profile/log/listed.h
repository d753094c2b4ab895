// SPDX-License-Identifier: Apache-2.0
/*
 * listed: intervals, waits or a chain of a log, one by one, as a table asks for them.
 *
 * A value of its own; times are nanoseconds, those of intervals are not clipped.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/log/binder.h"
#include "profile/log/critical.h"
#include "profile/log/waits.h"
#include "profile/sum/range.h"
#include "trace/log.h"

enum usage_asked { USAGE_ASK_NOTHING, USAGE_ASK_INTERVALS, USAGE_ASK_WAITS, USAGE_ASK_CHAIN,
	USAGE_ASK_PATH, USAGE_ASK_BINDER, USAGE_ASK_LOCKS, USAGE_ASK_MESSAGES };

struct usage_ask {
	enum usage_asked what;
	uint32_t thread; /* THREAD_NONE: of all in scope; waits: of this one */
	nsec at, to;     /* path: the stretch; waits: the longest one within; to < at: the one that it is in at `at`, and
	                  * where that is outside the range, the longest of the range */
	uint32_t chain;  /* of the log's */
	/* Intervals; each narrows the list when it is told. */
	uint32_t cpu;    /* UINT32_MAX: any */
	int state, io;   /* -1: any */
	uint32_t caller; /* 0: any */
	bool woken;      /* those that a wakeup began */
	/* Binder calls of these processes, index + 1, and this method; client UINT32_MAX: all. */
	uint32_t client, server, method;
	bool one_way;
};

/* All intervals, or no waits, or no chain. */
#define USAGE_ASK_NONE ((struct usage_ask){.thread = THREAD_NONE, .cpu = UINT32_MAX, \
	.state = -1, .io = -1, .to = INT64_MIN, .client = UINT32_MAX})

bool usage_ask_equal(const struct usage_ask *, const struct usage_ask *);

enum { USAGE_LISTED_MAX = 20000 };

/* A slice of a chain: parents before their children, else in order of time. */
struct usage_link {
	struct log_link link;
	struct str span, parent; /* as written; in the file */
	char flag;
	uint32_t depth;
};

/* A message of Android's log; borrows the file. */
struct usage_message {
	nsec at;
	uint32_t thread;
	char priority;
	struct str tag, text;
};

/* The answer to a usage_ask. */
struct usage_list {
	struct usage_ask ask;
	uint64_t total;  /* how many there are; the longest, or earliest, are listed */
	struct interval *intervals;
	size_t interval_count, interval_room;
	struct waits waits;
	struct critical path;
	struct binder_calls binder;
	struct jank *locks; /* slices of waits for a lock, by start, the JANK_KEEP longest; may be NULL */
	struct usage_message *messages; /* in order of time, the first USAGE_LISTED_MAX */
	size_t message_count, message_room;
	struct usage_link *links;
	size_t link_count;
};

/* Costs the log's intervals, or its chains' slices; false when cancelled. */
bool usage_list_make(struct usage_list *, const struct profile *, const struct scope *,
    const struct range *, const struct usage_ask *, const atomic_bool *cancel);
void usage_list_release(struct usage_list *);

