#include <config.h>

#include "profile/range.h"

#include "base/mem.h"
#include "base/worker.h"
#include "profile/range_count.h"
#include "profile/replay.h"

/* Parts (thousands of records each) from which a second worker pays. */
enum { PARTS_PARALLEL = 64 };

unsigned
counting_jobs(const struct counting *c, size_t parts)
{
	unsigned jobs = c->jobs;

	if (jobs == 0)
		jobs = c->profile->jobs;
	if (jobs == 0)
		jobs = parts < PARTS_PARALLEL ? 1 : worker_processors();
	if (jobs > parts)
		jobs = parts > 0 ? (unsigned)parts : 1;
	return jobs < WORKER_MAX ? jobs : WORKER_MAX;
}

void
counting_stack(const struct counting *c, uint32_t node)
{
	const struct node *nodes = c->profile->tree.nodes;

	for (; node_parent(&nodes[node]) != NODE_NONE; node = node_parent(&nodes[node]))
		c->counts[node].calls++;
}

static enum part_use
part_use(const struct counting *c, size_t part)
{
	bool inside = false, outside = false;

	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		struct part_info info;

		if (!scope_has(c->scope, t))
			continue;
		info = replay_part_info(c->profile, part, t);
		if (!info.active)
			continue;
		if (info.from > c->range.to || info.to < c->range.from)
			outside = true;
		else if (info.from <= c->range.from || (info.to >= c->range.to && !c->closed))
			return PART_CLIPPED;
		else
			inside = true;
	}
	/* Threads need not be at the same time where they are at the same place. */
	if (inside && outside)
		return PART_CLIPPED;
	return inside ? PART_INSIDE : outside ? PART_OUTSIDE : PART_NONE;
}

/* Is all that was loaded still there? */
static bool
file_whole(const struct profile *p)
{
	struct source *s = p->trace->source;

	return s->ops->left == NULL || s->ops->left(s, true) >= p->at.offset;
}

/* What must be done with each part, and is there less to do the other way round? */
static void
parts_judge(struct counting *c)
{
	uint64_t bytes[PART_CLIPPED + 1] = {0};
	size_t visits = 0;

	c->part_count = replay_part_count(c->profile);
	c->uses = mem_alloc(c->part_count);
	for (size_t part = 0; part < c->part_count; part++) {
		enum part_use use = part_use(c, part);

		c->uses[part] = (uint8_t)use;
		bytes[use] += replay_part_end(c->profile, part) - replay_part_at(c->profile, part).offset;
	}
	c->inverse = bytes[PART_INSIDE] > bytes[PART_OUTSIDE] + bytes[PART_CLIPPED] &&
	    file_whole(c->profile);
	for (size_t part = 0; part < c->part_count; part++)
		visits += counting_whole(c, part) + (c->uses[part] == PART_CLIPPED);
	c->part_share = SHARE_ALL / (unsigned)(visits > 0 ? visits : 1);
}

/* Frames that were open before the trace began: calls from their thread's first event. */
static void
adopted_count(struct counting *c)
{
	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		const struct lane *lane = &c->profile->lanes[t];

		if (scope_has(c->scope, t) && lane->started &&
		    counting_holds(c, lane->first[c->profile->axis]) != c->inverse)
			counting_stack(c, lane->origin);
	}
}

/*
 * What was counted is taken from the whole.  False when it cannot be a part of it, for the
 * file is not what it was.
 */
static bool
counts_invert(struct counting *c)
{
	const struct tree *tree = &c->profile->tree;
	bool less = file_whole(c->profile);

	for (uint32_t n = 0; n < tree->count; n++) {
		struct count *count = &c->counts[n], whole = tree_count(tree, n);

		less &= count->calls <= whole.calls;
		count->calls = whole.calls - count->calls;
		for (int k = 0; k < CLOCKS; k++) {
			less &= count->time[k] <= whole.time[k];
			count->time[k] = whole.time[k] - count->time[k];
		}
	}
	return less;
}

void
counting_begin(struct counting *c)
{
	mem_free(c->counts);
	mem_free(c->lanes);
	c->counts = mem_zero(c->profile->tree.count, sizeof(*c->counts));
	c->lanes = mem_zero(c->profile->lane_count, sizeof(*c->lanes));
	if (c->done != NULL)
		atomic_store(c->done, 0);
}

void
counting_release(struct counting *c)
{
	mem_free(c->uses);
	mem_free(c->counts);
	mem_free(c->lanes);
}

/* Adds what is in whole parts.  False when cancelled. */
static bool
wholes_count(struct counting *c)
{
	if (!range_wholes(c))
		return false;
	adopted_count(c);
	return true;
}

/* False when cancelled. */
static bool
parts_count(struct counting *c)
{
	parts_judge(c);
	if (!wholes_count(c))
		return false;
	if (c->inverse && !counts_invert(c)) {
		c->inverse = false;
		if (!wholes_count(c))
			return false;
	}
	return range_clips(c);
}

static void
lanes_describe(const struct counting *c, struct range_sums *sums)
{
	enum clock_id axis = c->profile->axis;

	sums->lanes = mem_zero(c->profile->lane_count, sizeof(*sums->lanes));
	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		const struct lane *lane = &c->profile->lanes[t];

		sums->lanes[t].present = lane->started && lane_time(lane, axis) >= c->range.from &&
		    (lane->first[axis] < c->range.to || counting_holds(c, lane->first[axis]));
		sums->lanes[t].begin = c->lanes[t].known && lane->first[axis] < c->range.from
		    ? c->lanes[t].begin
		    : lane->first[!axis];
		if (lane->started)
			c->counts[lane->root].calls = sums->lanes[t].present && scope_has(c->scope, t);
	}
}

/* Is the first and the last event of every thread in scope within the range? */
static bool
covers_trace(const struct counting *c)
{
	enum clock_id axis = c->profile->axis;

	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		const struct lane *lane = &c->profile->lanes[t];

		if (scope_has(c->scope, t) && lane->started &&
		    !(counting_holds(c, lane->first[axis]) &&
			counting_holds(c, lane_time(lane, axis))))
			return false;
	}
	return true;
}

/* What is in all of the trace has been counted when it was read. */
static void
tree_take(struct counting *c)
{
	const struct tree *tree = &c->profile->tree;

	c->counts = mem_alloc(tree->count * sizeof(*c->counts));
	for (uint32_t n = 0; n < tree->count; n++)
		c->counts[n] = tree_count(tree, n);
	c->lanes = mem_zero(c->profile->lane_count, sizeof(*c->lanes));
}

bool
range_count(const struct profile *p, const struct scope *scope, const struct range *range,
    unsigned jobs, struct range_sums *sums, share_done *done, const atomic_bool *cancel)
{
	struct counting c = {.profile = p, .scope = scope, .range = *range, .jobs = jobs,
	    .cancel = cancel, .done = done};

	if (done != NULL)
		atomic_store(done, 0);
	c.closed = range->to >= p->end;
	/* The end itself belongs to the range that comes up to it. */
	if (range->from >= p->end && p->begin < p->end)
		c.range.from = INT64_MAX;
	c.dual = trace_has_clock(p->trace, CLOCK_CPU) && trace_has_clock(p->trace, CLOCK_WALL);
	if (covers_trace(&c)) {
		tree_take(&c);
	} else if (!parts_count(&c)) {
		counting_release(&c);
		return false;
	}
	lanes_describe(&c, sums);
	sums->counts = c.counts;
	sums->all = scope == NULL;
	c.counts = NULL;
	counting_release(&c);
	return true;
}

void
range_release(struct range_sums *sums)
{
	mem_free(sums->counts);
	mem_free(sums->lanes);
}
