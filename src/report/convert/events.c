// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/convert/events.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "report/convert/convert.h"

/* In the order of the file ----------------------------------------------------------- */

struct visiting {
	const struct convert *convert;
	const struct visitor *visitor;
	void *context;
};

static bool
visit_begin(void *context, uint32_t thread, uint32_t node, const nsec at[CLOCKS])
{
	const struct visiting *v = context;

	return v->visitor->begin == NULL || v->visitor->begin(v->context, thread, at);
}

static bool
visit_end(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	const struct visiting *v = context;

	return v->visitor->end == NULL || v->visitor->end(v->context, thread, at);
}

static inline bool
visit_give(const struct visiting *v, const struct closed *call, bool enter, unsigned flags)
{
	const nsec *at = enter ? call->enter : call->leave;
	const struct visit_event ev = {.thread = call->thread, .node = call->node,
	    .method = v->convert->profile->tree.nodes[call->node].method,
	    .enter = enter, .flags = call->flags & flags, .offset = enter ? call->offset : UINT64_MAX,
	    .at = {at[CLOCK_CPU], at[CLOCK_WALL]}};

	return convert_hides(v->convert, ev.method) || v->visitor->event(v->context, &ev);
}

static bool
visit_enter(void *context, const struct closed *call)
{
	return visit_give(context, call, true, CLOSED_BEFORE);
}

static bool
visit_leave(void *context, const struct closed *call)
{
	return visit_give(context, call, false, CLOSED_BEYOND | CLOSED_UNENDED | CLOSED_UNROLLED);
}

bool
convert_visit(struct convert *c, const struct visitor *visitor, void *context)
{
	static const struct closed_sink sink = {visit_begin, visit_enter, visit_leave, visit_end};
	struct visiting v = {c, visitor, context};

	return c->range.from >= c->range.to ||
	    closed_visit(&(struct closed_query){.profile = c->profile, .range = c->range, .sink = &sink,
		.context = &v}, c->scope, c->sink->cancel);
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
	return (((step[CLOCK_CPU] | step[CLOCK_WALL]) >> 32 == 0) ||
		   packed_add(f, stack, 0, step, 32)) &&
	    packed_add(f, stack, ev->node << 1 | ev->enter, step, 0);
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

	memcpy(f->out->stacks[thread].end, at, sizeof(f->out->stacks[thread].end));
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

	memcpy(r.event.at, stack->begin, sizeof(r.event.at));
	while (next != 0) {
		const struct bythread_chunk *chunk = spool_at(&b->spool, next - 1);

		next = chunk->next;
		if (!chunk_read(&r, chunk))
			return false;
	}
	return stack->filling == NULL || chunk_read(&r, stack->filling);
}
