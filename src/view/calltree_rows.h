/*
 * calltree_rows: how the rows of a call tree are made; for the tree's own files only.
 */
#ifndef SLOWTOP_VIEW_CALLTREE_ROWS_H
#define SLOWTOP_VIEW_CALLTREE_ROWS_H

#include "view/calltree.h"

void tree_work_free(struct tree_work *);
/* All rows anew; cursor and screen stay what they are. */
void tree_rows_all(struct calltree *);
/* The same, with the cursor on its path or what is left of it. */
void tree_rebuild(struct calltree *);
/* After a change of the filters, or of the paths; tree_rebuild comes next. */
void tree_refilter(struct calltree *);
void tree_research(struct calltree *);
/* The rows below row `at` come in, or go. */
void tree_rows_insert(struct calltree *, size_t at);
void tree_rows_remove(struct calltree *, size_t at);
/* Opens what is above the path; the rows are to be made anew. */
void tree_open_to(struct calltree *, uint32_t path);
/* Is the path on that row? */
bool tree_row_has(const struct calltree *, const struct tree_row *, uint32_t path);
/* The row that the path is on, alone or in a chain; row_count when there is none. */
size_t tree_rows_find(const struct calltree *, uint32_t path);

/* In the order of the rows, whether shown or not; valid until the next call. */
const struct path *const *tree_children(struct calltree *, uint32_t path, uint32_t *count);
/* Do filters leave it? */
bool tree_shown(const struct calltree *, uint32_t path);
/* Is the path one of those that are put together below their parent? */
bool tree_is_small(const struct calltree *, uint32_t path);
uint8_t *tree_flags(struct calltree *, uint32_t path);
uint8_t tree_flag(const struct calltree *, uint32_t path);
/* The path with all that is on one row with it from there on. */
uint32_t tree_chain_end(struct calltree *, uint32_t head);
/* What the small ones and the heaviest are told by. */
nsec tree_weight(const struct calltree *, const struct path *);
enum clock_id tree_clock(const struct calltree *);

#endif
