/*
 * table_layout: which columns stand where on a screen of a given width.
 *
 * A gutter of one column, figures with one blank between, the method's name in what
 * is left.  What does not fit beside a name of some width can be scrolled to.
 */
#ifndef SLOWTOP_VIEW_TABLE_LAYOUT_H
#define SLOWTOP_VIEW_TABLE_LAYOUT_H

#include "view/table.h"

struct column_place {
	enum column_id id;
	int at, width; /* columns of the screen */
};

struct table_layout {
	struct column_place places[COLUMNS]; /* from left to right, METHOD last */
	int count;
	bool more_left, more_right; /* columns that do not fit */
};

void table_layout(struct table_layout *, const struct table *, int screen);

static inline const struct column_place *
table_layout_name(const struct table_layout *layout)
{
	return &layout->places[layout->count - 1];
}

#endif
