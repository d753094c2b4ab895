/*
 * threads: the threads as a table: which are chosen, and what each has done.
 *
 * Rows are made from the newest fold; the cursor stays on its thread.  Borrows the
 * profile table for what is shared (trace, names, search, fold).  Functions that return
 * bool say whether they changed anything.
 */
#ifndef SLOWTOP_VIEW_THREADS_H
#define SLOWTOP_VIEW_THREADS_H

#include "view/canvas.h"
#include "view/rect.h"
#include "view/scroll.h"
#include "view/table.h"

enum thread_column {
	THREAD_ID,
	THREAD_NAME,
	THREAD_CPU,
	THREAD_WALL,
	THREAD_BUSY, /* CPU time in percent of the trace's length */
	THREAD_CALLS,
	THREAD_DEPTH,
	THREAD_OPEN, /* calls that the end of the trace cuts */
	THREAD_COLUMNS
};

struct thread_column_row {
	const char *word, *title, *help;
	int width, need; /* columns of the screen, at least; shown from this width of it on */
	bool rises;      /* sorts smallest first unless inverted */
};

extern const struct thread_column_row thread_column_table[THREAD_COLUMNS];

struct threads {
	const struct table *table;
	uint32_t *items; /* thread indexes, in order */
	size_t room;
	struct scroll at;
	enum thread_column sort;
	bool rising;
	struct columnset columns;
	int widths[THREAD_COLUMNS]; /* that the values of the rows take */
	uint32_t wish; /* the thread that the cursor is on; THREAD_NONE: none yet */
	const struct fold *fold; /* of the rows; only compared */
};

void threads_init(struct threads *, const struct table *);
void threads_release(struct threads *);
/* Rows of the table's fold, if that is a new one. */
void threads_follow(struct threads *);
void threads_set_height(struct threads *, size_t rows);
void threads_sort(struct threads *, enum thread_column, bool rising);
/* Id and name always are. */
bool threads_column_visible(const struct threads *, enum thread_column, int screen);
/* By so much; false where its values do not let it. */
bool threads_column_widen(struct threads *, enum thread_column, int by);

/* THREAD_NONE without rows. */
uint32_t threads_cursor(const struct threads *);
bool threads_move(struct threads *, int64_t rows);
/* To a thread; false when it has no row. */
bool threads_go(struct threads *, uint32_t thread);
/* The search is by the thread's id and name. */
enum table_found threads_search_next(struct threads *, int direction);
void threads_search_position(const struct threads *, size_t *n, size_t *of);

/* Does the trace have what the column tells?  What a thread did; all 0 when not known. */
bool threads_has(const struct threads *, enum thread_column);
const struct fold_thread *threads_sum(const struct threads *, uint32_t thread);
static inline nsec
threads_span(const struct fold_thread *sum, enum clock_id clock)
{
	return sum->last[clock] - sum->first[clock];
}
/* From the first event of any thread to the last, on the clock they share. */
nsec threads_length(const struct threads *);
/* Is the row a hit of the search? */
bool threads_is_hit(const struct threads *, size_t row);

/* threads-draw.c.  Finds what the values of all rows take. */
void threads_measure(struct threads *);
/* Returns the row of the cursor, -1 without one. */
int threads_draw(struct canvas *, struct rect, const struct threads *, const struct scope *);

#endif
