// SPDX-License-Identifier: Apache-2.0
/* sequence: what threads of random traces did, against a plain reference. */
#include <config.h>

#include "profile/timeline/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "random-calls.h"
#include "tap/tap.h"

static struct sequence_row *wanted;
static uint32_t wanted_count;

static const struct ref_thread *thread;
static struct range range;
static bool closed;
static nsec least;
static nsec (*own)[CLOCKS], (*inclusive)[CLOCKS]; /* by call of the thread, within the range */

static bool
within(const struct ref_call *c)
{
	nsec a = c->enter[CLOCK_WALL], b = c->leave[CLOCK_WALL];

	if (a >= range.from)
		return a < range.to || (closed && a <= range.to);
	return b > range.from;
}

/* Times of the thread's calls within the range, stretch by stretch. */
static void
times_make(void)
{
	size_t size = ((size_t)thread->call_count + 1) * sizeof(*own);

	own = realloc(own, size);
	inclusive = realloc(inclusive, size);
	memset(own, 0, size);
	for (int i = 0; i < thread->count; i++) {
		const struct stretch *s = &thread->stretches[i];
		nsec a = s->from[CLOCK_WALL] > range.from ? s->from[CLOCK_WALL] : range.from;
		nsec b = s->to[CLOCK_WALL] < range.to ? s->to[CLOCK_WALL] : range.to;

		if (s->call < 0)
			continue;
		if (b > a) {
			own[s->call][CLOCK_WALL] += b - a;
			own[s->call][CLOCK_CPU] += reference_cpu(s, b) - reference_cpu(s, a);
		} else if (s->from[CLOCK_WALL] == s->to[CLOCK_WALL] && s->to[CLOCK_WALL] >= range.from &&
		    (closed || s->to[CLOCK_WALL] < range.to)) {
			own[s->call][CLOCK_CPU] += s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
		}
	}
	memcpy(inclusive, own, size);
	for (int i = thread->call_count; --i > 0;)
		for (int above = i; --above >= 0;)
			if (thread->calls[above].depth < thread->calls[i].depth) {
				for (int c = 0; c < CLOCKS; c++)
					inclusive[above][c] += inclusive[i][c];
				break;
			}
}

static struct sequence_row
row_of(const struct ref_call *c)
{
	struct sequence_row row = {.method = (uint32_t)c->method + 1, .calls = 1};

	row.from = c->enter[CLOCK_WALL] > range.from ? c->enter[CLOCK_WALL] : range.from;
	row.to = c->leave[CLOCK_WALL] < range.to ? c->leave[CLOCK_WALL] : range.to;
	row.time[CLOCK_WALL] = row.to - row.from;
	row.time[CLOCK_CPU] = inclusive[c - thread->calls][CLOCK_CPU];
	memcpy(row.exclusive, own[c - thread->calls], sizeof(row.exclusive));
	if (c->before || c->enter[CLOCK_WALL] < range.from)
		row.flags |= CALL_BEFORE;
	if (c->unfinished || c->leave[CLOCK_WALL] > range.to)
		row.flags |= CALL_BEYOND;
	return row;
}

static void
sum(struct sequence_row *to, const struct sequence_row *row)
{
	if (to->calls == 0) {
		*to = *row;
		return;
	}
	if (to->method != row->method)
		to->method = METHOD_NONE;
	to->to = row->to;
	to->calls += row->calls;
	to->flags |= row->flags;
	for (int c = 0; c < CLOCKS; c++) {
		to->time[c] += row->time[c];
		to->exclusive[c] += row->exclusive[c];
	}
}

static bool
is_small(const struct sequence_row *row)
{
	return row->time[CLOCK_WALL] < least;
}

static void want_below(int first, int end, uint32_t depth);

/* The innermost of the calls that were open all the time, each below the one before. */
static uint32_t
want_base(void)
{
	uint32_t base = 0;

	for (uint32_t i = 0; i < wanted_count && wanted[i].below == wanted_count - i - 1 &&
	     wanted[i].calls == 1 && wanted[i].flags == (CALL_BEFORE | CALL_BEYOND); i++)
		base = i;
	return base;
}

/* The end of the calls below one. */
static int
call_end(int call)
{
	int end = call + 1;

	while (end < thread->call_count && thread->calls[end].depth > thread->calls[call].depth)
		end++;
	return end;
}

static struct sequence_row *
want(const struct sequence_row *row, uint32_t depth)
{
	wanted[wanted_count] = *row;
	wanted[wanted_count].depth = depth;
	return &wanted[wanted_count++];
}

/* Those calls one after another; small neighbours are one row. */
static void
want_calls(const int *calls, int count, uint32_t depth)
{
	for (int i = 0; i < count;) {
		struct sequence_row row = row_of(&thread->calls[calls[i]]), more = row, *made;
		bool small = is_small(&row);
		int next = i + 1;

		while (small && next < count &&
		    (more = row_of(&thread->calls[calls[next]]), is_small(&more))) {
			sum(&row, &more);
			next++;
		}
		made = want(&row, depth);
		if (!small)
			want_below(calls[i] + 1, call_end(calls[i]), depth + 1);
		made->below = wanted_count - (uint32_t)(made - wanted) - 1;
		i = next;
	}
}

/* The lists of calls that begin there, up to `end`. */
static void
want_below(int first, int end, uint32_t depth)
{
	int *calls = calloc((size_t)(end - first) + 1, sizeof(*calls)), count = 0;

	for (int i = first; i < end; i = call_end(i))
		if (within(&thread->calls[i]))
			calls[count++] = i;
	for (int i = 0; i < count;) {
		struct sequence_row fold = {0};
		int runs_end = i, large = 0;

		/* Small runs from here on. */
		while (runs_end < count) {
			struct sequence_row run = {0};
			int k = runs_end;

			for (; k < count && thread->calls[calls[k]].method ==
			     thread->calls[calls[runs_end]].method; k++) {
				struct sequence_row row = row_of(&thread->calls[calls[k]]);

				sum(&run, &row);
			}
			large = k;
			if (!is_small(&run)) {
				if (runs_end == i)
					fold = run;
				break;
			}
			sum(&fold, &run);
			runs_end = k;
		}
		if (runs_end > i) {
			want(&fold, depth);
			i = runs_end;
			continue;
		}
		if (large == i + 1) {
			want_calls(&calls[i], 1, depth);
		} else {
			struct sequence_row *made = want(&fold, depth);
			uint32_t before = wanted_count;

			want_calls(&calls[i], large - i, depth + 1);
			/* One row of small calls alone says nothing more. */
			if (wanted_count == before + 1 && wanted[before].calls == fold.calls)
				wanted_count--;
			made->below = wanted_count - (uint32_t)(made - wanted) - 1;
		}
		i = large;
	}
	free(calls);
}

static bool
row_right(const struct sequence_row *row, const struct sequence_row *w)
{
	if (row->method != w->method || row->depth != w->depth || row->below != w->below ||
	    row->calls != w->calls || row->from != w->from || row->to != w->to ||
	    row->flags != w->flags || row->time[CLOCK_WALL] != w->time[CLOCK_WALL])
		return false;
	return row->time[CLOCK_CPU] == w->time[CLOCK_CPU] &&
	    row->exclusive[CLOCK_CPU] == w->exclusive[CLOCK_CPU] &&
	    row->exclusive[CLOCK_WALL] == w->exclusive[CLOCK_WALL];
}

static int
rows_wrong(const struct thread_sequence *s)
{
	int wrong = s->count != wanted_count;

	for (uint32_t i = 0; i < s->count && i < wanted_count; i++) {
		const struct sequence_row *r = &s->rows[i], *w = &wanted[i];

		if (!row_right(r, w) && wrong++ < 2)
			diag("row %u of %u (%u): method %u depth %u below %u calls %llu %lld-%lld wall %lld "
			     "flags %u, want method %u depth %u below %u calls %llu %lld-%lld wall %lld flags %u",
			    i, s->count, wanted_count, r->method, r->depth, r->below,
			    (unsigned long long)r->calls, (long long)r->from, (long long)r->to,
			    (long long)r->time[CLOCK_WALL], r->flags, w->method, w->depth, w->below,
			    (unsigned long long)w->calls, (long long)w->from, (long long)w->to,
			    (long long)w->time[CLOCK_WALL], w->flags);
	}
	return wrong;
}

static int
check_range(const struct profile *p)
{
	int wrong = 0;

	closed = range.to >= p->end;
	for (uint32_t t = 0; t < RANDOM_THREADS; t++) {
		struct sequence_query q = {.thread = t, .range = range, .least = least};
		struct thread_sequence *s = sequence_find(p, &q, NULL);

		thread = &ref[t];
		times_make();
		wanted_count = 0;
		want_below(0, thread->call_count, 0);
		wrong += rows_wrong(s) + (s->base != want_base());
		sequence_free(s);
	}
	return wrong;
}

static void
check(struct profile *p)
{
	static const nsec leasts[] = {1, 20000, 300000, 5000000, INT64_MAX};
	int wrong = 0;

	wanted = calloc(2 * RANDOM_RECORDS, sizeof(*wanted));
	for (size_t i = 0; i < sizeof(leasts) / sizeof(leasts[0]); i++) {
		range = RANGE_ALL;
		least = leasts[i];
		ok(check_range(p) == 0, "all, from %lld ns on", (long long)least);
	}
	for (int i = 0; i < 60; i++) {
		nsec span = p->end - p->begin;

		range.from = p->begin + (nsec)random_below((uint32_t)(span / 1000)) * 1000;
		range.to = range.from + (nsec)random_below((uint32_t)(span / 3000)) * 1000;
		least = leasts[random_below(4)];
		wrong += check_range(p);
	}
	ok(wrong == 0, "ranges");
	free(wanted);
}

int
main(void)
{
	reference_rounds(check);
	free(own);
	free(inclusive);
	return tap_done();
}
