/*
 * calltree_sheet: the rows of a call tree, or of callers, to be written out (sheet.h),
 * with the columns that can be seen on a screen of a width.  Borrows the tree.
 */
#ifndef SLOWTOP_VIEW_CALLTREE_SHEET_H
#define SLOWTOP_VIEW_CALLTREE_SHEET_H

#include "view/calltree.h"
#include "view/sheet.h"

void calltree_sheet(struct sheet *, const struct calltree *, int screen);

#endif
