// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/perfetto/clocks.h"

#include "base/mem.h"

enum { TRACE_CLOCK = 0, HOPS_MOST = 4, SNAPSHOT_CLOCKS = 64 };

struct clock_pair {
	uint64_t from, to;
};

uint32_t
clock_of(struct clocks *c, uint32_t sequence, uint32_t id)
{
	uint64_t key = id;
	uint32_t index;

	if (c->count == 0)
		*MEM_ADD(c->items, c->count, c->room) = (struct clock){.id = 0};
	if (id == 0)
		return TRACE_CLOCK;
	if (id >= CLOCK_ID_SEQUENCE && id < CLOCK_ID_SEQUENCE_END)
		key |= ((uint64_t)sequence + 1) << 32;
	index = idmap_add(&c->ids, key, c->count);
	if (index == c->count)
		*MEM_ADD(c->items, c->count, c->room) = (struct clock){.id = id};
	return index;
}

void
clock_read(struct clocks *c, uint32_t clock, uint64_t value)
{
	if (c->items[clock].unit > 1)
		value *= c->items[clock].unit;
	*MEM_ADD(c->readings, c->reading_count, c->reading_room) =
	    (struct clock_reading){c->snapshots, clock, value};
	c->items[clock].running = value;
}

void
clocks_snapshot(struct clocks *c, struct wire message, uint32_t sequence)
{
	enum { ID = 1, VALUE, INCREMENTAL, UNIT, FIELDS };
	struct wire_field f;

	c->snapshots++;
	while (wire_next(&message, &f)) {
		uint64_t n[FIELDS] = {0};
		uint32_t clock;

		if (f.number == 2 && c->primary == 0)
			c->primary = (uint32_t)f.value;
		if (f.number != 1)
			continue;
		(void)wire_numbers(wire_message(&f), n, FIELDS);
		clock = clock_of(c, sequence, (uint32_t)n[ID]);
		c->items[clock].incremental = n[INCREMENTAL] != 0;
		c->items[clock].unit = n[UNIT];
		clock_read(c, clock, n[VALUE]);
	}
}

static int
pair_order(const void *left, const void *right)
{
	const struct clock_pair *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

static void
pair_add(struct clock *k, uint64_t from, uint64_t to)
{
	*MEM_ADD(k->pairs, k->pair_count, k->pair_room) = (struct clock_pair){from, to};
}

/* Where a snapshot ends. */
static size_t
snapshot_end(const struct clocks *c, size_t from)
{
	size_t to = from;

	while (to < c->reading_count && c->readings[to].snapshot == c->readings[from].snapshot &&
	    to - from < SNAPSHOT_CLOCKS)
		to++;
	return to;
}

/* The reading of a snapshot that another clock's is converted to; NULL: none. */
static const struct clock_reading *
near_reading(const struct clocks *c, size_t from, size_t to, uint32_t hops, const struct clock *far)
{
	for (size_t i = from; i < to; i++) {
		const struct clock_reading *near = &c->readings[i];

		if (c->items[near->clock].hops == hops && (far->hops == UINT32_MAX ||
		    (far->hops == hops + 1 && far->via == near->clock)))
			return near;
	}
	return NULL;
}

/* Clocks that are one hop further away than `hops`. */
static void
hop(struct clocks *c, uint32_t hops)
{
	for (size_t from = 0, to; from < c->reading_count; from = to) {
		to = snapshot_end(c, from);
		for (size_t k = from; k < to; k++) {
			struct clock *far = &c->items[c->readings[k].clock];
			const struct clock_reading *near = near_reading(c, from, to, hops, far);

			if (near == NULL)
				continue;
			far->hops = hops + 1;
			far->via = near->clock;
			pair_add(far, c->readings[k].value, near->value);
		}
	}
}

void
clocks_settle(struct clocks *c)
{
	uint32_t boot = clock_of(c, 0, CLOCK_ID_BOOT), primary = boot;

	if (c->primary != 0)
		primary = clock_of(c, 0, c->primary);
	for (size_t i = 0; i < c->count; i++) {
		c->items[i].hops = UINT32_MAX;
		c->items[i].pair_count = 0;
	}
	c->items[TRACE_CLOCK].hops = c->items[primary].hops = 0;
	for (uint32_t hops = 0; hops < HOPS_MOST; hops++)
		hop(c, hops);
	if (c->items[boot].hops == UINT32_MAX)
		c->items[boot].hops = 0; /* nothing relates them: its times are taken as they are */
	for (size_t i = 0; i < c->count; i++)
		mem_sort(c->items[i].pairs, c->items[i].pair_count, sizeof(struct clock_pair),
		    pair_order);
}

/* Counts the clock's pairs that are not after a time. */
static size_t
pairs_until(const struct clock *k, uint64_t value)
{
	size_t low = 0, high = k->pair_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (k->pairs[middle].from <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the difference of the next clock to a time of this one. */
static uint64_t
shift_of(const struct clock *k, uint64_t value)
{
	size_t until = pairs_until(k, value);
	const struct clock_pair *pair = &k->pairs[until > 0 ? until - 1 : 0];

	return pair->to - pair->from;
}

bool
clock_convert_far(const struct clocks *c, uint32_t clock, uint64_t *value)
{
	while (c->items[clock].hops != 0) {
		const struct clock *k = &c->items[clock];

		if (k->hops == UINT32_MAX)
			return false;
		*value += shift_of(k, *value);
		clock = k->via;
	}
	return true;
}

void
clock_use(struct clocks *c, uint32_t clock, uint64_t value)
{
	for (;;) {
		struct clock *k = &c->items[clock];

		k->used = true;
		if (value > k->newest)
			k->newest = value;
		if (k->hops == 0 || k->hops == UINT32_MAX)
			return;
		value += shift_of(k, value);
		clock = k->via;
	}
}

static struct clock_way
way_of(const struct clock *k)
{
	struct clock_way way = {.unit = k->unit, .hops = k->hops, .incremental = k->incremental};

	if (k->hops == 0 || k->hops == UINT32_MAX)
		return way;
	way.via = k->via;
	way.pairs = pairs_until(k, k->newest);
	way.shift = shift_of(k, k->newest);
	return way;
}

void
clocks_keep(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++)
		c->items[i].way = way_of(&c->items[i]);
}

bool
clocks_kept(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct clock *k = &c->items[i];
		struct clock_way now = way_of(k);

		if (k->used && (now.unit != k->way.unit || now.shift != k->way.shift ||
			now.hops != k->way.hops || now.via != k->way.via ||
			now.pairs != k->way.pairs || now.incremental != k->way.incremental))
			return false;
	}
	return true;
}

void
clocks_release(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++)
		mem_free(c->items[i].pairs);
	mem_free(c->items);
	mem_free(c->readings);
	idmap_release(&c->ids);
}
