// SPDX-License-Identifier: Apache-2.0
/*
 * list: rows of values on a screen: columns, order, filter, search, marks, cursor.
 *
 * A source says which columns there are and which rows; the list does the rest.  Rows are
 * made anew by list_update when the source's data have changed; order, filter, marks, what
 * is open and cursor stay.  The cursor is on an identity: it stays on its row, on the same
 * line of the screen where possible, and returns to it when it comes back.
 *
 * Of a tree the rows are those of the top and the children of open rows, each level in
 * order.  Opening and closing cost all rows that are there then.
 *
 * Owns rows and marks, borrows source, its data and figures.  Functions that return bool say
 * whether they changed anything.  Drawing and export only read.
 */
#pragma once

#include "base/err.h"
#include "view/canvas.h"
#include "view/list/columns.h"
#include "view/list/ids.h"
#include "view/list/scroll.h"
#include "view/sheet.h"
#include "view/display.h"

enum {
	LIST_LEADS = 1 << 0,    /* can be opened */
	LIST_FIRST = 1 << 1,    /* before the others of its level, which come after it */
	LIST_AS_GIVEN = 1 << 2, /* the rows of the level are in order: all but the first ones */
	LIST_AHEAD = 1 << 3,    /* the first to be added: before the others until the user sorts */
	LIST_AFTER = 1 << 5,    /* after rows without it until the user sorts */
	LIST_WHOLE = 1 << 6,    /* stands for all: cannot be marked, and alone it is no row */
	LIST_LAST = 1 << 4,     /* the last to be added: after the others; its text has all the line */
};

struct list_row {
	struct list_id id;
	uint32_t item;  /* the source's number; of rows with equal values the lowest is first */
	uint32_t depth; /* rows above it that it is below; or how far its last text is indented */
	uint32_t flags;
	uint32_t of; /* the source's second number */
};

struct list;

struct list_source {
	const char *word;                  /* "threads", in files */
	const char *empty;                 /* said when there is no row, without draw_empty */
	const struct column *columns; /* ends with an id of NULL */
	int sort;                          /* column, in the beginning */
	int file_sort;                     /* the same in files; 0: no other */
	int gutter;                        /* columns before the first, beside that of the cursor */
	int name_least;                    /* columns that the texts get at least */
	bool settles;                      /* the cursor stays on its row, or goes to one that holds it */
	bool (*leaves_out)(const void *of); /* has the screen fewer rows than files?  NULL: no */
	bool marks;                        /* rows can be marked: not the first, none below others */
	bool opens;                        /* the search finds rows that are not there, and opens them */
	bool tree; /* every row may have rows below it: in files they have a depth */
	bool by_name; /* the last text is in its own order, not raw, and equal rows are in that */
	unsigned in_files; /* only columns with one of these flags are in files; 0: all */
	/* All columns can be scrolled to, and in files are those that are on the screen. */
	bool scrolls;

	/* Texts live as long as the data. */
	struct value (*get)(const void *of, const struct list_row *, int column);
	/* Adds all rows (list_add) below that one; NULL: of the top. */
	void (*children)(void *of, struct list *, const struct list_row *);
	/*
	 * The others may be NULL.  What is to be open so that the id has a row; false: it is at
	 * the top.
	 */
	bool (*parent)(const void *of, struct list_id, struct list_id *parent);
	/* Does the row represent that id?  NULL: each row represents its own. */
	bool (*holds)(const void *of, const struct list_row *, struct list_id);
	/* The row that the cursor is on in the beginning; NULL, or false: the first one. */
	bool (*begin)(const void *of, struct list_id *);
	/* True if there is such a column at all. */
	bool (*has)(const void *of, int column);
	bool (*passes)(void *of, const struct list_row *);
	/* True if the row is shown in spite of conditions on figures (where.h); NULL: no row is. */
	bool (*guest)(const void *of, const struct list_row *);
	/* True if the search finds the row; NULL: it looks in the row's texts, or in `words`. */
	bool (*hit)(const void *of, const struct list_row *);
	void (*words)(const void *of, const struct list_row *, struct sbuf *out);
	/* The text of the column with LIST_REST, not cleaned: what it is ordered by. */
	struct str (*raw)(const void *of, const struct list_row *);
	/* Fields that files have before the columns: keys of struct sheet_column, NULL; a value. */
	const char *const *(*field_keys)(const void *of);
	struct value (*field)(const void *of, const struct list_row *, int i);
	/* Adds members to a row that is open in JSON. */
	void (*members)(const void *of, const struct list_row *, struct json *);
	/* A value for programs: texts in the file's own bytes; NULL: as `get`. */
	struct value (*file)(const void *of, const struct list_row *, int column);
	/* Writes the text of that column where it has to be made; with `raw` unescaped. */
	void (*put_name)(const void *of, const struct list_row *, bool raw, struct sbuf *out);
	/* The least that the column has room for; all of it in trees, or NULL: what is widest. */
	struct value (*widest)(const void *of, int column);
	/* Instead of the column's own. */
	int (*from)(const void *of, int column);
	/* Instead of the column's title with its unit. */
	const char *(*title)(const void *of, int column, char out[static FMT_SIZE]);
	/* A value on the screen; without it, and where it returns NULL, as value_format has it. */
	const char *(*text)(const void *of, const struct list_row *, int column,
	    struct value, char out[static FMT_SIZE]);
	/* How a figure looks; NULL: as ROLE_TEXT. */
	look (*style)(const void *of, const struct list_row *, int column, struct value);
	/* Draws a cell with a text; false: as any other. */
	bool (*draw)(const void *of, struct canvas *, struct rect cell, const struct list_row *,
	    int column);
	/* Before the columns; `row` NULL: in the header. */
	void (*draw_gutter)(const void *of, struct canvas *, struct rect gutter,
	    const struct list_row *row);
	/* Draws in the columns that a cell leaves free. */
	void (*draw_room)(const void *of, struct canvas *, struct rect room,
	    const struct list_row *, int column);
	void (*draw_empty)(const void *of, struct canvas *, struct rect line);
	/* The kind of a row, for text with open rows: "<". */
	const char *(*word_of)(const void *of, const struct list_row *);
	/* Where hits are found without rows, and counted; NULL: by rows. */
	enum hits_found (*next_hit)(void *of, int direction, struct list_id *);
	void (*count_hits)(void *of, size_t *n, size_t *all);
	/* How many folded stacks there may be (folded.h); NULL: one a row.  Appends one of them. */
	size_t (*stacks)(const void *of);
	void (*stack)(const struct list *, size_t i, struct folded *, struct sbuf *out);
};

struct list {
	const struct list_source *source;
	void *of;                         /* the source's data */
	const struct figures *figures;    /* how values are written, and the search */
	int count;                        /* of columns */
	struct list_row *rows;            /* that pass the filters, in order */
	size_t room, total;               /* total: rows without filters */
	struct scroll at;
	struct list_id wanted; /* the row that the cursor is on, or was when it was last there */
	bool settled;        /* it keeps it */
	bool chosen;         /* by hand: it keeps it when the order changes, too */
	int sort;
	bool ascending;
	bool sorted;         /* by the user */
	struct columnset own;      /* only for `columns` */
	struct columnset *columns; /* its own, or borrowed: what several lists share */
	int width[COLUMNSET_MAX]; /* of the widest value, of columns that are visible */
	unsigned measured;        /* of which: 1 << column */
	bool auto_units;          /* the widths are for these */
	int screen;               /* columns of the screen, for those that are not always shown */
	int first_column;         /* so many are scrolled away at the left */
	bool unfocused;           /* another pane has the keyboard */
	bool all;                 /* as if every row were open; the filter leaves rows above others */
	bool files;               /* its rows are those of files: of the top */

	struct list_rows {
		struct list_row *items;
		size_t count, room;
	} level, todo; /* scratch: a level; rows to come, the next one last */
	struct ids open, marked;

	unsigned where; /* which conditions its rows meet (where.h); 0: there are none */
	size_t passed;  /* rows of the top that pass all filters */
	struct pattern *filter; /* owned; NULL: all rows */
	char *filter_text;      /* the user's text */
	bool filter_out;        /* it excludes */
	struct err err;         /* the filter was too costly and counts no more */
};

struct list_slot {
	int column, from, to; /* columns of the screen, from the list's left */
};

struct list_layout {
	struct list_slot slots[COLUMNSET_MAX]; /* from left to right */
	int count;
	bool more_left, more_right; /* some do not fit */
};

/* The user's changes to a list; owns its parts. */
struct list_state {
	struct list_id cursor;
	size_t line, height; /* the cursor's on the screen, and of how many */
	bool settled, chosen, sorted, ascending;
	int sort, first_column;
	struct ids open, marked;
	char *filter; /* NULL: none */
	struct columnset own;
};

/* All columns as they come. */
void list_source_columns(const struct list_source *, struct columnset *);
void list_init(struct list *, const struct list_source *, void *of, const struct figures *);
void list_release(struct list *);
/* Copies a list without its rows, to be filled anew; borrows all else.  list_forget. */
void list_copy(struct list *, const struct list *);
void list_forget(struct list *);
/* Frees a copy that mem_alloc made room for. */
void list_copy_free(void *copy);
/* Its rows become those of files, in their order unless the user sorted. */
void list_for_files(struct list *);

/* Copies; in any list of the source, whatever its data. */
void list_take(struct list_state *, const struct list *);
/* Before its first rows come. */
void list_give(struct list *, const struct list_state *);
/* Takes order, open rows and cursor of then; columns, marks and filter stay. */
void list_return(struct list *, const struct list_state *);
void list_state_release(struct list_state *);

/* The source's data have changed. */
void list_update(struct list *);
/* Adds a row, from the source's `children`; valid until the next call. */
struct list_row *list_add(struct list *, struct list_id, uint32_t item);
/* The source's filters have changed. */
void list_refilter(struct list *);
/* NULL: it has no row now. */
const struct list_row *list_find(const struct list *, struct list_id);
/* Removes all rows and the cursor's identity, before data of something else. */
void list_clear(struct list *);

/* Cursor.  NULL without rows. */
const struct list_row *list_row(const struct list *);
/* Rows below the header, and columns of the whole screen. */
void list_set_size(struct list *, int rows, int screen);
bool list_move(struct list *, int64_t rows);
/* From now on the cursor keeps its row, until the order changes. */
void list_settle(struct list *);
/*
 * Moves to that row, now or when it comes, on that line of the screen, and opens the rows
 * above it; else to the nearest row.  True when the row is there.
 */
bool list_go(struct list *, struct list_id, size_t line);

/* Open rows.  Whatever has an id can be in the set, if the source asks for it. */
bool list_is_open(const struct list *, struct list_id);
/* Open and close the cursor's row. */
bool list_open(struct list *);
bool list_close(struct list *);
/* After changes of `open`: makes the rows anew; the cursor stays on its line of the screen. */
void list_reopen(struct list *);
bool list_to_parent(struct list *);
bool list_to_child(struct list *);
bool list_to_sibling(struct list *, int direction);

static inline const struct column *
list_column(const struct list *l, int column)
{
	return &l->source->columns[column];
}

static inline bool
list_is_text(const struct list *l, int column)
{
	return list_column(l, column)->kind == VALUE_TEXT;
}

/* Columns (columns.c). */
bool list_has(const struct list *, int column);
/* Shown on screens that are so wide, unless the user says otherwise. */
int list_from(const struct list *, int column);
/* True if the column is on the screen, as long as there is room. */
bool list_visible(const struct list *, int column);
bool list_show(struct list *, int column, enum column_shown);
/* Wider or narrower than it is now, but not than its values are. */
bool list_widen(struct list *, int column, int by);
/* Changes places with the next that the list has. */
bool list_shift(struct list *, int column, int direction);
void list_set_columns(struct list *, const struct columnset *);
/* Measures the columns that can be seen, by all rows of the top; true if all are measured. */
void list_measure(struct list *);
bool list_is_measured(const struct list *);
/*
 * Places the columns on a part of the screen that is `columns` wide.  Figures take what
 * they need.  Where that leaves too little for the texts, figures are left out: those for
 * the widest screens first, the column of the order never; or, in lists that scroll,
 * those at the ends.  Texts get at most equal parts of the rest; the last column gets all
 * of it.
 */
void list_layout(struct list_layout *, const struct list *, int columns);
const char *list_title(const struct list *, int column, char out[static FMT_SIZE]);
/* Returns list_title; of the last column its own, even where the list's name is above it. */
const char *list_name(const struct list *, int column, char out[static FMT_SIZE]);
struct value list_value(const struct list *, const struct list_row *, int column);
/* All texts of a row, which filters and the search look at; in `out`, until that changes. */
struct str list_row_text(const struct list *, const struct list_row *, struct sbuf *out);

/* Scrolls to the next figures at the right (1) or left (-1), if there is no room for all. */
bool list_scroll_columns(struct list *, int direction, int columns);
void list_sort(struct list *, int column, bool ascending);
/* The order that the list begins with, as if the user had not sorted. */
void list_sort_auto(struct list *);
/* True if the list can be sorted by that column, shown or not. */
bool list_sorts(const struct list *, int column);
/* Finds the column of a word (column_is); -1: there is none. */
int list_sort_find(const struct list *, const char *word);
/* Returns false and says in `e` which there are, for there is no such in what is called `name`. */
bool list_sort_none(const struct list *, const char *name, const char *word, struct err *);
/*
 * By the column with that word (column_is), as it is sorted at first or, after a + or -, smallest
 * or largest first; false: there is none.
 */
bool list_sort_word(struct list *, const char *word);
/* As the column is sorted at first; one that is the order already: the other way round. */
void list_sort_by(struct list *, int column);
/* The sort key of figures, with thousandths. */
int64_t list_key(const struct column *, struct value);
/* Sorts by the next column on the screen; false without one. */
bool list_sort_step(struct list *, int direction);

/* `line`: an expression, `!` before it excludes; empty: all rows.  False when it is none. */
bool list_filter(struct list *, struct str line, struct err *);

/* The search (figures.search). */
bool list_is_hit(const struct list *, const struct list_row *);
enum hits_found list_search_next(struct list *, int direction);
void list_search_position(struct list *, size_t *n, size_t *of);

/* Marks the cursor's row, or unmarks it, and goes a row on; false without one. */
bool list_mark(struct list *);
bool list_unmark(struct list *);
bool list_is_marked(const struct list *, const struct list_row *);

/* On the screen (draw.c): header and rows.  Returns the row of the cursor, -1 without one. */
int list_draw(struct canvas *, struct rect, const struct list *);
/* Over what is there: its header; rows from the first on the screen on. */
void list_draw_header(struct canvas *, struct rect line, const struct list *);
void list_draw_rows(struct canvas *, struct rect, const struct list *);

/*
 * As a sheet (export.c), which borrows the list; sheet_release.  For people: columns that are
 * hidden are left out, the one with LIST_REST is last.  For files: all columns that the trace has,
 * and all rows of the top that pass the filters, in the list's order (of trees: tree/rows.h).
 */
void list_sheet(struct sheet *, const struct list *, bool files);
/* One more column: the i-th field of the source. */
void list_sheet_field(struct sheet *, const struct list *, int i, const char *title);
