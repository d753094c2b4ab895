/*
 * scroll: a cursor in a list of rows, of which some are on the screen.
 *
 * Plain numbers, no memory.  The cursor keeps two rows off the edges where the screen has
 * eight or more.  `height` 0: nothing is shown, and the list follows the cursor.
 */
#ifndef SLOWTOP_VIEW_SCROLL_H
#define SLOWTOP_VIEW_SCROLL_H

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

#endif
