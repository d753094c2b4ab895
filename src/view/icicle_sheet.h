/*
 * icicle_sheet: a flame graph to be written out (sheet.h): the frames that are on the
 * screen, a row each, from the top and the left; as stacks all that is zoomed, however
 * narrow.  Borrows the graph.
 */
#ifndef SLOWTOP_VIEW_ICICLE_SHEET_H
#define SLOWTOP_VIEW_ICICLE_SHEET_H

#include "view/icicle.h"
#include "view/sheet.h"

void icicle_sheet(struct sheet *, const struct icicle *);

#endif
