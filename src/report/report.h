// SPDX-License-Identifier: Apache-2.0
/*
 * report: the profile without a terminal.
 *
 * A report shows one of the views in report_views: which rows there are, in which order
 * (report_make).  It is then written in one of the forms in report_formats, which write
 * what is around the rows; the view writes the rows themselves.  A new view is a row of
 * view/views.def, or of view/log/tables.def, and its functions.  Forms write bytes to a sink and
 * know no files.
 *
 * Names in a trace are hostile: each form escapes for its readers.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/pattern.h"
#include "base/sbuf.h"
#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/log/usage.h"
#include "profile/sum/fold.h"
#include "profile/sum/transform.h"
#include "report/sink.h"
#include "trace/trace.h"
#include "view/diff/rates.h"
#include "view/figures.h"
#include "view/names/processes.h"
#include "view/query/answering.h"

struct json;
struct engine_groups;
struct list_source;
struct report;
struct tables;
struct tree_rows;

/* Options that only some views take. */
enum report_takes {
	TAKES_METHOD = 1 << 0,    /* --method */
	TAKES_RELATIONS = 1 << 1, /* --relations, and --method shows them */
	TAKES_NAMES = 1 << 2,     /* --sort=class, --sort=file */
	TAKES_CUT = 1 << 3,       /* --min-percent */
	TAKES_TOGETHER = 1 << 4,  /* --together */
	TAKES_BUDGET = 1 << 5,    /* --budget */
	TAKES_TRANSFORMS = 1 << 6, /* --transform */
};

struct report_view {
	const char *name;
	const char *help;
	enum same_by by; /* what methods are counted together by */
	unsigned takes;   /* mask of enum report_takes */
	/* Fills the rows; false as report_make. */
	bool (*choose)(struct report *, const atomic_bool *cancel, struct err *e);
	/* The rows in each form.  All stop early when sink_row or sink_wanted says so. */
	void (*text)(struct sink *, const struct report *);
	/* CSV with its heading; with `json` the members that its document ends with. */
	void (*write)(struct sink *, struct json *json, const struct report *);
	const struct list_source *source; /* its list (tables.h); NULL: of the log's table, */
	int table; /* enum usage_table */
	const char *none; /* what text says without rows; NULL: that none match */
	bool callers; /* of call paths: upside down */
	bool has_threads; /* JSON has "threads" before */
	bool one_thread; /* of those in scope: the main one, if it has something of the range */
	bool decodes; /* reads records again, whatever the range */
};

extern const struct report_view report_views[];
extern const int report_view_count;

/* All columns that it may have; the last one has no id. */
const struct column *report_columns(const struct report_view *);
/* True if any view has a column of that word. */
bool report_is_column(const char *word);

struct report_format {
	const char *name;
	const char *help;
	/* Both stop early when sink_row says so. */
	void (*write)(struct sink *, const struct report *);
	/* Writes what the trace is, in place of its methods; NULL: not in this form. */
	void (*info)(struct sink *, const struct report *);
	const char *begin, *between, *end; /* around and between the reports of several traces */
	bool named; /* rows always have the trace's name */
};

extern const struct report_format report_formats[];
extern const int report_format_count;

struct report_pattern {
	struct pattern *pattern;
	const char *text; /* from the command line, borrowed */
	bool exclude;
};

struct report_patterns {
	struct report_pattern *list;
	size_t count, room;
};

enum { REPORT_PERCENT_UNIT = 1000 };

/* Texts, borrowed. */
struct words {
	const char **list;
	size_t count, room;
};

/*
 * A followed trace's sums at the report before, and those that came since: kept by the caller
 * from one report to the next, for columns of now.  Zero has nothing; report_past_release.
 */
struct report_past {
	struct rates rates;
	uint64_t *methods, *threads; /* by index then: what they are (view/identity.h) */
};

void report_past_release(struct report_past *);

/* The options of a report.  Zero-initialise, report_options_init, report_options_release. */
/* Names of slices as they were written, or folded (trace/folded.h): in a text, if not said. */
enum report_names { NAMES_BY_FORM, NAMES_WRITTEN, NAMES_FOLDED };

struct report_options {
	const struct report_view *view;
	const struct report_format *format;
	bool clock_given; /* else trace_busy_clock */
	bool axis_clock;  /* unless one is given: the clock of the time axis */
	enum clock_id clock;
	const char *sort; /* the word of a column (list_sort_word), borrowed; NULL: the view's order */
	uint32_t limit;                 /* rows */
	struct report_patterns filters; /* all must hold */
	struct words where;             /* conditions of rows (view/list/where.h): all must hold */
	struct report_patterns methods; /* any; none: all rows */
	struct words threads;   /* ids or names; none: all */
	struct words processes; /* of a log: ids or names; none: all */
	struct range range; /* RANGE_ALL unless asked for; nanoseconds on the axis */
	struct transforms transforms; /* of the call tree, before anything is summed */
	bool relations;   /* parents and children of all rows */
	bool together;    /* threads as one, where they are apart else */
	bool budget_given;
	nsec budget;      /* calls that took longer are marked; 0: none are */
	bool min_given;
	unsigned min_percent; /* of the total, less is folded; in REPORT_PERCENT_UNITths */
	int names;        /* of a log, enum report_names */
	bool numbers;     /* in them are one (name_number): comparisons, */
	bool exact;       /* unless this is given */
	const char *run; /* the trace's name in rows of CSV and JSON lines; NULL: not asked for */
	bool ascii; /* nothing else in what people read */
	struct report_past *past; /* of what is followed; borrowed; NULL: there are no columns of now */
};

void report_options_init(struct report_options *);
void report_options_release(struct report_options *);
/*
 * A filter may begin with ! to exclude.  False: a bad pattern, `why` filled.  Texts are
 * borrowed.
 */
bool report_filter_add(struct report_options *, const char *text, struct err *why);
bool report_method_add(struct report_options *, const char *text, struct err *why);
/* The view of single calls, of the methods that match. */
bool report_calls_add(struct report_options *, const char *text, struct err *why);
/* "NAME:ARGUMENT", as in profile/sum/transform.h. */
bool report_transform_add(struct report_options *, const char *text, struct err *why);

struct thread_words report_thread_words(const struct report_options *);
/* The threads asked for, the caller's; NULL: all. */
bool report_scope(const struct report_options *, const struct trace *, struct scope **,
    struct err *);
extern const char *const clock_names[CLOCKS]; /* "cpu", "wall" */

/* The clock to go by; false when the trace has not the one asked for. */
bool report_clock(const struct report_options *, const struct trace *, enum clock_id *,
    struct err *);

/*
 * The input of a form.  Owns the scope, the fold, the names in `figures` and the rows; borrows
 * the rest.
 */
struct report {
	const struct report_options *options;
	const struct profile *profile;
	const struct trace *trace;
	struct sheet_runs *runs; /* rows have the trace's name; borrowed; NULL: they have not */
	struct scope *scope; /* NULL: all threads */
	struct query query;  /* as the options ask; borrows from them */
	struct answering answering;
	struct fold_query source; /* what sums are made from, which the latter owns */
	struct sbuf idle;         /* pattern of idle methods, where the view tells their time */
	struct fold *fold;   /* of the scope and range, methods grouped as the view says */
	struct usage *usage; /* of the same threads and range, of a text log; else NULL */
	struct engine_groups *groups; /* that `fold` is of, the tables'; NULL: of methods */
	struct fold *methods; /* of groups: the methods in them, the tables' */
	struct figures figures;
	uint32_t methods_met; /* in all threads, (toplevel) not counted */
	uint32_t threads_met; /* with records, in scope or not */
	bool relations;       /* parents and children of the rows are wanted */
	struct paths *paths;   /* of call paths, */
	struct tree_rows *tree; /* of the views of call paths; instead of `rows` */
	struct tables *tables; /* of views that are lists of the screen; instead of `rows` */
	uint32_t *rows;       /* indexes of methods, or of what the view is about, in order */
	uint32_t count;
	uint32_t matched; /* rows there were before the limit */
};

/*
 * False when the options cannot be met by this trace (a clock or thread that it has
 * not, a pattern that is too costly) or it was cancelled; `e` says why.  Release in
 * both cases.
 */
bool report_make(struct report *, const struct profile *, const struct report_options *,
    const atomic_bool *cancel, struct err *e);
/* False for a window without events, where all figures would be 0. */
bool report_range(const struct report_options *, const struct profile *,
    const atomic_bool *cancel, struct err *);
/* False and ERR_CANCELLED when it is cancelled. */
bool report_goes_on(const atomic_bool *cancel, struct err *e);
/* Only clock, scope, range, tree and names, for what needs neither fold nor rows. */
bool report_open(struct report *, const struct profile *, const struct report_options *,
    const atomic_bool *cancel, struct err *e);
/* Only `source`, from options, profile, trace and scope; for report_open and conversions. */
bool report_source(struct report *, const atomic_bool *cancel, struct err *e);
/* The call paths of what was asked for; NULL when cancelled. */
struct paths *report_paths(const struct report *, bool together, const atomic_bool *cancel);
void report_release(struct report *);

/* Nothing matches; not even what a tree folds (text/views.h). */
bool report_is_empty(const struct report *);

/* Writes it; 0, or the errno of the write that failed, or ECANCELED. */
int report_write(const struct report *, FILE *, const atomic_bool *cancel);
/* Writes the trace's facts with the format's `info`, which must not be NULL. */
int report_write_info(const struct report *, FILE *, const atomic_bool *cancel);


/* A row with what it is sorted by. */
struct ranked {
	int64_t key;
	struct str text; /* where keys are equal */
	/* Ascending in any order, where both are: */
	struct str name;
	uint32_t id, index;
	bool ascending; /* ranked_sort's */
};

/* Leaves the indexes in order in `rows` and frees the list. */
void ranked_sort(struct ranked *, uint32_t count, bool ascending, uint32_t *rows);
