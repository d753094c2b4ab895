/*
 * drawing: what the parts of the timeline draw with; for its own files only.
 */
#ifndef SLOWTOP_VIEW_TIMELINE_DRAWING_H
#define SLOWTOP_VIEW_TIMELINE_DRAWING_H

#include "view/timeline/pane.h"

struct drawing {
	struct canvas *canvas;
	struct rect r;
	const struct timeline_pane *pane;
	const struct timeline_show *show;
	int label; /* columns */
	int cells;
	nsec from, to;  /* window that is drawn */
	bool has_cells; /* they are of this window */
	int cursor;     /* cell of the time cursor, or -1 */
};

/* The colour of a method by its rank. */
look timeline_method_look(const struct fold *, uint32_t method);
/* A block for a share in CELL_FULLths, the lowest of all for sleep. */
uint32_t timeline_height(int busy, bool asleep, bool utf8);
bool timeline_cell_in(const struct drawing *, int cell, const struct range *);

void timeline_last_line(const struct drawing *, int row);

/* last_line.c: what there is, in words. */
enum { TRACK_TEXT = 400 };
const char *track_point_text(const struct timeline_pane *, const struct track_point *,
    char out[static TRACK_TEXT]);

#endif
