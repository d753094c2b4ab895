/*
 * name_draw: a method's name in cells, with what the search found underlined.
 */
#ifndef SLOWTOP_VIEW_NAMES_NAME_DRAW_H
#define SLOWTOP_VIEW_NAMES_NAME_DRAW_H

#include "view/canvas.h"
#include "view/display.h"

/*
 * Draws a name from `column` on, shortened to end before `right`, scrolled like the
 * display's names, with the hits of its search.  Returns the column after it.
 */
int name_draw(struct canvas *, int row, int column, int right, const struct display *,
    uint32_t method, enum elision, look);

/* "Adapter.bind" when it fits, else what names_fit makes of it; in `out` or as that says. */
struct str name_short(struct names *, uint32_t method, int room, char *out, size_t size);

#endif
