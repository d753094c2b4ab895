// SPDX-License-Identifier: Apache-2.0
/*
 * range: windows of random traces against a plain reference that keeps every call with its
 * times; in every format neighbours add up, and workers and threads apart count the same.
 */
#include <config.h>


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "random-calls.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "tests/folded.h"

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
					own[CLOCK_CPU] += reference_cpu(s, y) - reference_cpu(s, x);
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
range_jobs_same(struct profile *p, nsec from, nsec to)
{
	const struct range range = {from, to};
	struct range_sums one, three;
	bool same;

	p->jobs = 1;
	range_count(p, NULL, &range, &one, NULL, NULL);
	p->jobs = 3;
	range_count(p, NULL, &range, &three, NULL, NULL);
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
	struct scope *scope = scope_new(p->stack_count, true);
	struct range_sums sums;
	struct fold *x, *y;
	share_done done;
	bool same;

	scope->in[random_below(p->stack_count)] = 0;
	range_count(p, NULL, &range, &sums, &done, NULL);
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
ranges_check(struct profile *p)
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

/* Other formats; many blocks, and records enough to be counted thread by thread. */
static void
made_check(const char *options, uint32_t limit)
{
	enum { SIZE_MOST = 4 << 20, PART_RECORDS = 512, WINDOWS = 12 };
	const atomic_bool cancel = true;
	size_t size = 0;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);
	struct err e = {0};
	struct trace *t = bytes != NULL ? format_open_memory(bytes, size, "made", &e) : NULL;
	struct profile *p;
	struct range_sums none;
	int sums = 0, jobs = 0, scopes = 0;

	if (!ok(t != NULL, "%s", options))
		return;
	p = profile_new(t);
	p->tree.limit = limit;
	blocks_choose(p->blocks, PART_RECORDS, BLOCK_BYTES);
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	for (int i = 0; i < WINDOWS; i++) {
		nsec length = p->end - p->begin, span = length >> random_below(10);
		nsec from = p->begin - 500 + (length - span) / 1000 * random_below(1000);

		jobs += !range_jobs_same(p, from, from + span);
		sums += !ranges_add(p, from, from + span);
		scopes += !range_scope_same(p, from, from + span);
	}
	ok(p->blocks->count > 20 && sums == 0, "adjacent ranges add up");
	is_int(jobs, 0, "several workers count the same");
	is_int(scopes, 0, "counted for all threads, folded for some");
	ok(range_whole_same(p), "the whole as a range is the whole");
	ok(!range_count(p, NULL, &(struct range){p->begin + 9, p->end}, &none, NULL, &cancel),
	    "cancelled");
	profile_free(p);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
#define HARM " --entered=3 --open --recursion=900 --unroll=300 --lost=30 --stray=20 "
	reference_rounds(ranges_check);
	made_check("--records=60k --threads=7" HARM, TREE_LIMIT);
	made_check("--records=60k --threads=7 --depth=30" HARM, 50);
	made_check("--records=60k --data-version=1 --clock=wall --backward=40" HARM, TREE_LIMIT);
	made_check("--records=16k --data-version=2 --clock=thread-cpu --reserved=20" HARM, TREE_LIMIT);
	made_check("--records=60k --backward=40 --unknown-methods=90 --unknown-threads=900" HARM,
	    TREE_LIMIT);
	made_check("--records=16k --span=9000 --threads=20" HARM, TREE_LIMIT);
	made_check("--records=16k --format=streaming14 --backward=40" HARM, TREE_LIMIT);
	made_check("--records=16k --format=v2a" HARM, TREE_LIMIT);
	made_check("--records=16k --format=v2b-stream" HARM, 200);
	return tap_done();
}
