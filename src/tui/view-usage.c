/* The view of a text log's cores, processes, threads and counters: a table at a time. */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/view-usage.h"
#include "tui/views.h"
#include "view/list/draw.h"
#include "view/list/export.h"

static struct list *
table(struct app *app)
{
	return usage_tables_list(&app->tables);
}

static const struct list *
list(const struct app *app)
{
	return &app->tables.tables[app->tables.now].list;
}

static unsigned
context(const struct app *app)
{
	(void)app;
	return IN_USAGE;
}

static void
layout(struct app *app, struct layout *l, struct rect body)
{
	l->body = body;
	list_set_size(table(app), body.rows - 2, body.columns);
}

static void
ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_USAGE)->usage = usage_tables_want(&app->tables);
}

static void
refresh(struct app *app)
{
	usage_tables_fill(&app->tables, app->trace, app->usage);
}

static int
draw(struct app *app)
{
	struct rect r = app->layout.body;
	const struct usage_tables *t = &app->tables;
	const struct list *g = table(app);
	int end = r.column + r.columns, at;

	canvas_fill(&app->canvas, r.row, r.column, end, ' ', ROLE_TEXT);
	at = canvas_text(&app->canvas, r.row, r.column + 1, end, sbuf_view(&t->heading),
	    ROLE_TEXT | LOOK_BOLD);
	if (t->missing == NULL && g->filter_text != NULL)
		canvas_format(&app->canvas, r.row, at, end, ROLE_MARK, "  filter %.*s",
		    STR_ARG(names_clean(app->names, str_from(g->filter_text))));
	r.row++;
	r.rows--;
	if (t->missing == NULL)
		return list_draw(&app->canvas, r, g);
	canvas_text(&app->canvas, r.row, r.column + 1, end, str_from(t->missing), ROLE_TEXT);
	return -1;
}

static size_t
position(const struct app *app, size_t *rows)
{
	const struct list *g = list(app);

	*rows = app->tables.missing == NULL ? g->at.count : 0;
	return *rows > 0 ? g->at.cursor + 1 : 0;
}

static bool
sheet(struct app *app, struct sheet *out)
{
	if (app->tables.missing != NULL || list(app)->source == NULL)
		return false;
	list_sheet(out, list(app));
	out->view = usage_table_info[app->tables.now].word;
	return true;
}

/* Another table ------------------------------------------------------------------- */

void
usage_show(struct app *app, enum usage_table table)
{
	app->tables.now = table;
	if (app->view != VIEW_USAGE)
		app_view(app, VIEW_USAGE);
	else
		refresh(app);
}

void
usage_show_list(struct app *app, enum usage_table table, const struct usage_ask *ask)
{
	app_visit(app);
	app->tables.ask = *ask;
	usage_show(app, table);
}

/* Its key again: the next table. */
void
cmd_usage(struct app *app, int arg)
{
	(void)arg;
	if (app->trace->log == NULL)
		app_complain(app, "only text logs tell of cores, states and processes");
	else if (app->view == VIEW_USAGE)
		cmd_usage_step(app, 1);
	else
		app_show(app, VIEW_USAGE);
}

/* From what was chosen in a table back to that table first. */
void
cmd_usage_step(struct app *app, int direction)
{
	struct usage_tables *t = &app->tables;
	int to = (int)t->now + direction;

	if (t->now >= USAGE_INTERVALS)
		to = (int)t->before;
	usage_show(app, (enum usage_table)((to + USAGE_INTERVALS) % USAGE_INTERVALS));
}

/* Filter -------------------------------------------------------------------------- */

static bool
filter_apply(struct app *app)
{
	struct err e = {0};
	char text[100];

	if (list_filter(table(app), prompt_text(&app->prompt), &e))
		return true;
	snprintf(text, sizeof(text), "%.80s", e.what);
	prompt_error(&app->prompt, e.has_offset ? (size_t)e.offset : app->prompt.n, text);
	return false;
}

static void
filter_changed(struct app *app)
{
	(void)filter_apply(app);
}

static bool
filter_accepted(struct app *app)
{
	const struct list *g = table(app);

	if (!filter_apply(app))
		return false;
	if (g->err.kind != ERR_NONE)
		app_complain(app, "%s", g->err.what);
	else
		app_say(app, "%zu of %zu rows", g->at.count, g->total);
	return true;
}

static void
filter_cancelled(struct app *app)
{
	struct err e = {0};

	(void)list_filter(table(app), str_from(app->usage_filter), &e);
}

static const struct ask ask_filter = {
    "rows &", filter_changed, filter_accepted, filter_cancelled, NULL, NULL};

static void
filter(struct app *app, int arg)
{
	const struct list *g = table(app);

	(void)arg;
	if (g->source == NULL) {
		app_complain(app, "no rows");
		return;
	}
	snprintf(app->usage_filter, sizeof(app->usage_filter), "%s",
	    g->filter_text != NULL ? g->filter_text : "");
	app_ask(app, &ask_filter, str_from(app->usage_filter), &app->filter_lines);
}

/* A list that is chosen in this table leads back to it. */
static void
leave(struct app *app)
{
	if (app->tables.now < USAGE_INTERVALS)
		app->tables.before = app->tables.now;
}

static const struct view_command own[] = {
    {cmd_open, usage_open},
    {cmd_details, usage_details},
    {cmd_filter, filter},
    {NULL, NULL},
};

const struct view view_usage = {
    .answers = 1u << QUERY_USAGE,
    .own = own,
    .columns = &list_columns,
    .list = list,
    .context = context,
    .layout = layout,
    .ask = ask,
    .refresh = refresh,
    .draw = draw,
    .position = position,
    .sheet = sheet,
    .enter = refresh,
    .leave = leave,
};
