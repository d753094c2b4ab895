// SPDX-License-Identifier: Apache-2.0
/*
 * clocks: times of a Perfetto trace's clocks as times of one of them.
 *
 * Snapshots tell what several clocks showed at one instant.  All are added first, then
 * clocks_settle, then times are converted: by the last snapshot before the time, over other
 * clocks where no snapshot has both.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"

enum {
	CLOCK_ID_REALTIME = 1,
	CLOCK_ID_MONOTONIC = 3,
	CLOCK_ID_MONOTONIC_RAW = 5,
	CLOCK_ID_BOOT = 6,
	CLOCK_ID_SEQUENCE = 64, /* from here to 127: of one sequence each */
	CLOCK_ID_SEQUENCE_END = 128,
};

struct clock {
	uint32_t id;
	bool incremental;  /* packets tell differences */
	uint64_t unit;     /* ns; 0: 1 */
	uint64_t running;  /* of an incremental one */
	uint32_t hops, via; /* to the trace's clock; hops UINT32_MAX: no way there */
	struct clock_pair *pairs; /* of it and of `via`, by `from` */
	size_t pair_count, pair_room;
	bool used;       /* times of it were converted */
	uint64_t newest; /* ... of those */
	struct clock_way {
		uint64_t unit, shift;
		uint32_t hops, via;
		size_t pairs; /* not after the newest */
		bool incremental;
	} way; /* how the newest is converted, as kept */
};

struct clock_reading {
	uint32_t snapshot, clock;
	uint64_t value;
};

struct clocks {
	struct clock *items; /* the first is the trace's */
	size_t count, room;
	struct idmap ids;    /* sequence << 32 | id -> clock */
	struct clock_reading *readings;
	size_t reading_count, reading_room;
	uint32_t snapshots;
	uint32_t primary;    /* id of the trace's clock as told; 0: not */
};

/* The clock of an id as a packet of that sequence means it, made when first met. */
uint32_t clock_of(struct clocks *, uint32_t sequence, uint32_t id);
/* A clock's value in the newest snapshot. */
void clock_read(struct clocks *, uint32_t clock, uint64_t value);
/* Takes a packet's values that clocks of its sequence showed at one instant. */
void clocks_snapshot(struct clocks *, struct wire message, uint32_t sequence);
/* Finds which clock is the trace's and how to get there; also with more snapshots. */
void clocks_settle(struct clocks *);
/* A time of the clock is in use. */
void clock_use(struct clocks *, uint32_t clock, uint64_t value);
void clocks_keep(struct clocks *); /* how times in use are converted */
bool clocks_kept(struct clocks *); /* true if they still are */
/* A packet's time in the clock, after one of the time `before`. */
static inline uint64_t
clock_after(const struct clocks *c, uint32_t clock, uint64_t before, uint64_t value)
{
	const struct clock *k = &c->items[clock];

	if (k->unit > 1)
		value *= k->unit;
	return k->incremental ? before + value : value;
}

/* The time of the packet that is next. */
static inline uint64_t
clock_next(const struct clocks *c, uint32_t clock, uint64_t value)
{
	return clock_after(c, clock, c->items[clock].running, value);
}

/* Takes the time of the next packet: once for each, in their order. */
static inline uint64_t
clock_take(struct clocks *c, uint32_t clock, uint64_t value)
{
	value = clock_next(c, clock, value);
	if (c->items[clock].incremental)
		c->items[clock].running = value;
	return value;
}

/* clock_convert for a clock that is not the trace's. */
bool clock_convert_far(const struct clocks *, uint32_t clock, uint64_t *value);
/* A time of the clock as one of the trace's; false when there is no way there. */
static inline bool
clock_convert(const struct clocks *c, uint32_t clock, uint64_t *value)
{
	return c->items[clock].hops == 0 || clock_convert_far(c, clock, value);
}

void clocks_release(struct clocks *);
