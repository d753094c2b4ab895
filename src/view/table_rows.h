/*
 * table_rows: how the table's rows are made; for the table's own files only.
 */
#ifndef SLOWTOP_VIEW_TABLE_ROWS_H
#define SLOWTOP_VIEW_TABLE_ROWS_H

#include "view/table.h"

/* All rows from fold, filters, order and expansion; cursor and scroll stay behind. */
void table_rows_build(struct table *);
/* Matches the search against methods that it has not seen. */
void table_search_extend(struct table *);

#endif
