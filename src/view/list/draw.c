#include <config.h>

#include "view/list/draw.h"

#include <stdio.h>

#include "base/utf8.h"
#include "view/names.h"

enum { GAP = 1, TEXT_LEAST = 16, INDENT = 2 };

/* Where things are drawn. */
struct area {
	struct canvas *canvas;
	struct rect line; /* of the list: one row */
	const struct list *list;
	struct list_slot slots[COLUMNSET_MAX];
	int count;
	bool more;
};

/* Where columns are --------------------------------------------------------------- */

static const struct column *
column_of(const struct list *l, int column)
{
	return &l->source->columns[column];
}

static bool
is_text(const struct list *l, int column)
{
	return column_of(l, column)->kind == VALUE_TEXT;
}

/* A text that gets as much as there is room for. */
static bool
is_free(const struct list *l, int column)
{
	return is_text(l, column) && l->columns.of[column].width == 0 &&
	       column_of(l, column)->most[0] == 0;
}

static int
width_of(const struct list *l, int column, int columns)
{
	const struct column *c = column_of(l, column);
	int asked = l->columns.of[column].width, width = l->width[column];
	int most = c->most[columns >= LIST_WIDE];

	if (is_text(l, column) && asked > 0)
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
		int column = l->columns.order[i];
		int from = l->columns.of[column].shown == SHOWN_YES ? 0 : column_of(l, column)->from;

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
	int left = columns - l->source->gutter, texts = 0, column;
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

int
list_layout(const struct list *l, int columns, struct list_slot out[COLUMNSET_MAX], bool *more)
{
	int at = l->source->gutter, texts = 0, figures = 0, count = 0;
	bool shown[COLUMNSET_MAX];

	*more = make_room(l, columns, shown);
	for (int i = 0; i < l->count; i++) {
		texts += shown[i] && is_free(l, i);
		if (shown[i] && !is_free(l, i))
			figures += width_of(l, i, columns) + GAP;
	}
	for (int i = 0; i < l->count && at < columns; i++) {
		int column = l->columns.order[i], width = width_of(l, column, columns);

		if (!shown[column])
			continue;
		if (is_free(l, column)) {
			int fair = (columns - at - figures) / texts;

			/* Not less than a few letters, as long as others come. */
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
		out[count++] = (struct list_slot){column, at, at + width};
		at += width + GAP;
	}
	return count;
}

/* Header and rows ----------------------------------------------------------------- */

static struct rect
cell_rect(const struct area *a, const struct list_slot *s)
{
	return (struct rect){a->line.row, a->line.column + s->from, 1, s->to - s->from};
}

/* Texts to the left, figures to the right. */
static void
put(const struct area *a, const struct list_slot *s, int indent, struct str text, look style)
{
	const struct column *c = column_of(a->list, s->column);
	struct rect r = cell_rect(a, s);
	int at = r.column, end = r.column + r.columns;

	if (c->kind == VALUE_TEXT)
		at += c->room + indent;
	else if ((int)utf8_width(text) + c->room < r.columns)
		at = end - c->room - (int)utf8_width(text);
	canvas_text(a->canvas, r.row, at, end, text, style);
}

static void
draw_header(const struct area *a)
{
	const struct list *l = a->list;
	const struct rect *r = &a->line;
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(a->canvas, r->row, r->column, r->column + r->columns, ' ', style);
	if (l->source->draw_gutter != NULL)
		l->source->draw_gutter(l->of, a->canvas, *r, NULL);
	for (int i = 0; i < a->count; i++) {
		int column = a->slots[i].column;
		char title[FMT_SIZE], text[FMT_SIZE + 1];

		snprintf(text, sizeof(text), "%s%s", list_title(l, column, title),
		    column != l->sort ? ""
		    : l->ascending    ? "^"
				      : "v");
		put(a, &a->slots[i], 0, str_from(text), style);
	}
	if (a->more)
		canvas_put(a->canvas, r->row, r->column + r->columns - 1, '>', style);
}

static void
draw_cell(const struct area *a, const struct list_row *row, const struct list_slot *s, bool hit)
{
	const struct list *l = a->list;
	const struct column *c = column_of(l, s->column);
	int room = s->to - s->from - c->room;
	struct rect cell = cell_rect(a, s);
	char out[FMT_SIZE];
	struct value v;

	if (c->kind == VALUE_TEXT && l->source->draw != NULL &&
	    l->source->draw(l->of, a->canvas, cell, row, s->column))
		return;
	v = list_value(l, row, s->column);
	if (v.kind == VALUE_TEXT) {
		int indent = s == &a->slots[a->count - 1] ? (int)row->depth * INDENT : 0;

		if ((int)utf8_width(v.text) > room - indent)
			v.text = names_head(l->figures->names, v.text, room - indent);
		if (room > indent)
			put(a, s, indent, v.text, ROLE_TEXT | (hit ? LOOK_HIT : 0));
		return;
	}
	if (l->source->text != NULL)
		put(a, s, 0, str_from(l->source->text(l->of, row, s->column, v, out)), ROLE_TEXT);
	else
		put(a, s, 0, value_format(l->figures, v, room, out), ROLE_TEXT);
	if (c->room > 0)
		l->source->draw_room(l->of, a->canvas,
		    (struct rect){cell.row, cell.column + room, 1, c->room}, row, s->column);
}

static void
draw_row(const struct area *a, const struct list_row *row, bool cursor)
{
	const struct list *l = a->list;
	int left = a->line.column;
	bool hit = list_is_hit(l, row), marked = list_is_marked(l, row);

	if (l->source->draw_gutter != NULL)
		l->source->draw_gutter(l->of, a->canvas, a->line, row);
	for (int i = 0; i < a->count; i++)
		draw_cell(a, row, &a->slots[i], hit);
	if (marked)
		canvas_put(a->canvas, a->line.row, left, '*', ROLE_MARK);
	else if (cursor)
		canvas_put(a->canvas, a->line.row, left, '>', ROLE_TEXT);
	if (cursor)
		canvas_add_look(
		    a->canvas, a->line.row, left, left + a->line.columns, LOOK_SELECTED);
}

static void
draw_empty(const struct area *a)
{
	const struct list *l = a->list;
	int at = a->line.column + 1, end = a->line.column + a->line.columns;

	if (l->source->draw_empty != NULL)
		l->source->draw_empty(l->of, a->canvas, a->line);
	else if (l->filter == NULL || l->total == 0)
		canvas_text(a->canvas, a->line.row, at, end, str_from(l->source->empty), ROLE_TEXT);
	else
		canvas_format(a->canvas, a->line.row, at, end, ROLE_TEXT,
		    "no row matches %.*s (& edit)",
		    STR_ARG(names_clean(l->figures->names, str_from(l->filter_text))));
}

int
list_draw(struct canvas *c, struct rect r, const struct list *l)
{
	struct area a = {.canvas = c, .line = {r.row, r.column, 1, r.columns}, .list = l};

	if (l->source == NULL || r.rows < 1)
		return -1;
	a.count = list_layout(l, r.columns, a.slots, &a.more);
	draw_header(&a);
	for (int i = 0; i + 1 < r.rows; i++) {
		size_t at = l->at.top + (size_t)i;

		a.line.row++;
		canvas_fill(c, a.line.row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
		if (at < l->at.count)
			draw_row(&a, &l->rows[at], at == l->at.cursor);
		else if (i == 0)
			draw_empty(&a);
	}
	return l->at.count > 0 ? r.row + 1 + (int)scroll_line(&l->at) : -1;
}
