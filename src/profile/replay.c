#include <config.h>

#include "profile/replay.h"

#include <string.h>

#include "base/mem.h"
#include "profile/walk.h"

struct replay {
	const struct profile *profile;
	const atomic_bool *cancel;
	struct block_list list;
	struct stack *stacks;
	uint32_t *known;       /* by thread: the item + 1 that its stack is known for */
	struct onstack onstack;
	uint64_t order;        /* of the next record */
	uint32_t method_count; /* that loading met */
	struct batch_room room;
};

/* What is done with the records of a block: they are visited, or drawn. */
struct purpose {
	replay_visit visit;
	void *context;
	struct replay_rows *rows;
};

/* The profile is only read: `build` is false; damage was counted while loading. */
static struct walk
replay_walk(struct replay *r)
{
	return (struct walk){(struct profile *)(uintptr_t)r->profile, r->stacks, NULL,
	    false, &r->onstack};
}

/*
 * Is it a record of a thread that the item has, with a method that loading met?  If that did
 * not, the file is not what it was.
 */
static bool
event_wanted(const struct replay *r, uint32_t item, const struct event *ev)
{
	uint32_t method = event_method(ev);

	return ev->thread < r->profile->stack_count && r->known[ev->thread] == item + 1 &&
	    (method < r->method_count || method == METHOD_TOP);
}

static bool
batch_visit(struct replay *r, uint32_t item, const struct batch *b, const struct purpose *purpose)
{
	struct walk walk = replay_walk(r);

	for (uint32_t i = 0; i < b->count; i++) {
		const struct event *ev = &b->ev[i];
		struct stack *stack;
		uint64_t offset = batch_offset(b, i);
		struct step step;
		nsec delta[CLOCKS];

		step.order = r->order++;
		if (!event_wanted(r, item, ev))
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

static void
batch_draw(struct walk *w, const struct batch *b, struct replay_rows *rows)
{
	struct batch_runs list;

	batch_runs(&list, b);
	for (uint32_t i = 0; i < list.count && rows->wanted > 0; i++) {
		struct runs runs = batch_run(&list, i);
		struct stack *stack = &w->stacks[list.threads[i]];
		struct replay_row *row = &rows->items[list.threads[i]];

		/* What loading did not meet: the file is not what it was. */
		if (list.threads[i] >= w->profile->stack_count || !row->wanted)
			continue;
		runs_draw(&runs, w, stack, b->count, row->strip, NULL);
		row->wanted = stack_time(stack, w->profile->axis) < row->until;
		rows->wanted -= !row->wanted;
	}
}

/* The threads of an item in their states at the begin of its block. */
static void
stacks_restore(struct replay *r, uint32_t item)
{
	const struct block_list *list = &r->list;
	uint32_t block = list->items[item].block;

	for (uint32_t i = list->items[item].first; i < list->items[item + 1].first; i++) {
		uint32_t thread = list->refs[i].thread;

		blocks_restore(list->blocks, block, thread, &r->stacks[thread]);
		r->known[thread] = item + 1;
	}
}

static bool
block_run(struct replay *r, uint32_t item, const struct purpose *purpose)
{
	const struct blocks *blocks = r->list.blocks;
	struct source *source = r->profile->trace->source;
	struct walk walk = replay_walk(r);
	uint32_t block = r->list.items[item].block;
	struct cursor at = blocks_at(blocks, block);
	uint64_t begin = at.offset, end = blocks_end(blocks, block);

	r->order = blocks_record(blocks, block);
	stacks_restore(r, item);
	/* Reading in steps of the same size as while loading meets the same boundaries. */
	while (at.offset < end) {
		bool go_on = r->cancel == NULL ||
		    !atomic_load_explicit(r->cancel, memory_order_relaxed);
		struct batch b = batch_in(&r->room);
		uint64_t from = at.offset;

		/* What the file lost since is not there to be shown. */
		if (go_on && !source_read_safe(source, &at, &b, BATCH_EVENTS, NULL, false))
			at.offset = end;
		if (go_on && purpose->rows != NULL) {
			batch_draw(&walk, &b, purpose->rows);
			go_on = purpose->rows->wanted > 0;
		} else if (go_on) {
			go_on = batch_visit(r, item, &b, purpose);
		}
		if (!go_on)
			return false;
		if (b.count == 0 && at.offset == from)
			break;
	}
	source_behind(source, begin, at.offset);
	return true;
}

struct replay *
replay_new(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    const atomic_bool *cancel)
{
	struct replay *r = mem_alloc(sizeof(*r));

	r->profile = p;
	r->cancel = cancel;
	r->list = blocks_list(p->blocks, scope, from, to);
	r->stacks = mem_alloc(p->stack_count * sizeof(*r->stacks));
	r->known = mem_zero(p->stack_count, sizeof(*r->known));
	r->onstack = (struct onstack){0};
	r->method_count = trace_method_count(p->trace);
	return r;
}

void
replay_free(struct replay *r)
{
	block_list_release(&r->list);
	mem_free(r->stacks);
	mem_free(r->known);
	onstack_release(&r->onstack);
	mem_free(r);
}

const struct block_list *
replay_list(const struct replay *r)
{
	return &r->list;
}

bool
replay_block(struct replay *r, uint32_t item, replay_visit visit, void *context)
{
	struct purpose purpose = {.visit = visit, .context = context};

	return block_run(r, item, &purpose);
}

bool
replay_draw(struct replay *r, uint32_t item, struct replay_rows *rows)
{
	struct purpose purpose = {.rows = rows};

	return block_run(r, item, &purpose) || rows->wanted == 0;
}

bool
replay_window(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    replay_visit visit, void *context, const atomic_bool *cancel)
{
	struct replay *r = replay_new(p, scope, from, to, cancel);
	bool whole = true;

	for (uint32_t i = 0; i < r->list.count && whole; i++)
		whole = replay_block(r, i, visit, context);
	replay_free(r);
	return whole;
}
