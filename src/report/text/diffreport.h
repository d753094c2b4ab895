// SPDX-License-Identifier: Apache-2.0
/*
 * diffreport: what changed from one trace (A) to another (B), method by method.
 *
 * Filters, threads, window, transforms and clock are those of report.h and hold for both
 * traces.  Rows are methods that changed, list by list (enum diff_change); methods that
 * did not are counted only.
 */
#pragma once

#include "profile/sum/diff.h"
#include "report/report.h"
#include "view/diff/pathstep.h"
#include "view/diff/table.h"

struct diffreport;
struct info;
struct pathdiff;
struct runset;

/* The kind of its rows. */
enum diff_view { DIFF_BY_METHOD, DIFF_BY_PATH, DIFF_VIEWS };
extern const char *const diff_view_words[DIFF_VIEWS];

struct diffreport_format {
	const char *name;
	const char *help;
	void (*write)(struct sink *, struct diffreport *); /* NULL: not of methods of two traces */
	bool paths; /* it needs call paths of both traces */
	void (*runs)(struct sink *, const struct runset *);  /* NULL: not of methods of several runs */
	void (*tree)(struct sink *, const struct pathdiff *); /* of call paths; NULL: not of them */
	void (*calls)(struct sink *, const struct pathdiff *); /* of methods of calls; NULL: not of them */
};

extern const struct diffreport_format diffreport_formats[];
extern const int diffreport_format_count;

/* Beside those of the report.  Zero-initialise, diffreport_options_init. */
struct diffreport_options {
	const struct diffreport_format *format;
	int view; /* enum diff_view; a format that is of paths only needs none */
	int hue;  /* enum pathstep_hue */
	enum diff_value value;
	bool min_given; /* else diff_min_default */
	nsec min;
	enum diff_column sort;
	bool ascending;
	/* The gate's limits; where both are given both must be exceeded. */
	bool fail_time_given, fail_percent_given;
	nsec fail_time;
	unsigned fail_percent; /* in thousandths */
	/* Calls over a time are compared with the others, in place of runs. */
	bool over_given;
	nsec over;
	const char *per; /* pattern of their methods, borrowed; NULL: frames */
};

void diffreport_options_init(struct diffreport_options *);
/* True if call paths are compared, because of the view or the format. */
bool diffreport_of_paths(const struct diffreport_options *);

/* Owns all but the options. */
struct diffreport {
	const struct diffreport_options *how;
	struct report_options options[DIFF_SIDES]; /* copies; what they own is not theirs */
	struct report side[DIFF_SIDES];
	struct display display[DIFF_SIDES];
	struct diff_table table; /* its lists end at the limit */
	uint32_t matched[DIFF_CHANGES]; /* rows before that */
};

/*
 * Chooses the clock: as asked for, or one that both traces have, wall before cpu; false,
 * and why, when there is none.  `given` as in struct report_options.
 */
bool diffreport_clock(const struct report_options *, const struct trace *a,
    const struct trace *b, enum clock_id *, struct err *);

/*
 * False when the options cannot be met by both traces, a pattern is too costly, or it was
 * cancelled; `e` says why, and `*failed` which of them it is about (-1: both).  Release in
 * both cases.
 */
bool diffreport_make(struct diffreport *, const struct profile *a, const struct profile *b,
    const struct report_options *, const struct diffreport_options *,
    const atomic_bool *cancel, struct err *e, int *failed);
void diffreport_release(struct diffreport *);
/* Options by which methods have the same names on all sides; borrows from those it was given. */
struct report_options diffreport_side_options(const struct report_options *);
/*
 * Opens a report of one side, with its fold, and tells which methods the filters leave out (the
 * caller's to free, also on failure).  `ranked`: methods have ranks.
 */
bool diffreport_fold(struct report *, const struct profile *, const struct report_options *,
    bool ranked, uint8_t **hidden, const atomic_bool *cancel, struct err *e);

/* Appends what is compared and the totals: as lines, or as a list of an HTML page. */
void diffreport_facts(struct sbuf *, const struct diffreport *, bool html);
/* Adds which threads, window, filters and transforms were asked for; of the report only options. */
void diffreport_chosen(struct info *, const struct report *);
/* "More time (3 of 20)" */
void diffreport_title(struct sbuf *, const struct diffreport *, enum diff_change);
/* The list of a change, with its columns for people. */
struct list *diffreport_list(struct diffreport *, enum diff_change);

/* Adds a line for a name that a mapping of the other side would know, below a heading at first. */
void diffreport_unknown(struct sbuf *, bool *told, int side, struct str name);
/* Adds the member `in_a` or `in_b`: the name on the other side, and why it is thought the same. */
void diffreport_origin(struct json *, const struct diff_row *, const struct trace *const traces[DIFF_SIDES]);

/* htmldiff.c */
void diffreport_html(struct sink *, struct diffreport *);

/*
 * How many methods got slower by more than is allowed, and the worst of them (a row of
 * the diff).  All that pass the filters count, whatever the limit: those in both traces,
 * and where only a time is given those in B only, too.
 */
uint32_t diffreport_regressions(const struct diffreport *, uint32_t *worst);

/* True if a limit was given beyond which a method is too slow. */
bool diffreport_is_gate(const struct diffreport *);
/* True if there was a method to look at. */
bool diffreport_compared(const struct diffreport *);
