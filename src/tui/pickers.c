#include <config.h>

#include "tui/pickers.h"

#include <stdio.h>

#include "tui/app.h"
#include "tui/popup.h"

static void
draw_text(struct canvas *c, struct rect r, const char *text)
{
	canvas_text(c, r.row, r.column, r.column + r.columns, str_from(text), ROLE_POPUP);
}

static void
nothing(struct app *app, size_t item)
{
	(void)app;
	(void)item;
}

/* Columns: to sort by, and to show ---------------------------------------- */

/* The columns that this trace can have, in the order of the table. */
static size_t
column_count(struct app *app)
{
	size_t count = 0;

	for (int i = 0; i < COLUMNS; i++)
		count += views_has_column(app, app->table.order[i]);
	return count;
}

static enum column_id
column_at(struct app *app, size_t item)
{
	for (int i = 0; i < COLUMNS; i++)
		if (views_has_column(app, app->table.order[i]) && item-- == 0)
			return app->table.order[i];
	return COLUMN_METHOD;
}

static size_t
column_item(struct app *app, enum column_id id)
{
	size_t count = column_count(app);

	for (size_t i = 0; i < count; i++)
		if (column_at(app, i) == id)
			return i;
	return 0;
}

static void
column_text(struct app *app, size_t item, char *out, size_t size)
{
	enum column_id id = column_at(app, item);
	char title[FMT_SIZE];

	snprintf(out, size, "%-16s %s", column_title(&app->table.figures, id, title),
	    column_table[id].help);
}

static uint64_t
column_identity(struct app *app, size_t item)
{
	return column_at(app, item);
}

static void
sort_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char text[200], line[220];
	bool rising, by = column_at(app, item) == views_sort(app, &rising);

	(void)selected;
	column_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "%c %s",
	    !by      ? ' '
	    : rising ? '^'
		     : 'v',
	    text);
	draw_text(c, r, line);
}

static void
sort_choose(struct app *app, size_t item)
{
	enum column_id id = column_at(app, item);
	bool rising;

	if (id == views_sort(app, &rising))
		views_sort_by(app, id, !rising);
	else
		views_sort_by(app, id, column_table[id].rises);
}

static const struct popup_binding sort_bindings[] = {
    {"<Enter> <C-j>", sort_choose, "sort by it; again: invert", "sort", true, false},
    {NULL, NULL, NULL, NULL, false, false},
};

static const struct popup_ops sort_ops = {
    .title = "sort by",
    .width = 70,
    .has_cursor = true,
    .count = column_count,
    .draw = sort_draw,
    .text = column_text,
    .bindings = sort_bindings,
};

void
pick_sort(struct app *app)
{
	bool rising;

	popup_open(app, &sort_ops, column_item(app, views_sort(app, &rising)));
}

static void
columns_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	bool on = views_column_visible(app, column_at(app, item));
	char text[200], line[220];

	(void)selected;
	column_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "[%c] %s", on ? 'x' : ' ', text);
	draw_text(c, r, line);
}

static void
columns_toggle(struct app *app, size_t item)
{
	enum column_id id = column_at(app, item);
	bool on = views_column_visible(app, id);

	if (id == COLUMN_METHOD)
		app_complain(app, "the method's name always stays");
	else
		table_column_show(&app->table, id, on ? SHOWN_NO : SHOWN_YES);
}

static void
columns_auto(struct app *app, size_t item)
{
	table_column_show(&app->table, column_at(app, item), SHOWN_AUTO);
}

static void
columns_move(struct app *app, size_t item, int direction)
{
	enum column_id id = column_at(app, item), next;

	/* Columns that this trace cannot have are passed over. */
	do {
		int at = 0;

		if (!table_column_move(&app->table, id, direction)) {
			app_complain(app, "it cannot move further");
			return;
		}
		while (at < COLUMNS && app->table.order[at] != id)
			at++;
		next = app->table.order[at - direction];
	} while (!views_has_column(app, next));
}

static void
columns_left(struct app *app, size_t item)
{
	columns_move(app, item, -1);
}

static void
columns_right(struct app *app, size_t item)
{
	columns_move(app, item, 1);
}

static const struct popup_binding columns_bindings[] = {
    {"<Space>", columns_toggle, "show or hide", "show/hide", false, false},
    {"a", columns_auto, "shown as the screen is wide", "as wide as fits", false, false},
    {"<", columns_left, "move left", "left", false, false},
    {">", columns_right, "move right", "right", false, false},
    {"<Enter> <C-j>", nothing, "done", "done", true, true},
    {NULL, NULL, NULL, NULL, false, false},
};

static const struct popup_ops columns_ops = {
    .title = "columns",
    .width = 72,
    .has_cursor = true,
    .count = column_count,
    .draw = columns_draw,
    .text = column_text,
    .identity = column_identity,
    .bindings = columns_bindings,
};

void
pick_columns(struct app *app)
{
	popup_open(app, &columns_ops, 0);
}

/* Order of the threads ---------------------------------------------------- */

static size_t
order_count(struct app *app)
{
	(void)app;
	return THREAD_ORDERS;
}

static void
order_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char line[80];

	(void)selected;
	snprintf(line, sizeof(line), "%c %s",
	    item == (size_t)app->timeline.by ? '*' : ' ', thread_order_names[item]);
	draw_text(c, r, line);
}

static void
order_choose(struct app *app, size_t item)
{
	timeline_pane_set_order(&app->timeline, (enum thread_order)item);
}

static const struct popup_binding order_bindings[] = {
    {"<Enter> <C-j>", order_choose, "order the threads so", "order", true, false},
    {NULL, NULL, NULL, NULL, false, false},
};

static const struct popup_ops order_ops = {
    .title = "threads by",
    .width = 36,
    .has_cursor = true,
    .count = order_count,
    .draw = order_draw,
    .bindings = order_bindings,
};

void
pick_order(struct app *app)
{
	popup_open(app, &order_ops, (size_t)app->timeline.by);
}
