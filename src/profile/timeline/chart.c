// SPDX-License-Identifier: Apache-2.0
/* chart: calls of some threads by depth. */
#include <config.h>

#include "base/mem.h"
#include "profile/index/closed.h"
#include "profile/index/replay.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/tracks.h"

/* Calls of one thread at one depth, one after another. */
struct band {
	struct cell_row cell_row;
	struct track_cell *cells;
};

struct chart_thread {
	struct band **bands; /* by depth - 1; bands do not move, their cells point into them */
	uint32_t band_count;
	size_t band_room;
};

struct chart {
	const struct profile *profile;
	struct raster raster;
	struct chart_thread *threads;
	uint32_t count;
	uint32_t *row_of; /* by thread of the profile: index + 1, 0 none */
	struct closed_walk *walk;
	struct replay *replay;
	uint32_t next; /* item of its list */
	bool ended;
};

static void
cell_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	struct band *band = context;
	struct track_cell *cell = &band->cells[column];

	cell->what = sum->method;
	cell->share = sum->busy > 0 ? cell_share((double)sum->busy, (double)sum->width) : 1;
}

static struct band *
band_at(const struct chart *c, struct chart_thread *t, size_t depth)
{
	while (t->band_count < depth) {
		struct band *band = mem_zero(1, sizeof(*band));

		band->cells = mem_zero(c->raster.columns, sizeof(*band->cells));
		for (uint32_t i = 0; i < c->raster.columns; i++)
			band->cells[i].what = TRACK_NOTHING;
		cell_row_init(&band->cell_row, c->profile->trace, &c->raster, cell_close, band);
		*MEM_ADD(t->bands, t->band_count, t->band_room) = band;
	}
	return t->bands[depth - 1];
}

static bool
call_draw(void *context, const struct closed *call)
{
	struct chart *c = context;
	const struct raster *g = &c->raster;
	nsec from = call->enter[c->profile->axis], to = call->leave[c->profile->axis];
	uint32_t method = c->profile->tree.nodes[call->node].method;
	uint32_t first, last;
	struct band *band;

	if ((call->flags & CLOSED_TOUCHES) != 0 || from >= g->to || call->depth > TRACK_DEPTH_MAX)
		return true;
	band = band_at(c, &c->threads[c->row_of[call->thread] - 1], call->depth);
	first = raster_column(g, from);
	last = to >= g->to ? g->columns - 1 : to > from ? raster_column(g, to - 1) : first;
	for (uint32_t i = first; i <= last; i++)
		track_cell_part(&band->cells[i]);
	if ((call->flags & CLOSED_BEFORE) == 0)
		band->cells[first].begins = true;
	/* One without length is seen where nothing else is. */
	if (band->cells[first].what == TRACK_NOTHING)
		band->cells[first].what = method;
	cell_row_run(&band->cell_row, method, from, to, to - from);
	return true;
}

struct chart *
chart_new(const struct profile *p, nsec from, nsec to, uint32_t columns,
    const uint32_t *threads, uint32_t count)
{
	static const struct closed_sink sink = {.leave = call_draw};
	struct chart *c = mem_zero(1, sizeof(*c));
	struct scope *scope = scope_new(p->stack_count, false);

	c->profile = p;
	c->raster = (struct raster){from, to, columns};
	c->threads = mem_zero(count, sizeof(*c->threads));
	c->count = count;
	c->row_of = mem_zero((size_t)p->stack_count + 1, sizeof(*c->row_of));
	for (uint32_t i = 0; i < count; i++) {
		if (threads[i] >= p->stack_count)
			continue;
		c->row_of[threads[i]] = i + 1;
		scope->in[threads[i]] = 1;
	}
	/* A block is decoded whole or not at all, so that the next step goes on after it. */
	c->replay = replay_new(p, scope, from, to, NULL);
	c->walk = closed_new(&(struct closed_query){.profile = p, .range = {from, to}, .sink = &sink,
	    .context = c});
	scope_free(scope);
	return c;
}

void
chart_free(struct chart *c)
{
	if (c == NULL)
		return;
	for (uint32_t i = 0; i < c->count; i++) {
		struct chart_thread *t = &c->threads[i];

		for (uint32_t k = 0; k < t->band_count; k++) {
			cell_row_release(&t->bands[k]->cell_row);
			mem_free(t->bands[k]->cells);
			mem_free(t->bands[k]);
		}
		mem_free(t->bands);
	}
	closed_free(c->walk);
	replay_free(c->replay);
	mem_free(c->row_of);
	mem_free(c->threads);
	mem_free(c);
}

bool
chart_advance(struct chart *c, const atomic_bool *cancel, atomic_uint *done)
{
	uint32_t count = replay_list(c->replay)->count;

	for (; c->next < count; c->next++) {
		if (is_cancelled(cancel))
			return false;
		(void)replay_block(c->replay, c->next, closed_step, c->walk);
		if (done != NULL)
			atomic_store(done, (unsigned)((uint64_t)c->next * CHART_ALL / count));
	}
	if (c->ended)
		return true;
	(void)closed_finish(c->walk);
	for (uint32_t i = 0; i < c->count; i++)
		for (uint32_t k = 0; k < c->threads[i].band_count; k++)
			cell_row_flush(&c->threads[i].bands[k]->cell_row);
	c->ended = true;
	return true;
}

uint32_t
chart_depth(const struct chart *c, uint32_t at)
{
	return c->threads[at].band_count;
}

const struct track_cell *
chart_cells(const struct chart *c, uint32_t at, uint32_t depth)
{
	return c->threads[at].bands[depth - 1]->cells;
}
