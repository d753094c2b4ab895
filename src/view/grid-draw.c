/* A grid in cells, and written out. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "base/utf8.h"
#include "view/grid.h"
#include "view/names.h"

enum { GAP = 1, TEXT_MIN = 16 };

static bool
is_text(const struct grid *g, int column)
{
	return g->of->columns[column].kind == SHEET_TEXT;
}

bool
grid_visible(const struct grid *g, int column, int columns)
{
	int from = g->of->columns[column].from;

	if (from == GRID_FOR_PROGRAMS || g->choice[column] == SHOWN_NO)
		return from != GRID_FOR_PROGRAMS && column == g->sort;
	return columns >= from || column == g->sort || g->choice[column] == SHOWN_YES;
}

/* Where a column stands. */
struct slot {
	int column, from, to;
};

/* Of the numbers that may go, the one for the widest screens; -1 without one. */
static int
least_wanted(const struct grid *g, int columns, uint32_t gone)
{
	int found = -1, most = -1;

	for (int i = 0; i < g->count; i++) {
		int from = g->choice[i] == SHOWN_YES ? 0 : g->of->columns[i].from;

		if (is_text(g, i) || i == g->sort || (gone & 1u << i) != 0 ||
		    !grid_visible(g, i, columns) || from < most)
			continue;
		found = i;
		most = from;
	}
	return found;
}

/* Wide numbers leave room for a name: which of them, as bits, are not shown. */
static uint32_t
make_room(const struct grid *g, int columns)
{
	int left = columns - 1, texts = 0, column;
	uint32_t gone = 0;

	for (int i = 0; i < g->count; i++) {
		if (!grid_visible(g, i, columns))
			continue;
		if (is_text(g, i))
			texts += g->width[i] + GAP;
		else
			left -= g->width[i] + GAP;
	}
	if (texts > TEXT_MIN)
		texts = TEXT_MIN;
	while (left < texts && (column = least_wanted(g, columns, gone)) >= 0) {
		gone |= 1u << column;
		left += g->width[column] + GAP;
	}
	return gone;
}

/*
 * Numbers take what they need; of the room that is left each text gets an equal part at
 * most, and the last one the rest.
 */
static int
lay_out(const struct grid *g, struct rect r, struct slot slots[GRID_COLUMNS_MAX])
{
	int count = 0, texts = 0, at = r.column + 1, end = r.column + r.columns;
	uint32_t gone = make_room(g, r.columns);

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < g->count; i++) {
			if (is_text(g, i) != (pass == 1) || (gone & 1u << i) != 0 ||
			    !grid_visible(g, i, r.columns))
				continue;
			texts += pass;
			slots[count++] = (struct slot){.column = i};
		}
	}
	for (int i = 0; i < count; i++) {
		struct slot *s = &slots[i];
		int width = g->width[s->column];

		if (is_text(g, s->column)) {
			int fair = (end - at) / texts;

			if (width > fair)
				width = fair > TEXT_MIN ? fair : TEXT_MIN;
			if (--texts == 0)
				width = end - at;
		}
		s->from = at;
		s->to = at + width < end ? at + width : end;
		at = s->to + GAP;
		/* No room: what would stand here is left out. */
		if (s->from >= end)
			return i;
	}
	return count;
}

static void
put(struct canvas *c, int row, const struct slot *s, struct str text, bool left, look style)
{
	int width = (int)utf8_width(text);
	int from = left ? s->from : s->to - width;

	canvas_text(c, row, from > s->from ? from : s->from, s->to, text, style);
}

static void
draw_header(struct canvas *c, struct rect r, const struct grid *g, const struct slot *slots,
    int count)
{
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(c, r.row, r.column, r.column + r.columns, ' ', style);
	for (int i = 0; i < count; i++) {
		char title[FMT_SIZE];

		snprintf(title, sizeof(title), "%s%s", g->of->columns[slots[i].column].title,
		    slots[i].column != g->sort ? "" : g->rising ? "^" : "v");
		put(c, r.row, &slots[i], str_from(title), is_text(g, slots[i].column), style);
	}
}

/* The head of a clean text that fits. */
static struct str
head(const struct grid *g, struct str text, int width)
{
	return (int)utf8_width(text) <= width ? text : names_head(g->figures->names, text, width);
}

static void
draw_row(struct canvas *c, struct rect r, const struct grid *g, size_t shown,
    const struct slot *slots, int count, bool hit)
{
	const struct grid_line *line = &g->lines[g->shown[shown]];
	bool cursor = shown == g->at.cursor;

	canvas_put(c, r.row, r.column, cursor ? '>' : ' ', ROLE_TEXT);
	for (int i = 0; i < count; i++) {
		const struct value *v =
		    &g->cells[line->number * (size_t)g->count + (size_t)slots[i].column];
		bool text = is_text(g, slots[i].column);
		struct slot s = slots[i];
		char out[FMT_SIZE];
		struct str shown_text;

		if (text && i + 1 == count)
			s.from += (int)line->depth * 2;
		if (s.from >= s.to)
			continue;
		shown_text = value_format(g->figures, *v, text ? FMT_SIZE : s.to - s.from, out);
		if (text)
			shown_text = head(g, shown_text, s.to - s.from);
		put(c, r.row, &s, shown_text, text, ROLE_TEXT | (hit && text ? LOOK_HIT : 0));
	}
	if (cursor)
		canvas_add_look(c, r.row, r.column, r.column + r.columns, LOOK_SELECTED);
}

static void
draw_nothing(struct canvas *c, struct rect r, const struct grid *g)
{
	struct str typed;

	if (g->filter == NULL || g->line_count == 0) {
		canvas_text(c, r.row, r.column + 1, r.column + r.columns, str_from(g->of->empty),
		    ROLE_TEXT);
		return;
	}
	typed = names_clean(g->figures->names, str_from(g->filter_text));
	canvas_format(c, r.row, r.column + 1, r.column + r.columns, ROLE_TEXT,
	    "no row matches %.*s (& edit)", STR_ARG(typed));
}

int
grid_draw(struct canvas *c, struct rect r, const struct grid *g, const struct pattern *search)
{
	struct slot slots[GRID_COLUMNS_MAX];
	int count;

	if (g->of == NULL || r.rows < 1)
		return -1;
	count = lay_out(g, r, slots);
	draw_header(c, r, g, slots, count);
	for (int i = 1; i < r.rows; i++) {
		size_t at = g->at.top + (size_t)i - 1;
		struct rect line = {r.row + i, r.column, 1, r.columns};

		if (at < g->at.count)
			draw_row(c, line, g, at, slots, count, grid_is_hit(g, search, at));
	}
	if (g->at.count == 0 && r.rows > 1)
		draw_nothing(c, (struct rect){r.row + 1, r.column, 1, r.columns}, g);
	return g->at.count > 0 ? r.row + 1 + (int)scroll_line(&g->at) : -1;
}

/* Written out ------------------------------------------------------------------- */

static struct value
sheet_cell(const struct sheet *s, size_t row, int column, bool raw)
{
	const struct grid *g = s->model;

	(void)raw;
	return g->cells[g->lines[g->shown[row]].number * (size_t)g->count + (size_t)column];
}

static int
sheet_depth(const struct sheet *s, size_t row)
{
	const struct grid *g = s->model;

	return (int)g->lines[g->shown[row]].depth;
}

void
grid_sheet(struct sheet *s, const struct grid *g, const char *view)
{
	bool deep = false;

	*s = (struct sheet){.view = view, .rows = g->at.count, .cursor = g->at.cursor,
	    .figures = g->figures, .model = g, .cell = sheet_cell};
	for (int i = 0; i < g->count; i++) {
		const struct grid_column *c = &g->of->columns[i];

		sheet_add(s, c->id, c->title, c->kind);
	}
	for (size_t i = 0; i < g->line_count; i++)
		deep |= g->lines[i].depth > 0;
	if (deep)
		s->depth = sheet_depth;
}
