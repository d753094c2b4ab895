// SPDX-License-Identifier: Apache-2.0
/*
 * parts: what the files of the timeline share: its rows, and what its parts draw with.
 */
#pragma once

#include "base/sbuf.h"
#include "view/timeline/pane.h"

/* rows.c: which rows there are, and the cursor among them. */
/* After any change of what makes rows: the cursor stays on its own, or near. */
void timeline_rows_build(struct timeline_pane *);
/* Cursor and top within what there is. */
void timeline_rows_keep(struct timeline_pane *);
/* True if it is a log, and there is room for its processes and cores. */
bool timeline_rows_grouped(const struct timeline_pane *);
/* True if the calls of the thread have rows of their own. */
bool timeline_rows_has_calls(const struct timeline_pane *, uint32_t thread);

/* A row's cells when they are of the window that is shown; NULL: not known. */
const struct track_cell *timeline_track_cells(
    const struct timeline_pane *, const struct track *, int cells);
enum { SCALE_TEXT = FMT_SIZE + 8 };
/* Writes "from 4.1 GiB" where a counter's scale does not begin at 0, "= 7" where it has one value; else false. */
bool timeline_scale_text(char out[static SCALE_TEXT], const struct timeline_pane *,
    const struct track *);

/* colours.c */
enum { LEGEND_MOST = 16 };

/* Colours on the screen, with the number of cells of each. */
struct legend {
	struct legend_item {
		look look;
		uint32_t letter; /* in place of the colour; 0: none */
		struct str name;
		uint32_t cells;
	} items[LEGEND_MOST];
	size_t count;
};

void legend_add(struct legend *, const struct legend_item *);
/* The most frequent first, as many as fit. */
void legend_draw(struct legend *, struct canvas *, int row, int column, int limit);

enum { TIMELINE_BAR_END = 0x2589 }; /* a block but for its right edge */

/* A block for a share in CELL_FULLths; a line for sleep. */
uint32_t timeline_height(int busy, bool asleep, bool utf8);
/* The character of the nearest height of all from the lowest, of share 0, to the highest. */
uint32_t timeline_step(int share, bool utf8);

/* draw.c */
struct drawing {
	struct canvas *canvas;
	struct rect r;
	const struct timeline_pane *pane;
	const struct timeline_show *show;
	int label; /* columns */
	int cells;
	struct range window; /* that is drawn */
	bool has_cells; /* they are of this window */
	int cursor;     /* cell of the time cursor, or -1 */
	struct legend *legend;
};

/* Where colours change too often for a slow line, neighbours have one: that of most of them. */
void timeline_colours_spare(const struct drawing *, int rows);
bool timeline_cell_in(const struct drawing *, int cell, const struct range *);

/* last_line.c */
void timeline_last_line(const struct drawing *, int row);
