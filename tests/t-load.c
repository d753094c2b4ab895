// SPDX-License-Identifier: Apache-2.0
/*
 * Every way of loading a trace has the figures of one pass: by several workers and in rounds of
 * any length, with call paths and without, cancelled in the middle, and when threads cannot be
 * started.  One pass has those of plain references (t-range, tests/ref).
 */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "profile/load/loader.h"
#include "profile/timeline/timeline.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "told.h"

enum { SIZE_MOST = 20 << 20, STEP = 5000 };

static struct {
	uint8_t *p;
	size_t n;
} bytes;

static bool
make(const char *options)
{
	free(bytes.p);
	bytes.p = generate(options, SIZE_MOST, &bytes.n);
	return ok(bytes.p != NULL, "%s", options);
}

/* Threads: how many more the system allows; the linker puts this in front of it. */
static int threads_left = INT_MAX;

int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
    void *arg)
{
	return threads_left-- > 0 ? __real_pthread_create(thread, attr, run, arg) : EAGAIN;
}

/* Of a trace of its own: names are taken while it is read. */
static struct profile *
profile_open(void)
{
	struct err e = {0};

	return profile_new(format_open_memory(bytes.p, bytes.n, "made", &e));
}

static void
profile_close(struct profile *p)
{
	struct trace *t = p->trace;

	profile_free(p);
	trace_free(t);
}

static struct profile *
rest_loaded(struct profile *p)
{
	struct err e = {0};

	while (profile_load(p, STEP, &e) == LOAD_MORE) {
	}
	return p;
}

/* The first records, maybe none, and what tells a sampler's trace as if it had read enough. */
static void
begin(struct profile *p)
{
	struct err e = {0};

	profile_load(p, random_below(2) * 700, &e);
	sampling_free(p->sampling);
	p->sampling = NULL;
}

/* In rounds of random length. */
static struct profile *
in_rounds(struct profile *p, unsigned jobs)
{
	struct loader *l = loader_new(p, jobs);
	struct err e = {0};
	int rounds = 0;

	begin(p);
	(void)loader_divide(l, jobs);
	for (; p->state == LOAD_MORE && loader_round(l, BATCH_EVENTS * (1 + random_below(12))); rounds++)
		profile_settle(p, true, &e);
	loader_free(l);
	ok(rounds > 1, "%d rounds of %u workers", rounds, jobs);
	return rest_loaded(p);
}

/* Comparing ---------------------------------------------------------------------------- */

static void
same(const struct profile *p, const struct profile *whole, struct told got, struct told want,
    const char *what)
{
	int wrong = 0;

	ok(p->records == whole->records && p->begin == whole->begin && p->end == whole->end &&
	    told_same(&got, &want), "%s", what);
	is_str(got.damage, want.damage, "the same damage");
	for (int i = 0; i < DAMAGE_KINDS; i++)
		wrong += p->damage.kind[i].count > 0 &&
		    p->damage.kind[i].offset != whole->damage.kind[i].offset;
	is_int(wrong, 0, "at the same places");
	told_free(&got);
	told_free(&want);
}

/* Paths, and children of one frame with one method, which would be one path twice. */
static uint32_t
paths_of(const struct tree *t, int *twins)
{
	uint32_t count = 0;

	for (uint32_t n = 1; n < t->count; n++) {
		count += t->nodes[n].parent != NODE_NONE;
		for (uint32_t a = tree_child(t, n); a != NODE_NONE; a = tree_sibling(t, a)) {
			for (uint32_t b = tree_sibling(t, a); b != NODE_NONE; b = tree_sibling(t, b))
				*twins += t->nodes[a].method == t->nodes[b].method &&
				    !tree_is_bottom(t, a) && !tree_is_bottom(t, b);
		}
	}
	return count;
}

/* Sums, relations, a range counted again from blocks, and single calls. */
static void
profile_is(struct profile *p, struct profile *whole, const char *what)
{
	nsec span = whole->end - whole->begin;
	const struct range range = {whole->begin + span / (2 + random_below(9)),
	    whole->end - span / (3 + random_below(9))};
	int wrong = 0, twins = 0;

	is_int(paths_of(&p->tree, &twins), paths_of(&whole->tree, &wrong), "as many paths");
	is_int(twins, 0, "none twice");
	same(p, whole, tell_relations(p, NULL), tell_relations(whole, NULL), what);
	same(p, whole, tell_relations(p, &range), tell_relations(whole, &range), "a range");
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t thread = i % whole->stack_count;
		nsec at = whole->begin + span / 1000 * random_below(1000);
		struct call x, y;

		timeline_call(p, thread, at, 0, METHOD_NONE, &x, NULL);
		timeline_call(whole, thread, at, 0, METHOD_NONE, &y, NULL);
		/* Numbers that depend on the order. */
		x.node = y.node = x.method = y.method = 0;
		wrong += memcmp(&x, &y, sizeof(x)) != 0;
	}
	is_int(wrong, 0, "single calls");
}

/* Ways of loading ---------------------------------------------------------------------- */

static void
ways_are_one_pass(void)
{
	static const unsigned jobs[] = {1, 2, 5};
	struct profile *whole = rest_loaded(profile_open()), *p;

	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		p = in_rounds(profile_open(), jobs[i]);
		profile_is(p, whole, "as in one pass");
		profile_close(p);
	}
	profile_close(whole);
}

static void
random_traces(void)
{
	for (uint64_t seed = 1; seed <= 9; seed++) {
		/* Late: wall time wraps in the last round, and a thread starts after that. */
		(seed < 7 ? random_trace_make : random_trace_make_late)(seed, (int)(seed % 3));
		free(bytes.p);
		bytes.p = random_trace_bytes(&bytes.n);
		diag("random, seed %d", (int)seed);
		ways_are_one_pass();
	}
}

static void
log_is_one_pass(const char *options)
{
	static const unsigned jobs[] = {1, 2, 5};

	free(bytes.p);
	bytes.p = generate_log(options, SIZE_MOST, &bytes.n);
	if (!ok(bytes.p != NULL, "%s", options))
		return;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct profile *whole = rest_loaded(profile_open());
		struct profile *p = in_rounds(profile_open(), jobs[i]);

		profile_is(p, whole, "as in one pass");
		profile_close(p);
		profile_close(whole);
	}
}

/* Looked at first, then all of it; with a single block, too. */
static void
run_is_one_pass(const char *options)
{
	for (unsigned jobs = 1; jobs <= 3 && make(options); jobs++) {
		struct profile *p = profile_open(), *whole = rest_loaded(profile_open());
		struct err e = {0};

		if (jobs == 2)
			blocks_single(p->blocks);
		ok(loader_run(p, jobs, NULL, &e) == whole->state, "%u workers: %s", jobs, e.what);
		profile_is(p, whole, "run");
		ok(p->sampled.yes == whole->sampled.yes &&
		    p->sampled.interval == whole->sampled.interval,
		    "made by a sampler, or not");
		profile_close(p);
		profile_close(whole);
	}
}

/* An invalid trace is refused where one pass refuses it. */
static void
refused(const char *options)
{
	struct profile *p, *whole;
	struct err e = {0}, want = {0};

	make(options);
	p = profile_open();
	whole = profile_open();
	is_int(loader_run(p, 2, NULL, &e), LOAD_FAILED, "is refused");
	while (profile_load(whole, 65536, &want) == LOAD_MORE) {
	}
	is_str(e.what, want.what, "for the same reason");
	is_int((int64_t)e.offset, (int64_t)want.offset, "at the same place");
	profile_close(p);
	profile_close(whole);
}

/* Stopped when so much of the file was read: as one pass up to there. */
static void
cancelled(const char *options, unsigned jobs, int percent)
{
	struct profile *p, *one;
	struct loader *l;
	struct source *s;
	struct err e = {0};

	make(options);
	threads_left = INT_MAX;
	p = profile_open();
	s = p->trace->source;
	l = loader_new(p, jobs);
	while (p->state == LOAD_MORE &&
	    (p->at.offset - s->begin) * 100 < (s->end - s->begin) * (uint64_t)percent)
		loader_step(l, 4 * STEP, &e);
	loader_stop(l);
	is_int(p->state, LOAD_STOPPED, "%u workers, %d%%: stopped", jobs, percent);
	ok(threads_left < INT_MAX, "others took part");
	ok(loader_progress(l) < 1, "and it is not said to be all");
	threads_left = INT_MAX;
	loader_free(l);
	one = profile_open();
	while (one->at.offset < p->at.offset)
		profile_load(one, 1, &e);
	profile_stop(one);
	profile_is(p, one, "what was read");
	profile_close(one);
	profile_close(p);
}

/* Of `jobs` workers that many start, beside the caller. */
static void
alone(const char *options, unsigned jobs, int allowed)
{
	struct profile *p, *whole;
	struct err e = {0};

	make(options);
	p = profile_open();
	whole = rest_loaded(profile_open());
	threads_left = allowed;
	is_int(loader_run(p, jobs, NULL, &e), LOAD_DONE, "%d of %u workers start: all is read",
	    allowed, jobs - 1);
	ok(threads_left < 0 && e.kind == ERR_NONE, "more were wanted; it is no error");
	/* A range has workers, too. */
	p->jobs = 4;
	threads_left = allowed;
	profile_is(p, whole, "with fewer workers");
	threads_left = INT_MAX;
	profile_close(whole);
	profile_close(p);
}

static void
not_begun(void)
{
	const atomic_bool cancel = true;
	struct err e = {0};
	struct profile *p;

	make("--records=200k");
	p = profile_open();
	is_int(loader_run(p, 2, &cancel, &e), LOAD_STOPPED, "cancelled before it began");
	is_int((int64_t)p->records, 0, "nothing was counted");
	profile_close(p);
}

/* With room for few paths calls go to (other): no call and no time is lost. */
static void
limited(void)
{
	make("--records=40k --methods=300 --threads=4 --lost=20");
	for (uint32_t limit = 2; limit < 3000; limit *= 6) {
		struct profile *whole = rest_loaded(profile_open()), *p = profile_open();
		struct fold *all, *some;

		p->tree.limit = limit;
		rest_loaded(p);
		all = fold_make(whole, &(struct fold_query){0}, NULL);
		some = fold_make(p, &(struct fold_query){0}, NULL);
		ok(p->tree.count <= 2 * limit + 30 && p->damage.kind[DAMAGE_MERGED_CALL].count > 0,
		    "room for %u: %u nodes, and it is told", limit, p->tree.count);
		ok(some->calls == all->calls, "no call is lost");
		is_mem(some->total, sizeof(some->total), all->total, sizeof(all->total), "nor time");
		fold_free(all);
		fold_free(some);
		profile_close(p);
		profile_close(whole);
	}
}

/* Sanitizers make it slow; numbers are compared without them. */
#if defined(TAP_SANITIZED)
enum { EVERY = 2 };
#else
enum { EVERY = 1 };
#endif

int
main(void)
{
	static const char *const traces[] = {
	    /* Stacks far deeper, and threads with far more methods, than there was room for. */
	    "--records=40k --methods=30 --threads=2 --depth=5000 --recursion=5000",
	    ("--records=60k --methods=3000 --threads=9 --entered=4 --open --unknown-methods=300 "
	     "--stray=50 --lost=60 --reserved=5"),
	    "--records=40k --methods=300 --threads=40 --unknown-threads=3000 --backward=40",
	    "--records=40k --data-version=1 --clock=thread-cpu --entered=3",
	    "--records=40k --clock=global --recursion=3000 --entered=7",
	    "--format=v2a --records=40k --recursion=900 --open",
	    "--format=v2b-stream --records=40k --entered=3",
	    "--format=streaming --records=30k --entered=3 --open --backward=50",
	    "--format=streaming --records=30k --data-version=2 --clock=wall --lost=60 --stray=40",
	    "--format=streaming-bare --records=30k --unroll=900",
	    "--format=streaming14 --records=30k --unknown-threads=3000",
	    "--format=streaming-late --records=30k --unknown-methods=900",
	};

	static const char *const logs[] = {
	    "--events=80000 --waking --tracks --exits=5",
	    "--events=80000 --no-sched --lost=20 --damaged=30 --stray=50 --open=50",
	    "--events=80000 --backward=50 --captures=3",
	    "--events=80000 --lines=bundles --waking --threads=100",
	    "--events=80000 --lines=tracks --processes=30",
	};

	random_traces();
	for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]) && make(traces[i]); i += EVERY)
		ways_are_one_pass();
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i += EVERY)
		log_is_one_pass(logs[i]);
	run_is_one_pass("--records=280k --methods=300");
	run_is_one_pass("--records=200k --methods=200 --sampling=1000");
	run_is_one_pass("--records=200k --data-version=2 --clock=wall --unknown-methods=500 --reserved=40");
	refused("--records=200k --methods=100 --reserved=3000");
	refused("--records=200k --methods=100 --reserved=300");
	cancelled("--format=streaming --records=800k --threads=12 --methods=200 --open", 2, 60);
	cancelled("--records=1060k --threads=12 --cores=8 --entered=3 --open", 2, 50);
	cancelled("--format=streaming14 --records=800k --threads=5 --entered=3", 3, 70);
	alone("--format=streaming --records=800k --threads=12", 2, 0);
	alone("--records=1060k --threads=12 --cores=8", 3, 1);
	not_begun();
	limited();
	free(bytes.p);
	return tap_done();
}
