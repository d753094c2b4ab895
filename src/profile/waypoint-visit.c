/* What a window needs of the waypoints, and decoding no more than that. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/waypoint_lists.h"

/* What a thread needs for a window: the blocks of [next, end), then one known step. */
struct thread_plan {
	uint32_t thread;
	const struct lane_points *points;
	size_t next, end;
	bool gap;   /* the waypoint at `end` tells of the last step */
	bool open;  /* decoded in the block at hand, and not behind the window yet */
	nsec until; /* when it is behind the window, or has no more in the block */
};

/* The first waypoint behind a time, or their number. */
static size_t
point_behind(const struct lane_points *l, nsec at, enum clock_id axis)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (l->items[middle].to[axis] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* When the thread is last met in the block of a waypoint. */
static nsec
point_last(const struct waypoints *w, uint32_t thread, size_t number)
{
	const struct lane_points *l = &w->lanes[thread];
	enum clock_id axis = w->profile->axis;

	return number + 1 < l->count ? l->items[number + 1].from[axis]
				     : lane_time(&w->profile->lanes[thread], axis);
}

static struct thread_plan
plan_make(const struct waypoints *w, uint32_t thread, nsec from, nsec to)
{
	const struct lane_points *l = &w->lanes[thread];
	enum clock_id axis = w->profile->axis;
	struct thread_plan plan = {.thread = thread, .points = l};
	size_t first = point_behind(l, from, axis);

	plan.end = point_behind(l, to - 1, axis);
	/* The block before is needed for what the thread did there after the window began. */
	plan.next = first > 0 && point_last(w, thread, first - 1) > from ? first - 1 : first;
	plan.gap = plan.end < l->count && l->items[plan.end].from[axis] < to &&
	    l->items[plan.end].node != NODE_NONE;
	return plan;
}

/* As the lane stood before the first record of the waypoint's block. */
static void
lane_restore(const struct waypoints *w, const struct thread_plan *plan, struct lane *lane)
{
	const struct lane_points *l = plan->points;
	const struct waypoint *point = &l->items[plan->next];
	size_t low = 0, high = l->habit_count;

	replay_lane_fresh(w->profile, plan->thread, lane);
	if (point->node == NODE_NONE)
		return;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (l->habits[middle].first <= plan->next)
			low = middle;
		else
			high = middle;
	}
	lane->started = true;
	lane->node = lane->low = point->node;
	lane->guess = tree_place(point->node, 0);
	lane->inside = l->habits[low].inside;
	for (int c = 0; c < CLOCKS; c++) {
		lane->shift[c] = l->habits[low].shift[c];
		lane->wraps[c] = l->habits[low].wraps[c];
		lane->raw[c] = (uint64_t)(point->from[c] - lane->shift[c]);
	}
}

struct visiting {
	const struct waypoints *waypoints;
	nsec from, to;
	replay_visit visit;
	void *context;
	struct thread_plan *plans;
	uint32_t count;
	uint32_t *plan_of;   /* by thread */
	struct scope *scope; /* threads that are open */
	uint32_t open;       /* how many */
	bool stopped;        /* by the visitor */
};

static bool
step_visit(void *context, const struct step *step)
{
	struct visiting *v = context;
	struct thread_plan *plan = &v->plans[v->plan_of[step->thread]];
	nsec at = step->to[v->waypoints->profile->axis];

	if (at > v->from && !v->visit(v->context, step)) {
		v->stopped = true;
		return false;
	}
	if (at < plan->until)
		return true;
	plan->open = false;
	v->scope->in[step->thread] = 0;
	return --v->open > 0;
}

/* The next block that a thread needs; UINT32_MAX when there is none. */
static uint32_t
block_next(const struct visiting *v)
{
	uint32_t block = UINT32_MAX;

	for (uint32_t i = 0; i < v->count; i++) {
		const struct thread_plan *plan = &v->plans[i];

		if (plan->next < plan->end && plan->points->items[plan->next].block < block)
			block = plan->points->items[plan->next].block;
	}
	return block;
}

static bool
block_visit(struct visiting *v, struct replay *r, uint32_t block)
{
	const struct waypoints *w = v->waypoints;
	uint64_t end = block + 1 < w->block_count ? w->blocks[block + 1].at.offset
						  : w->profile->at.offset;
	bool whole;

	for (uint32_t i = 0; i < v->count; i++) {
		struct thread_plan *plan = &v->plans[i];

		if (plan->next >= plan->end || plan->points->items[plan->next].block != block)
			continue;
		lane_restore(w, plan, replay_lane(r, plan->thread));
		plan->until = point_last(w, plan->thread, plan->next);
		if (plan->until > v->to)
			plan->until = v->to;
		plan->open = true;
		v->scope->in[plan->thread] = 1;
		v->open++;
		plan->next++;
	}
	whole = replay_stretch(r, w->blocks[block].at, end, step_visit, v) || v->open == 0;
	for (uint32_t i = 0; i < v->count && v->open > 0; i++) {
		if (v->plans[i].open) {
			v->plans[i].open = false;
			v->scope->in[v->plans[i].thread] = 0;
			v->open--;
		}
	}
	return whole && !v->stopped;
}

static bool
gaps_visit(struct visiting *v)
{
	for (uint32_t i = 0; i < v->count; i++) {
		const struct thread_plan *plan = &v->plans[i];
		struct step step = {.thread = plan->thread};

		if (!plan->gap)
			continue;
		step.before = plan->points->items[plan->end].node;
		memcpy(step.from, plan->points->items[plan->end].from, sizeof(step.from));
		memcpy(step.to, plan->points->items[plan->end].to, sizeof(step.to));
		if (!v->visit(v->context, &step))
			return false;
	}
	return true;
}

static void
plans_make(struct visiting *v, const struct scope *scope)
{
	const struct waypoints *w = v->waypoints;

	for (uint32_t t = 0; t < w->lane_count; t++) {
		if (!scope_has(scope, t) || w->lanes[t].count == 0)
			continue;
		v->plan_of[t] = v->count;
		v->plans[v->count++] = plan_make(w, t, v->from, v->to);
	}
}

bool
waypoints_visit(const struct waypoints *w, const struct scope *scope, nsec from, nsec to,
    replay_visit visit, void *context, const atomic_bool *cancel)
{
	struct visiting v = {.waypoints = w, .from = from, .to = to, .visit = visit,
	    .context = context};
	struct replay *r;
	uint32_t block;
	bool whole = true;

	v.scope = scope_new(w->lane_count, false);
	v.plans = mem_alloc(w->lane_count * sizeof(*v.plans));
	v.plan_of = mem_alloc(w->lane_count * sizeof(*v.plan_of));
	plans_make(&v, scope);
	r = replay_new(w->profile, v.scope, cancel);
	while (whole && (block = block_next(&v)) != UINT32_MAX)
		whole = block_visit(&v, r, block);
	whole = whole && gaps_visit(&v);
	replay_free(r);
	mem_free(v.plan_of);
	mem_free(v.plans);
	scope_free(v.scope);
	return whole;
}

static uint64_t
block_records(const struct waypoints *w, uint32_t block)
{
	return block + 1 < w->block_count
	    ? w->blocks[block + 1].records - w->blocks[block].records
	    : w->end - w->blocks[block].records;
}

uint64_t
waypoints_cost(const struct waypoints *w, nsec from, nsec to, uint64_t most)
{
	uint8_t *wanted = mem_zero(w->block_count + 1, 1);
	uint64_t records = 0;

	for (uint32_t t = 0; t < w->lane_count && records < most; t++) {
		struct thread_plan plan = plan_make(w, t, from, to);

		for (; plan.next < plan.end && records < most; plan.next++) {
			uint32_t block = plan.points->items[plan.next].block;

			records += wanted[block] == 0 ? block_records(w, block) : 0;
			wanted[block] = 1;
		}
	}
	mem_free(wanted);
	return records;
}
