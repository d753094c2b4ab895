/*
 * Loads that several workers do and that do not come to their end: cancelled, or with threads
 * that cannot be started.  What is there then is what one pass has up to the same place, and
 * says so.
 */
#include <config.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "profile/sum/fold.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random-trace.h"
#include "same-profile.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum {
	STEP = 20000,         /* records */
	SIZE_MOST = 20 << 20, /* of what is generated */
};

struct bytes_of {
	uint8_t *p;
	size_t n;
};

/* Traces ------------------------------------------------------------------------------ */

static struct bytes_of
made(const char *format, const char *options)
{
	struct bytes_of b;
	char all[256];

	snprintf(all, sizeof(all), "--format=%s --methods=200 --entered=3 --open %s", format,
	    options);
	b.p = generate(all, SIZE_MOST, &b.n);
	ok(b.p != NULL, "%s", all);
	return b;
}

static struct trace *
opened(struct bytes_of b)
{
	struct err e = {0};

	return format_open_memory(b.p, b.n, "partial", &e);
}

/* Threads ---------------------------------------------------------------------------- */

/* How many more threads the system allows; the linker puts this in front of it. */
static int threads_left = INT_MAX;

int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
    void *arg)
{
	return threads_left-- > 0 ? __real_pthread_create(thread, attr, run, arg) : EAGAIN;
}

/* Cancelled --------------------------------------------------------------------------- */

/* One pass up to a place where a batch ends. */
static struct profile *
one_pass(struct trace *t, uint64_t stop)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	while (p->at.offset < stop)
		profile_load(p, 1, &e);
	profile_stop(p);
	return p;
}

/* Stops when so much of the file was read. */
static void
cancelled_is_one_pass(struct bytes_of b, unsigned jobs, int percent)
{
	struct trace *t = opened(b), *again = opened(b);
	struct profile *p = profile_new(t), *one;
	struct loader *l = loader_new(p, jobs);
	struct source *s = t->source;
	struct err e = {0};

	while (p->state == LOAD_MORE &&
	    (p->at.offset - s->begin) * 100 < (s->end - s->begin) * (uint64_t)percent)
		loader_step(l, STEP, &e);
	loader_stop(l);
	is_int(p->state, LOAD_STOPPED, "%u workers, %d%%: stopped", jobs, percent);
	ok(threads_left < INT_MAX, "others took part");
	threads_left = INT_MAX;
	ok(loader_progress(l) < 1, "and not said to be all");
	loader_free(l);
	ok(p->at.offset < s->end, "is at record %llu", (unsigned long long)p->records);
	one = one_pass(again, p->at.offset);
	is_int(p->end, one->end, "ends where one pass does");
	profile_is(p, one);
	profile_free(one);
	profile_free(p);
	trace_free(again);
	trace_free(t);
}

/* Workers that cannot be started ------------------------------------------------------- */

/* Of `jobs` workers that many start, beside the caller. */
static void
alone_is_one_pass(struct bytes_of b, const char *what, unsigned jobs, int allowed)
{
	struct trace *t = opened(b), *again = opened(b);
	struct profile *p = profile_new(t), *whole = load_whole(again);
	struct err e = {0};

	threads_left = allowed;
	is_int(loader_run(p, jobs, NULL, &e), LOAD_DONE, "%s, %d of %u workers start: all is read",
	    what, allowed, jobs - 1);
	ok(threads_left < 0, "more were wanted");
	is_int(e.kind, ERR_NONE, "it is no error");
	threads_left = INT_MAX;
	profile_is(p, whole);
	profile_free(whole);
	profile_free(p);
	trace_free(again);
	trace_free(t);
}

/* Ranges have workers, too, each as many as it likes. */
static void
range_is_as_usual(struct bytes_of b, int allowed)
{
	struct trace *t = opened(b);
	struct profile *p = load_whole(t);
	const nsec span = p->end - p->begin;
	const struct range range = {p->begin + span / 7, p->end - span / 3};
	struct fold *all, *few;

	p->jobs = 4;
	all = fold_new(p, NULL, &range, NULL);
	threads_left = allowed;
	few = fold_new(p, NULL, &range, NULL);
	ok(threads_left < 0, "a range, %d workers start: more were wanted", allowed);
	threads_left = INT_MAX;
	is_int((int64_t)few->calls, (int64_t)all->calls, "calls");
	is_mem(few->total, sizeof(few->total), all->total, sizeof(all->total), "total");
	is_mem(few->methods, few->method_count * sizeof(*few->methods), all->methods,
	    all->method_count * sizeof(*all->methods), "methods");
	fold_free(all);
	fold_free(few);
	profile_free(p);
	trace_free(t);
}

int
main(void)
{
	struct bytes_of streaming = made("streaming", "--records=800k --threads=12 --cores=8");
	struct bytes_of classic = made("classic", "--records=1060k --threads=12 --cores=8");
	struct bytes_of v2 = made("v2b-stream", "--records=600k --threads=5");

	cancelled_is_one_pass(streaming, 2, 60);
	cancelled_is_one_pass(classic, 2, 50);
	cancelled_is_one_pass(v2, 3, 50);
	alone_is_one_pass(streaming, "streaming", 2, 0);
	alone_is_one_pass(classic, "classic", 3, 1);
	range_is_as_usual(classic, 1);
	range_is_as_usual(v2, 1);
	free(streaming.p);
	free(classic.p);
	free(v2.p);
	return tap_done();
}
