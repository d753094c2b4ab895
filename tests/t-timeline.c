/*
 * timeline, replay, range: cells, marks, single calls and windows of random traces
 * against a plain reference that keeps every call with its times.
 */
#include <config.h>

#include "format/format.h"
#include "profile/fold.h"
#include "profile/overview.h"
#include "profile/strip.h"
#include "profile/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random-calls.h"
#include "tap/tap.h"

enum { SLEEP_US = 100 };

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
		timeline_call_at(p, (uint32_t)(i % RANDOM_THREADS), at, &got, NULL);
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

static nsec
overlap(nsec a, nsec b, nsec from, nsec to)
{
	nsec begin = a > from ? a : from, end = b < to ? b : to;

	return end > begin ? end - begin : 0;
}

static bool
cell_right(const struct ref_thread *t, nsec from, nsec to, const struct cell *got)
{
	nsec run[RANDOM_METHODS] = {0}, sleep[RANDOM_METHODS] = {0}, best = 0, busy = 0, asleep = 0;
	double cpu_busy = 0, all = 0;
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
	for (int m = 0; m < RANDOM_METHODS; m++) {
		all += (double)run[m];
		if ((ran ? run[m] : sleep[m]) > best)
			best = ran ? run[m] : sleep[m];
	}
	if (best == 0)
		return got->method == METHOD_NONE;
	if (got->method == METHOD_NONE || got->method > RANDOM_METHODS)
		return false;
	if (abs((int)got->won - (int)(ran ? (double)best / all * CELL_FULL : CELL_FULL)) > 2)
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
	/* Buckets stand askew of columns and keep one method each. */
	return abs((int)near->busy - (int)exact->busy) < CELL_FULL / 8 &&
	    abs((int)near->asleep - (int)exact->asleep) < CELL_FULL / 8;
}

static void
overview_check(const struct profile *p)
{
	enum { COLUMNS = 40 };
	static struct cell near[RANDOM_THREADS * COLUMNS], exact[RANDOM_THREADS * COLUMNS];
	const uint32_t threads[RANDOM_THREADS] = {0, 1, 2};
	struct overview *o = overview_new(p, 40000);
	int far = 0, other = 0, blank = 0;

	while (overview_advance(o, 1000)) {
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

static bool
mark_wanted(int method, nsec from, nsec to, bool last)
{
	for (int i = 0; i < RANDOM_THREADS; i++) {
		for (int k = 0; k < ref[i].call_count; k++) {
			const struct ref_call *c = &ref[i].calls[k];
			nsec a = c->enter[CLOCK_WALL], b = c->leave[CLOCK_WALL];

			if (c->method == method &&
			    (overlap(a, b, from, to) > 0 || (a >= from && (a < to || (last && a == to)))))
				return true;
		}
	}
	return false;
}

/* `records`: that the overview took in; 0: none. */
static void
marks_check(const struct profile *p, uint64_t records)
{
	struct overview *o = records > 0 ? overview_new(p, 40000) : NULL;

	uint8_t marks[90];
	int wrong = 0;

	while (o != NULL && records > 0 && overview_advance(o, 1000))
		records -= records < 1000 ? records : 1000;
	for (int round = 0; round < 10; round++) {
		nsec span = (p->end - p->begin) >> round;
		nsec from = p->begin + (p->end - p->begin - span) / 5 * (nsec)random_below(6);
		uint32_t method = 1 + random_below(RANDOM_METHODS);

		timeline_marks(p, o, NULL, from, from + span, 90, method, marks, NULL);
		for (int c = 0; c < 90; c++)
			wrong += marks[c] != mark_wanted((int)method - 1, edge(from, from + span, 90, c),
				    edge(from, from + span, 90, c + 1), c == 89);
	}
	is_int(wrong, 0, "marks of a method's calls");
	overview_free(o);
}

/* CPU time at a wall time within a stretch: gap.h's rule, written again. */
static nsec
cpu_at(const struct stretch *s, nsec wall)
{
	nsec cpu = s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
	nsec span = s->to[CLOCK_WALL] - s->from[CLOCK_WALL], in = wall - s->from[CLOCK_WALL];

	if (span - cpu <= SLEEP_US * 1000)
		return cpu * in / span;
	if (in <= cpu / 2)
		return in;
	return in >= span - (cpu - cpu / 2) ? cpu - (span - in) : cpu / 2;
}

static int
range_differs(const struct profile *p, nsec from, nsec to)
{
	struct range range = {from, to};
	struct fold *f = fold_new(p, NULL, &range, NULL);
	bool closed = to >= p->end;
	int wrong = 0;

	for (int m = 0; m < RANDOM_METHODS; m++) {
		const struct method_sum *got = &f->methods[m + 1];
		uint64_t calls = 0;
		nsec own[CLOCKS] = {0};

		for (int t = 0; t < RANDOM_THREADS; t++) {
			for (int i = 0; i < ref[t].call_count; i++) {
				const struct ref_call *c = &ref[t].calls[i];
				nsec a = c->enter[CLOCK_WALL], b = c->leave[CLOCK_WALL];

				calls += c->method == m && (overlap(a, b, from, to) > 0 ||
				    (a == b && a >= from && (a < to || closed)));
			}
			for (int i = 0; i < ref[t].count; i++) {
				const struct stretch *s = &ref[t].stretches[i];
				nsec a = s->from[CLOCK_WALL], b = s->to[CLOCK_WALL];
				nsec x = a > from ? a : from, y = b < to ? b : to;

				if (s->call < 0 || ref[t].calls[s->call].method != m)
					continue;
				if (a == b) {
					if (a >= from && (a < to || closed))
						own[CLOCK_CPU] += s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
				} else if (x < y) {
					own[CLOCK_WALL] += y - x;
					own[CLOCK_CPU] += cpu_at(s, y) - cpu_at(s, x);
				}
			}
		}
		wrong += got->calls + got->recursive_calls != calls ||
		    memcmp(got->exclusive, own, sizeof(own)) != 0;
	}
	fold_free(f);
	return wrong;
}

/* Adjacent ranges: the times of all methods, inclusive too, add up to the whole. */
static bool
ranges_add(const struct profile *p, nsec cut1, nsec cut2)
{
	const struct range ranges[] = {{INT64_MIN, cut1}, {cut1, cut2}, {cut2, INT64_MAX}};
	struct fold *whole = fold_new(p, NULL, NULL, NULL);
	nsec *sums = calloc(whole->method_count * 4, sizeof(*sums));
	bool same = true;

	for (int i = 0; i < 3; i++) {
		struct fold *f = fold_new(p, NULL, &ranges[i], NULL);

		for (uint32_t m = 0; m < whole->method_count; m++) {
			for (int c = 0; c < CLOCKS; c++) {
				sums[m * 4 + (uint32_t)c] += f->methods[m].inclusive[c];
				sums[m * 4 + 2 + (uint32_t)c] += f->methods[m].exclusive[c];
			}
		}
		fold_free(f);
	}
	for (uint32_t m = 0; m < whole->method_count; m++) {
		same &= memcmp(&sums[m * 4], whole->methods[m].inclusive, 2 * sizeof(nsec)) == 0;
		same &= memcmp(&sums[m * 4 + 2], whole->methods[m].exclusive, 2 * sizeof(nsec)) == 0;
	}
	free(sums);
	fold_free(whole);
	return same;
}

static bool
range_whole_same(const struct profile *p)
{
	const struct range all = {p->begin, p->end};
	struct fold *x = fold_new(p, NULL, NULL, NULL), *y = fold_new(p, NULL, &all, NULL);
	bool same = x->calls == y->calls && memcmp(x->total, y->total, sizeof(x->total)) == 0 &&
	    memcmp(x->methods, y->methods, x->method_count * sizeof(*x->methods)) == 0 &&
	    memcmp(x->threads, y->threads, x->thread_count * sizeof(*x->threads)) == 0;

	fold_free(x);
	fold_free(y);
	return same;
}

/* Several workers count what one counts. */
static bool
range_jobs_same(const struct profile *p, nsec from, nsec to)
{
	const struct range range = {from, to};
	struct range_sums one, three;
	bool same;

	range_count(p, NULL, &range, 1, &one, NULL, NULL);
	range_count(p, NULL, &range, 3, &three, NULL, NULL);
	same = memcmp(one.counts, three.counts, p->tree.count * sizeof(*one.counts)) == 0;
	range_release(&one);
	range_release(&three);
	return same;
}

/* A range counted for all threads serves those of any scope. */
static bool
range_scope_same(const struct profile *p, nsec from, nsec to)
{
	const struct range range = {from, to};
	struct scope *scope = scope_new(p->lane_count, true);
	struct range_sums sums;
	struct fold *x, *y;
	share_done done;
	bool same;

	scope->in[random_below(p->lane_count)] = 0;
	range_count(p, NULL, &range, 1, &sums, &done, NULL);
	x = fold_new(p, scope, &range, NULL);
	y = fold_make(p,
	    &(struct fold_query){.scope = scope, .range = &range, .sums = &sums, .relations = true},
	    NULL);
	same = x->calls == y->calls && x->present == y->present &&
	    x->whole_calls == y->whole_calls &&
	    memcmp(x->total, y->total, sizeof(x->total)) == 0 &&
	    memcmp(x->whole, y->whole, sizeof(x->whole)) == 0 &&
	    memcmp(x->methods, y->methods, x->method_count * sizeof(*x->methods)) == 0;
	fold_free(x);
	x = fold_new(p, scope, NULL, NULL);
	same &= x->calls == y->whole_calls && memcmp(x->total, y->whole, sizeof(x->total)) == 0;
	same &= atomic_load(&done) <= SHARE_ALL;
	fold_free(x);
	fold_free(y);
	range_release(&sums);
	scope_free(scope);
	return same;
}

static void
ranges_check(const struct profile *p)
{
	int wrong = 0, jobs = 0, sums = 0, scopes = 0;

	for (int round = 0; round < 12; round++) {
		const struct random_record *a = &random_records[random_below(RANDOM_RECORDS)];
		nsec span = (p->end - p->begin) >> random_below(14);
		nsec from = random_below(2) > 0
		    ? (nsec)a->wall * 1000
		    : p->begin + (nsec)random_below((uint32_t)((p->end - p->begin) / 7)) * 7;
		nsec to = round == 0 ? p->end : from + span;

		wrong += range_differs(p, from, to);
		jobs += !range_jobs_same(p, from, to);
		sums += !ranges_add(p, from, to);
		scopes += !range_scope_same(p, from, to);
	}
	is_int(wrong, 0, "calls and own times in ranges");
	is_int(sums, 0, "adjacent ranges add up");
	is_int(jobs, 0, "several workers count the same");
	is_int(scopes, 0, "counted for all threads, folded for some");
	ok(range_whole_same(p), "the whole as a range is the whole");
}

/* Threads far apart in time whose records stand side by side, as with clocks of their own. */
static void
threads_part(uint32_t us)
{
	for (int i = 0; i < RANDOM_RECORDS; i++) {
		random_records[i].wall += (uint32_t)random_records[i].thread * us;
		random_records[i].cpu += (uint32_t)random_records[i].thread * us;
	}
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

int
main(void)
{
	halves_check();
	for (int round = 0; round < 8; round++) {
		struct err e = {0};
		struct profile *p;
		struct trace *t;
		uint8_t *bytes;
		size_t size;

		random_trace_make((uint64_t)round + 1, 2);
		if (round >= 6)
			threads_part(round == 6 ? 100000 : 10000000);
		reference_make();
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		ok(t != NULL, "round %d: opens (%s)", round, e.what);
		if (t == NULL)
			break;
		p = profile_new(t);
		while (profile_load(p, 5000, &e) == LOAD_MORE) {
		}
		ok(p->checkpoint_count > 2, "%zu checkpoints", p->checkpoint_count);
		calls_check(p);
		cells_check(p);
		overview_check(p);
		marks_check(p, 0);
		marks_check(p, p->records / 2);
		marks_check(p, UINT64_MAX);
		ranges_check(p);
		profile_free(p);
		trace_free(t);
		free(bytes);
		reference_free();
	}
	return tap_done();
}
