// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/load/walk.h"

#include "base/mem.h"
#include "base/wide.h"
#include "profile/index/blocks.h"
#include "profile/sum/tree.h"
#include "profile/timeline/cells.h"

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

/* Room for so many more calls to be open. */
static void
stack_room(struct stack *stack, size_t more)
{
	MEM_GROW(stack->entered, stack->entered_room, stack->depth + more + 1);
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
	/* One whose only event was taken back begins again, with the root that it has. */
	if (!stack->rooted)
		stack->root = tree_add(&p->tree, NODE_NONE, METHOD_TOPLEVEL);
	stack->node = stack->origin = stack->low = stack->root;
	stack->rooted = true;
	stack->guess = tree_place(stack->root, 0);
	p->tree.nodes[stack->root].calls = 1;
	stack->depth = 0;
	stack_room(stack, 1);
	stack->entered[0] = stack->first[p->axis];
}

/*
 * The stack's clock has gone further than the file's times can, by going back and forth:
 * it stops here.  A raw time later than all others makes every event odd.
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
walk_clock(struct walk *w, struct stack *stack, const uint64_t time[CLOCKS], uint64_t offset,
    nsec delta[CLOCKS])
{
	const struct source *source = w->profile->trace->source;
	bool first = !stack->started, wrapped = false, back = false;

	if (first)
		stack_start(w, stack, time);
	for (int c = 0; c < CLOCKS; c++) {
		delta[c] = first ? 0 : (nsec)(time[c] - stack->raw[c]);
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
		p->other = trace_method_made(p->trace, STR("(other)"));
	child = tree_find(&p->tree, parent, p->other);
	return child != NODE_NONE ? child : tree_add(&p->tree, parent, p->other);
}

/* In a replay, if (other) is missing, the file has changed: the call is left out. */
static uint32_t
walk_child(struct walk *w, uint32_t parent, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;

	if (!w->build) {
		uint32_t other = tree_find(tree, parent, w->profile->other);

		return other != NODE_NONE ? other : parent;
	}
	/* Workers on a shared tree checked the limit before; gaps of ids may lift the count over it. */
	if (tree->count < tree->limit || tree->shared)
		return tree_add(tree, parent, method);
	damage_add(w->damage, DAMAGE_MERGED_CALL, 1, offset);
	return other_child(w, parent);
}

static uint32_t
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
			child = walk_child(w, stack->node, method, offset);
	}
	if (w->build)
		*tree_guess(tree, stack->guess) = child; /* adding may have moved it */
	return child;
}

/* The method was met, though no call of it is counted. */
static void
method_seen(struct profile *p, uint32_t method)
{
	MEM_GROW_ZERO(p->method_seen, p->method_seen_room, (size_t)method + 1);
	p->method_seen[method] = 1;
}

/* How many frames are above the innermost one of a method; false when it has none. */
static bool
exit_find(struct walk *w, const struct stack *stack, uint32_t method, uint32_t *above)
{
	const struct tree *tree = &w->profile->tree;
	uint32_t thread = (uint32_t)(stack - w->stacks);

	*above = 0;
	for (uint32_t n = stack->node; !tree_is_bottom(tree, n); n = tree_parent(tree, n)) {
		if (tree->nodes[n].method == method)
			return true;
		/* A deep frame that is found is left; only searches in vain must be short. */
		if (++*above == EXIT_SEARCH &&
		    !onstack_has(w->onstack, tree, thread, stack->node, method))
			return false;
	}
	return false;
}

static void
walk_exit_unmatched(struct walk *w, uint32_t method, uint64_t offset)
{
	damage_add(w->damage, DAMAGE_UNMATCHED_EXIT, 1, offset);
	if (w->build)
		method_seen(w->profile, method);
}

static void
walk_pop(struct walk *w, struct stack *stack)
{
	uint32_t left = stack->node;
	struct node *node = &w->profile->tree.nodes[left];

	if (w->build) {
		node_end_call(node, stack->entered[stack->depth],
		    stack_time(stack, w->profile->axis));
		stack->depth -= stack->depth > 0; /* a frame from before the trace has none */
	}
	stack->node = node->parent;
	stack->guess = tree_place(left, 1);
	if (left == stack->low)
		stack->low = stack->node;
}

static void
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
			walk_pop(w, stack);
		return;
	}
	if (method == METHOD_TOP) {
		if (node != stack->root) {
			walk_pop(w, stack);
			return;
		}
		method = w->profile->trace->method_before;
	}
	if (node == stack->root && w->build && tree->count < tree->limit + ADOPTIONS_MAX) {
		uint32_t root = tree_adopt(tree, node, method);

		damage_add(w->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, offset);
		stack->root = root;
		walk_pop(w, stack);
		return;
	}
	if (!exit_find(w, stack, method, &above)) {
		walk_exit_unmatched(w, method, offset);
		return;
	}
	damage_add(w->damage, DAMAGE_LOST_EXIT, above, offset);
	for (; above > 0; above--)
		walk_pop(w, stack);
	walk_pop(w, stack);
}

/* Rare cases of the inner loop, out of line ---------------------------------------- */

/* The row that the trace has or makes for a method's id. */
static uint32_t
method_unknown(struct walk *w, uint32_t word, uint64_t offset)
{
	struct source *source = w->profile->trace->source;

	/* As in the word of an event, should there be no room for another method. */
	return source->ops->method_unknown(source, word, w->damage, offset) & METHOD_TOP;
}

static __attribute__((noinline)) pair64
clock_odd(struct walk *w, struct stack *stack, const struct chunk *c, const uint8_t *p,
    pair64 times)
{
	uint64_t time[CLOCKS];
	nsec delta[CLOCKS];

	pair64_store(time, times);
	walk_clock(w, stack, time, chunk_item(c, p), delta);
	return pair64_load(delta);
}

/* An entry that was not guessed.  `offset` only locates a call that goes to (other). */
static __attribute__((noinline)) struct node *
node_enter(struct walk *w, struct stack *stack, const struct chunk *c, const uint8_t *p,
    uint32_t word, uint32_t method)
{
	const struct tree *tree = &w->profile->tree;
	bool full = w->profile->other != METHOD_NONE || tree->count >= tree->limit;
	uint64_t offset = full ? chunk_item(c, p) : 0;
	uint32_t child;

	if (method == IDMAP_NONE)
		method = method_unknown(w, word, chunk_item(c, p));
	child = walk_enter_miss(w, stack, method, offset);
	return &w->profile->tree.nodes[child];
}

/* A record that is neither an entry nor the exit of the frame on top. */
static __attribute__((noinline)) void
exit_odd(struct walk *w, struct stack *stack, const struct chunk *c, const uint8_t *p,
    uint32_t word, uint32_t method)
{
	/* Formats without methods in exits have many of these. */
	bool pops = method == METHOD_TOP && stack->node != stack->root;
	uint64_t offset = pops ? 0 : chunk_item(c, p);

	if (method == IDMAP_NONE)
		method = method_unknown(w, word, offset);
	if ((word & 3) == ACTION_RESERVED)
		damage_add(w->damage, DAMAGE_RESERVED_ACTION,
		    !record_is_event(c->layout) || word != WORD_TICK, offset);
	else if (w->profile->tree.nodes[stack->node].method == method)
		walk_pop(w, stack);
	else
		walk_exit_odd(w, stack, method, offset);
}

/* Time that is not within the open cell, or in which the thread sleeps. */
static __attribute__((noinline)) void
step_draw(const struct profile *p, struct cell_row *s, uint32_t node, pair64 to, pair64 lapse)
{
	struct step step = {.before = node};

	pair64_store(step.to, to);
	pair64_store(step.from, to - lapse);
	cell_row_step(s, p, &step);
}

/* The inner loop ---------------------------------------------------------------------- */

/* Uses of records. */
enum walk_sink {
	SINK_TREE,   /* they build the tree */
	SINK_COUNTS, /* they are counted beside the tree */
	SINK_CELLS,  /* they are drawn */
	SINK_STEPS,  /* they are visited */
};

struct sinks {
	struct count *counts;
	struct cell_row *cell_row;
	const struct entered *entered;
	const struct step_sink *steps;
};

/*
 * State in registers; written back before odd records are handled, and read again
 * afterwards.  Nodes and guesses are kept by address, which saves computing it for every
 * record.
 */
struct walk_place {
	struct node *nodes, *node;
	const uint32_t *guess;
	const struct node *root, *low;
	pair64 raw, shift; /* by clock: the time is their sum */
	nsec *entered; /* of SINK_TREE: when the call on top began; those below come before */
	nsec now, shift_on_axis; /* the time on the axis, likewise */
};

static inline __attribute__((always_inline)) struct walk_place
place_begin(const struct walk *w, const struct stack *stack, enum walk_sink sink)
{
	struct node *nodes = w->profile->tree.nodes;
	const bool tree = sink == SINK_TREE;

	return (struct walk_place){nodes, nodes + stack->node,
	    (const uint32_t *)nodes + stack->guess, nodes + stack->root,
	    tree ? nodes + stack->low : NULL, pair64_load(stack->raw), pair64_load(stack->shift),
	    tree && stack->entered != NULL ? stack->entered + stack->depth : NULL,
	    tree ? stack_time(stack, w->profile->axis) : 0,
	    tree ? stack->shift[w->profile->axis] : 0};
}

static inline __attribute__((always_inline)) void
place_node(const struct walk_place *at, struct stack *stack)
{
	stack->node = (uint32_t)(at->node - at->nodes);
	stack->guess = (uint32_t)(at->guess - (const uint32_t *)at->nodes);
}

static inline __attribute__((always_inline)) void
place_end(const struct walk_place *at, struct stack *stack)
{
	place_node(at, stack);
	if (at->low != NULL) {
		stack->low = (uint32_t)(at->low - at->nodes);
		stack->depth = (size_t)(at->entered - stack->entered);
	}
	pair64_store(stack->raw, at->raw);
}

/* Follows nodes that adding one has moved; the guess is set by the entry. */
static inline __attribute__((always_inline)) void
place_move(struct walk_place *at, struct node *nodes)
{
	at->node = nodes + (at->node - at->nodes);
	at->root = nodes + (at->root - at->nodes);
	if (at->low != NULL)
		at->low = nodes + (at->low - at->nodes);
	at->nodes = nodes;
}

/* Draws the time since the thread's last record. */
static inline __attribute__((always_inline)) void
lapse_draw(const struct walk *w, struct cell_row *s, const struct walk_place *at, pair64 lapse,
    const struct record_layout *l)
{
	/* In records of two clocks the axis is the second. */
	const struct profile *p = w->profile;
	const bool dual = record_is_dual(l) || p->trace->clocks == HAS_BOTH;
	const bool on_wall = record_is_dual(l) || p->axis == CLOCK_WALL;
	const pair64 time = at->raw + at->shift;
	const nsec cpu = (nsec)lapse[0], wall = (nsec)lapse[1];
	const nsec length = on_wall ? wall : cpu;
	const nsec now = (nsec)(on_wall ? time[1] : time[0]);
	const uint32_t method = at->node->method;

	/* A log's thread that runs is drawn outside of slices, too. */
	if (length == 0 || (method == METHOD_TOPLEVEL && (cpu == 0 || p->trace->log == NULL)))
		return;
	if (__builtin_expect(now <= s->end && now - length >= s->begin &&
		!(dual && wall - cpu > SLEEP_MIN), 1))
		cell_row_run_within(s, method, length, dual && cpu < length ? cpu : length);
	else if (now > s->raster->from)
		step_draw(p, s, (uint32_t)(at->node - at->nodes), time, lapse);
}

static inline __attribute__((always_inline)) void
child_enter(struct walk_place *at, struct node *child, enum walk_sink sink, const struct sinks *to)
{
	__builtin_prefetch(at->nodes + child->next[1]);
	if (sink == SINK_TREE) {
		child->calls++;
		*++at->entered = at->now;
	}
	if (sink == SINK_COUNTS)
		to->counts[child - at->nodes].calls++;
	/* Not what goes on within (other). */
	if (sink == SINK_CELLS && to->entered != NULL && child != at->node)
		entered_add(to->entered, child->method);
	at->node = child;
	at->guess = &child->next[0];
}

static inline __attribute__((always_inline)) void
node_leave(struct walk_place *at, enum walk_sink sink)
{
	struct node *left = at->node;

	if (sink == SINK_TREE)
		node_end_call(left, *at->entered--, at->now);
	at->node = at->nodes + left->parent;
	at->guess = &left->next[1];
	if (sink == SINK_TREE && left == at->low)
		at->low = at->node;
}

/* The record's visit; false to stop. */
static bool
step_take(const struct step_sink *to, const struct chunk *c, const uint8_t *p,
    const struct walk_place *at, pair64 lapse, struct step *step)
{
	const pair64 time = at->raw + at->shift;

	step->after = (uint32_t)(at->node - at->nodes);
	step->offset = chunk_item(c, p);
	step->order = to->order + (size_t)(p - c->items) / c->layout->size;
	pair64_store(step->to, time);
	pair64_store(step->from, time - lapse);
	return to->visit(to->context, step);
}

/* The runs of one thread; false when stopped. */
static inline __attribute__((always_inline)) bool
runs_follow(struct runs *from, struct walk *w, struct stack *stack, const struct record_layout *l,
    enum walk_sink sink, const struct sinks *to)
{
	const struct chunk *c = from->chunk;
	/* A copy, so that the compiler sees that it does not change. */
	const struct idmap methods = w->profile->trace->method_ids;
	struct runs runs = *from;
	struct walk_place at = place_begin(w, stack, sink);
	/* In records of two clocks the axis is the second. */
	const enum clock_id axis = record_is_dual(l) ? CLOCK_WALL : w->profile->axis;
	const uint8_t *p, *end;

	while (runs_at(&runs, &p, &end, l->size)) {
		const size_t count = (size_t)(end - p) / l->size;

		stack->records += count;
		/* The stack has the depth of its last place. */
		if (sink == SINK_TREE &&
		    stack->entered_room - (size_t)(at.entered - stack->entered) <= count) {
			place_end(&at, stack);
			stack_room(stack, count);
			at = place_begin(w, stack, sink);
		}
		for (; p < end; p += l->size) {
			const uint32_t word = record_word(l, p);
			const pair64 times = record_times(l, p);
			pair64 lapse = times - at.raw;
			uint32_t method = record_method(l, word, &methods);
			struct step step;

			if (sink == SINK_STEPS) {
				if (method == IDMAP_NONE)
					method = method_unknown(w, word, chunk_item(c, p));
				/* The file has changed. */
				if (method >= to->steps->method_count && method != METHOD_TOP)
					continue;
				step.first = !stack->started;
			}
			/* A stack that has not started has raw times that make this negative. */
			if (__builtin_expect(pair64_is_negative(lapse), 0)) {
				place_end(&at, stack);
				lapse = clock_odd(w, stack, c, p, times);
				at = place_begin(w, stack, sink);
			} else {
				at.raw = times;
				if (sink == SINK_TREE)
					at.now = (nsec)times[axis] + at.shift_on_axis;
			}
			if (sink == SINK_CELLS) {
				lapse_draw(w, to->cell_row, &at, lapse, l);
			} else if (sink == SINK_STEPS) {
				step.thread = (uint32_t)(stack - w->stacks);
				step.word = method << 2 | (word & 3);
				step.before = (uint32_t)(at.node - at.nodes);
				step.inside = stack->inside;
			} else {
				nsec *on_top = sink == SINK_COUNTS ? to->counts[at.node - at.nodes].time
								   : at.node->time;

				pair64_store(on_top, pair64_load(on_top) + lapse);
			}
			if ((word & 3) == ACTION_ENTER) {
				struct node *child = at.nodes + *at.guess;

				if (__builtin_expect(at.node == at.root, 0))
					stack->base = p;
				if (__builtin_expect(child->method != method, 0)) {
					/* This is not so odd: the rest stays in registers. */
					place_node(&at, stack);
					child = node_enter(w, stack, c, p, word, method);
					if (w->profile->tree.nodes != at.nodes)
						place_move(&at, w->profile->tree.nodes);
					/* Within (other) all is one call, which is never guessed. */
					if (sink == SINK_TREE && child == at.node)
						at.entered--;
				}
				child_enter(&at, child, sink, to);
			} else if (__builtin_expect(at.node->method == method &&
				       (word & 3) != ACTION_RESERVED, 1)) {
				node_leave(&at, sink);
			} else {
				place_end(&at, stack);
				exit_odd(w, stack, c, p, word, method);
				at = place_begin(w, stack, sink);
			}
			if (sink == SINK_STEPS && !step_take(to->steps, c, p, &at, lapse, &step))
				return false;
		}
	}
	place_end(&at, stack);
	if (stack->base != NULL)
		stack->base_offset = chunk_item(c, stack->base);
	stack->base = NULL;
	if (w->build && stack_time(stack, CLOCK_WALL) > w->profile->latest)
		w->profile->latest = stack_time(stack, CLOCK_WALL);
	*from = runs;
	return true;
}

/* One copy of the loop for each sink and for layouts that are constant or not. */
static inline __attribute__((always_inline)) bool
runs_sink(struct runs *runs, struct walk *w, struct stack *stack, uint32_t until,
    enum walk_sink sink, const struct sinks *to)
{
	const struct record_layout l = *runs->chunk->layout;

	runs_until(runs, until);
	if (record_is_event(&l))
		return runs_follow(runs, w, stack, &record_event, sink, to);
	if (record_is_dual(&l))
		return runs_follow(runs, w, stack, &record_dual, sink, to);
	return runs_follow(runs, w, stack, &l, sink, to);
}

void
runs_load(struct runs *runs, struct walk *w, uint32_t thread)
{
	const struct profile *p = w->profile;
	const struct record_layout *layout = runs->chunk->layout;
	const uint8_t *items = runs->chunk->items;
	const uint32_t count = runs->chunk->count;
	struct stack *stack = &w->stacks[thread];

	while (runs->now < runs->end) {
		uint64_t times[CLOCKS], end;
		uint32_t block = blocks_of_record(p->blocks, p->records + runs->now->record, &end);
		bool started = stack->started;

		pair64_store(times, record_times(layout, items + (size_t)runs->now->record * layout->size));
		blocks_enter(p->blocks, block, thread, stack, times);
		runs_sink(runs, w, stack, end - p->records < count ? (uint32_t)(end - p->records) : count,
		    SINK_TREE, NULL);
		if (!started)
			blocks_begun(p->blocks, thread, stack);
	}
}

void
runs_count(struct runs *runs, struct walk *w, uint32_t thread, uint32_t until,
    struct count *counts)
{
	const struct sinks to = {.counts = counts};

	runs_sink(runs, w, &w->stacks[thread], until, SINK_COUNTS, &to);
}

bool
runs_visit(struct runs *runs, struct walk *w, uint32_t thread, const struct step_sink *steps)
{
	const struct sinks to = {.steps = steps};

	return runs_sink(runs, w, &w->stacks[thread], runs->chunk->count, SINK_STEPS, &to);
}

void
runs_draw(struct runs *runs, struct walk *w, struct stack *stack, uint32_t until,
    struct cell_row *s, const struct entered *entered)
{
	const struct sinks to = {.cell_row = s, .entered = entered};

	runs_sink(runs, w, stack, until, SINK_CELLS, &to);
}

void
batch_load(const struct batch *b, struct walk *w)
{
	struct batch_runs list;

	batch_runs(&list, b);
	for (uint32_t i = 0; i < list.count; i++) {
		struct runs runs = batch_run(&list, i);

		runs_load(&runs, w, list.threads[i]);
	}
}
