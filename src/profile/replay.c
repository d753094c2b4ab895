#include <config.h>

#include "profile/replay.h"

#include <string.h>

#include "base/mem.h"
#include "profile/checkpoint.h"
#include "profile/pen.h"

/* What is known of parts without decoding them --------------------------------------- */

void
replay_stack_fresh(const struct profile *p, uint32_t thread, struct stack *stack)
{
	*stack = (struct stack){.raw = {INT64_MAX, INT64_MAX}};
	stack->origin = p->stacks[thread].origin;
	stack->root = p->stacks[thread].root;
}

void
replay_part_stacks(const struct profile *p, size_t part, struct stack *stacks)
{
	const struct checkpoint *c = &p->checkpoints[part];

	for (uint32_t i = 0; i < p->stack_count; i++) {
		struct stack *stack = &stacks[i];
		const struct stack_mark *mark = &c->stacks[i];

		replay_stack_fresh(p, i, stack);
		if (i >= c->stack_count || mark->node == NODE_NONE)
			continue;
		stack->started = true;
		stack->node = stack->low = mark->node;
		stack->guess = tree_place(mark->node, 0);
		stack->inside = mark->inside;
		for (int k = 0; k < CLOCKS; k++) {
			stack->raw[k] = mark->raw[k];
			stack->shift[k] = mark->time[k] - (nsec)mark->raw[k];
			stack->wraps[k] = mark->wraps[k];
		}
	}
}

size_t
replay_part_count(const struct profile *p)
{
	return p->checkpoint_count;
}

struct part_info
replay_part_info(const struct profile *p, size_t part, uint32_t thread)
{
	const struct checkpoint *a = &p->checkpoints[part], *b = a + 1;
	const struct stack *stack = &p->stacks[thread];
	struct part_info info = {0};
	uint64_t records_before = 0;

	if (!stack->started)
		return info;
	info.from = stack->first[p->axis];
	if (thread < a->stack_count && a->stacks[thread].node != NODE_NONE) {
		info.from = a->stacks[thread].time[p->axis];
		records_before = a->stacks[thread].records;
	}
	if (part + 1 == p->checkpoint_count) {
		info.to = stack_time(stack, p->axis);
		info.low = stack->low;
		info.active = (uint32_t)stack->records != records_before;
	} else if (thread < b->stack_count && b->stacks[thread].node != NODE_NONE) {
		info.to = b->stacks[thread].time[p->axis];
		info.low = b->stacks[thread].low;
		info.active = b->stacks[thread].records != records_before;
	}
	return info;
}

uint32_t
replay_part_start(const struct profile *p, size_t part, uint32_t thread)
{
	const struct checkpoint *c = &p->checkpoints[part];
	uint32_t node = thread < c->stack_count ? c->stacks[thread].node : NODE_NONE;

	return node != NODE_NONE ? node : p->stacks[thread].origin;
}

struct cursor
replay_part_at(const struct profile *p, size_t part)
{
	return p->checkpoints[part].at;
}

uint64_t
replay_part_end(const struct profile *p, size_t part)
{
	return part + 1 < p->checkpoint_count ? p->checkpoints[part + 1].at.offset : p->at.offset;
}

/* Decoding --------------------------------------------------------------------------- */

struct replay {
	const struct profile *profile;
	const struct scope *scope;
	const atomic_bool *cancel;
	struct stack *stacks;
	struct onstack onstack;
	size_t next;          /* part that `stacks` stand at the beginning of */
	uint64_t order;       /* of the next record */
	uint32_t stack_count;
	uint32_t method_count; /* that loading met */
	size_t stack_room;
	struct batch_room room;
};

/* What is done with the records of a part: they are visited, or drawn. */
struct purpose {
	replay_visit visit;
	void *context;
	struct pens *pens;
};

static void
stacks_extend(struct replay *r)
{
	uint32_t need = r->profile->stack_count;

	r->method_count = trace_method_count(r->profile->trace);
	MEM_GROW(r->stacks, r->stack_room, need);
	for (; r->stack_count < need; r->stack_count++)
		r->stacks[r->stack_count] = (struct stack){.raw = {INT64_MAX, INT64_MAX}};
}

/* The profile is only read: `build` is false; damage was counted while loading. */
static struct walk
replay_walk(struct replay *r)
{
	return (struct walk){(struct profile *)(uintptr_t)r->profile, r->stacks, NULL,
	    false, &r->onstack};
}

/* Did loading meet its thread and method?  If it did not, the file is not what it was. */
static bool
event_met(const struct replay *r, const struct event *ev)
{
	uint32_t method = event_method(ev);

	return walk_met(r->profile, ev->thread) && (method < r->method_count || method == METHOD_TOP);
}

static bool
batch_visit(struct replay *r, const struct batch *b, const struct purpose *purpose)
{
	struct walk walk = replay_walk(r);

	for (uint32_t i = 0; i < b->count; i++) {
		const struct event *ev = &b->ev[i];
		struct stack *stack;
		uint64_t offset = batch_offset(b, i);
		struct step step;
		nsec delta[CLOCKS];

		step.order = r->order++;
		if (!scope_has(r->scope, ev->thread) || !event_met(r, ev))
			continue;
		stack = &r->stacks[ev->thread];
		step.word = ev->word;
		step.first = !stack->started;
		walk_clock(&walk, stack, ev, offset, delta);
		step.before = stack->node;
		step.inside = stack->inside;
		walk_stack(&walk, stack, ev, offset, false);
		step.after = stack->node;
		step.thread = ev->thread;
		step.offset = offset;
		for (int c = 0; c < CLOCKS; c++) {
			step.to[c] = stack_time(stack, (enum clock_id)c);
			step.from[c] = step.to[c] - delta[c];
		}
		if (!purpose->visit(purpose->context, &step))
			return false;
	}
	return true;
}

/* The records of [at, end), with the stacks as they stand. */
static bool
stretch_run(struct replay *r, struct cursor at, uint64_t end, const struct purpose *purpose)
{
	struct source *source = r->profile->trace->source;
	struct walk walk = replay_walk(r);
	uint64_t begin = at.offset;

	/* Reading in steps of the same size as while loading meets the same boundaries. */
	while (at.offset < end) {
		bool go_on = r->cancel == NULL ||
		    !atomic_load_explicit(r->cancel, memory_order_relaxed);
		struct batch b = batch_in(&r->room);
		uint64_t from = at.offset;

		/* What the file lost since is not there to be shown. */
		if (go_on && !source_read_safe(source, &at, &b, BATCH_EVENTS, NULL, false))
			at.offset = end;
		if (go_on && purpose->pens != NULL) {
			pens_draw(purpose->pens, &walk, &b);
			go_on = purpose->pens->down > 0;
		} else if (go_on) {
			go_on = batch_visit(r, &b, purpose);
		}
		if (!go_on) {
			r->next = SIZE_MAX; /* stands inside the part */
			return false;
		}
		if (b.count == 0 && at.offset == from)
			break;
	}
	source_behind(source, begin, at.offset);
	return true;
}

static bool
part_run(struct replay *r, size_t part, const struct purpose *purpose)
{
	const struct profile *p = r->profile;

	if (r->next != part)
		replay_part_stacks(p, part, r->stacks);
	r->next = part + 1;
	r->order = (uint64_t)part << 32;
	return stretch_run(r, p->checkpoints[part].at, replay_part_end(p, part), purpose);
}

struct replay *
replay_new(const struct profile *p, const struct scope *scope, const atomic_bool *cancel)
{
	struct replay *r = mem_alloc(sizeof(*r));

	r->profile = p;
	r->scope = scope;
	r->cancel = cancel;
	r->stacks = NULL;
	r->stack_count = 0;
	r->stack_room = 0;
	stacks_extend(r);
	r->next = SIZE_MAX;
	r->onstack = (struct onstack){0};
	return r;
}

void
replay_free(struct replay *r)
{
	mem_free(r->stacks);
	onstack_release(&r->onstack);
	mem_free(r);
}

bool
replay_part(struct replay *r, size_t part, replay_visit visit, void *context)
{
	struct purpose purpose = {.visit = visit, .context = context};

	return part_run(r, part, &purpose);
}

struct stack *
replay_stack(struct replay *r, uint32_t thread)
{
	return &r->stacks[thread];
}

bool
replay_draw(struct replay *r, struct cursor at, uint64_t end, struct pens *pens)
{
	struct purpose purpose = {.pens = pens};

	r->next = SIZE_MAX;
	return stretch_run(r, at, end, &purpose) || pens->down == 0;
}

/* The first part in which a thread comes to a time, or the number of parts. */
static size_t
part_reaching(const struct profile *p, uint32_t thread, nsec at)
{
	size_t low = 0, high = p->checkpoint_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (replay_part_info(p, middle, thread).to < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * By part: has a thread in scope steps in it that touch the window?  What a thread did
 * elsewhere is not looked at: all marks of all parts are some megabytes.
 */
static uint8_t *
parts_touching(const struct profile *p, const struct scope *scope, nsec from, nsec to)
{
	uint8_t *touching = mem_zero(p->checkpoint_count, 1);

	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (!scope_has(scope, t) || !p->stacks[t].started)
			continue;
		for (size_t part = part_reaching(p, t, from); part < p->checkpoint_count; part++) {
			struct part_info info = replay_part_info(p, part, t);

			if (info.from > to)
				break;
			touching[part] |= info.active && info.to >= from;
		}
	}
	return touching;
}

bool
replay_window(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    replay_visit visit, void *context, const atomic_bool *cancel)
{
	struct replay *r = replay_new(p, scope, cancel);
	uint8_t *touching = parts_touching(p, scope, from, to);
	bool whole = true;

	for (size_t part = 0; part < p->checkpoint_count && whole; part++) {
		if (touching[part])
			whole = replay_part(r, part, visit, context);
	}
	mem_free(touching);
	replay_free(r);
	return whole;
}

size_t
replay_window_parts(const struct profile *p, nsec from, nsec to, size_t most)
{
	uint8_t *touching = parts_touching(p, NULL, from, to);
	size_t parts = 0;

	for (size_t part = 0; part < p->checkpoint_count && parts < most; part++)
		parts += touching[part];
	mem_free(touching);
	return parts;
}
