/*
 * The overview, filled by one worker and by several, in small steps and at once, during
 * loading and after it: what is drawn from it is what the steps of all records draw, and
 * marks are where they are without it.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/index/replay.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/timeline.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 8 << 20, LOAD_STEP = 7 * BATCH_EVENTS, COLUMNS = 40 };

/* How one is filled. */
struct way {
	unsigned jobs;
	size_t bytes;  /* of spans */
	uint64_t step; /* records at a time */
	bool behind;   /* while the trace is loaded */
};

static const struct way ways[] = {
	{1, OVERVIEW_BYTES, UINT64_MAX, false},
	{3, OVERVIEW_BYTES, 16 * BATCH_EVENTS, false},
	{3, OVERVIEW_BYTES, 3 * BATCH_EVENTS, true},
	/* So little that buckets are joined again and again. */
	{2, 20000, 5 * BATCH_EVENTS, false},
	{2, 5000, BATCH_EVENTS, true},
};

/* What the steps of all records tell: time in calls by thread and column, and what is entered. */
struct told {
	const struct profile *profile;
	struct raster raster;
	struct cell_row *cell_rows; /* by thread */
	struct cell_sum (*sums)[COLUMNS];
	uint32_t missed; /* entries that the method index does not have where they are */
};

static void
sum_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	((struct cell_sum *)context)[column] = *sum;
}

static bool
step_tell(void *context, const struct step *s)
{
	struct told *told = context;
	const struct node *nodes = told->profile->tree.nodes;
	uint32_t method = nodes[s->after].method;

	cell_row_step(&told->cell_rows[s->thread], told->profile, s);
	if (node_parent(&nodes[s->after]) == s->before) {
		const struct blocks *blocks = told->profile->blocks;
		uint64_t end;

		told->missed += !blocks_may(blocks, blocks_of_record(blocks, s->order, &end), method);
	}
	return true;
}

/* How many cells differ by more than rounding makes them. */
static int
cells_wrong(const struct told *told, const struct overview *o)
{
	const struct profile *p = told->profile;
	struct cell *cells = mem_zero((size_t)p->stack_count * COLUMNS, sizeof(*cells));
	uint32_t *threads = mem_alloc(p->stack_count * sizeof(*threads));
	int wrong = 0;

	for (uint32_t t = 0; t < p->stack_count; t++)
		threads[t] = t;
	overview_cells(p, o, &told->raster, threads, p->stack_count, cells);
	for (uint32_t i = 0; i < p->stack_count * COLUMNS; i++) {
		const struct cell_sum *sum = &told->sums[i / COLUMNS][i % COLUMNS];
		double width = sum->width > 0 ? (double)sum->width : 1;
		double busy = (double)sum->busy * CELL_FULL / width - cells[i].busy;
		double asleep = (double)sum->asleep * CELL_FULL / width - cells[i].asleep;

		/* A bucket is within a column or not, and there are twenty in each. */
		wrong += busy > 100 || busy < -100 || asleep > 100 || asleep < -100;
	}
	mem_free(threads);
	mem_free(cells);
	return wrong;
}

static void
told_check(const struct profile *p, const struct overview *o, bool fine, const char *name)
{
	struct told told = {.profile = p, .raster = {p->begin, p->end + 1, COLUMNS}};

	told.cell_rows = mem_zero(p->stack_count, sizeof(*told.cell_rows));
	told.sums = mem_zero(p->stack_count, sizeof(*told.sums));
	for (uint32_t t = 0; t < p->stack_count; t++)
		cell_row_init(&told.cell_rows[t], p->trace, &told.raster, sum_close, told.sums[t]);
	ok(replay_window(p, NULL, p->begin, p->end, step_tell, &told, NULL), "%s: steps", name);
	for (uint32_t t = 0; t < p->stack_count; t++) {
		cell_row_flush(&told.cell_rows[t]);
		cell_row_release(&told.cell_rows[t]);
	}
	is_int((int64_t)told.missed, 0, "%s: what is entered is known where", name);
	ok(!fine || cells_wrong(&told, o) == 0, "%s: cells", name);
	mem_free(told.cell_rows);
	mem_free(told.sums);
}

enum { METHODS = 12 };

static void
marks_make(const struct profile *p, uint8_t marks[METHODS][COLUMNS])
{
	uint32_t methods = trace_method_count(p->trace);

	for (uint32_t i = 0; i < METHODS && p->end > p->begin; i++) {
		nsec span = (p->end - p->begin) >> (i % 4 * 2);
		nsec from = p->begin + (p->end - p->begin - span) / METHODS * i;
		uint32_t method = 1 + i * 37 % methods;

		timeline_marks(p, NULL, from, from + span, COLUMNS, method, true, marks[i], NULL);
	}
}

/* Are marks drawn with the method index where they are without it?  Clears the index. */
static bool
marks_equal(const struct profile *p)
{
	static uint8_t with[METHODS][COLUMNS], without[METHODS][COLUMNS];

	marks_make(p, with);
	blocks_methods_clear(p->blocks);
	marks_make(p, without);
	return memcmp(with, without, sizeof(with)) == 0;
}

static void
way_check(const uint8_t *bytes, size_t size, uint32_t limit, const struct way *way,
    const char *name)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, name, &e);
	struct overview *o = NULL;
	struct profile *p;
	enum load_state state;

	if (!ok(t != NULL, "%s: opens (%s)", name, e.what))
		return;
	p = profile_new(t);
	p->tree.limit = limit;
	p->jobs = way->jobs;
	do {
		state = profile_load(p, way->behind ? LOAD_STEP : UINT64_MAX, &e);
		if (o == NULL)
			o = overview_new(p, way->bytes);
		(void)overview_advance(o, way->step);
	} while (state == LOAD_MORE);
	while (overview_advance(o, way->step)) {
	}
	ok(overview_whole(o), "%s: is whole", name);
	/* What is entered before the trace is known to be that only when it is left. */
	told_check(p, o, !way->behind && p->end - p->begin > overview_bucket(o) * 20 * COLUMNS, name);
	ok(marks_equal(p), "%s: marks", name);
	overview_free(o);
	profile_free(p);
	trace_free(t);
}

static void
trace_check(const uint8_t *bytes, size_t size, uint32_t limit, const char *name)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		way_check(bytes, size, limit, &ways[i], name);
}

static void
generated_check(const char *options, uint32_t limit)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	if (ok(bytes != NULL, "%s: made", options))
		trace_check(bytes, size, limit, options);
	free(bytes);
}

static void
random_check(uint64_t seed, int harm, uint32_t wall)
{
	uint8_t *bytes;
	size_t size;

	random_trace_make(seed, harm);
	for (int i = 0; i < RANDOM_RECORDS; i++)
		random_records[i].wall += wall;
	bytes = random_trace_bytes(&size);
	trace_check(bytes, size, TREE_LIMIT, wall > 0 ? "random, wrapping" : "random");
	free(bytes);
}

int
main(void)
{
#define HARM " --entered=3 --open --recursion=900 --unroll=300 --lost=30 --stray=20 "
	random_check(1, 0, 0);
	random_check(2, 2, 0);
	random_check(3, 2, UINT32_MAX - 100000);
	generated_check("--records=30k --threads=9" HARM, TREE_LIMIT);
	/* Calls that go to (other). */
	generated_check("--records=20k --threads=5 --depth=30" HARM, 60);
	generated_check("--records=20k --backward=40 --unknown-methods=500 --unknown-threads=3000"
	    HARM, TREE_LIMIT);
	generated_check("--records=20k --trailing=5 --data-version=1 --clock=wall" HARM, TREE_LIMIT);
	generated_check("--records=20k --data-version=2 --clock=thread-cpu --reserved=20" HARM,
	    TREE_LIMIT);
	/* Names between the records. */
	generated_check("--records=10k --format=streaming" HARM, TREE_LIMIT);
	generated_check("--records=20k --threads=9 --format=streaming --clock=wall", TREE_LIMIT);
	generated_check("--records=10k --format=v2a", TREE_LIMIT);
	return tap_done();
}
