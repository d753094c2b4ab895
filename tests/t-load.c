/*
 * load: a trace that is loaded without a look in between has the figures of one pass, and
 * so have the facts that tell a sampler's trace from others.  With a single block, too.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "profile/load/loader.h"
#include "random-trace.h"
#include "same-profile.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 1 << 23, JOBS_MOST = 3 };

static struct trace *
made(const char *options, uint8_t **bytes)
{
	struct err e = {0};
	size_t size;

	*bytes = generate(options, SIZE_MOST, &size);
	return *bytes != NULL ? format_open_memory(*bytes, size, "made", &e) : NULL;
}

/* More records than are looked at first. */
static void
at_once(const char *options)
{
	for (unsigned jobs = 1; jobs <= JOBS_MOST; jobs++) {
		struct profile *whole, *p;
		struct err e = {0};
		uint8_t *bytes;
		struct trace *t = made(options, &bytes);

		if (!ok(t != NULL, "%s: opens", options))
			return;
		p = profile_new(t);
		if (jobs == 2)
			blocks_single(p->blocks);
		ok(loader_run(p, jobs, NULL, &e) == LOAD_DONE, "%u workers: loaded", jobs);
		whole = load_whole(t);
		counts_are(p, whole);
		profile_is(p, whole);
		is_int(p->sampled.yes, whole->sampled.yes, "made by a sampler, or not");
		is_int(p->sampled.interval, whole->sampled.interval, "and how often it looked");
		profile_free(p);
		profile_free(whole);
		trace_free(t);
		free(bytes);
	}
}

/* An invalid trace is refused where one pass refuses it. */
static void
refused(const char *options)
{
	struct err e = {0}, want = {0};
	uint8_t *bytes;
	struct trace *t = made(options, &bytes);
	struct profile *p, *whole;

	if (!ok(t != NULL, "%s: opens", options))
		return;
	p = profile_new(t);
	whole = profile_new(t);
	is_int(loader_run(p, 2, NULL, &e), LOAD_FAILED, "is refused");
	while (profile_load(whole, 65536, &want) == LOAD_MORE) {
	}
	is_int(whole->state, LOAD_FAILED, "also in one pass");
	is_str(e.what, want.what, "for the same reason");
	is_int((int64_t)e.offset, (int64_t)want.offset, "at the same place");
	profile_free(p);
	profile_free(whole);
	trace_free(t);
	free(bytes);
}

static void
cancelled(void)
{
	atomic_bool cancel;
	struct err e = {0};
	uint8_t *bytes;
	struct trace *t = made("--records=200k", &bytes);
	struct profile *p;

	atomic_init(&cancel, true);
	if (!ok(t != NULL, "made"))
		return;
	p = profile_new(t);
	is_int(loader_run(p, 2, &cancel, &e), LOAD_STOPPED, "cancelled before it began");
	is_int((int64_t)p->records, 0, "nothing was counted");
	profile_free(p);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
	at_once("--records=280k --methods=300");
	at_once("--records=200k --methods=200 --sampling=1000");
	at_once("--records=200k --methods=200 --data-version=2 --clock=wall --unknown-threads=900 "
		"--unknown-methods=500 --lost=50 --stray=30 --backward=30 --unroll=200 --reserved=40");
	refused("--records=200k --methods=100 --reserved=3000");
	refused("--records=200k --methods=100 --reserved=300");
	cancelled();
	return tap_done();
}
