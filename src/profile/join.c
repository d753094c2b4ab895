#include <config.h>

#include "profile/join.h"

#include <string.h>

#include "base/mem.h"
#include "profile/checkpoint.h"

struct join {
	struct profile *p;
	const struct profile *next;
	uint32_t *node_of;      /* node of `next` -> node of `p` */
	struct lane_mark *ends; /* by lane: where `p` ended, before joining */
	nsec (*shift)[CLOCKS];  /* by lane: from raw time to true time when `next` began */
	uint64_t (*wraps)[CLOCKS];
	uint32_t *adopted;      /* offsets' places in next->adoptions, grouped by lane */
	uint32_t *adopted_from; /* by lane: its first in `adopted` */
};

/* The step of one lane's clocks from its last event to its first in the next part. */
static nsec
border_step(const struct join *j, uint32_t lane, int clock, nsec *shift, uint64_t *wraps)
{
	const struct lane *a = &j->p->lanes[lane], *b = &j->next->lanes[lane];
	const struct source *source = j->p->trace->source;
	nsec delta = b->first[clock] - (nsec)a->raw[clock];

	*shift = a->shift[clock];
	*wraps = a->wraps[clock];
	if (delta >= 0)
		return delta;
	if (source->clock_modulus > 0 && a->wraps[clock] < source->wraps_max &&
	    -delta > (nsec)(source->clock_modulus / 2)) {
		*shift += (nsec)source->clock_modulus;
		*wraps += 1;
		return delta + (nsec)source->clock_modulus;
	}
	*shift -= delta;
	return 0;
}

/* The latest wall time of all threads. */
static nsec
latest_wall(const struct join *j)
{
	nsec latest = 0;

	for (uint32_t i = 0; i < j->next->lane_count; i++) {
		nsec time = 0;

		if (j->next->lanes[i].started)
			time = lane_time(&j->next->lanes[i], CLOCK_WALL) + j->shift[i][CLOCK_WALL];
		if (time > latest)
			latest = time;
	}
	for (uint32_t i = 0; i < j->p->lane_count; i++) {
		if (j->p->lanes[i].started && lane_time(&j->p->lanes[i], CLOCK_WALL) > latest)
			latest = lane_time(&j->p->lanes[i], CLOCK_WALL);
	}
	return latest;
}

/*
 * Is a frame that `next` found open one of that method?  Exits that do not say which
 * method they leave (METHOD_TOP) are of any.
 */
static bool
frame_fits(const struct join *j, uint32_t found, uint32_t method)
{
	return found == method || found == j->p->trace->method_before;
}

/* Do the frames that `next` found open stand on the stack that `p` ended with? */
static bool
stack_fits(const struct join *j, uint32_t lane)
{
	const struct lane *a = &j->p->lanes[lane], *b = &j->next->lanes[lane];
	const struct node *ours = j->p->tree.nodes, *theirs = j->next->tree.nodes;
	uint32_t stack = a->node;

	/* An exit that was ignored may belong to a frame that only `p` knows. */
	if (b->unmatched && a->node != a->root)
		return false;
	for (uint32_t n = b->origin; n != b->root && stack != a->root; n = node_parent(&theirs[n])) {
		if (!frame_fits(j, theirs[n].method, ours[stack].method))
			return false;
		stack = node_parent(&ours[stack]);
	}
	return true;
}

static bool
joinable(struct join *j)
{
	const struct source *source = j->p->trace->source;
	nsec latest;

	/* Which paths come too late depends on the order; and so many may be too many. */
	if (j->p->other != METHOD_NONE || j->next->other != METHOD_NONE ||
	    (uint64_t)j->p->tree.count + j->next->tree.count > j->p->tree.limit)
		return false;
	for (uint32_t i = 0; i < j->next->lane_count; i++) {
		const struct lane *b = &j->next->lanes[i];

		if (!b->started || i >= j->p->lane_count || !j->p->lanes[i].started)
			continue;
		if (!stack_fits(j, i))
			return false;
		for (int c = 0; c < CLOCKS; c++) {
			(void)border_step(j, i, c, &j->shift[i][c], &j->wraps[i][c]);
			/* One pass would end the thread's time. */
			if (source->time_most > 0 &&
			    (uint64_t)(lane_time(&j->p->lanes[i], (enum clock_id)c) +
				lane_span(b, (enum clock_id)c)) > source->time_most)
				return false;
			if (b->wraps[c] > 0 && j->wraps[i][c] + b->wraps[c] > source->wraps_max)
				return false;
		}
	}
	latest = latest_wall(j);
	for (uint32_t i = 0; i < j->next->lane_count; i++) {
		const struct lane *b = &j->next->lanes[i];

		/* One pass would move a thread that starts after the clock wrapped. */
		if (b->started && (i >= j->p->lane_count || !j->p->lanes[i].started) &&
		    source->clock_modulus > 0 && !source->by_thread &&
		    latest > b->first[CLOCK_WALL] &&
		    (uint64_t)(latest - b->first[CLOCK_WALL]) >= source->clock_modulus / 2)
			return false;
	}
	return true;
}

static void
lane_begin(struct profile *p, struct lane *a, const struct lane *b)
{
	*a = (struct lane){.started = true};
	a->node = a->root = a->origin = a->low = tree_add(&p->tree, NODE_NONE, METHOD_TOPLEVEL);
	tree_call(&p->tree, &p->tree.nodes[a->root]);
	memcpy(a->first, b->first, sizeof(a->first));
	for (int c = 0; c < CLOCKS; c++)
		a->raw[c] = (uint64_t)b->first[c];
}

/* Lays the adopted frames of a lane on its stack; what is below its end is adopted. */
static void
stack_join(struct join *j, uint32_t lane)
{
	struct profile *p = j->p;
	struct lane *a = &p->lanes[lane];
	const struct lane *b = &j->next->lanes[lane];
	const struct node *theirs = j->next->tree.nodes;
	const uint32_t *adopted = j->adopted + j->adopted_from[lane];
	uint32_t stack = a->node;

	for (uint32_t n = b->origin;; n = node_parent(&theirs[n])) {
		j->node_of[n] = stack;
		for (int c = 0; c < CLOCKS; c++)
			p->tree.nodes[stack].time[c] += theirs[n].time[c];
		if (n == b->root)
			break;
		if (stack == a->root) {
			a->root = tree_adopt(&p->tree, stack, theirs[n].method);
			damage_add(&p->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1,
			    j->next->adoptions[*adopted].offset);
		}
		adopted++;
		stack = node_parent(&p->tree.nodes[stack]);
	}
	/* The lowest call that is open was entered in `next` when it stands on the root. */
	if (stack == a->root && b->node != b->root)
		a->base_offset = b->base_offset;
}

static void
lane_join(struct join *j, uint32_t i)
{
	struct profile *p = j->p;
	struct lane *a = &p->lanes[i];
	const struct lane *b = &j->next->lanes[i];

	if (!b->started)
		return;
	if (!a->started) {
		lane_begin(p, a, b);
	} else {
		for (int c = 0; c < CLOCKS; c++) {
			nsec shift;
			uint64_t wraps;
			nsec step = border_step(j, i, c, &shift, &wraps);

			p->tree.nodes[a->node].time[c] += step;
		}
	}
	stack_join(j, i);
	for (int c = 0; c < CLOCKS; c++) {
		a->raw[c] = b->raw[c];
		a->shift[c] = j->shift[i][c] + b->shift[c];
		a->wraps[c] = j->wraps[i][c] + b->wraps[c];
	}
	a->records += b->records;
	a->unmatched |= b->unmatched;
}

/* Call paths of `next` that are not frames from before it. */
static void
nodes_join(struct join *j)
{
	const struct tree *theirs = &j->next->tree;
	struct tree *tree = &j->p->tree;
	uint32_t first_new = tree->count;

	for (uint32_t n = 1; n < theirs->count; n++) {
		struct count more;
		uint32_t parent, node;

		if (tree_is_bottom(theirs, n))
			continue;
		parent = j->node_of[node_parent(&theirs->nodes[n])];
		/* Also below what is new: a frame from before and a later call may be one path. */
		node = tree_find(tree, parent, theirs->nodes[n].method);
		if (node == NODE_NONE)
			node = tree_add(tree, parent, theirs->nodes[n].method);
		j->node_of[n] = node;
		more = tree_count(theirs, n);
		tree_count_add(tree, node, &more);
	}
	/* Guesses are worth keeping: replays use them. */
	for (uint32_t n = 1; n < theirs->count; n++) {
		struct node *node = &tree->nodes[j->node_of[n]];

		if (j->node_of[n] < first_new)
			continue;
		for (int k = 0; k < 2; k++)
			node->next[k] = j->node_of[theirs->nodes[n].next[k]];
	}
}

/* A lane in a checkpoint of `next`, as one pass would have written it. */
static struct lane_mark
mark_join(const struct join *j, uint32_t i, const struct lane_mark *mark, bool first)
{
	struct lane_mark out = j->ends[i];

	if (mark == NULL || mark->node == NODE_NONE) {
		/* Nothing happened on it in `next` so far. */
		if (!first)
			out.low = out.node;
		return out;
	}
	out.node = j->node_of[mark->node];
	out.low = j->node_of[mark->low];
	out.records += mark->records;
	for (int c = 0; c < CLOCKS; c++) {
		out.raw[c] = mark->raw[c];
		out.time[c] = mark->time[c] + j->shift[i][c];
		out.wraps[c] = (uint32_t)j->wraps[i][c] + mark->wraps[c];
	}
	return out;
}

static void
checkpoints_join(struct join *j)
{
	struct profile *p = j->p;
	const struct profile *next = j->next;

	MEM_GROW(p->checkpoints, p->checkpoint_room, p->checkpoint_count + next->checkpoint_count);
	for (size_t k = 0; k < next->checkpoint_count; k++) {
		const struct checkpoint *from = &next->checkpoints[k];
		struct checkpoint *to = &p->checkpoints[p->checkpoint_count++];

		to->at = from->at;
		to->lane_count = p->lane_count;
		to->lanes = mem_alloc(p->lane_count * sizeof(*to->lanes));
		for (uint32_t i = 0; i < p->lane_count; i++)
			to->lanes[i] = mark_join(j, i, i < from->lane_count ? &from->lanes[i] : NULL, k == 0);
		p->checkpoint_bytes += p->lane_count * sizeof(*to->lanes) + sizeof(*to);
	}
	for (uint32_t i = 0; i < next->lane_count; i++) {
		if (next->lanes[i].started)
			p->lanes[i].low = j->node_of[next->lanes[i].low];
		else
			p->lanes[i].low = p->lanes[i].node;
	}
	if (next->checkpoint_every > p->checkpoint_every)
		p->checkpoint_every = next->checkpoint_every;
}

/* Groups the adopted frames by lane, each lane's in the order of their exits. */
static void
adoptions_group(struct join *j)
{
	const struct profile *next = j->next;

	j->adopted = mem_alloc(next->adoption_count * sizeof(*j->adopted));
	j->adopted_from = mem_zero((size_t)next->lane_count + 2, sizeof(*j->adopted_from));
	for (size_t i = 0; i < next->adoption_count; i++)
		j->adopted_from[next->adoptions[i].lane + 2]++;
	for (uint32_t i = 2; i < next->lane_count + 2; i++)
		j->adopted_from[i] += j->adopted_from[i - 1];
	for (size_t i = 0; i < next->adoption_count; i++)
		j->adopted[j->adopted_from[next->adoptions[i].lane + 1]++] = (uint32_t)i;
}

static void
lanes_join(struct join *j)
{
	struct profile *p = j->p;

	for (uint32_t i = 0; i < p->lane_count; i++)
		j->ends[i] = checkpoint_mark(&p->lanes[i]);
	for (uint32_t i = 0; i < j->next->lane_count; i++)
		lane_join(j, i);
	nodes_join(j);
	for (uint32_t i = 0; i < j->next->lane_count; i++) {
		if (!j->next->lanes[i].started)
			continue;
		p->lanes[i].node = j->node_of[j->next->lanes[i].node];
		p->lanes[i].guess = tree_place(p->lanes[i].node, 0);
	}
	checkpoints_join(j);
}

bool
profile_join(struct profile *p, const struct profile *next)
{
	struct join j = {.p = p, .next = next};
	uint32_t lanes = next->lane_count;
	bool fits;

	j.shift = mem_zero(lanes, sizeof(*j.shift));
	j.wraps = mem_zero(lanes, sizeof(*j.wraps));
	fits = next->state == LOAD_DONE && joinable(&j);
	if (fits) {
		profile_lanes_extend(p, lanes);
		j.ends = mem_zero(p->lane_count, sizeof(*j.ends));
		j.node_of = mem_zero(next->tree.count, sizeof(*j.node_of));
		adoptions_group(&j);
		lanes_join(&j);
		profile_seen_add(p, next);
		damage_merge(&p->damage, &next->damage);
		if (next->cut)
			p->damage.kind[DAMAGE_TRUNCATED_FILE] =
			    next->damage.kind[DAMAGE_TRUNCATED_FILE];
		p->cut |= next->cut;
		p->records += next->records;
		p->at = next->at;
		p->behind = next->behind;
		p->stop = next->stop;
		if (latest_wall(&j) > p->latest)
			p->latest = latest_wall(&j);
		p->checkpoint_next = p->records + p->checkpoint_every;
		checkpoint_bound(p);
		mem_free(j.adopted);
		mem_free(j.adopted_from);
		mem_free(j.ends);
		mem_free(j.node_of);
	}
	mem_free(j.shift);
	mem_free(j.wraps);
	return fits;
}
