/*
 * calls_drawing: what the parts of calls_pane draw with; for its own files only.
 */
#ifndef SLOWTOP_VIEW_CALLS_DRAWING_H
#define SLOWTOP_VIEW_CALLS_DRAWING_H

#include "view/calls_pane.h"

struct calls_drawing {
	struct canvas *canvas;
	const struct calls_list *list;
	const struct calls_show *show;
};

/* calls_pane-figures.c: one line each, then the bars.  The last two need the calls. */
void calls_draw_sums(const struct calls_drawing *, struct rect);
void calls_draw_percentiles(const struct calls_drawing *, struct rect);
void calls_draw_histogram(const struct calls_drawing *, struct rect);

#endif
