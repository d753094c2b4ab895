// SPDX-License-Identifier: Apache-2.0
/*
 * draw: a list in cells of the screen: where its columns are, header and rows.
 */
#pragma once

#include "view/list/list.h"

/* Header and rows.  Returns the row of the cursor, -1 without one. */
int list_draw(struct canvas *, struct rect, const struct list *);
/* A row alone, in an order that is not the list's; NULL: the header. */
void list_draw_line(struct canvas *, struct rect line, const struct list *,
    const struct list_row *);
