// SPDX-License-Identifier: Apache-2.0
/*
 * table: two traces compared as lists of methods to walk in: those that got slower,
 * faster, that are in one of them only, and those that did not change.
 *
 * B is the trace that is browsed: clock, filters, search and how names are shown are those
 * of its display.  Lists are made anew when folds, clock, value or filters have changed
 * (diff_table_follow); each has its own cursor, which stays on its method.
 *
 * Functions that return bool say whether they changed anything.  Nothing here draws.
 */
#pragma once

#include "view/diff/columns.h"
#include "view/display.h"

/* Methods that changed in one way; items are rows of the diff. */
struct diff_list {
	struct list list;
	struct diff_table *table;
	enum diff_change change;
};

struct diff_table {
	struct display *display;       /* of B; borrowed */
	struct display *before;        /* of A; borrowed, NULL: there is no comparison */

	struct diff_names pairs;
	struct diff diff; /* of the folds that are known; empty until both are */
	bool made;
	struct diff_by by;
	bool min_given; /* else by.min is diff_min_default */
	bool lacks; /* the clock of B's display is not in both: by.clock is another, or none is */

	struct diff_list lists[DIFF_CHANGES]; /* order and columns are those of `now` */
	enum diff_change now;
	struct display_seen seen, seen_before; /* that the lists were made of */
	struct diff_by made_by;
};

void diff_table_init(struct diff_table *, struct display *);
/* B is another trace now, or the same loaded again. */
void diff_table_set_display(struct diff_table *, struct display *);
void diff_table_release(struct diff_table *);

/* Compares with this trace from now on, whose filters become those of B; NULL: with none. */
void diff_table_begin(struct diff_table *, struct display *before);
/*
 * After any change of B's display, or of this one.  Some 10 ms for 30 000 methods when
 * something changed.
 */
void diff_table_follow(struct diff_table *);

/*
 * Appends which name the row's method has on another side, or may have there; nothing if it is the
 * same, or a mapping's.
 */
void diff_put_origin(struct sbuf *, const struct diff_row *, const struct trace *const traces[DIFF_SIDES],
    struct names *const names[DIFF_SIDES]);

/* Is there something to be seen?  No: folds are still missing, or there is no clock. */
bool diff_table_known(const struct diff_table *);

static inline struct list *
diff_table_list(struct diff_table *t)
{
	return &t->lists[t->now].list;
}

/* The cursor's row; NULL without one. */
const struct diff_row *diff_table_row(const struct diff_table *);
/* Which method of B it is; METHOD_NONE without one. */
uint32_t diff_table_method(const struct diff_table *);
/* The list that has this method of B, and in it its row; false when there is none. */
bool diff_table_go(struct diff_table *, uint32_t method);
/* Rows of a list, columns of the screen. */
void diff_table_set_size(struct diff_table *, int rows, int columns);
/* The list to the right (1) or left (-1), around. */
void diff_table_step(struct diff_table *, int direction);

/* Makes a sheet of all changes for files, list by list in their orders; with its own columns. */
void diff_table_sheet(struct sheet *, const struct diff_table *);

/* The name of a row's method, B's before A's, as shown. */
struct str diff_table_name(const struct diff_table *, const struct diff_row *);
/* The full name of a row's method, B's before A's, as in the trace. */
struct str diff_table_raw(const struct diff_table *, const struct diff_row *);
