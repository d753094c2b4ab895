/*
 * pick-usage: which table of a text log to show.
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

static const struct popup_act table_acts[] = {
    {LIST_CHOOSE, table_choose, "show", true, false},
    {0},
};

static const struct popup_ops table_ops = {
    .title = "tables of the log",
    .width = 74,
    .has_cursor = true,
    .count = table_count,
    .draw = table_draw,
    .text = table_text,
    .acts = table_acts,
};

void
cmd_usage_pick(struct app *app, int arg)
{
	(void)arg;
	popup_open(app, &table_ops, app->tables.now < USAGE_INTERVALS ? app->tables.now : 0);
}
