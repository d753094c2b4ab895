// SPDX-License-Identifier: Apache-2.0
/*
 * calls_pane: draws the calls of a method: figures, histogram, list.
 *
 * Histogram above the list, or beside it on wide screens; without one on low ones.
 */
#pragma once

#include "base/number.h"
#include "view/calls_list.h"
#include "view/canvas.h"

struct calls_show {
	uint32_t method; /* that is called; METHOD_NONE: none is selected */
	bool loading;    /* the trace: they are looked for when it is over */
	bool stopped;    /* the search: no more will come */
};

/* Which part of the pane has what. */
struct calls_layout {
	struct rect figures, histogram, list; /* rows 0: not shown; the list with its header */
};

struct calls_layout calls_pane_layout(struct rect, const struct calls_list *);
/* Returns the row of the list's cursor, -1 when there is none. */
int calls_pane_draw(struct canvas *, struct rect, const struct calls_list *,
    const struct calls_show *);
