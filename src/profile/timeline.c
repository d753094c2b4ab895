#include <config.h>

#include "profile/timeline.h"

#include "base/mem.h"
#include "base/worker.h"
#include "profile/overview.h"
#include "profile/replay.h"
#include "profile/strip.h"
#include "profile/waypoint.h"

enum {
	DECODE_RECORDS = 160000, /* so many are decoded again for a picture: some milliseconds */
	DECODE_MOST = 400000,    /* where the overview is no picture: twice as many milliseconds */
	BLOCKS_FEW = 4,          /* of waypoints */
	WORKER_RECORDS = 65536,  /* for each worker */
	WORKER_SPANS = 32768,    /* of the overview */
	WORKERS_MOST = 8,
};

/* A picture, which several workers draw, each some of its rows. */
struct drawing {
	const struct profile *profile;
	const struct overview *overview; /* NULL: decoded */
	const struct waypoints *points;  /* may be NULL */
	const struct raster *raster;
	struct raster_edges edges;
	const uint32_t *threads;
	uint32_t rows;
	struct cell *cells;
	const atomic_bool *cancel;
	unsigned workers;
	atomic_uint next; /* row of the overview */
	atomic_bool cut;  /* not all was drawn */
};

/* A row, or of the overview the one at hand. */
struct row {
	struct strip strip;
	struct cell *cells;
};

/* The rows that one worker decodes. */
struct decoding {
	const struct profile *profile;
	struct strip **strips; /* by thread; NULL: not drawn here */
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
	uint16_t busy = cell_share(sum->busy, sum->width);
	uint16_t asleep = cell_share(sum->asleep, sum->width);

	/* Both are rounded up. */
	if (asleep > CELL_FULL - busy)
		asleep = CELL_FULL - busy;
	row->cells[column] = (struct cell){sum->method, busy, asleep, CELL_FULL};
	if (sum->run < sum->ran)
		row->cells[column].won = cell_share(sum->run, sum->ran);
}

static void
row_open(const struct drawing *d, struct row *row, uint32_t number)
{
	row->cells = d->cells + (size_t)number * d->raster->columns;
	strip_init(&row->strip, d->profile->trace, d->raster, cell_close, row);
	row->strip.edges = &d->edges;
}

static bool
draw_step(void *context, const struct step *step)
{
	struct decoding *d = context;

	strip_step(d->strips[step->thread], d->profile, step);
	return true;
}

/* As long as the overview does not reach: from checkpoints. */
static bool
draw_parts(const struct drawing *d, struct strip **strips)
{
	const struct profile *p = d->profile;
	struct decoding decoding = {p, strips};
	struct scope *scope = scope_new(p->stack_count, false);
	bool whole;

	for (uint32_t t = 0; t < p->stack_count; t++)
		scope->in[t] = strips[t] != NULL;
	whole = replay_window(
	    p, scope, d->raster->from, d->raster->to, draw_step, &decoding, d->cancel);
	scope_free(scope);
	return whole;
}

/* Every so many rows, so that each worker has some of all kinds. */
static bool
draw_decoded(const struct drawing *d, unsigned worker)
{
	const struct profile *p = d->profile;
	struct row *rows = mem_zero(d->rows, sizeof(*rows));
	struct strip **strips = mem_zero(p->stack_count, sizeof(struct strip *));
	bool whole;

	for (uint32_t r = worker; r < d->rows; r += d->workers) {
		if (d->threads[r] >= p->stack_count)
			continue;
		row_open(d, &rows[r], r);
		strips[d->threads[r]] = &rows[r].strip;
	}
	whole = d->points != NULL ? waypoints_draw(d->points, d->raster->from, d->raster->to,
					strips, p->stack_count, d->cancel)
				  : draw_parts(d, strips);
	for (uint32_t r = 0; r < d->rows; r++) {
		if (rows[r].cells == NULL)
			continue;
		strip_flush(&rows[r].strip);
		strip_release(&rows[r].strip);
	}
	mem_free(strips);
	mem_free(rows);
	return whole;
}

static void
draw_overview(struct drawing *d)
{
	struct row row;
	unsigned number;

	row_open(d, &row, 0);
	while ((number = atomic_fetch_add(&d->next, 1)) < d->rows) {
		row.cells = d->cells + (size_t)number * d->raster->columns;
		strip_reopen(&row.strip, 0);
		overview_draw(d->overview, d->threads[number], d->raster, &row.strip);
		strip_flush(&row.strip);
	}
	strip_release(&row.strip);
}

static void
draw_work(struct worker_pool *pool, unsigned worker, void *context)
{
	struct drawing *d = context;

	(void)pool;
	if (d->overview != NULL)
		draw_overview(d);
	else if (!draw_decoded(d, worker))
		atomic_store(&d->cut, true);
}

/* Returns whether all was drawn. */
static bool
draw_rows(struct drawing *d, uint64_t pay)
{
	unsigned jobs = d->profile->jobs > 0 ? d->profile->jobs : worker_processors();
	struct worker_pool *pool = NULL;

	for (size_t i = 0; i < (size_t)d->raster->columns * d->rows; i++)
		d->cells[i] = (struct cell){.method = METHOD_NONE};
	d->workers = jobs < WORKERS_MOST ? jobs : WORKERS_MOST;
	if (d->workers > pay)
		d->workers = pay > 0 ? (unsigned)pay : 1;
	raster_edges_make(&d->edges, d->raster);
	if (d->workers > 1 && worker_start(&pool, d->workers, draw_work, d, NULL, NULL)) {
		worker_join(pool);
	} else {
		d->workers = 1;
		draw_work(NULL, 0, d);
	}
	raster_edges_release(&d->edges);
	return !atomic_load(&d->cut);
}

bool
timeline_wants_overview(const struct profile *p)
{
	return p->records > DECODE_RECORDS;
}

/*
 * So many records are too many for a picture.  Some blocks are not, however large those of a
 * long trace are: the overview is no picture of a narrow window, of which it has not even a
 * bucket for each column.
 */
static uint64_t
records_most(const struct overview *overview, const struct waypoints *points,
    const struct raster *raster)
{
	uint64_t blocks = points != NULL ? BLOCKS_FEW * waypoints_block(points) : 0;
	uint64_t most = DECODE_RECORDS;

	if (overview == NULL || overview_bucket(overview) * raster->columns > raster->to - raster->from)
		most = blocks > DECODE_MOST ? blocks : DECODE_MOST;
	return most;
}

/* About how many records a window decodes, up to `most`. */
static uint64_t
window_cost(const struct profile *p, const struct waypoints *points, nsec from, nsec to,
    uint64_t most)
{
	uint64_t every = p->checkpoint_every > 0 ? p->checkpoint_every : 1;

	if (points != NULL)
		return waypoints_cost(points, from, to, most);
	return replay_window_parts(p, from, to, most / every + 1) * every;
}

void
overview_cells(const struct profile *p, const struct overview *o, const struct raster *raster,
    const uint32_t *threads, uint32_t rows, struct cell *cells)
{
	struct drawing d = {.profile = p, .overview = o, .raster = raster, .threads = threads,
	    .rows = rows, .cells = cells};

	(void)draw_rows(&d, overview_spans(o, raster->from, raster->to) / WORKER_SPANS);
}

bool
timeline_draw(const struct profile *p, const struct overview *overview, nsec from, nsec to,
    uint32_t columns, const uint32_t *threads, uint32_t rows, struct cell *cells,
    const atomic_bool *cancel)
{
	struct raster raster = {from, to, columns};
	struct drawing d = {.profile = p, .raster = &raster, .threads = threads, .rows = rows,
	    .cells = cells, .cancel = cancel};
	uint64_t cost, most;

	if (columns == 0 || from >= to) {
		for (size_t i = 0; i < (size_t)columns * rows; i++)
			cells[i] = (struct cell){.method = METHOD_NONE};
		return true;
	}
	d.points = overview != NULL ? overview_waypoints(overview) : NULL;
	most = records_most(overview, d.points, &raster);
	cost = window_cost(p, d.points, from, to, most);
	if (overview != NULL && cost >= most) {
		overview_cells(p, overview, &raster, threads, rows, cells);
		return true;
	}
	return draw_rows(&d, cost / WORKER_RECORDS);
}
