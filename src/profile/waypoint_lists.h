/*
 * waypoint_lists: the waypoints as they are kept; for the files of waypoint only.
 */
#ifndef SLOWTOP_PROFILE_WAYPOINT_LISTS_H
#define SLOWTOP_PROFILE_WAYPOINT_LISTS_H

#include "profile/waypoint.h"

struct waypoint {
	uint32_t block;
	uint32_t node; /* on top before; NODE_NONE: this is where the thread begins */
	nsec from[CLOCKS], to[CLOCKS]; /* the event before, and the first one in the block */
};

/* What seldom changes, from a waypoint on. */
struct habit {
	uint32_t first;
	nsec shift[CLOCKS];
	uint64_t wraps[CLOCKS];
	uint64_t inside;
};

struct lane_points {
	struct waypoint *items;
	size_t count, room;
	struct habit *habits;
	size_t habit_count, habit_room;
};

struct block {
	struct cursor at;
	uint64_t records; /* before it */
};

struct waypoints {
	const struct profile *profile;
	struct lane_points *lanes; /* by thread */
	uint32_t *met;             /* by thread: the block of its last waypoint + 1 */
	uint32_t lane_count;
	size_t lane_room, met_room;
	struct block *blocks;
	size_t block_count, block_room;
	uint64_t every; /* records of a block */
	uint64_t end;   /* no more records than these were told of */
	atomic_size_t bytes;
	size_t bytes_max;
};

#endif
