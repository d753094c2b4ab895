/*
 * pickers: the popups with lists to choose from.
 */
#ifndef SLOWTOP_TUI_PICKERS_H
#define SLOWTOP_TUI_PICKERS_H

#include <stdbool.h>

struct app;

void pick_sort(struct app *);
void pick_columns(struct app *);
void pick_order(struct app *);
void pick_rows(struct app *);
void pick_threads(struct app *);
/* Filters and transforms. */
void pick_filters(struct app *);
/* What to do with what is selected. */
void pick_transform(struct app *);
void pick_stack(struct app *);
bool pick_bookmarks(struct app *); /* false: there are none */

#endif
