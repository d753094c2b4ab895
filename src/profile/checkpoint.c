#include <config.h>

#include "profile/checkpoint.h"

#include "base/mem.h"

enum {
	EVERY_FIRST = 8192,           /* records; decoded again in well under a millisecond */
	BYTES_MAX = 4 * 1024 * 1024,
};

uint32_t
checkpoint_lower(const struct tree *t, uint32_t a, uint32_t b)
{
	bool bottom_a = tree_is_bottom(t, a), bottom_b = tree_is_bottom(t, b);

	/* Frames are made after their callers, but adopted ones and roots before. */
	if (bottom_a != bottom_b)
		return bottom_a ? a : b;
	return (a < b) != bottom_a ? a : b;
}

/* More records than there are; so many times a few million are a number, too. */
#define NEVER (UINT64_C(1) << 40)

void
checkpoint_first_only(struct profile *p)
{
	p->checkpoint_every = NEVER;
}

/* Drops every other checkpoint; the one after takes over what it said of `low`. */
static void
checkpoint_thin(struct profile *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->checkpoint_count; i++) {
		struct checkpoint *c = &p->checkpoints[i];

		if (i % 2 == 0 || i + 1 == p->checkpoint_count) {
			p->checkpoints[kept++] = *c;
			continue;
		}
		for (uint32_t l = 0; l < c->stack_count; l++) {
			struct stack_mark *next = &c[1].stacks[l];

			if (c->stacks[l].node != NODE_NONE)
				next->low = checkpoint_lower(&p->tree, c->stacks[l].low, next->low);
		}
		p->checkpoint_bytes -= c->stack_count * sizeof(*c->stacks) + sizeof(*c);
		mem_free(c->stacks);
	}
	p->checkpoint_count = kept;
	p->checkpoint_every *= 2;
}

void
checkpoint_bound(struct profile *p)
{
	while (p->checkpoint_bytes > BYTES_MAX && p->checkpoint_count > 2)
		checkpoint_thin(p);
}

struct stack_mark
checkpoint_mark(const struct stack *stack)
{
	struct stack_mark mark = {0};

	if (!stack->started)
		return mark;
	mark.node = stack->node;
	mark.low = stack->low;
	mark.inside = stack->inside;
	mark.records = (uint32_t)stack->records;
	for (int c = 0; c < CLOCKS; c++) {
		mark.raw[c] = stack->raw[c];
		mark.time[c] = stack_time(stack, (enum clock_id)c);
		mark.wraps[c] = (uint32_t)stack->wraps[c];
	}
	return mark;
}

struct checkpoint *
checkpoint_add(struct profile *p, struct cursor at, uint64_t records)
{
	struct checkpoint *c;

	if (p->checkpoint_every == 0)
		p->checkpoint_every = EVERY_FIRST;
	MEM_GROW(p->checkpoints, p->checkpoint_room, p->checkpoint_count + 1);
	c = &p->checkpoints[p->checkpoint_count++];
	c->at = at;
	c->stack_count = p->stack_count;
	c->stacks = mem_alloc(p->stack_count * sizeof(*c->stacks));
	p->checkpoint_bytes += p->stack_count * sizeof(*c->stacks) + sizeof(*c);
	p->checkpoint_next = records + p->checkpoint_every;
	return c;
}

void
checkpoint_stack(const struct checkpoint *c, uint32_t thread, struct stack *stack)
{
	c->stacks[thread] = checkpoint_mark(stack);
	stack->low = stack->node;
}

void
checkpoint_take(struct profile *p)
{
	const struct checkpoint *c;

	if (p->records < p->checkpoint_next)
		return;
	checkpoint_bound(p);
	c = checkpoint_add(p, p->at, p->records);
	for (uint32_t i = 0; i < p->stack_count; i++)
		checkpoint_stack(c, i, &p->stacks[i]);
}

void
checkpoint_release(struct profile *p)
{
	for (size_t i = 0; i < p->checkpoint_count; i++)
		mem_free(p->checkpoints[i].stacks);
	mem_free(p->checkpoints);
}
