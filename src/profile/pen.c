#include <config.h>

#include "profile/pen.h"

#include "profile/count.h"
#include "profile/gap.h"

/* What the records of a chunk have in common. */
struct drawing {
	struct walk *walk;
	enum clock_id axis;
	bool dual; /* both clocks: threads sleep */
	struct idmap methods; /* of the trace */
};

/*
 * What is kept in registers of a thread; in the stack before what is odd is dealt with, and
 * taken from there again.
 */
struct hold {
	const struct node *node;
	const uint32_t *guess;
	pair64 raw; /* by clock */
};

static inline __attribute__((always_inline)) struct hold
hold_take(const struct stack *stack, const struct node *nodes)
{
	return (struct hold){nodes + stack->node, (const uint32_t *)nodes + stack->guess,
	    pair64_load(stack->raw)};
}

static inline __attribute__((always_inline)) void
hold_put(const struct hold *h, struct stack *stack, const struct node *nodes)
{
	stack->node = (uint32_t)(h->node - nodes);
	stack->guess = (uint32_t)(h->guess - (const uint32_t *)nodes);
	pair64_store(stack->raw, h->raw);
}

/* A step that is not within the open cell, or in which the thread sleeps. */
static __attribute__((noinline)) void
step_draw(const struct profile *p, struct strip *s, const struct stack *stack, uint32_t node,
    pair64 lapse)
{
	struct step step = {.before = node};

	pair64_store(step.to, pair64_add(pair64_load(stack->raw), pair64_load(stack->shift)));
	pair64_store(step.from, pair64_subtract(pair64_load(step.to), lapse));
	strip_step(s, p, &step);
}

/* An entry that was not guessed, or what is no exit of the frame on top. */
static __attribute__((noinline)) void
stack_odd(const struct drawing *d, struct stack *stack, uint32_t method, uint32_t word)
{
	if ((word & 3) == ACTION_ENTER) {
		stack->node = walk_enter_miss(d->walk, stack, method, 0);
		stack->guess = tree_place(stack->node, 0);
	} else if ((word & 3) != ACTION_RESERVED) {
		const struct tree *tree = &d->walk->profile->tree;

		if (tree->nodes[stack->node].method == method)
			walk_pop(tree, stack);
		else
			walk_exit_odd(d->walk, stack, method, 0);
	}
}

/* The runs of one thread; `entered` may be NULL. */
static inline __attribute__((always_inline)) void
runs_follow(struct runs *from, const struct drawing *d, struct stack *stack, struct strip *s,
    const struct entered *entered, const struct record_layout *l)
{
	const uint32_t size = l->size;
	/* In records of two clocks the axis is the second. */
	const enum clock_id axis = record_is_dual(l) ? CLOCK_WALL : d->axis;
	const bool dual = record_is_dual(l) || d->dual;
	const struct node *nodes = d->walk->profile->tree.nodes;
	const struct kin *kin = d->walk->profile->tree.kin;
	struct hold hold = hold_take(stack, nodes);
	struct runs runs = *from;
	nsec shift = stack->shift[axis];
	const uint8_t *p, *end;

	while (runs_at(&runs, &p, &end, size)) {
		for (; p < end; p += size) {
			const uint32_t word = record_word(l, p);
			const pair64 times = record_times(l, p);
			pair64 lapse = pair64_subtract(times, hold.raw);
			uint32_t method = record_method(l, word, &d->methods);
			const uint32_t on_top = hold.node->method;
			nsec cpu, wall, length, now;

			if (__builtin_expect(pair64_is_negative(lapse), 0)) {
				hold_put(&hold, stack, nodes);
				lapse = clock_odd(d->walk, stack, times, 0);
				hold = hold_take(stack, nodes);
				shift = stack->shift[axis];
			} else {
				hold.raw = times;
			}
			cpu = (nsec)pair64_first(lapse);
			wall = (nsec)pair64_second(lapse);
			length = axis == CLOCK_WALL ? wall : cpu;
			now = shift + (nsec)(axis == CLOCK_WALL ? pair64_second(hold.raw)
							       : pair64_first(hold.raw));
			if (length == 0 || on_top == METHOD_TOPLEVEL) {
				/* Nothing to be drawn. */
			} else if (__builtin_expect(now <= s->end && now - length >= s->begin &&
					   !(dual && wall - cpu > GAP_SLEEP_MIN), 1)) {
				strip_run_within(s, on_top, length, dual && cpu < length ? cpu : length);
			} else if (now > s->raster->from) {
				pair64_store(stack->raw, hold.raw);
				step_draw(d->walk->profile, s, stack, (uint32_t)(hold.node - nodes), lapse);
			}
			if ((word & 3) == ACTION_ENTER &&
			    __builtin_expect(nodes[*hold.guess].method == method, 1)) {
				hold.node = nodes + *hold.guess;
				hold.guess = &hold.node->next[0];
				/* What is needed when it makes a call that is not guessed, or is left. */
				__builtin_prefetch(&kin[hold.node - nodes]);
				__builtin_prefetch(nodes + hold.node->next[1]);
				if (entered != NULL)
					entered_add(entered, method);
			} else if ((word & 3) != ACTION_ENTER && (word & 3) != ACTION_RESERVED &&
			    __builtin_expect(hold.node->method == method, 1)) {
				const struct node *left = hold.node;

				hold.node = nodes + node_parent(left);
				hold.guess = &left->next[1];
			} else {
				const struct node *before = hold.node;

				if (!record_is_event(l) && method == IDMAP_NONE)
					method = method_unknown(d->walk, word, 0);
				hold_put(&hold, stack, nodes);
				stack_odd(d, stack, method, word);
				hold = hold_take(stack, nodes);
				/* Not what goes on within (other). */
				if (entered != NULL && node_parent(hold.node) == (uint32_t)(before - nodes))
					entered_add(entered, hold.node->method);
			}
		}
	}
	hold_put(&hold, stack, nodes);
	*from = runs;
}

void
runs_draw(struct runs *runs, struct walk *w, struct stack *stack, uint32_t until, struct strip *s,
    const struct entered *entered)
{
	const struct record_layout l = *runs->chunk->layout;
	const struct trace *t = w->profile->trace;
	const struct drawing d = {.walk = w, .axis = w->profile->axis,
	    .dual = t->clocks == (1u << CLOCK_CPU | 1u << CLOCK_WALL), .methods = t->method_ids};

	runs_until(runs, until);
	if (record_is_event(&l))
		runs_follow(runs, &d, stack, s, entered, &record_event);
	else if (record_is_dual(&l))
		runs_follow(runs, &d, stack, s, entered, &record_dual);
	else
		runs_follow(runs, &d, stack, s, entered, &l);
}

void
pens_draw(struct pens *pens, struct walk *w, const struct batch *b)
{
	struct batch_runs list;

	batch_runs(&list, b);
	for (uint32_t i = 0; i < list.count && pens->down > 0; i++) {
		struct runs runs = batch_run(&list, i);
		struct stack *stack = &w->stacks[list.threads[i]];
		struct pen *pen = &pens->items[list.threads[i]];

		/* What loading did not meet: the file is not what it was. */
		if (list.threads[i] >= pens->count || !pen->down)
			continue;
		runs_draw(&runs, w, stack, b->count, pen->strip, NULL);
		pen->down = stack_time(stack, w->profile->axis) < pen->until;
		pens->down -= !pen->down;
	}
}
