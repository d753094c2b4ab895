// SPDX-License-Identifier: Apache-2.0
/*
 * rows: the rows that a list has: of those that its source gives all that pass the filters and meet
 * the conditions, in order, with what is below open ones; and where the cursor is among them.
 *
 * For the files of list only; all others update a list (list.h).
 */
#pragma once

#include "view/list/list.h"
#include "view/list/where.h"

/* The rows of the top become those of the source now. */
void rows_fill(struct list *);
/* Makes the rows from those of the top; costs the rows, and their order. */
void rows_make(struct list *);
/* The cursor to its row, or the one where it `was`, on that line of the screen. */
void rows_return(struct list *, struct list_id was, size_t line);
/* The conditions of its kind; NULL: there are none. */
const struct where *rows_where(const struct list *);
/* Returns the text that filter and search look at, in `out` or the data. */
struct str rows_words(const struct list *, const struct list_row *, struct sbuf *out);
