/* tracks-sched: thread states, who ran on the cores, and how much. */
#include <config.h>

#include "base/mem.h"
#include "profile/tracks-draw.h"

static bool
wanted(const struct tracks_drawing *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		enum track_kind kind = d->rows[i].track->kind;

		if (kind >= TRACK_STATE && kind <= TRACK_CORE)
			return true;
	}
	return false;
}

static void
sum_add(struct track_row *row, uint32_t column, nsec part, double value)
{
	row->sums[column] += (double)part * value;
}

static void
touch(struct track_row *row, nsec from, nsec to)
{
	const struct raster *g = row->raster;
	const struct raster_edges *columns = row->columns;
	uint32_t first = from > g->from ? raster_edges_column(columns, from) : 0;
	uint32_t last = to >= g->to ? g->columns - 1
	    : to <= columns->edges[first + 1] ? first
					      : raster_edges_column(columns, to - 1);

	for (uint32_t i = first; i <= last; i++) {
		if (row->cells[i].parts < UINT8_MAX)
			row->cells[i].parts++;
	}
	if (from >= g->from)
		row->cells[first].begins = true;
}

/* Most intervals are a part of the cell that is open already. */
static inline bool
stays_within(struct track_row *row, const struct interval *i, uint32_t what, nsec busy)
{
	struct track_cell *cell = &row->cells[row->strip.column];

	if (i->from < row->strip.begin || i->to > row->strip.end)
		return false;
	cell->parts += cell->parts < UINT8_MAX;
	cell->begins = true;
	strip_run_within(&row->strip, what, i->to - i->from, busy);
	return true;
}

/* What ran counts as busy, all else as asleep: a cell is whose has most of it. */
static void
state_draw(struct track_row *row, const struct interval *i)
{
	nsec busy = task_states[i->state].class == TASK_CLASS_RUNNING ? i->to - i->from : 0;

	if (stays_within(row, i, track_state(i), busy))
		return;
	touch(row, i->from, i->to);
	strip_run(&row->strip, track_state(i), i->from, i->to, busy);
}

static void
run_draw(struct track_row *row, const struct interval *i)
{
	if (stays_within(row, i, i->thread, i->to - i->from))
		return;
	touch(row, i->from, i->to);
	strip_run(&row->strip, i->thread, i->from, i->to, i->to - i->from);
}

/* Stretches that ended by then of which is not known what their cores did. */
static void
gaps_draw(const struct tracks_drawing *d, const struct track_find *cores, uint64_t *next,
    nsec until)
{
	const struct spool *gaps = &d->log->sched.gaps;

	for (; *next < gaps->count; ++*next) {
		const struct sched_gap *gap = spool_peek(gaps, *next);
		struct track_row *row = track_find_row(cores, d, gap->cpu);

		if (gap->to > until)
			break;
		if (row == NULL || gap->to <= d->raster->from || gap->from >= d->raster->to)
			continue;
		touch(row, gap->from, gap->to);
		strip_run(&row->strip, row->nobody, gap->from, gap->to, 0);
	}
}

/* How much ran at once. */
static void
load_draw(struct track_row *row, const struct interval *i)
{
	const nsec *edges = row->columns->edges;

	if (i->from >= edges[row->column] && i->to <= edges[row->column + 1]) {
		row->sums[row->column] += (double)(i->to - i->from);
		return;
	}
	track_spread(row, i->from, i->to, sum_add, 1);
	if (i->to <= edges[row->columns->columns] && i->to > edges[0])
		row->column = raster_edges_column(row->columns, i->to - 1);
}

/* Sums of running time as shares of a cell, of `cores` at once. */
static void
shares_close(struct track_row *row, uint32_t cores)
{
	const struct raster *g = row->raster;

	for (uint32_t c = 0; c < g->columns; c++) {
		double width = (double)(raster_edge(g, c + 1) - raster_edge(g, c)) * cores;
		double share = width > 0 ? row->sums[c] / width : 0;

		row->cells[c].what = 0;
		row->cells[c].share = share >= 1 ? CELL_FULL
		    : share <= 0		 ? 0
						 : (uint16_t)(1 + share * (CELL_FULL - 1));
	}
}

/* Cores of which it is known what they did. */
static uint32_t
cores_known(const struct sched *s)
{
	uint32_t cores = 0;

	for (size_t i = 0; i < s->cpu_count; i++)
		cores += s->cpus[i].switched;
	return cores > 0 ? cores : 1;
}

bool
tracks_draw_sched(struct tracks_drawing *d)
{
	const struct sched *s = &d->log->sched;
	struct track_find states, cores, processes, load;
	const struct interval *i;
	uint64_t gap = 0;
	bool whole = true;

	if (!wanted(d))
		return true;
	track_find_make(&states, d, TRACK_STATE);
	track_find_make(&cores, d, TRACK_CORE);
	track_find_make(&processes, d, TRACK_PROCESS);
	track_find_make(&load, d, TRACK_LOAD);
	for (uint64_t n = 0;
	     whole && (i = sched_within(s, &n, d->raster->from, d->raster->to)) != NULL; n++) {
		struct track_row *row;

		whole = !tracks_cancelled(d->cancel, n);
		if (i->to <= d->raster->from || i->from >= d->raster->to || i->from >= i->to)
			continue;
		if ((row = track_find_row(&states, d, i->thread)) != NULL)
			state_draw(row, i);
		if (i->state != TASK_RUNNING || i->thread >= d->profile->lane_count)
			continue;
		gaps_draw(d, &cores, &gap, i->to);
		if ((row = track_find_row(&cores, d, i->cpu)) != NULL)
			run_draw(row, i);
		if ((row = track_find_row(&load, d, 0)) != NULL)
			load_draw(row, i);
		row = track_find_row(
		    &processes, d, trace_thread(d->profile->trace, i->thread)->process);
		if (row != NULL)
			load_draw(row, i);
	}
	gaps_draw(d, &cores, &gap, INT64_MAX);
	for (uint32_t r = 0; r < d->count; r++) {
		if (d->rows[r].track->kind == TRACK_LOAD)
			shares_close(&d->rows[r], cores_known(s));
		else if (d->rows[r].track->kind == TRACK_PROCESS)
			shares_close(&d->rows[r], 1);
	}
	track_find_release(&states);
	track_find_release(&cores);
	track_find_release(&processes);
	track_find_release(&load);
	return whole;
}
