/*
 * details_pane: what is known of one method, beside the views on wide screens.
 *
 * Full name, figures on the table's clock and the other one, and who calls whom most, all
 * from the table's fold: nothing has to be waited for.
 */
#ifndef SLOWTOP_VIEW_DETAILS_PANE_H
#define SLOWTOP_VIEW_DETAILS_PANE_H

#include "view/canvas.h"
#include "view/rect.h"
#include "view/table.h"

enum { DETAILS_WIDTH = 30, DETAILS_FROM = 140 }; /* columns; of the screen */

/* METHOD_NONE: an empty pane. */
void details_pane_draw(struct canvas *, struct rect, const struct table *, uint32_t method);

#endif
