// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/convert/events.h"

#include <stddef.h>

#include "base/mem.h"
#include "profile/index/replay.h"
#include "report/convert/convert.h"

/* In the order of the file ----------------------------------------------------------- */

enum stack_state {
	STACK_BEFORE, /* nothing seen, or only what was before the window */
	STACK_INSIDE,
	STACK_PAST, /* ended */
};

struct visit_stack {
	enum stack_state state;
	uint32_t node; /* the stack as shown */
	nsec last[CLOCKS]; /* of the last step within */
};

struct visiting {
	const struct visit *what;
	const struct visitor *visitor;
	void *context;
	const struct node *nodes;
	enum clock_id axis;
	bool closed; /* the window has the trace's last moment */
	bool stopped;
	struct visit_stack *stacks;
	uint32_t *path; /* scratch */
	size_t path_room;
	uint64_t offset; /* of the present record */
};

static bool
shown(const struct visiting *v, uint32_t node)
{
	/* The root is no call. */
	return v->nodes[node].parent != NODE_NONE &&
	    (v->what->hidden == NULL || !v->what->hidden[v->nodes[node].method]);
}

static bool
enter(struct visiting *v, uint32_t thread, uint32_t node, const nsec at[CLOCKS], unsigned marks)
{
	struct visit_stack *stack = &v->stacks[thread];
	struct visit_event ev = {.thread = thread, .node = node, .marks = marks,
	    .enter = true, .method = v->nodes[node].method,
	    .at = {at[CLOCK_CPU], at[CLOCK_WALL]}};

	stack->node = node;
	if (!shown(v, node))
		return true;
	ev.offset = marks == 0 ? v->offset : UINT64_MAX;
	return v->visitor->event(v->context, &ev);
}

/* The innermost call. */
static bool
leave(struct visiting *v, uint32_t thread, const nsec at[CLOCKS], unsigned marks)
{
	struct visit_stack *stack = &v->stacks[thread];
	uint32_t node = stack->node;
	struct visit_event ev = {.thread = thread, .node = node, .marks = marks,
	    .method = v->nodes[node].method, .at = {at[CLOCK_CPU], at[CLOCK_WALL]}};

	stack->node = v->nodes[node].parent;
	if (!shown(v, node))
		return true;
	return v->visitor->event(v->context, &ev);
}

/* The thread comes into the window with the calls down to `node` open. */
static bool
stack_begin(struct visiting *v, uint32_t thread, uint32_t node, const nsec at[CLOCKS],
    unsigned marks)
{
	struct visit_stack *stack = &v->stacks[thread];
	size_t n = 0;

	stack->state = STACK_INSIDE;
	for (; v->nodes[node].parent != NODE_NONE; node = v->nodes[node].parent) {
		MEM_GROW(v->path, v->path_room, n + 1);
		v->path[n++] = node;
	}
	stack->node = node;
	if (v->visitor->begin != NULL && !v->visitor->begin(v->context, thread, at))
		return false;
	while (n > 0)
		if (!enter(v, thread, v->path[--n], at, marks))
			return false;
	return true;
}

static bool
stack_end(struct visiting *v, uint32_t thread, const nsec at[CLOCKS], unsigned marks)
{
	struct visit_stack *stack = &v->stacks[thread];

	stack->state = STACK_PAST;
	while (v->nodes[stack->node].parent != NODE_NONE)
		if (!leave(v, thread, at, marks))
			return false;
	return v->visitor->end == NULL || v->visitor->end(v->context, thread, at);
}

/*
 * The first step at or after the beginning of the window.  Frames that a step at that
 * very moment closes are not in the window.
 */
static bool
stack_arrive(struct visiting *v, const struct step *s)
{
	nsec from = v->what->range.from, edge[CLOCKS];
	bool enters = v->nodes[s->after].parent == s->before;

	if (s->first)
		return stack_begin(v, s->thread, s->before, s->to, VISIT_OPEN);
	if (s->from[v->axis] >= from)
		return stack_begin(v, s->thread, s->before, s->from, VISIT_CUT);
	if (s->to[v->axis] == from && !enters)
		return true;
	step_times_at(s, v->axis, from, edge);
	return stack_begin(v, s->thread, s->before, edge, VISIT_CUT);
}

static bool
step_visit(void *context, const struct step *s)
{
	struct visiting *v = context;
	struct visit_stack *stack = &v->stacks[s->thread];
	const struct range *range = &v->what->range;
	nsec now = s->to[v->axis], edge[CLOCKS];
	bool good = true;

	if (stack->state == STACK_PAST || now < range->from)
		return true;
	if (now >= range->to && !v->closed && s->first) {
		stack->state = STACK_PAST;
		return true;
	}
	if (stack->state == STACK_BEFORE) {
		good = stack_arrive(v, s);
		if (!good || stack->state == STACK_BEFORE)
			goto out;
	}
	if (now >= range->to && !v->closed) {
		step_times_at(s, v->axis, range->to, edge);
		good = stack_end(v, s->thread, edge, VISIT_CUT);
		goto out;
	}
	/* A block of a file that changed meanwhile begins on another stack. */
	if (stack->node != s->before)
		goto out;
	stack->last[CLOCK_CPU] = s->to[CLOCK_CPU];
	stack->last[CLOCK_WALL] = s->to[CLOCK_WALL];
	if (v->nodes[s->after].parent == s->before) {
		v->offset = s->offset;
		good = enter(v, s->thread, s->after, s->to, 0);
	} else {
		unsigned marks = (s->word & 3) == ACTION_UNROLL ? VISIT_UNROLLED : 0;

		while (good && stack->node != s->after)
			good = leave(v, s->thread, s->to, marks);
	}
out:
	v->stopped = v->stopped || !good;
	return good;
}

bool
visit_run(const struct visit *what, const struct visitor *visitor, void *context)
{
	const struct profile *p = what->profile;
	struct visiting v = {
	    .what = what,
	    .visitor = visitor,
	    .context = context,
	    .nodes = p->tree.nodes,
	    .axis = p->axis,
	    .closed = what->range.to >= p->end,
	};
	bool whole = true;

	/* As range.h has it: nothing begins at the end. */
	if (what->range.from >= what->range.to ||
	    (what->range.from >= p->end && what->range.from != INT64_MIN && p->end > p->begin))
		return true;
	v.stacks = mem_zero(p->stack_count + 1, sizeof(*v.stacks));
	whole = replay_window(p, what->scope, what->range.from, what->range.to, step_visit, &v,
	    what->cancel);
	for (uint32_t i = 0; i < p->stack_count && whole; i++)
		if (v.stacks[i].state == STACK_INSIDE)
			whole = stack_end(&v, i, v.stacks[i].last, VISIT_OPEN);
	mem_free(v.path);
	mem_free(v.stacks);
	return whole;
}

/* By thread ------------------------------------------------------------------------ */

enum {
	CHUNK_EVENTS = 340, /* a page */
	CHUNK_FIRST = 40,   /* most threads of a trace with very many have few events */
};

/* Times as steps from the event before; most are short. */
struct events_packed {
	uint32_t what; /* node << 1 | enter; 0: the high halves of the next one's steps */
	uint32_t step[CLOCKS];
};

struct bythread_chunk {
	uint64_t next; /* in the spool, + 1 */
	uint32_t count, room; /* events there are, and fit in the memory that it has */
	struct events_packed events[CHUNK_EVENTS];
};

struct events_filling {
	struct bythread *out;
	struct convert *convert;
};

static bool
chunk_spool(struct events_filling *f, struct bythread_stack *stack)
{
	struct bythread_chunk *chunk = spool_add(&f->out->spool, f->convert->err), *last;

	if (chunk == NULL)
		return false;
	*chunk = *stack->filling;
	stack->filling->count = 0;
	if (stack->first == 0) {
		stack->first = f->out->spool.count;
	} else {
		last = spool_at(&f->out->spool, stack->last - 1);
		last->next = f->out->spool.count;
	}
	stack->last = f->out->spool.count;
	return true;
}

static bool
packed_add(struct events_filling *f, struct bythread_stack *stack, uint32_t what,
    const nsec step[CLOCKS], unsigned shift)
{
	struct bythread_chunk *chunk = stack->filling;

	if (chunk->count == CHUNK_EVENTS && !chunk_spool(f, stack))
		return false;
	if (chunk->count == chunk->room) {
		stack->filling = chunk = mem_resize(chunk, 1, sizeof(*chunk));
		chunk->room = CHUNK_EVENTS;
	}
	chunk->events[chunk->count++] = (struct events_packed){what,
	    {(uint32_t)(step[CLOCK_CPU] >> shift), (uint32_t)(step[CLOCK_WALL] >> shift)}};
	return true;
}

static bool
filling_event(void *context, const struct visit_event *ev)
{
	struct events_filling *f = context;
	struct bythread_stack *stack = &f->out->stacks[ev->thread];
	nsec step[CLOCKS];

	for (int c = 0; c < CLOCKS; c++) {
		step[c] = ev->at[c] - stack->end[c];
		stack->end[c] = ev->at[c];
	}
	stack->events++;
	if (((step[CLOCK_CPU] | step[CLOCK_WALL]) >> 32) != 0 && !packed_add(f, stack, 0, step, 32))
		return false;
	return packed_add(f, stack, ev->node << 1 | ev->enter, step, 0);
}

static bool
filling_begin(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct events_filling *f = context;
	struct bythread_stack *stack = &f->out->stacks[thread];

	stack->present = true;
	stack->filling = mem_zero(1, offsetof(struct bythread_chunk, events[CHUNK_FIRST]));
	stack->filling->room = CHUNK_FIRST;
	for (int c = 0; c < CLOCKS; c++)
		stack->begin[c] = stack->end[c] = at[c];
	return true;
}

static bool
filling_end(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct events_filling *f = context;

	for (int c = 0; c < CLOCKS; c++)
		f->out->stacks[thread].end[c] = at[c];
	return true;
}

bool
bythread_make(struct bythread *b, struct convert *convert)
{
	static const struct visitor visitor = {filling_begin, filling_event, filling_end};
	struct events_filling filling = {b, convert};

	spool_init(&b->spool, sizeof(struct bythread_chunk), convert->folder);
	b->stack_count = convert->profile->stack_count;
	b->stacks = mem_zero(b->stack_count + 1, sizeof(*b->stacks));
	return convert_visit(convert, &visitor, &filling);
}

void
bythread_release(struct bythread *b)
{
	for (uint32_t i = 0; i < b->stack_count; i++)
		mem_free(b->stacks[i].filling);
	mem_free(b->stacks);
	spool_release(&b->spool);
	*b = (struct bythread){.spool.fd = -1};
}

struct events_reading {
	struct bythread_event event;
	bool (*visit)(void *context, const struct bythread_event *);
	void *context;
};

static bool
chunk_read(struct events_reading *r, const struct bythread_chunk *chunk)
{
	for (uint32_t i = 0; i < chunk->count; i++) {
		const struct events_packed *packed = &chunk->events[i];
		unsigned shift = packed->what == 0 ? 32 : 0;

		for (int c = 0; c < CLOCKS; c++)
			r->event.at[c] += (nsec)packed->step[c] << shift;
		r->event.node = packed->what >> 1;
		r->event.enter = packed->what & 1;
		if (packed->what != 0 && !r->visit(r->context, &r->event))
			return false;
	}
	return true;
}

bool
bythread_read(struct bythread *b, uint32_t thread,
    bool (*visit)(void *, const struct bythread_event *), void *context)
{
	const struct bythread_stack *stack = &b->stacks[thread];
	struct events_reading r = {.visit = visit, .context = context};
	uint64_t next = stack->first;

	for (int c = 0; c < CLOCKS; c++)
		r.event.at[c] = stack->begin[c];
	while (next != 0) {
		const struct bythread_chunk *chunk = spool_at(&b->spool, next - 1);

		next = chunk->next;
		if (!chunk_read(&r, chunk))
			return false;
	}
	return stack->filling == NULL || chunk_read(&r, stack->filling);
}
