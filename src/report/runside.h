// SPDX-License-Identifier: Apache-2.0
/*
 * runside: the runs of one side of a comparison, each the times of its methods.
 *
 * A trace is read once it is loaded, and may be freed then: of it stay names, calls and times on each
 * clock, and on the wall clock without idle time.  It is one run; or its calls are some, in blocks
 * (profile/timeline/percall.h).  The methods of all runs of the side are those of one trace.
 *
 * Times are nanoseconds, or what the traces count.  Memory: 56 bytes for each method in each run.
 */
#pragma once

#include "base/map.h"
#include "profile/sum/diff.h"
#include "profile/timeline/percall.h"
#include "report/report.h"

/* The clocks of times. */
enum runs_clock { RUNS_CPU, RUNS_WALL, RUNS_BUSY /* wall without idle time */, RUNS_CLOCKS };
extern const enum clock_id runs_clock_of[RUNS_CLOCKS];

/* Sums of a method in a run. */
struct runs_cell {
	nsec time[DIFF_VALUES][RUNS_CLOCKS];
	uint64_t calls; /* recursive ones, too */
};

struct runs_run {
	const char *path; /* borrowed */
	const char *format;
	struct sampled sampled;
	uint64_t recorded; /* when that began, us of the Unix epoch; 0: not told */
	bool has[RUNS_CLOCKS];
	nsec total[RUNS_CLOCKS]; /* exclusive times of all methods */
	struct runs_cell *cells; /* by method of its side */
	uint32_t count;
	uint64_t calls; /* times are per so many; 0: they are not */
};

struct runs_side {
	struct runs_run *runs;
	size_t count, room;
	struct trace *trace; /* its methods are those of all runs */
	struct intern keys;  /* of methods */
	uint32_t *methods;   /* by key */
	size_t method_room;
};

/* How traces are read.  Borrows all. */
struct runs_reading {
	const struct report_options *options;
	bool with_idle;
	const struct pattern *per; /* runs have the calls of methods that match; NULL: not */
	const char *per_text;
	const char *blocks; /* blocks of calls of methods that match are runs; NULL: traces are */
};

/* Takes the unit of a trace's figures for a side, or checks that it is the one of the runs that it has. */
bool runs_side_unit(struct runs_side *, bool has_runs, const struct trace *, struct err *e);
/* Adds a trace that was loaded; false: `e`. */
bool runs_side_add(struct runs_side *, const struct runs_reading *, const struct profile *,
    const char *path, const atomic_bool *cancel, struct err *e);
/* Returns 1 for each method, by index, that matches a pattern, which was that text; mem_free. */
uint8_t *runs_per_find(const struct pattern *, const char *text, const struct report *, struct err *e);
/* False when times cannot be per so many calls. */
bool runs_per_check(uint64_t calls, const struct profile *, const char *text, struct err *e);
/* Divides the calls of a pattern into blocks; NULL, and why, when there are none. */
struct percall *runs_blocks(const struct report *, const char *pattern, const atomic_bool *cancel, struct err *e);
/* Makes a block's tree without idle time; NULL when cancelled. */
struct transformed *runs_block_busy(const struct report *, const struct transformed *, const atomic_bool *cancel);
/* The side's method of that name, which is made when it is met first. */
uint32_t runs_side_method(struct runs_side *, const struct method *);
void runs_side_release(struct runs_side *);
