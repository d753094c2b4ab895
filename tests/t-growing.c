// SPDX-License-Identifier: Apache-2.0
/*
 * A file that grows while it is read: the report of what goes on equals that of a fresh load, and
 * what cannot go on says so.
 */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/format.h"
#include "gen/rng.h"
#include "profile/index/blocks.h"
#include "profile/index/overview.h"
#include "profile/load/loader.h"
#include "report/report.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 8 << 20, TEXT_MOST = 4 << 20 };
/* Sanitizers make it slow; figures are compared without them. */
#if defined(TAP_SANITIZED)
enum { EVERY = 2 };
#else
enum { EVERY = 1 };
#endif

static char path[] = "t-growing.XXXXXX";
static int fd;

/* Formats that go on, with the options of the generator. */
static const struct way {
	const char *options;
	size_t first; /* bytes before which there is no trace yet */
	bool by_end;  /* the last bytes make it another */
	bool log;     /* made by loggen */
} ways[] = {
    {"--format=streaming-bare --records=3000 --threads=4 --unroll=200", 40, false, false},
    {"--format=streaming --records=3000 --threads=4 --unknown-methods=300", 40, true, false},
    {"--format=streaming14 --records=3000 --threads=9", 40, true, false},
    {"--format=streaming --data-version=2 --clock=wall --records=3000 --threads=4", 400, true, false},
    {"--format=streaming --data-version=2 --clock=thread-cpu --records=3000 --threads=4", 400, true, false},
    {"--format=streaming-late --records=2000 --threads=4", 40, true, false},
    {"--format=streaming --records=150000 --threads=7 --methods=300", 2000000, true, false},
    {"--format=streaming --records=2000 --sampling=40", 40, true, false},
    {"--format=v2a --records=3000 --threads=4 --methods=30", 8000, true, false},
    {"--format=v2a-stream --records=3000 --threads=4 --methods=30", 60, true, false},
    {"--format=v2b --records=3000 --threads=4 --methods=30", 8000, true, false},
    {"--format=v2b-stream --records=3000 --threads=4 --methods=30", 7900, true, false},
    {"--events=1500 --waking --tracks --marks=hitrace", 40000, false, true},
    {"--events=1500 --waking --open=100 --exits=30", 40000, false, true},
    {"--events=1500 --no-sched --tracks", 40000, false, true},
    {"--events=1500 --tgid=0 --waking", 40000, false, true},
    {"--events=1500 --lost=30 --damaged=100 --stray=100", 40000, false, true},
    {"--events=20000 --waking --marks=mixed", 900000, false, true},
};

/* Packets, of which the newest wait for such as come later and are earlier. */
static const char *const packets[] = {
    "--lines=bundles --events=60000 --waking",
    "--lines=bundles --events=40000 --waking --marks=mixed --tracks",
    "--lines=bundles --events=50000 --no-sched --open=50 --stray=30",
    "--lines=bundles --events=60000 --waking --exits=30",
    "--lines=tracks --events=25000",
    "--lines=tracks --events=25000 --open=100 --stray=100",
};

static void
append(const uint8_t *bytes, size_t from, size_t to)
{
	if (pwrite(fd, bytes + from, to - from, (off_t)from) != (ssize_t)(to - from))
		diag("cannot write");
}

static struct profile *
opened(int file)
{
	const struct tempfile_how how = {.from = file + 1};
	struct err e = {0};
	struct trace *t = format_open(path, &how, &e);

	return t != NULL ? profile_new(t) : NULL;
}

static void
closed(struct profile *p)
{
	struct trace *t = p != NULL ? p->trace : NULL;

	profile_free(p);
	trace_free(t);
}

static bool
counted(struct profile *p, unsigned jobs)
{
	struct err e = {0};

	return loader_run(p, jobs, NULL, &e) == LOAD_DONE;
}

/* Writes the view's report of a range in JSON, with callers and callees, threads and damage. */
static void
report_text(const struct profile *p, const struct report_view *view, struct range range, char *text, size_t room)
{
	struct report_options o;
	struct report r;
	struct err e = {0};
	FILE *out = fmemopen(text, room, "w");

	report_options_init(&o);
	for (int i = 0; i < report_format_count; i++)
		if (strcmp(report_formats[i].name, "json") == 0)
			o.format = &report_formats[i];
	o.view = view;
	o.relations = view == report_views;
	o.range = range;
	if (report_make(&r, p, &o, NULL, &e))
		(void)report_write(&r, out, NULL);
	else
		fprintf(out, "%s", e.what);
	report_release(&r);
	report_options_release(&o);
	fclose(out);
}

enum { EACH_VIEW = -1 };

/* Returns the view that is compared after so many pauses, beside the first: one more at each third. */
static int
view_at(size_t pauses)
{
	return pauses % 3 == 0 ? (int)(pauses / 3) % report_view_count : 0;
}

/* True if both report the same in the first view and in that one, or in each. */
static bool
is_same(const struct profile *p, const struct profile *fresh, struct range range, int view, char *got, char *want)
{
	for (int i = 0; i < report_view_count; i++) {
		if (i > 0 && view != EACH_VIEW && i != view)
			continue;
		report_text(p, &report_views[i], range, got, TEXT_MOST);
		report_text(fresh, &report_views[i], range, want, TEXT_MOST);
		if (strcmp(got, want) != 0) {
			diag("another %s", report_views[i].name);
			return false;
		}
	}
	return true;
}

/* True if a fresh load of the file reports the same of the range. */
static bool
is_fresh(const struct profile *p, int file, struct range range, int view, char *got, char *want)
{
	struct profile *fresh = opened(file);
	bool same = fresh != NULL && counted(fresh, 1);

	same = same && is_same(p, fresh, range, view, got, want) && fresh->sampled.yes == p->sampled.yes &&
	    fresh->sampled.interval == p->sampled.interval;
	closed(fresh);
	return same;
}

/* How a file grows in the beginning; then by more and more. */
enum steps { STEPS_RISE, STEPS_OF_1, STEPS_OF_7, STEPS_AT_RANDOM, STEPS_OF_PAGES };

/* Returns how many bytes come next. */
static size_t
step_after(size_t step, size_t pauses, enum steps steps, struct rng *rng)
{
	static const size_t bytes[] = {
	    [STEPS_OF_1] = 1, [STEPS_OF_7] = 7, [STEPS_OF_PAGES] = 4096};
	enum { SMALL = 12, RANDOM_MOST = 300 };

	if (steps == STEPS_RISE && step < 64)
		return step + 1;
	if (steps == STEPS_RISE || pauses >= SMALL)
		return step < 64 ? 64 : step * 7 / 4;
	return steps == STEPS_AT_RANDOM ? 1 + rng_below(rng, RANDOM_MOST) : bytes[steps];
}

static void
try_way(const struct way *way, enum steps steps, unsigned jobs, struct rng *rng)
{
	static char got[TEXT_MOST], want[TEXT_MOST];
	size_t size, at = way->first, step = step_after(0, 0, steps, rng), wrong = 0, first = 0, times = 0, again = 0;
	uint8_t *bytes = (way->log ? generate_log : generate)(way->options, SIZE_MOST, &size);
	struct profile *p = NULL;
	bool refused = false, good;

	if (!ok(bytes != NULL, "made: %s", way->options))
		return;
	if (ftruncate(fd, 0) != 0)
		diag("cannot cut");
	append(bytes, 0, at);
	p = opened(fd);
	ok(p != NULL && counted(p, jobs), "opens with %zu of %zu bytes, %u workers", at, size, jobs);
	while (p != NULL && at < size && !refused) {
		size_t to = at + step < size ? at + step : size;

		append(bytes, at, to);
		good = profile_grow(p, to);
		refused = !good && !way->log;
		at = to;
		step = step_after(step, times + again, steps, rng);
		if (refused)
			break;
		good = good && counted(p, jobs) && !p->trace->source->stale;
		if (good) {
			times++;
		} else {
			again++;
			closed(p);
			p = opened(fd);
			good = counted(p, jobs);
		}
		if (!good || !is_fresh(p, fd, RANGE_ALL, at == size ? EACH_VIEW : view_at(times + again), got, want))
			first = wrong++ == 0 ? to : first;
	}
	ok(wrong == 0 && times > 10 && again * 5 < times,
	    "went on %zu times as a fresh load, %zu times all was read again; %zu wrong, first at %zu", times,
	    again, wrong, first);
	/* A summary that comes with the last records may go on, too. */
	ok((refused == way->by_end || steps != STEPS_RISE) && refused <= way->by_end && (refused || at == size), "%s",
	    way->by_end ? "its summary makes it another" : "to its end");
	closed(p);
	free(bytes);
}

/* Reads what waits, too. */
static bool
rested(struct profile *p, size_t size, unsigned jobs)
{
	return p->trace->source->held == 0 || (profile_grow(p, size) && counted(p, jobs) && !p->trace->source->stale);
}

/* What waits is no part of the figures, and then all is: as in a fresh load of which nothing waits. */
static void
try_packets(const uint8_t *bytes, size_t size, const char *what, unsigned jobs, struct rng *rng)
{
	static char got[TEXT_MOST], want[TEXT_MOST];
	size_t at = size / 20, wrong = 0, first = 0, times = 0, held = 0, again = 0;
	struct profile *p = NULL, *fresh;
	uint64_t records = 0;

	if (ftruncate(fd, 0) != 0)
		diag("cannot cut");
	append(bytes, 0, at);
	while (at < size) {
		size_t to = at + 1 + rng_below(rng, rng_below(rng, 4) == 0 ? 8 : (uint32_t)size / 20);
		bool rests = rng_below(rng, 8) == 0, good = p != NULL;

		to = to < size ? to : size;
		append(bytes, at, to);
		at = to;
		good = good && profile_grow(p, to) && counted(p, jobs) && !p->trace->source->stale;
		times += good;
		if (!good) {
			again += p != NULL;
			closed(p);
			p = opened(fd);
			good = p != NULL && counted(p, jobs);
		}
		held += good && p->trace->source->held > 0;
		if (good && (rests || at == size)) {
			fresh = opened(fd);
			records = p->records;
			good = counted(fresh, 1) && rested(fresh, to, 1) && records <= fresh->records && rested(p, to, jobs);
			if (good) {
				good = is_same(p, fresh, RANGE_ALL, at == size ? EACH_VIEW : view_at(times), got, want);
			}
			closed(fresh);
		}
		if (!good)
			first = wrong++ == 0 ? to : first;
	}
	if (held > 0) {
		const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

		ok(futimens(fd, old) == 0, "%s: as of a recording that has ended", what);
		fresh = opened(fd);
		ok(fresh != NULL && counted(fresh, jobs) && fresh->trace->source->held == 0 &&
		    fresh->records == p->records, "it is all there at once");
		closed(fresh);
	}
	ok(wrong == 0 && times > again, "went on %zu times, %zu of them held, %zu times all was read again; %zu "
	    "wrong, first at %zu of %zu: %s", times, held, again, wrong, first, size, what);
	closed(p);
}

/* Recordings of devices, where they are at hand. */
static void
try_recorded(const char *name, struct rng *rng)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	uint8_t *bytes = malloc(SIZE_MOST);
	char from[512];
	FILE *in;

	snprintf(from, sizeof(from), "%s/samples/perfetto/%s", shared != NULL ? shared : ".", name);
	in = fopen(from, "r");
	if (in != NULL) {
		try_packets(bytes, fread(bytes, 1, SIZE_MOST, in), name, 1, rng);
		fclose(in);
	}
	free(bytes);
}

/* Overwrites what is not to be read again, as if the disk had it no more. */
static uint64_t
forgotten(struct profile *p, uint64_t from)
{
	static const uint8_t zeros[4096];
	uint64_t to = profile_forget(p, p->end - (p->end - p->begin) / 3, UINT64_MAX);

	for (uint64_t at = from; at < to; at += sizeof(zeros)) {
		size_t n = to - at < sizeof(zeros) ? (size_t)(to - at) : sizeof(zeros);

		if (pwrite(fd, zeros, n, (off_t)at) != (ssize_t)n)
			diag("cannot write");
	}
	return to > from ? to : from;
}

/* Sums are of all that came, and ranges of what is kept as in a fresh load of all. */
static void
try_ring(const struct way *way)
{
	static char got[TEXT_MOST], want[TEXT_MOST];
	char whole_path[] = "t-growing.XXXXXX";
	int whole = mkstemp(whole_path);
	size_t size, at = way->first, times = 0, wrong = 0, step;
	uint8_t *bytes = (way->log ? generate_log : generate)(way->options, SIZE_MOST, &size);
	struct profile *p;
	uint64_t gone = 0;

	step = size / (size > 1 << 20 ? 15 : 40);
	if (ftruncate(fd, 0) != 0 || pwrite(whole, bytes, at, 0) != (ssize_t)at)
		diag("cannot write");
	append(bytes, 0, at);
	p = opened(fd);
	blocks_choose(p->blocks, 50, BLOCK_BYTES);
	(void)counted(p, 1);
	gone = p->trace->source->begin;
	while (at < size) {
		size_t to = at + step < size ? at + step : size;

		append(bytes, at, to);
		if (pwrite(whole, bytes + at, to - at, (off_t)at) != (ssize_t)(to - at))
			diag("cannot write");
		/* A time that is out of order wants all of the log again. */
		if (!profile_grow(p, to) || !counted(p, 1) || p->trace->source->stale)
			break;
		at = to;
		gone = forgotten(p, gone);
		times += p->blocks->gone > 0;
		wrong += !is_fresh(p, whole, RANGE_ALL, 0, got, want) ||
		    !is_fresh(p, whole, (struct range){p->blocks->kept + 1, p->end}, view_at(times), got, want) ||
		    !is_fresh(p, whole, (struct range){p->end - (p->end - p->begin) / 5, p->end}, 0, got, want);
	}
	ok(times > 5 && wrong == 0 && gone > size / 3, "without its first %zu of %zu bytes, %zu times: %zu wrong: %s",
	    (size_t)gone, size, times, wrong, way->options);
	closed(p);
	free(bytes);
	unlink(whole_path);
	close(whole);
}

/* Grows by a half; true if that goes on. */
static bool
goes_on(const char *options, bool cut)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);
	struct profile *p;
	bool good;

	if (bytes == NULL || ftruncate(fd, 0) != 0)
		return false;
	append(bytes, 0, size * 2 / 3);
	p = opened(fd);
	good = p != NULL && counted(p, 1);
	if (cut && ftruncate(fd, (off_t)size / 3) != 0)
		diag("cannot cut");
	if (!cut)
		append(bytes, size * 2 / 3, size - 40);
	good = good && profile_grow(p, size - 40);
	closed(p);
	free(bytes);
	return good;
}

/* The overview takes in what came, too: its end is where the profile's is. */
static void
try_overview(void)
{
	size_t size;
	uint8_t *bytes = generate(ways[0].options, SIZE_MOST, &size);
	struct profile *p;
	struct overview *o;

	if (ftruncate(fd, 0) != 0)
		diag("cannot cut");
	append(bytes, 0, size / 2);
	p = opened(fd);
	if (!ok(p != NULL && counted(p, 1), "half of a trace"))
		return;
	o = overview_new(p, OVERVIEW_BYTES);
	for (size_t at = size / 2, to; at < size; at = to) {
		while (overview_advance(o, 1000))
			continue;
		to = at + 1001 < size ? at + 1001 : size;
		append(bytes, at, to);
		if (!profile_grow(p, to))
			break;
		overview_grow(o);
		(void)counted(p, 1);
	}
	while (overview_advance(o, 1000))
		continue;
	ok(overview_whole(o), "the overview has all");
	overview_free(o);
	closed(p);
	free(bytes);
}

int
main(void)
{
	static const unsigned workers[] = {1, 2, 5};
	struct rng rng = {.state = 1};

	fd = mkstemp(path);
	if (fd < 0)
		skip_all("no temporary file");
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		try_way(&ways[i], ways[i].first > 100000 ? STEPS_OF_PAGES : (enum steps)(i % 4), workers[i % 3], &rng);
	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i += EVERY) {
		size_t size;
		uint8_t *bytes = generate_log(packets[i], SIZE_MOST, &size);

		if (ok(bytes != NULL, "made: %s", packets[i]))
			try_packets(bytes, size, packets[i], workers[i % 3], &rng);
		free(bytes);
	}
	try_recorded("api32_startup_warm.perfetto-trace", &rng);
	try_recorded("nowinandroid.perfetto-trace", &rng);
	try_overview();
	ok(goes_on("--format=streaming-bare --records=3000", false), "of records with two clocks");
	ok(!goes_on("--format=streaming-bare --records=3000", true), "not when it was cut meanwhile");
	ok(goes_on("--format=streaming --data-version=2 --clock=wall --records=3000", false),
	    "of one clock, as long as the guess at the size of records holds");
	ok(!goes_on("--format=v2a --records=3000", false), "not before the first record");
	ok(!goes_on("--records=3000", false), "not with a count of records");
	/* A pipe's bytes are in a file without a name. */
	unlink(path);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i += EVERY)
		if (!ways[i].by_end)
			try_ring(&ways[i]);
	close(fd);
	return tap_done();
}
