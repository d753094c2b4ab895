// SPDX-License-Identifier: Apache-2.0
/*
 * The index of the file: steps and cells of a window are those that reading all from the
 * beginning gives, however fine the blocks are; and what several workers draw is what one does.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/index/replay.h"
#include "profile/load/loader.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/timeline.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 4 << 20, WINDOWS = 24, STEP = 3000, CELLS = 100 };

/* The steps of some threads that touch a window, as a sum. */
struct story {
	nsec from, to;
	enum clock_id axis;
	uint64_t steps, sum;
};

static bool
step_tell(void *context, const struct step *s)
{
	struct story *story = context;
	const uint64_t told[] = {s->thread, s->before, s->after, s->first, s->word, s->inside,
	    (uint64_t)s->from[0], (uint64_t)s->from[1], (uint64_t)s->to[0], (uint64_t)s->to[1],
	    s->offset, s->order};

	if (s->to[story->axis] < story->from || s->from[story->axis] > story->to)
		return true;
	story->steps++;
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		story->sum = (story->sum ^ told[i]) * UINT64_C(0x9e3779b97f4a7c15) + i;
	return true;
}

static struct scope *
scope_random(uint32_t count)
{
	struct scope *scope = scope_new(count, false);

	for (uint32_t i = 0; i < count; i++)
		scope->in[i] = random_below(2) == 0;
	return scope;
}

/* Is it the same by blocks as when all is read, in a single one? */
static bool
steps_same(const struct profile *p, const struct profile *all, nsec from, nsec to)
{
	struct scope *scope = random_below(3) > 0 ? NULL : scope_random(p->stack_count);
	struct story story = {.from = from, .to = to, .axis = p->axis}, wanted = story;
	bool whole = replay_window(p, scope, from, to, step_tell, &story, NULL) &&
	    replay_window(all, scope, from, to, step_tell, &wanted, NULL);

	scope_free(scope);
	return whole && story.steps == wanted.steps && story.sum == wanted.sum;
}

static bool
cells_equal(const struct cell *a, const struct cell *b, size_t count)
{
	bool equal = true;

	for (size_t i = 0; i < count; i++)
		equal &= a[i].method == b[i].method && a[i].busy == b[i].busy &&
		    a[i].asleep == b[i].asleep;
	return equal;
}

static bool
drawn_same(const struct profile *p, const struct profile *all, nsec from, nsec to)
{
	uint32_t rows = p->stack_count, columns = 1 + random_below(CELLS);
	uint32_t *threads = mem_alloc(rows * sizeof(*threads));
	struct cell *cells[2];
	bool same = true;

	for (uint32_t i = 0; i < rows; i++)
		threads[i] = i;
	for (int k = 0; k < 2; k++) {
		cells[k] = mem_zero((size_t)rows * columns, sizeof(struct cell));
		same &= timeline_draw(k == 0 ? p : all, NULL, from, to, columns, threads, rows,
		    cells[k], NULL);
	}
	same &= cells_equal(cells[0], cells[1], (size_t)rows * columns);
	mem_free(cells[0]);
	mem_free(cells[1]);
	mem_free(threads);
	return same;
}

static void
windows_check(const struct profile *p, const struct profile *all, const char *name)
{
	nsec span = p->end - p->begin;
	int steps = 0, drawn = 0;

	for (int i = 0; i < WINDOWS; i++) {
		nsec width = span >> (i % 12);
		uint64_t place = (uint64_t)random_below(1u << 20);
		nsec from = p->begin - 10 + (nsec)((double)(span - width + 20) * (double)place / (1 << 20));

		/* Also narrower than what happens at once, and beyond the ends. */
		if (i % 6 == 5)
			width = 1 + (nsec)random_below(3000);
		steps += !steps_same(p, all, from, from + width);
		drawn += !drawn_same(p, all, from, from + width);
	}
	is_int(steps, 0, "%s: steps", name);
	is_int(drawn, 0, "%s: cells", name);
	ok(steps_same(p, all, INT64_MIN, INT64_MAX), "%s: all steps", name);
	ok(drawn_same(p, all, p->end, p->end + 1000), "%s: nothing beyond the end", name);
}

/* What it costs is told before, and it can be stopped. */
static void
cost_check(const struct profile *p)
{
	uint32_t thread = 0;
	struct cell cell;
	atomic_bool cancel = true;

	ok(blocks_cost(p->blocks, p->begin, p->end, UINT64_MAX) >= p->records / 10 * 9,
	    "nearly all is decoded for all");
	ok(blocks_cost(p->blocks, p->begin, p->end, 1) < p->records, "but not counted further than asked");
	is_int((int64_t)blocks_cost(p->blocks, p->end + 1, p->end + 2, 1), 0, "nothing beyond the end");
	ok(!timeline_draw(p, NULL, p->begin, p->end, 1, &thread, 1, &cell, &cancel), "cancelled");
}

/* Entries that the index of methods does not have where they are. */
struct entries {
	const struct profile *profile;
	uint32_t missed;
};

static bool
entry_find(void *context, const struct step *s)
{
	struct entries *e = context;
	const struct node *nodes = e->profile->tree.nodes;
	const struct blocks *blocks = e->profile->blocks;
	uint64_t end;

	if (nodes[s->after].parent == s->before)
		e->missed +=
		    !blocks_may(blocks, blocks_of_record(blocks, s->order, &end), nodes[s->after].method);
	return true;
}

enum { METHODS = 12, MARKS = 40 };

static void
marks_make(const struct profile *p, uint8_t marks[METHODS][MARKS])
{
	for (uint32_t i = 0; i < METHODS; i++) {
		nsec span = (p->end - p->begin) >> (i % 4 * 2);
		nsec from = p->begin + (p->end - p->begin - span) / METHODS * i;

		timeline_marks(p, NULL, from, from + span, MARKS,
		    1 + i * 37 % trace_method_count(p->trace), true, marks[i], NULL);
	}
}

/* The overview finds which methods each block has: marks are where they are without that. */
static void
methods_check(struct profile *p, unsigned jobs, size_t most)
{
	static uint8_t with[METHODS][MARKS], without[METHODS][MARKS];
	struct entries entries = {p, 0};
	struct overview *o;

	p->jobs = jobs;
	o = overview_new(p, most);
	while (overview_advance(o, BATCH_EVENTS * jobs)) {
	}
	ok(overview_whole(o), "an overview by %u", jobs);
	replay_window(p, NULL, p->begin, p->end, entry_find, &entries, NULL);
	is_int(entries.missed, 0, "what is entered is known where");
	marks_make(p, with);
	blocks_methods_clear(p->blocks);
	marks_make(p, without);
	is_mem(with, sizeof(with), without, sizeof(without), "marks");
	overview_free(o);
}

/* Loaded in small steps, or by workers. */
static struct profile *
loaded(const uint8_t *bytes, size_t size, uint64_t every, size_t most, unsigned jobs)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, "generated", &e);
	struct profile *p;

	if (!ok(t != NULL, "opens (%s)", e.what))
		return NULL;
	p = profile_new(t);
	blocks_choose(p->blocks, every, most);
	if (jobs > 1)
		ok(loader_run(p, jobs, NULL, &e) == LOAD_DONE, "loaded by %u", jobs);
	while (profile_load(p, STEP, &e) == LOAD_MORE) {
	}
	return p;
}

static void
profile_close(struct profile *p)
{
	struct trace *t = p->trace;

	profile_free(p);
	trace_free(t);
}

static void
blocks_check(const uint8_t *bytes, size_t size, const char *name)
{
	static const struct {
		uint64_t every;
		size_t most;
		unsigned jobs;
	} ways[] = {
	    {1, 1 << 20, 1},
	    {2048, 1 << 20, 3},
	    /* So little that blocks are joined again and again. */
	    {1, 5000, 1},
	    {1, 5000, 3},
	};
	struct profile *all = loaded(bytes, size, UINT64_C(1) << 40, 1 << 20, 1);

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && all != NULL; i++) {
		struct profile *p = loaded(bytes, size, ways[i].every, ways[i].most, ways[i].jobs);

		if (p == NULL)
			continue;
		ok(p->blocks->count > 4, "%s: %u blocks", name, p->blocks->count);
		windows_check(p, all, name);
		if (i == 0)
			cost_check(p);
		methods_check(p, ways[i].jobs, ways[i].most);
		profile_close(p);
	}
	if (all != NULL)
		profile_close(all);
}

static void
generated_check(const char *options)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	if (ok(bytes != NULL, "%s: made", options))
		blocks_check(bytes, size, options);
	free(bytes);
}

/* With a clock that wraps in the middle, if `wall` says so. */
static void
random_check(uint64_t seed, uint32_t wall)
{
	uint8_t *bytes;
	size_t size;

	random_trace_make(seed, 2);
	for (int i = 0; i < RANDOM_RECORDS; i++)
		random_records[i].wall += wall;
	bytes = random_trace_bytes(&size);
	blocks_check(bytes, size, "random");
	free(bytes);
}

enum { THREADS = 20, COLUMNS = 300 };

/* Are the cells the same when several workers draw them? */
static bool
cells_same(struct profile *p, const struct overview *o, const struct overview *for_several,
    bool wide, nsec from, nsec to)
{
	static struct cell cells[2][THREADS * COLUMNS];
	const struct raster raster = {from, to, COLUMNS};
	uint32_t threads[THREADS];
	bool same = true;

	for (uint32_t i = 0; i < THREADS; i++)
		threads[i] = THREADS - 1 - i;
	for (int k = 0; k < 2; k++) {
		p->jobs = k == 0 ? 1 : 3;
		o = k == 0 ? o : for_several;
		if (wide)
			overview_cells(p, o, &raster, threads, THREADS, cells[k]);
		else
			same &= timeline_draw(
			    p, o, from, to, COLUMNS, threads, THREADS, cells[k], NULL);
	}
	return same && cells_equal(cells[0], cells[1], THREADS * COLUMNS) &&
	    cells[0][0].method != METHOD_NONE;
}

static void
word_put(uint8_t **p, uint32_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		*(*p)++ = (uint8_t)(value >> 8 * i);
}

/*
 * Threads that enter and leave three methods in turn, of which the file lists a thread and two
 * methods.  So many stretches of the overview that several workers draw them.
 */
static uint8_t *
turns_make(size_t *size)
{
	static const char head[] = "*version\n3\nclock=dual\n*threads\n0\tmain\n*methods\n"
				   "0x4\ta.B\tm\t()V\tB.java\n0x8\ta.B\tn\t()V\tB.java\n*end\n"
				   "SLOW\3\0\40\0\0\0\0\0\0\0\0\0\16\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
	enum { RECORDS = 200000, RECORD = 14, TURN_US = 97 };
	uint8_t *bytes = mem_alloc(sizeof(head) + (size_t)RECORDS * RECORD), *p = bytes;

	memcpy(p, head, sizeof(head));
	p += sizeof(head);
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint32_t turn = i / THREADS;

		word_put(&p, i % THREADS, 2);
		word_put(&p, (turn / 2 % 3 + 1) * 4 + turn % 2, 4);
		word_put(&p, i * TURN_US, 4);
		word_put(&p, i * TURN_US, 4);
	}
	*size = (size_t)(p - bytes);
	return bytes;
}

static void
workers_check(void)
{
	struct err e = {0};
	size_t size;
	uint8_t *bytes = turns_make(&size);
	struct trace *t = format_open_memory(bytes, size, "workers", &e);
	struct overview *o, *coarse;
	struct profile *p;
	nsec half;

	if (!ok(t != NULL, "workers: opens (%s)", e.what))
		return;
	p = profile_new(t);
	while (profile_load(p, UINT64_MAX, &e) == LOAD_MORE) {
	}
	o = overview_new(p, OVERVIEW_BYTES);
	while (overview_advance(o, UINT64_MAX)) {
	}
	coarse = overview_new(p, 20000);
	while (overview_advance(coarse, 16384)) {
	}
	half = (p->end - p->begin) / 2;
	ok(cells_same(p, o, o, true, p->begin, p->end), "workers: from the overview");
	ok(cells_same(p, coarse, NULL, false, p->begin + 1, p->end),
	    "workers: by blocks, where buckets are wider than columns, or without an overview");
	ok(!cells_same(p, o, NULL, false, p->begin + 1, p->end), "else from the overview");
	ok(cells_same(p, NULL, o, false, p->begin + half, p->end), "workers: from blocks");
	overview_free(coarse);
	overview_free(o);
	profile_free(p);
	trace_free(t);
	mem_free(bytes);
}

int
main(void)
{
#define HARM "--entered=3 --open --recursion=900 --unroll=300 --lost=30 --stray=20 --backward=20 "
	generated_check("--threads=9 --records=40k --seed=3");
	/* The state of clocks changes all the time. */
	generated_check("--threads=9 --records=40k --seed=8 --backward=5000");
	generated_check(HARM "--threads=20 --records=30k --seed=4 --data-version=1 --clock=wall");
	generated_check(HARM "--threads=5 --records=30k --seed=5 --clock=thread-cpu");
	generated_check(HARM "--threads=9 --records=30k --seed=6 --format=streaming");
	generated_check(HARM "--threads=9 --records=30k --seed=7 --format=v2a");
	workers_check();
	for (uint64_t seed = 1; seed <= 4; seed++)
		random_check(seed, seed % 2 == 0 ? 0 : UINT32_MAX - 100000);
	return tap_done();
}
