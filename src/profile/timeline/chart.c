// SPDX-License-Identifier: Apache-2.0
/* chart: calls of some threads by depth. */
#include <config.h>

#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/tracks.h"

/* Calls of one thread at one depth, one after another. */
struct band {
	struct cell_row cell_row;
	struct track_cell *cells;
};

struct chart_frame {
	uint32_t node;
	nsec enter;
	bool entered; /* else open since before what was decoded, or the trace */
};

struct chart_thread {
	struct chart *chart;
	uint32_t thread;
	bool met;
	struct chart_frame *stack;
	size_t depth, room;
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

struct chart *
chart_new(const struct profile *p, nsec from, nsec to, uint32_t columns,
    const uint32_t *threads, uint32_t count)
{
	struct chart *c = mem_zero(1, sizeof(*c));
	struct scope *scope = scope_new(p->stack_count, false);

	c->profile = p;
	c->raster = (struct raster){from, to, columns};
	c->threads = mem_zero(count, sizeof(*c->threads));
	c->count = count;
	c->row_of = mem_zero((size_t)p->stack_count + 1, sizeof(*c->row_of));
	for (uint32_t i = 0; i < count; i++) {
		c->threads[i].chart = c;
		c->threads[i].thread = threads[i];
		if (threads[i] >= p->stack_count)
			continue;
		c->row_of[threads[i]] = i + 1;
		scope->in[threads[i]] = 1;
	}
	/* A block is decoded whole or not at all, so that the next step goes on after it. */
	c->replay = replay_new(p, scope, from, to, NULL);
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
		mem_free(t->stack);
	}
	replay_free(c->replay);
	mem_free(c->row_of);
	mem_free(c->threads);
	mem_free(c);
}

static struct band *
band_at(struct chart_thread *t, size_t depth)
{
	while (t->band_count < depth) {
		const struct chart *c = t->chart;
		struct band *band = mem_zero(1, sizeof(*band));

		band->cells = mem_zero(c->raster.columns, sizeof(*band->cells));
		for (uint32_t i = 0; i < c->raster.columns; i++)
			band->cells[i].what = TRACK_NOTHING;
		cell_row_init(&band->cell_row, c->profile->trace, &c->raster, cell_close, band);
		MEM_GROW(t->bands, t->band_room, (size_t)t->band_count + 1);
		t->bands[t->band_count++] = band;
	}
	return t->bands[depth - 1];
}

/* A call of a depth that is over, or that the raster ends before. */
static void
call_draw(struct chart_thread *t, size_t depth, const struct chart_frame *f, nsec leave)
{
	const struct chart *c = t->chart;
	const struct raster *g = &c->raster;
	nsec from = f->enter, to = leave;
	uint32_t method = c->profile->tree.nodes[f->node].method;
	uint32_t first, last;
	struct band *band;

	if (from >= g->to || to < g->from || (to == g->from && from < to) ||
	    depth > TRACK_DEPTH_MAX)
		return;
	band = band_at(t, depth);
	first = from > g->from ? raster_column(g, from) : 0;
	last = to >= g->to ? g->columns - 1 : to > from ? raster_column(g, to - 1) : first;
	for (uint32_t i = first; i <= last; i++)
		track_cell_part(&band->cells[i]);
	if (f->entered && from >= g->from)
		band->cells[first].begins = true;
	/* One without length is seen where nothing else is. */
	if (band->cells[first].what == TRACK_NOTHING)
		band->cells[first].what = method;
	cell_row_run(&band->cell_row, method, from, to, to - from);
}

static void
frame_push(struct chart_thread *t, uint32_t node, nsec enter, bool entered)
{
	MEM_GROW(t->stack, t->room, t->depth + 1);
	t->stack[t->depth++] = (struct chart_frame){node, enter, entered};
}

/* The stack as the tree has it: all of it open since before. */
static void
stack_set(struct chart_thread *t, uint32_t node)
{
	const struct profile *p = t->chart->profile;
	const struct tree *tree = &p->tree;
	nsec first = p->stacks[t->thread].first[p->axis];
	size_t depth = tree_depth(tree, node);

	MEM_GROW(t->stack, t->room, depth);
	t->depth = depth;
	for (; depth > 0; depth--, node = tree->nodes[node].parent)
		t->stack[depth - 1] = (struct chart_frame){node, first, false};
}

static uint32_t
stack_top(const struct chart_thread *t)
{
	return t->depth > 0 ? t->stack[t->depth - 1].node : NODE_NONE;
}

static void
stack_pop(struct chart_thread *t, nsec at)
{
	t->depth--;
	call_draw(t, t->depth + 1, &t->stack[t->depth], at);
}

/* True if the node is on top of the stack, or the root below all frames of an empty one. */
static bool
stack_is(const struct chart_thread *t, uint32_t node)
{
	const struct tree *tree = &t->chart->profile->tree;

	return t->depth > 0 ? stack_top(t) == node
			    : tree->nodes[node].method == METHOD_TOPLEVEL;
}

static bool
chart_step(void *context, const struct step *step)
{
	struct chart *c = context;
	struct chart_thread *t = &c->threads[c->row_of[step->thread] - 1];
	const struct tree *tree = &c->profile->tree;
	nsec at = step->to[c->profile->axis];

	/* Skipped records in between are outside of the raster. */
	if (!t->met || !stack_is(t, step->before))
		stack_set(t, step->before);
	t->met = true;
	if (step->after == step->before)
		return true;
	if (tree->nodes[step->after].parent == step->before) {
		frame_push(t, step->after, at, true);
		return true;
	}
	while (t->depth > 0 && stack_top(t) != step->after)
		stack_pop(t, at);
	return true;
}

/* Open calls go on to the thread's last event, mostly beyond the raster. */
static void
chart_end(struct chart *c)
{
	const struct profile *p = c->profile;

	for (uint32_t i = 0; i < c->count; i++) {
		struct chart_thread *t = &c->threads[i];

		while (t->depth > 0)
			stack_pop(t, stack_time(&p->stacks[t->thread], p->axis));
		for (uint32_t k = 0; k < t->band_count; k++)
			cell_row_flush(&t->bands[k]->cell_row);
	}
	c->ended = true;
}

bool
chart_advance(struct chart *c, const atomic_bool *cancel, atomic_uint *done)
{
	uint32_t count = replay_list(c->replay)->count;

	for (; c->next < count; c->next++) {
		if (is_cancelled(cancel))
			return false;
		(void)replay_block(c->replay, c->next, chart_step, c);
		if (done != NULL)
			atomic_store(done, (unsigned)((uint64_t)c->next * CHART_ALL / count));
	}
	if (!c->ended)
		chart_end(c);
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
