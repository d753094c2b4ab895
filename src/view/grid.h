/*
 * grid: rows of values as a table: order, filter, search, cursor, drawing, export.
 *
 * For tables that are made anew when what they tell of has changed: whoever makes one
 * fills in all rows between grid_begin and grid_end; order and filter stay, and the cursor
 * stays on the row with its identity.  Which columns there are is a table of the maker's;
 * numbers stand before texts, the last text has what is left of the screen.
 *
 * Owns its cells and texts.  Functions that return bool say whether they changed anything.
 */
#ifndef SLOWTOP_VIEW_GRID_H
#define SLOWTOP_VIEW_GRID_H

#include "base/err.h"
#include "base/mem.h"
#include "view/canvas.h"
#include "view/rect.h"
#include "view/scroll.h"
#include "view/sheet.h"
#include "view/table.h"

enum { GRID_COLUMNS_MAX = 16, GRID_FOR_PROGRAMS = 1 << 20 };

struct grid_column {
	const char *id;    /* a word for programs */
	const char *title; /* for people, with its unit */
	const char *help;  /* one line */
	enum sheet_kind kind;
	int from;          /* shown from this screen width on; GRID_FOR_PROGRAMS: only written out */
	bool rises;        /* sorts smallest first unless inverted; texts always do */
};

/* Ends with id NULL. */
struct grid_columns {
	const struct grid_column *columns;
	int sort;          /* in the beginning */
	const char *empty; /* what to say when there is no row */
};

struct grid_line {
	uint64_t identity;
	uint32_t depth;  /* how far the last text stands to the right */
	uint32_t number; /* in the order in which the rows were added */
};

struct grid {
	const struct grid_columns *of;
	const struct figures *figures; /* how values are written */
	int count;                     /* of columns */
	struct value *cells;           /* by number of the row */
	struct grid_line *lines;
	size_t line_count, line_room, cell_room;
	struct arena arena; /* texts */

	uint32_t *shown; /* lines that pass the filter, in order */
	size_t shown_room;
	struct scroll at;
	uint64_t wish;   /* identity of the cursor's row */
	bool settled;    /* `wish` counts */
	int sort;
	bool rising;
	enum column_shown choice[GRID_COLUMNS_MAX];
	int width[GRID_COLUMNS_MAX]; /* of the widest value or title */

	struct pattern *filter; /* owned; NULL: all rows */
	char *filter_text;      /* as typed */
	bool filter_out;        /* it excludes */
	struct err err;         /* the filter was too costly and counts no more */
};

void grid_init(struct grid *, const struct figures *);
void grid_release(struct grid *);

/* Empties it.  Other columns than before: their order, and no filter. */
void grid_begin(struct grid *, const struct grid_columns *);
/* A row more, its cells empty; valid until the next call. */
struct value *grid_add(struct grid *, uint64_t identity);
/* Of the row added last. */
void grid_depth(struct grid *, uint32_t depth);
/* A copy that lives as long as the rows. */
struct str grid_keep(struct grid *, struct str);
void grid_end(struct grid *);

/* Values of cells. */
struct value grid_time(nsec);
struct value grid_percent(nsec part, nsec of);
struct value grid_count(uint64_t);
struct value grid_number(int64_t);
struct value grid_decimal(double);
struct value grid_text(struct str); /* clean, and kept */

/* The number of the cursor's row as added; SIZE_MAX without rows. */
size_t grid_cursor(const struct grid *);
void grid_set_height(struct grid *, size_t rows);
bool grid_move(struct grid *, int64_t rows);
void grid_centre(struct grid *);

/* Is the column on a screen of that width? */
bool grid_visible(const struct grid *, int column, int columns);
void grid_sort_by(struct grid *, int column, bool rising);
/* As it is sorted when it is chosen. */
bool grid_sort_rises(const struct grid *, int column);
bool grid_sort_step(struct grid *, int direction, int columns);

/* `line`: an expression, `!` before it excludes; empty: all rows.  False when it is none. */
bool grid_filter(struct grid *, struct str line, struct err *);

/* What filter and search look at: all texts of a row, by its place in `lines`. */
void grid_row_text(const struct grid *, uint32_t line, struct sbuf *out);

/* grid-search.c */
bool grid_is_hit(const struct grid *, const struct pattern *, size_t shown);
enum table_found grid_search_next(struct grid *, const struct pattern *, int direction);
void grid_search_position(const struct grid *, const struct pattern *, size_t *n, size_t *of);

/* grid-draw.c: header and rows.  Returns the row of the cursor, -1 without one. */
int grid_draw(struct canvas *, struct rect, const struct grid *, const struct pattern *search);
/* All rows that pass the filter, in their order, with all columns. */
void grid_sheet(struct sheet *, const struct grid *, const char *view);

#endif
