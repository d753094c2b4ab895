/*
 * help: the keys that work here, from the table of bindings, as a popup.
 */
#ifndef SLOWTOP_TUI_HELP_H
#define SLOWTOP_TUI_HELP_H

struct app;

void help_open(struct app *);

#endif
