// SPDX-License-Identifier: Apache-2.0
/*
 * blocks: the index of the file: where decoding can begin again, and each thread's state
 * there.
 *
 * The file is divided into blocks of some thousand records.  For each thread that has records
 * in a block, loading notes how its stack was before the first of them, and when that came.
 * So a block is decoded for the threads that need it only, and what a thread did between its
 * blocks, mostly sleep, is known without decoding.  When the index takes too much memory,
 * blocks are joined in pairs: it is bounded whatever the number of records.
 *
 * Belongs to a profile.  Several threads may read it while none loads.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"

enum { BLOCK_BYTES = 8 * 1024 * 1024 }; /* that entries take at most, if not chosen */

/* How a thread's stack is before its first record in a block. */
struct block_entry {
	uint32_t block;
	uint32_t node;  /* on top; NODE_NONE: the thread begins here */
	uint32_t low;   /* the shallowest frame that was on top since the entry before */
	nsec from[CLOCKS], to[CLOCKS]; /* of the event before, and of the first one in the block */
	/* As in the stack. */
	nsec shift[CLOCKS];
	uint64_t wraps[CLOCKS], inside;
};

/* Entries of a thread, in order. */
struct thread_entries {
	struct block_entry *items;
	size_t count, room;
};

struct block {
	struct cursor at; /* it begins here */
	uint64_t records; /* before it */
};

/* Others only read the blocks. */
struct blocks {
	struct profile *profile;
	struct thread_entries *threads;
	uint32_t thread_count;
	size_t thread_room;
	struct block *items;
	uint32_t count;
	size_t room;
	uint64_t every; /* records of a block */
	uint64_t gone;  /* records that cannot be read again: blocks_forget */
	uint32_t gone_count; /* blocks with some of them */
	nsec kept;      /* records after this time, on the axis, can; INT64_MIN: all */
	atomic_size_t bytes;
	size_t bytes_max;

	/* The method index: bits for each 1 << group_shift blocks. */
	_Atomic uint64_t **groups;
	uint32_t group_count;
	size_t group_room;
	unsigned group_shift;
	uint32_t bit_count; /* of a group, a power of two */
	uint64_t known;     /* records that were taken in */
};

/* Borrows the profile. */
struct blocks *blocks_new(struct profile *);
void blocks_free(struct blocks *);
/* Nothing was loaded. */
void blocks_clear(struct blocks *);
/* Before loading: so many records in a block at first, and so much memory for entries. */
void blocks_choose(struct blocks *, uint64_t every, size_t bytes);
/*
 * Before loading, when no question will be asked that decodes records again: a single block.
 * What decodes nevertheless takes as long as loading.
 */
void blocks_single(struct blocks *);

/* Filling, by loading ---------------------------------------------------------------- */

/* The profile has so many threads. */
void blocks_extend(struct blocks *, uint32_t threads);
/* The next record to be read, and how many came before: a block may begin here. */
void blocks_reach(struct blocks *, const struct cursor *, uint64_t records);
/*
 * A thread's next record comes at those times, as the file states them, and is in that block.
 * Threads are taken one after another, or several at once, each by one worker.
 */
void blocks_enter(struct blocks *, uint32_t block, uint32_t thread, struct stack *,
    const uint64_t times[CLOCKS]);
/* Notes that record as the first of its thread; the stack has its time. */
void blocks_begun(struct blocks *, uint32_t thread, const struct stack *);

/*
 * The records of blocks that end before a time on the axis, but at most the first `most`, are not to
 * be read again: lists leave these blocks out.  Returns where the first that is kept begins; NULL:
 * no more of them than before.
 */
const struct cursor *blocks_forget(struct blocks *, nsec before, uint64_t most);

/* A thread has no record any more: the end's were taken back. */
void blocks_unbegin(struct blocks *, uint32_t thread);

/* Reading ---------------------------------------------------------------------------- */

/* The block of a record, and how many records come before its end; UINT64_MAX: no end yet. */
uint32_t blocks_of_record(const struct blocks *, uint64_t record, uint64_t *end);
/* The file offset where a block ends. */
uint64_t blocks_end(const struct blocks *, uint32_t block);

/* The state of a thread before its first record in a block or in a later one. */
void blocks_restore(const struct blocks *, uint32_t block, uint32_t thread, struct stack *);

/*
 * A thread's records in a block, as known without decoding them: for questions about a stack over
 * a long time most blocks need not be decoded.
 */
struct block_run {
	uint32_t thread;
	uint32_t start; /* on top before the first */
	uint32_t low;   /* the shallowest frame that was on top */
	nsec from;      /* of the event before, on the axis; `first` when there is none */
	nsec first, to; /* of the first and the last one */
};

/*
 * The blocks in which threads in scope have records that touch [from, to] on the axis, in
 * order, with those threads.
 */
struct block_list {
	const struct blocks *blocks;
	struct block_item {
		uint32_t block;
		uint32_t first; /* of its runs; up to that of the next item */
	} *items;
	uint32_t count;
	struct block_ref {
		uint32_t thread, entry;
	} *refs;
};

struct block_list blocks_list(const struct blocks *, const struct scope *, nsec from, nsec to);
void block_list_release(struct block_list *);
/* How many threads an item has, and what is known of one. */
uint32_t block_list_runs(const struct block_list *, uint32_t item);
struct block_run block_list_run(const struct block_list *, uint32_t item, uint32_t run);
const struct block_entry *block_list_entry(const struct block_list *, uint32_t item, uint32_t run);

/*
 * About how many records those blocks have, for all threads; it stops counting at `most`, which
 * it returns where some cannot be read again.
 */
uint64_t blocks_cost(const struct blocks *, nsec from, nsec to, uint64_t most);

/* The method index ------------------------------------------------------------------- */

/*
 * Which methods are entered in a block: bits for groups of blocks, filled after loading, by
 * what follows all records anyway (overview.h).  A question about one method then leaves out
 * blocks without it.  At most some megabytes, whatever the number of records and methods: of
 * very many methods several share a bit, and then it is only known where they are not.
 */
struct entered {
	_Atomic uint64_t *bits;
	uint32_t mask; /* of a method: which bit is its */
};

/* Several workers may add at once. */
static inline void
entered_add(const struct entered *e, uint32_t method)
{
	uint32_t bit = method & e->mask;
	_Atomic uint64_t *word = &e->bits[bit / 64];
	uint64_t mask = UINT64_C(1) << bit % 64;

	if ((atomic_load_explicit(word, memory_order_relaxed) & mask) == 0)
		atomic_fetch_or_explicit(word, mask, memory_order_relaxed);
}

/* Forgets all that is known. */
void blocks_methods_clear(struct blocks *);
/* Makes bits for the blocks of `records` more records after those that are known. */
void blocks_methods_extend(struct blocks *, uint64_t records);
/* Returns where to add what is entered from a record on, up to the record `end`. */
struct entered blocks_entered(const struct blocks *, uint64_t record, uint64_t *end);
/* Counts `records` more records as known. */
void blocks_methods_take(struct blocks *, uint64_t records);
/* Counts so many records as known, less than before: others come in the place of the last. */
void blocks_methods_back(struct blocks *, uint64_t records);

/* True if the method may be entered in the block. */
bool blocks_may(const struct blocks *, uint32_t block, uint32_t method);
/*
 * A span in which some thread certainly enters the method: from the first to the last
 * record of a group.
 */
struct block_span {
	nsec first, last; /* on the axis */
};
struct block_span *blocks_entering(const struct blocks *, uint32_t method, uint32_t *count);
