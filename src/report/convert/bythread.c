#include <config.h>

#include "report/convert/bythread.h"

#include <stddef.h>

#include "base/mem.h"

enum {
	CHUNK_EVENTS = 340, /* a page */
	CHUNK_FIRST = 40,   /* most threads of a trace with very many have few events */
};

/* Times as steps from the event before; most are short. */
struct packed {
	uint32_t what; /* node << 1 | enter; 0: the high halves of the next one's steps */
	uint32_t step[CLOCKS];
};

struct bythread_chunk {
	uint64_t next; /* in the spool, + 1 */
	uint32_t count, room; /* events there are, and fit in the memory that it has */
	struct packed events[CHUNK_EVENTS];
};

struct filling {
	struct bythread *out;
	struct convert *convert;
};

static bool
chunk_spool(struct filling *f, struct bythread_stack *stack)
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
packed_add(struct filling *f, struct bythread_stack *stack, uint32_t what, const nsec step[CLOCKS],
    unsigned shift)
{
	struct bythread_chunk *chunk = stack->filling;

	if (chunk->count == CHUNK_EVENTS && !chunk_spool(f, stack))
		return false;
	if (chunk->count == chunk->room) {
		stack->filling = chunk = mem_resize(chunk, 1, sizeof(*chunk));
		chunk->room = CHUNK_EVENTS;
	}
	chunk->events[chunk->count++] = (struct packed){what,
	    {(uint32_t)(step[CLOCK_CPU] >> shift), (uint32_t)(step[CLOCK_WALL] >> shift)}};
	return true;
}

static bool
stack_add(struct filling *f, const struct visit_event *ev, bool enter)
{
	struct bythread_stack *stack = &f->out->stacks[ev->thread];
	nsec step[CLOCKS];

	for (int c = 0; c < CLOCKS; c++) {
		step[c] = ev->at[c] - stack->end[c];
		stack->end[c] = ev->at[c];
	}
	stack->events++;
	if (((step[CLOCK_CPU] | step[CLOCK_WALL]) >> 32) != 0 && !packed_add(f, stack, 0, step, 32))
		return false;
	return packed_add(f, stack, ev->node << 1 | enter, step, 0);
}

static bool
stack_begin(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct filling *f = context;
	struct bythread_stack *stack = &f->out->stacks[thread];

	stack->present = true;
	stack->filling = mem_zero(1, offsetof(struct bythread_chunk, events[CHUNK_FIRST]));
	stack->filling->room = CHUNK_FIRST;
	for (int c = 0; c < CLOCKS; c++)
		stack->begin[c] = stack->end[c] = at[c];
	return true;
}

static bool
stack_enter(void *context, const struct visit_event *ev)
{
	return stack_add(context, ev, true);
}

static bool
stack_leave(void *context, const struct visit_event *ev)
{
	return stack_add(context, ev, false);
}

static bool
stack_end(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct filling *f = context;

	for (int c = 0; c < CLOCKS; c++)
		f->out->stacks[thread].end[c] = at[c];
	return true;
}

bool
bythread_make(struct bythread *b, struct convert *convert)
{
	static const struct visitor visitor = {stack_begin, stack_enter, stack_leave, stack_end};
	struct filling filling = {b, convert};

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

struct reading {
	struct bythread_event event;
	bool (*visit)(void *context, const struct bythread_event *);
	void *context;
};

static bool
chunk_read(struct reading *r, const struct bythread_chunk *chunk)
{
	for (uint32_t i = 0; i < chunk->count; i++) {
		const struct packed *packed = &chunk->events[i];
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
	struct reading r = {.visit = visit, .context = context};
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
