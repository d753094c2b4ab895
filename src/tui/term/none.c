// SPDX-License-Identifier: Apache-2.0
/* The terminal of a program that was configured --without-tui: there is none to open. */
#include <config.h>

#include <stdio.h>

#include "tui/term/term.h"

const char *
term_libraries(char out[static TERM_LIBRARIES])
{
	snprintf(out, TERM_LIBRARIES, "no browser");
	return out;
}

struct term *
term_open(const struct settings *settings, struct err *e)
{
	err_set(e, ERR_SYSTEM, "this slowtop was built without its browser");
	return NULL;
}

/* The functions below are linked, but never called. */

void term_close(struct term *t) {}
bool term_utf8(const struct term *t) { return false; }
bool term_colours(const struct term *t) { return false; }
const char *term_taken_for(const struct term *t, const char **name) { return NULL; }
void term_size(const struct term *t, int *rows, int *columns) {}
unsigned term_wait(struct term *t, int fd, int timeout_ms) { return TERM_END; }
bool term_key(struct term *t, struct key *key) { return false; }
void term_set_key_wait(struct term *t, int ms) {}
void term_set_mouse(struct term *t, bool on) {}
void term_set_theme(struct term *t, enum tui_colour colours, const struct theme *theme) {}
int term_ended_by(const struct term *t) { return 0; }
void term_draw(struct term *t, const struct canvas *c, int row, int column, bool visible) {}
void term_show(struct term *t) {}
void term_spoil(struct term *t) {}
bool term_run(struct term *t, const struct helper *h, int input, struct err *e) { return false; }
void term_send(struct term *t, struct str bytes) {}
void term_suspend(struct term *t) {}
void tui_emergency_restore(void) {}
