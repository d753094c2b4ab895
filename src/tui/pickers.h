/*
 * pickers: the popups with lists to choose from.
 */
#ifndef SLOWTOP_TUI_PICKERS_H
#define SLOWTOP_TUI_PICKERS_H

struct app;

void pick_sort(struct app *);
void pick_columns(struct app *);
void pick_order(struct app *);
void pick_rows(struct app *); /* pick-rows.c */
void pick_threads(struct app *);
/* Filters and transforms. */
void pick_filters(struct app *);
/* What to do with what is selected. */
void pick_transform(struct app *);
void pick_stack(struct app *);
void pick_bookmarks(struct app *); /* there are some */

#endif
