/*
 * Waypoints: what they draw of a window is what decoding all of its parts gives, cell by
 * cell and to the nanosecond, however fine the blocks are and whenever they were filled; and
 * what several workers draw is what one does.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/replay.h"
#include "profile/strip.h"
#include "profile/timeline.h"
#include "profile/waypoint.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 4 << 20, WINDOWS = 24, STEP = 3000 };

/* What is drawn of a window: a sum of each thread's cells. */
struct picture {
	const struct profile *profile;
	const struct scope *scope;
	struct raster raster;
	struct strip **strips; /* by thread; NULL: not in scope */
	uint64_t *sums;        /* the same */
};

static uint64_t
mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static void
cell_close(void *context, uint32_t column, const struct cell_sum *cell)
{
	uint64_t *sum = context;

	*sum = mix(mix(*sum, column), cell->method);
	*sum = mix(mix(*sum, (uint64_t)cell->width), (uint64_t)cell->run);
	*sum = mix(mix(*sum, (uint64_t)cell->ran), (uint64_t)cell->busy);
	*sum = mix(*sum, (uint64_t)cell->asleep);
}

static struct picture *
picture_new(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    uint32_t columns)
{
	struct picture *picture = mem_zero(1, sizeof(*picture));

	*picture = (struct picture){.profile = p, .scope = scope, .raster = {from, to, columns}};
	picture->strips = mem_zero(p->stack_count, sizeof(*picture->strips));
	picture->sums = mem_zero(p->stack_count, sizeof(*picture->sums));
	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (!scope_has(scope, t))
			continue;
		picture->strips[t] = mem_zero(1, sizeof(*picture->strips[t]));
		strip_init(picture->strips[t], p->trace, &picture->raster, cell_close,
		    &picture->sums[t]);
	}
	return picture;
}

static void
picture_free(struct picture *picture)
{
	for (uint32_t t = 0; t < picture->profile->stack_count; t++) {
		if (picture->strips[t] != NULL)
			strip_release(picture->strips[t]);
		mem_free(picture->strips[t]);
	}
	mem_free(picture->strips);
	mem_free(picture->sums);
	mem_free(picture);
}

static bool
step_draw(void *context, const struct step *step)
{
	struct picture *picture = context;

	strip_step(picture->strips[step->thread], picture->profile, step);
	return true;
}

/* The sum of all threads' cells; `w` NULL: by decoding all parts that the window touches. */
static bool
picture_draw(struct picture *picture, const struct waypoints *w)
{
	const struct profile *p = picture->profile;
	nsec from = picture->raster.from, to = picture->raster.to;
	bool whole = w != NULL
	    ? waypoints_draw(w, from, to, picture->strips, p->stack_count, NULL)
	    : replay_window(p, picture->scope, from, to, step_draw, picture, NULL);

	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (picture->strips[t] != NULL)
			strip_flush(picture->strips[t]);
	}
	return whole;
}

static struct scope *
scope_random(uint32_t count)
{
	struct scope *scope = scope_new(count, false);

	for (uint32_t i = 0; i < count; i++)
		scope->in[i] = random_below(2) == 0;
	return scope;
}

static bool
window_same(const struct profile *p, const struct waypoints *w, nsec from, nsec to)
{
	struct scope *scope = random_below(3) > 0 ? NULL : scope_random(p->stack_count);
	uint32_t columns = 1 + random_below(100);
	struct picture *wanted = picture_new(p, scope, from, to, columns);
	struct picture *got = picture_new(p, scope, from, to, columns);
	bool same = picture_draw(wanted, NULL) && picture_draw(got, w);

	for (uint32_t t = 0; t < p->stack_count; t++)
		same &= got->sums[t] == wanted->sums[t];
	picture_free(wanted);
	picture_free(got);
	scope_free(scope);
	return same;
}

static void
windows_check(const struct profile *p, const struct waypoints *w, const char *name)
{
	nsec span = p->end - p->begin;
	int wrong = 0;

	for (int i = 0; i < WINDOWS; i++) {
		nsec width = span >> (i % 12);
		uint64_t place = (uint64_t)random_below(1u << 20);
		nsec from = p->begin - 10 + (nsec)((double)(span - width + 20) * (double)place / (1 << 20));

		/* Also narrower than what happens at once, and beyond the ends. */
		if (i % 6 == 5)
			width = 1 + (nsec)random_below(3000);
		wrong += !window_same(p, w, from, from + width);
	}
	wrong += !window_same(p, w, p->begin, p->end);
	wrong += !window_same(p, w, p->end, p->end + 1000);
	is_int(wrong, 0, "%s: windows", name);
}

/* What it costs is told before, and it can be stopped. */
static void
whole_check(const struct profile *p, const struct waypoints *w)
{
	struct picture *picture = picture_new(p, NULL, p->begin, p->end, 1);
	atomic_bool cancel = true;

	ok(waypoints_cost(w, p->begin, p->end, UINT64_MAX) >= p->records, "all is decoded for all");
	ok(waypoints_cost(w, p->begin, p->end, 1) < p->records, "but not counted further than asked");
	is_int((int64_t)waypoints_cost(w, p->end, p->end + 1, 1), 0, "nothing behind the end");
	ok(!waypoints_draw(w, p->begin, p->end, picture->strips, p->stack_count, &cancel),
	    "cancelled");
	picture_free(picture);
}

static void
trace_check(const uint8_t *bytes, size_t size, uint64_t every, size_t most, bool behind,
    const char *name)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, name, &e);
	const struct waypoints *w;
	struct overview *o;
	struct profile *p;

	if (!ok(t != NULL, "%s: opens (%s)", name, e.what))
		return;
	p = profile_new(t);
	p->jobs = behind ? 1 : 3;
	o = overview_new(p, OVERVIEW_BYTES);
	overview_blocks(o, every, most);
	while (profile_load(p, 2 * STEP, &e) == LOAD_MORE) {
		if (behind)
			(void)overview_advance(o, STEP);
	}
	while (overview_advance(o, STEP)) {
	}
	w = overview_waypoints(o);
	windows_check(p, w, name);
	whole_check(p, w);
	overview_free(o);
	profile_free(p);
	trace_free(t);
}

static void
generated_check(const char *options)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	if (!ok(bytes != NULL, "%s: made", options))
		return;
	trace_check(bytes, size, 1, 1 << 20, true, options);
	trace_check(bytes, size, 2048, 1 << 20, false, options);
	/* So little that blocks are joined again and again. */
	trace_check(bytes, size, 1, 3000, true, options);
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
	trace_check(bytes, size, 1, 1 << 20, true, "random");
	trace_check(bytes, size, 1, 5000, false, "random, joined");
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
	for (int i = 0; i < THREADS * COLUMNS; i++) {
		const struct cell *one = &cells[0][i], *several = &cells[1][i];

		same &= one->method == several->method && one->busy == several->busy &&
		    one->asleep == several->asleep && one->won == several->won;
	}
	return same && cells[0][0].method != METHOD_NONE;
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
	ok(overview_spans(o, p->begin, p->end) > 100000, "workers: many spans");
	ok(cells_same(p, o, o, true, p->begin, p->end), "workers: from the overview");
	ok(cells_same(p, coarse, NULL, false, p->begin + 1, p->end),
	    "workers: by waypoints, where buckets are wider than columns, or without an overview");
	ok(!cells_same(p, o, NULL, false, p->begin + 1, p->end), "else from the overview");
	ok(cells_same(p, NULL, o, false, p->begin + half, p->end), "workers: from waypoints");
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
	generated_check(HARM "--threads=20 --records=30k --seed=4 --data-version=1 --clock=wall");
	generated_check(HARM "--threads=5 --records=30k --seed=5 --clock=thread-cpu");
	generated_check(HARM "--threads=9 --records=30k --seed=6 --format=streaming");
	generated_check(HARM "--threads=9 --records=30k --seed=7 --format=v2a");
	workers_check();
	for (uint64_t seed = 1; seed <= 4; seed++)
		random_check(seed, seed % 2 == 0 ? 0 : UINT32_MAX - 100000);
	return tap_done();
}
