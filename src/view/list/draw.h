/*
 * draw: a list in cells of the screen: where its columns are, header and rows.
 */
#ifndef SLOWTOP_VIEW_LIST_DRAW_H
#define SLOWTOP_VIEW_LIST_DRAW_H

#include "view/list/list.h"

/* Header and rows.  Returns the row of the cursor, -1 without one. */
int list_draw(struct canvas *, struct rect, const struct list *);

#endif
