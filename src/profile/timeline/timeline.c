// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/timeline.h"

#include <string.h>

#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/timeline/cells.h"

enum {
	DECODE_RECORDS = 160000, /* so many are decoded again for a picture: some milliseconds */
	DECODE_MOST = 400000,    /* where the overview is no picture: twice as many milliseconds */
	BLOCKS_FEW = 4,
};

/* A picture. */
struct timeline_drawing {
	const struct profile *profile;
	const struct overview *overview; /* NULL: decoded */
	const struct raster *raster;
	const uint32_t *threads;
	uint32_t rows;
	struct cell *cells;
	const atomic_bool *cancel;
};

/* A row, or of the overview the present one. */
struct timeline_row {
	struct cell_row cell_row;
	struct cell *cells;
};

static void
cell_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	struct timeline_row *row = context;
	uint16_t busy = cell_share((double)sum->busy, (double)sum->width);
	uint16_t asleep = cell_share((double)sum->asleep, (double)sum->width);

	/* Both are rounded up. */
	if (asleep > CELL_FULL - busy)
		asleep = CELL_FULL - busy;
	row->cells[column] = (struct cell){.method = sum->method, .busy = busy, .asleep = asleep};
}

static void
row_open(const struct timeline_drawing *d, struct timeline_row *row, uint32_t number)
{
	row->cells = d->cells + (size_t)number * d->raster->columns;
	cell_row_init(&row->cell_row, d->profile->trace, d->raster, cell_close, row);
}

/* The way a thread is drawn in a block. */
enum drawn { DRAWN_NOTHING, DRAWN_DECODED, DRAWN_GAP };

/*
 * A thread with its first record in the block after the window may have been within a
 * call before that: the index tells.
 */
static enum drawn
run_drawn(const struct timeline_drawing *d, const struct block_run *run)
{
	if (run->first >= d->raster->to)
		return run->from < d->raster->to ? DRAWN_GAP : DRAWN_NOTHING;
	return run->to > d->raster->from ? DRAWN_DECODED : DRAWN_NOTHING;
}

static void
gap_draw(const struct timeline_drawing *d, const struct block_entry *e, uint32_t thread,
    struct cell_row *cell_row)
{
	struct step step = {.thread = thread, .before = e->node};

	memcpy(step.from, e->from, sizeof(step.from));
	memcpy(step.to, e->to, sizeof(step.to));
	cell_row_step(cell_row, d->profile, &step);
}

static bool
block_draw(const struct timeline_drawing *d, struct replay *r, uint32_t item,
    struct cell_row *const *cell_rows, struct cell_row **decoded)
{
	const struct block_list *list = replay_list(r);
	bool any = false;

	for (uint32_t i = 0; i < block_list_runs(list, item); i++) {
		struct block_run run = block_list_run(list, item, i);
		enum drawn drawn = run_drawn(d, &run);

		if (drawn == DRAWN_GAP)
			gap_draw(d, block_list_entry(list, item, i), run.thread, cell_rows[run.thread]);
		decoded[run.thread] = drawn == DRAWN_DECODED ? cell_rows[run.thread] : NULL;
		any |= drawn == DRAWN_DECODED;
	}
	return !any || replay_draw(r, item, decoded, d->raster->to);
}

/* False when cancelled. */
static bool
draw_decoded(const struct timeline_drawing *d)
{
	const struct profile *p = d->profile;
	struct timeline_row *rows = mem_zero(d->rows, sizeof(*rows));
	struct scope *scope = scope_new(p->stack_count, false);
	/* By thread: its own, and that if it is drawn in the present block. */
	struct cell_row **cell_rows = mem_zero(2 * (size_t)p->stack_count, sizeof(struct cell_row *));
	struct replay *r;
	bool whole = true;

	for (uint32_t i = 0; i < d->rows; i++) {
		if (d->threads[i] >= p->stack_count)
			continue;
		row_open(d, &rows[i], i);
		cell_rows[d->threads[i]] = &rows[i].cell_row;
		scope->in[d->threads[i]] = 1;
	}
	r = replay_new(p, scope, d->raster->from, d->raster->to, d->cancel);
	for (uint32_t i = 0; i < replay_list(r)->count && whole; i++)
		whole = block_draw(d, r, i, cell_rows, cell_rows + p->stack_count);
	replay_free(r);
	for (uint32_t i = 0; i < d->rows; i++) {
		if (rows[i].cells == NULL)
			continue;
		cell_row_flush(&rows[i].cell_row);
		cell_row_release(&rows[i].cell_row);
	}
	mem_free(cell_rows);
	scope_free(scope);
	mem_free(rows);
	return whole;
}

static void
draw_overview(const struct timeline_drawing *d)
{
	struct timeline_row row;

	row_open(d, &row, 0);
	for (uint32_t number = 0; number < d->rows; number++) {
		row.cells = d->cells + (size_t)number * d->raster->columns;
		cell_row_reopen(&row.cell_row, 0);
		overview_draw(d->overview, d->threads[number], d->raster, &row.cell_row);
		cell_row_flush(&row.cell_row);
	}
	cell_row_release(&row.cell_row);
}

/* False when cancelled. */
static bool
draw_rows(const struct timeline_drawing *d)
{
	for (size_t i = 0; i < (size_t)d->raster->columns * d->rows; i++)
		d->cells[i] = (struct cell){.method = METHOD_NONE};
	if (d->overview == NULL)
		return draw_decoded(d);
	draw_overview(d);
	return true;
}

bool
timeline_wants_overview(const struct profile *p)
{
	return p->records > DECODE_RECORDS;
}

void
overview_cells(const struct profile *p, const struct overview *o, const struct raster *raster,
    const uint32_t *threads, uint32_t rows, struct cell *cells)
{
	struct timeline_drawing d = {.profile = p, .overview = o, .raster = raster,
	    .threads = threads, .rows = rows, .cells = cells};

	(void)draw_rows(&d);
}

bool
timeline_draw(const struct profile *p, const struct overview *overview, nsec from, nsec to,
    uint32_t columns, const uint32_t *threads, uint32_t rows, struct cell *cells,
    const atomic_bool *cancel)
{
	struct raster raster = {from, to, columns};
	struct timeline_drawing d = {.profile = p, .raster = &raster, .threads = threads,
	    .rows = rows, .cells = cells, .cancel = cancel};
	/*
	 * The most records that are decoded for a picture.  Some blocks are always allowed,
	 * however large those of a long trace are: in a narrow window the overview has less than
	 * a bucket for each column.
	 */
	uint64_t blocks = BLOCKS_FEW * p->blocks->every, most = DECODE_RECORDS;

	if (columns == 0 || from >= to) {
		for (size_t i = 0; i < (size_t)columns * rows; i++)
			cells[i] = (struct cell){.method = METHOD_NONE};
		return true;
	}
	if (overview == NULL || overview_bucket(overview) * columns > to - from)
		most = blocks > DECODE_MOST ? blocks : DECODE_MOST;
	if (overview != NULL && blocks_cost(p->blocks, from, to, most) >= most) {
		overview_cells(p, overview, &raster, threads, rows, cells);
		return true;
	}
	return draw_rows(&d);
}
