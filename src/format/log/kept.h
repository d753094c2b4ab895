// SPDX-License-Identifier: Apache-2.0
/*
 * kept: the events that a log was read into, in blocks of a batch each.
 *
 * A closed block is packed column by column: each number as its distance from the one before, all in as
 * many bytes as the largest distance needs, which makes 4 to 13 bytes of the 24 that an event has.  They are
 * in a spool, so that memory stays bounded.
 *
 * One thread adds; others may read closed blocks while none does.
 */
#pragma once

#include "base/mem.h"
#include "base/spool.h"
#include "trace/event.h"

/* A closed block, or the one that is filled. */
struct kept_block {
	uint64_t first; /* byte of the spool; of a closed one */
	uint64_t end;   /* the cursor's offset after it */
	uint64_t place; /* in the file, which those of its events are relative to */
	nsec time;      /* likewise */
	uint32_t count; /* of events; 0: not begun */
};

enum kept_column { KEPT_TIME, KEPT_CPU, KEPT_PLACE, KEPT_THREAD, KEPT_WORD, KEPT_COLUMNS };

struct kept {
	struct seg blocks; /* struct kept_block, closed ones */
	struct spool bytes;
	struct kept_block open;
	/* The open block's, and those of the block that was closed last, which is mostly read at once. */
	struct kept_columns {
		uint64_t of[KEPT_COLUMNS][BATCH_EVENTS];
	} columns[2];
	unsigned filled; /* which of both is the open block's */
	const struct kept_block *closed; /* the other's; NULL: none */
};

void kept_init(struct kept *, const char *folder);
void kept_release(struct kept *);

/* The block of an index, which is closed. */
static inline struct kept_block *
kept_block(const struct kept *k, uint64_t index)
{
	return seg_at(&k->blocks, (uint32_t)index);
}

/* True if an event fits into the open block, or can begin one. */
static inline bool
kept_holds(const struct kept *k, nsec at, uint64_t place)
{
	const struct kept_block *b = &k->open;

	return b->count == 0 || (b->count < BATCH_EVENTS && at - b->time < INT32_MAX &&
	    at - b->time > INT32_MIN && place >= b->place && place - b->place < UINT32_MAX);
}

/* Adds an event, which fits. */
static inline void
kept_add(struct kept *k, nsec at, uint64_t cpu, uint64_t place, uint32_t thread, uint32_t word)
{
	struct kept_columns *c = &k->columns[k->filled];
	struct kept_block *b = &k->open;
	uint32_t i = b->count++;

	if (i == 0) {
		b->time = at;
		/* Room on both sides: the next records may be before this one in the file. */
		b->place = place > INT32_MAX ? place - INT32_MAX : 0;
	}
	c->of[KEPT_TIME][i] = (uint64_t)(at - b->time);
	c->of[KEPT_CPU][i] = cpu;
	c->of[KEPT_PLACE][i] = place - b->place;
	c->of[KEPT_THREAD][i] = thread;
	/* WORD_TICK, which is the largest, is next to the smallest. */
	c->of[KEPT_WORD][i] = word + 1;
}

/* Packs the open block, which has events; `end`: as in kept_block.  False when there is no space. */
bool kept_close(struct kept *, uint64_t end, struct err *);
/* Forgets the events of the open block, and the blocks from `blocks` on, whose bytes begin at `bytes`. */
void kept_cut(struct kept *, uint32_t blocks, uint64_t bytes);
/* Gives the disk back what the blocks before one take: they are not to be read again. */
void kept_forget(struct kept *, const struct kept_block *);
/* Reads the events of a closed block. */
void kept_read(const struct kept *, const struct kept_block *, struct batch *);
