/*
 * Loads that several workers do and that do not come to their end: cancelled, of a file
 * that is cut meanwhile, with threads that cannot be started.  What is there then is
 * what one pass has up to the same place, and says so.
 */
#include <config.h>

#include "base/mapguard.h"
#include "format/format.h"
#include "format/v2-packet.h"
#include "profile/fold.h"
#include "profile/loader.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random-trace.h"
#include "same-profile.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum {
	STEP = 20000,         /* records */
	SIZE_MOST = 20 << 20, /* of what is generated */
	PADDED = 54 << 20,    /* of V2 traces: parts are no smaller than 16 MiB */
	PAD_HEAD = 11,
	PAD = PAD_HEAD + UINT16_MAX,
};

static char path[] = "t-partial.XXXXXX";

struct bytes_of {
	uint8_t *p;
	size_t n;
};

/* Traces ------------------------------------------------------------------------------ */

/*
 * A V2 trace with names between its blocks that are as long as they can be, where enough
 * was read to tell what made it.
 */
static struct bytes_of
padded(struct bytes_of from)
{
	struct bytes_of to = {calloc(1, from.n + PADDED + PAD), 0};
	struct v2_packet k;
	size_t begin = from.n / 100 * 55, pads = 0, wanted;

	memcpy(to.p, from.p, 32);
	to.n = 32;
	for (size_t at = 32; at < from.n; at += k.size) {
		if (v2_packet_read(&k, from.p + at, from.n - at) != V2_WHOLE)
			break;
		memcpy(to.p + to.n, from.p + at, k.size);
		to.n += k.size;
		wanted = k.tag == V2_BLOCK && at > begin
		    ? PADDED / PAD * (at - begin) / (from.n - begin) : 0;
		for (; pads < wanted; pads++) {
			to.p[to.n] = V2_METHOD;
			to.p[to.n + PAD_HEAD - 1] = to.p[to.n + PAD_HEAD - 2] = 0xff;
			to.n += PAD;
		}
	}
	free(from.p);
	return to;
}

static struct bytes_of
made(const char *format, const char *options)
{
	struct bytes_of b;
	char all[256];

	snprintf(all, sizeof(all), "--format=%s --methods=200 --entered=3 --open %s", format,
	    options);
	b.p = generate(all, SIZE_MOST, &b.n);
	ok(b.p != NULL, "%s", all);
	if (b.p != NULL && strncmp(format, "v2", 2) == 0)
		b = padded(b);
	return b;
}

static struct trace *
opened(struct bytes_of b)
{
	struct err e = {0};

	return format_open_memory(b.p, b.n, "partial", &e);
}

static struct trace *
opened_file(struct bytes_of b)
{
	static const struct tempfile_how how;
	struct err e = {0};
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(b.p, 1, b.n, f) != b.n || fclose(f) != 0)
		return NULL;
	return format_open(path, &how, &e);
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

/* One pass up to a place. */
static struct profile *
one_pass(struct trace *t, uint64_t stop)
{
	struct profile *p = profile_new(t);

	p->stop = stop;
	while (profile_load_part(p, STEP)) {
	}
	profile_axis_update(p);
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
	ok(p->at.offset < s->end, "stands at record %llu", (unsigned long long)p->records);
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

/* Cut --------------------------------------------------------------------------------- */

/* A place between two packets of padding, at or behind another. */
static size_t
pad_behind(struct bytes_of b, size_t offset)
{
	struct v2_packet k;
	size_t at = 32;

	while (at < b.n && (at < offset || b.p[at] != V2_METHOD) &&
	    v2_packet_read(&k, b.p + at, b.n - at) == V2_WHOLE)
		at += k.size;
	return at;
}

/*
 * The file is cut at `share` of the first worker's part, or of all, when the others are
 * done with theirs: what they read is behind what is lost.
 */
static void
parts_cut(struct bytes_of b, bool first, double share)
{
	struct trace *t = opened_file(b), *again;
	struct profile *p = profile_new(t), *one;
	struct loader *l = loader_new(p, 3);
	struct source *s = t->source;
	uint64_t all = s->end, from;
	struct err e = {0};
	size_t cut;

	while (p->stop == all && p->state == LOAD_MORE)
		loader_step(l, STEP, &e);
	if (!ok(p->state == LOAD_MORE, "is divided"))
		return;
	while (loader_progress(l) < 1 - (double)(p->stop - p->at.offset) / (double)(all - s->begin))
		(void)poll(NULL, 0, 1);
	from = first ? p->at.offset : s->begin;
	cut = pad_behind(b, from + (size_t)((double)((first ? p->stop : all) - from) * share));
	ok(truncate(path, (off_t)cut) == 0, "is cut at %zu", cut);
	while (loader_step(l, STEP, &e) == LOAD_MORE) {
	}
	loader_free(l);
	is_int(p->state, LOAD_DONE, "is read to its end");
	again = opened(b);
	one = first ? one_pass(again, cut) : load_whole(again);
	is_int((int64_t)p->damage.kind[DAMAGE_TRUNCATED_FILE].count, first, "the loss is told");
	is_int((int64_t)p->damage.kind[DAMAGE_TRUNCATED_FILE].offset, first ? (int64_t)cut : 0,
	    "with its place");
	p->damage.kind[DAMAGE_TRUNCATED_FILE] = (struct damage_entry){0, 0};
	is_int((int64_t)p->records, (int64_t)one->records, "%s counts",
	    first ? "what stands before it" : "what was read before");
	counts_are(p, one);
	profile_free(one);
	profile_free(p);
	trace_free(again);
	trace_free(t);
}

int
main(void)
{
	struct bytes_of streaming = made("streaming", "--records=800k --threads=12 --cores=8");
	struct bytes_of classic = made("classic", "--records=1060k --threads=12 --cores=8");
	struct bytes_of v2 = made("v2b-stream", "--records=250k --threads=5");
	int fd = mkstemp(path);

	if (fd < 0)
		skip_all("no temporary file");
	close(fd);
	mapguard_install(NULL);
	cancelled_is_one_pass(streaming, 2, 60);
	cancelled_is_one_pass(classic, 2, 50);
	cancelled_is_one_pass(v2, 3, 20);
	cancelled_is_one_pass(v2, 3, 50);
	alone_is_one_pass(streaming, "streaming", 2, 0);
	alone_is_one_pass(v2, "V2", 3, 0);
	alone_is_one_pass(classic, "classic", 3, 1);
	alone_is_one_pass(v2, "V2", 4, 1);
	range_is_as_usual(classic, 1);
	range_is_as_usual(v2, 1);
	parts_cut(v2, true, 0.5);
	parts_cut(v2, false, 0.9);
	free(streaming.p);
	free(classic.p);
	free(v2.p);
	unlink(path);
	return tap_done();
}
