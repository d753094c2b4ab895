/*
 * calltree_sheet: the rows of a call tree, or of callers, to be written out (sheet.h),
 * with the columns that can be seen on a screen of a width.  Borrows the tree.
 */
#ifndef SLOWTOP_VIEW_CALLTREE_SHEET_H
#define SLOWTOP_VIEW_CALLTREE_SHEET_H

#include "view/calltree.h"
#include "view/sheet.h"

/* As much of a tree as is read to write out rows, whatever becomes of it; calltree_kept_free. */
struct calltree *calltree_kept(const struct calltree *);
void calltree_kept_free(struct calltree *);

void calltree_sheet(struct sheet *, const struct calltree *, int screen);
/* A path as a folded stack, if it has time and is at or below `below` (PATH_NONE: all). */
void calltree_stack(const struct calltree *, struct sheet_stacks *, uint32_t path,
    uint32_t below, struct sbuf *out);
/* "main", or "12 threads", of a root. */
void calltree_put_root(const struct calltree *, uint32_t root, struct sbuf *out);

#endif
