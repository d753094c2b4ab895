/*
 * table_sheet: the profile table to be written out (sheet.h): its rows, in their order,
 * with the columns that can be seen on a screen of a width.  Borrows the table.
 */
#ifndef SLOWTOP_VIEW_TABLE_SHEET_H
#define SLOWTOP_VIEW_TABLE_SHEET_H

#include "view/sheet.h"
#include "view/table.h"

void table_sheet(struct sheet *, const struct table *, int screen);

#endif
