// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/mem.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/tracks.h"

/* One of the tracks that are drawn. */
struct track_row {
	const struct track *track;
	const struct raster *raster;
	struct track_cell *cells;
	struct cell_row cell_row; /* of kinds that go to what has most of a cell */
	bool cell_rows;
	uint32_t unknown;   /* of no thread: what a core did while that is not known */
	double *sums;       /* by column, of the others: what has been summed or was largest */
	/* In tracks made of steps: the value since then. */
	nsec since;
	double value;
	bool held;
	struct track_scale scale; /* of values so far; at the end as drawn */
};

/* The rows of a kind by index, + 1; 0: it is not drawn. */
struct track_find {
	uint32_t *row;
	uint32_t count;
};

/* Rows of the timeline while they are filled from a log. */
struct tracks_drawing {
	const struct profile *profile;
	const struct log *log;
	const struct raster *raster;
	struct track_row *rows;
	uint32_t count;
	struct track_find find[TRACK_KINDS];
	const atomic_bool *cancel;
};

static inline struct track_row *
row_of(const struct tracks_drawing *d, enum track_kind kind, uint32_t index)
{
	const struct track_find *f = &d->find[kind];

	return index < f->count && f->row[index] > 0 ? &d->rows[f->row[index] - 1] : NULL;
}

/* Rows and columns --------------------------------------------------------------- */

static void
find_make(struct tracks_drawing *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		const struct track *t = d->rows[i].track;

		if (t->index >= d->find[t->kind].count && t->index < UINT32_MAX)
			d->find[t->kind].count = t->index + 1;
	}
	for (int kind = 0; kind < TRACK_KINDS; kind++)
		d->find[kind].row = mem_zero(d->find[kind].count, sizeof(*d->find[kind].row));
	for (uint32_t i = 0; i < d->count; i++) {
		const struct track *t = d->rows[i].track;

		if (t->index < d->find[t->kind].count)
			d->find[t->kind].row[t->index] = i + 1;
	}
}

/* True if there is a row of one of these kinds. */
static bool
kinds_wanted(const struct tracks_drawing *d, enum track_kind first, enum track_kind last)
{
	uint32_t any = 0;

	for (enum track_kind kind = first; kind <= last; kind++)
		any |= d->find[kind].count;
	return any > 0;
}

/* Counts a value of a counter in the window. */
static void
scale_note(struct track_scale *s, double value)
{
	if (!s->known || value < s->from)
		s->from = value;
	if (!s->known || value > s->to)
		s->to = value;
	s->known = true;
}

/*
 * A value holds all through the stretch: its columns sum value x time, those of counters have
 * the largest, so that no peak is too short to be seen.
 */
static void
value_spread(struct track_row *row, nsec from, nsec to, double value)
{
	const struct raster *g = row->raster;
	bool largest = row->track->kind == TRACK_COUNTER;

	from = nsec_max(from, g->from);
	to = nsec_min(to, g->to);
	if (largest && from < to)
		scale_note(&row->scale, value);
	for (uint32_t column = from < to ? raster_column(g, from) : 0; from < to; column++) {
		nsec edge = raster_edge(g, column + 1), end = edge < to ? edge : to;
		struct track_cell *cell = &row->cells[column];

		if (end <= from)
			continue;
		if (!largest)
			row->sums[column] += (double)(end - from) * value;
		else if (cell->what == TRACK_NOTHING || value > row->sums[column])
			row->sums[column] = value;
		cell->what = 0;
		from = end;
	}
}

/* Thread states, threads on cores, and load ------------------------------- */

static void
touch(struct track_row *row, nsec from, nsec to)
{
	const struct raster *g = row->raster;
	uint32_t first = from > g->from ? raster_column(g, from) : 0;
	uint32_t last = to >= g->to ? g->columns - 1
	    : to > from ? raster_column(g, to - 1) : first;

	for (uint32_t i = first; i <= last; i++)
		track_cell_part(&row->cells[i]);
	if (from >= g->from)
		row->cells[first].begins = true;
}

/* Most intervals are a part of the cell that is open already. */
static inline bool
stays_within(struct track_row *row, const struct interval *i, uint32_t what, nsec busy)
{
	struct track_cell *cell = &row->cells[row->cell_row.column];

	if (i->from < row->cell_row.begin || i->to > row->cell_row.end)
		return false;
	track_cell_part(cell);
	cell->begins = true;
	cell_row_run_within(&row->cell_row, what, i->to - i->from, busy);
	return true;
}

/* Running counts as busy, all else as asleep: a cell belongs to what has most of it. */
static void
interval_draw(struct track_row *row, const struct interval *i, uint32_t what)
{
	nsec busy = task_states[i->state].class == TASK_CLASS_RUNNING ? i->to - i->from : 0;

	if (stays_within(row, i, what, busy))
		return;
	touch(row, i->from, i->to);
	cell_row_run(&row->cell_row, what, i->from, i->to, busy);
}

/* Draws the unknown spans of cores that ended by then. */
static void
gaps_draw(const struct tracks_drawing *d, uint64_t *next, nsec until)
{
	const struct spool *gaps = &d->log->sched.gaps;

	for (; *next < gaps->count; ++*next) {
		const struct sched_gap *gap = spool_peek(gaps, *next);
		struct track_row *row = row_of(d, TRACK_CORE, gap->cpu);

		if (gap->to > until)
			break;
		if (row == NULL || gap->to <= d->raster->from || gap->from >= d->raster->to)
			continue;
		touch(row, gap->from, gap->to);
		cell_row_run(&row->cell_row, row->unknown, gap->from, gap->to, 0);
	}
}

/* Sums as shares of a cell of that height: of cores at once, or the highest frequency. */
static void
shares_close(struct track_row *row, uint32_t height)
{
	const struct raster *g = row->raster;

	for (uint32_t c = 0; c < g->columns; c++) {
		double width = (double)(raster_edge(g, c + 1) - raster_edge(g, c)) * height;

		row->cells[c].share = width > 0 ? cell_share(row->sums[c], width) : 0;
	}
}

/* How many cores have known activity. */
static uint32_t
cores_known(const struct sched *s)
{
	uint32_t cores = 0;

	for (size_t i = 0; i < s->cpu_count; i++)
		cores += s->cpus[i].switched;
	return cores > 0 ? cores : 1;
}

static bool
tracks_draw_sched(struct tracks_drawing *d)
{
	const struct sched *s = &d->log->sched;
	const struct interval *i;
	uint64_t gap = 0;
	bool whole = true;

	if (!kinds_wanted(d, TRACK_STATE, TRACK_CORE))
		return true;
	for (uint64_t n = 0;
	     whole && (i = sched_within(s, &n, d->raster->from, d->raster->to)) != NULL; n++) {
		struct track_row *row;

		whole = !sched_stopped(d->cancel, n);
		if (i->to <= d->raster->from || i->from >= d->raster->to || i->from >= i->to)
			continue;
		if ((row = row_of(d, TRACK_STATE, i->thread)) != NULL)
			interval_draw(row, i, track_state(i));
		if (i->state != TASK_RUNNING || i->thread >= d->profile->stack_count)
			continue;
		gaps_draw(d, &gap, i->to);
		if ((row = row_of(d, TRACK_CORE, i->cpu)) != NULL)
			interval_draw(row, i, i->thread);
		if ((row = row_of(d, TRACK_LOAD, 0)) != NULL)
			value_spread(row, i->from, i->to, 1);
		row = row_of(d, TRACK_PROCESS, trace_thread(d->profile->trace, i->thread)->process);
		if (row != NULL)
			value_spread(row, i->from, i->to, 1);
	}
	gaps_draw(d, &gap, INT64_MAX);
	for (uint32_t r = 0; r < d->count; r++) {
		if (d->rows[r].track->kind == TRACK_LOAD)
			shares_close(&d->rows[r], cores_known(s));
		else if (d->rows[r].track->kind == TRACK_PROCESS)
			shares_close(&d->rows[r], 1);
	}
	return whole;
}

/* Frequencies, idleness and counters: values that hold ---------------------------- */

/* The value that held from `since` on is over. */
static void
value_end(struct track_row *row, nsec to)
{
	uint32_t level;

	if (!row->held || to <= row->since)
		return;
	if (row->track->kind != TRACK_IDLE) {
		value_spread(row, row->since, to, row->value);
		return;
	}
	level = row->value < UINT8_MAX ? (uint32_t)row->value : UINT8_MAX;
	cell_row_run(&row->cell_row, level, row->since, to, level > 0 ? to - row->since : 0);
}

/* From here on another value holds. */
static void
value_take(struct track_row *row, nsec at, double value)
{
	const struct raster *g = row->raster;

	value_end(row, at);
	if (at >= g->from && at < g->to) {
		struct track_cell *cell = &row->cells[raster_column(g, at)];

		cell->begins = true;
		track_cell_part(cell);
	}
	row->since = at;
	row->value = value;
	row->held = true;
}

/* Shares of the way from the smallest value in the window, or 0 where that is not far, to the largest. */
static void
heights_close(struct track_row *row)
{
	struct track_scale *s = &row->scale;

	if (s->from >= 0 && s->from < s->to / 2)
		s->from = 0;
	for (uint32_t c = 0; c < row->raster->columns; c++) {
		if (row->cells[c].what != TRACK_NOTHING)
			row->cells[c].share = row->sums[c] > s->from /* halves: the whole may be no number */
			    ? cell_share(row->sums[c] / 2 - s->from / 2, s->to / 2 - s->from / 2) : 0;
	}
}

static bool
tracks_draw_values(struct tracks_drawing *d)
{
	const struct log *log = d->log;
	uint32_t highest = 1;
	bool whole = true;

	if (!kinds_wanted(d, TRACK_FREQUENCY, TRACK_COUNTER))
		return true;
	for (uint64_t n = 0; n < log->steps.count && whole; n++) {
		const struct log_step *s = spool_peek(&log->steps, n);
		struct track_row *row = row_of(d, s->idle ? TRACK_IDLE : TRACK_FREQUENCY, s->cpu);

		whole = !sched_stopped(d->cancel, n);
		if (!s->idle && s->value > highest)
			highest = s->value;
		if (row != NULL)
			value_take(row, s->at, s->value);
	}
	for (uint64_t n = 0; n < log->samples.count && whole; n++) {
		const struct log_sample *s = spool_peek(&log->samples, n);
		struct track_row *row = row_of(d, TRACK_COUNTER, s->counter);

		whole = !sched_stopped(d->cancel, n);
		if (row != NULL)
			value_take(row, s->at, s->value);
	}
	for (uint32_t i = 0; i < d->count && whole; i++) {
		struct track_row *row = &d->rows[i];

		value_end(row, d->raster->to);
		if (row->track->kind == TRACK_FREQUENCY)
			shares_close(row, highest);
		else if (row->track->kind == TRACK_COUNTER)
			heights_close(row);
	}
	return whole;
}

/* Markers of a moment, which a log has in order of time --------------------------- */

/* The first that is not before `at`. */
static uint64_t
find_first(const struct log *log, nsec at)
{
	uint64_t low = 0, high = log->instants.count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		const struct log_instant *i = spool_peek(&log->instants, middle);

		if (i->at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
tracks_draw_instants(struct tracks_drawing *d)
{
	const struct raster *g = d->raster;
	bool whole = true;

	if (!kinds_wanted(d, TRACK_INSTANTS, TRACK_POINTS))
		return true;
	for (uint64_t n = find_first(d->log, g->from); n < d->log->instants.count; n++) {
		const struct log_instant *i = spool_peek(&d->log->instants, n);
		struct track_row *row = i->thread != THREAD_NONE
		    ? row_of(d, TRACK_INSTANTS, i->thread)
		    : row_of(d, TRACK_POINTS, i->process);
		struct track_cell *cell;

		whole = !sched_stopped(d->cancel, n);
		if (!whole || i->at >= g->to)
			break;
		if (row == NULL)
			continue;
		cell = &row->cells[raster_column(g, i->at)];
		cell->what = 0;
		track_cell_part(cell);
	}
	return whole;
}

/* The next item of the row from `n` on, or the last before it; NULL: none, or cancelled. */
static const struct log_instant *
next_of(const struct log *log, uint32_t thread, uint32_t process, uint64_t *n, int step,
    const atomic_bool *cancel)
{
	while (step > 0 ? *n < log->instants.count : *n > 0) {
		const struct log_instant *i =
		    spool_peek(&log->instants, step > 0 ? *n : *n - 1);

		*n = step > 0 ? *n + 1 : *n - 1;
		if (i->thread == thread && (thread != THREAD_NONE || i->process == process))
			return i;
		if (sched_stopped(cancel, *n))
			break;
	}
	return NULL;
}

bool
instants_find_near(const struct log *log, uint32_t thread, uint32_t process, nsec at,
    struct instants_near *near, const atomic_bool *cancel)
{
	uint64_t behind = find_first(log, at < INT64_MAX ? at + 1 : at), before = behind;
	const struct log_instant *i = next_of(log, thread, process, &behind, 1, cancel);

	*near = (struct instants_near){.earlier = INSTANTS_NONE};
	if (i != NULL) {
		near->next = i->at;
		near->has_next = log->detail(log, i->offset, &near->next_detail);
	}
	i = next_of(log, thread, process, &before, -1, cancel);
	if (i != NULL) {
		near->last = i->at;
		near->has_last = log->detail(log, i->offset, &near->last_detail);
	}
	/* The last of several at one time was taken. */
	while (i != NULL && i->at == near->last)
		i = next_of(log, thread, process, &before, -1, cancel);
	if (i != NULL)
		near->earlier = i->at;
	return !is_cancelled(cancel);
}

/* Drawing ------------------------------------------------------------------------- */

/* How many different things a cell of the kind can belong to; 0: it shows a share only. */
static uint32_t
kinds_of(const struct profile *p, enum track_kind kind)
{
	switch (kind) {
	case TRACK_STATE:
		return TASK_STATES << 1 | 1;
	case TRACK_CORE:
		return p->stack_count + 1;
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

	cell->what = row->track->kind == TRACK_CORE && sum->method == row->unknown ? TRACK_LOST
										 : sum->method;
	cell->share = cell_share((double)sum->busy, (double)sum->width);
}

static void
rows_open(struct tracks_drawing *d, const struct track *tracks, struct track_cell *cells)
{
	d->rows = mem_zero((size_t)d->count + 1, sizeof(*d->rows));
	for (uint32_t i = 0; i < d->count; i++) {
		struct track_row *row = &d->rows[i];
		uint32_t kinds = kinds_of(d->profile, tracks[i].kind);
		bool load = tracks[i].kind == TRACK_LOAD || tracks[i].kind == TRACK_PROCESS;

		row->track = &tracks[i];
		row->raster = d->raster;
		row->unknown = d->profile->stack_count;
		row->cells = cells + (size_t)i * d->raster->columns;
		if (tracks[i].kind < TRACK_STATE)
			continue;
		for (uint32_t c = 0; c < d->raster->columns; c++)
			row->cells[c] = (struct track_cell){.what = load ? 0 : TRACK_NOTHING};
		if (kinds == 0) {
			row->sums = mem_zero(d->raster->columns, sizeof(*row->sums));
			continue;
		}
		row->cell_rows = true;
		cell_row_init(&row->cell_row, d->profile->trace, d->raster, cell_close, row);
	}
	find_make(d);
}

static void
rows_close(struct tracks_drawing *d, struct track_scale *scales)
{
	for (uint32_t i = 0; i < d->count; i++) {
		if (scales != NULL)
			scales[i] = d->rows[i].scale;
		if (d->rows[i].cell_rows) {
			cell_row_flush(&d->rows[i].cell_row);
			cell_row_release(&d->rows[i].cell_row);
		}
		mem_free(d->rows[i].sums);
	}
	for (int kind = 0; kind < TRACK_KINDS; kind++)
		mem_free(d->find[kind].row);
	mem_free(d->rows);
}

bool
tracks_draw(const struct profile *p, nsec from, nsec to, uint32_t columns,
    const struct track *tracks, uint32_t count, struct track_cell *cells,
    struct track_scale *scales, const atomic_bool *cancel)
{
	struct raster raster = {from, to, columns};
	struct tracks_drawing d = {.profile = p, .log = p->trace->log, .raster = &raster,
	    .count = count, .cancel = cancel};
	bool whole;

	if (d.log == NULL || count == 0 || columns == 0 || from >= to)
		return true;
	rows_open(&d, tracks, cells);
	whole = tracks_draw_sched(&d) && tracks_draw_values(&d) && tracks_draw_instants(&d);
	rows_close(&d, scales);
	return whole;
}
