/*
 * walk: what a record does to its thread's clock and stack, and what comes of it.
 *
 * One inner loop follows the records of a thread: walk.c.  Loading counts them in the tree or
 * in a flat profile; a range counts them beside the tree; a picture draws them.  All follow
 * the same rules, so they agree to the nanosecond.  Some 10 ns a record, most of it the
 * tree's memory: what is known of the thread stays in registers meanwhile.
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

#include "profile/partition.h"
#include "profile/profile.h"

struct entered;
struct strip;

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
 * The runs of one thread are counted in the profile.  The index gets an entry for each block
 * that they are in.
 */
void runs_load(struct runs *, struct walk *, uint32_t thread);
/*
 * Those up to the record `until`, which begins a batch or is the end, are counted in `counts`,
 * by node; the walk does not build.
 */
void runs_count(struct runs *, struct walk *, uint32_t thread, uint32_t until,
    struct count *counts);
/*
 * Drawn: those that begin before the record `until`; and what is entered in them (NULL: it is
 * not asked for).
 */
void runs_draw(struct runs *, struct walk *, struct stack *, uint32_t until, struct strip *,
    const struct entered *);
/* Like runs_load, for all threads in the order of the file. */
void batch_load(const struct batch *, struct walk *);

/* Rare, or of a flat profile.  They count damage; the first sets the stack's clocks. */
void walk_clock_odd(struct walk *, struct stack *, const uint64_t time[CLOCKS], uint64_t offset,
    nsec delta[CLOCKS]);
uint32_t walk_enter_miss(struct walk *, struct stack *, uint32_t method, uint64_t offset);
void walk_exit_odd(struct walk *, struct stack *, uint32_t method, uint64_t offset);
/* Of a method that is not open. */
void walk_exit_unmatched(struct walk *, uint32_t method, uint64_t offset);
/* The child of a frame that a call enters: made, or (other) when there is no room for it. */
uint32_t walk_child(struct walk *, uint32_t parent, uint32_t method, uint64_t offset);

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
