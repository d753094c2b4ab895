#include <config.h>

#include "profile/range.h"

#include <string.h>

#include "base/mem.h"
#include "base/worker.h"
#include "profile/gap.h"
#include "profile/replay.h"

/* Parts (thousands of records each) from which a second worker pays. */
enum { PARTS_PARALLEL = 64 };

/* How far a thread is on its way into the range. */
struct entering {
	bool known;     /* a step was seen */
	bool crossed;   /* it is past the beginning */
	uint32_t still; /* frame on top of those open before the range and not left */
	nsec begin;     /* the other clock there */
};

struct counting {
	const struct profile *profile;
	const struct scope *scope;
	struct range range;
	bool closed; /* the range includes its end */
	bool dual;
	const atomic_bool *cancel;
	share_done *done;
	unsigned part_share; /* of SHARE_ALL, for each part */

	size_t first, end; /* parts of this worker */
	struct count *counts;
	struct entering *lanes;
	bool whole;
};

static bool
holds(const struct counting *c, nsec at)
{
	return at >= c->range.from && (at < c->range.to || c->closed);
}

/* The call itself and all that it was called from: they are open. */
static void
stack_count(const struct counting *c, uint32_t node)
{
	const struct node *nodes = c->profile->tree.nodes;

	for (; nodes[node].parent != NODE_NONE; node = nodes[node].parent)
		c->counts[node].calls++;
}

/* CPU time at a wall time within a step; on other axes there is nothing to split. */
static nsec
other_at(const struct counting *c, const struct step *s, nsec at)
{
	const struct gap gap = {s->from[CLOCK_WALL], s->to[CLOCK_WALL], s->from[CLOCK_CPU],
	    s->to[CLOCK_CPU]};

	return c->dual ? gap_cpu_at(&gap, at) : 0;
}

static void
time_count(const struct counting *c, const struct step *s)
{
	enum clock_id axis = c->profile->axis;
	nsec a = s->from[axis], b = s->to[axis];
	nsec from = a > c->range.from ? a : c->range.from;
	nsec to = b < c->range.to ? b : c->range.to;
	struct count *count = &c->counts[s->before];

	if (a == b) {
		if (c->dual && holds(c, b))
			count->time[CLOCK_CPU] += s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
		return;
	}
	if (from >= to)
		return;
	count->time[axis] += to - from;
	if (c->dual)
		count->time[CLOCK_CPU] += other_at(c, s, to) - other_at(c, s, from);
}

/* Before the range, or at its first instant: only what stays open matters. */
static void
approach(struct counting *c, struct entering *e, const struct step *s)
{
	const struct node *nodes = c->profile->tree.nodes;

	if (s->to[c->profile->axis] < c->range.from) {
		e->still = s->after;
		return;
	}
	time_count(c, s); /* CPU time without wall time has an instant, too */
	if (nodes[s->after].parent == s->before) {
		c->counts[s->after].calls++;
		return;
	}
	for (uint32_t n = s->before; n != s->after; n = nodes[n].parent) {
		if (n == e->still)
			e->still = s->after;
	}
}

static bool
range_step(void *context, const struct step *s)
{
	struct counting *c = context;
	struct entering *e = &c->lanes[s->thread];
	enum clock_id axis = c->profile->axis;

	if (!e->known) {
		e->known = true;
		e->still = s->before;
		/* Adopted frames begin with their thread: adopted_count. */
		e->crossed = s->first ? s->to[axis] >= c->range.from : s->from[axis] > c->range.from;
		e->begin = s->first ? s->to[!axis] : s->from[!axis];
	}
	if (!e->crossed && s->to[axis] <= c->range.from) {
		approach(c, e, s);
		return true;
	}
	if (!e->crossed) {
		e->crossed = true;
		e->begin = other_at(c, s, c->range.from);
		/* When the range ends before, what is open was still open in all of it. */
		stack_count(c, e->still);
	}
	if (!s->first)
		time_count(c, s);
	if (c->profile->tree.nodes[s->after].parent == s->before && holds(c, s->to[axis]))
		c->counts[s->after].calls++;
	return true;
}

enum part_use { PART_SKIP, PART_COUNT, PART_CLIP };

/* Must the part be decoded, and must its times be clipped? */
static enum part_use
part_use(const struct counting *c, size_t part)
{
	enum part_use use = PART_SKIP;
	bool outside = false;

	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		struct part_info info;

		if (!scope_has(c->scope, t))
			continue;
		info = replay_part_info(c->profile, part, t);
		if (!info.active)
			continue;
		if (info.from > c->range.to || info.to < c->range.from) {
			outside = true;
			continue;
		}
		if (info.from <= c->range.from || (info.to >= c->range.to && !c->closed))
			return PART_CLIP;
		use = PART_COUNT;
	}
	/* Threads need not be at the same time where they are at the same place. */
	return use == PART_COUNT && outside ? PART_CLIP : use;
}

static void
parts_count(struct counting *c)
{
	struct replay *r = replay_new(c->profile, c->scope, c->cancel);

	c->whole = true;
	for (size_t part = c->first; part < c->end && c->whole; part++) {
		switch (part_use(c, part)) {
		case PART_SKIP:
			break;
		case PART_COUNT:
			c->whole = replay_count(r, part, c->counts);
			break;
		case PART_CLIP:
			c->whole = replay_part(r, part, range_step, c);
			break;
		}
		if (c->done != NULL)
			atomic_fetch_add_explicit(c->done, c->part_share, memory_order_relaxed);
	}
	replay_free(r);
}

/* Frames that were open before the trace began: calls from their thread's first event. */
static void
adopted_count(struct counting *c)
{
	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		const struct lane *lane = &c->profile->lanes[t];

		if (scope_has(c->scope, t) && lane->started &&
		    holds(c, lane->first[c->profile->axis]))
			stack_count(c, lane->origin);
	}
}

static struct counting
counting_share(const struct counting *c, size_t first, size_t end)
{
	struct counting share = *c;

	share.first = first;
	share.end = end;
	share.counts = mem_zero(c->profile->tree.count, sizeof(*share.counts));
	share.lanes = mem_zero(c->profile->lane_count, sizeof(*share.lanes));
	return share;
}

static void
counting_release(struct counting *c)
{
	mem_free(c->counts);
	mem_free(c->lanes);
}

/*
 * Can another worker begin here?  Not when a thread's last event before is at the very
 * beginning of the range: then what was open before it cannot be told.
 */
static bool
part_divides(const struct counting *c, size_t part)
{
	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		if (scope_has(c->scope, t) &&
		    replay_part_info(c->profile, part, t).from == c->range.from)
			return false;
	}
	return true;
}

static void
share_run(struct worker_pool *pool, unsigned index, void *context)
{
	(void)pool;
	parts_count(&((struct counting *)context)[index]);
}

static void
share_add(struct counting *into, const struct counting *from)
{
	for (uint32_t n = 0; n < into->profile->tree.count; n++) {
		into->counts[n].calls += from->counts[n].calls;
		for (int k = 0; k < CLOCKS; k++)
			into->counts[n].time[k] += from->counts[n].time[k];
	}
	for (uint32_t t = 0; t < into->profile->lane_count; t++) {
		if (!into->lanes[t].known || (!into->lanes[t].crossed && from->lanes[t].crossed))
			into->lanes[t] = from->lanes[t];
	}
}

/* Cuts the parts of the range into shares of like size; returns how many. */
static unsigned
shares_cut(struct counting *c, unsigned jobs, struct counting shares[WORKER_MAX])
{
	size_t first = c->first, end = c->end;
	unsigned n = 0;

	while (first < end && part_use(c, first) == PART_SKIP)
		first++;
	while (end > first && part_use(c, end - 1) == PART_SKIP)
		end--;
	c->part_share = SHARE_ALL / (unsigned)(end > first ? end - first : 1);
	if (jobs == 0)
		jobs = c->profile->jobs;
	if (jobs == 0)
		jobs = end - first < PARTS_PARALLEL ? 1 : worker_processors();
	if (jobs > WORKER_MAX)
		jobs = WORKER_MAX;
	for (unsigned i = 1; i <= jobs; i++) {
		size_t from = n > 0 ? shares[n - 1].end : first;
		size_t at = first + (end - first) * i / jobs;

		while (at < end && !part_divides(c, at))
			at++;
		if (at > from || n == 0)
			shares[n++] = counting_share(c, from, at);
	}
	return n;
}

static bool
shares_run(struct counting *c, unsigned jobs, struct counting *result)
{
	struct counting shares[WORKER_MAX];
	struct worker_pool *pool;
	unsigned n = shares_cut(c, jobs, shares);
	bool whole = true;

	if (n > 1 && worker_start(&pool, n, share_run, shares, NULL, NULL)) {
		worker_join(pool);
	} else {
		for (unsigned i = 0; i < n; i++)
			parts_count(&shares[i]);
	}
	for (unsigned i = 0; i < n; i++)
		whole &= shares[i].whole;
	for (unsigned i = 1; i < n; i++) {
		if (whole)
			share_add(&shares[0], &shares[i]);
		counting_release(&shares[i]);
	}
	*result = shares[0];
	return whole;
}

static void
lanes_describe(const struct counting *c, struct range_sums *sums)
{
	enum clock_id axis = c->profile->axis;

	sums->lanes = mem_zero(c->profile->lane_count, sizeof(*sums->lanes));
	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		const struct lane *lane = &c->profile->lanes[t];

		sums->lanes[t].present = lane->started && lane_time(lane, axis) >= c->range.from &&
		    (lane->first[axis] < c->range.to || holds(c, lane->first[axis]));
		sums->lanes[t].begin = c->lanes[t].known && lane->first[axis] < c->range.from
		    ? c->lanes[t].begin
		    : lane->first[!axis];
		if (sums->lanes[t].present && scope_has(c->scope, t))
			c->counts[lane->root].calls = 1;
	}
}

/* Is the first and the last event of every thread within the range? */
static bool
covers_trace(const struct counting *c)
{
	enum clock_id axis = c->profile->axis;

	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		const struct lane *lane = &c->profile->lanes[t];

		if (lane->started &&
		    !(holds(c, lane->first[axis]) && holds(c, lane_time(lane, axis))))
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
	memcpy(c->counts, tree->counts, tree->count * sizeof(*c->counts));
	c->lanes = mem_zero(c->profile->lane_count, sizeof(*c->lanes));
}

bool
range_count(const struct profile *p, const struct scope *scope, const struct range *range,
    unsigned jobs, struct range_sums *sums, share_done *done, const atomic_bool *cancel)
{
	struct counting c = {.profile = p, .scope = scope, .range = *range, .cancel = cancel,
	    .done = done, .end = replay_part_count(p)}, result;

	if (done != NULL)
		atomic_store(done, 0);

	c.closed = range->to >= p->end;
	/* The end itself belongs to the range that comes up to it. */
	if (range->from >= p->end && p->begin < p->end)
		c.range.from = INT64_MAX;
	c.dual = trace_has_clock(p->trace, CLOCK_CPU) && trace_has_clock(p->trace, CLOCK_WALL);
	if (scope == NULL && covers_trace(&c)) {
		result = c;
		tree_take(&result);
	} else if (shares_run(&c, jobs, &result)) {
		adopted_count(&result);
	} else {
		counting_release(&result);
		return false;
	}
	lanes_describe(&result, sums);
	sums->counts = result.counts;
	sums->all = scope == NULL;
	mem_free(result.lanes);
	return true;
}

void
range_release(struct range_sums *sums)
{
	mem_free(sums->counts);
	mem_free(sums->lanes);
}
