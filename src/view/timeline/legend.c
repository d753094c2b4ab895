/*
 * legend: which colour is what, of the colours that are on the screen.
 */

#include <config.h>

#include <stdlib.h>

#include "base/utf8.h"
#include "view/timeline/parts.h"

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

	if (a->cells != b->cells)
		return a->cells > b->cells ? -1 : 1;
	return str_compare(a->name, b->name);
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
