/*
 * calls_sheet: the calls of a method to be written out (sheet.h), one a row, in their
 * order on the screen.  Borrows list and figures.
 */
#ifndef SLOWTOP_VIEW_CALLS_SHEET_H
#define SLOWTOP_VIEW_CALLS_SHEET_H

#include "view/calls_list.h"
#include "view/sheet.h"

void calls_sheet(struct sheet *, const struct calls_list *, const struct figures *);

#endif
