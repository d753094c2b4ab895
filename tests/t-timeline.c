// SPDX-License-Identifier: Apache-2.0
/*
 * timeline, replay, range: cells, marks, single calls and windows of random traces
 * against a plain reference that keeps every call with its times.
 */
#include <config.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "profile/index/overview.h"
#include "profile/sum/fold.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random-calls.h"
#include "tap/tap.h"

/* Checks ---------------------------------------------------------------------- */

static int
top_at(const struct ref_thread *t, nsec at)
{
	for (int i = t->count; i-- > 0;) {
		if (t->stretches[i].to[CLOCK_WALL] <= at)
			return t->top_after[i];
	}
	return t->stretches[0].call;
}

static bool
same_call(const struct call *got, const struct ref_call *want)
{
	return (int)got->method - 1 == want->method && (int)got->depth == want->depth &&
	    got->entered_before == want->before && got->unfinished == want->unfinished &&
	    memcmp(got->enter, want->enter, sizeof(got->enter)) == 0 &&
	    memcmp(got->leave, want->leave, sizeof(got->leave)) == 0 &&
	    memcmp(got->exclusive, want->own, sizeof(got->exclusive)) == 0;
}

static void
calls_check(const struct profile *p)
{
	int wrong = 0, idle = 0, tried = 0;

	for (int i = 0; i < 400; i++) {
		const struct ref_thread *t = &ref[i % RANDOM_THREADS];
		nsec first = t->stretches[0].from[CLOCK_WALL];
		nsec at = first + (nsec)random_below((uint32_t)((t->now[CLOCK_WALL] - first) / 500)) * 500;
		int want = top_at(t, at);
		struct call got;

		if (at < first)
			continue;
		tried++;
		timeline_call(p, (uint32_t)(i % RANDOM_THREADS), at, 0, METHOD_NONE, &got, NULL);
		if (want < 0) {
			idle++;
			wrong += got.method != METHOD_NONE;
			continue;
		}
		if (same_call(&got, &t->calls[want]))
			continue;
		if (wrong++ == 0)
			diag("thread %d at %lld: method %d depth %u %lld-%lld own %lld/%lld %d%d, want "
			     "method %d depth %d %lld-%lld own %lld/%lld %d%d", i % RANDOM_THREADS, (long long)at,
			    (int)got.method - 1, got.depth, (long long)got.enter[1], (long long)got.leave[1],
			    (long long)got.exclusive[0], (long long)got.exclusive[1], got.entered_before,
			    got.unfinished, t->calls[want].method, t->calls[want].depth,
			    (long long)t->calls[want].enter[1], (long long)t->calls[want].leave[1],
			    (long long)t->calls[want].own[0], (long long)t->calls[want].own[1],
			    t->calls[want].before, t->calls[want].unfinished);
	}
	is_int(wrong, 0, "%d calls under a time cursor (%d idle)", tried, idle);
}

static bool
cell_right(const struct ref_thread *t, nsec from, nsec to, const struct cell *got)
{
	nsec run[RANDOM_METHODS] = {0}, sleep[RANDOM_METHODS] = {0}, best = 0, busy = 0, asleep = 0;
	double cpu_busy = 0;
	bool ran = false;

	for (int i = 0; i < t->count; i++) {
		const struct stretch *s = &t->stretches[i];
		nsec a = s->from[CLOCK_WALL], b = s->to[CLOCK_WALL];
		nsec cpu = s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
		int m = s->call >= 0 ? t->calls[s->call].method : -1;
		nsec edges[4] = {a, a, a, b};

		if (m < 0 || a == b)
			continue;
		if (b - a - cpu > SLEEP_US * 1000) {
			edges[1] = a + cpu / 2;
			edges[2] = b - (cpu - cpu / 2);
			run[m] += overlap(edges[0], edges[1], from, to) + overlap(edges[2], edges[3], from, to);
			busy = overlap(edges[0], edges[1], from, to) + overlap(edges[2], edges[3], from, to);
			cpu_busy += (double)busy;
			sleep[m] += overlap(edges[1], edges[2], from, to);
			asleep += overlap(edges[1], edges[2], from, to);
		} else {
			nsec part = overlap(a, b, from, to);

			run[m] += part;
			cpu_busy += (double)part * (double)(cpu < b - a ? cpu : b - a) / (double)(b - a);
		}
	}
	for (int m = 0; m < RANDOM_METHODS; m++)
		ran |= run[m] > 0;
	for (int m = 0; m < RANDOM_METHODS; m++)
		if ((ran ? run[m] : sleep[m]) > best)
			best = ran ? run[m] : sleep[m];
	if (best == 0)
		return got->method == METHOD_NONE;
	if (got->method == METHOD_NONE || got->method > RANDOM_METHODS)
		return false;
	/* Equal shares: any of them may win. */
	return (ran ? run : sleep)[got->method - 1] == best &&
	    abs((int)got->busy - (int)(cpu_busy / (double)(to - from) * CELL_FULL)) <= 2 &&
	    abs((int)got->asleep - (int)((double)asleep / (double)(to - from) * CELL_FULL)) <= 2;
}

static nsec
edge(nsec from, nsec to, int columns, int column)
{
	return from + (to - from) * column / columns; /* spans are under an hour here */
}

static void
cells_check(const struct profile *p)
{
	static struct cell cells[RANDOM_THREADS * 100];
	const uint32_t threads[RANDOM_THREADS] = {2, 0, 1};
	int wrong = 0;

	for (int round = 0; round < 12; round++) {
		nsec span = (p->end - p->begin) >> round;
		nsec from = p->begin + (p->end - p->begin - span) / 7 * (nsec)random_below(8);
		int columns = 1 + (int)random_below(100);

		timeline_draw(p, NULL, from, from + span, (uint32_t)columns, threads, RANDOM_THREADS, cells, NULL);
		for (int c = 0; c < columns; c++) {
			for (int r = 0; r < RANDOM_THREADS; r++) {
				if (!cell_right(&ref[threads[r]], edge(from, from + span, columns, c),
					edge(from, from + span, columns, c + 1), &cells[r * columns + c]))
					wrong++;
			}
		}
	}
	is_int(wrong, 0, "cells of windows from whole to tiny");
}

/* Is the method on top anywhere in the window? */
static bool
method_there(const struct ref_thread *t, uint32_t method, nsec from, nsec to)
{
	for (int i = 0; i < t->count; i++) {
		const struct stretch *s = &t->stretches[i];

		if (s->call >= 0 && t->calls[s->call].method + 1 == (int)method &&
		    overlap(s->from[CLOCK_WALL], s->to[CLOCK_WALL], from, to) > 0)
			return true;
	}
	return false;
}

/* A column of the overview's buckets is near what decoding gives. */
static bool
cell_near(const struct cell *near, const struct cell *exact)
{
	/* Edges of buckets are not those of columns, and each bucket keeps one method. */
	return abs((int)near->busy - (int)exact->busy) < CELL_FULL / 8 &&
	    abs((int)near->asleep - (int)exact->asleep) < CELL_FULL / 8;
}

static void
overview_check(struct profile *p)
{
	enum { COLUMNS = 40 };
	static struct cell near[RANDOM_THREADS * COLUMNS], exact[RANDOM_THREADS * COLUMNS];
	const uint32_t threads[RANDOM_THREADS] = {0, 1, 2};
	struct overview *o;
	int far = 0, other = 0, blank = 0;

	p->jobs = 1 + random_below(3);
	o = overview_new(p, 40000);
	while (overview_advance(o, 1000 * (1 + random_below(20)))) {
	}
	for (int round = 0; round < 4; round++) {
		struct raster raster = {p->begin, p->end - (p->end - p->begin) / 5 * round, COLUMNS};

		timeline_draw(p, NULL, raster.from, raster.to, COLUMNS, threads, RANDOM_THREADS, exact, NULL);
		overview_cells(p, o, &raster, threads, RANDOM_THREADS, near);
		for (int i = 0; i < RANDOM_THREADS * COLUMNS; i++) {
			far += !cell_near(&near[i], &exact[i]);
			other += near[i].method != METHOD_NONE &&
			    !method_there(&ref[i / COLUMNS], near[i].method,
				raster_edge(&raster, (uint32_t)i % COLUMNS),
				raster_edge(&raster, (uint32_t)i % COLUMNS + 1));
			blank += (near[i].method == METHOD_NONE) != (exact[i].method == METHOD_NONE);
		}
	}
	is_int(far, 0, "the overview shows how busy a thread was");
	is_int(other, 0, "and a method that is there");
	is_int(blank, 0, "and nothing where nothing is");
	overview_free(o);
}

/* Is a call of the method open on the thread? */
static bool
mark_wanted(int thread, int method, nsec from, nsec to, bool last)
{
	for (int k = 0; k < ref[thread].call_count; k++) {
		const struct ref_call *c = &ref[thread].calls[k];
		nsec a = c->enter[CLOCK_WALL], b = c->leave[CLOCK_WALL];

		if (c->method == method &&
		    (overlap(a, b, from, to) > 0 || (a >= from && (a < to || (last && a == to)))))
			return true;
	}
	return false;
}

/* `records`: that the overview took in; 0: none. */
static void
marks_check(const struct profile *p, uint64_t records)
{
	struct overview *o = records > 0 ? overview_new(p, 40000) : NULL;

	static const uint32_t threads[RANDOM_THREADS] = {2, 0, 1};
	uint8_t marks[90], known[90], rows[RANDOM_THREADS][90];
	int wrong = 0, untrue = 0, some = 0, wrong_rows = 0;

	blocks_methods_clear(p->blocks);
	while (o != NULL && records > 0 && overview_advance(o, 1000))
		records -= records < 1000 ? records : 1000;
	for (int round = 0; round < 10; round++) {
		nsec span = (p->end - p->begin) >> round;
		nsec from = p->begin + (p->end - p->begin - span) / 5 * (nsec)random_below(6);
		uint32_t method = 1 + random_below(RANDOM_METHODS);

		timeline_marks(p, NULL, from, from + span, 90, method, true, marks, NULL);
		timeline_marks(p, NULL, from, from + span, 90, method, false, known, NULL);
		timeline_marks_rows(p, threads, RANDOM_THREADS, from, from + span, 90, method, true,
		    rows[0], NULL);
		for (int c = 0; c < 90; c++) {
			bool want = false;

			for (int i = 0; i < RANDOM_THREADS; i++) {
				bool open = mark_wanted((int)threads[i], (int)method - 1,
				    edge(from, from + span, 90, c), edge(from, from + span, 90, c + 1),
				    c == 89);

				wrong_rows += rows[i][c] != open;
				want |= open;
			}
			wrong += marks[c] != want;
			untrue += known[c] > want;
			some += known[c];
		}
	}
	is_int(wrong, 0, "marks of a method's calls");
	is_int(wrong_rows, 0, "and of each thread");
	is_int(untrue, 0, "none that is known at once is another one");
	ok(records != UINT64_MAX || some > 0, "with an overview some are");
	overview_free(o);
}

/*
 * One call of 999 us, 500 of them asleep: both shares are rounded up, yet a cell has no
 * more than there is.
 */
static void
halves_check(void)
{
	static const char bytes[] =
	    "*version\n3\nclock=dual\n*threads\n1\tmain\n"
	    "*methods\n0x4\ta.B\tm\t()V\tB.java\n*end\n"
	    "SLOW\3\0\40\0\0\0\0\0\0\0\0\0\16\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	    "\1\0\4\0\0\0\0\0\0\0\0\0\0\0"
	    "\1\0\5\0\0\0\363\1\0\0\347\3\0\0";
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, sizeof(bytes) - 1, "halves", &e);
	struct profile *p;
	struct cell cell;

	ok(t != NULL, "halves: opens (%s)", e.what);
	if (t == NULL)
		return;
	p = profile_new(t);
	profile_load(p, 100, &e);
	timeline_draw(p, NULL, 0, 999000, 1, (const uint32_t[]){0}, 1, &cell, NULL);
	is_int(cell.method, 1, "halves: the method");
	is_int(cell.busy, 500, "halves: half of it running");
	is_int(cell.asleep, CELL_FULL - 500, "halves: the rest asleep");
	profile_free(p);
	trace_free(t);
}

/* Cells in which more methods run than can be looked through, among cells with few. */
enum { MANY = 3000, MANY_COLUMNS = 8 };

static struct cell_sum many_got[MANY_COLUMNS];

static void
many_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	(void)context;
	many_got[column] = *sum;
}

static void
many_check(void)
{
	static nsec run[MANY];
	const struct raster raster = {0, (nsec)MANY_COLUMNS * 1000000, MANY_COLUMNS};
	struct cell_row s;
	int wrong = 0;

	cell_row_init(&s, NULL, &raster, many_close, NULL);
	for (uint32_t c = 0; c < MANY_COLUMNS; c++) {
		uint32_t kinds = c % 2 == 0 ? MANY : 1 + 10 * c;
		nsec at = raster_edge(&raster, c), ran = 0, best = 0;

		memset(run, 0, sizeof(run));
		for (int i = 0; i < 20000; i++) {
			uint32_t method = random_below(kinds);
			nsec length = random_below(50);

			cell_row_run(&s, method, at, at + length, length);
			at += length;
			ran += length;
			run[method] += length;
		}
		cell_row_flush(&s);
		for (uint32_t m = 0; m < MANY; m++)
			best = run[m] > best ? run[m] : best;
		wrong += many_got[c].busy != ran ||
		    many_got[c].run != best || run[many_got[c].method] != best;
	}
	is_int(wrong, 0, "cells of many methods");
	cell_row_release(&s);
}

static void
all_check(struct profile *p)
{
	calls_check(p);
	cells_check(p);
	overview_check(p);
	marks_check(p, 0);
	marks_check(p, p->records / 2);
	marks_check(p, UINT64_MAX);
}

int
main(void)
{
	halves_check();
	many_check();
	reference_rounds(all_check);
	return tap_done();
}
