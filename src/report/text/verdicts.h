// SPDX-License-Identifier: Apache-2.0
/*
 * verdicts: what several runs on each side say, written for people, programs, merge requests and
 * build servers.
 */
#pragma once

#include "report/runs.h"

/* The forms: verdicts.c, verdictfiles.c, verdictci.c, verdictpage.c. */
void verdicts_text(struct sink *, const struct runset *);
void verdicts_csv(struct sink *, const struct runset *);
void verdicts_json(struct sink *, const struct runset *);
void verdicts_markdown(struct sink *, const struct runset *);
void verdicts_junit(struct sink *, const struct runset *);
void verdicts_html(struct sink *, const struct runset *); /* verdictpage.c */

/* A line of the text: a row, or what is said of rows. */
struct verdict_line {
	struct str text;            /* without its end; of the text */
	const struct runs_row *row; /* NULL: none */
	bool title;                 /* of a list, or of its columns */
};

/* Appends the text for people to `text`; returns its lines, to mem_free. */
struct verdict_line *verdicts_lines(const struct runset *, struct sbuf *text, size_t *count);

/* The lists of rows, in the order in which they are read. */
struct verdict_list {
	const char *title, *untold; /* untold: where no row has a verdict */
	bool (*has)(const struct runset *, const struct decide_row *);
	bool all; /* listed with --all only */
};
extern const struct verdict_list verdict_lists[];
extern const size_t verdict_list_count;

const char *verdicts_title(const struct runset *, const struct verdict_list *);
/* Appends the lines before the lists: the runs, what was tested, the gate. */
void verdicts_head(struct sbuf *, const struct runset *);

/* Words and figures of all forms. */
extern const char *const verdicts_values[DIFF_VALUES]; /* "inclusive" */
extern const char *const verdicts_gates[];             /* by enum decide_gate */
extern const char *const verdicts_call_words[];        /* by enum runs_calls */

const struct trace_unit *verdicts_unit(const struct runset *);
/* Microseconds as a figure of the trace's unit, without it; */
const char *verdicts_time(const struct runset *, char out[static FMT_SIZE], double us);
/* and with it. */
const char *verdicts_figure(const struct runset *, char out[static FMT_SIZE], double us);
/* A share as "+16.9". */
const char *verdicts_percent(char out[static FMT_SIZE], double share);
/* Intervals are of two runs on each side at least. */
bool verdicts_ranged(const struct runset *);
/* True if a row's change is of something that was in both sides. */
bool verdicts_changed(const struct decide_row *);
/* The verdict in a word, or why there is none. */
const char *verdicts_word(const struct decide_row *);
/* Calls of the side's run with the most, or the fewest. */
uint64_t verdicts_calls(const struct runset *, const struct runs_row *, int side, bool most);
/* "10=", "10>12", "varies" */
const char *verdicts_calls_text(const struct runset *, const struct runs_row *, char out[static FMT_SIZE]);
/* "10 % and 5.000 ms" */
void verdicts_limit(const struct runset *, struct sbuf *, const struct decide_limit *);
/* Names what failed: "2 methods, (run)"; `of`: "2 of 12, (run)". */
void verdicts_failed(const struct runset *, struct sbuf *, bool of);
/* "+16.9 % (+14.7 to +19.2)" */
void verdicts_change(struct sbuf *, const struct runset *, const struct decide_row *);
/* Why no row has a verdict; empty: they may have. */
const char *verdicts_unsure(const struct decide *, char out[static 2 * FMT_SIZE]);
/* The least, or the greatest, of the speeds that rows of a run have in common: 0.1 is 10 % slower. */
double verdicts_speed(const struct decide *, bool most);
/* Rows that are told first. */
bool verdicts_slower(const struct runset *, const struct decide_row *);
bool verdicts_faster(const struct runset *, const struct decide_row *);
