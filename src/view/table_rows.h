/*
 * table_rows: how the table's rows are made; for the table's own files only.
 */
#ifndef SLOWTOP_VIEW_TABLE_ROWS_H
#define SLOWTOP_VIEW_TABLE_ROWS_H

#include "view/table.h"

/* All rows from fold, filters, order and expansion; cursor and scroll stay behind. */
void table_rows_build(struct table *);
/* The row of that identity, if there is one. */
bool table_rows_find(const struct table *, struct identity, size_t *at);
/* Or the row of the method that it was expanded from. */
bool table_rows_nearest(const struct table *, struct identity, size_t *at);
/* Where the cursor goes as long as the user has no opinion. */
size_t table_rows_first(const struct table *);
/* Matches the search against methods that it has not seen. */
void table_search_extend(struct table *);

#endif
