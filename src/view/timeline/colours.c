// SPDX-License-Identifier: Apache-2.0
/*
 * colours: heights and colours of cells: a legend of those on the screen, and what they may
 * cost on a slow line.
 */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "view/timeline/parts.h"

/* Heights ------------------------------------------------------------------------------ */

/* Lower blocks of 1/8 to 8/8, and their ASCII substitutes. */
static const uint32_t blocks[] = {
    0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
static const char heights[] = ".:=#";

enum { BLOCKS = sizeof blocks / sizeof *blocks, HEIGHTS = sizeof heights - 1 };

/* The lowest block looks like sleep, which is a line of one byte. */
uint32_t
timeline_height(int busy, bool asleep, bool utf8)
{
	int steps = utf8 ? BLOCKS : HEIGHTS;
	int height;

	busy = busy < CELL_FULL ? busy : CELL_FULL;
	height = (busy * steps + CELL_FULL - 1) / CELL_FULL;
	if (asleep)
		return '_';
	return utf8 ? blocks[height > 2 ? height - 1 : 1]
		    : (uint32_t)heights[height > 1 ? height - 1 : 0];
}

uint32_t
timeline_step(int share, bool utf8)
{
	int most = (utf8 ? BLOCKS : HEIGHTS) - 1, step = (share * most + CELL_FULL / 2) / CELL_FULL;

	return step <= 0 ? '_' : utf8 ? blocks[step] : (uint32_t)heights[step];
}

/* The legend --------------------------------------------------------------------------- */

enum { GAP = 2 };

void
legend_add(struct legend *l, const struct legend_item *item)
{
	size_t i = 0;

	while (i < l->count &&
	    (l->items[i].look != item->look || !str_equal(l->items[i].name, item->name)))
		i++;
	if (i == LEGEND_MOST)
		return;
	if (i == l->count) {
		l->items[l->count++] = *item;
		l->items[i].cells = 0;
	}
	l->items[i].cells += item->cells;
}

static int
by_cells(const void *left, const void *right)
{
	const struct legend_item *a = left, *b = right;

	return order_then(ORDER(b->cells, a->cells), str_compare(a->name, b->name));
}

/* "android.view, java.lang": an item, and the next that has its colour. */
static int
draw_item(struct legend *l, struct canvas *c, int row, int column, int limit, size_t at)
{
	const struct legend_item *item = &l->items[at];
	uint32_t sign = !c->colours ? item->letter : c->utf8 ? 0x258c : '#';

	if (sign == 0 || column + 2 + (int)utf8_width(item->name) > limit)
		return column;
	canvas_put(c, row, column, sign, item->look);
	column = canvas_text(c, row, column + 2, limit, item->name, ROLE_DIM);
	for (size_t i = at + 1, more = 0; i < l->count; i++) {
		struct legend_item *also = &l->items[i];

		if (also->cells == 0 || also->look != item->look || also->letter != item->letter)
			continue;
		also->cells = 0;
		if (more++ > 0 || column + 2 + (int)utf8_width(also->name) > limit)
			continue;
		column = canvas_text(c, row, column, limit, STR(", "), ROLE_DIM);
		column = canvas_text(c, row, column, limit, also->name, ROLE_DIM);
	}
	return column + GAP;
}

void
legend_draw(struct legend *l, struct canvas *c, int row, int column, int limit)
{
	qsort(l->items, l->count, sizeof(l->items[0]), by_cells);
	for (size_t i = 0; i < l->count; i++) {
		if (l->items[i].cells > 0)
			column = draw_item(l, c, row, column, limit, i);
	}
}

/* Bytes --------------------------------------------------------------------------- */

enum {
	PAGE_BYTES = 2,   /* that a page may cost, by cell of the screen, */
	LABEL_BYTES = 24, /* of which so many are those of a row's label */
	COLOUR_BYTES = 11, /* of another colour */
	REVERSE_BYTES = 9, /* more, where a bar begins or ends */
	COARSEST = 8,     /* cells that may have one colour together */
};

/* How high a busy cell of a thread or of calls is, 1: asleep; 0: it is something else. */
static unsigned
cell_height(const struct glyph *g)
{
	const char *sign = g->text[0] < 128 ? strchr(heights, (int)g->text[0]) : NULL;

	if ((g->look & ~0xff) != 0 || g->text[0] == 0)
		return 0;
	if (g->text[0] == '_' && g->look == ROLE_IDLE)
		return 1;
	if (g->look < ROLE_HUE)
		return 0;
	if (sign != NULL)
		return (unsigned)(sign - heights) + 2;
	return g->text[0] > blocks[0] && g->text[0] <= TIMELINE_BAR_END ? g->text[0] - blocks[0] : 0;
}

/* The look of most of some cells. */
static look
group_look(const struct glyph *cells, int count)
{
	unsigned heights_of[ROLES] = {0};
	look most = ROLE_IDLE;

	for (int i = 0; i < count; i++) {
		unsigned height = cell_height(&cells[i]);

		if (height == 0 || cells[i].look == ROLE_IDLE)
			continue;
		heights_of[cells[i].look] += height;
		if (heights_of[cells[i].look] > heights_of[most])
			most = cells[i].look;
	}
	return most;
}

/* The bytes of the rows when so many cells have a colour together; `change`: they get it. */
static int
rows_colour(const struct drawing *d, int rows, int coarse, bool change)
{
	int bytes = 0;

	for (int row = 0; row < rows && d->pane->top + (size_t)row < d->pane->row_count; row++) {
		/* Colours of scheduler states are not mixed. */
		bool states = d->pane->rows[d->pane->top + (size_t)row].kind == TRACK_STATE;
		struct glyph *cells = canvas_at(d->canvas, d->r.row + 1 + row, d->r.column + d->label);
		look before = ROLE_TEXT, group = ROLE_TEXT;

		for (int i = 0; i < d->cells; i++) {
			bool shares = coarse > 1 && !states && cell_height(&cells[i]) > 0;
			look now;

			if (coarse > 1 && i % coarse == 0)
				group = group_look(&cells[i], d->cells - i < coarse ? d->cells - i : coarse);
			now = shares ? group : cells[i].look;
			bytes += cells[i].text[0] < 128 ? 1 : 3;
			if (cells[i].text[0] != ' ' || (now & LOOK_BLOCK) != 0) {
				bytes += now != before ? COLOUR_BYTES : 0;
				bytes += ((now ^ before) & LOOK_BLOCK) != 0 ? REVERSE_BYTES : 0;
				before = now;
			}
			if (change)
				cells[i].look = now;
		}
	}
	return bytes;
}

void
timeline_colours_spare(const struct drawing *d, int rows)
{
	int budget = PAGE_BYTES * d->r.rows * d->canvas->columns - LABEL_BYTES * rows, coarse = 1;

	while (coarse < COARSEST && rows_colour(d, rows, coarse, false) > budget)
		coarse *= 2;
	if (coarse > 1 && d->cells > 0)
		(void)rows_colour(d, rows, coarse, true);
}
