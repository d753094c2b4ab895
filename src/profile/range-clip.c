/* The parts in which a range begins or ends, gone through step by step. */
#include <config.h>

#include "profile/range_count.h"

#include "base/mem.h"
#include "base/worker.h"
#include "profile/gap.h"
#include "profile/replay.h"

/* A worker, and the threads that are his: no two have a path in common. */
struct clipper {
	struct counting *counting;
	struct scope *threads;
	uint64_t records;
	bool first;
	bool whole;
};

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
		if (c->dual && counting_holds(c, b))
			count->time[CLOCK_CPU] += s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
		return;
	}
	if (from >= to)
		return;
	count->time[axis] += to - from;
	if (c->dual)
		count->time[CLOCK_CPU] += other_at(c, s, to) - other_at(c, s, from);
}

/* What was open before the range and is left at its first instant has nothing of it. */
static void
still_left(const struct counting *c, struct entering *e, const struct step *s)
{
	const struct node *nodes = c->profile->tree.nodes;

	if (s->before == s->after && s->before == e->still && s->inside <= e->inside) {
		e->inside = s->inside - 1;
		return;
	}
	for (uint32_t n = s->before; n != s->after; n = node_parent(&nodes[n])) {
		if (n == e->still) {
			e->still = s->after;
			e->inside = 0;
		}
	}
}

/* Before the range, or at its first instant. */
static void
approach(struct counting *c, struct entering *e, const struct step *s)
{
	enum action action = (enum action)(s->word & 3);

	if (s->to[c->profile->axis] < c->range.from)
		return;
	time_count(c, s); /* CPU time without wall time has an instant, too */
	if (action == ACTION_ENTER)
		c->counts[s->after].calls++;
	else if (s->before != s->after || (s->inside > 0 && action != ACTION_RESERVED))
		still_left(c, e, s);
}

static void
cross(struct counting *c, struct entering *e, const struct step *s)
{
	e->crossed = true;
	e->begin = other_at(c, s, c->range.from);
	/* When the range ends before, what is open was still open in all of it. */
	counting_stack(c, e->still);
	c->counts[e->still].calls += e->inside;
}

static bool
clip_step(void *context, const struct step *s)
{
	struct counting *c = ((struct clipper *)context)->counting;
	struct entering *e = &c->lanes[s->thread];
	enum clock_id axis = c->profile->axis;

	/* All that is open before the range, whatever was in parts that are not looked at. */
	if (!e->known || (!e->crossed && s->from[axis] < c->range.from)) {
		e->still = s->before;
		e->inside = s->inside;
	}
	if (!e->known) {
		e->known = true;
		/* Adopted frames begin with their thread: adopted_count. */
		e->crossed = s->first ? s->to[axis] >= c->range.from : s->from[axis] > c->range.from;
		e->begin = s->first ? s->to[!axis] : s->from[!axis];
	}
	if (!e->crossed && s->to[axis] <= c->range.from) {
		approach(c, e, s);
		return true;
	}
	if (!e->crossed)
		cross(c, e, s);
	if (!s->first)
		time_count(c, s);
	if ((enum action)(s->word & 3) == ACTION_ENTER && counting_holds(c, s->to[axis]))
		c->counts[s->after].calls++;
	return true;
}

static void
clipper_run(struct worker_pool *pool, unsigned index, void *context)
{
	struct clipper *k = &((struct clipper *)context)[index];
	struct counting *c = k->counting;
	struct replay *r = replay_new(c->profile, k->threads, c->cancel);

	(void)pool;
	k->whole = true;
	for (size_t part = 0; part < c->part_count && k->whole; part++) {
		if (c->uses[part] != PART_CLIPPED)
			continue;
		k->whole = replay_part(r, part, clip_step, k);
		if (k->first)
			counting_done(c);
	}
	replay_free(r);
}

/* Each thread goes to whoever has fewest records so far. */
static void
threads_deal(const struct counting *c, struct clipper *clippers, unsigned count)
{
	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		struct clipper *least = &clippers[0];

		if (!scope_has(c->scope, t))
			continue;
		for (unsigned i = 1; i < count; i++) {
			if (clippers[i].records < least->records)
				least = &clippers[i];
		}
		least->threads->in[t] = 1;
		least->records += c->profile->lanes[t].records;
	}
}

bool
range_clips(struct counting *c)
{
	struct clipper clippers[WORKER_MAX];
	size_t parts = 0;
	unsigned count;
	bool whole = true;

	for (size_t part = 0; part < c->part_count; part++)
		parts += c->uses[part] == PART_CLIPPED;
	count = counting_jobs(c, parts);
	for (unsigned i = 0; i < count; i++)
		clippers[i] = (struct clipper){.counting = c, .first = i == 0,
		    .threads = scope_new(c->profile->lane_count, false)};
	threads_deal(c, clippers, count);
	worker_all(count, clipper_run, clippers);
	for (unsigned i = 0; i < count; i++) {
		whole &= clippers[i].whole;
		scope_free(clippers[i].threads);
	}
	return whole;
}
