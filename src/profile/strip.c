#include <config.h>

#include "profile/strip.h"

#include <string.h>

#include "base/mem.h"
#include "profile/gap.h"

enum {
	SHARES_FEW = 16, /* of a cell are looked through for a method's */
	SLOT_BITS_FIRST = 6,
};

nsec
raster_edge(const struct raster *g, uint32_t column)
{
	nsec span = g->to - g->from;

	return g->from + span / g->columns * column + span % g->columns * column / g->columns;
}

uint32_t
raster_column(const struct raster *g, nsec at)
{
	nsec width = (g->to - g->from) / g->columns;
	nsec guess = width > 0 ? (at - g->from) / (width + 1) : 0;
	uint32_t column = guess < g->columns ? (uint32_t)guess : g->columns - 1;

	/* The guess is never too large; narrow columns are found by stepping. */
	if (width == 0)
		column = (uint32_t)((at - g->from) * g->columns / (g->to - g->from));
	while (column + 1 < g->columns && raster_edge(g, column + 1) <= at)
		column++;
	return column < g->columns ? column : g->columns - 1;
}

void
raster_edges_make(struct raster_edges *e, const struct raster *g)
{
	e->columns = g->columns;
	e->per_ns = (double)g->columns / (double)(g->to - g->from);
	e->edges = mem_alloc(((size_t)g->columns + 1) * sizeof(*e->edges));
	for (uint32_t c = 0; c <= g->columns; c++)
		e->edges[c] = raster_edge(g, c);
}

void
raster_edges_release(struct raster_edges *e)
{
	mem_free(e->edges);
}

void
strip_init(struct strip *s, const struct trace *t, const struct raster *raster,
    void (*close)(void *, uint32_t, const struct cell_sum *), void *context)
{
	*s = (struct strip){.trace = t, .raster = raster, .close = close, .context = context,
	    .cell = 1};
	strip_reopen(s, 0);
}

void
strip_reopen(struct strip *s, uint32_t column)
{
	s->column = column;
	if (s->edges != NULL) {
		s->begin = s->edges->edges[column];
		s->end = s->edges->edges[column + 1];
	} else {
		s->begin = raster_edge(s->raster, column);
		s->end = raster_edge(s->raster, column + 1);
	}
}

void
strip_release(struct strip *s)
{
	mem_free(s->shares);
	mem_free(s->slots);
}

/* What slots say of the cells before does not hold any more. */
static void
slots_outdate(struct strip *s)
{
	if (++s->cell > 0)
		return;
	s->cell = 1;
	if (s->slots != NULL)
		memset(s->slots, 0, ((size_t)1 << s->slot_bits) * sizeof(*s->slots));
}

void
strip_flush(struct strip *s)
{
	struct cell_sum sum = {.method = METHOD_NONE, .width = s->end - s->begin, .ran = s->ran,
	    .busy = s->busy, .asleep = s->asleep};
	nsec slept = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct share *share = &s->shares[i];

		if (share->run > sum.run || (sum.run == 0 && share->sleep > slept)) {
			sum.method = share->method;
			sum.run = share->run;
			slept = share->sleep;
		}
	}
	if (s->count > 0)
		s->close(s->context, s->column, &sum);
	slots_outdate(s);
	s->count = 0;
	s->ran = s->busy = s->asleep = 0;
}

static struct share *
share_append(struct strip *s, uint32_t method)
{
	MEM_GROW(s->shares, s->room, s->count + 1);
	s->shares[s->count] = (struct share){.method = method};
	s->last = s->count;
	return &s->shares[s->count++];
}

/* Where the method's share is told, or would be. */
static struct share_slot *
slot_find(const struct strip *s, uint32_t method)
{
	uint32_t mask = (1u << s->slot_bits) - 1;
	uint32_t slot = method * 0x9e3779b1u >> (32 - s->slot_bits);

	while (s->slots[slot].cell == s->cell &&
	    s->shares[s->slots[slot].place].method != method)
		slot = (slot + 1) & mask;
	return &s->slots[slot];
}

static void
slots_grow(struct strip *s)
{
	s->slot_bits = s->slots == NULL ? SLOT_BITS_FIRST : s->slot_bits + 1;
	mem_free(s->slots);
	s->slots = mem_zero((size_t)1 << s->slot_bits, sizeof(*s->slots));
	for (size_t i = 0; i < s->count; i++)
		*slot_find(s, s->shares[i].method) = (struct share_slot){s->cell, (uint32_t)i};
}

/* The share of a method that may have one; NULL: it has none. */
static struct share *
share_seek(struct strip *s, uint32_t method)
{
	for (size_t i = s->count; i-- > 0;) {
		if (s->shares[i].method == method) {
			s->last = i;
			return &s->shares[i];
		}
	}
	return NULL;
}

struct share *
strip_share(struct strip *s, uint32_t method)
{
	struct share_slot *slot;

	if (s->slots == NULL) {
		struct share *share = share_seek(s, method);

		if (share != NULL || s->count < SHARES_FEW)
			return share != NULL ? share : share_append(s, method);
	}
	/* At most half of them are in use. */
	if (s->slots == NULL || s->count >= (size_t)1 << (s->slot_bits - 1))
		slots_grow(s);
	slot = slot_find(s, method);
	if (slot->cell == s->cell) {
		s->last = slot->place;
		return &s->shares[s->last];
	}
	*slot = (struct share_slot){s->cell, (uint32_t)s->count};
	return share_append(s, method);
}

/* The cell that holds `at`, open, and how far `to` goes in it. */
static nsec
strip_reach(struct strip *s, nsec at, nsec to)
{
	if (at >= s->end) {
		strip_flush(s);
		strip_reopen(s, s->edges != NULL ? raster_edges_column(s->edges, at)
						 : raster_column(s->raster, at));
	}
	return s->end < to ? s->end : to;
}

static void
clip(const struct raster *g, nsec *from, nsec *to)
{
	if (*from < g->from)
		*from = g->from;
	if (*to > g->to)
		*to = g->to;
}

void
strip_run(struct strip *s, uint32_t method, nsec from, nsec to, nsec busy)
{
	nsec length = to - from;

	if (from >= s->begin && to <= s->end) {
		if (from < to)
			strip_run_within(s, method, length, busy < length ? busy : length);
		return;
	}
	clip(s->raster, &from, &to);
	while (from < to) {
		nsec piece = strip_reach(s, from, to) - from;

		strip_share_near(s, method)->run += piece;
		s->ran += piece;
		if (busy >= length)
			s->busy += piece;
		else if (piece == length)
			s->busy += busy;
		else
			s->busy += (nsec)((double)piece / (double)length * (double)busy);
		from += piece;
	}
}

void
strip_sleep(struct strip *s, uint32_t method, nsec from, nsec to)
{
	clip(s->raster, &from, &to);
	while (from < to) {
		nsec piece = strip_reach(s, from, to) - from;

		strip_share(s, method)->sleep += piece;
		s->asleep += piece;
		from += piece;
	}
}

/* Of a stretch that is less than some years; at most 1/65536 too little. */
static inline nsec
blend_part(nsec piece, uint16_t part)
{
	nsec of = part == BLEND_FULL ? BLEND_FULL + 1 : part;

	return (piece >> 16) * of + ((piece & 0xffff) * of >> 16);
}

/* As strip_blend for a stretch within the open cell. */
static inline void
blend_within(struct strip *s, uint32_t method, nsec piece, const struct blend *blend)
{
	struct share *share = strip_share_near(s, method);

	if (blend->run > 0)
		share->run += blend_part(piece, blend->run);
	else
		share->sleep += blend_part(piece, blend->asleep);
	s->ran += blend_part(piece, blend->ran);
	s->busy += blend_part(piece, blend->busy);
	s->asleep += blend_part(piece, blend->asleep);
}

void
strip_blend(
    struct strip *s, uint32_t method, nsec from, nsec to, const struct blend *blend)
{
	if (from >= s->begin && from < to && to <= s->end) {
		blend_within(s, method, to - from, blend);
		return;
	}
	clip(s->raster, &from, &to);
	while (from < to) {
		nsec end = strip_reach(s, from, to);

		blend_within(s, method, end - from, blend);
		from = end;
	}
}

void
strip_step(struct strip *s, const struct profile *p, const struct step *step)
{
	uint32_t method = p->tree.nodes[step->before].method;
	nsec from = step->from[p->axis], to = step->to[p->axis];
	struct gap gap = {step->from[CLOCK_WALL], step->to[CLOCK_WALL], step->from[CLOCK_CPU],
	    step->to[CLOCK_CPU]};

	if (step->first || from == to || method == METHOD_TOPLEVEL)
		return;
	if (s->trace->clocks != (1u << CLOCK_CPU | 1u << CLOCK_WALL)) {
		strip_run(s, method, from, to, to - from);
	} else if (gap_sleeps(&gap)) {
		strip_run(s, method, from, from + gap_head(&gap), gap_head(&gap));
		strip_sleep(s, method, from + gap_head(&gap), to - gap_tail(&gap));
		strip_run(s, method, to - gap_tail(&gap), to, gap_tail(&gap));
	} else {
		strip_run(s, method, from, to, gap.cpu_to - gap.cpu_from);
	}
}
