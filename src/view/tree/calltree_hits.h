// SPDX-License-Identifier: Apache-2.0
/*
 * calltree_hits: which paths of a call tree the filters leave and the search finds.
 *
 * All paths are gone through once for each change; hits are counted at and below each, so
 * that the next one is found without making rows.
 */
#pragma once

#include "view/tree/calltree.h"

/* After a change of the filters, or of the paths; the second alone after one of the search. */
void tree_refilter(struct calltree *);
void tree_research(struct calltree *);
/* Do filters leave the path? */
bool tree_shown(const struct calltree *, uint32_t path);
bool tree_is_hit(const struct calltree *, uint32_t path);

/*
 * For struct list_source, with callees below callers: in the order of the rows, inside
 * closed ones, too.
 */
enum hits_found tree_next_hit(void *tree, int direction, struct list_id *);
void tree_count_hits(void *tree, size_t *n, size_t *of);
