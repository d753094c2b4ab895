/*
 * table: the profile table as a model: rows, order, cursor, expansion, search.
 *
 * Rows are made from the newest fold.  The cursor is on an identity (row kind, method,
 * expanded method), not on a row number: it stays there, on the same screen line where
 * possible, whatever changes the rows.  (toplevel) stands first in every order.
 *
 * Functions that change something say whether they did.  Nothing here draws, and
 * drawing (table_pane.h) changes nothing here.
 */
#ifndef SLOWTOP_VIEW_TABLE_H
#define SLOWTOP_VIEW_TABLE_H

#include "view/columns.h"
#include "view/filters.h"

enum column_shown {
	SHOWN_AUTO, /* as the screen is wide */
	SHOWN_YES,
	SHOWN_NO
};

struct identity {
	enum row_kind kind;
	uint32_t method, of;
};

struct pattern;

struct table {
	struct figures figures; /* what is shown; the fold is owned, NULL before the first */
	struct filters filters; /* change it, then call table_refilter */

	enum column_id sort;
	bool rising;
	enum column_id order[COLUMNS]; /* from left to right; METHOD stays last */
	enum column_shown shown[COLUMNS];
	int first_column;              /* columns scrolled away at the left */
	enum elision elision;
	int name_skip;                 /* columns of the full name; NAME_FITTED */

	struct row *rows;
	size_t row_count, row_room;
	uint32_t methods;  /* rows of methods, (toplevel) not counted */
	size_t cursor, top;
	size_t height;     /* rows on the screen */
	uint32_t *open;    /* expanded methods */
	size_t open_count, open_room;
	uint32_t guest;    /* shown whatever the filters say; METHOD_NONE */

	struct pattern *search; /* owned; NULL: none */
	struct err search_err;  /* pattern too costly */
	uint8_t *hits;          /* by method: 0 unknown, 1 hit, 2 not */
	uint32_t hit_count;
	size_t hit_room;
};

enum { NAME_FITTED = -1 };

void table_init(struct table *, const struct trace *, struct names *);
void table_release(struct table *);

/* Takes the fold over.  With the first one the cursor goes to the first method. */
void table_set_fold(struct table *, struct fold *);
void table_set_height(struct table *, size_t rows);
void table_set_clock(struct table *, enum clock_id);
void table_set_base(struct table *, enum percent_base);
void table_refilter(struct table *);

/* Order. */
void table_sort(struct table *, enum column_id, bool rising);
void table_sort_by(struct table *, enum column_id); /* in the column's own direction */
void table_invert(struct table *);
/* To the next visible column, -1 left, 1 right.  `screen`: columns of the screen. */
bool table_sort_step(struct table *, int direction, int screen);

/* Columns. */
bool table_column_visible(const struct table *, enum column_id, int screen);
void table_column_show(struct table *, enum column_id, enum column_shown);
/* Moves a column one place; METHOD stays last. */
bool table_column_move(struct table *, enum column_id, int direction);
bool table_scroll_columns(struct table *, int direction, int screen);
/* The name, half a width left (-1) or right (1); 0: back to the fitted name. */
bool table_scroll_name(struct table *, int direction, int screen);
bool table_scroll_name_end(struct table *, int screen);

/* Cursor.  NULL when there is no row. */
const struct row *table_row(const struct table *);
bool table_move(struct table *, int64_t rows);
bool table_move_to(struct table *, size_t row);
bool table_centre(struct table *);
/* As a reader counts: (toplevel) is 0. */
size_t table_position(const struct table *, size_t *of);
/* The method that the cursor's row is about; METHOD_NONE without one. */
uint32_t table_method(const struct table *);

/* Expansion. */
bool table_is_open(const struct table *, uint32_t method);
bool table_set_open(struct table *, uint32_t method, bool open);
/* Collapses all, expands `method` and puts it in the first line, cursor on it. */
bool table_go(struct table *, uint32_t method);
/* Cursor on a row of the method; nothing is expanded.  Shows it despite filters. */
bool table_select(struct table *, uint32_t method);

/* Search.  Takes the pattern over; NULL ends it. */
void table_search(struct table *, struct pattern *);
bool table_is_hit(const struct table *, uint32_t method);
enum table_found { TABLE_NOT_FOUND, TABLE_FOUND, TABLE_FOUND_WRAPPED };
/* To the next (1) or previous (-1) row that matches; 0: from the cursor's own row on. */
enum table_found table_search_next(struct table *, int direction);
/* Place of the cursor among the hits (0: it is on none) and how many there are. */
void table_search_position(struct table *, size_t *n, size_t *of);

#endif
