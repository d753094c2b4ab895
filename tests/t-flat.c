/*
 * flat: sums without call paths are those of the tree, to the nanosecond, in one pass and
 * by any number of workers in rounds of any length.
 */
#include <config.h>

#include "profile/load/flat.h"

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "profile/sum/fold.h"
#include "random-trace.h"
#include "same-profile.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 1 << 23, WORKERS = 3 };

/* The bytes are to be freed after the trace. */
static struct trace *
random_open(const char *name, uint8_t **bytes)
{
	struct err e = {0};
	size_t size;

	*bytes = random_trace_bytes(&size);
	return format_open_memory(*bytes, size, name, &e);
}

/* In the order of the records, in steps of any length. */
static struct profile *
load_one_pass(struct trace *t)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	flat_begin(p);
	while (profile_load(p, 1 + random_below(3000), &e) == LOAD_MORE) {
	}
	return p;
}

static void
flat_is_tree(struct trace *t)
{
	struct profile *whole = load_whole(t), *flat = load_one_pass(t);

	ok(flat->flat != NULL && flat->tree.count <= whole->tree.count, "without call paths");
	sums_are(flat, whole);
	profile_free(flat);
	for (unsigned jobs = 1; jobs <= WORKERS; jobs++) {
		int rounds = 0;

		flat = load_flat(t, jobs, &rounds);
		ok(rounds > 3 && flat->flat != NULL, "swept by %u, in %d rounds", jobs, rounds);
		sums_are(flat, whole);
		profile_free(flat);
	}
	profile_free(whole);
}

static void
random_traces(void)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct trace *t;
		uint8_t *bytes;

		random_trace_make(seed, (int)(seed % 3));
		t = random_open("random", &bytes);
		diag("seed %d", (int)seed);
		flat_is_tree(t);
		trace_free(t);
		free(bytes);
	}
}

/* Rows of what has no name are made in the order in which it is met: both are swept alike. */
static void
made_trace(const char *options)
{
	struct profile *tree, *flat;
	struct trace *one, *other;
	struct err e = {0};
	uint8_t *bytes;
	size_t size;
	int rounds = 0;

	diag("%s", options);
	bytes = generate(options, SIZE_MOST, &size);
	if (!ok(bytes != NULL, "made"))
		return;
	one = format_open_memory(bytes, size, "one", &e);
	other = format_open_memory(bytes, size, "other", &e);
	if (!ok(one != NULL && other != NULL, "opens %s", e.what))
		return;
	random_trace_make(1, 0); /* the random numbers begin anew */
	tree = load_swept(one, 1, &rounds);
	random_trace_make(1, 0);
	flat = load_flat(other, 1, &rounds);
	ok(flat->flat != NULL && tree->flat == NULL, "one with a tree, one without");
	sums_are(flat, tree);
	profile_free(tree);
	profile_free(flat);
	trace_free(one);
	trace_free(other);
	free(bytes);
}

/*
 * A frame of before the trace ends after calls of its method: these were recursive.
 * Frames adopted before are below it, and its own time is what no call had.
 */
static void
adopted(void)
{
	/* Method, action; each a microsecond after the one before. */
	static const int steps[][2] = {
	    {1, 0}, {1, 1}, {2, 0}, {1, 0}, {1, 1}, {2, 1}, /* twice 1, once in 2 */
	    {2, 1},                                         /* 2 was open before */
	    {1, 0}, {1, 1}, {1, 1},                         /* 1 was, with all that */
	    {3, 0},
	};
	const int count = (int)(sizeof(steps) / sizeof(steps[0]));
	const struct method_sum *sums;
	struct profile *p;
	struct fold *fold;
	struct trace *t;
	uint8_t *bytes;

	for (int i = 0; i < RANDOM_RECORDS; i++) {
		const int *step = i < count ? steps[i] : (const int[]){4, i % 2 == count % 2 ? 0 : 1};

		random_records[i] = (struct random_record){0, step[0], step[1], (uint32_t)i * 2,
		    (uint32_t)i};
	}
	t = random_open("adopted", &bytes);
	p = load_one_pass(t);
	fold = fold_new_sums(p, NULL, NULL, NULL);
	sums = fold->methods;
	/* Methods count from 1 in the trace. */
	is_int((int64_t)sums[2].calls, 1, "one outermost call of 1");
	is_int((int64_t)sums[2].recursive_calls, 3, "three in it");
	is_int(sums[2].inclusive[CLOCK_WALL], 9000, "all until then");
	is_int(sums[2].exclusive[CLOCK_WALL], 5000, "of it its own");
	is_int(sums[2].self[CLOCK_WALL], 2000, "of that not recursive");
	is_int((int64_t)sums[3].calls, 1, "of 2, too");
	is_int((int64_t)sums[3].recursive_calls, 1, "with one in it");
	is_int(sums[3].inclusive[CLOCK_WALL], 6000, "all until that");
	is_int(sums[4].inclusive[CLOCK_WALL], p->end - 10000, "3 is open to the end");
	is_int((int64_t)fold->threads[0].deepest, 4, "1, 2, 2, 1");
	is_int((int64_t)fold->threads[0].open, (RANDOM_RECORDS - count) % 2 + 1, "calls are open");
	fold_free(fold);
	profile_free(p);
	trace_free(t);
	free(bytes);
}

/* Wall time wraps in the last round, and a thread starts after that: one pass goes on. */
static void
late_thread(void)
{
	struct profile *whole, *flat;
	struct trace *t;
	uint8_t *bytes;
	int rounds = 0;

	random_trace_make_late(6, 2);
	t = random_open("late", &bytes);
	whole = load_whole(t);
	flat = load_flat(t, 2, &rounds);
	ok(rounds > 3 && flat->restarts == 1 && flat->flat != NULL, "a late thread: once again");
	sums_are(flat, whole);
	profile_free(flat);
	profile_free(whole);
	trace_free(t);
	free(bytes);
}

/* Times of threads go back and forth, then stop; raw times say nothing from there on. */
static void
standing_threads(void)
{
	enum { BACK_AND_FORTH = 2000 };
	struct profile *whole, *flat;
	struct trace *t;
	uint8_t *bytes;

	random_trace_make(8, 2);
	for (int i = 0; i < BACK_AND_FORTH; i++)
		random_records[i].wall = i % 2 == 0 ? 0 : 2000000000;
	t = random_open("standing", &bytes);
	t->source->wraps_max = 3;
	t->source->time_most = (uint64_t)1 << 46;
	whole = load_whole(t);
	ok(whole->end - (nsec)t->source->time_most > 0, "a thread's clock stops");
	flat = load_one_pass(t);
	sums_are(flat, whole);
	profile_free(flat);
	profile_free(whole);
	trace_free(t);
	free(bytes);
}

/* With room for hardly any node calls go to (other); no time and no call is lost. */
static void
limited(void)
{
	struct profile *whole, *flat;
	struct fold *sums, *all;
	struct trace *t, *again;
	uint8_t *bytes, *copy;
	struct err e = {0};

	random_trace_make(3, 2);
	t = random_open("limited", &bytes);
	again = random_open("again", &copy);
	whole = load_whole(t);
	flat = profile_new(again);
	flat->tree.limit = 5;
	flat_begin(flat);
	while (profile_load(flat, 3000, &e) == LOAD_MORE) {
	}
	sums = fold_new_sums(flat, NULL, NULL, NULL);
	all = fold_new_sums(whole, NULL, NULL, NULL);
	ok(flat->damage.kind[DAMAGE_MERGED_CALL].count > 0, "calls are merged");
	ok(memcmp(sums->total, all->total, sizeof(all->total)) == 0, "all time is there");
	for (uint32_t i = 0; i < all->thread_count; i++)
		is_int((int64_t)sums->threads[i].records, (int64_t)all->threads[i].records,
		    "records of thread %d", (int)i);
	fold_free(sums);
	fold_free(all);
	profile_free(flat);
	profile_free(whole);
	trace_free(t);
	trace_free(again);
	free(bytes);
	free(copy);
}

/* Stacks far deeper, and threads with far more methods, than there was room for. */
static const char *const made[] = {
    "--records=40k --methods=30 --threads=2 --depth=5000 --recursion=5000",
    "--records=60k --methods=3000 --threads=9 --entered=4 --open --unknown-methods=300 --stray=50",
    "--records=40k --methods=300 --threads=40 --lost=60 --reserved=5 --unknown-threads=3000",
    "--records=40k --methods=300 --threads=4 --backward=40",
    "--records=40k --methods=200 --threads=5 --data-version=1 --clock=thread-cpu --entered=3",
    "--records=40k --methods=200 --threads=5 --data-version=2 --clock=wall --unroll=900",
    "--records=40k --methods=200 --threads=5 --clock=global --recursion=3000 --entered=7",
    "--format=streaming --records=40k --methods=900 --threads=9 --entered=3 --recursion=2000",
    "--format=streaming14 --records=40k --methods=200 --threads=5 --lost=50 --stray=40",
    "--format=v2a --records=40k --methods=200 --threads=5 --recursion=900 --open",
    "--format=v2b-stream --records=40k --methods=200 --threads=5 --entered=3",
    "--format=streaming-late --records=40k --methods=200 --threads=5 --unknown-methods=500",
};

int
main(void)
{
	random_traces();
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		made_trace(made[i]);
	adopted();
	late_thread();
	standing_threads();
	limited();
	return tap_done();
}
