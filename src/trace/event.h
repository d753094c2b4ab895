// SPDX-License-Identifier: Apache-2.0
/*
 * event: the batch of decoded records, the seam between file formats and all else.
 *
 * A format is done when it fills batches and can resume at a position.  Times are
 * nanoseconds as the file states them, before unwrapping and clamping: those need
 * the thread's history, which the walk has and a decoder that resumes anywhere
 * does not.  A clock that the trace lacks is 0 in every event.
 */
#pragma once

#include <stdint.h>

typedef int64_t nsec;

static inline nsec
nsec_min(nsec a, nsec b)
{
	return a < b ? a : b;
}

static inline nsec
nsec_max(nsec a, nsec b)
{
	return a > b ? a : b;
}

enum clock_id { CLOCK_CPU, CLOCK_WALL, CLOCKS };

/* Masks of clocks. */
enum {
	HAS_CPU = 1 << CLOCK_CPU,
	HAS_WALL = 1 << CLOCK_WALL,
	HAS_BOTH = HAS_CPU | HAS_WALL,
};

static inline void
clocks_add(nsec to[CLOCKS], const nsec more[CLOCKS])
{
	for (int c = 0; c < CLOCKS; c++)
		to[c] += more[c];
}

static inline enum clock_id
clock_other(enum clock_id clock)
{
	return clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
}

/* The values are those of the low two bits of a method word in every V1 record. */
enum action { ACTION_ENTER, ACTION_EXIT, ACTION_UNROLL, ACTION_RESERVED };

struct event {
	uint32_t thread; /* index into the trace's threads */
	uint32_t word;   /* method index << 2 | enum action */
	uint64_t time[CLOCKS];
};

/*
 * In place of a method in an exit: whatever is on top of the thread's stack.  For
 * formats whose exits do not say.
 */
#define METHOD_TOP ((1u << 30) - 1)

/* With ACTION_RESERVED: nothing happens but that the thread's clocks get there. */
#define WORD_TICK (METHOD_TOP << 2 | ACTION_RESERVED)

static inline enum action
event_action(const struct event *ev)
{
	return (enum action)(ev->word & 3);
}

enum { BATCH_EVENTS = 512 };

/*
 * Event i is at file offset `offset + i * stride`; with records of no fixed size stride
 * is 0 and it is at `offset + place[i]`.  The caller has room for BATCH_EVENTS.
 */
struct batch {
	uint64_t offset;
	uint32_t stride; /* bytes */
	uint32_t count;
	struct event *ev;
	uint32_t *place;
};

struct batch_room {
	struct event ev[BATCH_EVENTS];
	uint32_t place[BATCH_EVENTS];
};

static inline struct batch
batch_in(struct batch_room *room)
{
	return (struct batch){.ev = room->ev, .place = room->place};
}

static inline uint64_t
batch_offset(const struct batch *b, uint32_t i)
{
	return b->offset + (b->stride > 0 ? (uint64_t)i * b->stride : b->place[i]);
}
