#include <config.h>

#include "profile/tracks.h"

#include "base/mem.h"
#include "profile/tracks-draw.h"

void
track_find_make(struct track_find *f, const struct tracks_drawing *d, enum track_kind kind)
{
	f->count = 0;
	for (uint32_t i = 0; i < d->count; i++) {
		const struct track *t = d->rows[i].track;

		if (t->kind == kind && t->index >= f->count && t->index < UINT32_MAX)
			f->count = t->index + 1;
	}
	f->row = mem_zero((size_t)f->count + 1, sizeof(*f->row));
	for (uint32_t i = 0; i < d->count; i++) {
		const struct track *t = d->rows[i].track;

		if (t->kind == kind && t->index < f->count)
			f->row[t->index] = i + 1;
	}
}

void
track_find_release(struct track_find *f)
{
	mem_free(f->row);
}

void
track_spread(struct track_row *row, nsec from, nsec to,
    void (*add)(struct track_row *, uint32_t column, nsec part, double value), double value)
{
	const struct raster *g = row->raster;
	const struct raster_edges *columns = row->columns;

	if (from < g->from)
		from = g->from;
	if (to > g->to)
		to = g->to;
	for (uint32_t column = from < to ? raster_edges_column(columns, from) : 0; from < to; column++) {
		nsec edge = columns->edges[column + 1], end = edge < to ? edge : to;

		if (end > from)
			add(row, column, end - from, value);
		from = end > from ? end : from;
	}
}

/* How many different things a cell of the kind can belong to; 0: it shows a share only. */
static uint32_t
kinds_of(const struct profile *p, enum track_kind kind)
{
	switch (kind) {
	case TRACK_STATE:
		return TASK_STATES << 1 | 1;
	case TRACK_CORE:
		return p->lane_count + 1;
	case TRACK_IDLE:
		return UINT8_MAX + 1;
	default:
		return 0;
	}
}

static void
cell_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	struct track_row *row = context;
	struct track_cell *cell = &row->cells[column];

	cell->what = row->track->kind == TRACK_CORE && sum->method == row->nobody ? TRACK_LOST
										 : sum->method;
	cell->share = sum->busy >= sum->width ? CELL_FULL
	    : sum->busy == 0		 ? 0
	    : (uint16_t)(1 + (double)sum->busy / (double)sum->width * (CELL_FULL - 1));
}

static void
rows_open(struct tracks_drawing *d, const struct track *tracks, struct track_cell *cells)
{
	raster_edges_make(&d->columns, d->raster);
	d->rows = mem_zero((size_t)d->count + 1, sizeof(*d->rows));
	for (uint32_t i = 0; i < d->count; i++) {
		struct track_row *row = &d->rows[i];
		uint32_t kinds = kinds_of(d->profile, tracks[i].kind);

		row->track = &tracks[i];
		row->raster = d->raster;
		row->columns = &d->columns;
		row->nobody = d->profile->lane_count;
		row->cells = cells + (size_t)i * d->raster->columns;
		if (tracks[i].kind < TRACK_STATE)
			continue;
		for (uint32_t c = 0; c < d->raster->columns; c++)
			row->cells[c] = (struct track_cell){.what = TRACK_NOTHING};
		if (kinds == 0) {
			row->sums = mem_zero(d->raster->columns, sizeof(*row->sums));
			continue;
		}
		row->strips = true;
		strip_init(&row->strip, d->profile->trace, d->raster, cell_close, row);
		row->strip.edges = &d->columns;
	}
}

static void
rows_close(struct tracks_drawing *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		if (d->rows[i].strips) {
			strip_flush(&d->rows[i].strip);
			strip_release(&d->rows[i].strip);
		}
		mem_free(d->rows[i].sums);
	}
	mem_free(d->rows);
	raster_edges_release(&d->columns);
}

bool
tracks_draw(const struct profile *p, nsec from, nsec to, uint32_t columns,
    const struct track *tracks, uint32_t count, struct track_cell *cells,
    const atomic_bool *cancel)
{
	struct raster raster = {from, to, columns};
	struct tracks_drawing d = {.profile = p, .log = p->trace->log, .raster = &raster,
	    .count = count, .cancel = cancel};
	bool whole;

	if (d.log == NULL || count == 0 || columns == 0 || from >= to)
		return true;
	rows_open(&d, tracks, cells);
	whole = tracks_draw_sched(&d) && tracks_draw_steps(&d) && tracks_draw_values(&d) &&
	    tracks_draw_instants(&d);
	rows_close(&d);
	return whole;
}
