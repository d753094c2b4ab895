// SPDX-License-Identifier: Apache-2.0
/*
 * cells: one thread's cells over a raster of columns, filled in order of time.
 *
 * A cell sums each method's time in it and belongs to the method that ran longest, or,
 * when none ran, slept longest.  Only one cell is open at a time: it is handed out when
 * time moves on to another column.  Times are nanoseconds on the axis.
 */
#pragma once

#include "profile/load/profile.h"
#include "profile/load/step.h"
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
	nsec width;        /* of the column */
	nsec run;          /* of that method; 0: it only slept */
	nsec busy, asleep; /* of all: on the CPU, asleep inside calls */
};

/* A place in a row's table: what a method has of the cell that the key tells. */
struct share {
	uint64_t key; /* the row's `cell`, and the method */
	nsec run, sleep;
};

struct cell_row {
	const struct trace *trace;
	const struct raster *raster;
	void (*close)(void *context, uint32_t column, const struct cell_sum *);
	/* When all columns are `even` wide: hands out so many equal ones at once. */
	void (*close_run)(void *context, uint32_t column, uint32_t count, const struct cell_sum *);
	nsec even;
	void *context;

	uint32_t column; /* of the open cell */
	nsec begin, end; /* its edges */
	/*
	 * The time of each method in the open cell, in a hash table that is at most half
	 * full.  `order` has the places in order of arrival.
	 */
	struct share *slots;
	unsigned slot_shift; /* 32 less the bits of a place */
	uint32_t *order;
	uint32_t count, room; /* of `order` */
	uint64_t cell; /* counts cells, from 1, above the 32 bits of a method */
	nsec busy, asleep;
};

/* Parts of a stretch, in BLEND_FULLths: the method's own run, and what all did. */
enum { BLEND_FULL = UINT16_MAX };

struct blend {
	uint16_t run; /* 0: the method only slept */
	uint16_t busy, asleep;
};

/* Borrows all of it. */
void cell_row_init(struct cell_row *, const struct trace *, const struct raster *,
    void (*close)(void *, uint32_t, const struct cell_sum *), void *context);
/* After the raster changed, or for another line of cells, with the open cell flushed. */
void cell_row_reopen(struct cell_row *, uint32_t column);
/*
 * All columns of the raster are so wide: they are found sooner, and what one method does all
 * through many of them costs no more than one.
 */
void cell_row_even(struct cell_row *, nsec width,
    void (*close_run)(void *, uint32_t, uint32_t, const struct cell_sum *));
/* Hands out the open cell and leaves it empty. */
void cell_row_flush(struct cell_row *);
void cell_row_release(struct cell_row *);

/* The method's share of the open cell, when it was not at its first place. */
struct share *cell_row_share_seek(struct cell_row *, uint32_t method);

static inline struct share *
cell_row_slot(const struct cell_row *s, uint32_t method)
{
	return &s->slots[(uint64_t)(method * 0x9e3779b1u) >> s->slot_shift];
}

/* The method's share of the open cell. */
static inline __attribute__((always_inline)) struct share *
cell_row_share(struct cell_row *s, uint32_t method)
{
	struct share *share = cell_row_slot(s, method);

	return __builtin_expect(share->key == (s->cell | method), 1) ? share
								     : cell_row_share_seek(s, method);
}

/* As cell_row_run for a stretch within the open cell. */
static inline void
cell_row_run_within(struct cell_row *s, uint32_t method, nsec length, nsec busy)
{
	cell_row_share(s, method)->run += length;
	s->busy += busy;
}

/* A stretch within which a method was on top: `busy` of it on the CPU, or asleep. */
void cell_row_run(struct cell_row *, uint32_t method, nsec from, nsec to, nsec busy);
/* A stretch of which a method is known to have a part, and all others together more. */
void cell_row_blend(
    struct cell_row *, uint32_t method, nsec from, nsec to, const struct blend *);
/* Draws a step, with its sleep; nothing for one with an empty stack. */
void cell_row_step(struct cell_row *, const struct profile *, const struct step *);
