/* Lists to choose from: columns, the order of threads, kinds of rows. */
#include <config.h>

#include "tui/commands.h"

#include <stdio.h>

#include "tui/app.h"
#include "tui/popup.h"

static void
draw_text(struct canvas *c, struct rect r, const char *text)
{
	canvas_text(c, r.row, r.column, r.column + r.columns, str_from(text), ROLE_POPUP);
}

/* Columns: to sort by, and to show ---------------------------------------- */

/* The view at hand has columns, or these would not be asked. */
static const struct view_columns *
columns_now(const struct app *app)
{
	return views_now(app)->columns;
}

static size_t
column_count(struct app *app)
{
	int count = 0;

	while (columns_now(app)->at(app, count) >= 0)
		count++;
	return (size_t)count;
}

static int
column_at(const struct app *app, size_t item)
{
	return columns_now(app)->at(app, (int)item);
}

static void
column_text(struct app *app, size_t item, char *out, size_t size)
{
	struct view_column about = columns_now(app)->about(app, column_at(app, item));

	snprintf(out, size, "%-16s %s", about.title, about.help);
}

static uint64_t
column_identity(struct app *app, size_t item)
{
	return (uint64_t)column_at(app, item);
}

static void
sort_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char text[200], line[220];
	bool ascending, by = column_at(app, item) == columns_now(app)->sort(app, &ascending);

	(void)selected;
	column_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "%c %s",
	    !by      ? ' '
	    : ascending ? '^'
		     : 'v',
	    text);
	draw_text(c, r, line);
}

static void
sort_choose(struct app *app, size_t item)
{
	const struct view_columns *columns = columns_now(app);
	int id = column_at(app, item);
	bool ascending;

	if (id == columns->sort(app, &ascending))
		columns->sort_by(app, id, !ascending);
	else
		columns->sort_by(app, id, columns->about(app, id).rises);
}

static const struct popup_act sort_acts[] = {
    {LIST_CHOOSE, sort_choose, "sort", true, false},
    {0},
};

static const struct popup_ops sort_ops = {
    .title = "sort by",
    .width = 70,
    .has_cursor = true,
    .count = column_count,
    .draw = sort_draw,
    .text = column_text,
    .acts = sort_acts,
};

void
pick_sort(struct app *app)
{
	bool ascending;
	int sort = columns_now(app)->sort(app, &ascending);
	size_t item = 0, count = column_count(app);

	while (item + 1 < count && column_at(app, item) != sort)
		item++;
	popup_open(app, &sort_ops, item);
}

static void
columns_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	bool on = columns_now(app)->visible(app, column_at(app, item));
	char text[200], line[220];

	(void)selected;
	column_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "[%c] %s", on ? 'x' : ' ', text);
	draw_text(c, r, line);
}

static void
columns_show(struct app *app, size_t item, enum column_shown shown)
{
	if (!columns_now(app)->show(app, column_at(app, item), shown))
		app_complain(app, "this column always stays");
}

static void
columns_toggle(struct app *app, size_t item)
{
	bool on = columns_now(app)->visible(app, column_at(app, item));

	columns_show(app, item, on ? SHOWN_NO : SHOWN_YES);
}

static void
columns_auto(struct app *app, size_t item)
{
	columns_show(app, item, SHOWN_AUTO);
}

static void
columns_move(struct app *app, size_t item, int direction)
{
	const struct view_columns *columns = columns_now(app);

	if (columns->move == NULL)
		app_complain(app, "the columns of this view stand in this order");
	else if (!columns->move(app, column_at(app, item), direction))
		app_complain(app, "it cannot move further");
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

static void
columns_widen(struct app *app, size_t item, int by)
{
	const struct view_columns *columns = columns_now(app);

	if (columns->widen == NULL)
		app_complain(app, "the columns of this view are as wide as they must be");
	else if (!columns->widen(app, column_at(app, item), by))
		app_complain(app, "it cannot be %s", by < 0 ? "narrower" : "wider");
}

static void
columns_wider(struct app *app, size_t item)
{
	columns_widen(app, item, 1);
}

static void
columns_narrower(struct app *app, size_t item)
{
	columns_widen(app, item, -1);
}

static const struct popup_act columns_acts[] = {
    {LIST_TOGGLE, columns_toggle, "show/hide", false, false},
    {LIST_AUTO, columns_auto, "as wide as fits", false, false},
    {LIST_LEFT, columns_left, "left", false, false},
    {LIST_RIGHT, columns_right, "right", false, false},
    {LIST_WIDER, columns_wider, "wider", false, false},
    {LIST_NARROWER, columns_narrower, "narrower", false, false},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops columns_ops = {
    .title = "columns",
    .width = 77,
    .has_cursor = true,
    .count = column_count,
    .draw = columns_draw,
    .text = column_text,
    .identity = column_identity,
    .acts = columns_acts,
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

static const struct popup_act order_acts[] = {
    {LIST_CHOOSE, order_choose, "order", true, false},
    {0},
};

static const struct popup_ops order_ops = {
    .title = "threads by",
    .width = 36,
    .has_cursor = true,
    .count = order_count,
    .draw = order_draw,
    .acts = order_acts,
};

void
pick_order(struct app *app)
{
	popup_open(app, &order_ops, (size_t)app->timeline.by);
}

/* Kinds of rows of the timeline -------------------------------------------- */

static size_t
row_count(struct app *app)
{
	(void)app;
	return TRACK_CHOICES;
}

static bool
row_shown(const struct app *app, size_t item)
{
	return (app->timeline.kinds & 1u << track_choices[item].kind) != 0;
}

static void
row_text(struct app *app, size_t item, char *out, size_t size)
{
	(void)app;
	snprintf(out, size, "%-10s %s", track_choices[item].word, track_choices[item].help);
}

static void
row_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char text[120], line[130];

	(void)selected;
	row_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "[%c] %s", row_shown(app, item) ? 'x' : ' ', text);
	canvas_text(c, r.row, r.column, r.column + r.columns, str_from(line), ROLE_POPUP);
}

static void
row_toggle(struct app *app, size_t item)
{
	timeline_pane_set_kinds(
	    &app->timeline, app->timeline.kinds ^ 1u << track_choices[item].kind);
}

static const struct popup_act row_acts[] = {
    {LIST_TOGGLE, row_toggle, "show/hide", false, false},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops row_ops = {
    .title = "rows of the timeline",
    .width = 64,
    .has_cursor = true,
    .count = row_count,
    .draw = row_draw,
    .text = row_text,
    .acts = row_acts,
};

void
pick_rows(struct app *app)
{
	popup_open(app, &row_ops, 0);
}
