/*
 * table_sheet: the profile table to be written out (sheet.h): its rows, in their order,
 * with the columns that can be seen on a screen of a width.  Borrows the table.
 */
#ifndef SLOWTOP_VIEW_TABLE_SHEET_H
#define SLOWTOP_VIEW_TABLE_SHEET_H

#include "view/sheet.h"
#include "view/table.h"

/* As much of a table as is read to write out rows, whatever becomes of it; table_kept_free. */
struct table *table_kept(const struct table *);
void table_kept_free(struct table *);

void table_sheet(struct sheet *, const struct table *, int screen);

#endif
