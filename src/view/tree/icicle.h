// SPDX-License-Identifier: Apache-2.0
/*
 * icicle: layout of the call tree as a flame graph, heaviest to the left.
 *
 * The graph hangs from the top: the names of the frames above the zoomed one in one row, the
 * zoomed one, and below each frame those that it calls.  Widths are shares of the zoomed
 * frame, rounded down at the edges, so that those of a frame and of its children meet.
 * Children of less than a column are one cell together.  Separate threads are side by side
 * below a frame of all of them.
 *
 * While two traces are compared, frames are those of both, and as wide as a side or the change.
 *
 * Borrows the call tree model (calltree.h) for paths, filters, search and clock, which
 * must have callees below callers.  The layout costs the frames that are shown and their
 * children, and is made when something changed.  Drawing changes nothing.
 *
 * Functions that return bool say whether they changed anything.
 */
#pragma once

#include "view/tree/calltree.h"

enum icicle_value { ICICLE_TIME, ICICLE_OWN, ICICLE_CALLS, ICICLE_VALUES };

/* Widths of frames of two traces: times of A and B, of one, or changes at and below the frame. */
enum icicle_sides { ICICLE_BOTH, ICICLE_NEW, ICICLE_BASE, ICICLE_CHANGE, ICICLE_SIDES };

struct icicle_cell {
	uint32_t path;     /* PATH_NONE: all threads; of several the heaviest */
	uint32_t several;  /* that are too narrow each; 0: one frame */
	int row;           /* of the pane */
	int column, width; /* at least one */
	double from;       /* the exact left edge */
};

struct icicle {
	struct calltree *tree;
	enum icicle_value by;
	enum icicle_sides sides; /* of two traces that are compared, in place of `by` */
	uint32_t zoom, cursor; /* paths; PATH_NONE: all threads */
	uint64_t zoom_id, cursor_id; /* their identities, as kept */
	uint32_t *zooms;       /* those before, to go back to */
	size_t zoom_count, zoom_room;
	int columns, rows; /* of the pane */
	size_t above;      /* cells of frames above the zoomed one, all in row 0 */
	bool above_cut;    /* there are more of them */
	int hidden;        /* rows below the zoomed one that are scrolled away */
	uint32_t marked;   /* method that was selected elsewhere; METHOD_NONE */
	bool settled;      /* zoom and cursor are not those of the first picture */
	bool moved;        /* the user moved the cursor since icicle_select */
	bool seek;         /* the cursor may not be on the picture */

	struct icicle_cell *cells; /* by row, then column */
	size_t cell_count, cell_room;
	bool fresh;      /* the layout is of all this */
	bool deeper;     /* there are more rows below */
	uint64_t *sums; /* by path: its width where that is no time; NULL: not needed yet */
	uint64_t own_of_all;
	enum clock_id sums_clock;
	struct list list; /* the frames, to be written out */
	/* The paths and display that the layout was made for. */
	const struct paths *paths;
	struct display_seen seen;
};

void icicle_init(struct icicle *, struct calltree *);
void icicle_release(struct icicle *);
/* Before and after the tree gets other paths: zoom and cursor go along. */
void icicle_keep(struct icicle *);
void icicle_follow(struct icicle *);
/* Zooms to the frames of those identities, or as near as there are any. */
void icicle_return(struct icicle *, uint64_t zoom_id, uint64_t cursor_id);
/* Lays out what has changed; the functions below need it. */
void icicle_layout(struct icicle *, int rows, int columns);

/* The frame of the cursor; NULL when it is not on the screen. */
const struct icicle_cell *icicle_cell(const struct icicle *);
/* Returns the value that a width shows: time in ns, or calls; PATH_NONE: of all. */
uint64_t icicle_weight(const struct icicle *, uint32_t path);
/* The path's own time or calls (PATH_NONE: of all), where widths are no inclusive times. */
uint64_t icicle_own(const struct icicle *, uint32_t path);
/* PATH_NONE for threads and for all. */
uint32_t icicle_method(const struct icicle *);

/* The cursor to the next frame of its row; to the caller, or the heaviest callee. */
bool icicle_move(struct icicle *, int direction);
bool icicle_up(struct icicle *);
bool icicle_down(struct icicle *);
/* Along the heaviest callees to the end. */
bool icicle_heaviest(struct icicle *);
/* Move to the first frame of all; to the zoomed one. */
bool icicle_to_zoom(struct icicle *);
/* Zooms to the cursor's frame; back to the zoom before. */
bool icicle_zoom_in(struct icicle *);
bool icicle_zoom_out(struct icicle *);
void icicle_set_value(struct icicle *, enum icicle_value);
/* Frames stay in the order of both sides' times. */
void icicle_set_sides(struct icicle *, enum icicle_sides);
/* Cursor on that path, zoomed out as far as it takes to see it. */
void icicle_go(struct icicle *, uint32_t path);
/*
 * A method that was selected elsewhere is marked, METHOD_NONE: none.  The cursor goes to the
 * path, or as near as it is to be seen, and the zoom stays; the first one is its thread.
 */
void icicle_select(struct icicle *, uint32_t method, uint32_t path);

enum {
	ICICLE_NAME = 512,
	ICICLE_GAP = 3, /* columns after each name in row 0 */
};
/* Returns the name of a frame in so many columns; `out` may hold it. */
struct str icicle_name(const struct icicle *, uint32_t path, int columns,
    char out[static ICICLE_NAME]);

/*
 * To be written out (sheet.h): the frames that are on the screen, a row each, from the top
 * and the left; as stacks all that is zoomed, however narrow.  Borrows the graph.
 */
void icicle_sheet(struct sheet *, struct icicle *, bool files);

enum { ICICLE_TEXT_ROWS = 1 }; /* rows of it that are not the graph's */

/* Returns the row of the cursor's frame, -1 when it is not to be seen. */
int icicle_draw(struct canvas *, struct rect, const struct icicle *);
