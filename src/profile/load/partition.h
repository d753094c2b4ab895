// SPDX-License-Identifier: Apache-2.0
/*
 * partition: records, chunk by chunk, divided by their threads among workers.
 *
 * A thread's records follow each other in runs, some 15 long.  In a chunk the runs are
 * sorted by thread, so that all records of one thread can be counted before those of the
 * next: what its paths need then stays in the cache, and threads, which have no path in
 * common, can be counted by different workers.  While workers process the threads of the
 * present chunk, those with most records first, an idle one finds the runs of the next
 * chunk.  A single worker does one after the other, in the memory of one chunk.
 *
 * Records with a layout (record.h) stay where the file is mapped; others are decoded to
 * events.  Memory: 8 bytes a run, twice; 28 a decoded record.
 */
#pragma once

#include <stdatomic.h>

#include "base/mem.h"
#include "base/worker.h"
#include "profile/load/profile.h"
#include "profile/load/scope.h"

/* Consecutive records [record, end) of one thread, counted from the chunk's first. */
struct run {
	uint32_t record, end;
};

/* A thread's runs in a chunk. */
struct thread_run {
	uint32_t id; /* the records': in place the file's, of events the thread's index */
	uint32_t first, count; /* of its runs */
	uint32_t records;
};

/* Records that were read at once. */
struct chunk_batch {
	uint32_t record; /* the first */
	uint32_t stride; /* as in a batch */
	uint64_t offset;
	struct cursor at; /* reading goes on here to meet it */
};

/* Where a run begins. */
struct run_note {
	uint32_t record, thread; /* an id, then a number in `threads` */
};

struct chunk {
	struct source *source;
	const struct record_layout *layout; /* the file's, or that of events */
	const uint8_t *items;     /* the records, in place or decoded */
	uint32_t count;
	struct cursor begin, end;
	struct run *runs;         /* by thread; with room for some more after the last */
	struct thread_run *threads; /* by their first records */
	uint32_t thread_count;
	struct damage damage;     /* when a profile is loaded: up to the end of this chunk */

	/* Its own. */
	bool lost; /* the file lost some of the records */
	uint32_t most;
	uint64_t until;
	bool there;
	struct run_note *notes;
	uint32_t note_count;
	size_t run_room, note_room, thread_room;
	struct vast events, places;
	struct chunk_batch *batches;
	uint32_t batch_count;
	size_t batch_room;
};

/* Returns the place in the file of a record by its place in memory. */
uint64_t chunk_item(const struct chunk *, const uint8_t *);
/*
 * Batches, of BATCH_EVENTS records at most, in which reading from the chunk's beginning
 * comes to the same records.  A run is in one of them.
 */
uint32_t chunk_batches(const struct chunk *);
/* The first record of one, and where it is read from. */
uint32_t chunk_batch(const struct chunk *, uint32_t number, struct cursor *at);
/* True if the file was cut since; some of the records that were counted may have been zeros. */
bool chunk_torn(const struct chunk *);

/* Some of a thread's runs, one after another. */
struct runs {
	const struct chunk *chunk;
	const struct run *now, *stop, *end;
};

/* Begins with a thread's runs; none of them is to come before runs_until. */
static inline void
runs_begin(struct runs *r, const struct chunk *c, const struct thread_run *t)
{
	r->chunk = c;
	r->now = r->stop = c->runs + t->first;
	r->end = r->now + t->count;
}

/* Makes the runs that begin before a record the ones to come. */
void runs_until(struct runs *, uint32_t record);

enum { RUNS_AHEAD = 3 };

/* The records [*p, *end) of the next run; false when there is none. */
static inline __attribute__((always_inline)) bool
runs_at(struct runs *runs, const uint8_t **p, const uint8_t **end, uint32_t size)
{
	enum { LINES = 4, LINE = 64 };
	const uint8_t *items = runs->chunk->items, *ahead;
	const struct run *run = runs->now;

	if (run == runs->stop)
		return false;
	runs->now = run + 1;
	*p = items + (size_t)run->record * size;
	*end = items + (size_t)run->end * size;
	/* The lines that a run begins in are needed soon. */
	ahead = items + (size_t)run[RUNS_AHEAD].record * size;
	for (int i = 0; i < LINES; i++)
		__builtin_prefetch(ahead + i * LINE);
	return true;
}

/* The runs of a batch, in the order of the file. */
struct batch_runs {
	struct chunk chunk; /* of the batch alone */
	struct chunk_batch at;
	uint32_t count;
	uint32_t threads[BATCH_EVENTS];
	struct run runs[BATCH_EVENTS + RUNS_AHEAD];
};

void batch_runs(struct batch_runs *, const struct batch *);

static inline struct runs
batch_run(const struct batch_runs *list, uint32_t run)
{
	const struct run *first = &list->runs[run];

	return (struct runs){&list->chunk, first, first + 1, first + 1};
}

/* Work on a thread's records in the present chunk. */
struct task {
	uint32_t thread;
	const struct thread_run *run;
	bool started; /* before; when a profile is loaded */
};

/* The tasks of a round: filled and sorted before it. */
struct tasks {
	struct task *items;
	uint32_t count;
	size_t room;
};

struct partition_how {
	void (*task)(void *arg, unsigned worker, const struct task *);
	void (*also)(void *arg);   /* first thing of the caller's in a round; may be NULL */
	const atomic_bool *cancel; /* may be NULL */
	/*
	 * A profile is loaded: damage that reading meets is added to what this had at the
	 * beginning, in `damage` of the chunk.  NULL: records are read again.
	 */
	const struct damage *load;
};

/* Up to so many records from a place on, none after a file offset. */
struct extent {
	struct cursor from;
	uint64_t until, records;
};

struct partition {
	struct source *source;
	const struct partition_how *how;
	void *arg;
	unsigned count; /* workers */
	struct tasks tasks;
	struct chunk *now; /* the present chunk */

	/* Its own. */
	atomic_uint next; /* task + 1; 0: what is ahead */
	struct chunk chunks[2], *ahead;
	uint32_t *slots; /* by id: number in the chunk's threads + 1; 0: none */
	size_t slot_room;
	struct damage damage;
	struct crew *crew;
};

/* With a single worker when threads cannot be started.  Borrows the others. */
void partition_init(struct partition *, struct source *, unsigned workers,
    const struct partition_how *, void *arg);
void partition_release(struct partition *);

enum taken {
	TAKEN_NOTHING, /* there are no records */
	TAKEN_LOST,    /* by a file that was cut; or cancelled */
	TAKEN,
};

/*
 * Makes the chunk that the round before read the present one.  When there is none it
 * reads `first`, which is otherwise ignored.
 */
enum taken partition_take(struct partition *, const struct extent *first);
/* The tasks, each by one worker; and reads what comes next. */
void partition_round(struct partition *, const struct extent *next);
/* True if a chunk was read ahead. */
bool partition_ahead(const struct partition *);

/*
 * Makes tasks of the present chunk's threads, those with most records first: of all when a
 * profile is loaded, with the damage of unknown ones; else (`load` NULL) of those that
 * loading met and that are in scope (NULL: all).
 */
void partition_tasks(struct partition *, const struct profile *, const struct scope *,
    struct damage *load);
