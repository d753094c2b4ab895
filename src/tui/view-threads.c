/* The threads, to compare and to choose from. */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/views.h"
#include "view/threads_sheet.h"

static unsigned
context(const struct app *app)
{
	(void)app;
	return IN_THREADS;
}

static void
layout(struct app *app, struct layout *l, struct rect body)
{
	l->body = body;
	threads_follow(&app->threads);
	threads_set_height(&app->threads, (size_t)body.rows - 1);
}

static int
draw(struct app *app)
{
	return threads_draw(&app->canvas, app->layout.body, &app->threads, app->scope);
}

static size_t
position(const struct app *app, size_t *rows)
{
	*rows = app->threads.at.count;
	return *rows > 0 ? app->threads.at.cursor + 1 : 0;
}

static void
enter(struct app *app)
{
	threads_follow(&app->threads);
	threads_go(&app->threads, app->timeline.thread);
}

/* The timeline's thread is the selected one. */
static void
leave(struct app *app)
{
	uint32_t thread = threads_cursor(&app->threads);

	if (thread != THREAD_NONE)
		timeline_pane_select_thread(&app->timeline, thread);
}

/* THREAD_NONE after saying that there is none. */
static uint32_t
cursor(struct app *app)
{
	uint32_t thread = threads_cursor(&app->threads);

	if (thread == THREAD_NONE)
		app_complain(app, "no threads with records");
	return thread;
}

static void
move(struct app *app, int how)
{
	if (cursor(app) != THREAD_NONE)
		threads_move(&app->threads, move_distance(how, app->threads.at.height));
}

static void
centre(struct app *app, int arg)
{
	(void)arg;
	say_centred(app, scroll_centre(&app->threads.at));
}

void
cmd_thread_toggle(struct app *app, int arg)
{
	uint32_t thread = cursor(app), count = trace_thread_count(app->trace);
	struct scope *scope;

	(void)arg;
	if (thread == THREAD_NONE)
		return;
	scope = scope_new(count, false);
	for (uint32_t i = 0; i < count; i++)
		scope->in[i] = scope_has(app->scope, i);
	scope->in[thread] ^= 1;
	app_note(app);
	app_set_scope(app, scope);
	threads_move(&app->threads, 1);
}

void
cmd_thread_only(struct app *app, int arg)
{
	uint32_t thread = cursor(app);
	struct scope *scope;

	(void)arg;
	if (thread == THREAD_NONE)
		return;
	scope = scope_new(trace_thread_count(app->trace), false);
	scope->in[thread] = 1;
	app_visit(app);
	app_note(app);
	app_set_scope(app, scope);
	app_say(app, "only this thread (T: all, u: undo)");
}

static void
details(struct app *app, int arg)
{
	uint32_t thread = cursor(app);

	(void)arg;
	if (thread != THREAD_NONE)
		views_show_thread(app, thread);
}

static void
pin(struct app *app, int arg)
{
	if (cursor(app) == THREAD_NONE)
		return;
	leave(app);
	cmd_thread_pin(app, arg);
}

static int
column_at(const struct app *app, int i)
{
	const int *order = app->threads.columns.order;

	for (int k = 0; k < THREAD_COLUMNS; k++)
		if (threads_has(&app->threads, (enum thread_column)order[k]) && i-- == 0)
			return order[k];
	return -1;
}

static struct view_column
column_about(const struct app *app, int id)
{
	const struct thread_column_row *c = &thread_column_table[id];
	struct view_column about = {.word = c->word, .help = c->help, .rises = c->rises};

	(void)app;
	snprintf(about.title, sizeof(about.title), "%s", c->title);
	return about;
}

static bool
column_visible(const struct app *app, int id)
{
	return threads_column_visible(
	    &app->threads, (enum thread_column)id, app->layout.body.columns);
}

static int
sort(const struct app *app, bool *rising)
{
	*rising = app->threads.rising;
	return app->threads.sort;
}

static void
sort_by(struct app *app, int id, bool rising)
{
	threads_sort(&app->threads, (enum thread_column)id, rising);
}

static bool
column_show(struct app *app, int id, enum column_shown shown)
{
	if (id == THREAD_ID || id == THREAD_NAME)
		return false;
	app->threads.columns.of[id].shown = shown;
	return true;
}

static bool
column_move(struct app *app, int id, int direction)
{
	return views_column_move(app, &app->threads.columns, id, direction);
}

static bool
column_widen(struct app *app, int id, int by)
{
	return threads_column_widen(&app->threads, (enum thread_column)id, by);
}

static const struct view_columns columns = {column_at, column_about, column_visible, sort,
    sort_by, column_show, column_move, column_widen};

static enum table_found
search_next(struct app *app, int direction)
{
	return threads_search_next(&app->threads, direction);
}

static void
search_position(struct app *app, size_t *n, size_t *of)
{
	threads_search_position(&app->threads, n, of);
}

static const struct view_command own[] = {
    {cmd_move, move},
    {cmd_centre, centre},
    {cmd_details, details},
    {cmd_thread_pin, pin},
    {NULL, NULL},
};

static const struct view_search search = {search_next, search_position};

static bool
sheet(struct app *app, struct sheet *out)
{
	threads_sheet(out, &app->threads);
	return true;
}

const struct view view_threads = {
	.sheet = sheet,
    .own = own,
    .columns = &columns,
    .search = &search,
    .context = context,
    .layout = layout,
    .draw = draw,
    .position = position,
    .enter = enter,
    .leave = leave,
};
