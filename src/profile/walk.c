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
lane_move(struct walk *w, struct lane *lane, const uint64_t time[CLOCKS])
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
	lane->wraps[CLOCK_WALL] = wraps;
	lane->shift[CLOCK_WALL] = (nsec)(wraps * source->clock_modulus);
}

/* A thread's first event sets its clocks. */
static void
lane_start(struct walk *w, struct lane *lane, const uint64_t time[CLOCKS])
{
	struct profile *p = w->profile;

	if (!w->build) {
		const struct lane *known = &p->lanes[lane - w->lanes];

		for (int c = 0; c < CLOCKS; c++)
			lane->shift[c] = known->first[c] - (nsec)time[c];
		lane->wraps[CLOCK_WALL] = known->first_wraps;
		lane->started = true;
		lane->node = lane->low = lane->origin;
		lane->guess = tree_place(lane->node, 0);
		return;
	}
	lane_move(w, lane, time);
	lane->started = true;
	lane->first_wraps = lane->wraps[CLOCK_WALL];
	for (int c = 0; c < CLOCKS; c++)
		lane->first[c] = (nsec)time[c] + lane->shift[c];
	if (p->flat != NULL)
		return; /* stacks are there */
	lane->node = lane->root = lane->origin = lane->low =
	    tree_add(&p->tree, NODE_NONE, METHOD_TOPLEVEL);
	lane->guess = tree_place(lane->root, 0);
	tree_call(&p->tree, &p->tree.nodes[lane->root]);
}

/*
 * The lane has gone further than the file's times can, by going back and forth: it
 * stands from now on.  A raw time later than all others makes every event odd.
 */
static void
lane_full(struct lane *lane, enum clock_id clock, const struct source *source)
{
	nsec now = lane_time(lane, clock);

	lane->wraps[clock] = source->wraps_max; /* nor will it be taken for a wrap */
	lane->raw[clock] = (uint64_t)INT64_MAX / 2;
	lane->shift[clock] = now - INT64_MAX / 2;
}

void
walk_clock_odd(struct walk *w, struct lane *lane, const uint64_t time[CLOCKS], uint64_t offset,
    nsec delta[CLOCKS])
{
	const struct source *source = w->profile->trace->source;
	bool wrapped = false, back = false;

	if (!lane->started) {
		lane_start(w, lane, time);
		lane->raw[CLOCK_CPU] = time[CLOCK_CPU];
		lane->raw[CLOCK_WALL] = time[CLOCK_WALL];
		delta[CLOCK_CPU] = delta[CLOCK_WALL] = 0;
		return;
	}
	for (int c = 0; c < CLOCKS; c++) {
		lane->raw[c] = time[c];
		if (delta[c] >= 0)
			continue;
		if (source->clock_modulus > 0 && lane->wraps[c] < source->wraps_max &&
		    -delta[c] > (nsec)(source->clock_modulus / 2)) {
			delta[c] += (nsec)source->clock_modulus;
			lane->shift[c] += (nsec)source->clock_modulus;
			lane->wraps[c]++;
			wrapped = true;
		} else {
			lane->shift[c] -= delta[c];
			delta[c] = 0;
			back = true;
			if (source->time_most > 0 &&
			    lane_time(lane, (enum clock_id)c) > (nsec)source->time_most)
				lane_full(lane, (enum clock_id)c, source);
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
walk_enter_miss(struct walk *w, struct lane *lane, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t child;

	if (is_other(w, lane->node)) {
		damage_add(w->damage, DAMAGE_MERGED_CALL, 1, offset);
		lane->inside++;
		return lane->node;
	}
	/* The second guess: what came after the first guess the last time. */
	child = tree->nodes[*tree_guess(tree, lane->guess)].next[1];
	if (tree->nodes[child].method != method) {
		child = tree_find(tree, lane->node, method);
		if (child == NODE_NONE)
			child = child_make(w, lane->node, method, offset);
	}
	if (w->build)
		*tree_guess(tree, lane->guess) = child; /* adding may have moved it */
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
exit_find(struct walk *w, const struct lane *lane, uint32_t method, uint32_t *above)
{
	const struct tree *tree = &w->profile->tree;
	uint32_t thread = (uint32_t)(lane - w->lanes);

	*above = 0;
	for (uint32_t n = lane->node; !tree_is_bottom(tree, n); n = node_parent(&tree->nodes[n])) {
		if (tree->nodes[n].method == method)
			return true;
		/* What is found deep is left: a search in vain is what must not be long. */
		if (++*above == EXIT_SEARCH &&
		    !onstack_has(w->onstack, tree, thread, lane->node, method))
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
walk_exit_odd(struct walk *w, struct lane *lane, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t node = lane->node;
	uint32_t above;

	if (is_other(w, node)) {
		/* Which method it was is not kept: exits are only counted. */
		if (lane->inside > 0)
			lane->inside--;
		else
			walk_pop(tree, lane);
		return;
	}
	if (method == METHOD_TOP) {
		if (node != lane->root) {
			walk_pop(tree, lane);
			return;
		}
		method = w->profile->trace->method_before;
	}
	if (node == lane->root && w->build && tree->count < tree->limit + ADOPTIONS_MAX) {
		uint32_t root = tree_adopt(tree, node, method);

		damage_add(w->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, offset);
		lane->root = root;
		walk_pop(tree, lane);
		return;
	}
	if (!exit_find(w, lane, method, &above)) {
		walk_exit_unmatched(w, method, offset);
		return;
	}
	damage_add(w->damage, DAMAGE_LOST_EXIT, above, offset);
	for (; above > 0; above--)
		walk_pop(tree, lane);
	walk_pop(tree, lane);
}
