/* draw: the state of the program as cells.  Changes only the canvas. */
#ifndef SLOWTOP_TUI_DRAW_H
#define SLOWTOP_TUI_DRAW_H

#include <stdbool.h>

struct app;

/* The place of the terminal's own cursor. */
struct draw_cursor {
	int row, column;
	bool visible;
};

struct draw_cursor draw_app(struct app *);
/* Are there filters or transforms in force, which need a line? */
bool draw_has_changes(const struct app *);

#endif
