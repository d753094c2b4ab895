/*
 * info_sheet: the rows of an info to be written out for programs (sheet.h): section, name
 * and value.  Figures of a table are one name, what is behind them the value.  Borrows
 * the info and the figures.
 */
#ifndef SLOWTOP_VIEW_INFO_SHEET_H
#define SLOWTOP_VIEW_INFO_SHEET_H

#include "view/info.h"
#include "view/sheet.h"

/* `view`: a word for what it is about. */
void info_sheet(struct sheet *, const struct info *, const struct figures *, const char *view);

#endif
