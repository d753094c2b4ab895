// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/sum/tree.h"
#include "profile/timeline/calls.h"
#include "trace/folded.h"

/* Is `a` less worth keeping?  Shorter, or as long and later. */
static inline bool
call_row_less(enum clock_id c, const struct call_row *a, const struct call_row *b)
{
	if (a->time[c] != b->time[c])
		return a->time[c] < b->time[c];
	if (a->start != b->start)
		return a->start > b->start;
	return a->order != b->order ? a->order > b->order : a->thread > b->thread;
}

/* Some threads of a search. */
struct search {
	const struct profile *profile;
	struct calls_query query;
	struct stackset on_stack;
	struct closed_walk *walk;
	struct replay *replay;
	uint32_t item; /* of its list */

	struct call_row *rows; /* `frame` is a node as yet */
	size_t row_count, row_room, keep;
	struct calls found; /* figures */
};

/* The threads that have the method, each searched by one worker. */
struct calls_search {
	struct deal deal;
	struct search *items[DEAL_MOST];
	uint8_t *only; /* by node: calls of the method */
};

enum { STEP_BYTES = 1 << 20 }; /* of records: some milliseconds */

/* The longest -------------------------------------------------------------------- */

/* The most worth keeping first. */
static int
worth_order(const void *left, const void *right, const void *context)
{
	enum clock_id clock = *(const enum clock_id *)context;

	return call_row_less(clock, left, right) - call_row_less(clock, right, left);
}

/* Returns how many of the rows are kept, the first ones then. */
static size_t
longest_keep(struct call_row *rows, size_t count, size_t keep, enum clock_id clock)
{
	if (count <= keep)
		return count;
	msort_items(rows, count, sizeof(*rows), worth_order, &clock);
	return keep;
}

/* Calls -------------------------------------------------------------------------- */

static void
row_count(struct search *s, const struct call_row *row)
{
	struct calls *f = &s->found;
	bool recursive = (row->flags & CALL_RECURSIVE) != 0;

	f->count++;
	f->recursive += recursive;
	f->cut += (row->flags & (CALL_BEFORE | CALL_BEYOND)) != 0;
	f->over += s->query.budget > 0 && row->time[s->query.clock] > s->query.budget;
	for (int c = 0; c < CLOCKS; c++)
		spread_add(&f->spread[c], row->time[c]);
	if (s->row_count == 2 * s->keep)
		s->row_count = longest_keep(s->rows, s->row_count, s->keep, s->query.clock);
	*MEM_ADD(s->rows, s->row_count, s->row_room) = *row;
}

static bool
call_take(void *context, const struct closed *call)
{
	struct search *s = context;
	struct call_row row = {.start = call->enter[s->profile->axis], .order = call->order,
	    .thread = call->thread, .frame = call->node,
	    .flags = (call->flags & (CALL_BEFORE | CALL_BEYOND)) |
	        (call->depth > 1 ? CALL_RECURSIVE : 0u)};

	for (int c = 0; c < CLOCKS; c++) {
		row.time[c] = call->leave[c] - call->enter[c];
		row.exclusive[c] = call->self[c];
		s->found.exclusive[c] += row.exclusive[c];
		if (call->depth == 1)
			s->found.inclusive[c] += row.time[c];
	}
	if ((call->flags & CLOSED_TOUCHES) == 0)
		row_count(s, &row);
	return true;
}

/* Blocks ------------------------------------------------------------------------- */

struct scope *
calls_threads(const struct profile *p, const struct scope *scope, uint32_t method)
{
	struct scope *with = scope_new(p->stack_count, false);
	uint8_t *seen = mem_zero(p->tree.count, 1); /* by node: its stack was looked at */

	for (uint32_t i = 1; i < p->tree.count; i++) {
		if (!trace_method_is(p->trace, p->tree.nodes[i].method, method))
			continue;
		for (uint32_t n = i; n != NODE_NONE && seen[n] == 0; n = p->tree.nodes[n].parent)
			seen[n] = 1;
	}
	for (uint32_t t = 0; t < p->stack_count; t++)
		with->in[t] = p->stacks[t].started && scope_has(scope, t) &&
		    seen[p->stacks[t].root] != 0;
	mem_free(seen);
	return with;
}

/* True if the block can have something of a call on a thread that is not done. */
static bool
block_needed(const struct search *s, uint32_t item)
{
	const struct block_list *list = replay_list(s->replay);
	bool enters = blocks_may(list->blocks, list->items[item].block, s->query.method);

	for (uint32_t i = 0; i < block_list_runs(list, item); i++) {
		struct block_run run = block_list_run(list, item, i);

		if (!closed_is_past(s->walk, run.thread) && (enters || stackset_has(&s->on_stack, run.start)))
			return true;
	}
	return false;
}

/* Decodes some blocks. */
static void
search_step(struct search *s)
{
	const struct block_list *list = replay_list(s->replay);
	uint64_t decoded = 0;

	for (; s->item < list->count && decoded < STEP_BYTES; s->item++) {
		uint32_t block = list->items[s->item].block;

		if (!block_needed(s, s->item))
			continue;
		(void)replay_block(s->replay, s->item, closed_step, s->walk);
		decoded += blocks_end(list->blocks, block) - list->blocks->items[block].at.offset;
	}
	if (s->item == list->count && !s->found.whole) {
		(void)closed_finish(s->walk);
		s->found.whole = true;
	}
}

/* The search, its threads dealt to several workers --------------------------------- */

enum { WORKER_RECORDS = 16384 }; /* of the trace, for each worker: a millisecond */

static struct search *
search_new(const struct profile *p, const struct calls_query *q, const struct scope *scope,
    const uint8_t *only)
{
	static const struct closed_sink sink = {.leave = call_take};
	struct search *s = mem_zero(1, sizeof(*s));

	s->profile = p;
	s->query = *q;
	if (unit_counts(&p->trace->unit))
		s->query.budget = 0; /* of a time */
	s->keep = q->keep > 0 ? q->keep : CALLS_KEEP;
	s->on_stack = stackset_new(&p->tree, p->trace, q->method);
	s->walk = closed_new(&(struct closed_query){.profile = p, .range = q->range, .only = only,
	    .sink = &sink, .context = s});
	s->replay = replay_new(p, scope, q->range.from, q->range.to, NULL);
	s->found.method = q->method;
	s->found.range = q->range;
	s->found.clock = q->clock;
	s->found.budget = s->query.budget;
	return s;
}

static void
search_free(struct search *s)
{
	stackset_release(&s->on_stack);
	mem_free(s->rows);
	closed_free(s->walk);
	replay_free(s->replay);
	mem_free(s);
}

struct calls_search *
calls_search_new(const struct profile *p, const struct calls_query *q)
{
	struct calls_search *all = mem_zero(1, sizeof(*all));
	struct scope *with = calls_threads(p, q->scope, q->method);

	all->deal = deal_threads(p, with, p->records / WORKER_RECORDS);
	scope_free(with);
	all->only = mem_zero(p->tree.count, 1);
	for (uint32_t i = 1; i < p->tree.count; i++)
		all->only[i] = trace_method_is(p->trace, p->tree.nodes[i].method, q->method);
	for (unsigned i = 0; i < all->deal.count; i++)
		all->items[i] = search_new(p, q, all->deal.threads[i], all->only);
	return all;
}

static void
search_work(unsigned index, void *context)
{
	search_step(((struct calls_search *)context)->items[index]);
}

bool
calls_search_step(struct calls_search *all)
{
	bool more = false;

	worker_all(all->deal.count, search_work, all);
	for (unsigned i = 0; i < all->deal.count; i++)
		more |= !all->items[i]->found.whole;
	return more;
}

void
calls_search_free(struct calls_search *all)
{
	if (all == NULL)
		return;
	for (unsigned i = 0; i < all->deal.count; i++)
		search_free(all->items[i]);
	deal_release(&all->deal);
	mem_free(all->only);
	mem_free(all);
}

/* The result as a value ------------------------------------------------------------ */

struct framing {
	struct calls *calls;
	const struct tree *tree;
	struct idmap of_node;
	size_t room;
};

/* The frame of a node, made together with those above it that are not there yet. */
static uint32_t
frame_of(struct framing *f, uint32_t node)
{
	const struct node *nodes = f->tree->nodes;
	struct calls *c = f->calls;
	uint32_t first = c->frame_count, n, known, depth;

	for (n = node; nodes[n].parent != NODE_NONE; n = nodes[n].parent) {
		if (idmap_get(&f->of_node, n) != IDMAP_NONE)
			break;
		idmap_put(&f->of_node, n, c->frame_count);
		*MEM_ADD(c->frames, c->frame_count, f->room) =
		    (struct call_frame){.method = nodes[n].method, .node = n};
		c->frames[c->frame_count - 1].caller = c->frame_count;
	}
	known = nodes[n].parent != NODE_NONE ? idmap_get(&f->of_node, n) : FRAME_NONE;
	if (c->frame_count == first)
		return known;
	c->frames[c->frame_count - 1].caller = known;
	depth = known != FRAME_NONE ? c->frames[known].depth : 0;
	for (uint32_t i = c->frame_count; i-- > first;)
		c->frames[i].depth = ++depth;
	return first;
}

static int
row_order(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;

	return order_then(ORDER(a->start, b->start), order_then(ORDER(a->thread, b->thread),
	    ORDER(a->order, b->order)));
}

static void
found_add(struct calls *c, const struct calls *more)
{
	c->whole &= more->whole;
	c->count += more->count;
	c->recursive += more->recursive;
	c->cut += more->cut;
	c->over += more->over;
	for (int k = 0; k < CLOCKS; k++) {
		c->inclusive[k] += more->inclusive[k];
		c->exclusive[k] += more->exclusive[k];
		spread_merge(&c->spread[k], &more->spread[k]);
	}
}

/* Gathers what all workers found. */
static void
rows_gather(struct calls *c, const struct calls_search *all)
{
	size_t room = 0;

	for (unsigned i = 0; i < all->deal.count; i++)
		room += all->items[i]->row_count;
	c->rows = mem_alloc(room * sizeof(*c->rows));
	for (unsigned i = 0; i < all->deal.count; i++) {
		const struct search *s = all->items[i];

		if (i > 0)
			found_add(c, &s->found);
		if (s->row_count > 0)
			memcpy(c->rows + c->row_count, s->rows, s->row_count * sizeof(*c->rows));
		c->row_count += (uint32_t)s->row_count;
	}
	c->row_count = (uint32_t)longest_keep(c->rows, c->row_count, all->items[0]->keep, c->clock);
	c->rows = mem_resize(c->rows, c->row_count, sizeof(*c->rows));
}

/* The progress of the worker with most records. */
static double
search_progress(const struct calls_search *all)
{
	const struct search *s = all->items[0];
	uint32_t count = replay_list(s->replay)->count;

	return count > 0 ? (double)s->item / (double)count : 1;
}

struct calls *
calls_search_result(const struct calls_search *all)
{
	struct calls *c = mem_alloc(sizeof(*c));
	struct framing f = {.calls = c, .tree = &all->items[0]->profile->tree};

	*c = all->items[0]->found;
	c->progress = search_progress(all);
	rows_gather(c, all);
	qsort(c->rows, c->row_count, sizeof(*c->rows), row_order);
	for (uint32_t i = 0; i < c->row_count; i++)
		c->rows[i].frame = frame_of(&f, c->rows[i].frame);
	idmap_release(&f.of_node);
	for (int k = 0; k < CLOCKS && calls_all_kept(c); k++) {
		c->sorted[k] = mem_alloc(c->row_count * sizeof(*c->sorted[k]));
		for (uint32_t i = 0; i < c->row_count; i++)
			c->sorted[k][i] = c->rows[i].time[k];
		qsort(c->sorted[k], c->row_count, sizeof(*c->sorted[k]), mem_order_leading);
	}
	return c;
}

void
calls_free(struct calls *c)
{
	if (c == NULL)
		return;
	mem_free(c->rows);
	mem_free(c->frames);
	for (int k = 0; k < CLOCKS; k++)
		mem_free(c->sorted[k]);
	mem_free(c);
}

struct calls *
calls_find(const struct profile *p, const struct calls_query *q, share_done *done,
    const atomic_bool *cancel)
{
	struct calls_search *s = calls_search_new(p, q);
	struct calls *c = NULL;
	bool more, wanted = true;

	do {
		more = calls_search_step(s);
		if (done != NULL)
			atomic_store(done, (unsigned)(search_progress(s) * SHARE_ALL));
		wanted = !is_cancelled(cancel);
	} while (more && wanted);
	if (wanted)
		c = calls_search_result(s);
	calls_search_free(s);
	return c;
}

nsec
calls_percentile(const struct calls *c, enum clock_id clock, unsigned permille)
{
	if (c->row_count > 0 && c->sorted[clock] != NULL)
		return c->sorted[clock][spread_rank(c->row_count, permille)];
	return spread_percentile(&c->spread[clock], permille);
}
