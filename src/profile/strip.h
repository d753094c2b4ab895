/*
 * strip: one thread's cells over a raster of columns, filled in order of time.
 *
 * A cell sums what each method has of it and belongs to the one that ran longest, or,
 * when nothing ran, slept longest.  Only one cell is open at a time: when time moves on
 * to another column it is handed out.  Times are nanoseconds on the axis.
 */
#ifndef SLOWTOP_PROFILE_STRIP_H
#define SLOWTOP_PROFILE_STRIP_H

#include <stddef.h>

#include "profile/replay.h"
#include "trace/trace.h"

/* Equal columns over [from, to). */
struct raster {
	nsec from, to;
	uint32_t columns;
};

/* Where a column begins; raster_edge(g, g->columns) is the end. */
nsec raster_edge(const struct raster *, uint32_t column);
/* The column that holds a time within the raster. */
uint32_t raster_column(const struct raster *, nsec at);

/* A finished cell; method METHOD_NONE when no call was open in it. */
struct cell_sum {
	uint32_t method;
	nsec run;          /* of that method; 0: it only slept */
	nsec ran;          /* of all: not asleep, on the CPU or not */
	nsec busy, asleep; /* of all: on the CPU, asleep inside calls */
};

struct share {
	uint32_t method;
	nsec run, sleep;
};

struct strip {
	const struct trace *trace;
	uint32_t kinds; /* of what is counted instead of methods; 0: methods of the trace */
	const struct raster *raster;
	void (*close)(void *context, uint32_t column, const struct cell_sum *);
	void *context;

	uint32_t column; /* of the open cell */
	nsec begin, end; /* its edges */
	struct share *shares;
	size_t count, room;
	uint32_t *place; /* by method: where its share was last; checked before use */
	size_t place_count; /* methods are met while the trace is read: it grows */
	nsec ran, busy, asleep;
};

/* Parts of a stretch, in BLEND_FULLths: the method's own run, and what all did. */
enum { BLEND_FULL = UINT16_MAX };

struct blend {
	uint16_t run; /* 0: the method only slept */
	uint16_t ran, busy, asleep;
};

/* Borrows all of it. */
void strip_init(struct strip *, const struct trace *, const struct raster *,
    void (*close)(void *, uint32_t, const struct cell_sum *), void *context);
/* After the raster changed, with the open cell flushed. */
void strip_reopen(struct strip *, uint32_t column);
/* Hands out the open cell and leaves it empty. */
void strip_flush(struct strip *);
void strip_release(struct strip *);

/* What a method has of the open cell, not in it yet. */
struct share *strip_share(struct strip *, uint32_t method);

/* The same, sooner where it is in the cell already. */
static inline struct share *
strip_share_near(struct strip *s, uint32_t method)
{
	uint32_t place = method < s->place_count ? s->place[method] : UINT32_MAX;

	return place < s->count && s->shares[place].method == method
	    ? &s->shares[place]
	    : strip_share(s, method);
}

/* As strip_run for a stretch within the open cell. */
static inline void
strip_run_within(struct strip *s, uint32_t method, nsec length, nsec busy)
{
	strip_share_near(s, method)->run += length;
	s->ran += length;
	s->busy += busy;
}

/* A stretch within which a method was on top: `busy` of it on the CPU, or asleep. */
void strip_run(struct strip *, uint32_t method, nsec from, nsec to, nsec busy);
void strip_sleep(struct strip *, uint32_t method, nsec from, nsec to);
/* A stretch of which a method is known to have a part, and all others together more. */
void strip_blend(
    struct strip *, uint32_t method, nsec from, nsec to, const struct blend *);
/* What a step says, with the sleep of gap.h; nothing for one with an empty stack. */
void strip_step(struct strip *, const struct profile *, const struct step *);

#endif
