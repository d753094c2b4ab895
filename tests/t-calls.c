// SPDX-License-Identifier: Apache-2.0
/*
 * calls, spread: all calls of a method in random traces against a plain reference, the
 * profile's own figures, and their spread.
 */
#include <config.h>

#include "profile/timeline/calls.h"

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "random-calls.h"
#include "tap/tap.h"
#include "tests/folded.h"

/* The reference's calls of a method in a range ------------------------------------- */

struct want {
	const struct ref_call *call;
	uint32_t thread;
	bool recursive;
};

static struct want wanted[2 * RANDOM_THREADS * RANDOM_RECORDS];
static int wanted_count;

static bool
within(const struct ref_call *c, const struct range *r, bool closed)
{
	nsec a = c->enter[CLOCK_WALL], b = c->leave[CLOCK_WALL];

	if (a >= r->from)
		return a < r->to || (closed && a <= r->to);
	return b > r->from;
}

static nsec wanted_from; /* for the order: calls begin no earlier */

static int
want_order(const void *left, const void *right)
{
	const struct want *a = left, *b = right;
	nsec x = a->call->enter[CLOCK_WALL], y = b->call->enter[CLOCK_WALL];

	x = x < wanted_from ? wanted_from : x;
	y = y < wanted_from ? wanted_from : y;

	if (x != y)
		return x < y ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->call < b->call ? -1 : 1;
}

static void
want_calls(int method, const struct scope *scope, const struct range *range, bool closed)
{
	wanted_count = 0;
	for (uint32_t t = 0; t < RANDOM_THREADS; t++) {
		const struct ref_call *calls = ref[t].calls;
		int depth = 0, *open = calloc((size_t)ref[t].call_count + 1, sizeof(*open));

		/* Calls are in the order of entry, each with its depth. */
		for (int i = 0; i < ref[t].call_count && scope_has(scope, t); i++) {
			bool recursive = false;

			depth = calls[i].depth;
			open[depth - 1] = i;
			for (int d = 0; d < depth - 1; d++)
				recursive |= calls[open[d]].method == method;
			if (calls[i].method == method && within(&calls[i], range, closed))
				wanted[wanted_count++] = (struct want){&calls[i], t, recursive};
		}
		free(open);
	}
	wanted_from = range->from;
	qsort(wanted, (size_t)wanted_count, sizeof(*wanted), want_order);
}

static bool
row_right(const struct calls *c, const struct call_row *row, const struct want *want,
    const struct range *range)
{
	const struct ref_call *w = want->call;
	nsec from = w->enter[CLOCK_WALL] > range->from ? w->enter[CLOCK_WALL] : range->from;
	nsec to = w->leave[CLOCK_WALL] < range->to ? w->leave[CLOCK_WALL] : range->to;
	bool before = w->before || w->enter[CLOCK_WALL] < range->from;
	bool beyond = w->unfinished || w->leave[CLOCK_WALL] > range->to;
	bool all = range_is_all(range);

	if (row->thread != want->thread || row->start != from ||
	    row->time[CLOCK_WALL] != to - from ||
	    (int)c->frames[row->frame].depth != w->depth ||
	    (int)c->frames[row->frame].method - 1 != w->method)
		return false;
	if (((row->flags & CALL_RECURSIVE) != 0) != want->recursive ||
	    ((row->flags & CALL_BEFORE) != 0) != before ||
	    ((row->flags & CALL_BEYOND) != 0) != beyond ||
	    (row->order < CALL_ORDER_FIRST) != before)
		return false;
	return !all || (row->time[CLOCK_CPU] == w->leave[CLOCK_CPU] - w->enter[CLOCK_CPU] &&
	    memcmp(row->exclusive, w->own, sizeof(row->exclusive)) == 0);
}

static int
rows_wrong(const struct calls *c, const struct range *range)
{
	int wrong = abs((int)c->row_count - wanted_count);
	int n = (int)c->row_count < wanted_count ? (int)c->row_count : wanted_count;

	for (int i = 0; i < n; i++) {
		bool right = row_right(c, &c->rows[i], &wanted[i], range);

		if (!right && wrong++ == 0)
			diag("row %d of %d: thread %u start %lld wall %lld flags %u, want thread %u "
			     "%lld-%lld %d%d%d", i, n, c->rows[i].thread, (long long)c->rows[i].start,
			    (long long)c->rows[i].time[CLOCK_WALL], c->rows[i].flags,
			    wanted[i].thread, (long long)wanted[i].call->enter[CLOCK_WALL],
			    (long long)wanted[i].call->leave[CLOCK_WALL], wanted[i].recursive,
			    wanted[i].call->before, wanted[i].call->unfinished);
	}
	return wrong;
}

/* The profile has the same figures. */
static bool
sums_right(const struct calls *c, const struct fold *f)
{
	const struct method_sum *m = &f->methods[c->method];

	return c->count == m->calls + m->recursive_calls &&
	    c->recursive == m->recursive_calls &&
	    memcmp(c->inclusive, m->inclusive, sizeof(c->inclusive)) == 0 &&
	    memcmp(c->exclusive, m->exclusive, sizeof(c->exclusive)) == 0;
}

/* The profile's longest call is that of the rows; in a range it may not be known. */
static bool
longest_right(const struct profile *p, const struct calls *c, const struct fold *f, int *known)
{
	const struct method_sum *m = &f->methods[c->method];
	nsec length = longest_length(&m->longest);
	const struct call_row *want = NULL;

	for (uint32_t i = 0; i < c->row_count; i++) {
		if (want == NULL || c->rows[i].time[p->axis] > want->time[p->axis])
			want = &c->rows[i];
	}
	*known += length >= 0;
	if (want == NULL)
		return length < 0;
	if (length < 0)
		return !range_is_whole(&c->range, p);
	return length == want->time[p->axis] && m->longest.at == want->start &&
	    f->threads[m->longest_thread].in_scope;
}

/* The longest are kept, and the other figures do not change. */
static bool
few_right(const struct profile *p, struct calls_query q, const struct calls *all)
{
	struct calls *c;
	nsec least = INT64_MAX;
	uint32_t longer = 0;
	bool right;

	q.keep = 7;
	c = calls_find(p, &q, NULL, NULL);
	for (uint32_t i = 0; i < c->row_count; i++)
		least = c->rows[i].time[q.clock] < least ? c->rows[i].time[q.clock] : least;
	for (uint32_t i = 0; i < all->row_count; i++)
		longer += all->rows[i].time[q.clock] > least;
	right = c->row_count == (all->count < 7 ? all->count : 7) && longer <= c->row_count &&
	    c->count == all->count && c->over == all->over &&
	    memcmp(&c->spread, &all->spread, sizeof(c->spread)) == 0;
	for (unsigned permille = 0; permille <= 1000 && right; permille += 50) {
		nsec exact = calls_percentile(all, q.clock, permille);
		nsec near = calls_percentile(c, q.clock, permille);

		right = llabs((long long)(near - exact)) <= exact / 250;
	}
	calls_free(c);
	return right;
}

static bool
spread_right(const struct calls *c, enum clock_id clock)
{
	struct spread s = {0};
	uint64_t over = 0;

	for (uint32_t i = 0; i < c->row_count; i++) {
		spread_add(&s, c->rows[i].time[clock]);
		over += c->rows[i].time[clock] > c->budget;
	}
	return memcmp(&s, &c->spread[clock], sizeof(s)) == 0 &&
	    (clock != c->clock || over == c->over);
}

static void
random_check(const struct profile *p)
{
	int rows = 0, sums = 0, few = 0, spreads = 0, longest = 0, known = 0;

	for (int round = 0; round < 40; round++) {
		const struct random_record *a = &random_records[random_below(RANDOM_RECORDS)];
		struct scope *scope = scope_new(p->stack_count, true);
		struct calls_query q = {.range = RANGE_ALL, .method = 1 + random_below(RANDOM_METHODS),
		    .clock = random_below(2) > 0 ? CLOCK_WALL : CLOCK_CPU, .budget = 20000};
		struct calls *c;
		struct fold *f;

		if (round >= 10) {
			q.range.from = (nsec)a->wall * 1000 + (random_below(2) > 0 ? 0 : 500);
			q.range.to = q.range.from + ((p->end - p->begin) >> random_below(14)) / 1000 * 1000;
		}
		if (round % 3 == 1) {
			scope->in[random_below(RANDOM_THREADS)] = 0;
			q.scope = scope;
		}
		if (q.range.from == q.range.to)
			q.range.to++;
		c = calls_find(p, &q, NULL, NULL);
		f = fold_new(p, q.scope, &q.range, NULL);
		want_calls((int)q.method - 1, q.scope, &q.range, q.range.to >= p->end);
		rows += rows_wrong(c, &q.range) != 0;
		if (!sums_right(c, f) && sums++ == 0)
			diag("method %u: %lu calls, %lu recursive, incl %lld/%lld own %lld/%lld; in the "
			     "profile %lu, %lu, %lld/%lld %lld/%lld", q.method, (unsigned long)c->count,
			    (unsigned long)c->recursive, (long long)c->inclusive[0],
			    (long long)c->inclusive[1], (long long)c->exclusive[0],
			    (long long)c->exclusive[1], (unsigned long)f->methods[q.method].calls,
			    (unsigned long)f->methods[q.method].recursive_calls,
			    (long long)f->methods[q.method].inclusive[0],
			    (long long)f->methods[q.method].inclusive[1],
			    (long long)f->methods[q.method].exclusive[0],
			    (long long)f->methods[q.method].exclusive[1]);
		few += !few_right(p, q, c);
		longest += !longest_right(p, c, f, &known);
		spreads += !spread_right(c, CLOCK_WALL) || !spread_right(c, CLOCK_CPU);
		calls_free(c);
		fold_free(f);
		scope_free(scope);
	}
	is_int(rows, 0, "rows as the reference has them");
	is_int(sums, 0, "sums as the profile has them");
	is_int(longest, 0, "the profile has the longest call");
	ok(known > 20, "which is known %d times of 40", known);
	is_int(few, 0, "the longest are kept");
	is_int(spreads, 0, "extremes, sums and buckets");
}

/* By hand -------------------------------------------------------------------------- */

static void
test_spread(void)
{
	struct spread s = {0};

	is_int(spread_bound(0), 1000, "the first bound is a microsecond");
	is_int(spread_bound(4), 20000, "20 us");
	is_int(spread_bound(8), 500000, "500 us");
	is_int(spread_bound(10), 2000000, "2 ms");
	is_int(spread_bound(SPREAD_BUCKETS - 1), INT64_MAX, "the last has none");
	for (int i = 1; i < SPREAD_BUCKETS; i++) {
		struct spread one = {0};
		nsec bound = spread_bound(i - 1);

		if (spread_bound(i) < bound)
			ok(false, "bound %d rises", i);
		spread_add(&one, bound);
		if (bound < INT64_MAX && one.bucket[i - 1] != 1)
			ok(false, "bound %d is in its bucket", i - 1);
	}
	is_int(spread_percentile(&s, 500), 0, "of nothing");
	is_int(spread_mean(&s), 0, "the mean of nothing");
	is_int((int64_t)spread_rank(1, 0), 0, "one: the first");
	is_int((int64_t)spread_rank(10, 500), 4, "half of ten: the fifth");
	is_int((int64_t)spread_rank(10, 510), 5, "more than half: the sixth");
	is_int((int64_t)spread_rank(1152, 990), 1140, "as in doc: the 1141st of 1152");
	is_int((int64_t)spread_rank(10, 1000), 9, "all: the last");
	for (nsec i = 1; i <= 100; i++)
		spread_add(&s, i * 1000);
	is_int(s.min, 1000, "min");
	is_int(s.max, 100000, "max");
	is_int(s.sum, 5050000, "sum");
	is_int(spread_mean(&s), 50500, "mean");
	is_int((int64_t)s.bucket[0], 1, "up to and with 1 us");
	is_int((int64_t)s.bucket[4], 10, "11 to 20 us");
	is_int((int64_t)s.bucket[6], 50, "51 to 100 us");
	is_int((int64_t)s.bucket[7], 0, "none longer");
	ok(llabs((long long)spread_percentile(&s, 500) - 50000) < 200, "the median");
	is_int(spread_percentile(&s, 1000), 100000, "100 %% is the maximum");
	s = (struct spread){0};
	spread_add(&s, INT64_MAX);
	spread_add(&s, 0);
	is_int(spread_percentile(&s, 1000), INT64_MAX, "no time is too long");
	is_int(spread_percentile(&s, 0), 0, "nor too short");
}

/* From the middle to the end, and back to the beginning, one call at a time. */
static void
near_check(const struct profile *p)
{
	int missed = 0, wrong = 0, ends = 0;

	for (int round = 0; round < 4; round++) {
		struct calls_query q = {.range = RANGE_ALL, .method = 1 + random_below(RANDOM_METHODS)};
		struct call_place at, next;
		struct call call;
		struct calls *c;
		uint32_t i;

		if (round > 1)
			q.range = (struct range){p->end / 3, p->end / 2};
		c = calls_find(p, &q, NULL, NULL);
		i = c->row_count / 2;
		at = (struct call_place){c->rows[i].start, c->rows[i].thread, c->rows[i].order};
		for (uint32_t k = i + 1; k < c->row_count && k < i + 20; k++) {
			const struct call_row *row = &c->rows[k];

			calls_near(p, &q, &at, 1, &next, &call, NULL);
			missed += call.method != q.method || next.start != row->start ||
			    next.thread != row->thread || next.order != row->order;
			wrong += (row->flags & CALL_BEYOND) == 0 &&
			    (call.leave[CLOCK_WALL] - call.enter[CLOCK_WALL] != row->time[CLOCK_WALL] ||
				call.exclusive[CLOCK_WALL] != row->exclusive[CLOCK_WALL]);
			at = next;
		}
		at = (struct call_place){c->rows[0].start, c->rows[0].thread, c->rows[0].order};
		calls_near(p, &q, &at, -1, &next, &call, NULL);
		ends += call.method != METHOD_NONE;
		at = (struct call_place){INT64_MAX, UINT32_MAX, UINT64_MAX};
		calls_near(p, &q, &at, 1, &next, &call, NULL);
		ends += call.method != METHOD_NONE;
		for (uint32_t k = c->row_count; k-- > 0 && k + 10 > c->row_count;) {
			calls_near(p, &q, &at, -1, &next, &call, NULL);
			missed += next.start != c->rows[k].start || next.thread != c->rows[k].thread;
			at = next;
		}
		calls_free(c);
	}
	is_int(missed, 0, "the next call, and the one before");
	is_int(wrong, 0, "with its times");
	is_int(ends, 0, "none after the last and before the first");
}

static void
test_cancel(const struct profile *p)
{
	atomic_bool cancel = true;
	share_done done;
	struct calls_query q = {.range = RANGE_ALL, .method = 1};
	struct calls *c;

	ok(calls_find(p, &q, NULL, &cancel) == NULL, "cancelled");
	c = calls_find(p, &q, &done, NULL);
	ok(c->whole && c->progress == 1, "all was looked at");
	ok(atomic_load(&done) <= SHARE_ALL, "and not more");
	calls_free(c);
}

/* The longest calls are the same, however many workers look for them. */
static void
share_check(struct profile *p)
{
	struct calls_query q = {.range = RANGE_ALL, .clock = CLOCK_WALL, .keep = 40};

	for (q.method = 1; q.method <= 4; q.method++) {
		struct calls *one, *more;

		p->jobs = 1;
		one = calls_find(p, &q, NULL, NULL);
		p->jobs = RANDOM_THREADS;
		more = calls_find(p, &q, NULL, NULL);
		ok(more->row_count == one->row_count && more->whole && more->row_count > 0 &&
			memcmp(more->rows, one->rows, one->row_count * sizeof(*one->rows)) == 0,
		    "method %u: the same %u rows", q.method, one->row_count);
		ok(memcmp(more->spread, one->spread, sizeof(one->spread)) == 0, "and spread");
		calls_free(one);
		calls_free(more);
	}
}

int
main(void)
{
	test_spread();
	for (int round = 0; round < 6; round++) {
		struct err e = {0};
		struct profile *p;
		struct trace *t;
		uint8_t *bytes;
		size_t size;

		random_trace_make((uint64_t)round + 31, 2);
		reference_make();
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		if (!ok(t != NULL, "round %d: opens (%s)", round, e.what))
			break;
		p = profile_new(t);
		blocks_choose(p->blocks, 500, BLOCK_BYTES);
		while (profile_load(p, 5000, &e) == LOAD_MORE)
			;
		p->jobs = 1 + (unsigned)round % RANDOM_THREADS;
		random_check(p);
		near_check(p);
		share_check(p);
		if (round == 0)
			test_cancel(p);
		profile_free(p);
		trace_free(t);
		free(bytes);
		reference_free();
	}
	return tap_done();
}
