/*
 * walk: one record's effect on its thread's clock and stack.
 *
 * The same rules build the tree while loading and follow it again in a replay, so
 * that both agree to the nanosecond.  Private to this folder; the functions are inline
 * because they are the inner loop: about 10 ns a record, most of it the tree's memory.
 *
 * Rules, art-trace-format.md section 8 (doc/formats.md says why): an exit on an empty
 * stack adopts what came before it; an exit of a frame further down closes those above
 * it; an exit of a method that is not open is ignored; a clock that goes back counts
 * as no time, or, if it went back by more than half its range, as a wrap.
 *
 * When the tree is at its limit, calls on paths that it does not have go to a node
 * (other) below the last frame that it has; all that they call is one with them.
 */
#ifndef SLOWTOP_PROFILE_WALK_H
#define SLOWTOP_PROFILE_WALK_H

#include "profile/profile.h"

/* Beyond the limit of paths so many frames from before the trace are still adopted. */
enum { ADOPTIONS_MAX = 1 << 20 };

struct walk {
	struct profile *profile;
	struct stack *stacks;
	struct damage *damage;
	bool build; /* the tree may grow and counts; else both are only read */
	struct onstack *onstack;
};

/*
 * Did loading meet the thread?  If it did not, the file is not what it was: in a replay there
 * is no stack for the thread's records to begin on.
 */
static inline bool
walk_met(const struct profile *p, uint32_t thread)
{
	return thread < p->stack_count && p->stacks[thread].started;
}

/* Out of the inner loop: what is rare.  They count damage; the first sets the stack's clocks. */
void walk_clock_odd(struct walk *, struct stack *, const uint64_t time[CLOCKS], uint64_t offset,
    nsec delta[CLOCKS]);
uint32_t walk_enter_miss(struct walk *, struct stack *, uint32_t method, uint64_t offset);
void walk_exit_odd(struct walk *, struct stack *, uint32_t method, uint64_t offset);
/* Of a method that is not open. */
void walk_exit_unmatched(struct walk *, uint32_t method, uint64_t offset);

static inline void
walk_pop(const struct tree *tree, struct stack *stack)
{
	uint32_t left = stack->node;
	const struct node *node = &tree->nodes[left];

	stack->node = node_parent(node);
	stack->guess = tree_place(left, 1);
	if (left == stack->low)
		stack->low = stack->node;
}

/*
 * Advances the stack's clocks to the event; the time since its last event is `delta`,
 * 0 for the first.
 */
static inline void
walk_clock(struct walk *w, struct stack *stack, const struct event *ev, uint64_t offset,
    nsec delta[CLOCKS])
{
	delta[CLOCK_CPU] = (nsec)(ev->time[CLOCK_CPU] - stack->raw[CLOCK_CPU]);
	delta[CLOCK_WALL] = (nsec)(ev->time[CLOCK_WALL] - stack->raw[CLOCK_WALL]);
	/* A stack that has not started has raw times that make this negative. */
	if (__builtin_expect((delta[CLOCK_CPU] | delta[CLOCK_WALL]) < 0, 0)) {
		walk_clock_odd(w, stack, ev->time, offset, delta);
		return;
	}
	stack->raw[CLOCK_CPU] = ev->time[CLOCK_CPU];
	stack->raw[CLOCK_WALL] = ev->time[CLOCK_WALL];
}

/* Enters or leaves the event's call.  `build` is the walk's, repeated as a constant. */
static inline __attribute__((always_inline)) void
walk_stack(struct walk *w, struct stack *stack, const struct event *ev, uint64_t offset,
    bool build)
{
	struct tree *tree = &w->profile->tree;
	uint32_t method = event_method(ev), child;

	switch (event_action(ev)) {
	case ACTION_ENTER:
		if (stack->node == stack->root)
			stack->base_offset = offset;
		child = *tree_guess(tree, stack->guess);
		if (__builtin_expect(tree->nodes[child].method != method, 0))
			child = walk_enter_miss(w, stack, method, offset);
		stack->node = child;
		stack->guess = tree_place(child, 0);
		if (build)
			tree_call(tree, &tree->nodes[child]);
		break;
	case ACTION_EXIT:
	case ACTION_UNROLL:
		if (__builtin_expect(tree->nodes[stack->node].method == method, 1))
			walk_pop(tree, stack);
		else
			walk_exit_odd(w, stack, method, offset);
		break;
	case ACTION_RESERVED:
		damage_add(w->damage, DAMAGE_RESERVED_ACTION, ev->word != WORD_TICK, offset);
		break;
	}
}

#endif
