/* Parts of the trace without decoding them: where they are, and what is known of threads there. */
#include <config.h>

#include "profile/replay.h"

#include "profile/checkpoint.h"

void
replay_lane_fresh(const struct profile *p, uint32_t thread, struct lane *lane)
{
	*lane = (struct lane){.raw = {INT64_MAX, INT64_MAX}};
	lane->origin = p->lanes[thread].origin;
	lane->root = p->lanes[thread].root;
}

void
replay_part_lanes(const struct profile *p, size_t part, struct lane *lanes)
{
	const struct checkpoint *c = &p->checkpoints[part];

	for (uint32_t i = 0; i < p->lane_count; i++) {
		struct lane *lane = &lanes[i];
		const struct lane_mark *mark = &c->lanes[i];

		replay_lane_fresh(p, i, lane);
		if (i >= c->lane_count || mark->node == NODE_NONE)
			continue;
		lane->started = true;
		lane->node = lane->low = mark->node;
		lane->guess = tree_place(mark->node, 0);
		lane->inside = mark->inside;
		for (int k = 0; k < CLOCKS; k++) {
			lane->raw[k] = mark->raw[k];
			lane->shift[k] = mark->time[k] - (nsec)mark->raw[k];
			lane->wraps[k] = mark->wraps[k];
		}
	}
}

size_t
replay_part_count(const struct profile *p)
{
	return p->checkpoint_count;
}

struct part_info
replay_part_info(const struct profile *p, size_t part, uint32_t thread)
{
	const struct checkpoint *a = &p->checkpoints[part], *b = a + 1;
	const struct lane *lane = &p->lanes[thread];
	struct part_info info = {0};
	uint64_t records_before = 0;

	if (!lane->started)
		return info;
	info.from = lane->first[p->axis];
	if (thread < a->lane_count && a->lanes[thread].node != NODE_NONE) {
		info.from = a->lanes[thread].time[p->axis];
		records_before = a->lanes[thread].records;
	}
	if (part + 1 == p->checkpoint_count) {
		info.to = lane_time(lane, p->axis);
		info.low = lane->low;
		info.active = (uint32_t)lane->records != records_before;
	} else if (thread < b->lane_count && b->lanes[thread].node != NODE_NONE) {
		info.to = b->lanes[thread].time[p->axis];
		info.low = b->lanes[thread].low;
		info.active = b->lanes[thread].records != records_before;
	}
	return info;
}

uint32_t
replay_part_start(const struct profile *p, size_t part, uint32_t thread)
{
	const struct checkpoint *c = &p->checkpoints[part];
	uint32_t node = thread < c->lane_count ? c->lanes[thread].node : NODE_NONE;

	return node != NODE_NONE ? node : p->lanes[thread].origin;
}

struct cursor
replay_part_at(const struct profile *p, size_t part)
{
	return p->checkpoints[part].at;
}

uint64_t
replay_part_end(const struct profile *p, size_t part)
{
	return part + 1 < p->checkpoint_count ? p->checkpoints[part + 1].at.offset : p->at.offset;
}
