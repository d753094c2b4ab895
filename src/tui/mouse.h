/*
 * mouse: what clicks and the wheel do, where the user has asked for them.
 *
 * They do nothing that keys cannot: a click goes to a line, a pane, a thread and time, or
 * a column to sort by; one on the line of the cursor is Enter; the wheel is three lines.
 */
#ifndef SLOWTOP_TUI_MOUSE_H
#define SLOWTOP_TUI_MOUSE_H

#include "tui/key.h"

struct app;

void mouse_event(struct app *, const struct key *);

#endif
