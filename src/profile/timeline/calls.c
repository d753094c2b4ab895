// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/load/scope.h"
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

/* A call that is open. */
struct open_call {
	uint32_t node;
	uint64_t order;
	nsec enter[CLOCKS]; /* where its time in the range begins */
	nsec exclusive[CLOCKS];
};

/* A thread of the search. */
struct calls_stack {
	bool has;   /* the thread calls the method, and is in scope */
	bool known; /* a step was seen: `open` is right */
	bool begun; /* the thread is within the range */
	bool ended; /* and came to its end */
	bool done;  /* and past it */
	nsec begin[CLOCKS], end[CLOCKS]; /* of the range; as far as it came */
	struct open_call *open; /* outermost first */
	size_t count, room;
};

/* Some threads of a search. */
struct search {
	const struct profile *profile;
	struct calls_query query;
	enum clock_id axis;
	bool closed;
	nsec from, to;
	struct stackset on_stack;
	struct replay *replay;
	uint32_t item; /* of its list */
	struct calls_stack *stacks;
	uint32_t stack_count;

	struct call_row *rows; /* `frame` is a node as yet */
	size_t row_count, row_room, keep;
	struct calls found; /* figures */
};

/* The threads that have the method, each searched by one worker. */
struct calls_search {
	struct deal deal;
	struct search *items[DEAL_MOST];
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

static void
row_keep(struct search *s, const struct call_row *row)
{
	if (s->row_count == 2 * s->keep)
		s->row_count = longest_keep(s->rows, s->row_count, s->keep, s->query.clock);
	MEM_GROW(s->rows, s->row_room, s->row_count + 1);
	s->rows[s->row_count++] = *row;
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
	row_keep(s, row);
}

/* The innermost open call ends here; `at` is where on the axis. */
static void
call_close(struct search *s, uint32_t thread, const nsec leave[CLOCKS], nsec at,
    bool beyond)
{
	struct calls_stack *stack = &s->stacks[thread];
	const struct open_call *call = &stack->open[--stack->count];
	struct call_row row = {.start = call->enter[s->axis], .order = call->order,
	    .thread = thread, .frame = call->node};
	bool before = call->order < CALL_ORDER_FIRST;

	if (stack->count > 0)
		row.flags |= CALL_RECURSIVE;
	if (before)
		row.flags |= CALL_BEFORE;
	if (beyond)
		row.flags |= CALL_BEYOND;
	for (int c = 0; c < CLOCKS; c++) {
		row.time[c] = leave[c] - call->enter[c];
		row.exclusive[c] = call->exclusive[c];
		s->found.exclusive[c] += row.exclusive[c];
		if (stack->count == 0)
			s->found.inclusive[c] += row.time[c];
	}
	/* One that ended as the range begins shares no time with it. */
	if (before && at <= s->from && s->profile->stacks[thread].first[s->axis] < s->from)
		return;
	row_count(s, &row);
}

static void
call_open(struct calls_stack *stack, uint32_t node, uint64_t order, const nsec enter[CLOCKS])
{
	struct open_call *call;

	MEM_GROW(stack->open, stack->room, stack->count + 1);
	call = &stack->open[stack->count++];
	*call = (struct open_call){.node = node, .order = order};
	memcpy(call->enter, enter, sizeof(call->enter));
}

static bool
is_wanted(const struct search *s, uint32_t node)
{
	return trace_method_is(s->profile->trace, s->profile->tree.nodes[node].method, s->query.method);
}

/* All that is open on the stack when the thread is first seen. */
static void
stack_open(struct search *s, struct calls_stack *stack, const struct step *step)
{
	const struct node *nodes = s->profile->tree.nodes;

	stack->known = true;
	for (uint32_t n = step->before; n != NODE_NONE; n = nodes[n].parent) {
		if (is_wanted(s, n))
			call_open(stack, n, 0, step->from);
	}
	/* The outermost first. */
	for (size_t i = 0; i < stack->count / 2; i++) {
		uint32_t swap = stack->open[i].node;

		stack->open[i].node = stack->open[stack->count - 1 - i].node;
		stack->open[stack->count - 1 - i].node = swap;
	}
	for (size_t i = 0; i < stack->count; i++)
		stack->open[i].order = i;
}

static bool
enters(const struct search *s, const struct step *step)
{
	return s->profile->tree.nodes[step->after].parent == step->before &&
	    step->after != step->before;
}

/* Calls that the step leaves; `drop`: they are of no interest. */
static void
stack_pop(struct search *s, const struct step *step, const nsec leave[CLOCKS], bool drop)
{
	const struct node *nodes = s->profile->tree.nodes;
	struct calls_stack *stack = &s->stacks[step->thread];

	if (step->after == step->before || enters(s, step))
		return;
	for (uint32_t n = step->before; n != step->after && n != NODE_NONE && stack->count > 0;
	     n = nodes[n].parent) {
		if (stack->open[stack->count - 1].node != n)
			continue;
		if (drop)
			stack->count--;
		else
			call_close(s, step->thread, leave, step->to[s->axis], false);
	}
}

/* The step as records see it -------------------------------------------------------- */

/* False as long as the thread is before the range. */
static bool
stack_begin(struct search *s, struct calls_stack *stack, const struct step *step)
{
	nsec at = step->to[s->axis];

	if (at < s->from) {
		stack_pop(s, step, step->to, true);
		if (enters(s, step) && is_wanted(s, step->after))
			call_open(stack, step->after, stack->count, step->to);
		return false;
	}
	stack->begun = true;
	if (step->first || step->from[s->axis] > s->from)
		memcpy(stack->begin, step->first ? step->to : step->from, sizeof(stack->begin));
	else
		step_times_at(step, s->axis, s->from, stack->begin);
	for (size_t i = 0; i < stack->count; i++)
		memcpy(stack->open[i].enter, stack->begin, sizeof(stack->begin));
	return true;
}

/* At or past the end of the range: only calls that are open matter. */
static void
stack_end(struct search *s, struct calls_stack *stack, const struct step *step)
{
	nsec at = step->to[s->axis];

	stack->ended = true;
	if (at == s->to) {
		stack_pop(s, step, stack->end, false);
		return;
	}
	while (stack->count > 0)
		call_close(s, step->thread, stack->end, at, true);
	stack->done = true;
}

static bool
calls_step(void *context, const struct step *step)
{
	struct search *s = context;
	struct calls_stack *stack = &s->stacks[step->thread];
	const nsec *from = step->from, *to = step->to;
	bool past = !s->closed && step->to[s->axis] >= s->to;

	if (stack->done)
		return true;
	if (!stack->known)
		stack_open(s, stack, step);
	if (!stack->begun) {
		if (!stack_begin(s, stack, step))
			return true;
		from = stack->begin;
	}
	/* A thread that begins after the range has nothing of it. */
	if (past && step->first) {
		stack->count = 0;
		stack->done = true;
		return true;
	}
	if (past) {
		if (stack->ended)
			from = stack->end;
		else
			step_times_at(step, s->axis, s->to, stack->end);
		to = stack->end;
	}
	if (stack->count > 0 && stack->open[stack->count - 1].node == step->before) {
		for (int c = 0; c < CLOCKS; c++)
			stack->open[stack->count - 1].exclusive[c] += to[c] - from[c];
	}
	if (past)
		stack_end(s, stack, step);
	else if (!enters(s, step))
		stack_pop(s, step, to, false);
	else if (is_wanted(s, step->after))
		call_open(stack, step->after, CALL_ORDER_FIRST + step->order, to);
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

		if (!s->stacks[run.thread].done && (enters || stackset_has(&s->on_stack, run.start)))
			return true;
	}
	return false;
}

/* Ends calls that are open on threads without an event at the end of the range. */
static void
stacks_finish(struct search *s)
{
	for (uint32_t t = 0; t < s->stack_count; t++) {
		struct calls_stack *stack = &s->stacks[t];
		const struct stack *known = &s->profile->stacks[t];
		nsec leave[CLOCKS];

		if (!stack->begun)
			stack->count = 0;
		for (int c = 0; c < CLOCKS; c++)
			leave[c] = stack->ended ? stack->end[c]
					       : stack_time(known, (enum clock_id)c);
		while (stack->count > 0)
			call_close(s, t, leave, leave[s->axis], true);
	}
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
		(void)replay_block(s->replay, s->item, calls_step, s);
		decoded += blocks_end(list->blocks, block) - list->blocks->items[block].at.offset;
	}
	if (s->item == list->count && !s->found.whole) {
		stacks_finish(s);
		s->found.whole = true;
	}
}

/* The search, its threads dealt to several workers --------------------------------- */

enum { WORKER_RECORDS = 16384 }; /* of the trace, for each worker: a millisecond */

static struct search *
search_new(const struct profile *p, const struct calls_query *q, const struct scope *scope)
{
	struct search *s = mem_zero(1, sizeof(*s));

	s->profile = p;
	s->query = *q;
	if (unit_counts(&p->trace->unit))
		s->query.budget = 0; /* of a time */
	s->axis = p->axis;
	s->from = q->range.from;
	s->to = q->range.to;
	s->closed = q->range.to >= p->end;
	/* The end itself belongs to the range that comes up to it. */
	if (q->range.from >= p->end && p->begin < p->end)
		s->from = INT64_MAX;
	s->keep = q->keep > 0 ? q->keep : CALLS_KEEP;
	s->on_stack = stackset_new(&p->tree, p->trace, q->method);
	s->replay = replay_new(p, scope, s->from, s->to, NULL);
	s->stack_count = p->stack_count;
	s->stacks = mem_zero(s->stack_count, sizeof(*s->stacks));
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
	for (uint32_t t = 0; t < s->stack_count; t++)
		mem_free(s->stacks[t].open);
	mem_free(s->stacks);
	mem_free(s->rows);
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
	for (unsigned i = 0; i < all->deal.count; i++)
		all->items[i] = search_new(p, q, all->deal.threads[i]);
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
		MEM_GROW(c->frames, f->room, (size_t)c->frame_count + 1);
		idmap_put(&f->of_node, n, c->frame_count);
		c->frames[c->frame_count] = (struct call_frame){.method = nodes[n].method,
		    .caller = c->frame_count + 1, .node = n};
		c->frame_count++;
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

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int
time_order(const void *left, const void *right)
{
	const nsec *a = left, *b = right;

	return (*a > *b) - (*a < *b);
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
		qsort(c->sorted[k], c->row_count, sizeof(*c->sorted[k]), time_order);
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
