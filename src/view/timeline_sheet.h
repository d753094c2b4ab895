/*
 * timeline_sheet: the threads' cells on the timeline to be written out (sheet.h), a cell a
 * row: which method was on the stack for most of it, and how much of it the thread ran.
 * Times are those of the trace.  Borrows the timeline and the figures.
 */
#ifndef SLOWTOP_VIEW_TIMELINE_SHEET_H
#define SLOWTOP_VIEW_TIMELINE_SHEET_H

#include "view/sheet.h"
#include "view/timeline_pane.h"

/* False when no cells are known. */
bool timeline_sheet(struct sheet *, const struct timeline_pane *, const struct figures *);

#endif
