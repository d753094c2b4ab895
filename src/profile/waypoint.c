#include <config.h>

#include "profile/waypoint.h"

#include <string.h>

#include "base/mem.h"
#include "profile/pen.h"

struct waypoint {
	uint32_t block;
	uint32_t node; /* on top before; NODE_NONE: this is where the thread begins */
	nsec from[CLOCKS], to[CLOCKS]; /* the event before, and the first one in the block */
};

/* The state of a thread's clocks, which few waypoints change. */
struct clocks {
	uint32_t first;
	nsec shift[CLOCKS];
	uint64_t wraps[CLOCKS];
	uint64_t inside;
};

struct stack_points {
	struct waypoint *items;
	size_t count, room;
	struct clocks *clocks;
	size_t clock_count, clock_room;
};

struct block {
	struct cursor at;
	uint64_t records; /* before it */
};

struct waypoints {
	const struct profile *profile;
	struct stack_points *stacks; /* by thread */
	uint32_t *met;             /* by thread: the block of its last waypoint + 1 */
	uint32_t stack_count;
	size_t stack_room, met_room;
	struct block *blocks;
	size_t block_count, block_room;
	uint64_t every; /* records of a block */
	uint64_t end;   /* no more records than these were told of */
	atomic_size_t bytes;
	size_t bytes_max;
};

struct waypoints *
waypoints_new(const struct profile *p, uint64_t every, size_t bytes)
{
	struct waypoints *w = mem_zero(1, sizeof(*w));

	w->profile = p;
	w->bytes_max = bytes;
	w->every = every;
	return w;
}

void
waypoints_free(struct waypoints *w)
{
	if (w == NULL)
		return;
	for (uint32_t t = 0; t < w->stack_count; t++) {
		mem_free(w->stacks[t].items);
		mem_free(w->stacks[t].clocks);
	}
	mem_free(w->stacks);
	mem_free(w->met);
	mem_free(w->blocks);
	mem_free(w);
}

static bool
clocks_equal(const struct clocks *a, const struct clocks *b)
{
	return memcmp(a->shift, b->shift, sizeof(a->shift)) == 0 &&
	    memcmp(a->wraps, b->wraps, sizeof(a->wraps)) == 0 && a->inside == b->inside;
}

static void
point_append(struct waypoints *w, struct stack_points *l, const struct waypoint *point,
    struct clocks clocks)
{
	if (l->clock_count == 0 || !clocks_equal(&l->clocks[l->clock_count - 1], &clocks)) {
		clocks.first = (uint32_t)l->count;
		MEM_GROW(l->clocks, l->clock_room, l->clock_count + 1);
		l->clocks[l->clock_count++] = clocks;
		atomic_fetch_add_explicit(&w->bytes, sizeof(clocks), memory_order_relaxed);
	}
	MEM_GROW(l->items, l->room, l->count + 1);
	l->items[l->count++] = *point;
	atomic_fetch_add_explicit(&w->bytes, sizeof(*point), memory_order_relaxed);
}

/* Keeps the first waypoint of each pair of blocks. */
static void
points_halve(struct waypoints *w, struct stack_points *l)
{
	struct waypoint *points = l->items;
	struct clocks *clocks = l->clocks;
	size_t count = l->count, clock_count = l->clock_count;

	*l = (struct stack_points){0};
	for (size_t i = 0, h = 0; i < count; i++) {
		while (h + 1 < clock_count && clocks[h + 1].first <= i)
			h++;
		points[i].block /= 2;
		if (l->count == 0 || l->items[l->count - 1].block != points[i].block)
			point_append(w, l, &points[i], clocks[h]);
	}
	mem_free(points);
	mem_free(clocks);
}

static void
waypoints_halve(struct waypoints *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->block_count; i += 2)
		w->blocks[kept++] = w->blocks[i];
	w->block_count = kept;
	w->every *= 2;
	w->bytes = kept * sizeof(*w->blocks);
	for (uint32_t t = 0; t < w->stack_count; t++) {
		struct stack_points *l = &w->stacks[t];

		points_halve(w, l);
		w->met[t] = l->count > 0 ? l->items[l->count - 1].block + 1 : 0;
	}
}

void
waypoints_reach(struct waypoints *w, const struct cursor *at, uint64_t records)
{
	uint32_t need = w->profile->stack_count;

	MEM_GROW(w->stacks, w->stack_room, need);
	MEM_GROW(w->met, w->met_room, need);
	for (; w->stack_count < need; w->stack_count++) {
		w->stacks[w->stack_count] = (struct stack_points){0};
		w->met[w->stack_count] = 0;
	}
	w->end = records + BATCH_EVENTS;
	while (w->bytes > w->bytes_max && w->block_count > 2)
		waypoints_halve(w);
	if (w->block_count > 0 && records < w->blocks[w->block_count - 1].records + w->every)
		return;
	MEM_GROW(w->blocks, w->block_room, w->block_count + 1);
	w->blocks[w->block_count++] = (struct block){*at, records};
	w->bytes += sizeof(*w->blocks);
}

uint32_t
waypoints_find(const struct waypoints *w, uint64_t record, uint64_t *end)
{
	size_t low = 0, high = w->block_count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (w->blocks[middle].records <= record)
			low = middle;
		else
			high = middle;
	}
	*end = high < w->block_count ? w->blocks[high].records : UINT64_MAX;
	return (uint32_t)low;
}

bool
waypoints_meet(struct waypoints *w, uint32_t block, uint32_t thread, const struct stack *stack)
{
	struct waypoint point = {.block = block};
	struct clocks clocks = {.inside = stack->inside};

	if (w->met[thread] == block + 1)
		return false;
	w->met[thread] = block + 1;
	if (stack->started) {
		point.node = stack->node;
		for (int c = 0; c < CLOCKS; c++) {
			point.from[c] = stack_time(stack, (enum clock_id)c);
			clocks.shift[c] = stack->shift[c];
			clocks.wraps[c] = stack->wraps[c];
		}
	}
	point_append(w, &w->stacks[thread], &point, clocks);
	return true;
}

void
waypoints_met(struct waypoints *w, uint32_t thread, const nsec to[CLOCKS])
{
	struct stack_points *l = &w->stacks[thread];

	memcpy(l->items[l->count - 1].to, to, sizeof(l->items->to));
}

/* Drawing: what a window needs of the waypoints, and decoding no more than that --------- */

/* What a thread needs for a window: the blocks of [next, end), then one known step. */
struct thread_plan {
	uint32_t thread;
	const struct stack_points *points;
	size_t next, end;
	bool gap; /* the waypoint at `end` tells of the last step */
};

/* The first waypoint behind a time, or their number. */
static size_t
point_behind(const struct stack_points *l, nsec at, enum clock_id axis)
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
	const struct stack_points *l = &w->stacks[thread];
	enum clock_id axis = w->profile->axis;

	return number + 1 < l->count ? l->items[number + 1].from[axis]
				     : stack_time(&w->profile->stacks[thread], axis);
}

static struct thread_plan
plan_make(const struct waypoints *w, uint32_t thread, nsec from, nsec to)
{
	const struct stack_points *l = &w->stacks[thread];
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

/* As the stack stood before the first record of the waypoint's block. */
static void
stack_restore(const struct waypoints *w, const struct thread_plan *plan, struct stack *stack)
{
	const struct stack_points *l = plan->points;
	const struct waypoint *point = &l->items[plan->next];
	size_t low = 0, high = l->clock_count;

	replay_stack_fresh(w->profile, plan->thread, stack);
	if (point->node == NODE_NONE)
		return;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (l->clocks[middle].first <= plan->next)
			low = middle;
		else
			high = middle;
	}
	stack->started = true;
	stack->node = stack->low = point->node;
	stack->guess = tree_place(point->node, 0);
	stack->inside = l->clocks[low].inside;
	for (int c = 0; c < CLOCKS; c++) {
		stack->shift[c] = l->clocks[low].shift[c];
		stack->wraps[c] = l->clocks[low].wraps[c];
		stack->raw[c] = (uint64_t)(point->from[c] - stack->shift[c]);
	}
}

struct drawing {
	const struct waypoints *waypoints;
	nsec from, to;
	struct thread_plan *plans;
	uint32_t count;
	struct pens pens;
	struct replay *replay;
};

/* The next block that a thread needs; UINT32_MAX when there is none. */
static uint32_t
block_next(const struct drawing *d)
{
	uint32_t block = UINT32_MAX;

	for (uint32_t i = 0; i < d->count; i++) {
		const struct thread_plan *plan = &d->plans[i];

		if (plan->next < plan->end && plan->points->items[plan->next].block < block)
			block = plan->points->items[plan->next].block;
	}
	return block;
}

static bool
block_draw(struct drawing *d, uint32_t block)
{
	const struct waypoints *w = d->waypoints;
	uint64_t end = block + 1 < w->block_count ? w->blocks[block + 1].at.offset
						  : w->profile->at.offset;

	d->pens.down = 0;
	for (uint32_t i = 0; i < d->count; i++) {
		struct thread_plan *plan = &d->plans[i];
		struct pen *pen = &d->pens.items[plan->thread];

		pen->down = plan->next < plan->end &&
		    plan->points->items[plan->next].block == block;
		if (!pen->down)
			continue;
		stack_restore(w, plan, replay_stack(d->replay, plan->thread));
		pen->until = point_last(w, plan->thread, plan->next);
		if (pen->until > d->to)
			pen->until = d->to;
		d->pens.down++;
		plan->next++;
	}
	return replay_draw(d->replay, w->blocks[block].at, end, &d->pens);
}

static void
gaps_draw(struct drawing *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		const struct thread_plan *plan = &d->plans[i];
		const struct waypoint *point = &plan->points->items[plan->end];
		struct step step = {.thread = plan->thread};

		if (!plan->gap)
			continue;
		step.before = point->node;
		memcpy(step.from, point->from, sizeof(step.from));
		memcpy(step.to, point->to, sizeof(step.to));
		strip_step(d->pens.items[plan->thread].strip, d->waypoints->profile, &step);
	}
}

bool
waypoints_draw(const struct waypoints *w, nsec from, nsec to, struct strip *const *strips,
    uint32_t count, const atomic_bool *cancel)
{
	struct drawing d = {.waypoints = w, .from = from, .to = to,
	    .pens = {.count = w->stack_count}};
	uint32_t block;
	bool whole = true;

	d.plans = mem_alloc(w->stack_count * sizeof(*d.plans));
	d.pens.items = mem_zero(w->stack_count, sizeof(*d.pens.items));
	for (uint32_t t = 0; t < w->stack_count && t < count; t++) {
		if (strips[t] == NULL || w->stacks[t].count == 0)
			continue;
		d.pens.items[t].strip = strips[t];
		d.plans[d.count++] = plan_make(w, t, from, to);
	}
	d.replay = replay_new(w->profile, NULL, cancel);
	while (whole && (block = block_next(&d)) != UINT32_MAX)
		whole = block_draw(&d, block);
	if (whole)
		gaps_draw(&d);
	replay_free(d.replay);
	mem_free(d.pens.items);
	mem_free(d.plans);
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

	for (uint32_t t = 0; t < w->stack_count && records < most; t++) {
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

uint64_t
waypoints_block(const struct waypoints *w)
{
	return w->every;
}
