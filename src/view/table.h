/*
 * table: the profile table as a model: rows, order, cursor, expansion, search.
 *
 * Rows are made from the newest fold.  The cursor is on an identity (row kind, method,
 * expanded method), not on a row number: it stays there, on the same screen line where
 * possible, whatever changes the rows.  (toplevel) stands first in every order.
 *
 * Functions that return bool say whether they changed anything.  Nothing here draws,
 * and drawing (table_pane.h) changes nothing here.
 */
#ifndef SLOWTOP_VIEW_TABLE_H
#define SLOWTOP_VIEW_TABLE_H

#include "view/columns.h"
#include "view/columnset.h"
#include "view/filters.h"
#include "view/scroll.h"

/* What the cursor is on; the same names as in struct row. */
struct identity {
	enum row_kind kind;
	uint32_t method, of;
};

struct pattern;

struct table {
	struct fold *fold;      /* owned; NULL before the first */
	struct figures figures; /* what is shown of it */
	struct filters filters; /* change it, then call table_refilter */

	enum column_id sort;
	bool ascending;
	struct columnset columns; /* METHOD stays last; texts take just the width asked for */
	int widths[COLUMNS];      /* of those that can be seen now */
	int beside;          /* columns of the screen that another pane has */
	int first_column;    /* so many are scrolled away at the left */
	enum elision elision;
	int name_skip; /* columns of the full name; NAME_FITTED */

	struct row *rows;
	size_t row_room;
	struct scroll at;
	uint32_t methods; /* rows of methods, (toplevel) not counted */
	bool settled;  /* the user wanted the cursor on `wanted`, which may be gone */
	struct identity wanted;
	uint32_t *open; /* expanded methods */
	size_t open_count, open_room;
	uint8_t *marked; /* by method */
	size_t marked_room;
	uint32_t guest; /* shown whatever the filters say; METHOD_NONE */

	unsigned filter_changes, search_changes; /* for others that go by them */

	struct pattern *search; /* owned; NULL: none */
	struct err search_err;  /* pattern too costly; what was found before stays */
	uint8_t *hits;          /* by method; of this search */
	size_t hit_room;
	uint8_t *thread_hits; /* the same by thread */
	size_t thread_hit_room;
};

enum { NAME_FITTED = -1 };

void table_init(struct table *, const struct trace *, struct names *);
void table_release(struct table *);

/*
 * Takes the fold over.  Until the user has moved or changed anything, the cursor is on
 * the first method.
 */
void table_set_fold(struct table *, struct fold *);
void table_set_height(struct table *, size_t rows);
void table_set_clock(struct table *, enum clock_id);
void table_set_base(struct table *, enum percent_base);
void table_set_auto_units(struct table *, bool);
/* After a change of the filters. */
void table_refilter(struct table *);

/* Order.  `screen` is the columns of the screen. */
void table_sort(struct table *, enum column_id, bool ascending);
void table_sort_by(struct table *, enum column_id); /* in the column's own direction */
void table_invert(struct table *);

/* Columns. */
bool table_column_visible(const struct table *, enum column_id, int screen);
void table_set_columns(struct table *, const struct columnset *);
void table_column_show(struct table *, enum column_id, enum column_shown);
/* By so much; false where its values, or the name, do not let it. */
bool table_column_widen(struct table *, enum column_id, int by);
bool table_scroll_columns(struct table *, int direction, int screen);
/* The name, half a width to its start (-1) or end (1); 0: back to the fitted name. */
bool table_scroll_name(struct table *, int direction, int screen);
bool table_scroll_name_end(struct table *, int screen);

/* Cursor.  NULL when there is no row. */
const struct row *table_row(const struct table *);
struct identity table_selected(const struct table *);
bool table_move(struct table *, int64_t rows);
bool table_move_to(struct table *, size_t row);
bool table_centre(struct table *);
/* As a reader counts: (toplevel) is 0. */
size_t table_position(const struct table *, size_t *of);
/* The method that the cursor's row is about; METHOD_NONE without one. */
uint32_t table_method(const struct table *);
/* Cursor on that row, on screen line `line` if possible, or on what is nearest. */
void table_restore(struct table *, struct identity, size_t line);

/* Marks the cursor's method, or unmarks it, and goes a row on; false on other rows. */
bool table_mark(struct table *);
void table_mark_method(struct table *, uint32_t method);
bool table_unmark(struct table *);
bool table_is_marked(const struct table *, const struct row *);
/* Of the marked methods that are there. */
struct table_marks {
	uint32_t count;
	nsec inclusive, exclusive; /* sums, on the clock that is shown */
	uint64_t calls;
};
struct table_marks table_marks(const struct table *);

/* Expansion. */
bool table_is_open(const struct table *, uint32_t method);
bool table_set_open(struct table *, uint32_t method, bool open);
/*
 * Collapses all, expands `method` and puts the cursor on it, as high on the screen as
 * the margin allows; false when it has no row in this scope.  The method is shown
 * whatever the filters say.
 */
bool table_go(struct table *, uint32_t method);
/* The same without expanding or collapsing. */
bool table_select(struct table *, uint32_t method);

/* Search.  Takes the pattern over; NULL ends it. */
void table_search(struct table *, struct pattern *);
bool table_is_hit(const struct table *, uint32_t method);
/* By its id and name. */
bool table_is_thread_hit(const struct table *, uint32_t thread);
enum table_found { TABLE_NOT_FOUND, TABLE_FOUND, TABLE_FOUND_WRAPPED };
/* To the next (1) or previous (-1) row that matches; 0: from the cursor's own row on. */
enum table_found table_search_next(struct table *, int direction);
/* Place of the cursor among the hits (0: it is on none) and how many there are. */
void table_search_position(const struct table *, size_t *n, size_t *of);

#endif
