/*
 * diff_columns: what the comparison of two traces can show of a method, as one table.
 *
 * Report and screen take titles, texts and order from here, so they cannot disagree.  Times
 * are in milliseconds with a sign where they are differences.  All functions only read.
 */
#ifndef SLOWTOP_VIEW_DIFF_COLUMNS_H
#define SLOWTOP_VIEW_DIFF_COLUMNS_H

#include "base/fmt.h"
#include "profile/diff.h"
#include "view/columns.h"
#include "view/sheet.h"

/* In the order in which they stand. */
enum diff_column {
	DIFF_COLUMN_DELTA,
	DIFF_COLUMN_PERCENT,
	DIFF_COLUMN_A,
	DIFF_COLUMN_B,
	DIFF_COLUMN_CALLS,
	DIFF_COLUMN_BY_CALLS,
	DIFF_COLUMN_BY_TIME,
	DIFF_COLUMN_AVG_A,
	DIFF_COLUMN_AVG_B,
	DIFF_COLUMN_OTHER, /* exclusive, when the others are inclusive; and the reverse */
	DIFF_COLUMN_METHOD, /* what shows names says them */
	DIFF_COLUMNS
};

struct diff_column_row {
	const char *id;    /* the word for options and pickers */
	const char *title; /* without unit */
	const char *help;  /* one line */
	enum sheet_kind kind;
	bool rises; /* sorts smallest first unless inverted */
	int width;  /* at least; columns of the screen */
	int from;   /* shown from this screen width on */
	/* NULL: made otherwise. */
	struct value (*get)(const struct diff_row *, const struct diff_by *);
};

extern const struct diff_column_row diff_columns[DIFF_COLUMNS];

/* DIFF_COLUMNS when no column has that id. */
enum diff_column diff_column_find(struct str id);
/* "Delta ms"; of the column of the other time which that is. */
const char *diff_column_title(
    enum diff_column, const struct diff_by *, bool auto_units, char out[static FMT_SIZE]);
/* A cell; "" in the column of the method. */
const char *diff_column_text(enum diff_column, const struct diff_row *,
    const struct diff_by *, bool auto_units, char out[static FMT_SIZE]);
/* What rows are ordered by: of differences how large they are, whatever their sign. */
int64_t diff_column_key(enum diff_column, const struct diff_row *, const struct diff_by *);

/* A time with its sign: "+310.220"; "0.000". */
const char *diff_time_text(nsec, bool auto_units, char out[static FMT_SIZE]);
/* A least change: "1 ms", "12.5 us". */
const char *diff_min_text(nsec, char out[static FMT_SIZE]);
/* The delta in percent of A, with its sign; "new", "gone" or "-" without one. */
const char *diff_percent_text(nsec a, nsec b, char out[static FMT_SIZE]);
/* "cause: 488 more calls explain +305.0 ms, +3.197 us per call explains +5.245 ms" */
void diff_cause_text(struct sbuf *, const struct diff_row *, const struct diff_by *);

struct diff_change_row {
	const char *word;  /* "slower" */
	const char *title; /* "Slower" */
	char mark[2];      /* before a method: "^" */
};

extern const struct diff_change_row diff_changes[DIFF_CHANGES];
extern const char *const diff_value_words[DIFF_VALUES]; /* "incl", "excl" */
extern const char *const diff_value_names[DIFF_VALUES]; /* "inclusive" */

#endif
