/*
 * hits: which rows of a list the search found, and the way from one to the next.
 *
 * `is_hit` tells it of a row from 0, given the list.
 */
#ifndef SLOWTOP_VIEW_HITS_H
#define SLOWTOP_VIEW_HITS_H

#include "view/table.h"

typedef bool (*hits_is)(const void *list, size_t row);

/*
 * From a row to the next (1) or previous (-1) hit, once around, the row itself last; 0: it
 * first, then onwards.  `*to` is set when there is one.
 */
enum table_found hits_next(
    const void *list, hits_is, size_t count, size_t from, int direction, size_t *to);
/* Which of the hits the row is (0: none), and how many there are. */
void hits_position(
    const void *list, hits_is, size_t count, size_t row, size_t *n, size_t *of);

#endif
