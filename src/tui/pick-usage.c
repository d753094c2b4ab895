/*
 * pick-usage: which table of a text log to show, and by which column.
 */
#include <config.h>

#include <stdio.h>

#include "tui/commands.h"
#include "tui/popup.h"
#include "tui/view-usage.h"

static void
draw_text(struct canvas *c, struct rect r, const char *text)
{
	canvas_text(c, r.row, r.column, r.column + r.columns, str_from(text), ROLE_POPUP);
}

/* Columns ------------------------------------------------------------------------- */

/* The columns on a screen as wide as one can be, by number. */
static int
column_at(struct app *app, size_t item)
{
	const struct grid *g = usage_tables_grid(&app->tables);
	int at = 0;

	for (; at < g->count; at++)
		if (g->of->columns[at].from != GRID_FOR_PROGRAMS && item-- == 0)
			break;
	return at;
}

static size_t
column_count(struct app *app)
{
	size_t count = 0;

	while (column_at(app, count) < usage_tables_grid(&app->tables)->count)
		count++;
	return count;
}

static void
column_text(struct app *app, size_t item, char *out, size_t size)
{
	const struct grid *g = usage_tables_grid(&app->tables);
	const struct grid_column *c = &g->of->columns[column_at(app, item)];

	snprintf(out, size, "%-20s %s", c->title, c->help);
}

static void
column_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	const struct grid *g = usage_tables_grid(&app->tables);
	char text[120], line[140];

	(void)selected;
	column_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "%c %s",
	    column_at(app, item) != g->sort ? ' ' : g->rising ? '^' : 'v', text);
	draw_text(c, r, line);
}

static void
column_choose(struct app *app, size_t item)
{
	struct grid *g = usage_tables_grid(&app->tables);
	int column = column_at(app, item);

	grid_sort_by(g, column, column == g->sort ? !g->rising : grid_sort_rises(g, column));
}

static const struct popup_binding column_bindings[] = {
    {"<Enter> <C-j>", column_choose, "sort by it; again: invert", "sort", true, false},
    {NULL, NULL, NULL, NULL, false, false},
};

static const struct popup_ops column_ops = {
    .title = "sort by",
    .width = 70,
    .has_cursor = true,
    .count = column_count,
    .draw = column_draw,
    .text = column_text,
    .bindings = column_bindings,
};

void
pick_usage_sort(struct app *app)
{
	const struct grid *g = usage_tables_grid(&app->tables);
	size_t at = 0, count = column_count(app);

	while (at + 1 < count && column_at(app, at) != g->sort)
		at++;
	popup_open(app, &column_ops, at);
}

/* Tables -------------------------------------------------------------------------- */

static size_t
table_count(struct app *app)
{
	(void)app;
	return USAGE_INTERVALS;
}

static void
table_text(struct app *app, size_t item, char *out, size_t size)
{
	(void)app;
	snprintf(out, size, "%-26s %s", usage_table_info[item].title, usage_table_info[item].help);
}

static void
table_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char text[120], line[140];

	(void)selected;
	table_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "%c %s", item == (size_t)app->tables.now ? '*' : ' ', text);
	draw_text(c, r, line);
}

static void
table_choose(struct app *app, size_t item)
{
	usage_show(app, (enum usage_table)item);
}

static const struct popup_binding table_bindings[] = {
    {"<Enter> <C-j>", table_choose, "show it", "show", true, false},
    {NULL, NULL, NULL, NULL, false, false},
};

static const struct popup_ops table_ops = {
    .title = "tables of the log",
    .width = 74,
    .has_cursor = true,
    .count = table_count,
    .draw = table_draw,
    .text = table_text,
    .bindings = table_bindings,
};

void
cmd_usage_pick(struct app *app, int arg)
{
	(void)arg;
	popup_open(app, &table_ops, app->tables.now < USAGE_INTERVALS ? app->tables.now : 0);
}
