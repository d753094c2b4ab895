// SPDX-License-Identifier: Apache-2.0
/* draw: a list in cells of the screen: where its columns are, header and rows. */
#include <config.h>

#include "view/list/list.h"

#include <stdio.h>

#include "base/utf8.h"
#include "view/list/where.h"
#include "view/names/names.h"

enum { CURSOR = 1, GAP = 1, TEXT_LEAST = 16, INDENT = 2 };

/* Where things are drawn. */
struct area {
	struct canvas *canvas;
	struct rect line; /* of the list: one row */
	const struct list *list;
	struct list_layout layout;
	int bar;     /* column of percent with a bar after it; -1: none */
	double most; /* its largest value on the screen: a whole bar */
};

/* Layout --------------------------------------------------------------- */

/* A text that gets as much as there is room for. */
static bool
is_free(const struct list *l, int column)
{
	return list_is_text(l, column) && l->columns->of[column].width == 0 &&
	       list_column(l, column)->most[0] == 0;
}

static int
width_of(const struct list *l, int column, int columns)
{
	const struct column *c = list_column(l, column);
	int asked = l->columns->of[column].width, width = l->width[column];
	int most = c->most[columns >= LIST_WIDE];

	if (list_is_text(l, column) && asked > 0)
		return asked;
	if (most > 0 && width > most)
		width = most;
	return (asked > width ? asked : width) + c->room;
}

/* The first figure to go, of those in `shown`; -1 without one. */
static int
least_wanted(const struct list *l, const bool shown[COLUMNSET_MAX])
{
	int found = -1, most = -1;

	for (int i = 0; i < l->count; i++) {
		int column = l->columns->order[i];
		int from = l->columns->of[column].shown == SHOWN_YES ? 0 : list_from(l, column);

		if (!shown[column] || is_free(l, column) || column == l->sort || from < most)
			continue;
		found = column;
		most = from;
	}
	return found;
}

static bool
make_room(const struct list *l, int columns, bool shown[COLUMNSET_MAX])
{
	int left = columns - CURSOR - l->source->gutter, texts = 0, column;
	int least = l->source->name_least;
	bool more = false;

	for (int i = 0; i < l->count; i++) {
		shown[i] = list_visible(l, i);
		if (shown[i] && is_free(l, i))
			texts += width_of(l, i, columns) + GAP;
		else if (shown[i])
			left -= width_of(l, i, columns) + GAP;
	}
	texts = texts < least ? texts : least;
	while (left < texts && (column = least_wanted(l, shown)) >= 0) {
		shown[column] = false;
		left += width_of(l, column, columns) + GAP;
		more = true;
	}
	return more;
}

/*
 * Places the columns that fit, from the first that is not scrolled away; the last is
 * always there.
 */
static void
layout_scrolled(struct list_layout *out, const struct list *l, int columns)
{
	int least = l->source->name_least, at = CURSOR + l->source->gutter, away = l->first_column;
	int last = l->columns->last;

	least = columns / 4 < least ? columns / 4 : least;
	*out = (struct list_layout){.count = 0};
	for (int i = 0; i < l->count; i++) {
		int column = l->columns->order[i], width = width_of(l, column, columns);

		if (column == last || !list_visible(l, column))
			continue;
		if (away > 0) {
			away--;
			out->more_left = true;
		} else if (out->more_right || at + width + GAP + least > columns) {
			out->more_right = true;
		} else {
			out->slots[out->count++] = (struct list_slot){column, at, at + width};
			at += width + GAP;
		}
	}
	out->slots[out->count++] = (struct list_slot){last, at, columns > at ? columns : at};
}

void
list_layout(struct list_layout *out, const struct list *l, int columns)
{
	int at = CURSOR + l->source->gutter, texts = 0, figures = 0;
	bool shown[COLUMNSET_MAX];

	if (l->source->scrolls) {
		layout_scrolled(out, l, columns);
		return;
	}
	*out = (struct list_layout){.count = 0};
	out->more_right = make_room(l, columns, shown);
	for (int i = 0; i < l->count; i++) {
		texts += shown[i] && is_free(l, i);
		if (shown[i] && !is_free(l, i))
			figures += width_of(l, i, columns) + GAP;
	}
	for (int i = 0; i < l->count && at < columns; i++) {
		int column = l->columns->order[i], width = width_of(l, column, columns);

		if (!shown[column])
			continue;
		if (is_free(l, column)) {
			int fair = (columns - at - figures) / texts;

			/* At least a few letters, unless it is the last one. */
			if (texts > 1 && fair < TEXT_LEAST)
				fair = TEXT_LEAST;
			if (width > fair)
				width = fair > 0 ? fair : 0;
			if (--texts == 0 && figures == 0)
				width = columns - at;
		} else {
			figures -= width + GAP;
		}
		if (at + width > columns)
			width = columns - at;
		out->slots[out->count++] = (struct list_slot){column, at, at + width};
		at += width + GAP;
	}
}

/* Header and rows ----------------------------------------------------------------- */

static struct rect
cell_rect(const struct area *a, const struct list_slot *s)
{
	return (struct rect){a->line.row, a->line.column + s->from, 1, s->to - s->from};
}

static void
put_text(const struct area *a, const struct list_slot *s, int indent, struct str text, look style)
{
	struct rect r = cell_rect(a, s);
	int at = r.column + list_column(a->list, s->column)->room + indent;

	canvas_text(a->canvas, r.row, at, r.column + r.columns, text, style);
}

/* Puts a figure to the right; from `free` on the columns before it are blank. */
static void
put_figure(const struct area *a, const struct list_slot *s, int free, struct str text, look style)
{
	struct rect r = cell_rect(a, s);
	int end = r.column + r.columns;
	int at = end - list_column(a->list, s->column)->room - (int)utf8_width(text);

	if (at < a->line.column + free)
		at = a->line.column + free;
	canvas_text(a->canvas, r.row, at, end, text, style);
}

static void
draw_header(const struct area *a)
{
	const struct list *l = a->list;
	const struct rect *r = &a->line;
	look style = ROLE_HEADER | (l->unfocused ? 0 : LOOK_BOLD);
	int more = r->columns - 1;

	canvas_fill(a->canvas, r->row, r->column, r->column + r->columns, ' ', style);
	if (l->source->draw_gutter != NULL)
		l->source->draw_gutter(l->of, a->canvas, *r, NULL);
	for (int i = 0; i < a->layout.count; i++) {
		const struct list_slot *slot = &a->layout.slots[i];
		int column = slot->column;
		const bool sorted = column == l->sort, utf8 = a->canvas->utf8;
		look marked = sorted && !utf8 ? style | LOOK_SELECTED : style;
		char title[FMT_SIZE], text[FMT_SIZE + 4];

		snprintf(text, sizeof(text), "%s%s", list_title(l, column, title),
		    !sorted || !utf8 ? "" : l->ascending ? "▲" : "▼");
		if (list_is_text(l, column))
			put_text(a, slot, 0, str_from(text), marked);
		else
			put_figure(a, slot, slot->from, str_from(text), marked);
	}
	if (l->source->scrolls)
		more = a->layout.slots[a->layout.count - 1].from - GAP;
	if (a->layout.more_left)
		canvas_put(a->canvas, r->row, r->column, '<', style);
	if (a->layout.more_right)
		canvas_put(a->canvas, r->row, r->column + more, '>', style);
}

static double
share(struct value v)
{
	return v.kind == VALUE_PERCENT && v.b > 0 ? (double)v.a / (double)v.b : 0;
}

/* A bar of eighths of a cell, as long as the value is beside the largest on the screen. */
static void
draw_bar(const struct area *a, const struct list_slot *s, struct value v, look style)
{
	int eighths = a->most > 0 ? (int)(share(v) / a->most * 8 + 0.5) : 0;

	if (s->column == a->bar && eighths > 0 && s->to < a->line.columns)
		canvas_put(a->canvas, a->line.row, a->line.column + s->to,
		    0x2590 - (uint32_t)(eighths < 8 ? eighths : 8), style);
}

/* The first column of percent, unless these are of changes, and what its bars are measured by. */
static void
bar_measure(struct area *a, int rows)
{
	const struct list *l = a->list;

	for (int i = 0; i < a->layout.count && a->canvas->utf8 && a->bar < 0; i++)
		if (list_column(l, a->layout.slots[i].column)->kind == VALUE_PERCENT &&
		    (list_column(l, a->layout.slots[i].column)->flags & LIST_COMPARED) == 0)
			a->bar = a->layout.slots[i].column;
	for (int i = 0; i < rows && a->bar >= 0 && l->at.top + (size_t)i < l->at.count; i++) {
		double is = share(list_value(l, &l->rows[l->at.top + (size_t)i], a->bar));

		a->most = is > a->most ? is : a->most;
	}
}

/* Returns where the row is free after it; `free` is that of the cell before. */
static int
draw_cell(const struct area *a, const struct list_row *row, const struct list_slot *s, int free,
    bool hit)
{
	const struct list *l = a->list;
	const struct column *c = list_column(l, s->column);
	struct rect cell = cell_rect(a, s);
	look style = ROLE_TEXT;
	char out[FMT_SIZE];
	const char *own;
	struct value v;
	int indent;

	if (c->kind == VALUE_TEXT && (row->flags & LIST_LAST) != 0)
		cell.columns = a->line.columns - s->from;
	if (c->kind == VALUE_TEXT && l->source->draw != NULL &&
	    l->source->draw(l->of, a->canvas, cell, row, s->column))
		return s->to + GAP;
	v = list_value(l, row, s->column);
	if (l->source->style != NULL)
		style = l->source->style(l->of, row, s->column, v);
	if (hit && c->kind == VALUE_TEXT)
		style |= LOOK_HIT;
	if (v.kind == VALUE_TEXT) {
		int room = cell.columns - c->room;

		indent = s == &a->layout.slots[a->layout.count - 1] ? (int)row->depth * INDENT : 0;
		/* Deep rows leave room for their text. */
		if (indent > room / 2)
			indent = room / 2;
		if ((int)utf8_width(v.text) > room - indent)
			v.text = names_head(l->figures->names, v.text, room - indent);
		if (room > indent)
			put_text(a, s, indent, v.text, style);
		return s->to + GAP;
	}
	/* Rows below others can have wider figures, and nothing before them. */
	own = l->source->text != NULL ? l->source->text(l->of, row, s->column, v, out) : NULL;
	if (own != NULL)
		put_figure(a, s, s->from, str_from(own), style);
	else
		put_figure(
		    a, s, free, value_format(l->figures, v, s->to - c->room - free, out), style);
	draw_bar(a, s, v, style);
	if (c->room > 0)
		l->source->draw_room(l->of, a->canvas,
		    (struct rect){cell.row, cell.column + cell.columns - c->room, 1, c->room}, row,
		    s->column);
	return v.kind == VALUE_EMPTY ? free : s->to + GAP;
}

static void
draw_row(const struct area *a, const struct list_row *row, bool cursor)
{
	const struct list *l = a->list;
	int left = a->line.column, free = CURSOR + l->source->gutter;
	bool hit = list_is_hit(l, row), marked = list_is_marked(l, row);

	if (l->source->draw_gutter != NULL)
		l->source->draw_gutter(l->of, a->canvas, a->line, row);
	for (int i = 0; i < a->layout.count; i++)
		free = draw_cell(a, row, &a->layout.slots[i], free, hit);
	if (marked)
		canvas_put(a->canvas, a->line.row, left, '*', ROLE_MARK);
	else if (cursor)
		canvas_put(a->canvas, a->line.row, left, '>', ROLE_TEXT);
	if (cursor)
		canvas_add_look(
		    a->canvas, a->line.row, left, left + a->line.columns, LOOK_SELECTED);
}

/* No row but those that are always there: the first, and what is below them; tops of trees. */
static bool
is_empty(const struct list *l)
{
	size_t i = 0;

	while (i < l->at.count &&
	       (l->rows[i].depth > 0 || (l->rows[i].flags & (LIST_FIRST | LIST_WHOLE)) != 0 ||
		   (l->source->tree && (l->rows[i].flags & LIST_LEADS) == 0)))
		i++;
	return i == l->at.count;
}

static void
draw_empty(const struct area *a)
{
	const struct list *l = a->list;
	const struct where *where = wheres_of(l->figures->wheres, l->source);
	int at = a->line.column + 1, end = a->line.column + a->line.columns;

	if (where != NULL && l->total > 0)
		canvas_format(a->canvas, a->line.row, at, end, ROLE_TEXT,
		    "no row meets %.*s (:where removes it)",
		    STR_ARG(names_clean(l->figures->names, str_from(where->text))));
	else if (l->source->draw_empty != NULL)
		l->source->draw_empty(l->of, a->canvas, a->line);
	else if (l->filter == NULL || l->total == 0)
		canvas_text(a->canvas, a->line.row, at, end, str_from(l->source->empty), ROLE_TEXT);
	else
		canvas_format(a->canvas, a->line.row, at, end, ROLE_TEXT,
		    "no row matches %.*s (& edit)",
		    STR_ARG(names_clean(l->figures->names, str_from(l->filter_text))));
}

static struct area
area_of(struct canvas *c, struct rect r, const struct list *l)
{
	struct area a = {.canvas = c, .line = {r.row, r.column, 1, r.columns}, .list = l, .bar = -1};

	list_layout(&a.layout, l, r.columns);
	return a;
}

void
list_draw_header(struct canvas *c, struct rect line, const struct list *l)
{
	struct area a = area_of(c, line, l);

	draw_header(&a);
}

void
list_draw_rows(struct canvas *c, struct rect r, const struct list *l)
{
	struct area a = area_of(c, r, l);

	bar_measure(&a, r.rows);
	for (size_t at = l->at.top; at < l->at.count && a.line.row < r.row + r.rows; at++) {
		draw_row(&a, &l->rows[at], at == l->at.cursor);
		a.line.row++;
	}
}

int
list_draw(struct canvas *c, struct rect r, const struct list *l)
{
	struct area a = area_of(c, r, l);
	size_t shown = l->at.count > l->at.top ? l->at.count - l->at.top : 0;

	if (r.rows < 1)
		return -1;
	draw_header(&a);
	for (int row = r.row + 1; row < r.row + r.rows; row++)
		canvas_fill(c, row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	list_draw_rows(c, (struct rect){r.row + 1, r.column, r.rows - 1, r.columns}, l);
	a.line.row = r.row + 1 + (int)shown;
	if (shown + 1 < (size_t)r.rows && is_empty(l))
		draw_empty(&a);
	return l->at.count > 0 ? r.row + 1 + (int)scroll_line(&l->at) : -1;
}
