#include <config.h>

#include "view/table_pane.h"

#include "base/utf8.h"
#include "view/name_draw.h"
#include "view/table_layout.h"

/* By row kind: the sign before the name, and how the row looks. */
static const struct {
	const char *sign;
	enum role role;
} kinds[] = {
    [ROW_METHOD] = {"", ROLE_TEXT},
    [ROW_PARENT] = {"< ", ROLE_PARENT},
    [ROW_SELF] = {"= ", ROLE_TEXT},
    [ROW_CHILD] = {"> ", ROLE_CHILD},
    [ROW_PARENT_RECURSIVE] = {"<r ", ROLE_PARENT},
    [ROW_CHILD_RECURSIVE] = {">r ", ROLE_CHILD},
};

/* Where things are drawn. */
struct area {
	struct canvas *canvas;
	int row;
	int left, right; /* of the pane */
};

static void
put_right(const struct area *a, int end, struct str text, look style)
{
	int at = end - (int)utf8_width(text);

	canvas_text(
	    a->canvas, a->row, at > a->left ? at : a->left, a->right, text, style);
}

/* Header ------------------------------------------------------------------------- */

static void
draw_header(const struct area *a, const struct table *t,
    const struct table_layout *layout, bool active)
{
	look style = ROLE_HEADER | (active ? LOOK_BOLD : 0);

	canvas_fill(a->canvas, a->row, a->left, a->right, ' ', style);
	for (int i = 0; i < layout->count; i++) {
		const struct column_place *place = &layout->places[i];
		int at = a->left + place->at, end = at + place->width;
		char title[FMT_SIZE + 1];
		size_t n;

		column_title(&t->figures, place->id, title);
		n = strlen(title);
		if (place->id == t->sort) {
			title[n++] = t->ascending ? '^' : 'v';
			title[n] = '\0';
		}
		if (column_is_text(&column_table[place->id]))
			canvas_text(a->canvas, a->row, at, end, str_from(title), style);
		else
			put_right(a, end, str_from(title), style);
	}
	if (layout->more_left)
		canvas_put(a->canvas, a->row, a->left, '<', style);
	if (layout->more_right)
		canvas_put(a->canvas, a->row, a->left + table_layout_name(layout)->at - 1,
		    '>', style);
}

/* Rows --------------------------------------------------------------------------- */

static void
draw_name(const struct area *a, const struct table *t, const struct row *row, int column)
{
	look style = kinds[row->kind].role;

	column = canvas_text(
	    a->canvas, a->row, column, a->right, str_from(kinds[row->kind].sign), style);
	if (row->kind == ROW_SELF) {
		canvas_text(a->canvas, a->row, column, a->right, STR("self"), style);
		return;
	}
	name_draw(a->canvas, a->row, column, a->right, t, row->method, t->elision, style);
}

static void
draw_figure(const struct area *a, const struct table *t, const struct row *row,
    const struct column_place *place, int *free_from)
{
	struct value v = column_get(&t->figures, place->id, row);
	int at = a->left + place->at, end = at + place->width;
	look style = kinds[row->kind].role;
	char out[FMT_SIZE];
	struct str text;

	if (v.kind == VALUE_EMPTY)
		return;
	if (v.kind == VALUE_TEXT) {
		text = names_head(t->figures.names, v.text, place->width);
		canvas_text(a->canvas, a->row, at, end, text, style);
	} else {
		/* Relations can have wider figures than methods, and blanks before them.
		 */
		text = value_format(&t->figures, v, end - *free_from, out);
		if (place->id == COLUMN_RANK && row->kind == ROW_METHOD)
			style = (look)(ROLE_RANK + v.a % 16);
		put_right(a, end, text, style);
	}
	*free_from = end + 1;
}

static void
draw_row(const struct area *a, const struct table *t, const struct table_layout *layout,
    size_t index)
{
	const struct row *row = &t->rows[index];
	int free_from = a->left + 1;

	for (int i = 0; i < layout->count - 1; i++)
		draw_figure(a, t, row, &layout->places[i], &free_from);
	draw_name(a, t, row, a->left + table_layout_name(layout)->at);
	if (table_is_marked(t, row))
		canvas_put(a->canvas, a->row, a->left, '*', ROLE_MARK);
	if (index == t->at.cursor) {
		if (!table_is_marked(t, row))
			canvas_put(a->canvas, a->row, a->left, '>', ROLE_TEXT);
		canvas_add_look(a->canvas, a->row, a->left, a->right, LOOK_SELECTED);
	}
}

/* Why there is no method to be seen, below the rows that are. */
static void
draw_nothing(const struct area *a, const struct table *t, const struct table_pane *pane)
{
	struct names *names = t->figures.names;
	int column = a->left + 1;

	if (t->fold == NULL || pane->loading)
		return;
	if (t->fold->records == 0) {
		canvas_text(
		    a->canvas, a->row, column, a->right, STR("no records"), ROLE_TEXT);
	} else if (t->fold->present == 0) {
		canvas_text(a->canvas, a->row, column, a->right, str_from(pane->none), ROLE_TEXT);
	} else if (t->methods == 0) {
		column = canvas_text(a->canvas, a->row, column, a->right,
		    STR("no method matches "), ROLE_TEXT);
		column = canvas_text(a->canvas, a->row, column, a->right,
		    filters_text(&t->filters, names), ROLE_TEXT);
		canvas_format(a->canvas, a->row, column, a->right, ROLE_TEXT, " (%s)",
		    pane->no_match);
	}
}

void
table_pane_draw(
    struct canvas *c, struct rect r, const struct table *t, const struct table_pane *pane)
{
	struct area a = {c, r.row, r.column, r.column + r.columns};
	struct table_layout layout;
	size_t index = t->at.top;

	if (r.rows <= 0 || r.columns <= 0)
		return;
	table_layout(&layout, t, r.columns);
	draw_header(&a, t, &layout, pane->active);
	while (++a.row < r.row + r.rows) {
		canvas_fill(c, a.row, a.left, a.right, ' ', ROLE_TEXT);
		if (index < t->at.count)
			draw_row(&a, t, &layout, index);
		else if (index == t->at.count && t->methods == 0)
			draw_nothing(&a, t, pane);
		index++;
	}
}
