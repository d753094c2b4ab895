// SPDX-License-Identifier: Apache-2.0
/* calltree_names: the texts in rows of a call tree, for the screen and for files. */
#pragma once

#include "view/tree/calltree.h"

/* For struct list_source. */
bool tree_draw_name(const void *tree, struct canvas *, struct rect, const struct list_row *,
    int column);
void tree_draw_empty(const void *tree, struct canvas *, struct rect);
void tree_put_name(const void *tree, const struct list_row *, bool raw, struct sbuf *out);

enum { ROOT_LABEL = 512 };
/* "[1 main]", or "[12 threads]" of a tree that is of all of them; PATH_NONE: of all roots. */
struct str tree_root_label(const struct calltree *, uint32_t path, int width,
    char out[static ROOT_LABEL]);
/* A path as a folded stack, if it has time and is at or below `below` (PATH_NONE: all). */
void tree_stack(const struct calltree *, struct sheet_stacks *, uint32_t path, uint32_t below,
    struct sbuf *out);
