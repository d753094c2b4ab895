/*
 * columnset: which columns of a list are wanted, in which order and how wide.
 *
 * Columns are numbers from 0; what they are is the list's.  A value without pointers;
 * nothing fails.
 */
#ifndef SLOWTOP_VIEW_COLUMNSET_H
#define SLOWTOP_VIEW_COLUMNSET_H

#include <stdbool.h>

#include "view/columns.h"

enum { COLUMNSET_MAX = 20, COLUMN_WIDTH_MIN = 3, COLUMN_WIDTH_MAX = 200 };

struct column_choice {
	enum column_shown shown;
	int width; /* at least so many columns of the screen; 0: as its values need */
};

struct columnset {
	int count;
	int last; /* the column that is always last; -1: there is none */
	int order[COLUMNSET_MAX];
	struct column_choice of[COLUMNSET_MAX];
};

/* All as they come, in the order of their numbers. */
void columnset_init(struct columnset *, int count, int last);
/* Changes places with the next that the list has; false at the end. */
bool columnset_move(struct columnset *, int column, int direction,
    bool (*has)(const void *context, int column), const void *context);
/*
 * Wider, or narrower, by so much: `now` is what the column takes, which may be more than
 * was asked for because its values do.  False when it cannot be.
 */
bool columnset_widen(struct columnset *, int column, int now, int least, int by);

#endif
