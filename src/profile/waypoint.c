#include <config.h>

#include "profile/waypoint.h"

#include <string.h>

#include "base/mem.h"
#include "profile/waypoint_lists.h"

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
	for (uint32_t t = 0; t < w->lane_count; t++) {
		mem_free(w->lanes[t].items);
		mem_free(w->lanes[t].habits);
	}
	mem_free(w->lanes);
	mem_free(w->met);
	mem_free(w->blocks);
	mem_free(w);
}

static bool
habit_equal(const struct habit *a, const struct habit *b)
{
	return memcmp(a->shift, b->shift, sizeof(a->shift)) == 0 &&
	    memcmp(a->wraps, b->wraps, sizeof(a->wraps)) == 0 && a->inside == b->inside;
}

static void
point_append(struct waypoints *w, struct lane_points *l, const struct waypoint *point,
    struct habit habit)
{
	if (l->habit_count == 0 || !habit_equal(&l->habits[l->habit_count - 1], &habit)) {
		habit.first = (uint32_t)l->count;
		MEM_GROW(l->habits, l->habit_room, l->habit_count + 1);
		l->habits[l->habit_count++] = habit;
		atomic_fetch_add_explicit(&w->bytes, sizeof(habit), memory_order_relaxed);
	}
	MEM_GROW(l->items, l->room, l->count + 1);
	l->items[l->count++] = *point;
	atomic_fetch_add_explicit(&w->bytes, sizeof(*point), memory_order_relaxed);
}

/* Keeps the first waypoint of each pair of blocks. */
static void
points_halve(struct waypoints *w, struct lane_points *l)
{
	struct waypoint *points = l->items;
	struct habit *habits = l->habits;
	size_t count = l->count, habit_count = l->habit_count;

	*l = (struct lane_points){0};
	for (size_t i = 0, h = 0; i < count; i++) {
		while (h + 1 < habit_count && habits[h + 1].first <= i)
			h++;
		points[i].block /= 2;
		if (l->count == 0 || l->items[l->count - 1].block != points[i].block)
			point_append(w, l, &points[i], habits[h]);
	}
	mem_free(points);
	mem_free(habits);
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
	for (uint32_t t = 0; t < w->lane_count; t++) {
		struct lane_points *l = &w->lanes[t];

		points_halve(w, l);
		w->met[t] = l->count > 0 ? l->items[l->count - 1].block + 1 : 0;
	}
}

void
waypoints_reach(struct waypoints *w, const struct cursor *at, uint64_t records)
{
	uint32_t need = w->profile->lane_count;

	MEM_GROW(w->lanes, w->lane_room, need);
	MEM_GROW(w->met, w->met_room, need);
	for (; w->lane_count < need; w->lane_count++) {
		w->lanes[w->lane_count] = (struct lane_points){0};
		w->met[w->lane_count] = 0;
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
waypoints_meet(struct waypoints *w, uint32_t block, uint32_t thread, const struct lane *lane)
{
	struct waypoint point = {.block = block};
	struct habit habit = {.inside = lane->inside};

	if (w->met[thread] == block + 1)
		return false;
	w->met[thread] = block + 1;
	if (lane->started) {
		point.node = lane->node;
		for (int c = 0; c < CLOCKS; c++) {
			point.from[c] = lane_time(lane, (enum clock_id)c);
			habit.shift[c] = lane->shift[c];
			habit.wraps[c] = lane->wraps[c];
		}
	}
	point_append(w, &w->lanes[thread], &point, habit);
	return true;
}

void
waypoints_met(struct waypoints *w, uint32_t thread, const nsec to[CLOCKS])
{
	struct lane_points *l = &w->lanes[thread];

	memcpy(l->items[l->count - 1].to, to, sizeof(l->items->to));
}
