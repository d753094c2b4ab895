#include <config.h>

#include "profile/timeline.h"

#include "base/mem.h"
#include "profile/overview.h"
#include "profile/replay.h"
#include "profile/strip.h"
#include "profile/waypoint.h"

/* Up to so many records are decoded again for a picture: some milliseconds. */
enum { DECODE_RECORDS = 400000 };

struct row {
	struct strip strip;
	struct cell *cells;
	const struct raster *raster;
};

struct drawing {
	const struct profile *profile;
	struct row *rows;
	uint32_t *row_of; /* by thread: row + 1, 0 for none */
};

static uint16_t
cell_share(nsec part, nsec whole)
{
	if (part >= whole)
		return CELL_FULL;
	/* Never 0 when there is something. */
	return part == 0 ? 0 : (uint16_t)(1 + (double)part / (double)whole * (CELL_FULL - 1));
}

static void
cell_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	struct row *row = context;
	nsec width = raster_edge(row->raster, column + 1) - raster_edge(row->raster, column);
	uint16_t busy = cell_share(sum->busy, width);
	uint16_t asleep = cell_share(sum->asleep, width);

	/* Both are rounded up. */
	if (asleep > CELL_FULL - busy)
		asleep = CELL_FULL - busy;
	row->cells[column] = (struct cell){sum->method, busy, asleep, CELL_FULL};
	if (sum->run < sum->ran)
		row->cells[column].won = cell_share(sum->run, sum->ran);
}

static bool
draw_step(void *context, const struct step *step)
{
	struct drawing *d = context;

	strip_step(&d->rows[d->row_of[step->thread] - 1].strip, d->profile, step);
	return true;
}

static bool
draw_decoded(const struct profile *p, const struct waypoints *points,
    const struct raster *raster, const uint32_t *threads, uint32_t rows, struct row *row,
    const atomic_bool *cancel)
{
	struct drawing d = {.profile = p, .rows = row};
	struct scope *scope = scope_new(p->lane_count, false);
	bool whole;

	d.row_of = mem_zero(p->lane_count, sizeof(*d.row_of));
	for (uint32_t r = 0; r < rows; r++) {
		if (threads[r] >= p->lane_count)
			continue;
		d.row_of[threads[r]] = r + 1;
		scope->in[threads[r]] = 1;
	}
	if (points != NULL)
		whole = waypoints_visit(
		    points, scope, raster->from, raster->to, draw_step, &d, cancel);
	else
		whole = replay_window(p, scope, raster->from, raster->to, draw_step, &d, cancel);
	mem_free(d.row_of);
	scope_free(scope);
	return whole;
}

bool
timeline_wants_overview(const struct profile *p)
{
	return p->records > DECODE_RECORDS;
}

/* Are there too many records in the window to decode them for each picture? */
static bool
window_is_wide(const struct profile *p, const struct waypoints *points, nsec from, nsec to)
{
	uint64_t parts = DECODE_RECORDS / (p->checkpoint_every > 0 ? p->checkpoint_every : 1);

	if (points != NULL)
		return waypoints_cost(points, from, to, DECODE_RECORDS) >= DECODE_RECORDS;
	return replay_window_parts(p, from, to, parts + 1) > parts;
}

static struct row *
rows_open(const struct profile *p, const struct raster *raster, uint32_t rows, struct cell *cells)
{
	struct row *row = mem_zero(rows, sizeof(*row));

	for (size_t i = 0; i < (size_t)raster->columns * rows; i++)
		cells[i] = (struct cell){.method = METHOD_NONE};
	for (uint32_t r = 0; r < rows; r++) {
		row[r].cells = cells + (size_t)r * raster->columns;
		row[r].raster = raster;
		strip_init(&row[r].strip, p->trace, raster, cell_close, &row[r]);
	}
	return row;
}

static void
rows_close(struct row *row, uint32_t rows)
{
	for (uint32_t r = 0; r < rows; r++) {
		strip_flush(&row[r].strip);
		strip_release(&row[r].strip);
	}
	mem_free(row);
}

void
overview_cells(const struct profile *p, const struct overview *o, const struct raster *raster,
    const uint32_t *threads, uint32_t rows, struct cell *cells)
{
	struct row *row = rows_open(p, raster, rows, cells);

	for (uint32_t r = 0; r < rows; r++)
		overview_draw(o, threads[r], raster, &row[r].strip);
	rows_close(row, rows);
}

bool
timeline_draw(const struct profile *p, const struct overview *overview, nsec from, nsec to,
    uint32_t columns, const uint32_t *threads, uint32_t rows, struct cell *cells,
    const atomic_bool *cancel)
{
	const struct waypoints *points = overview != NULL ? overview_waypoints(overview) : NULL;
	struct raster raster = {from, to, columns};
	struct row *row;
	bool whole;

	if (columns > 0 && from < to && overview != NULL && window_is_wide(p, points, from, to)) {
		overview_cells(p, overview, &raster, threads, rows, cells);
		return true;
	}
	if (columns == 0 || from >= to) {
		for (size_t i = 0; i < (size_t)columns * rows; i++)
			cells[i] = (struct cell){.method = METHOD_NONE};
		return true;
	}
	row = rows_open(p, &raster, rows, cells);
	whole = draw_decoded(p, points, &raster, threads, rows, row, cancel);
	rows_close(row, rows);
	return whole;
}
