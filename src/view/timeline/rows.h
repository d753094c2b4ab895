/*
 * rows: which rows the timeline has, and the cursor among them; for the files of
 * timeline_pane only.
 */
#ifndef SLOWTOP_VIEW_TIMELINE_ROWS_H
#define SLOWTOP_VIEW_TIMELINE_ROWS_H

#include "view/timeline/pane.h"

/* After any change of what makes rows: the cursor stays on its own, or near. */
void timeline_rows_build(struct timeline_pane *);
/* Cursor and top within what there is. */
void timeline_rows_keep(struct timeline_pane *);
/* Is there room for processes and cores of a log? */
bool timeline_rows_grouped(const struct timeline_pane *);
/* Markers of a moment, of a thread or of a process? */
static inline bool
track_is_instants(const struct track *t)
{
	return t->kind == TRACK_INSTANTS || t->kind == TRACK_POINTS;
}

/* Have the calls of the thread rows of their own? */
bool timeline_rows_has_calls(const struct timeline_pane *, uint32_t thread);

/* A row's cells when they are of the window that is shown; NULL: not known. */
const struct track_cell *timeline_track_cells(
    const struct timeline_pane *, const struct track *, int cells);

#endif
