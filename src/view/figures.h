// SPDX-License-Identifier: Apache-2.0
/*
 * figures: what can be shown of a method, or of its parents and children, as one table of
 * columns.
 *
 * Drawing, sorting, pickers and text reports all take titles, values and order from
 * here, so they cannot disagree.  A column speaks of the current clock, or of "the
 * other" one (only in traces with both), or of none.
 *
 * Times are nanoseconds.  All functions only read.
 */
#pragma once

#include "base/number.h"
#include "profile/sum/fold.h"
#include "profile/sum/pathjoin.h"
#include "view/identity.h"
#include "view/list/columns.h"
#include "view/names/names.h"

enum column_id {
#define COLUMN(number, ...) COLUMN_##number,
#include "view/figures.def"
#undef COLUMN
	COLUMNS
};

enum row_kind {
	ROW_METHOD,
	/* Inside an expanded method, in this order. */
	ROW_PARENT,
	ROW_SELF,
	ROW_CHILD,
	ROW_PARENT_RECURSIVE,
	ROW_CHILD_RECURSIVE,
};

/* One row of the table, with the figures of relation rows. */
struct row {
	enum row_kind kind;
	uint32_t method; /* of the row; for ROW_SELF the expanded one */
	uint32_t of;     /* the expanded method; `method` for ROW_METHOD */
	struct relation relation; /* of relation rows, */
	uint32_t item;            /* its place among those that fold_relations has */
};

enum percent_base {
	BASE_PARENT, /* relation rows: of the expanded method; others as BASE_WINDOW */
	BASE_TRACE,  /* all rows: of the sum over the threads in scope */
	BASE_WINDOW, /* the same within the time window; without one as BASE_TRACE */
};

struct pattern;
struct rates;
struct rate;
struct wheres;

/* The data and choices that a value depends on, besides the row. */
struct figures {
	const struct trace *trace;
	struct names *names;
	struct identities *identities; /* borrowed; NULL: of one answer */
	const struct fold *fold;
	enum clock_id clock;
	enum percent_base base;
	int auto_units; /* 1: 4 significant digits and a unit instead of milliseconds */
	const struct rates *rates;    /* borrowed; NULL: the trace is not followed */
	const struct wheres *wheres;  /* borrowed; NULL: no list has conditions on its figures */
	const struct pattern *search; /* borrowed; NULL: nothing is searched for */
};

extern const struct column column_table[]; /* COLUMNS, and the end */

/* COLUMNS when no column has that id. */
enum column_id columns_find(struct str id);
/* The sums that columns show: of a method, a relation of one, or a path of a call tree. */
struct sums {
	uint32_t method; /* that is named; METHOD_NONE: none is */
	uint32_t rank;   /* RANK_NONE: it has none */
	bool timeless;   /* no CPU time: slices of no thread */
	bool own;        /* it has exclusive time, threads, and an average */
	uint32_t threads;
	nsec inclusive[CLOCKS], exclusive[CLOCKS];
	nsec base[CLOCKS], exclusive_base[CLOCKS]; /* that they are in percent of */
	nsec longest, longest_at; /* -1: not known */
	struct value calls;
	uint64_t call_count; /* for the average */
	const struct rate *now; /* NULL: not known */
	const struct pathjoin_figures *sides; /* of a path that is compared, else NULL */
	struct str mark; /* of its change */
};

struct value sums_value(const struct figures *, int column, const struct sums *);
/*
 * The part in which a thread was busy, of the time in which that is known, and how long it is
 * not; empty where it has no sense.
 */
struct value figures_busy(const struct figures *, uint32_t thread);
struct value figures_unknown(const struct figures *, uint32_t thread);
struct value column_get(const struct figures *, int column, const struct row *);

/*
 * Returns the i-th field that files have of a method, in the file's own bytes: its id, class,
 * name, signature, file, and in a log "sync" or "async".
 */
struct value figures_field(const struct figures *, uint32_t method, int i);

/* Columns for the widest value of a method's row, at least column.width.  O(methods). */
int column_width(const struct figures *, enum column_id);
