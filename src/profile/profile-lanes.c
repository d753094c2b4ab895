/* The threads of a profile. */
#include <config.h>

#include "base/mem.h"
#include "profile/flat.h"
#include "profile/profile.h"
#include "trace/log.h"

void
profile_lanes_extend(struct profile *p, uint32_t need)
{
	if (need <= p->lane_count)
		return;
	MEM_GROW(p->lanes, p->lane_room, need);
	for (; p->lane_count < need; p->lane_count++) {
		/* Later than every time, so that the first event is noticed as odd. */
		p->lanes[p->lane_count] = (struct lane){.raw = {INT64_MAX, INT64_MAX}};
	}
	if (p->flat != NULL)
		flat_extend(p->flat, need);
}

void
profile_axis_update(struct profile *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->lane_count; i++) {
		const struct lane *lane = &p->lanes[i];

		if (!lane->started)
			continue;
		if (!any || lane->first[p->axis] < p->begin)
			p->begin = lane->first[p->axis];
		if (!any || lane_time(lane, p->axis) > p->end)
			p->end = lane_time(lane, p->axis);
		any = true;
	}
	/* A log lasts from its first line to its last, whatever stands in between. */
	if (p->trace->log != NULL) {
		p->begin = 0;
		if (p->trace->log->end > p->end)
			p->end = p->trace->log->end; /* known when all was read */
	}
}

uint64_t
profile_open_calls(const struct profile *p, uint32_t thread)
{
	const struct lane *lane = &p->lanes[thread];

	return p->flat != NULL ? flat_depth(p->flat, thread)
			       : tree_depth(&p->tree, lane->node) + lane->inside;
}
