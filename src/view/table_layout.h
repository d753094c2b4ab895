/*
 * table_layout: where the columns of a call tree are on a screen of a given width.
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

static inline const struct column_place *
table_layout_name(const struct table_layout *layout)
{
	return &layout->places[layout->count - 1];
}

#endif
