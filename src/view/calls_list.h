/*
 * calls_list: the calls of one method as a model: rows, order, cursor.
 *
 * Rows come while they are found; the cursor stays on its call, on the same screen line
 * where possible.  Until the user has moved, it is on the first.  Functions that return
 * bool say whether they changed anything.  Drawing: calls_pane.h.
 */
#ifndef SLOWTOP_VIEW_CALLS_LIST_H
#define SLOWTOP_VIEW_CALLS_LIST_H

#include <stddef.h>

#include "profile/calls.h"
#include "view/table.h"
#include "view/timescale.h"

/* In the order in which they stand. */
enum calls_column_id {
	CALLS_NUMBER,
	CALLS_START,
	CALLS_TIME,
	CALLS_EXCL,
	CALLS_OTHER_TIME,
	CALLS_OTHER_EXCL,
	CALLS_DEPTH,
	CALLS_THREAD,
	CALLS_CALLER,
	CALLS_COLUMNS
};

struct calls_column {
	const char *id;
	const char *title; /* without unit and clock */
	const char *help;  /* one line */
	bool is_time, is_other, is_text, rises; /* as in columns.h */
	int width;         /* columns of the screen, at least */
	int from;          /* shown from this width of the list on */
};

extern const struct calls_column calls_column_table[CALLS_COLUMNS];

struct calls_list {
	const struct trace *trace;
	struct names *names;
	struct calls *calls; /* owned; NULL before the first */
	enum clock_id clock;
	struct timescale scale; /* of when they began; calls_list_set_scale */
	enum calls_column_id sort;
	bool rising;
	struct columnset columns; /* the caller stays last */
	int widths[CALLS_COLUMNS]; /* that the values of the listed calls take */

	uint32_t *order; /* rows as they are listed */
	size_t room;
	size_t cursor, top;
	size_t height; /* rows on the screen */
	bool settled;  /* the user wanted the cursor on `wish`, which may not have come */
	struct call_place wish;

	struct call_place *marked;
	size_t marked_count, marked_room;
};

void calls_list_init(struct calls_list *, const struct trace *, struct names *);
void calls_list_release(struct calls_list *);

/* Takes them over. */
void calls_list_set(struct calls_list *, struct calls *);
/* None are known, and the cursor is nowhere: before those of another method. */
void calls_list_clear(struct calls_list *);
void calls_list_set_scale(struct calls_list *, const struct timescale *);
void calls_list_set_clock(struct calls_list *, enum clock_id);
void calls_list_set_height(struct calls_list *, size_t rows);

size_t calls_list_count(const struct calls_list *);
/* The row at a place of the list. */
const struct call_row *calls_list_at(const struct calls_list *, size_t place);
/* Under the cursor; NULL: there is none. */
const struct call_row *calls_list_row(const struct calls_list *);
/* Its number in time, from 1; 0 when not all calls are known. */
uint32_t calls_list_number(const struct calls_list *, const struct call_row *);

bool calls_list_move(struct calls_list *, int64_t rows);
/* Marks the cursor's call, or unmarks it, and goes a row on; false without one. */
bool calls_list_mark(struct calls_list *);
bool calls_list_unmark(struct calls_list *);
bool calls_list_is_marked(const struct calls_list *, const struct call_row *);
/* Sums over the marked calls that are listed; how many these are. */
uint32_t calls_list_marks(const struct calls_list *, nsec *time, nsec *exclusive);
bool calls_list_centre(struct calls_list *);
/* The method that called; METHOD_TOPLEVEL: none did. */
uint32_t calls_list_caller(const struct calls_list *, const struct call_row *);
/* calls_list-search.c: the search of the table, by callers and threads. */
enum table_found calls_list_search_next(
    struct calls_list *, const struct table *search, int direction);
void calls_list_search_position(
    const struct calls_list *, const struct table *search, size_t *n, size_t *of);
/* To that call, now or when it comes. */
void calls_list_go(struct calls_list *, const struct call_place *);

void calls_list_sort(struct calls_list *, enum calls_column_id, bool rising);
/* calls_list-columns.c: has the trace what the column shows; is it wanted at that width? */
bool calls_column_exists(const struct calls_list *, enum calls_column_id);
bool calls_column_shown(const struct calls_list *, enum calls_column_id, int columns);
/* By so much; false where its values, or the caller, do not let it. */
bool calls_column_widen(struct calls_list *, enum calls_column_id, int by);
/* Where columns stand in a list of that width; returns how many. */
int calls_list_layout(const struct calls_list *, int columns,
    struct column_slot out[COLUMNSET_MAX], bool *more);
/* For the list's own files: widths of the calls there are. */
void calls_list_measure(struct calls_list *);

#endif
