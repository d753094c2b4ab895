/*
 * diff_list: one list of a comparison; for the files of diff_table.h only.
 */
#ifndef SLOWTOP_VIEW_DIFF_LIST_H
#define SLOWTOP_VIEW_DIFF_LIST_H

#include "view/diff_table.h"

/* As the table is sorted; of equals the first of the diff stands first. */
void diff_list_sort(const struct diff_table *, struct diff_list *);
/* Room for the widest figure of each column that can be seen; linear in rows. */
void diff_list_measure(const struct diff_table *, struct diff_list *);

#endif
