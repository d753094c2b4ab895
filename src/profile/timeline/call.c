// SPDX-License-Identifier: Apache-2.0
/* call: one call: what is open on a thread at some time, and the next call of a method. */
#include <config.h>

#include <string.h>

#include "profile/index/replay.h"
#include "profile/timeline/calls.h"
#include "profile/timeline/timeline.h"
#include "trace/folded.h"

/*
 * One call is found in three steps: what is on top at the time, the last entry of that
 * frame before, its first exit after.  Blocks in which the stack never fell below the frame
 * are not decoded, however many there are.
 */
struct call_search {
	const struct profile *profile;
	const atomic_bool *cancel;
	struct replay *replay; /* of the one thread */
	const struct block_list *list;
	uint32_t thread, depth; /* 0: the innermost */
	nsec at;
	uint32_t method; /* of the call to find; METHOD_NONE: the innermost call's */

	uint32_t low;   /* frame that `low_above` is known of; NODE_NONE: of none */
	uint32_t low_above;

	bool any;       /* a step of the block was seen */
	uint32_t node;  /* on top at `at`: the frame looked for */
	uint64_t order; /* of the last record not after `at` */

	bool entered;
	uint64_t enter_order, enter_offset;
	nsec enter[CLOCKS];

	bool placed;    /* `above` is known */
	uint32_t above; /* frames on top of the call's */
	bool left;
	uint64_t leave_offset;
	nsec leave[CLOCKS];
	nsec exclusive[CLOCKS];
};

static bool
top_step(void *context, const struct step *step)
{
	struct call_search *s = context;

	if (!s->any)
		s->node = step->before;
	s->any = true;
	if (step->to[s->profile->axis] > s->at)
		return false;
	s->node = step->after;
	s->order = step->order;
	return true;
}

static bool
enter_step(void *context, const struct step *step)
{
	struct call_search *s = context;

	if (step->order > s->order)
		return false;
	if (step->after == s->node && s->profile->tree.nodes[s->node].parent == step->before) {
		s->entered = true;
		s->enter_order = step->order;
		s->enter_offset = step->offset;
		memcpy(s->enter, step->to, sizeof(s->enter));
	}
	return true;
}

/* Frames from `node` down to `base`, or UINT32_MAX when `base` is not below it. */
static uint32_t
frames_between(const struct tree *tree, uint32_t node, uint32_t base)
{
	uint32_t frames = 0;

	for (; node != base; node = tree->nodes[node].parent) {
		if (node == NODE_NONE)
			return UINT32_MAX;
		frames++;
	}
	return frames;
}

/*
 * How far the shallowest frame of a block is above the frame looked for, UINT32_MAX when it
 * is not.  Neighbouring blocks mostly have the same, on a stack that may be very deep.
 */
static uint32_t
block_above(struct call_search *s, uint32_t item)
{
	uint32_t low = block_list_run(s->list, item, 0).low;

	if (s->low != low) {
		s->low = low;
		s->low_above = frames_between(&s->profile->tree, low, s->node);
	}
	return s->low_above;
}

static bool
leave_step(void *context, const struct step *step)
{
	struct call_search *s = context;
	const struct tree *tree = &s->profile->tree;
	uint32_t popped;

	if (s->entered && step->order <= s->enter_order)
		return true;
	if (!s->placed) {
		s->above = frames_between(tree, step->before, s->node);
		s->placed = true;
	}
	if (step->before == s->node) {
		for (int c = 0; c < CLOCKS; c++)
			s->exclusive[c] += step->to[c] - step->from[c];
	}
	if (step->after == step->before)
		return true;
	if (tree->nodes[step->after].parent == step->before) {
		s->above++;
		return true;
	}
	popped = frames_between(tree, step->before, step->after);
	if (popped <= s->above) {
		s->above -= popped;
		return true;
	}
	s->left = true;
	s->leave_offset = step->offset;
	memcpy(s->leave, step->to, sizeof(s->leave));
	return false;
}

static bool
block_run(struct call_search *s, uint32_t item, visit_step visit)
{
	s->any = s->placed = false;
	(void)replay_block(s->replay, item, visit, s);
	return !is_cancelled(s->cancel);
}

/* The block with the thread's last record not after `at`. */
static bool
top_find(struct call_search *s, uint32_t *item)
{
	for (uint32_t i = s->list->count; i-- > 0;) {
		if (block_list_run(s->list, i, 0).from > s->at)
			continue;
		*item = i;
		/* The limit so far: the last of the block before. */
		s->order = s->list->blocks->items[s->list->items[i].block].records - 1;
		return block_run(s, i, top_step);
	}
	return false;
}

static bool
enter_find(struct call_search *s, uint32_t *item)
{
	uint32_t i = *item;

	for (;; i--) {
		if (is_cancelled(s->cancel))
			return false;
		if (i == *item || block_above(s, i) == UINT32_MAX) {
			if (!block_run(s, i, enter_step))
				return false;
			if (s->entered)
				break;
		}
		if (i == 0)
			break; /* open since before the trace */
	}
	*item = i;
	return true;
}

static bool
leave_find(struct call_search *s, uint32_t item)
{
	const struct count count = tree_count(&s->profile->tree, s->node);
	/* A call that is the only one on its path has what was counted for the path. */
	bool only = count.calls == 1;

	for (uint32_t i = item; i < s->list->count && !s->left; i++) {
		uint32_t above = block_above(s, i);

		if (is_cancelled(s->cancel))
			return false;
		if (above != UINT32_MAX && (only || (i != item && above > 0)))
			continue;
		if (!block_run(s, i, leave_step))
			return false;
	}
	if (only)
		memcpy(s->exclusive, count.time, sizeof(s->exclusive));
	return true;
}

/* The item of a record, which the thread has. */
static uint32_t
item_of(const struct block_list *list, uint64_t record)
{
	uint64_t end;
	uint32_t block = blocks_of_record(list->blocks, record, &end), i = 0;

	while (i + 1 < list->count && list->items[i].block < block)
		i++;
	return i;
}

static void
call_fill(const struct call_search *s, struct call *call)
{
	const struct profile *p = s->profile;
	const struct stack *stack = &p->stacks[s->thread];

	call->method = p->tree.nodes[s->node].method;
	call->node = s->node;
	call->depth = tree_depth(&p->tree, s->node);
	call->entered_before = !s->entered;
	call->offset = s->entered ? s->enter_offset : UINT64_MAX;
	call->leave_offset = s->left ? s->leave_offset : UINT64_MAX;
	call->unfinished = !s->left;
	call->order = s->entered ? CALL_ORDER_FIRST + s->enter_order : 0;
	memcpy(call->enter, s->entered ? s->enter : stack->first, sizeof(call->enter));
	for (int c = 0; c < CLOCKS; c++)
		call->leave[c] = s->left ? s->leave[c] : stack_time(stack, (enum clock_id)c);
	memcpy(call->exclusive, s->exclusive, sizeof(call->exclusive));
}

/* From the frame on top to the one at the depth asked for; false when there is none. */
static bool
depth_climb(struct call_search *s)
{
	uint32_t depth = s->depth > 0 ? tree_depth(&s->profile->tree, s->node) : 0;

	if (depth < s->depth)
		return false;
	for (; depth > s->depth; depth--)
		s->node = s->profile->tree.nodes[s->node].parent;
	return true;
}

/* The frame of the method that is asked for, where there is one. */
static void
frame_choose(struct call_search *s)
{
	const struct node *nodes = s->profile->tree.nodes;

	if (s->method == METHOD_NONE || s->method == METHOD_TOPLEVEL)
		return;
	for (uint32_t node = s->node; node != NODE_NONE; node = nodes[node].parent) {
		if (trace_method_is(s->profile->trace, nodes[node].method, s->method)) {
			s->node = node;
			return;
		}
	}
}

static bool
call_find(struct call_search *s, struct call *call)
{
	const struct profile *p = s->profile;
	const struct stack *stack = &p->stacks[s->thread];
	uint32_t item;

	if (!stack->started || s->at < stack->first[p->axis] || s->at > stack_time(stack, p->axis))
		return true;
	if (!top_find(s, &item))
		return false;
	/* Without a step the file has changed. */
	if (!s->any || p->tree.nodes[s->node].method == METHOD_TOPLEVEL || !depth_climb(s))
		return true;
	frame_choose(s);
	if (!enter_find(s, &item) || !leave_find(s, item))
		return false;
	call_fill(s, call);
	return true;
}

/* A replay of the one thread. */
static void
search_begin(struct call_search *s)
{
	struct scope *scope = scope_of_thread(s->profile, s->thread);

	s->replay = replay_new(s->profile, scope, INT64_MIN, INT64_MAX, s->cancel);
	s->list = replay_list(s->replay);
	scope_free(scope);
}

bool
timeline_call(const struct profile *p, uint32_t thread, nsec at, uint32_t depth, uint32_t method,
    struct call *call, const atomic_bool *cancel)
{
	struct call_search s = {.profile = p, .cancel = cancel, .thread = thread, .depth = depth,
	    .at = at, .method = method};
	bool found;

	*call = (struct call){.thread = thread, .method = METHOD_NONE};
	if (thread >= p->stack_count)
		return true;
	search_begin(&s);
	found = call_find(&s, call);
	replay_free(s.replay);
	return found;
}

/*
 * The call of a node that was entered then, by the record of that replay order, or before
 * the trace (CALL_BEFORE_ALL).  Costs the parts in which it does anything itself.
 */
#define CALL_BEFORE_ALL UINT64_MAX

static bool
timeline_call_entered(const struct profile *p, uint32_t thread, uint32_t node,
    uint64_t order, const nsec enter[CLOCKS], struct call *call, const atomic_bool *cancel)
{
	struct call_search s = {.profile = p, .cancel = cancel, .thread = thread, .node = node,
	    .entered = order != CALL_BEFORE_ALL, .enter_order = order,
	    .enter_offset = UINT64_MAX};
	bool found;

	*call = (struct call){.thread = thread, .method = METHOD_NONE};
	memcpy(s.enter, enter, sizeof(s.enter));
	search_begin(&s);
	found = leave_find(&s, s.entered ? item_of(s.list, order) : 0);
	replay_free(s.replay);
	if (found)
		call_fill(&s, call);
	return found;
}

/* The next or previous call in time ----------------------------------------------- */

/* Calls are in the order of their starts, then of threads, then of records. */
static bool
place_before(const struct call_place *a, const struct call_place *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->thread != b->thread)
		return a->thread < b->thread;
	return a->order < b->order;
}

/* Calls of a method while the nearest to one is looked for. */
struct near {
	const struct profile *profile;
	uint32_t method;
	struct range range;
	bool closed;
	struct call_place from;
	int direction;

	bool found;
	struct call_place best;
	uint32_t node;
	nsec enter[CLOCKS];
};

static void
near_offer(struct near *n, const struct call_place *place, uint32_t node, const struct step *s)
{
	bool ahead = n->direction > 0 ? place_before(&n->from, place) : place_before(place, &n->from);

	if (!ahead || place->start < n->range.from || place->start > n->range.to ||
	    (place->start == n->range.to && !n->closed))
		return;
	if (n->found && (n->direction > 0 ? !place_before(place, &n->best)
					  : !place_before(&n->best, place)))
		return;
	n->found = true;
	n->best = *place;
	n->node = node;
	for (int c = 0; c < CLOCKS; c++)
		n->enter[c] = s->to[c];
}

static bool
near_step(void *context, const struct step *s)
{
	struct near *n = context;
	const struct node *nodes = n->profile->tree.nodes;
	struct call_place place = {s->to[n->profile->axis], s->thread, 0};

	/* Frames open before the trace are ordered from the outermost on. */
	for (uint32_t i = s->before; s->first && i != NODE_NONE; i = nodes[i].parent) {
		place.order = tree_depth(&n->profile->tree, i);
		if (trace_method_is(n->profile->trace, nodes[i].method, n->method))
			near_offer(n, &place, i, s);
	}
	if (nodes[s->after].parent != s->before ||
	    !trace_method_is(n->profile->trace, nodes[s->after].method, n->method))
		return true;
	place.order = CALL_ORDER_FIRST + s->order;
	near_offer(n, &place, s->after, s);
	return true;
}

/* True if the block can hold a nearer call than the one found so far. */
static bool
block_near(const struct near *n, const struct block_list *list, uint32_t item)
{
	for (uint32_t i = 0; i < block_list_runs(list, item); i++) {
		struct block_run run = block_list_run(list, item, i);

		if (!n->found || (n->direction > 0 ? run.from <= n->best.start
						   : run.to >= n->best.start))
			return true;
	}
	return false;
}

bool
calls_near(const struct profile *p, const struct calls_query *q, const struct call_place *from,
    int direction, struct call_place *place, struct call *call, const atomic_bool *cancel)
{
	struct near n = {.profile = p, .method = q->method, .range = q->range,
	    .closed = q->range.to >= p->end, .from = *from, .direction = direction};
	struct scope *with = calls_threads(p, q->scope, q->method);
	nsec low = direction > 0 && from->start > q->range.from ? from->start : q->range.from;
	nsec high = direction < 0 && from->start < q->range.to ? from->start : q->range.to;
	struct replay *replay = replay_new(p, with, low, high, cancel);
	const struct block_list *list = replay_list(replay);
	bool whole = true;

	for (uint32_t i = 0; i < list->count && whole; i++) {
		uint32_t item = direction > 0 ? i : list->count - 1 - i;

		if (block_near(&n, list, item))
			whole = replay_block(replay, item, near_step, &n);
	}
	replay_free(replay);
	scope_free(with);
	*call = (struct call){.method = METHOD_NONE};
	if (!whole || !n.found)
		return whole;
	*place = n.best;
	return timeline_call_entered(p, n.best.thread, n.node,
	    n.best.order >= CALL_ORDER_FIRST ? n.best.order - CALL_ORDER_FIRST : CALL_BEFORE_ALL,
	    n.enter, call, cancel);
}
