// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/index/replay.h"

#include "base/mem.h"
#include "profile/load/walk.h"

struct replay {
	const struct profile *profile;
	const atomic_bool *cancel;
	struct block_list list;
	struct stack *stacks;
	/* By thread: the item + 1 that is followed for it, and when nothing more of it is wanted. */
	uint32_t *known;
	nsec *until;
	uint32_t left;         /* threads that are followed */
	struct onstack onstack;
	uint64_t order;        /* of the next record */
	uint32_t method_count; /* that loading met */
	struct batch_room room;
};

/* The use of a block's records: they are visited, or drawn. */
struct purpose {
	visit_step visit; /* NULL: drawn */
	void *context;
	struct cell_row *const *cell_rows;
	nsec to;
};

/* False when stopped. */
static bool
batch_take(struct replay *r, uint32_t item, const struct batch *b, const struct purpose *purpose)
{
	const struct step_sink steps = {purpose->visit, purpose->context, r->order, r->method_count};
	/* The profile is only read: `build` is false; damage was counted while loading. */
	struct walk walk = {
	    (struct profile *)(uintptr_t)r->profile, r->stacks, NULL, false, &r->onstack};
	struct batch_runs list;

	batch_runs(&list, b);
	r->order += b->count;
	for (uint32_t i = 0; i < list.count && r->left > 0; i++) {
		struct runs runs = batch_run(&list, i);
		uint32_t thread = list.threads[i];

		/* One that loading did not meet there: the file is not what it was. */
		if (thread >= r->profile->stack_count || r->known[thread] != item + 1)
			continue;
		if (purpose->visit != NULL) {
			if (!runs_visit(&runs, &walk, thread, &steps))
				return false;
			continue;
		}
		runs_draw(&runs, &walk, &r->stacks[thread], b->count, purpose->cell_rows[thread], NULL);
		if (stack_time(&r->stacks[thread], r->profile->axis) >= r->until[thread]) {
			r->known[thread] = 0;
			r->left--;
		}
	}
	return true;
}

/* The threads of an item that are wanted, in their states at the begin of its block. */
static void
stacks_restore(struct replay *r, uint32_t item, const struct purpose *purpose)
{
	const struct block_list *list = &r->list;

	r->left = 0;
	for (uint32_t i = 0; i < block_list_runs(list, item); i++) {
		struct block_run run = block_list_run(list, item, i);

		r->known[run.thread] = 0;
		if (purpose->visit == NULL && purpose->cell_rows[run.thread] == NULL)
			continue;
		blocks_restore(list->blocks, list->items[item].block, run.thread, &r->stacks[run.thread]);
		r->known[run.thread] = item + 1;
		r->until[run.thread] = run.to < purpose->to ? run.to : purpose->to;
		r->left++;
	}
}

static bool
block_run(struct replay *r, uint32_t item, const struct purpose *purpose)
{
	const struct blocks *blocks = r->list.blocks;
	struct source *source = r->profile->trace->source;
	uint32_t block = r->list.items[item].block;
	struct cursor at = blocks->items[block].at;
	uint64_t begin = at.offset, end = blocks_end(blocks, block);

	r->order = blocks->items[block].records;
	stacks_restore(r, item, purpose);
	while (at.offset < end && r->left > 0) {
		bool go_on = !is_cancelled(r->cancel);
		struct batch b = batch_in(&r->room);
		uint64_t from = at.offset;

		/* Records that the file has lost cannot be shown. */
		if (go_on && !source_read_safe(source, &at, &b, BATCH_EVENTS, NULL, false))
			at.offset = end;
		batch_cut(&b, &at, end);
		if (!go_on || !batch_take(r, item, &b, purpose))
			return false;
		if (b.count == 0 && at.offset == from)
			break;
	}
	source_again(source, at.offset - begin);
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
	r->until = mem_alloc(p->stack_count * sizeof(*r->until));
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
	mem_free(r->until);
	onstack_release(&r->onstack);
	mem_free(r);
}

const struct block_list *
replay_list(const struct replay *r)
{
	return &r->list;
}

bool
replay_block(struct replay *r, uint32_t item, visit_step visit, void *context)
{
	struct purpose purpose = {.visit = visit, .context = context};

	return block_run(r, item, &purpose);
}

bool
replay_draw(struct replay *r, uint32_t item, struct cell_row *const *cell_rows, nsec to)
{
	struct purpose purpose = {.cell_rows = cell_rows, .to = to};

	return block_run(r, item, &purpose);
}

bool
replay_window(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    visit_step visit, void *context, const atomic_bool *cancel)
{
	struct replay *r = replay_new(p, scope, from, to, cancel);
	bool whole = true;

	for (uint32_t i = 0; i < r->list.count && whole; i++)
		whole = replay_block(r, i, visit, context);
	replay_free(r);
	return whole;
}
