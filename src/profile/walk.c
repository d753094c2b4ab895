#include <config.h>

#include "profile/walk.h"

#include "base/mem.h"
#include "profile/onstack.h"

/* Frames that an exit looks at one by one for its own. */
enum { EXIT_SEARCH = 64 };

/*
 * Wall time is common to all threads, so one that starts after the 32-bit clock wrapped
 * is moved to where the others are.
 */
static void
stack_move(struct walk *w, struct stack *stack, const uint64_t time[CLOCKS])
{
	const struct profile *p = w->profile;
	const struct source *source = p->trace->source;
	nsec latest = p->latest, wall = (nsec)time[CLOCK_WALL];
	uint64_t wraps;

	/* In a file of whole threads one after another, the next begins at any time. */
	if (source->clock_modulus == 0 || source->wraps_max == 0 || source->by_thread || p->apart ||
	    !trace_has_clock(p->trace, CLOCK_WALL))
		return;
	if (latest <= wall)
		return;
	wraps = ((uint64_t)(latest - wall) + source->clock_modulus / 2) / source->clock_modulus;
	if (wraps > source->wraps_max)
		wraps = source->wraps_max;
	stack->wraps[CLOCK_WALL] = wraps;
	stack->shift[CLOCK_WALL] = (nsec)(wraps * source->clock_modulus);
}

/* A thread's first event sets its clocks. */
static void
stack_start(struct walk *w, struct stack *stack, const uint64_t time[CLOCKS])
{
	struct profile *p = w->profile;

	if (!w->build) {
		const struct stack *known = &p->stacks[stack - w->stacks];

		for (int c = 0; c < CLOCKS; c++)
			stack->shift[c] = known->first[c] - (nsec)time[c];
		stack->wraps[CLOCK_WALL] = known->first_wraps;
		stack->started = true;
		stack->node = stack->low = stack->origin;
		stack->guess = tree_place(stack->node, 0);
		return;
	}
	stack_move(w, stack, time);
	stack->started = true;
	stack->first_wraps = stack->wraps[CLOCK_WALL];
	for (int c = 0; c < CLOCKS; c++)
		stack->first[c] = (nsec)time[c] + stack->shift[c];
	if (p->flat != NULL)
		return; /* stacks are there */
	stack->node = stack->root = stack->origin = stack->low =
	    tree_add(&p->tree, NODE_NONE, METHOD_TOPLEVEL);
	stack->guess = tree_place(stack->root, 0);
	tree_call(&p->tree, &p->tree.nodes[stack->root]);
}

/*
 * The stack has gone further than the file's times can, by going back and forth: it
 * stands from now on.  A raw time later than all others makes every event odd.
 */
static void
stack_full(struct stack *stack, enum clock_id clock, const struct source *source)
{
	nsec now = stack_time(stack, clock);

	stack->wraps[clock] = source->wraps_max; /* nor will it be taken for a wrap */
	stack->raw[clock] = (uint64_t)INT64_MAX / 2;
	stack->shift[clock] = now - INT64_MAX / 2;
}

void
walk_clock_odd(struct walk *w, struct stack *stack, const uint64_t time[CLOCKS], uint64_t offset,
    nsec delta[CLOCKS])
{
	const struct source *source = w->profile->trace->source;
	bool wrapped = false, back = false;

	if (!stack->started) {
		stack_start(w, stack, time);
		stack->raw[CLOCK_CPU] = time[CLOCK_CPU];
		stack->raw[CLOCK_WALL] = time[CLOCK_WALL];
		delta[CLOCK_CPU] = delta[CLOCK_WALL] = 0;
		return;
	}
	for (int c = 0; c < CLOCKS; c++) {
		stack->raw[c] = time[c];
		if (delta[c] >= 0)
			continue;
		if (source->clock_modulus > 0 && stack->wraps[c] < source->wraps_max &&
		    -delta[c] > (nsec)(source->clock_modulus / 2)) {
			delta[c] += (nsec)source->clock_modulus;
			stack->shift[c] += (nsec)source->clock_modulus;
			stack->wraps[c]++;
			wrapped = true;
		} else {
			stack->shift[c] -= delta[c];
			delta[c] = 0;
			back = true;
			if (source->time_most > 0 &&
			    stack_time(stack, (enum clock_id)c) > (nsec)source->time_most)
				stack_full(stack, (enum clock_id)c, source);
		}
	}
	damage_add(w->damage, DAMAGE_CLOCK_WRAP, wrapped, offset);
	damage_add(w->damage, DAMAGE_BACKWARD_CLOCK, back, offset);
}

static bool
is_other(const struct walk *w, uint32_t node)
{
	return w->profile->other != METHOD_NONE &&
	    w->profile->tree.nodes[node].method == w->profile->other;
}

/* The child of a frame for calls on paths that the tree has no room for. */
static uint32_t
other_child(struct walk *w, uint32_t parent)
{
	struct profile *p = w->profile;
	uint32_t child;

	if (p->other == METHOD_NONE)
		p->other = trace_method_other(p->trace);
	child = tree_find(&p->tree, parent, p->other);
	return child != NODE_NONE ? child : tree_add(&p->tree, parent, p->other);
}

/*
 * A child that is not there yet; in a replay one that went to (other).  If that is not there
 * either, the file is not what it was, and the call is left out.
 */
static uint32_t
child_make(struct walk *w, uint32_t parent, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;

	if (!w->build) {
		uint32_t other = tree_find(tree, parent, w->profile->other);

		return other != NODE_NONE ? other : parent;
	}
	/* Who shares it made sure of that before; ids may be beyond for others' sake. */
	if (tree->count < tree->limit || tree->shared)
		return tree_add(tree, parent, method);
	damage_add(w->damage, DAMAGE_MERGED_CALL, 1, offset);
	return other_child(w, parent);
}

uint32_t
walk_enter_miss(struct walk *w, struct stack *stack, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t child;

	if (is_other(w, stack->node)) {
		damage_add(w->damage, DAMAGE_MERGED_CALL, 1, offset);
		stack->inside++;
		return stack->node;
	}
	/* The second guess: what came after the first guess the last time. */
	child = tree->nodes[*tree_guess(tree, stack->guess)].next[1];
	if (tree->nodes[child].method != method) {
		child = tree_find(tree, stack->node, method);
		if (child == NODE_NONE)
			child = child_make(w, stack->node, method, offset);
	}
	if (w->build)
		*tree_guess(tree, stack->guess) = child; /* adding may have moved it */
	return child;
}

/* The method was met, though no call of it is counted. */
static void
method_seen(struct profile *p, uint32_t method)
{
	size_t room = p->method_seen_room;

	MEM_GROW(p->method_seen, p->method_seen_room, (size_t)method + 1);
	for (; room < p->method_seen_room; room++)
		p->method_seen[room] = 0;
	p->method_seen[method] = 1;
}

/* How many frames are above the innermost one of a method; false when it has none. */
static bool
exit_find(struct walk *w, const struct stack *stack, uint32_t method, uint32_t *above)
{
	const struct tree *tree = &w->profile->tree;
	uint32_t thread = (uint32_t)(stack - w->stacks);

	*above = 0;
	for (uint32_t n = stack->node; !tree_is_bottom(tree, n); n = node_parent(&tree->nodes[n])) {
		if (tree->nodes[n].method == method)
			return true;
		/* What is found deep is left: a search in vain is what must not be long. */
		if (++*above == EXIT_SEARCH &&
		    !onstack_has(w->onstack, tree, thread, stack->node, method))
			return false;
	}
	return false;
}

void
walk_exit_unmatched(struct walk *w, uint32_t method, uint64_t offset)
{
	damage_add(w->damage, DAMAGE_UNMATCHED_EXIT, 1, offset);
	if (w->build)
		method_seen(w->profile, method);
}

void
walk_exit_odd(struct walk *w, struct stack *stack, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t node = stack->node;
	uint32_t above;

	if (is_other(w, node)) {
		/* Which method it was is not kept: exits are only counted. */
		if (stack->inside > 0)
			stack->inside--;
		else
			walk_pop(tree, stack);
		return;
	}
	if (method == METHOD_TOP) {
		if (node != stack->root) {
			walk_pop(tree, stack);
			return;
		}
		method = w->profile->trace->method_before;
	}
	if (node == stack->root && w->build && tree->count < tree->limit + ADOPTIONS_MAX) {
		uint32_t root = tree_adopt(tree, node, method);

		damage_add(w->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, offset);
		stack->root = root;
		walk_pop(tree, stack);
		return;
	}
	if (!exit_find(w, stack, method, &above)) {
		walk_exit_unmatched(w, method, offset);
		return;
	}
	damage_add(w->damage, DAMAGE_LOST_EXIT, above, offset);
	for (; above > 0; above--)
		walk_pop(tree, stack);
	walk_pop(tree, stack);
}
