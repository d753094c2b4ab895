// SPDX-License-Identifier: Apache-2.0
/*
 * timeline: what each thread did over a stretch of time, at screen resolution.
 *
 * All times are nanoseconds on the profile's axis.  A cell belongs to the method that
 * covers most of it (coverage summed by method; sleep does not count as long as
 * anything ran).  When a thread sleeps is step.h's rule; without both clocks nothing sleeps.
 */
#pragma once

#include <stdatomic.h>

#include "profile/index/overview.h"
#include "profile/load/profile.h"
#include "profile/load/scope.h"

enum { CELL_FULL = 1000 };

/* A part of a cell; never 0 when there is something. */
static inline uint16_t
cell_share(double part, double whole)
{
	if (part >= whole)
		return CELL_FULL;
	return part <= 0 ? 0 : (uint16_t)(1 + part / whole * (CELL_FULL - 1));
}

/* True if the loaded part of the trace is so long that wide windows need an overview. */
bool timeline_wants_overview(const struct profile *);

struct cell {
	uint32_t method; /* METHOD_NONE: no call open */
	uint16_t busy;   /* share of the cell on the CPU inside calls, in CELL_FULLths */
	uint16_t asleep; /* share asleep inside a call */
};

/*
 * Fills rows x columns cells, row by row; row r is thread threads[r].  Column c covers
 * [from + c * width, from + (c + 1) * width), width = (to - from) / columns.  False
 * when cancelled.  A narrow window is decoded again and exact; one with more than some
 * hundred thousand records is drawn from the overview, as far as that goes (NULL: is
 * decoded, too), unless its buckets are wider than the columns.
 */
bool timeline_draw(const struct profile *, const struct overview *, nsec from, nsec to,
    uint32_t columns, const uint32_t *threads, uint32_t rows, struct cell *cells,
    const atomic_bool *cancel);

/* Fills cells from the overview alone; the raster has columns and is not empty. */
void overview_cells(const struct profile *, const struct overview *, const struct raster *,
    const uint32_t *threads, uint32_t rows, struct cell *cells);

/*
 * Sets marks[c] to 1 where a call of `method` is open in any thread in scope, also for
 * calls that took no time.  `rest`: all; else those that are known without decoding anything.
 * Where the method index is filled little is decoded.  False when cancelled.
 */
bool timeline_marks(const struct profile *, const struct scope *, nsec from, nsec to,
    uint32_t columns, uint32_t method, bool rest, uint8_t *marks, const atomic_bool *cancel);

/* Like timeline_marks for each of some threads: count x columns marks, row by row. */
bool timeline_marks_rows(const struct profile *, const uint32_t *threads, uint32_t count,
    nsec from, nsec to, uint32_t columns, uint32_t method, bool rest, uint8_t *marks,
    const atomic_bool *cancel);

/* One call. */
struct call {
	uint32_t thread, method, node;
	uint32_t depth;          /* 1: called from an empty stack */
	nsec enter[CLOCKS], leave[CLOCKS];
	nsec exclusive[CLOCKS];
	uint64_t offset; /* of the entry's record; UINT64_MAX: not looked up */
	uint64_t leave_offset; /* of the exit's; UINT64_MAX: none */
	uint64_t order; /* as in a list of calls; 0: entered before the trace */
	bool entered_before; /* entry is not in the trace: adopted frame */
	bool unfinished;     /* exit is not in the trace */
};

/*
 * A call open on a thread at `at`: that at the depth, from 1, or 0: the innermost; and of
 * those the innermost of the method, or, when it has none open or is METHOD_NONE, of any.
 * Method METHOD_NONE when there is none.  At the instant of a record, the state after it.
 */
bool timeline_call(const struct profile *, uint32_t thread, nsec at, uint32_t depth,
    uint32_t method, struct call *, const atomic_bool *cancel);
