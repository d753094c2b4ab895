// SPDX-License-Identifier: Apache-2.0
/*
 * details_pane: what is known of one method, beside the views on wide screens.
 *
 * Full name, figures on the display's clock and the other one, and the heaviest callers and
 * callees, all from the display's fold and so without a wait; on high screens extremes and
 * percentiles of its calls, when all of them were found.
 */
#pragma once

#include "profile/timeline/calls.h"
#include "view/canvas.h"
#include "view/display.h"

enum { DETAILS_WIDTH = 30, DETAILS_FROM = 140 }; /* columns; of the screen */

/* METHOD_NONE: an empty pane.  `calls` of the method, or NULL. */
void details_pane_draw(struct canvas *, struct rect, const struct display *, uint32_t method,
    const struct calls *calls);
