/*
 * axis: a window on the time line: zooming, panning, and the labels above it.
 *
 * Nanoseconds; windows are half-open [from, to) and stay within the whole, which may
 * grow while a trace is read.  A window that is the whole grows with it.
 */
#ifndef SLOWTOP_VIEW_AXIS_H
#define SLOWTOP_VIEW_AXIS_H

#include "trace/event.h"
#include "view/canvas.h"

struct axis {
	nsec begin, end; /* the whole */
	nsec from, to;   /* the window, as long as it is not the whole */
	bool whole;
	nsec cursor;     /* within the window */
};

enum { AXIS_MIN_SPAN = 1000 }; /* a microsecond: finer than any clock of a trace */

void axis_init(struct axis *);
void axis_set_whole(struct axis *, nsec begin, nsec end);
void axis_window(const struct axis *, nsec *from, nsec *to);
/* Half (1) or twice (-1) the window, the cursor stays at its place on the screen. */
bool axis_zoom(struct axis *, int direction);
/* By quarters of the window; the cursor keeps its place on the screen. */
bool axis_pan(struct axis *, int quarters);
/* To the start (-1) or end (1). */
bool axis_pan_end(struct axis *, int direction);
bool axis_show_all(struct axis *);
/* Exactly [from, to), at least AXIS_MIN_SPAN wide. */
bool axis_zoom_to(struct axis *, nsec from, nsec to);
/* Pans as little as needed to see [from, to), zooms out if that is not enough. */
bool axis_fit(struct axis *, nsec from, nsec to);
/* Moves the cursor by cells of a screen that has `cells`; pans at the edges. */
bool axis_move(struct axis *, int64_t by, int cells);
bool axis_move_to(struct axis *, nsec at);
/* The cell that holds `at`, -1 when it is outside. */
int axis_cell(const struct axis *, nsec at, int cells);

/* Ticks and labels of [from, to) over columns [column, limit) of a row. */
void axis_draw(struct canvas *, int row, int column, int limit, nsec from, nsec to, look);
/* A time with as many decimals of a second as `step` needs: "1.204113". */
const char *axis_time(char out[static 64], nsec at, nsec step);

#endif
