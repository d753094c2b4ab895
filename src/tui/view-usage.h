/*
 * view-usage: the tables of a text log, for what leads to them.
 */
#ifndef SLOWTOP_TUI_VIEW_USAGE_H
#define SLOWTOP_TUI_VIEW_USAGE_H

#include "tui/app.h"

/* A table, in its view. */
void usage_show(struct app *, enum usage_table);
/* One of those from USAGE_INTERVALS on; Backspace comes back. */
void usage_show_list(struct app *, enum usage_table, const struct usage_ask *);

/* view-usage-go.c: in place of cmd_open. */
void usage_open(struct app *, int);
/* In place of cmd_details: of the row's thread. */
void usage_details(struct app *, int);

#endif
