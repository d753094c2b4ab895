/* calls-near: the next or previous call of a method in time. */
#include <config.h>

#include "base/mem.h"
#include "profile/calls.h"
#include "profile/replay.h"

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

	/* What was open before the trace, the outermost first in order. */
	for (uint32_t i = s->before; s->first && i != NODE_NONE; i = node_parent(&nodes[i])) {
		place.order = tree_depth(&n->profile->tree, i);
		if (nodes[i].method == n->method)
			near_offer(n, &place, i, s);
	}
	if (nodes[s->after].method != n->method || node_parent(&nodes[s->after]) != s->before)
		return true;
	place.order = CALL_ORDER_FIRST + s->order;
	near_offer(n, &place, s->after, s);
	return true;
}

/* Can the part hold a call that is nearer than the one that was found? */
static bool
part_near(const struct near *n, const struct scope *with, size_t part)
{
	nsec low = n->direction > 0 ? n->from.start : n->range.from;
	nsec high = n->direction > 0 ? n->range.to : n->from.start;

	if (low < n->range.from)
		low = n->range.from;
	if (high > n->range.to)
		high = n->range.to;
	if (n->found && n->direction > 0)
		high = n->best.start;
	else if (n->found)
		low = n->best.start;
	for (uint32_t t = 0; t < with->count; t++) {
		struct part_info info;

		if (with->in[t] == 0)
			continue;
		info = replay_part_info(n->profile, part, t);
		if (info.active && info.to >= low && info.from <= high)
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
	struct replay *replay = replay_new(p, with, cancel);
	size_t parts = replay_part_count(p);
	bool whole = true;

	for (size_t i = 0; i < parts && whole; i++) {
		size_t part = direction > 0 ? i : parts - 1 - i;

		if (part_near(&n, with, part))
			whole = replay_part(replay, part, near_step, &n);
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
