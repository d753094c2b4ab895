// SPDX-License-Identifier: Apache-2.0
/*
 * engine: loading and queries on a worker thread, for a front end that never waits.
 *
 * The front end says what it shows (engine_ask); the worker loads in steps and answers
 * the queries between steps, the most urgent first, and cancels those that are no longer
 * asked.  Answers are values that the front end owns from then on; it is notified of new
 * ones.
 *
 * While loading, methods arrive about four times a second and are partial; timelines are
 * drawn again when the trace grew.  When all is read and every query answered, the worker
 * sleeps and costs nothing.
 */
#pragma once

#include "base/worker.h"
#include "view/query/query.h"

/* How far a trace is loaded, and what is known of it by then. */
struct load_status {
	enum load_state state;
	double progress;
	uint64_t bytes_done, bytes_total; /* of the data part */
	uint64_t records;
	nsec begin, end;       /* axis, as far as known */
	bool waits;            /* the end of the data is cut, and left for its rest to come */
	nsec held;             /* records from there on wait for earlier ones (source.held); 0: none do */
	nsec kept;             /* records after that can be read again; 0: all */
	uint64_t forgotten;    /* up to where the file's bytes are not needed any more */
	struct damage damage;
	struct sampled sampled;
	struct log_summary log; /* of a text log */
	struct log_choice choice; /* what was read of it */
	struct err err;        /* of LOAD_FAILED */
};

/* Fills in all but the error, of a profile of which the share `progress` was read. */
void load_status_of(struct load_status *, const struct profile *, double progress);

/* The outcome of engine_grow. */
enum engine_growth {
	GROWTH_NONE,    /* nothing since the last look */
	GROWTH_TAKEN,   /* what came was read, and the queries are open */
	GROWTH_REFUSED, /* the file is to be opened again; what was read stays */
};

/* The worker's remaining work. */
struct engine_work {
	bool waiting;     /* there is loading to do, or a query to answer */
	unsigned open;    /* queries not answered in full: 1 << enum query_kind */
	enum engine_growth growth;
	double counted, drawn; /* 0 to 1, of methods and tracks that are worked on */
};

struct engine;

/*
 * Borrows the trace; `jobs` as in loader_new.  `answered` (or NULL) is posted when there is
 * something to take; it must live as long.  NULL when no thread can be started.
 */
struct engine *engine_new(struct trace *, unsigned jobs, const struct notify *answered,
    struct err *);
/* Stops the worker, soon (within some milliseconds), and frees. */
void engine_free(struct engine *);

/* Says what the screen shows; a query equal to the one before is not computed again. */
void engine_ask(struct engine *, const struct asked *);
/* New answers, in place of what `answers` has of their kinds; the others become empty. */
void engine_take(struct engine *, struct answer answers[QUERY_KINDS], struct load_status *,
    struct engine_work *);
/* Takes nothing: LOAD_MORE until all is loaded and summed and no query is without an answer. */
enum load_state engine_loading(struct engine *, struct load_status *);
/*
 * Waits until what can be answered within `ms`, as the last time, is: keeps quick answers
 * in the same screen update and does not wait for slow ones.  `loaded`: also until the
 * whole trace is loaded, if it is a small one.  At most `ms`.
 */
void engine_wait(struct engine *, int ms, bool loaded);
/*
 * Does one of these, a set of 1 << enum query_kind, still lack an answer to its last
 * query, or wait to be taken?  While loading, partial answers count, and kinds that wait
 * for the end of loading are not pending.
 */
bool engine_pending(struct engine *, unsigned kinds);
/* Reads a text log again, with this choice of slices. */
void engine_choose(struct engine *, const struct log_choice *);
/*
 * While it is on this engine's worker begins nothing: drawing the screen needs a processor
 * to itself, after what is being done at most.
 */
void engine_hold(struct engine *, bool on);
/* Ends loading; what was read stays. */
void engine_stop_loading(struct engine *);

/*
 * After loading: the file has `size` bytes now, those of before as they were (profile_grow).  What
 * came is read without a word of loading: answers of before hold until there are those of now.
 * `keep`: records that long before the end, and earlier, are not to be read again (profile_forget);
 * 0: all may be.
 */
void engine_grow(struct engine *, uint64_t size, nsec keep);
