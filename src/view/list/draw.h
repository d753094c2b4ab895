/*
 * draw: a list in cells of the screen: where its columns are, header and rows.
 */
#ifndef SLOWTOP_VIEW_LIST_DRAW_H
#define SLOWTOP_VIEW_LIST_DRAW_H

#include "view/list/list.h"

struct list_slot {
	int column, from, to; /* columns of the screen, from the list's left */
};

/*
 * Figures take what they need.  Where that leaves too little for the texts, figures go: those
 * for the widest screens first, the one that the list is sorted by never.  Texts get equal
 * parts of what is left at most, and the last column all of it.  Returns how many columns
 * there are; `more`: some have gone.
 */
int list_layout(const struct list *, int columns, struct list_slot out[COLUMNSET_MAX], bool *more);
/* Header and rows.  Returns the row of the cursor, -1 without one. */
int list_draw(struct canvas *, struct rect, const struct list *);

#endif
