/*
 * threads_sheet: the table of threads to be written out (sheet.h), all that have records,
 * in their order on the screen.  Borrows the table.
 */
#ifndef SLOWTOP_VIEW_THREADS_SHEET_H
#define SLOWTOP_VIEW_THREADS_SHEET_H

#include "view/sheet.h"
#include "view/threads.h"

void threads_sheet(struct sheet *, const struct threads *);

#endif
