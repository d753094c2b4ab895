// SPDX-License-Identifier: Apache-2.0
/*
 * layout: where everything is on the screen (struct layout in app.h).
 *
 * The screen is divided from above: bar and title, filters, the timeline, the body of the view,
 * with the details of the method beside both, and the last line.  The view divides its
 * body.  The timeline is above every view whose row says so (screens.h) on a screen of
 * ROWS_FOR_STRIP rows, unless it is hidden; the profile decides that for itself.
 */
#pragma once

#include "tui/app.h"

/* The screen has this size now: divides it. */
void app_layout(struct app *, int rows, int columns);
/* The timeline has this place. */
void layout_timeline(struct app *, struct layout *, struct rect);
/* How many rows it has above a body: so many as asked for, else `usual`. */
int layout_timeline_rows(const struct app *, struct rect body, int usual);
/* Asks for what the timeline shows. */
void layout_ask_timeline(struct app *, struct asked *);
void layout_draw_timeline(struct app *);
