// SPDX-License-Identifier: Apache-2.0
/*
 * calls, guided by the overview: the same calls as without it, and less is decoded.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "profile/timeline/calls.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

static struct calls *
search(const struct profile *p, const struct calls_query *q, int *steps)
{
	struct calls_search *s = calls_search_new(p, q);
	struct calls *found;

	for (*steps += 1; calls_search_step(s); *steps += 1) {
	}
	found = calls_search_result(s);
	calls_search_free(s);
	return found;
}

static bool
same(const struct calls *a, const struct calls *b)
{
	return a->whole && b->whole && a->count == b->count && a->recursive == b->recursive &&
	    a->cut == b->cut && memcmp(a->inclusive, b->inclusive, sizeof(a->inclusive)) == 0 &&
	    memcmp(a->exclusive, b->exclusive, sizeof(a->exclusive)) == 0 &&
	    memcmp(a->spread, b->spread, sizeof(a->spread)) == 0 &&
	    a->row_count == b->row_count &&
	    (a->row_count == 0 ||
		memcmp(a->rows, b->rows, a->row_count * sizeof(*a->rows)) == 0);
}

/* Every eleventh method, in all of the trace and in a range of it. */
enum { EVERY = 11, QUERIES = 100 };

static struct calls_query queries[QUERIES];
static struct calls *plain[QUERIES];
static int count, plain_steps;

static void
search_plain(const struct profile *p)
{
	for (uint32_t m = 1; m < trace_method_count(p->trace) && count < QUERIES; m += EVERY) {
		struct calls_query *q = &queries[count];

		*q = (struct calls_query){.range = RANGE_ALL, .method = m, .clock = CLOCK_WALL};
		if (m % 2 == 0) {
			q->range.from = (nsec)random_below((uint32_t)(p->end / 2000)) * 1000;
			q->range.to = q->range.from + p->end / 3;
		}
		plain[count++] = search(p, q, &plain_steps);
	}
}

static void
compare(const struct profile *p, const char *what)
{
	int guided = 0, wrong = 0;
	uint64_t found = 0;

	for (int i = 0; i < count; i++) {
		struct calls *calls = search(p, &queries[i], &guided);

		found += calls->count;
		wrong += !same(plain[i], calls);
		calls_free(calls);
	}
	is_int(wrong, 0, "%s: the same calls, %llu of them", what, (unsigned long long)found);
	ok(found > 0 && guided < plain_steps, "in %d steps of %d", guided, plain_steps);
}

int
main(void)
{
	struct overview *o;
	struct profile *p;
	struct trace *t;
	struct err e = {0};
	uint8_t *bytes;
	size_t size;

	bytes = generate("--records=300k --methods=900 --threads=6 --entered=4 --open --lost=20",
	    1 << 24, &size);
	t = bytes != NULL ? format_open_memory(bytes, size, "rare", &e) : NULL;
	if (!ok(t != NULL, "made %s", e.what))
		return tap_done();
	p = profile_new(t);
	is_int(loader_run(p, 1, NULL, &e), LOAD_DONE, "loaded");
	p->jobs = 1;
	search_plain(p);
	o = overview_new(p, OVERVIEW_BYTES);
	overview_advance(o, p->records / 2);
	compare(p, "half an overview");
	while (overview_advance(o, 1 << 20)) {
	}
	compare(p, "a whole one");
	overview_free(o);
	for (int i = 0; i < count; i++)
		calls_free(plain[i]);
	profile_free(p);
	trace_free(t);
	free(bytes);
	return tap_done();
}
