/*
 * overview_fill: an overview as it is filled; for the files of overview only.
 */
#ifndef SLOWTOP_PROFILE_OVERVIEW_FILL_H
#define SLOWTOP_PROFILE_OVERVIEW_FILL_H

#include "profile/overview.h"
#include "profile/replay.h"
#include "profile/strip.h"

/* `count` equal buckets from `start` on.  Parts are of a bucket. */
struct span {
	uint32_t start, count;
	uint32_t method;
	struct blend blend;
};

struct lane_spans {
	const struct overview *overview;
	size_t *bytes; /* of all spans that whoever fills it has made */
	struct strip strip;
	struct span *spans;
	size_t count, room;
};

struct filling;

struct overview {
	const struct profile *profile;
	struct replay *replay;
	struct presence *presence;
	struct waypoints *points;
	struct raster raster;
	nsec width;
	struct lane_spans **lanes; /* by thread; NULL: nothing of it yet */
	uint32_t lane_count;
	size_t lane_room;
	size_t bytes, bytes_max;
	bool by_steps;     /* records are taken in one by one */
	struct filling *filling; /* NULL: they are, or all were taken in */
};

/* A thread's spans, there from now on. */
struct lane_spans *overview_lane(struct overview *, uint32_t thread);

/*
 * Takes in about so many records, record by record: for all formats.  False when there are
 * none.
 */
bool overview_steps(struct overview *, uint64_t max_records);

enum comb_end {
	COMB_DONE,
	COMB_NOTHING, /* there are no records */
	COMB_NEVER,   /* it cannot be done, or not any more: overview_steps goes on from here */
	COMB_TORN,    /* the file was cut meanwhile: what was taken in does not hold */
};

/*
 * The same thread by thread, by several workers, for plain records (plain.h), also where there
 * is something between them.
 */
enum comb_end overview_comb(struct overview *, uint64_t max_records);
void overview_comb_end(struct overview *);

#endif
