#include <config.h>

#include "report/chart_blocks.h"

#include <stdlib.h>

#include "base/mem.h"

struct chart_open {
	nsec from;
	unsigned marks;
};

/* Which of the picture's grains a time is in. */
static nsec
column(const struct chart_blocks *c, nsec at)
{
	return (at - c->from) / c->grain;
}

static bool
is_short(const struct chart_blocks *c, const struct chart_block *b)
{
	return b->to - b->from < c->grain;
}

/* Fewer blocks ------------------------------------------------------------------------ */

static int
block_order(const void *left, const void *right)
{
	const struct chart_block *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static void
list_sort(struct chart_blocks *c)
{
	if (c->count > 0)
		qsort(c->list, c->count, sizeof(*c->list), block_order);
}

/*
 * How deep in short calls each block is, from what is around it; that is in the row before,
 * or still open and then long.
 */
static void
levels_find(struct chart_blocks *c)
{
	size_t around = 0, row = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct chart_block *b = &c->list[i];
		const struct chart_block *last = i > 0 ? &c->list[i - 1] : NULL;

		if (last == NULL || last->thread != b->thread) {
			around = row = i;
		} else if (last->depth != b->depth) {
			around = last->depth + 1 == b->depth ? row : i;
			row = i;
		}
		while (around + 1 < row && c->list[around + 1].from <= b->from)
			around++;
		b->level = is_short(c, b);
		if (b->level > 0 && around < row && c->list[around].from <= b->from &&
		    b->from <= c->list[around].to)
			b->level += c->list[around].level;
	}
}

static void
block_join(struct chart_block *into, const struct chart_block *b)
{
	into->calls += b->calls;
	into->to = b->to > into->to ? b->to : into->to;
	into->sum += b->sum;
	into->marks |= b->marks;
	if (b->longest > into->longest) {
		into->longest = b->longest;
		into->method = b->method;
	}
}

/* Leaves what grain and levels leave. */
static void
list_thin(struct chart_blocks *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct chart_block *b = &c->list[i];
		struct chart_block *last = n > 0 ? &c->list[n - 1] : NULL;

		if (b->level > c->levels)
			c->too_short += b->calls;
		else if (last != NULL && b->level > 0 && last->level > 0 &&
			 last->thread == b->thread && last->depth == b->depth &&
			 column(c, last->from) == column(c, b->from))
			block_join(last, b);
		else
			c->list[n++] = *b;
	}
	c->count = n;
}

/* False when all of a row is one block already. */
static bool
get_coarser(struct chart_blocks *c)
{
	/* What to have less of, in turn; then grains only. */
	static const unsigned levels[] = {0, 8, 4, 2, 0, 1};
	unsigned turn = c->coarser;

	if (turn < sizeof(levels) / sizeof(levels[0]) && levels[turn] > 0)
		c->levels = levels[turn];
	else if (c->grain <= c->to - c->from)
		c->grain *= 2;
	else
		return false;
	c->coarser++;
	return true;
}

static void
list_add(struct chart_blocks *c, const struct chart_block *b)
{
	MEM_GROW(c->list, c->room, c->count + 1);
	c->list[c->count++] = *b;
}

static void
pending_flush(struct chart_blocks *c, struct chart_block *p)
{
	if (p->calls > 0)
		list_add(c, p);
	p->calls = 0;
}

static void
lanes_flush(struct chart_blocks *c)
{
	for (uint32_t t = 0; t < c->lane_count; t++)
		for (size_t d = 0; d < c->lanes[t].pending_count; d++)
			pending_flush(c, &c->lanes[t].pending[d]);
}

/* A good part of the room becomes free, so that it does not happen too often. */
static void
list_limit(struct chart_blocks *c)
{
	size_t wanted = c->limit / 4 * 3;

	lanes_flush(c);
	while (c->count > wanted && get_coarser(c)) {
		list_sort(c);
		levels_find(c);
		list_thin(c);
	}
	while (c->count > wanted)
		c->too_many += c->list[--c->count].calls;
}

/* Collecting ------------------------------------------------------------------------ */

static struct chart_block *
pending_at(struct chart_lane *lane, uint32_t depth)
{
	MEM_GROW(lane->pending, lane->pending_room, (size_t)depth + 1);
	while (lane->pending_count <= depth)
		lane->pending[lane->pending_count++] = (struct chart_block){.calls = 0};
	return &lane->pending[depth];
}

/* As far as it is known: calls around it that are short now may become long. */
static unsigned
short_level(const struct chart_blocks *c, const struct chart_lane *lane, uint32_t depth,
    nsec now)
{
	unsigned level = 1;

	while (depth-- > 0 && level <= c->levels && now - lane->open[depth].from < c->grain)
		level++;
	return level;
}

static void
call_add(struct chart_blocks *c, struct chart_block *call)
{
	struct chart_lane *lane = &c->lanes[call->thread];
	struct chart_block *p = pending_at(lane, call->depth);

	if (!is_short(c, call)) {
		pending_flush(c, p);
		list_add(c, call);
		return;
	}
	call->level = short_level(c, lane, call->depth, call->to);
	if (call->level > c->levels) {
		c->too_short++;
		return;
	}
	if (p->calls > 0 && column(c, p->from) == column(c, call->from)) {
		block_join(p, call);
		return;
	}
	pending_flush(c, p);
	*p = *call;
}

static bool
on_enter(void *context, const struct visit_event *ev)
{
	struct chart_blocks *c = context;
	struct chart_lane *lane = &c->lanes[ev->thread];

	MEM_GROW(lane->open, lane->open_room, (size_t)ev->depth + 1);
	lane->open[ev->depth] = (struct chart_open){ev->at[c->clock], ev->marks};
	return true;
}

static bool
on_leave(void *context, const struct visit_event *ev)
{
	struct chart_blocks *c = context;
	struct chart_lane *lane = &c->lanes[ev->thread];
	const struct chart_open *open = &lane->open[ev->depth];
	nsec time = ev->at[c->clock] - open->from;
	struct chart_block call = {.thread = ev->thread,
	    .depth = ev->depth,
	    .method = ev->method,
	    .calls = 1,
	    .marks = open->marks | ev->marks,
	    .from = open->from,
	    .to = ev->at[c->clock],
	    .sum = time,
	    .longest = time};

	if (ev->depth == 0)
		lane->covered += time;
	if (ev->depth >= CHART_DEPTH_MAX)
		c->too_deep++;
	else
		call_add(c, &call);
	if (c->count >= c->limit)
		list_limit(c);
	return true;
}

bool
chart_blocks_collect(struct chart_blocks *c, const struct visit *visit)
{
	static const struct visitor visitor = {.enter = on_enter, .leave = on_leave};
	bool whole;

	c->levels = CHART_LEVELS_ALL;
	c->lane_count = visit->profile->lane_count;
	c->lanes = mem_zero((size_t)c->lane_count + 1, sizeof(*c->lanes));
	whole = visit_run(visit, &visitor, c);
	lanes_flush(c);
	if (c->count > c->limit)
		list_limit(c);
	list_sort(c);
	levels_find(c);
	list_thin(c);
	for (size_t i = 0; i < c->count; i++) {
		struct chart_lane *lane = &c->lanes[c->list[i].thread];

		if (c->list[i].depth >= lane->depth)
			lane->depth = c->list[i].depth + 1;
	}
	return whole;
}

void
chart_blocks_release(struct chart_blocks *c)
{
	for (uint32_t t = 0; t < c->lane_count; t++) {
		mem_free(c->lanes[t].open);
		mem_free(c->lanes[t].pending);
	}
	mem_free(c->lanes);
	mem_free(c->list);
}
