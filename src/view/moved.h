// SPDX-License-Identifier: Apache-2.0
/*
 * moved: finds rows of a screen that moved up or down, so that the terminal can scroll
 * them instead of receiving them again.
 *
 * Unlike in ncurses, rows need not be equal from edge to edge: what is beside a pane that
 * scrolled moves with it and is then repaired, if that is less to send.  Moves are like
 * those of ncurses: three rows or more, and not much farther than their number.  Costs
 * are estimates in bytes.
 */
#pragma once

#include "view/canvas.h"

struct moved {
	int top, bottom; /* rows [top, bottom) */
	int by;          /* up by so many; down when negative; the rows let in are blank */
};

/* The best move from one screen to another of the same size; false when none pays. */
bool moved_find(const struct glyph *was, const struct glyph *now, int rows, int columns,
    struct moved *);
/* Does it to a screen; rows let in hold `blank`. */
void moved_apply(const struct moved *, struct glyph *cells, int columns, struct glyph blank);

/* A blank: which colour its text would have is not seen. */
bool glyph_is_blank(const struct glyph *);
bool glyph_equal(const struct glyph *, const struct glyph *);
