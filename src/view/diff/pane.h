// SPDX-License-Identifier: Apache-2.0
/*
 * pane: draws two traces compared: the first line of the screen with both totals, the
 * lists' names, the list that is looked at, and why its cursor's method changed.
 *
 * More time is `^`, less time `v`, only in B `n`, only in A `x`, unchanged `=`: never by colour
 * alone.
 */
#pragma once

#include "view/canvas.h"
#include "view/diff/table.h"
#include "view/title.h"

/* Rows of a pane that are none of the list. */
enum { DIFF_PANE_FRAME = 3 };

/* Returns the row of the cursor, -1 without one. */
int diff_pane_draw(struct canvas *, struct rect, const struct diff_table *);

/*
 * In place of title_draw, with what that would say of B; `other` is the path of A, clean.
 * Parts leave it in this order: least change, totals, percentage, folders.
 */
void diff_title_draw(struct canvas *, int row, const struct title *, struct str other,
    const struct diff_table *);

/* Slow calls (B) and the others (A) of a trace. */
struct diff_calls {
	const uint64_t *calls; /* by side */
	const struct pathjoin_figures *mean; /* of a call, on the title's clock */
	struct str thread; /* clean */
	nsec over; /* 0: frames as they are judged */
};

/* Draws it of calls. */
void diff_title_draw_calls(struct canvas *, int row, const struct title *, const struct diff_calls *);
