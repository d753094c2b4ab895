/* The view of a text log's cores, processes, threads and counters: a table at a time. */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/view-usage.h"
#include "tui/views.h"

static struct grid *
grid(struct app *app)
{
	return usage_tables_grid(&app->tables);
}

static const struct grid *
shown(const struct app *app)
{
	return &app->tables.grids[app->tables.now];
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
	grid_set_height(grid(app), body.rows > 2 ? (size_t)body.rows - 2 : 0);
}

static void
want(struct app *app, struct engine_want *want)
{
	app->usage_ask = usage_tables_want(&app->tables);
	want->usage = &app->usage_ask;
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
	const struct grid *g = grid(app);
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
		return grid_draw(&app->canvas, r, g, app->table.search);
	canvas_text(&app->canvas, r.row, r.column + 1, end, str_from(t->missing), ROLE_TEXT);
	return -1;
}

static size_t
position(const struct app *app, size_t *rows)
{
	const struct grid *g = shown(app);

	*rows = app->tables.missing == NULL ? g->at.count : 0;
	return *rows > 0 ? g->at.cursor + 1 : 0;
}

static bool
sheet(struct app *app, struct sheet *out)
{
	if (app->tables.missing != NULL || grid(app)->of == NULL)
		return false;
	grid_sheet(out, grid(app), usage_table_info[app->tables.now].word);
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

/* Moving, order, search ----------------------------------------------------------- */

static void
move(struct app *app, int how)
{
	if (grid(app)->at.count == 0)
		app_complain(app, "no rows");
	else
		grid_move(grid(app), move_distance(how, grid(app)->at.height));
}

static void
centre(struct app *app, int arg)
{
	(void)arg;
	grid_centre(grid(app));
}

/* A table that never had rows has no columns. */
static int
column_at(const struct app *app, int i)
{
	const struct grid *g = shown(app);

	for (int id = 0; id < g->count; id++)
		if (g->of->columns[id].from != GRID_FOR_PROGRAMS && i-- == 0)
			return id;
	return -1;
}

static struct view_column
column_about(const struct app *app, int id)
{
	const struct grid *g = shown(app);
	struct view_column about = {.word = "", .help = ""};

	if (id < g->count) {
		about.word = g->of->columns[id].id;
		about.help = g->of->columns[id].help;
		about.rises = grid_sort_rises(g, id);
		snprintf(about.title, sizeof(about.title), "%s", g->of->columns[id].title);
	}
	return about;
}

static bool
column_visible(const struct app *app, int id)
{
	return grid_visible(shown(app), id, app->layout.body.columns);
}

static int
sort(const struct app *app, bool *rising)
{
	*rising = shown(app)->rising;
	return shown(app)->sort;
}

static void
sort_by(struct app *app, int id, bool rising)
{
	if (id < grid(app)->count)
		grid_sort_by(grid(app), id, rising);
}

static bool
column_show(struct app *app, int id, enum column_shown how)
{
	grid(app)->choice[id] = how;
	return true;
}

static const struct view_columns columns = {
    column_at, column_about, column_visible, sort, sort_by, column_show, NULL, NULL};

static enum table_found
search_next(struct app *app, int direction)
{
	return grid_search_next(grid(app), app->table.search, direction);
}

static void
search_position(struct app *app, size_t *n, size_t *of)
{
	grid_search_position(grid(app), app->table.search, n, of);
}

/* Filter -------------------------------------------------------------------------- */

static bool
filter_apply(struct app *app)
{
	struct err e = {0};
	char text[100];

	if (grid_filter(grid(app), prompt_text(&app->prompt), &e))
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
	const struct grid *g = grid(app);

	if (!filter_apply(app))
		return false;
	if (g->err.kind != ERR_NONE)
		app_complain(app, "%s", g->err.what);
	else
		app_say(app, "%zu of %zu rows", g->at.count, g->line_count);
	return true;
}

static void
filter_cancelled(struct app *app)
{
	struct err e = {0};

	(void)grid_filter(grid(app), str_from(app->usage_filter), &e);
}

static const struct ask ask_filter = {
    "rows &", filter_changed, filter_accepted, filter_cancelled, NULL, NULL};

static void
filter(struct app *app, int arg)
{
	const struct grid *g = grid(app);

	(void)arg;
	if (g->of == NULL) {
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
    {cmd_move, move},
    {cmd_centre, centre},
    {cmd_open, usage_open},
    {cmd_details, usage_details},
    {cmd_filter, filter},
    {NULL, NULL},
};

static const struct view_search search = {search_next, search_position};

const struct view view_usage = {
    .answers = 1u << JOB_USAGE,
    .own = own,
    .columns = &columns,
    .search = &search,
    .context = context,
    .layout = layout,
    .want = want,
    .refresh = refresh,
    .draw = draw,
    .position = position,
    .sheet = sheet,
    .enter = refresh,
    .leave = leave,
};
