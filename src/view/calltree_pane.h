/*
 * calltree_pane: draws the call tree: header, rows, or why there are none.
 */
#ifndef SLOWTOP_VIEW_CALLTREE_PANE_H
#define SLOWTOP_VIEW_CALLTREE_PANE_H

#include "view/calltree.h"
#include "view/canvas.h"
#include "view/rect.h"
#include "view/table_layout.h"

/* What a column has to say of a row; figures of a chain are those of all of it. */
struct value calltree_value(
    const struct calltree *, const struct tree_row *, enum column_id);
/* Can the column be shown for a tree at all, and is it on a screen of this width? */
bool calltree_has_column(const struct calltree *, enum column_id);
bool calltree_column_visible(const struct calltree *, enum column_id, int screen);
/* As table_layout.h has it. */
void calltree_layout(struct table_layout *, const struct calltree *, int screen);

struct calltree_show {
	bool loading;         /* nothing is known yet */
	const char *none;     /* what is said when the figures are of no call */
	const char *no_match; /* keys, for when filters leave nothing */
};

void calltree_pane_draw(
    struct canvas *, struct rect, const struct calltree *, const struct calltree_show *);

#endif
