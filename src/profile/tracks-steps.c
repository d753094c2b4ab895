/* tracks-steps: frequencies and idleness of cores, and counters: values that hold. */
#include <config.h>

#include "base/mem.h"
#include "profile/tracks-draw.h"

static bool
wanted(const struct tracks_drawing *d, enum track_kind kind)
{
	bool any = false;

	for (uint32_t i = 0; i < d->count; i++)
		any |= d->rows[i].track->kind == kind;
	return any;
}

static void
sum_add(struct track_row *row, uint32_t column, nsec part, double value)
{
	row->sums[column] += (double)part * value;
	row->cells[column].what = 0;
}

/* The value that held from `since` on is over. */
static void
step_end(struct track_row *row, nsec to)
{
	uint32_t level;

	if (!row->held || to <= row->since)
		return;
	if (row->track->kind == TRACK_FREQUENCY) {
		track_spread(row, row->since, to, sum_add, (double)row->value);
		return;
	}
	level = row->value < UINT8_MAX ? (uint32_t)row->value : UINT8_MAX;
	strip_run(&row->strip, level, row->since, to, level > 0 ? to - row->since : 0);
}

static void
begin_mark(struct track_row *row, nsec at)
{
	const struct raster *g = row->raster;
	struct track_cell *cell;

	if (at < g->from || at >= g->to)
		return;
	cell = &row->cells[raster_edges_column(row->columns, at)];
	cell->begins = true;
	if (cell->parts < UINT8_MAX)
		cell->parts++;
}

/* From here on another value holds. */
static void
value_begin(struct track_row *row, nsec at, int64_t value)
{
	begin_mark(row, at);
	row->since = at;
	row->value = value;
	row->held = true;
}

static uint16_t
share_of(double part, double whole)
{
	if (part >= whole)
		return CELL_FULL;
	return part <= 0 ? 0 : (uint16_t)(1 + part / whole * (CELL_FULL - 1));
}

bool
tracks_draw_steps(struct tracks_drawing *d)
{
	struct track_find kinds[2];
	uint32_t highest = 1;
	bool whole = true;

	if (!wanted(d, TRACK_FREQUENCY) && !wanted(d, TRACK_IDLE))
		return true;
	track_find_make(&kinds[0], d, TRACK_FREQUENCY);
	track_find_make(&kinds[1], d, TRACK_IDLE);
	for (uint64_t n = 0; n < d->log->steps.count && whole; n++) {
		const struct log_step *s = spool_peek(&d->log->steps, n);
		struct track_row *row = track_find_row(&kinds[s->idle], d, s->cpu);

		whole = !tracks_cancelled(d->cancel, n);
		if (!s->idle && s->value > highest)
			highest = s->value;
		if (row == NULL)
			continue;
		step_end(row, s->at);
		value_begin(row, s->at, s->value);
	}
	for (uint32_t i = 0; i < d->count && whole; i++) {
		struct track_row *row = &d->rows[i];

		if (row->track->kind != TRACK_FREQUENCY && row->track->kind != TRACK_IDLE)
			continue;
		step_end(row, d->raster->to);
		for (uint32_t c = 0; c < d->raster->columns && row->sums != NULL; c++)
			row->cells[c].share = share_of(row->sums[c],
			    (double)highest *
				(double)(raster_edge(d->raster, c + 1) - raster_edge(d->raster, c)));
	}
	track_find_release(&kinds[0]);
	track_find_release(&kinds[1]);
	return whole;
}

/* Counters ------------------------------------------------------------------------- */

/* The largest that held in a cell, so that no peak is too short to be seen. */
static void
largest_add(struct track_row *row, uint32_t column, nsec part, double value)
{
	struct track_cell *cell = &row->cells[column];

	(void)part;
	if (cell->what == TRACK_NOTHING || value > row->sums[column])
		row->sums[column] = value;
	cell->what = 0;
}

static void
value_end(struct track_row *row, nsec to)
{
	if (row->held && row->since < to)
		track_spread(row, row->since, to, largest_add, (double)row->value);
}

/* Heights from the smallest value, or 0, to the largest. */
static void
heights_close(struct track_row *row, const struct log_counter *counter)
{
	double low = counter->min < 0 ? (double)counter->min : 0;
	double high = counter->max > 0 ? (double)counter->max : 0;

	for (uint32_t c = 0; c < row->raster->columns; c++) {
		if (row->cells[c].what != TRACK_NOTHING)
			row->cells[c].share = high > low ? share_of(row->sums[c] - low, high - low)
							 : 0;
	}
}

bool
tracks_draw_values(struct tracks_drawing *d)
{
	struct track_find counters;
	bool whole = true;

	if (!wanted(d, TRACK_COUNTER))
		return true;
	track_find_make(&counters, d, TRACK_COUNTER);
	for (uint64_t n = 0; n < d->log->samples.count && whole; n++) {
		const struct log_sample *s = spool_peek(&d->log->samples, n);
		struct track_row *row = track_find_row(&counters, d, s->counter);

		whole = !tracks_cancelled(d->cancel, n);
		if (row == NULL)
			continue;
		value_end(row, s->at);
		value_begin(row, s->at, s->value);
	}
	for (uint32_t i = 0; i < d->count && whole; i++) {
		struct track_row *row = &d->rows[i];

		if (row->track->kind != TRACK_COUNTER ||
		    row->track->index >= seg_count(&d->log->counters))
			continue;
		value_end(row, d->raster->to);
		heights_close(row, seg_at(&d->log->counters, row->track->index));
	}
	track_find_release(&counters);
	return whole;
}
