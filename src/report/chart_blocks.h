/*
 * chart_blocks: the calls of a chart, in one pass, as many blocks as a picture can hold.
 *
 * A call is a block when it is longer than a grain of time; shorter ones of the same
 * thread and depth that begin within one grain are one block together.  Those directly
 * within a long call tell most, those within short ones less: there are `levels` of them.
 * When blocks get too many, grain and levels become coarser, for those that are there
 * as for those to come; so the picture is equally fine from its begin to its end, and
 * memory is bounded.  Times are nanoseconds on the axis.
 */
#ifndef SLOWTOP_REPORT_CHART_BLOCKS_H
#define SLOWTOP_REPORT_CHART_BLOCKS_H

#include "report/visit.h"

enum {
	CHART_DEPTH_MAX = 200, /* of a thread; deeper calls are left out */
	CHART_LEVELS_ALL = CHART_DEPTH_MAX,
};

/* A call, or several short ones. */
struct chart_block {
	uint32_t thread, depth, method; /* the method of the longest */
	uint32_t calls;
	unsigned marks; /* enum visit_mark */
	unsigned level; /* 0: long; else how many short ones there are down to it */
	nsec from, to;
	nsec sum, longest; /* of several: together, and of `method` */
};

struct chart_lane {
	struct chart_open *open; /* calls, by depth */
	size_t open_room;
	struct chart_block *pending; /* short calls, by depth; calls 0: none */
	size_t pending_room, pending_count;
	nsec covered;   /* by calls */
	uint32_t depth; /* of its blocks: rows that they take */
};

struct chart_blocks {
	nsec from, to;     /* of the picture */
	enum clock_id clock;
	size_t limit;      /* blocks there may be */
	nsec grain;        /* at first; then what it became */
	unsigned levels;
	unsigned coarser;  /* how often both were changed */
	struct chart_lane *lanes;
	uint32_t lane_count;
	struct chart_block *list; /* by thread, depth and time */
	size_t count, room;
	uint64_t too_deep, too_short, too_many; /* calls that are left out */
};

/*
 * Collects what is visited, from `from`, `to`, `clock`, `limit` and `grain`; the rest is
 * zero.  False when it was cancelled.  Release in both cases.
 */
bool chart_blocks_collect(struct chart_blocks *, const struct visit *);
void chart_blocks_release(struct chart_blocks *);

#endif
