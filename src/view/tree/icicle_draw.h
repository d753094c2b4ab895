// SPDX-License-Identifier: Apache-2.0
/*
 * icicle_draw: draws a flame graph: the way to the zoomed frame and its figures, the frames,
 * and the cursor's in words.
 *
 * Each frame has a visible left edge, so frames are distinct without colours.  The colour
 * is that of the package; frames of a small share and idle ones are only outlined in it.
 * Frames too narrow each are hatched, with their number.
 */
#pragma once

#include "view/canvas.h"
#include "view/tree/icicle.h"

enum { ICICLE_TEXT_ROWS = 1 }; /* rows of it that are not the graph's */

/* Returns the row of the cursor's frame, -1 when it is not to be seen. */
int icicle_draw(struct canvas *, struct rect, const struct icicle *);
