/*
 * icicle_pane: draws a flame graph: the zoomed frame, the frames, and the cursor's in
 * words.
 *
 * Each frame has a visible left edge, so frames are distinct without colours.  The colour
 * is that of the package; frames of a small share are only outlined in it.
 */
#ifndef SLOWTOP_VIEW_ICICLE_PANE_H
#define SLOWTOP_VIEW_ICICLE_PANE_H

#include "view/canvas.h"
#include "view/icicle.h"
#include "view/rect.h"

enum { ICICLE_PANE_TEXT = 2 }; /* rows of it that are no frames */

/* Returns the row of the cursor's frame, -1 when it is not to be seen. */
int icicle_pane_draw(struct canvas *, struct rect, const struct icicle *);

#endif
