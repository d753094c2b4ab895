// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/cells.h"

#include <string.h>

#include "base/mem.h"

#define CELL_FIRST ((uint64_t)1 << 32)

enum { SLOT_BITS_FIRST = 4 };

/* The table of a row in which nothing was: no cell has this key. */
static const struct share share_none;

nsec
raster_edge(const struct raster *g, uint32_t column)
{
	nsec span = g->to - g->from;

	return g->from + span / g->columns * column + span % g->columns * column / g->columns;
}

uint32_t
raster_column(const struct raster *g, nsec at)
{
	double guess = (double)(at - g->from) * g->columns / (double)(g->to - g->from);
	uint32_t column = guess < g->columns ? (uint32_t)guess : g->columns - 1;

	while (column > 0 && raster_edge(g, column) > at)
		column--;
	while (column + 1 < g->columns && raster_edge(g, column + 1) <= at)
		column++;
	return column;
}

void
cell_row_init(struct cell_row *s, const struct trace *t, const struct raster *raster,
    void (*close)(void *, uint32_t, const struct cell_sum *), void *context)
{
	*s = (struct cell_row){.trace = t, .raster = raster, .close = close, .context = context,
	    .cell = CELL_FIRST, .slots = (struct share *)(uintptr_t)&share_none,
	    .slot_shift = 32};
	cell_row_reopen(s, 0);
}

void
cell_row_reopen(struct cell_row *s, uint32_t column)
{
	s->column = column;
	if (s->even > 0) {
		s->begin = s->raster->from + s->even * column;
		s->end = s->begin + s->even;
	} else {
		s->begin = raster_edge(s->raster, column);
		s->end = raster_edge(s->raster, column + 1);
	}
}

void
cell_row_even(struct cell_row *s, nsec width,
    void (*close_run)(void *, uint32_t, uint32_t, const struct cell_sum *))
{
	s->even = width;
	s->close_run = close_run;
}

void
cell_row_release(struct cell_row *s)
{
	if (s->slots != &share_none)
		mem_free(s->slots);
	mem_free(s->order);
}

static size_t
slot_count(const struct cell_row *s)
{
	return (size_t)1 << (32 - s->slot_shift);
}

/* Invalidates the slots of earlier cells. */
static void
slots_outdate(struct cell_row *s)
{
	s->count = 0;
	s->cell += CELL_FIRST;
	if (s->cell > 0)
		return;
	s->cell = CELL_FIRST;
	if (s->slots != &share_none)
		memset(s->slots, 0, slot_count(s) * sizeof(*s->slots));
}

void
cell_row_flush(struct cell_row *s)
{
	struct cell_sum sum = {.method = METHOD_NONE, .width = s->end - s->begin,
	    .busy = s->busy, .asleep = s->asleep};
	nsec slept = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct share *share = &s->slots[s->order[i]];
		/* Running time outside of slices gives way to any slice. */
		const bool outside = (uint32_t)share->key == METHOD_TOPLEVEL;

		if (outside ? sum.method == METHOD_NONE
			    : sum.method == METHOD_TOPLEVEL || share->run > sum.run ||
			(sum.run == 0 && share->sleep > slept)) {
			sum.method = (uint32_t)share->key;
			sum.run = share->run;
			slept = share->sleep;
		}
	}
	if (s->count > 0)
		s->close(s->context, s->column, &sum);
	slots_outdate(s);
	s->busy = s->asleep = 0;
}

/* The method's share, or the free place where it would be. */
static struct share *
share_place(const struct cell_row *s, uint32_t method)
{
	const struct share *end = s->slots + slot_count(s);
	struct share *share = cell_row_slot(s, method);

	while (share->key >> 32 == s->cell >> 32 && (uint32_t)share->key != method) {
		if (++share == end)
			share = s->slots;
	}
	return share;
}

static void
slots_grow(struct cell_row *s)
{
	struct share *old = s->slots;

	s->slot_shift -= old == &share_none ? SLOT_BITS_FIRST : 1;
	s->slots = mem_zero(slot_count(s), sizeof(*s->slots));
	s->room = (uint32_t)(slot_count(s) / 2);
	s->order = mem_resize(s->order, s->room, sizeof(*s->order));
	for (uint32_t i = 0; i < s->count; i++) {
		const struct share *share = &old[s->order[i]];
		struct share *place = share_place(s, (uint32_t)share->key);

		*place = *share;
		s->order[i] = (uint32_t)(place - s->slots);
	}
	if (old != &share_none)
		mem_free(old);
}

struct share *
cell_row_share_seek(struct cell_row *s, uint32_t method)
{
	struct share *share = share_place(s, method);

	if (share->key == (s->cell | method))
		return share;
	if (s->count == s->room) {
		slots_grow(s);
		share = share_place(s, method);
	}
	*share = (struct share){.key = s->cell | method};
	s->order[s->count++] = (uint32_t)(share - s->slots);
	return share;
}

static uint32_t
column_of(const struct cell_row *s, nsec at)
{
	if (s->even > 0)
		return (uint32_t)((at - s->raster->from) / s->even);
	return raster_column(s->raster, at);
}

/* The cell that holds `at`, open, and how far `to` goes in it. */
static nsec
cell_row_reach(struct cell_row *s, nsec at, nsec to)
{
	if (at >= s->end) {
		cell_row_flush(s);
		cell_row_reopen(s, column_of(s, at));
	}
	return s->end < to ? s->end : to;
}

/*
 * Fills all whole columns of [from, to), which begins after the open cell, with `sum` at
 * once if columns are even.  Returns where the rest begins.
 */
static nsec
columns_fill(struct cell_row *s, nsec from, nsec to, const struct cell_sum *sum)
{
	uint32_t count;

	if (s->even == 0 || from != s->end)
		return from;
	count = (uint32_t)((to - from) / s->even);
	cell_row_flush(s);
	s->close_run(s->context, s->column + 1, count, sum);
	cell_row_reopen(s, s->column + 1 + count);
	return from + s->even * count;
}

/* The part of `busy` that falls to a piece of `length`. */
static inline nsec
busy_part(nsec piece, nsec length, nsec busy)
{
	if (busy >= length)
		return piece;
	return piece == length ? busy : (nsec)((double)piece / (double)length * (double)busy);
}

static void
clip(const struct raster *g, nsec *from, nsec *to)
{
	*from = nsec_max(*from, g->from);
	*to = nsec_min(*to, g->to);
}

void
cell_row_run(struct cell_row *s, uint32_t method, nsec from, nsec to, nsec busy)
{
	nsec length = to - from;

	if (from >= s->begin && to <= s->end) {
		if (from < to)
			cell_row_run_within(s, method, length, busy < length ? busy : length);
		return;
	}
	clip(s->raster, &from, &to);
	while (from < to) {
		nsec piece = cell_row_reach(s, from, to) - from;

		cell_row_share(s, method)->run += piece;
		s->busy += busy_part(piece, length, busy);
		from += piece;
		if (to - from > s->even) {
			struct cell_sum sum = {method, s->even, s->even,
			    busy_part(s->even, length, busy), 0};

			from = columns_fill(s, from, to, &sum);
		}
	}
}

/* Part of a span of less than some years; at most 1/65536 too little. */
static inline nsec
blend_part(nsec piece, uint16_t part)
{
	nsec of = part == BLEND_FULL ? BLEND_FULL + 1 : part;

	return (piece >> 16) * of + ((piece & 0xffff) * of >> 16);
}

/* As cell_row_blend for a stretch within the open cell. */
static inline void
blend_within(struct cell_row *s, uint32_t method, nsec piece, const struct blend *blend)
{
	struct share *share = cell_row_share(s, method);

	if (blend->run > 0)
		share->run += blend_part(piece, blend->run);
	else
		share->sleep += blend_part(piece, blend->asleep);
	s->busy += blend_part(piece, blend->busy);
	s->asleep += blend_part(piece, blend->asleep);
}

void
cell_row_blend(
    struct cell_row *s, uint32_t method, nsec from, nsec to, const struct blend *blend)
{
	if (from >= s->begin && from < to && to <= s->end) {
		blend_within(s, method, to - from, blend);
		return;
	}
	clip(s->raster, &from, &to);
	while (from < to) {
		nsec end = cell_row_reach(s, from, to);

		blend_within(s, method, end - from, blend);
		from = end;
		if (to - from > s->even) {
			struct cell_sum sum = {method, s->even, blend_part(s->even, blend->run),
			    blend_part(s->even, blend->busy), blend_part(s->even, blend->asleep)};

			from = columns_fill(s, from, to, &sum);
		}
	}
}

/* True if a log's thread ran in the step, outside of any slice. */
static bool
step_runs_outside(const struct profile *p, const struct step *step)
{
	return p->trace->log != NULL && step->to[CLOCK_CPU] > step->from[CLOCK_CPU];
}

void
cell_row_step(struct cell_row *s, const struct profile *p, const struct step *step)
{
	static const struct blend sleeps = {.asleep = BLEND_FULL};
	uint32_t method = p->tree.nodes[step->before].method;
	nsec from = step->from[p->axis], to = step->to[p->axis];

	if (step->first || from == to || (method == METHOD_TOPLEVEL && !step_runs_outside(p, step)))
		return;
	if (method == METHOD_TOPLEVEL && step_sleeps(step)) {
		cell_row_run(s, method, from, from + step_head(step), step_head(step));
		cell_row_run(s, method, to - step_tail(step), to, step_tail(step));
		return;
	}
	if (s->trace->clocks != HAS_BOTH) {
		cell_row_run(s, method, from, to, to - from);
	} else if (step_sleeps(step)) {
		cell_row_run(s, method, from, from + step_head(step), step_head(step));
		cell_row_blend(s, method, from + step_head(step), to - step_tail(step), &sleeps);
		cell_row_run(s, method, to - step_tail(step), to, step_tail(step));
	} else {
		cell_row_run(s, method, from, to, step_cpu(step));
	}
}
