// SPDX-License-Identifier: Apache-2.0
/*
 * term: the terminal: its modes, its keys, its size, its pixels.
 *
 * ncurses only writes, libtermkey only reads; one of them owns the line settings
 * (ncurses).  All modes are switched on and off in one place each, so that quitting,
 * suspending and dying leave the terminal in the same state.  Only one may be open.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "tui/keys/key.h"
#include "tui/settings/settings.h"
#include "tui/term/helper.h"
#include "tui/tui.h"
#include "view/canvas.h"

struct term;

enum { TERM_LIBRARIES = 64 };
/* Writes the names and versions of the libraries for the terminal; returns `out`. */
const char *term_libraries(char out[static TERM_LIBRARIES]);

/* Takes the terminal; NULL fills `e` and leaves everything as it was. */
struct term *term_open(const struct settings *, struct err *e);
/* Gives it back and frees. */
void term_close(struct term *);

bool term_utf8(const struct term *);
/* True if looks differ in colour. */
bool term_colours(const struct term *);
/* Returns what an unknown terminal is taken for, NULL if it is known; its own name in `*name`. */
const char *term_taken_for(const struct term *, const char **name);
void term_size(const struct term *, int *rows, int *columns);

enum term_event {
	TERM_INPUT = 1 << 0,  /* keys may be there */
	TERM_FD = 1 << 1,     /* the other descriptor is readable */
	TERM_REDRAW = 1 << 2, /* the size may differ, or we were stopped: draw all */
	TERM_END = 1 << 3,    /* hang-up, or a signal that ends us (term_ended_by) */
};

/* Waits for any of that, at most `timeout_ms` (< 0: for ever); 0 when it passed. */
unsigned term_wait(struct term *, int fd, int timeout_ms);
/* The next key that has arrived; false when there is none (yet). */
bool term_key(struct term *, struct key *);
void term_set_key_wait(struct term *, int ms);
/* Turns the reports of clicks and the wheel on or off. */
void term_set_mouse(struct term *, bool on);
void term_set_theme(struct term *, enum tui_colour, const struct theme *);
/* The signal that caused TERM_END, 0 for a hang-up. */
int term_ended_by(const struct term *);

/*
 * Draws the canvas: prepares the difference to the present screen, which term_show is to
 * send next, at once; it waits for a terminal that takes nothing.  The terminal's own
 * cursor goes to (row, column), visible or not.
 */
void term_draw(struct term *, const struct canvas *, int row, int column, bool visible);
void term_show(struct term *);
/* The next term_draw sends everything. */
void term_spoil(struct term *);
/*
 * Runs a program on the terminal, which is given back to it for as long, and waits;
 * afterwards all must be drawn again.  `input`: its standard input, < 0: the terminal.
 */
bool term_run(struct term *, const struct helper *, int input, struct err *);
/* Sends bytes to the terminal unchanged. */
void term_send(struct term *, struct str bytes);
/* Stops the job, as Ctrl-Z does elsewhere; afterwards all must be drawn again. */
void term_suspend(struct term *);
