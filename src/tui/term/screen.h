// SPDX-License-Identifier: Apache-2.0
/*
 * screen: copies a canvas to ncurses' screen.
 *
 * Between term's opening and closing of ncurses, and on the thread that did so.
 */
#pragma once

#include "tui/term/theme.h"
#include "tui/tui.h"
#include "view/canvas.h"

struct term_screen;

/* After newterm: finds out what the terminal can show.  The theme is copied. */
struct term_screen *screen_new(enum tui_colour, const struct theme *, bool utf8);
/* Other colours from the next draw on. */
void screen_set_theme(struct term_screen *, enum tui_colour, const struct theme *);
void screen_free(struct term_screen *);
/* True if looks differ in colour. */
bool screen_colours(const struct term_screen *);

/* All that changed since the last call, in one update. */
void screen_draw(
    struct term_screen *, const struct canvas *, int row, int column, bool visible);
/* Nothing is known about what the terminal shows. */
void screen_spoil(struct term_screen *);
