/*
 * engine: how long the parts of the engine take on a trace, each by itself.
 *
 *	tests/bench/engine TRACE [JOBS]
 *
 * Prints a line for each: its name, seconds, and seconds of processor time.  Under
 * callgrind each is a function of its own, bench_NAME.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mapguard.h"
#include "base/mem.h"
#include "format/format.h"
#include "profile/calls.h"
#include "profile/fold.h"
#include "profile/loader.h"
#include "profile/timeline.h"
#include "profile/tracks.h"

enum { ROWS_MAX = 60, COLUMNS = 300 };

struct bench {
	const char *path;
	unsigned jobs;
	struct trace *trace;
	struct profile *profile;
	struct overview *overview;
	uint32_t threads[ROWS_MAX], rows;
	struct cell cells[ROWS_MAX * COLUMNS];
	struct err err;
	bool failed;
};

void
mem_exhausted(size_t size)
{
	fprintf(stderr, "bench/engine: out of memory (%zu bytes)\n", size);
	exit(1);
}

static double
seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
bench_open(struct bench *b)
{
	static const struct tempfile_how how;

	b->trace = format_open(b->path, &how, &b->err);
	b->failed = b->trace == NULL;
}

static void
bench_load(struct bench *b)
{
	b->profile = profile_new(b->trace);
	b->failed = loader_run(b->profile, b->jobs, NULL, &b->err) != LOAD_DONE;
}

/* As when a table is first shown: that much is read, and counted with all relations. */
static void
bench_first(struct bench *b)
{
	struct profile *p = profile_new(b->trace);

	b->failed = profile_load(p, 65536, &b->err) == LOAD_FAILED;
	fold_free(fold_new(p, NULL, NULL, NULL));
	profile_free(p);
}

static void
bench_sums(struct bench *b)
{
	fold_free(fold_new_sums(b->profile, NULL, NULL, NULL));
}

static void
bench_fold(struct bench *b)
{
	fold_free(fold_new(b->profile, NULL, NULL, NULL));
}

/* The share of the trace between two thousandths. */
static struct range
range_of(const struct bench *b, int from, int to)
{
	nsec begin = b->profile->begin, span = b->profile->end - begin;

	return (struct range){begin + span / 1000 * from, begin + span / 1000 * to};
}

static void
range_measure(struct bench *b, int from, int to)
{
	struct range range = range_of(b, from, to);
	struct range_sums sums;

	if (range_count(b->profile, NULL, &range, b->jobs, &sums, NULL, NULL))
		range_release(&sums);
}

static void
bench_range_full(struct bench *b)
{
	range_measure(b, 0, 1000);
}

/* What costs most: whatever is more is taken from the whole. */
static void
bench_range_half(struct bench *b)
{
	range_measure(b, 0, 500);
}

static void
bench_range_small(struct bench *b)
{
	range_measure(b, 500, 505);
}

static void
bench_overview(struct bench *b)
{
	b->overview = overview_new(b->profile, OVERVIEW_BYTES);
	while (overview_advance(b->overview, 1 << 20)) {
	}
}

static void
frame_measure(struct bench *b, int from, int to)
{
	struct range window = range_of(b, from, to);

	timeline_draw(b->profile, b->overview, window.from, window.to, COLUMNS, b->threads,
	    b->rows, b->cells, NULL);
}

static void
bench_frame_wide(struct bench *b)
{
	frame_measure(b, 0, 1000);
}

static void
bench_frame_narrow(struct bench *b)
{
	frame_measure(b, 500, 501);
}

/* Rows of a log: its threads' states, cores and counters, as many as fit. */
static void
tracks_measure(struct bench *b, int from, int to)
{
	static struct track_cell cells[ROWS_MAX * COLUMNS];
	const struct log *log = b->trace->log;
	struct range window = range_of(b, from, to);
	struct track tracks[ROWS_MAX] = {{.kind = TRACK_LOAD}};
	uint32_t count = 1;

	if (log == NULL)
		return;
	for (uint32_t i = 0; i < log->sched.cpu_count && count < ROWS_MAX / 3; i++)
		tracks[count++] = (struct track){.kind = TRACK_CORE, .index = i};
	for (uint32_t i = 0; i < log->counters.count && count < ROWS_MAX / 2; i++)
		tracks[count++] = (struct track){.kind = TRACK_COUNTER, .index = i};
	for (uint32_t i = 0; i < b->rows && count < ROWS_MAX; i++)
		tracks[count++] = (struct track){.kind = TRACK_STATE, .index = b->threads[i]};
	tracks_draw(b->profile, window.from, window.to, COLUMNS, tracks, count, cells, NULL);
}

static void
bench_tracks_wide(struct bench *b)
{
	tracks_measure(b, 0, 1000);
}

static void
bench_tracks_narrow(struct bench *b)
{
	tracks_measure(b, 500, 501);
}

/* The method of the path with the most calls. */
static uint32_t
busiest(const struct bench *b)
{
	const struct tree *tree = &b->profile->tree;
	uint32_t most = 1;

	for (uint32_t n = 1; n < tree->count; n++) {
		if (tree_calls(tree, n) > tree_calls(tree, most))
			most = n;
	}
	return tree->nodes[most].method;
}

static void
bench_marks(struct bench *b)
{
	static uint8_t marks[COLUMNS];

	timeline_marks(b->profile, b->overview, NULL, b->profile->begin, b->profile->end, COLUMNS,
	    busiest(b), marks, NULL);
}

static void
bench_calls(struct bench *b)
{
	struct calls_query q = {.range = RANGE_ALL, .method = busiest(b),
	    .clock = trace_default_clock(b->trace)};

	calls_free(calls_find(b->profile, &q, NULL, NULL));
}

/* Of the method that took least time, by what the overview knows. */
static void
bench_calls_rare(struct bench *b)
{
	struct fold *f = fold_new_sums(b->profile, NULL, NULL, NULL);
	struct calls_query q = {.range = RANGE_ALL, .clock = trace_default_clock(b->trace)};
	struct calls_search *search;

	for (uint32_t m = 1; m < f->method_count; m++) {
		if (f->methods[m].calls > 0 &&
		    (q.method == 0 ||
			f->methods[m].inclusive[q.clock] < f->methods[q.method].inclusive[q.clock]))
			q.method = m;
	}
	search = calls_search_new(b->profile, &q);
	calls_search_guide(search, b->overview);
	while (calls_search_step(search)) {
	}
	calls_free(calls_search_result(search));
	calls_search_free(search);
	fold_free(f);
}

static void
bench_call(struct bench *b)
{
	struct range half = range_of(b, 500, 1000);
	struct call call;

	for (uint32_t i = 0; i < b->rows; i++)
		timeline_call_at(b->profile, b->threads[i], half.from, &call, NULL);
}

static const struct {
	const char *name;
	void (*run)(struct bench *);
} parts[] = {
	{"open", bench_open},
	{"first", bench_first},
	{"load", bench_load},
	{"sums", bench_sums},
	{"fold", bench_fold},
	{"range-full", bench_range_full},
	{"range-half", bench_range_half},
	{"range-small", bench_range_small},
	{"overview", bench_overview},
	{"frame-wide", bench_frame_wide},
	{"frame-narrow", bench_frame_narrow},
	{"tracks-wide", bench_tracks_wide},
	{"tracks-narrow", bench_tracks_narrow},
	{"marks", bench_marks},
	{"calls", bench_calls},
	{"calls-rare", bench_calls_rare},
	{"call-at", bench_call},
};

int
main(int argc, char **argv)
{
	static struct bench b;

	if (argc < 2) {
		fprintf(stderr, "usage: bench/engine TRACE [JOBS]\n");
		return 2;
	}
	mapguard_install(NULL);
	b.path = argv[1];
	b.jobs = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !b.failed; i++) {
		double begin = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

		parts[i].run(&b);
		printf("%-14s %10.6f %10.6f\n", parts[i].name, seconds(CLOCK_MONOTONIC) - begin,
		    seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
		fflush(stdout);
		if (b.profile != NULL && b.rows == 0) {
			for (; b.rows < b.profile->lane_count && b.rows < ROWS_MAX; b.rows++)
				b.threads[b.rows] = b.rows;
		}
	}
	if (b.failed) {
		fprintf(stderr, "bench/engine: %s: %s\n", b.path, b.err.what);
		return 1;
	}
	printf("%-14s %" PRIu64 "\n%-14s %" PRIu32 "\n", "records", b.profile->records, "paths",
	    b.profile->tree.count);
	overview_free(b.overview);
	profile_free(b.profile);
	trace_free(b.trace);
	return 0;
}
