#include <config.h>

#include "profile/walk.h"

#include "base/mem.h"

/*
 * A thread's first event sets its clocks.  Wall time is common to all threads, so one
 * that starts after the 32-bit clock wrapped is moved to where the others are.
 */
static void
lane_start(struct walk *w, struct lane *lane, const struct event *ev)
{
	const struct profile *p = w->profile;
	const struct source *source = p->trace->source;
	nsec wall = (nsec)ev->time[CLOCK_WALL];
	nsec latest = 0;

	for (uint32_t i = 0; i < p->lane_count; i++) {
		if (w->lanes[i].started && lane_time(&w->lanes[i], CLOCK_WALL) > latest)
			latest = lane_time(&w->lanes[i], CLOCK_WALL);
	}
	lane->started = true;
	/* In a file of whole threads one after another, the next begins at any time. */
	if (source->clock_modulus > 0 && latest > wall && !source->by_thread && !p->part) {
		uint64_t behind = (uint64_t)(latest - wall);
		uint64_t wraps = (behind + source->clock_modulus / 2) / source->clock_modulus;

		if (wraps > source->wraps_max)
			wraps = source->wraps_max;
		if (trace_has_clock(p->trace, CLOCK_WALL)) {
			lane->wraps[CLOCK_WALL] = wraps;
			lane->shift[CLOCK_WALL] = (nsec)(wraps * source->clock_modulus);
		}
	}
	if (!w->build) {
		lane->node = lane->low = lane->origin;
		lane->guess = lane->node << 1;
		return;
	}
	lane->node = lane->root = lane->origin = lane->low =
	    tree_add(&w->profile->tree, NODE_NONE, METHOD_TOPLEVEL);
	lane->guess = lane->root << 1;
	w->profile->tree.counts[lane->root].calls = 1;
	for (int c = 0; c < CLOCKS; c++)
		lane->first[c] = (nsec)ev->time[c] + lane->shift[c];
}

/*
 * The lane has gone further than the file's times can, by going back and forth: it
 * stands from now on.  A raw time later than all others makes every event odd.
 */
static void
lane_full(struct lane *lane, enum clock_id clock)
{
	nsec now = lane_time(lane, clock);

	lane->raw[clock] = (uint64_t)INT64_MAX / 2;
	lane->shift[clock] = now - INT64_MAX / 2;
}

void
walk_clock_odd(struct walk *w, struct lane *lane, const struct event *ev, uint64_t offset,
    nsec delta[CLOCKS])
{
	const struct source *source = w->profile->trace->source;
	bool wrapped = false, back = false;

	if (!lane->started) {
		lane_start(w, lane, ev);
		lane->raw[CLOCK_CPU] = ev->time[CLOCK_CPU];
		lane->raw[CLOCK_WALL] = ev->time[CLOCK_WALL];
		delta[CLOCK_CPU] = delta[CLOCK_WALL] = 0;
		return;
	}
	for (int c = 0; c < CLOCKS; c++) {
		lane->raw[c] = ev->time[c];
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
				lane_full(lane, (enum clock_id)c);
		}
	}
	damage_add(w->damage, DAMAGE_CLOCK_WRAP, wrapped, offset);
	damage_add(w->damage, DAMAGE_BACKWARD_CLOCK, back, offset);
}

uint32_t
walk_enter_miss(struct walk *w, struct lane *lane, uint32_t method)
{
	struct tree *tree = &w->profile->tree;
	uint32_t *guess = tree_guess(tree, lane->guess);
	uint32_t child = tree->nodes[*guess].next[1];

	/* The second guess: what came after the first guess the last time. */
	if (tree->nodes[child].method != method) {
		child = tree_find(tree, lane->node, method);
		if (child == NODE_NONE && w->build)
			child = tree_add(tree, lane->node, method);
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

static void
exit_adopted(struct walk *w, const struct lane *lane, uint64_t offset)
{
	struct profile *p = w->profile;

	if (!p->part) {
		damage_add(w->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, offset);
		return;
	}
	MEM_GROW(p->adoptions, p->adoption_room, p->adoption_count + 1);
	p->adoptions[p->adoption_count++] =
	    (struct adoption){(uint32_t)(lane - w->lanes), offset};
}

void
walk_exit_odd(struct walk *w, struct lane *lane, uint32_t method, uint64_t offset)
{
	struct tree *tree = &w->profile->tree;
	uint32_t node = lane->node;
	uint32_t above = 0;

	if (method == METHOD_TOP) {
		if (node != lane->root) {
			walk_pop(tree, lane);
			return;
		}
		method = w->profile->trace->method_before;
	}
	if (node == lane->root && w->build) {
		uint32_t root = tree_adopt(tree, node, method);

		exit_adopted(w, lane, offset);
		lane->root = root;
		walk_pop(tree, lane);
		return;
	}
	while (above < EXIT_SEARCH_MAX && !tree_is_bottom(tree, node) &&
	    tree->nodes[node].method != method) {
		node = tree->nodes[node].parent;
		above++;
	}
	if (above == EXIT_SEARCH_MAX || tree_is_bottom(tree, node)) {
		damage_add(w->damage, DAMAGE_UNMATCHED_EXIT, 1, offset);
		lane->unmatched = true;
		if (w->build)
			method_seen(w->profile, method);
		return;
	}
	damage_add(w->damage, DAMAGE_LOST_EXIT, above, offset);
	for (; above > 0; above--)
		walk_pop(tree, lane);
	walk_pop(tree, lane);
}
