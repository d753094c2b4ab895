#include <config.h>

#include "profile/count.h"

#include "base/pair64.h"
#include "profile/flat.h"
#include "profile/index/blocks.h"

/*
 * What a run keeps in registers; written back before what is odd is dealt with, and read
 * again afterwards.  Nodes and guesses by address, which saves finding it for every record.
 */
struct place {
	struct node *node;
	const uint32_t *guess;
	const struct node *root, *low;
	pair64 raw; /* by clock */
};

static inline __attribute__((always_inline)) struct place
place_begin(const struct stack *stack, struct node *nodes)
{
	return (struct place){nodes + stack->node, (const uint32_t *)nodes + stack->guess,
	    nodes + stack->root, nodes + stack->low, pair64_load(stack->raw)};
}

static inline __attribute__((always_inline)) void
place_end(const struct place *run, struct stack *stack, const struct node *nodes)
{
	stack->node = (uint32_t)(run->node - nodes);
	stack->guess = (uint32_t)(run->guess - (const uint32_t *)nodes);
	stack->low = (uint32_t)(run->low - nodes);
	pair64_store(stack->raw, run->raw);
}

uint32_t
method_unknown(struct walk *w, uint32_t word, uint64_t offset)
{
	struct source *source = w->profile->trace->source;

	/* As in the word of an event, should there be no room for another method. */
	return source->ops->method_unknown(source, word, w->damage, offset) & METHOD_TOP;
}

pair64
clock_odd(struct walk *w, struct stack *stack, pair64 times, uint64_t offset)
{
	uint64_t time[CLOCKS];
	nsec delta[CLOCKS];

	pair64_store(time, times);
	pair64_store(delta, pair64_subtract(times, pair64_load(stack->raw)));
	walk_clock_odd(w, stack, time, offset, delta);
	return pair64_load(delta);
}

/* An entry that was not guessed.  Only of a call that goes to (other) is told where it is. */
static __attribute__((noinline)) struct node *
node_enter(struct walk *w, struct stack *stack, const struct chunk *c, const uint8_t *p,
    uint32_t word, uint32_t method)
{
	const struct tree *tree = &w->profile->tree;
	bool full = w->profile->other != METHOD_NONE || tree->count >= tree->limit;
	uint64_t offset = full ? chunk_item(c, p) : 0;
	uint32_t child;

	if (!record_is_event(c->layout) && method == IDMAP_NONE)
		method = method_unknown(w, word, chunk_item(c, p));
	child = walk_enter_miss(w, stack, method, offset);
	return &w->profile->tree.nodes[child];
}

/* What is neither an entry nor the exit of the frame on top. */
static __attribute__((noinline)) void
exit_odd(struct walk *w, struct stack *stack, const struct chunk *c, const uint8_t *p,
    uint32_t word, uint32_t method)
{
	/* Formats whose exits do not say which method they leave have many of these. */
	bool pops = method == METHOD_TOP && stack->node != stack->root;
	uint64_t offset = pops ? 0 : chunk_item(c, p);

	if (!record_is_event(c->layout) && method == IDMAP_NONE)
		method = method_unknown(w, word, offset);
	if ((word & 3) == ACTION_RESERVED)
		damage_add(w->damage, DAMAGE_RESERVED_ACTION,
		    !record_is_event(c->layout) || word != WORD_TICK, offset);
	else if (w->profile->tree.nodes[stack->node].method == method)
		walk_pop(&w->profile->tree, stack);
	else
		walk_exit_odd(w, stack, method, offset);
}

/* The runs of one thread.  `counts` NULL: the walk builds. */
static inline __attribute__((always_inline)) void
runs_follow(struct runs *from, struct walk *w, struct stack *stack, const struct record_layout *l,
    struct count *counts)
{
	const struct chunk *c = from->chunk;
	/* Of its own, so that they are seen not to change meanwhile. */
	const struct idmap methods = w->profile->trace->method_ids;
	struct runs runs = *from;
	struct tree *tree = &w->profile->tree;
	const uint32_t size = l->size;
	const bool build = counts == NULL;
	struct node *nodes = tree->nodes;
	const uint8_t *p, *end, *base = NULL;
	struct place run = place_begin(stack, nodes);

	while (runs_at(&runs, &p, &end, size)) {
		stack->records += (size_t)(end - p) / size;
		for (; p < end; p += size) {
			const uint32_t word = record_word(l, p);
			const pair64 times = record_times(l, p);
			pair64 step = pair64_subtract(times, run.raw);
			const uint32_t method = record_method(l, word, &methods);
			nsec *on_top;

			/* A stack that has not started has raw times that make this negative. */
			if (__builtin_expect(pair64_is_negative(step), 0)) {
				place_end(&run, stack, nodes);
				step = clock_odd(w, stack, times, chunk_item(c, p));
				nodes = tree->nodes;
				run = place_begin(stack, nodes);
			} else {
				run.raw = times;
			}
			on_top = build ? run.node->time : counts[run.node - nodes].time;
			pair64_store(on_top, pair64_add(pair64_load(on_top), step));
			if ((word & 3) == ACTION_ENTER) {
				struct node *child = nodes + *run.guess;

				if (__builtin_expect(run.node == run.root, 0))
					base = p;
				if (__builtin_expect(child->method != method, 0)) {
					place_end(&run, stack, nodes);
					child = node_enter(w, stack, c, p, word, method);
					nodes = tree->nodes;
					run = place_begin(stack, nodes);
				}
				run.node = child;
				run.guess = &child->next[0];
				/* What may be entered when it is left again. */
				__builtin_prefetch(nodes + child->next[1]);
				if (build)
					tree_call(tree, child);
				else
					counts[child - nodes].calls++;
			} else if (__builtin_expect(run.node->method == method &&
				       (word & 3) != ACTION_RESERVED, 1)) {
				const struct node *left = run.node;

				run.node = nodes + node_parent(left);
				run.guess = &left->next[1];
				if (left == run.low)
					run.low = run.node;
			} else {
				place_end(&run, stack, nodes);
				exit_odd(w, stack, c, p, word, method);
				nodes = tree->nodes;
				run = place_begin(stack, nodes);
			}
		}
	}
	place_end(&run, stack, nodes);
	if (base != NULL)
		stack->base_offset = chunk_item(c, base);
	if (build && stack_time(stack, CLOCK_WALL) > w->profile->latest)
		w->profile->latest = stack_time(stack, CLOCK_WALL);
	*from = runs;
}

static inline __attribute__((always_inline)) void
layout_follow(struct runs *runs, struct walk *w, struct stack *stack, struct count *counts)
{
	const struct record_layout l = *runs->chunk->layout;

	if (record_is_event(&l))
		runs_follow(runs, w, stack, &record_event, counts);
	else if (record_is_dual(&l))
		runs_follow(runs, w, stack, &record_dual, counts);
	else
		runs_follow(runs, w, stack, &l, counts);
}

void
runs_count(struct runs *runs, struct walk *w, uint32_t thread, uint32_t until,
    struct count *counts)
{
	runs_until(runs, until);
	if (counts == NULL)
		layout_follow(runs, w, &w->stacks[thread], NULL);
	else
		layout_follow(runs, w, &w->stacks[thread], counts);
}

void
runs_load(struct runs *runs, struct walk *w, uint32_t thread)
{
	const struct profile *p = w->profile;
	const struct record_layout *layout = runs->chunk->layout;
	const uint8_t *items = runs->chunk->items;
	const uint32_t count = runs->chunk->count;
	struct stack *stack = &w->stacks[thread];

	if (p->flat != NULL) {
		flat_runs(runs, w, thread, count);
		return;
	}
	while (runs->now < runs->end) {
		uint64_t times[CLOCKS], end;
		uint32_t block = blocks_of_record(p->blocks, p->records + runs->now->record, &end);
		bool started = stack->started;

		pair64_store(times, record_times(layout, items + (size_t)runs->now->record * layout->size));
		blocks_enter(p->blocks, block, thread, stack, times);
		runs_count(runs, w, thread, end - p->records < count ? (uint32_t)(end - p->records) : count,
		    NULL);
		if (!started)
			blocks_begun(p->blocks, thread, stack);
	}
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
