/*
 * table_pane: draws the profile table: header, rows, or why there are none.
 *
 * The first line of the rectangle is the header; the table's height must be set to
 * the rest (table_set_height).  Changes nothing.
 */
#ifndef SLOWTOP_VIEW_TABLE_PANE_H
#define SLOWTOP_VIEW_TABLE_PANE_H

#include "view/canvas.h"
#include "view/rect.h"
#include "view/table.h"

struct table_pane {
	bool active;          /* has the keyboard: header bold */
	bool loading;         /* more may come: no row is no verdict yet */
	const char *none;     /* what is said when the figures are of no call */
	const char *no_match; /* what helps when a filter hides all: "& edit, u undo" */
};

void table_pane_draw(
    struct canvas *, struct rect, const struct table *, const struct table_pane *);

#endif
