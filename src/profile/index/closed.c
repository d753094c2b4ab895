// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/index/closed.h"

#include <string.h>

#include "base/mem.h"
#include "profile/index/replay.h"

struct closed_stack {
	bool begun; /* within the range */
	bool shown; /* and the sink has the calls that were open then */
	bool ended; /* came to its end */
	bool past;
	nsec begin[CLOCKS];
	nsec end[CLOCKS]; /* of the range, once it ended */
	struct closed *open; /* outermost first */
	size_t count, room;
};

struct closed_walk {
	struct closed_query q;
	const struct node *nodes;
	enum clock_id axis;
	nsec from, to;
	bool whole; /* the range has the trace's last moment */
	struct closed_stack *stacks; /* by thread */
	uint32_t stack_count; /* the profile may have more by the time that this is freed */
	uint32_t *path; /* scratch */
	size_t path_room;
};

static bool
enters(const struct closed_walk *w, const struct step *step)
{
	return w->nodes[step->after].parent == step->before && step->after != step->before;
}

static bool
is_wanted(const struct closed_walk *w, uint32_t node)
{
	/* The root is no call. */
	return (w->q.only == NULL || w->q.only[node] != 0) && w->nodes[node].parent != NODE_NONE;
}

static inline struct closed *
call_open(struct closed_stack *s, uint32_t thread, uint32_t node, const nsec at[CLOCKS])
{
	struct closed *call;

	call = MEM_ADD(s->open, s->count, s->room);
	call->thread = thread;
	call->node = node;
	call->depth = (uint32_t)s->count;
	for (int c = 0; c < CLOCKS; c++) {
		call->enter[c] = at[c];
		call->self[c] = 0;
	}
	return call;
}

/* Closes the innermost call. */
static bool
call_close(struct closed_walk *w, uint32_t thread, const nsec leave[CLOCKS], unsigned flags)
{
	struct closed_stack *s = &w->stacks[thread];
	struct closed *call = &s->open[--s->count];

	memcpy(call->leave, leave, sizeof(call->leave));
	call->flags |= flags;
	if ((call->flags & CLOSED_BEFORE) != 0 && leave[w->axis] <= w->from &&
	    w->q.profile->stacks[thread].first[w->axis] < w->from)
		call->flags |= CLOSED_TOUCHES;
	/* The sink does not have it. */
	if (w->q.sink->enter != NULL && !s->shown)
		return true;
	return w->q.sink->leave(w->q.context, call);
}

static bool
stack_close(struct closed_walk *w, uint32_t thread, const nsec at[CLOCKS], unsigned flags)
{
	while (w->stacks[thread].count > 0)
		if (!call_close(w, thread, at, flags | CLOSED_BEYOND))
			return false;
	return w->q.sink->end == NULL || w->q.sink->end(w->q.context, thread, at);
}

/* Closes the calls that the step leaves. */
static bool
calls_leave(struct closed_walk *w, const struct step *step, const nsec at[CLOCKS])
{
	const struct closed_stack *s = &w->stacks[step->thread];
	unsigned flags = (step->word & 3) == ACTION_UNROLL ? CLOSED_UNROLLED : 0;

	for (uint32_t n = step->before; n != step->after && n != NODE_NONE && s->count > 0;
	     n = w->nodes[n].parent)
		if (s->open[s->count - 1].node == n && !call_close(w, step->thread, at, flags))
			return false;
	return true;
}

/* Brings the thread into the range, with the calls down to `before` open. */
static void
stack_begin(struct closed_walk *w, const struct step *step)
{
	struct closed_stack *s = &w->stacks[step->thread];
	size_t n = 0;

	s->begun = true;
	if (step->first || step->from[w->axis] >= w->from)
		memcpy(s->begin, step->first ? step->to : step->from, sizeof(s->begin));
	else
		step_times_at(step, w->axis, w->from, s->begin);
	for (uint32_t node = step->before; node != NODE_NONE; node = w->nodes[node].parent) {
		if (is_wanted(w, node))
			*MEM_ADD(w->path, n, w->path_room) = node;
	}
	while (n > 0) {
		struct closed *call = call_open(s, step->thread, w->path[--n], s->begin);

		call->flags = CLOSED_BEFORE;
		call->order = call->depth - 1;
		call->offset = UINT64_MAX;
	}
}

/* Gives the sink a thread and its open calls, unless the step ends some in the first instant. */
static bool
stack_show(struct closed_walk *w, const struct step *step)
{
	struct closed_stack *s = &w->stacks[step->thread];

	if (s->shown || (step->to[w->axis] == w->from && !step->first && !enters(w, step)))
		return true;
	s->shown = true;
	if (w->q.sink->begin != NULL &&
	    !w->q.sink->begin(w->q.context, step->thread, step->before, s->begin))
		return false;
	for (size_t i = 0; i < s->count && w->q.sink->enter != NULL; i++)
		if (!w->q.sink->enter(w->q.context, &s->open[i]))
			return false;
	return true;
}

static void
self_add(const struct closed_stack *s, uint32_t node, const nsec from[CLOCKS], const nsec to[CLOCKS])
{
	if (s->count > 0 && s->open[s->count - 1].node == node)
		for (int c = 0; c < CLOCKS; c++)
			s->open[s->count - 1].self[c] += to[c] - from[c];
}

/* Takes a step that comes to the end of the range, which only exits belong to. */
static bool
step_end(struct closed_walk *w, const struct step *step, const nsec from[CLOCKS])
{
	struct closed_stack *s = &w->stacks[step->thread];

	if (s->ended)
		from = s->end;
	else
		step_times_at(step, w->axis, w->to, s->end);
	s->ended = true;
	self_add(s, step->before, from, s->end);
	if (step->to[w->axis] == w->to)
		return enters(w, step) || calls_leave(w, step, s->end);
	s->past = true;
	return stack_close(w, step->thread, s->end, 0);
}

bool
closed_step(void *walk, const struct step *step)
{
	struct closed_walk *w = walk;
	struct closed_stack *s = &w->stacks[step->thread];
	nsec now = step->to[w->axis];
	const nsec *from = s->begin;
	bool end = now >= w->to && !w->whole;
	struct closed *call;

	if (now < w->from || s->past)
		return true;
	/* A thread that begins after the range has nothing of it. */
	if (end && step->first) {
		s->past = true;
		return true;
	}
	if (s->begun)
		from = step->from;
	else
		stack_begin(w, step);
	if (!stack_show(w, step))
		return false;
	if (end)
		return step_end(w, step, from);
	self_add(s, step->before, from, step->to);
	if (!enters(w, step))
		return calls_leave(w, step, step->to);
	if (!is_wanted(w, step->after))
		return true;
	call = call_open(s, step->thread, step->after, step->to);
	call->flags = 0;
	call->order = CLOSED_ORDER + step->order;
	call->offset = step->offset;
	return w->q.sink->enter == NULL || w->q.sink->enter(w->q.context, call);
}

bool
closed_is_past(const struct closed_walk *w, uint32_t thread)
{
	return w->stacks[thread].past;
}

bool
closed_finish(struct closed_walk *w)
{
	const struct profile *p = w->q.profile;

	for (uint32_t t = 0; t < w->stack_count; t++) {
		const struct closed_stack *s = &w->stacks[t];
		nsec last[CLOCKS];

		if (!s->shown || s->past)
			continue;
		for (int c = 0; c < CLOCKS; c++)
			last[c] = s->ended ? s->end[c] : stack_time(&p->stacks[t], (enum clock_id)c);
		if (!stack_close(w, t, last, s->ended ? 0 : CLOSED_UNENDED))
			return false;
	}
	return true;
}

struct closed_walk *
closed_new(const struct closed_query *q)
{
	const struct profile *p = q->profile;
	struct closed_walk *w = mem_zero(1, sizeof(*w));

	*w = (struct closed_walk){.q = *q, .nodes = p->tree.nodes, .axis = p->axis,
	    .from = q->range.from, .to = q->range.to, .whole = q->range.to >= p->end,
	    .stacks = mem_zero((size_t)p->stack_count + 1, sizeof(*w->stacks)),
	    .stack_count = p->stack_count};
	/* The end itself belongs to the range that comes up to it. */
	if (w->from >= p->end && p->begin < p->end)
		w->from = INT64_MAX;
	return w;
}

void
closed_free(struct closed_walk *w)
{
	for (uint32_t t = 0; t < w->stack_count; t++)
		mem_free(w->stacks[t].open);
	mem_free(w->stacks);
	mem_free(w->path);
	mem_free(w);
}

bool
closed_visit(const struct closed_query *q, const struct scope *scope, const atomic_bool *cancel)
{
	struct closed_walk *w = closed_new(q);
	bool whole = replay_window(q->profile, scope, w->from, w->to, closed_step, w, cancel) &&
	    closed_finish(w);

	closed_free(w);
	return whole;
}
