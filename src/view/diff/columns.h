// SPDX-License-Identifier: Apache-2.0
/*
 * columns: what the comparison of two traces can show of a method, as one table.
 *
 * Report and screen take titles, texts and order from here, so they cannot disagree.  Times
 * are in milliseconds with a sign where they are differences.  All functions only read.
 */
#pragma once

#include "base/number.h"
#include "profile/sum/diff.h"
#include "view/list/list.h"

enum diff_column {
#define COLUMN(number, ...) number,
#include "view/diff/columns.def"
#undef COLUMN
	DIFF_COLUMNS
};

extern const struct column diff_columns[]; /* DIFF_COLUMNS, and the end */

struct value diff_column_value(
    enum diff_column, const struct diff_row *, const struct diff_by *);
/* Columns to sort rows of a report by: the i-th one's word, NULL after the last. */
const char *diff_column_word(int i);
/* DIFF_COLUMNS when no such column has that word. */
enum diff_column diff_column_find(struct str word);
/* "Delta ms"; of the column of the other time which that is. */
const char *diff_column_title(
    enum diff_column, const struct diff_by *, bool auto_units, char out[static FMT_SIZE]);
/* A cell; "" in the column of the method. */
const char *diff_column_text(enum diff_column, const struct diff_row *,
    const struct diff_by *, bool auto_units, char out[static FMT_SIZE]);

/* A time with its sign: "+310.220"; "0.000". */
const char *diff_time_text(const struct trace_unit *, nsec, bool auto_units, char out[static FMT_SIZE]);
/* A least change: "1 ms", "12.5 us". */
const char *diff_min_text(nsec, char out[static FMT_SIZE]);
/* The delta in percent of A, with its sign; "new", "gone" or "-" without one. */
const char *diff_percent_text(nsec a, nsec b, char out[static FMT_SIZE]);
/* "+305.0 ms from 488 more calls, +5.245 ms because calls are 3.197 us longer" */
void diff_cause_text(struct sbuf *, const struct diff_row *, const struct diff_by *);

struct diff_change_row {
	const char *word;  /* for programs: "slower" */
	const char *title; /* "More time": two traces do not tell what got slower */
	char mark[2];      /* before a method: "^" */
};

extern const struct diff_change_row diff_changes[DIFF_CHANGES];
extern const char *const diff_value_words[DIFF_VALUES]; /* "incl", "excl" */
extern const char *const diff_value_names[DIFF_VALUES]; /* "inclusive" */
