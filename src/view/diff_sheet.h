/*
 * diff_sheet: the list of a comparison that is looked at, to be written out (sheet.h): its
 * rows in their order, with all columns, calls in A and B apart.
 */
#ifndef SLOWTOP_VIEW_DIFF_SHEET_H
#define SLOWTOP_VIEW_DIFF_SHEET_H

#include "view/diff_table.h"

void diff_sheet(struct sheet *, const struct diff_table *);

#endif
