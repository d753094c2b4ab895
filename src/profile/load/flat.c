// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/load/flat.h"

#include <string.h>

#include "base/mem.h"
#include "profile/index/blocks.h"
#include "profile/load/walk.h"

enum { FRAMES_FEWEST = 32 };

void
flat_begin(struct profile *p)
{
	if (p->trace->log != NULL || p->flat != NULL)
		return;
	p->flat = mem_zero(1, sizeof(*p->flat));
	tree_sum(&p->tree);
	/* A flat tree has no stacks for the index, which stays a single block. */
	blocks_single(p->blocks);
	flat_extend(p->flat, p->stack_count);
}

void
flat_clear(struct flat *flat)
{
	for (uint32_t i = 0; i < flat->count; i++)
		mem_free(flat->stacks[i].frames);
	flat->count = 0;
}

void
flat_free(struct flat *flat)
{
	if (flat == NULL)
		return;
	flat_clear(flat);
	mem_free(flat->stacks);
	mem_free(flat);
}

void
flat_extend(struct flat *flat, uint32_t stacks)
{
	if (stacks <= flat->count)
		return;
	MEM_GROW(flat->stacks, flat->room, stacks);
	memset(flat->stacks + flat->count, 0, (stacks - flat->count) * sizeof(*flat->stacks));
	flat->count = stacks;
}

void
flat_reserve(struct flat_stack *f, size_t frames)
{
	size_t need = f->depth + frames + 1;

	MEM_GROW(f->frames, f->frame_room, need < FRAMES_FEWEST ? FRAMES_FEWEST : need);
}

/* Odd records ------------------------------------------------------------------------ */

static uint32_t
child_of(struct walk *w, uint32_t parent, uint32_t method, uint64_t offset)
{
	uint32_t child = tree_find(&w->profile->tree, parent, method);

	return child != NODE_NONE ? child : walk_child(w, parent, method, offset);
}

/* The node of recursive calls below that of the outermost ones. */
static uint32_t
nested_of(struct walk *w, uint32_t node, uint64_t offset)
{
	const struct tree *tree = &w->profile->tree;
	uint32_t nested = child_of(w, node, tree->nodes[node].method, offset);

	tree->sums[nested].state[0] = NODE_NESTED;
	return nested;
}

uint32_t
flat_enter_miss(struct walk *w, struct stack *stack, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t node = child_of(w, stack->root, method, offset);

	if (tree->sums[node].state[0] == NODE_OPEN)
		return nested_of(w, node, offset);
	*tree_guess(tree, stack->guess) = node;
	return node;
}

void
flat_pop(struct walk *w, struct stack *stack)
{
	struct flat_stack *f = &w->profile->flat->stacks[stack - w->stacks];
	uint32_t node = f->frames[f->depth--];
	struct node_sum *sum = &w->profile->tree.sums[node];

	stack->node = f->frames[f->depth];
	stack->guess = tree_place(node, 1);
	if (sum->state[0] == NODE_NESTED)
		return;
	sum->state[0] = NODE_CLOSED;
	for (int c = 0; c < CLOCKS; c++)
		sum->inclusive[c] += (uint64_t)stack_time(stack, (enum clock_id)c);
}

/*
 * A frame of before the trace ends: all that the thread did so far was in it.  Earlier calls
 * of its method, which is not open, were recursive then.
 */
static void
frame_adopt(struct walk *w, const struct stack *stack, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t node = child_of(w, stack->root, method, offset);
	struct count before = tree_count(tree, node), root = tree_count(tree, stack->root), more;

	if (before.calls > 0)
		tree_count_add(tree, nested_of(w, node, offset), &before);
	more.calls = 1 - before.calls;
	for (int c = 0; c < CLOCKS; c++) {
		more.time[c] = root.time[c] - before.time[c];
		root.time[c] = -root.time[c];
		tree->sums[node].inclusive[c] = (uint64_t)stack_span(stack, (enum clock_id)c);
	}
	tree_count_add(tree, node, &more);
	root.calls = 0;
	tree_count_add(tree, stack->root, &root);
}

void
flat_exit_odd(struct walk *w, struct stack *stack, uint32_t method, uint64_t offset)
{
	struct profile *p = w->profile;
	struct tree *tree = &p->tree;
	struct flat_stack *f = &p->flat->stacks[stack - w->stacks];
	uint32_t node, above = 0;

	if (f->depth == 0) {
		frame_adopt(w, stack, method, offset);
		damage_add(w->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, offset);
		return;
	}
	node = tree_find(tree, stack->root, method);
	if (node == NODE_NONE || tree->sums[node].state[0] != NODE_OPEN) {
		walk_exit_unmatched(w, method, offset);
		return;
	}
	while (tree->nodes[f->frames[f->depth - above]].method != method)
		above++;
	damage_add(w->damage, DAMAGE_LOST_EXIT, above, offset);
	for (uint32_t i = 0; i <= above; i++)
		flat_pop(w, stack);
}
