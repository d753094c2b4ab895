// SPDX-License-Identifier: Apache-2.0
/*
 * pathdiff: the call paths of two sides, each of one trace or several runs, as one tree.
 *
 * A path is in the tree if any run has it.  Threads are joined by name and kind, methods by class,
 * name and signature.  A side's exclusive time is the arithmetic mean over its runs, where a path
 * that a run lacks counts as 0, rounded half up to a nanosecond.  Inclusive times are sums of the
 * rounded ones.  What rounding leaves of a side's mean total is the top level's, so the differences
 * of exclusive times of all paths and of the top level add up to that of the totals.
 *
 * Times of runs may be per call of some methods, and runs be blocks of such calls (runside.h).
 *
 * Instead of runs, A may have the calls of traces that take up to a time, and B those that take longer
 * (percall.h): then all figures are means of a call, and paths begin at the calls.
 *
 * Where runs are tested it is known which paths they prove to differ: by the verdicts of decide.h on
 * inclusive times, with paths as rows, and those that all runs of one side have and none of the other.
 *
 * Runs are added once they are loaded, and may be freed then.  After pathdiff_finish the value is
 * immutable but for scratch of its names.  Times are nanoseconds, or what the traces count.
 *
 * Cost: linear in the paths of all runs.  Memory: some 400 bytes for each joined path; with stacks
 * the text of each, and 48 bytes; to test runs, until pathdiff_finish, 8 bytes for each path of a run,
 * on each clock that the comparison may be by, and as many for samples.
 */
#pragma once

#include "profile/sum/pathjoin.h"
#include "profile/timeline/jank.h"
#include "report/runs.h"
#include "view/diff/pathstep.h"
#include "view/tree/rows.h"

struct page;

/* Figures of a run by joined path; what comes after `count` is 0. */
struct pathdiff_column {
	int64_t *of;
	size_t count, room;
};

struct pathdiff_run {
	struct str file, title, format; /* title: the file's name without folders */
	bool sampled, damaged;
	struct str thread; /* of its calls, with the id; empty: it has none */
	uint32_t threads;  /* with such calls */
	uint64_t calls;    /* times are per so many; 0: they are not */
	/* Members that only tested runs have: */
	struct pathdiff_column time[RUNS_CLOCKS]; /* exclusive; until pathdiff_finish */
	struct pathdiff_column seen; /* series of samples, likewise; none of a traced run */
	nsec total[RUNS_CLOCKS];
	nsec interval; /* of samples; 0: traced */
};

/* The calls that are compared, in place of runs. */
struct pathdiff_calls {
	const char *per; /* pattern of their methods, borrowed; NULL: they are frames */
	nsec over;
	uint64_t cut;    /* left out: the window or the trace cuts them */
	uint64_t *in;    /* by method of the joined trace: the calls of B that it occurs in */
	size_t in_count, in_room;
	bool states;     /* are known, of all */
	nsec state[DIFF_SIDES][JANK_STATES]; /* sums; after pathdiff_finish means */
};

/* A method with its exclusive time in all paths; METHOD_TOPLEVEL: what rounding left. */
struct pathdiff_method {
	uint32_t method; /* of the joined trace */
	nsec time[DIFF_SIDES];
};

/* Exclusive times of a joined path, while runs are added. */
struct pathdiff_times {
	nsec of[DIFF_SIDES][RUNS_CLOCKS];
	uint64_t calls[DIFF_SIDES];
};

struct pathdiff {
	const struct report_options *options; /* borrowed */
	bool busy;   /* the wall clock is without idle time */
	bool stacks; /* folded stacks are wanted, too */
	bool by_calls; /* `calls` are compared, not runs */
	const struct runs_options *how; /* runs are tested as it says, borrowed; NULL: they are not */
	int hue;       /* enum pathstep_hue, of colours and marks */
	struct pathdiff_calls calls;
	const char *per; /* pattern of methods that times are per call of, borrowed; NULL: they are not */
	const struct pattern *per_found; /* the same, borrowed; NULL: blocks of these calls are runs */

	/* While runs are added. */
	struct runs_side joined; /* methods and threads of all runs */
	struct arena kept;       /* texts */
	struct intern threads;   /* names, by thread of the joined trace */
	struct pathjoin join;    /* of methods and threads of the joined trace; THREAD_NONE: all as one */
	struct pathdiff_times *times; /* by node */
	size_t time_count, time_room;
	struct intern stack_texts;
	struct pathdiff_stack *stack; /* by text */
	size_t stack_room;
	struct pathdiff_run *runs[DIFF_SIDES];
	size_t run_count[DIFF_SIDES], run_room[DIFF_SIDES];
	uint64_t of_all[DIFF_SIDES]; /* runs, or calls, that means are of */
	bool has[RUNS_CLOCKS], spends[RUNS_CLOCKS]; /* every run has the clock; and time on it */
	nsec sum[DIFF_SIDES][RUNS_CLOCKS]; /* of totals */

	/* After pathdiff_finish. */
	enum runs_clock clock;
	nsec total[DIFF_SIDES];
	struct decide decide; /* of runs that are tested, without rows */
	bool tested;   /* there is a decision */
	bool verdicts; /* and runs enough for it */
	size_t proved, one_sided; /* paths: of those that were tested; in all runs of one side only */
	struct pathjoin_sums sums; /* by node, then by path; means; the top level's own: what rounding left */
	/*
	 * Widths are the sum of both sides, on clock_id `figures.clock`; siblings are in the order of
	 * their widths, then of names.
	 */
	struct paths paths;
	struct figures figures;      /* of the joined trace, with names; the fold has the width of all */
	struct fold fold;
	struct tree_rows rows; /* those that pass the filters, without what is folded */
	uint32_t count;        /* of them, up to the limit */
	/* Methods of calls that pass the filters, the one that explains most first, up to the limit. */
	struct pathdiff_method *methods;
	size_t method_count;
};

void pathdiff_init(struct pathdiff *, const struct report_options *);
void pathdiff_release(struct pathdiff *);
/*
 * Adds a run, as the options of the report say.  False when it counts something else than the ones
 * before, the options cannot be met, or it was cancelled; `e` says why.
 */
bool pathdiff_add(struct pathdiff *, int side, const struct profile *, const atomic_bool *cancel,
    struct err *e);
/*
 * Compares calls instead of runs, from before the first is added: those over a time, of methods that
 * match (NULL: frames).
 */
void pathdiff_over(struct pathdiff *, nsec over, const char *per);
/* Adds the calls of a trace to both sides; false as pathdiff_add, or for a bad pattern. */
bool pathdiff_add_calls(struct pathdiff *, const struct profile *, const atomic_bool *cancel,
    struct err *e);
/*
 * Joins what was added; false when the clock is not in all, a side has no call, a
 * pattern is too costly, or cancelled.
 */
bool pathdiff_finish(struct pathdiff *, const atomic_bool *cancel, struct err *e);

/* Returns "+", "--", "new", by the hue; empty of what is the same, or is not proved to differ. */
const char *pathdiff_mark(const struct pathdiff *, const struct pathjoin_figures *);
/* Returns 0xRRGGBB by the hue: orange if B is more, blue if less, the stronger the larger; else grey. */
uint32_t pathdiff_colour(const struct pathdiff *, const struct pathjoin_figures *);

/* The forms (text/pathforms.c). */
void pathdiff_text(struct sink *, const struct pathdiff *);
void pathdiff_csv(struct sink *, const struct pathdiff *);
void pathdiff_json(struct sink *, const struct pathdiff *);
/* Writes lines of a stack and both sides' whole microseconds, sorted bytewise by stack. */
void pathdiff_folded(struct sink *, const struct pathdiff *);

/* Functions that pathdiff.c and pathcalls.c share. */
/* Adds a trace as so many runs as its calls have blocks. */
bool pathdiff_add_blocks(struct pathdiff *, int side, const struct profile *, const struct report_options *,
    const atomic_bool *cancel, struct err *e);
/* Notes what is added; false when it counts something else than what was added before. */
bool pathdiff_note(struct pathdiff *, int side, const struct profile *, struct err *e);
/*
 * Adds paths to a side with their totals, and folded stacks where they are wanted; `busy`: as those
 * of the wall clock without idle time.  False when cancelled.
 */
bool pathdiff_join(struct pathdiff *, int side, const struct report *, const struct paths *, bool busy,
    const atomic_bool *cancel);
/* Adds to the figure of a joined path (pathruns.c). */
void pathdiff_column_add(struct pathdiff_column *, uint32_t made, int64_t figure);
/* Decides which joined paths are proved to differ, where runs are tested and all have time on the clock. */
void pathdiff_test(struct pathdiff *);
/* Frees what a test needs of a run. */
void pathdiff_run_release(struct pathdiff_run *);
/* False, and why, when a side has no call. */
bool pathdiff_calls_check(const struct pathdiff *, struct err *e);
/* Sums exclusive times of the joined paths by method, without those that are hidden (NULL: none). */
void pathdiff_calls_sum(struct pathdiff *, const uint8_t *hidden);

/* The methods of calls (text/callforms.c). */
void pathdiff_calls_text(struct sink *, const struct pathdiff *);
void pathdiff_calls_csv(struct sink *, const struct pathdiff *);
void pathdiff_calls_json(struct sink *, const struct pathdiff *);

/* Appends the head of the forms for people: what is compared, and the totals. */
void pathdiff_facts(struct sbuf *, const struct pathdiff *, bool html);
/* Returns a run's name for readers elsewhere: of several runs with the folder, but no whole path. */
struct str pathdiff_run_title(const struct pathdiff *, int side, size_t at);
/* Appends "A 0.500 ms, B 0.640 ms: +0.140 ms, +28.00 %". */
void pathdiff_totals(struct sbuf *, const struct pathdiff *, const nsec times[DIFF_SIDES]);
/* Writes the first members of the JSON forms, in an object that is open. */
void pathdiff_members(struct json *, const struct pathdiff *);
/* Makes "incl_cpu_us_a" of "incl" and "_a", or the same with what the traces count. */
void pathdiff_key(const struct pathdiff *, const char *word, const char *part,
    char out[static FMT_SIZE]);
struct sheet;
/* Adds columns of text with these titles, the last one of names; after a blank comes the unit. */
void pathdiff_columns(struct sheet *, const char *const *titles, int count);
/* Returns the time of A, of B, or the difference. */
struct value pathdiff_part(const nsec times[DIFF_SIDES], int part);
extern const char *const pathdiff_parts[DIFF_SIDES + 1]; /* "_a", "_b", "_delta" */

/*
 * The flame graph (text/pathpictures.c): a frame is as wide as both sides' times, and coloured by the
 * change.  In a page its reader may have it as wide as one of them, or as the change.
 */
void pathdiff_svg(struct sink *, const struct pathdiff *);
void pathdiff_html(struct sink *, const struct pathdiff *);
/* Writes it as a part of a page that is open. */
void pathdiff_graph(struct page *, const struct pathdiff *);
/* Appends the speed that the methods of each run have in common, from least to most, where it is known. */
void pathdiff_speeds(struct sbuf *, const struct pathdiff *);
/* Appends the line below its title: clock and totals. */
void pathdiff_subtitle(struct sbuf *, const struct pathdiff *);

/* A folded stack, with its mean in thousandths of what its lines count. */
struct pathdiff_line {
	struct str stack;
	int64_t count[DIFF_SIDES];
};

/* Returns all stacks, sorted; mem_free. */
struct pathdiff_line *pathdiff_lines(const struct pathdiff *, size_t *count);
