// SPDX-License-Identifier: Apache-2.0
/*
 * scroll: a cursor in a list of rows, of which some are on the screen; and its way from one
 * row that the search found to the next.
 *
 * Plain numbers, no memory.  The cursor keeps two rows off the edges where the screen has
 * eight or more.  `height` 0: nothing is shown, and the list follows the cursor.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scroll {
	size_t count;  /* rows of the list */
	size_t height; /* rows on the screen */
	size_t cursor, top;
};

/* After a change of the numbers: cursor into the list, and into view. */
void scroll_keep(struct scroll *);
/* The cursor by so many rows, as far as there are any; false when nothing changed. */
bool scroll_move(struct scroll *, int64_t rows);
/* The cursor to that row, on screen line `line` if possible. */
void scroll_put(struct scroll *, size_t row, size_t line);
static inline size_t
scroll_line(const struct scroll *s)
{
	return s->cursor - s->top;
}

/* The cursor's row in the middle; false when nothing moved. */
bool scroll_centre(struct scroll *);

enum hits_found { HITS_NONE, HITS_FOUND, HITS_WRAPPED };

/* True if the search finds that row. */
typedef bool hits_is(const void *list, size_t row);

/*
 * Finds the next (1) or previous (-1) hit, once around, the row itself last; 0: the row
 * first, then onwards.  `*to` is set when there is one.
 */
enum hits_found hits_next(
    const void *list, hits_is *, size_t count, size_t from, int direction, size_t *to);
/* Which of the hits the row is (0: none), and how many there are. */
void hits_position(
    const void *list, hits_is *, size_t count, size_t row, size_t *n, size_t *of);
