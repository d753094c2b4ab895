// SPDX-License-Identifier: Apache-2.0
/*
 * engine: how long the parts of the engine take on a trace, each by itself.
 *
 *	tests/bench/engine TRACE [JOBS]
 *
 * Prints a line for each: its name, seconds, seconds of processor time, and the largest
 * resident memory meanwhile, in bytes, with what the parts before it keep and mapped pages.
 * Under callgrind each is a function of its own, bench_NAME.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/opened.h"
#include "profile/timeline/calls.h"
#include "profile/timeline/tracks.h"
#include "tests/folded.h"

struct bench {
	const char *path;
	unsigned jobs;
	struct opened opened;
	struct err err;
	bool failed;
};

static void
bench_open(struct bench *b)
{
	b->failed = !opened_trace(&b->opened, b->path, &b->err);
}

static void
bench_load(struct bench *b)
{
	b->failed = !opened_load(&b->opened, b->jobs, &b->err);
}

/* As when a table is first shown: that much is read, and counted with all relations. */
static void
bench_first(struct bench *b)
{
	struct profile *p = profile_new(b->opened.trace);

	b->failed = profile_load(p, 65536, &b->err) == LOAD_FAILED;
	fold_free(fold_new(p, NULL, NULL, NULL));
	profile_free(p);
}

static void
bench_sums(struct bench *b)
{
	fold_free(fold_make(b->opened.profile, &(struct fold_query){0}, NULL));
}

static void
bench_fold(struct bench *b)
{
	fold_free(fold_new(b->opened.profile, NULL, NULL, NULL));
}

/* The share of the trace between two thousandths. */
static struct range
range_of(const struct bench *b, int from, int to)
{
	nsec begin = b->opened.profile->begin, span = b->opened.profile->end - begin;

	return (struct range){begin + span / 1000 * from, begin + span / 1000 * to};
}

static void
range_measure(struct bench *b, int from, int to)
{
	struct range range = range_of(b, from, to);
	struct range_sums sums;

	if (range_count(b->opened.profile, NULL, &range, &sums, NULL, NULL))
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
	opened_overview(&b->opened);
}

static void
frame_measure(struct bench *b, int from, int to)
{
	struct range window = range_of(b, from, to);

	opened_draw(&b->opened, window.from, window.to);
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
	const struct log *log = b->opened.trace->log;
	struct range window = range_of(b, from, to);
	struct track tracks[ROWS_MAX] = {{.kind = TRACK_LOAD}};
	uint32_t count = 1;

	for (uint32_t i = 0; i < log->sched.cpu_count && count < ROWS_MAX / 3; i++)
		tracks[count++] = (struct track){.kind = TRACK_CORE, .index = i};
	for (uint32_t i = 0; i < log->counters.count && count < ROWS_MAX / 2; i++)
		tracks[count++] = (struct track){.kind = TRACK_COUNTER, .index = i};
	for (uint32_t i = 0; i < b->opened.rows && count < ROWS_MAX; i++)
		tracks[count++] = (struct track){.kind = TRACK_STATE, .index = b->opened.threads[i]};
	tracks_draw(b->opened.profile, window.from, window.to, COLUMNS, tracks, count, cells, NULL, NULL);
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
	const struct tree *tree = &b->opened.profile->tree;
	uint32_t most = 1;

	for (uint32_t n = 1; n < tree->count; n++) {
		if (tree->nodes[n].calls > tree->nodes[most].calls)
			most = n;
	}
	return tree->nodes[most].method;
}

static void
bench_marks(struct bench *b)
{
	static uint8_t marks[COLUMNS];

	const struct profile *p = b->opened.profile;

	timeline_marks(p, NULL, p->begin, p->end, COLUMNS, busiest(b), true, marks, NULL);
}

static void
bench_calls(struct bench *b)
{
	struct calls_query q = {.range = RANGE_ALL, .method = busiest(b),
	    .clock = trace_default_clock(b->opened.trace)};

	calls_free(calls_find(b->opened.profile, &q, NULL, NULL));
}

/* Of the method that took least time, by what the overview knows. */
static void
bench_calls_rare(struct bench *b)
{
	struct fold *f = fold_make(b->opened.profile, &(struct fold_query){0}, NULL);
	struct calls_query q = {.range = RANGE_ALL, .clock = trace_default_clock(b->opened.trace)};
	struct calls_search *search;

	for (uint32_t m = 1; m < f->method_count; m++) {
		if (f->methods[m].calls > 0 &&
		    (q.method == 0 ||
			f->methods[m].inclusive[q.clock] < f->methods[q.method].inclusive[q.clock]))
			q.method = m;
	}
	search = calls_search_new(b->opened.profile, &q);
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

	for (uint32_t i = 0; i < b->opened.rows; i++)
		timeline_call(b->opened.profile, b->opened.threads[i], half.from, 0, METHOD_NONE, &call, NULL);
}

static const struct {
	const char *name;
	void (*run)(struct bench *);
	bool log; /* only of one */
} parts[] = {
	{"open", bench_open, false},
	{"first", bench_first, false},
	{"load", bench_load, false},
	{"sums", bench_sums, false},
	{"fold", bench_fold, false},
	{"range-full", bench_range_full, false},
	{"range-half", bench_range_half, false},
	{"range-small", bench_range_small, false},
	{"overview", bench_overview, false},
	{"frame-wide", bench_frame_wide, false},
	{"frame-narrow", bench_frame_narrow, false},
	{"tracks-wide", bench_tracks_wide, true},
	{"tracks-narrow", bench_tracks_narrow, true},
	{"marks", bench_marks, false},
	{"calls", bench_calls, false},
	{"calls-rare", bench_calls_rare, false},
	{"call-at", bench_call, false},
};

/* Peak of the resident memory since it was last asked for, in bytes; 0: not told. */
static uint64_t
peak_memory(void)
{
	FILE *status = fopen("/proc/self/status", "r"), *peak;
	uint64_t kilobytes = 0;
	char line[200];

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			kilobytes = strtoull(line + 6, NULL, 10);
	if (status != NULL)
		fclose(status);
	peak = fopen("/proc/self/clear_refs", "w");
	if (peak != NULL) {
		fputs("5\n", peak);
		fclose(peak);
	}
	return 1024 * kilobytes;
}

int
main(int argc, char **argv)
{
	static struct bench b;

	if (argc < 2) {
		fprintf(stderr, "usage: bench/engine TRACE [JOBS]\n");
		return 2;
	}
	b.path = argv[1];
	b.jobs = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !b.failed; i++) {
		double begin = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

		if (parts[i].log && b.opened.trace->log == NULL)
			continue;
		parts[i].run(&b);
		begin = seconds(CLOCK_MONOTONIC) - begin;
		cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		printf("%-14s %10.6f %10.6f %12" PRIu64 "\n", parts[i].name, begin, cpu,
		    peak_memory());
		fflush(stdout);
	}
	if (b.failed) {
		fprintf(stderr, "bench/engine: %s: %s\n", b.path, b.err.what);
		return 1;
	}
	printf("%-14s %" PRIu64 "\n%-14s %" PRIu32 "\n", "records", b.opened.profile->records,
	    "paths", b.opened.profile->tree.count);
	opened_release(&b.opened);
	return 0;
}
