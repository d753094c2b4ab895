/*
 * The limit of call paths: what is beyond it is counted as (other), nothing is lost, and
 * replays agree.
 */
#include <config.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "profile/load/sampling.h"
#include "profile/sum/fold.h"
#include "profile/timeline/timeline.h"

#include <stdlib.h>

#include "random-trace.h"
#include "tap/tap.h"

static struct profile *
load(struct trace *t, uint32_t limit)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	p->tree.limit = limit;
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	return p;
}

static int
differing(const struct tree *t, const struct count *b)
{
	int wrong = 0;

	for (uint32_t i = 1; i < t->count; i++) {
		struct count a = tree_count(t, i);

		wrong += a.calls != b[i].calls || a.time[CLOCK_CPU] != b[i].time[CLOCK_CPU] ||
		    a.time[CLOCK_WALL] != b[i].time[CLOCK_WALL];
	}
	return wrong;
}

/* Each record a path of its own, and just enough room: workers leave some of it unused. */
static void
swept(void)
{
	struct err e = {0};
	struct profile *p;
	struct loader *l;
	struct trace *t;
	uint8_t *bytes;
	size_t size;

	random_trace_make(7, 0);
	for (int i = 0; i < RANDOM_RECORDS; i++) {
		random_records[i].thread = i / 20 % RANDOM_THREADS;
		random_records[i].action = 0;
	}
	bytes = random_trace_bytes(&size);
	t = format_open_memory(bytes, size, "deep", &e);
	p = profile_new(t);
	p->tree.limit = 1 + 2 * RANDOM_THREADS + RANDOM_RECORDS;
	profile_load(p, 1, &e);
	sampling_free(p->sampling);
	p->sampling = NULL;
	l = loader_new(p, RANDOM_THREADS);
	loader_divide(l, RANDOM_THREADS);
	while (loader_round(l, RANDOM_RECORDS)) {
	}
	loader_free(l);
	ok(p->at.offset == t->source->end, "workers get to the end");
	is_int((int64_t)p->damage.kind[DAMAGE_MERGED_CALL].count, 0, "all paths within the limit");
	profile_free(p);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
	swept();
	for (uint32_t limit = 2; limit < 3000; limit *= 3) {
		struct err e = {0};
		const struct range all = {INT64_MIN + 1, INT64_MAX};
		struct range_sums again;
		struct trace *t;
		struct profile *whole, *p;
		struct fold *x, *y;
		uint8_t *bytes;
		size_t size;
		nsec own[CLOCKS] = {0};

		random_trace_make(limit, 0);
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		whole = load(t, TREE_LIMIT);
		p = load(t, limit);
		x = fold_new(whole, NULL, NULL, NULL);
		y = fold_new(p, NULL, NULL, NULL);
		ok(p->tree.count <= 2 * limit + 30, "%u: %u nodes", limit, p->tree.count);
		ok(p->damage.kind[DAMAGE_MERGED_CALL].count > 0, "and it is told");
		is_int((int64_t)y->calls, (int64_t)x->calls, "no call is lost");
		is_int(y->total[CLOCK_WALL], x->total[CLOCK_WALL], "nor time");
		for (uint32_t m = 0; m < y->method_count; m++) {
			for (int c = 0; c < CLOCKS; c++)
				own[c] += y->methods[m].exclusive[c];
		}
		is_int(own[CLOCK_CPU], x->total[CLOCK_CPU], "exclusive times add up");
		is_int((int64_t)p->damage.kind[DAMAGE_UNFINISHED_CALL].count,
		    (int64_t)whole->damage.kind[DAMAGE_UNFINISHED_CALL].count, "as many calls are open");
		range_count(p, NULL, &all, &again, NULL, NULL);
		is_int(differing(&p->tree, again.counts), 0, "a replay counts the same");
		range_release(&again);
		fold_free(x);
		fold_free(y);
		profile_free(p);
		profile_free(whole);
		trace_free(t);
		free(bytes);
	}
	return tap_done();
}
