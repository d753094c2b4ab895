/*
 * tracks-draw: rows of the timeline while they are filled from a log; for the files of
 * tracks.h only.
 */
#ifndef SLOWTOP_PROFILE_TRACKS_DRAW_H
#define SLOWTOP_PROFILE_TRACKS_DRAW_H

#include "profile/strip.h"
#include "profile/tracks.h"

/* One of the tracks that are drawn. */
struct track_row {
	const struct track *track;
	const struct raster *raster;
	const struct raster_edges *columns;
	struct track_cell *cells;
	struct strip strip; /* of kinds that go to what has most of a cell */
	bool strips;
	uint32_t nobody;    /* of no thread: what a core did while that is not known */
	double *sums;       /* by column, of the others: what has been summed or was largest */
	uint32_t column;    /* where it was summed last */
	/* What holds since then, of tracks made of steps. */
	nsec since;
	int64_t value;
	bool held;
};

struct tracks_drawing {
	const struct profile *profile;
	const struct log *log;
	const struct raster *raster;
	struct raster_edges columns;
	struct track_row *rows;
	uint32_t count;
	const atomic_bool *cancel;
};

enum { TRACKS_CHECK_EVERY = SCHED_SPAN }; /* items between looks at `cancel` */

static inline bool
tracks_cancelled(const atomic_bool *cancel, uint64_t n)
{
	return cancel != NULL && n % TRACKS_CHECK_EVERY == 0 &&
	    atomic_load_explicit(cancel, memory_order_relaxed);
}

/* The row of a kind and index, + 1; 0: it is not drawn. */
struct track_find {
	uint32_t *row; /* by index */
	uint32_t count;
};

void track_find_make(struct track_find *, const struct tracks_drawing *, enum track_kind);
void track_find_release(struct track_find *);
static inline struct track_row *
track_find_row(const struct track_find *f, const struct tracks_drawing *d, uint32_t index)
{
	return index < f->count && f->row[index] > 0 ? &d->rows[f->row[index] - 1] : NULL;
}

/* Calls `add` for each column of the stretch with how much of it lies there. */
void track_spread(struct track_row *, nsec from, nsec to,
    void (*add)(struct track_row *, uint32_t column, nsec part, double value), double value);

bool tracks_draw_sched(struct tracks_drawing *);  /* tracks-sched.c */
bool tracks_draw_steps(struct tracks_drawing *);  /* tracks-steps.c */
bool tracks_draw_values(struct tracks_drawing *); /* tracks-steps.c */
bool tracks_draw_instants(struct tracks_drawing *); /* tracks-instants.c */

#endif
