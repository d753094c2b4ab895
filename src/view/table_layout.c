#include <config.h>

#include "view/table_layout.h"

#include "base/utf8.h"

enum { GUTTER = 1, NAME_MIN = 20 };

/* Columns that can be seen on this screen, METHOD not counted. */
static int
visible_figures(const struct table *t, int screen, enum column_id ids[COLUMNS])
{
	int count = 0;

	for (int i = 0; i < COLUMNS; i++) {
		if (t->columns.order[i] != COLUMN_METHOD &&
		    table_column_visible(t, t->columns.order[i], screen))
			ids[count++] = t->columns.order[i];
	}
	return count;
}

void
table_layout(struct table_layout *layout, const struct table *t, int screen)
{
	enum column_id ids[COLUMNS];
	int count = visible_figures(t, screen, ids);
	int name_min = screen / 4 < NAME_MIN ? screen / 4 : NAME_MIN;
	int at = GUTTER;
	int i = t->first_column < count ? t->first_column : count;

	layout->count = 0;
	layout->more_left = i > 0;
	for (; i < count && at + t->widths[ids[i]] + 1 + name_min <= screen; i++) {
		layout->places[layout->count++] =
		    (struct column_place){ids[i], at, t->widths[ids[i]]};
		at += t->widths[ids[i]] + 1;
	}
	layout->more_right = i < count;
	layout->places[layout->count++] =
	    (struct column_place){COLUMN_METHOD, at, screen > at ? screen - at : 0};
}

bool
table_column_visible(const struct table *t, enum column_id id, int screen)
{
	if (!column_exists(id, t->figures.trace->clocks) || t->columns.of[id].shown == SHOWN_NO)
		return false;
	return t->columns.of[id].shown == SHOWN_YES || id == t->sort || id == COLUMN_METHOD ||
	       screen + t->beside >= column_table[id].from;
}

bool
table_scroll_columns(struct table *t, int direction, int screen)
{
	struct table_layout layout;

	table_layout(&layout, t, screen);
	if (direction < 0 ? !layout.more_left : !layout.more_right)
		return false;
	t->first_column += direction < 0 ? -1 : 1;
	return true;
}

/* The widest full name on the screen. */
static int
longest_name(const struct table *t)
{
	size_t longest = 0;

	for (size_t i = t->at.top; i < t->at.count && i < t->at.top + t->at.height; i++) {
		size_t width =
		    utf8_width(names_full(t->figures.names, t->rows[i].method));

		if (width > longest)
			longest = width;
	}
	return (int)longest;
}

bool
table_scroll_name(struct table *t, int direction, int screen)
{
	struct table_layout layout;
	int before = t->name_skip, half, room;

	table_layout(&layout, t, screen);
	room = table_layout_name(&layout)->width;
	half = room > 1 ? room / 2 : 1;
	if (direction == 0 || (direction < 0 && before == 0)) {
		t->name_skip = NAME_FITTED;
	} else if (direction < 0) {
		t->name_skip = before > half ? before - half : 0;
	} else if (before + room < longest_name(t)) {
		t->name_skip = before == NAME_FITTED ? half : before + half;
	}
	return t->name_skip != before;
}

bool
table_scroll_name_end(struct table *t, int screen)
{
	struct table_layout layout;
	int before = t->name_skip, skip;

	table_layout(&layout, t, screen);
	/* One column goes to the mark of what is cut. */
	skip = longest_name(t) - table_layout_name(&layout)->width + 1;
	t->name_skip = skip > 1 ? skip : 0;
	return t->name_skip != before;
}
