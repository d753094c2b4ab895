/* The calls of the selected method: figures, histogram, list. */
#include <config.h>

#include "base/mem.h"
#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/pickers.h"
#include "tui/settings.h"
#include "tui/views.h"
#include "view/calls_pane.h"
#include "view/window.h"
#include "view/calls_sheet.h"

static unsigned
context(const struct app *app)
{
	(void)app;
	return IN_CALLS;
}

static void
layout(struct app *app, struct layout *l, struct rect body)
{
	struct rect list = calls_pane_layout(body).list;

	l->body = body;
	calls_list_set_clock(&app->calls, app->table.figures.clock);
	calls_list_set_height(&app->calls, list.rows > 1 ? (size_t)list.rows - 1 : 0);
}

void
calls_want(struct app *app, struct engine_want *want)
{
	const struct calls *found = app->calls.calls;

	/* What was stopped is of other times: the new question was not. */
	if (app->calls_stopped && found != NULL && !window_equal(&found->range, &app->window))
		app->calls_stopped = false;
	if (app->calls_stopped)
		return;
	want->calls_method = app->calls_method;
	want->calls_clock = app->table.figures.clock;
	want->calls_budget = app->settings->frame_budget;
}

static int
draw(struct app *app)
{
	struct calls_show show = {
	    .method = app->calls_method,
	    .search = &app->table,
	    .budget = app->settings->frame_budget,
	    .elision = app->table.elision,
	    .auto_units = app->table.figures.auto_units,
	    .loading = app_loading(app),
	    .stopped = app->calls_stopped,
	};

	return calls_pane_draw(&app->canvas, app->layout.body, &app->calls, &show);
}

static size_t
position(const struct app *app, size_t *rows)
{
	*rows = calls_list_count(&app->calls);
	return *rows > 0 ? app->calls.cursor + 1 : 0;
}

static uint32_t
method(const struct app *app)
{
	return app->calls_method;
}

void
calls_follow(struct app *app, uint32_t method)
{
	if (method == app->calls_method)
		return;
	app->calls_method = method;
	app->calls_stopped = false;
	calls_list_clear(&app->calls);
	if (app->picked.set && app->picked.method == method)
		calls_list_go(&app->calls, &app->picked.place);
}

const struct calls *
calls_found(const struct app *app, uint32_t method)
{
	const struct calls *c = app->calls.calls;
	struct range shown = app_window_shown(app);

	return c != NULL && c->method == method && window_equal(&c->range, &shown) ? c : NULL;
}

static void
enter(struct app *app)
{
	calls_follow(app, app->selected.method);
}

/* The stack of the call, from the outermost frame down. */
static void
leave(struct app *app)
{
	const struct call_row *row = calls_list_row(&app->calls);
	const struct calls *c = app->calls.calls;
	uint32_t *stack, depth;

	if (app->calls_method == METHOD_NONE || row == NULL || c->method != app->calls_method) {
		selection_set_method(&app->selected, app->calls_method);
		return;
	}
	depth = c->frames[row->frame].depth;
	stack = mem_alloc(depth * sizeof(*stack));
	for (uint32_t f = row->frame; depth > 0; f = c->frames[f].caller)
		stack[--depth] = c->frames[f].method;
	selection_set_stack(&app->selected, row->thread, stack, c->frames[row->frame].depth);
}

/* Commands that mean something else here --------------------------------------------- */

static void
move(struct app *app, int how)
{
	if (calls_list_count(&app->calls) == 0)
		app_complain(app, "no rows");
	else
		calls_list_move(&app->calls, move_distance(how, app->calls.height));
}

static void
centre(struct app *app, int arg)
{
	(void)arg;
	say_centred(app, calls_list_centre(&app->calls));
}

static void
open_stack(struct app *app, int arg)
{
	(void)arg;
	if (calls_list_row(&app->calls) == NULL)
		app_complain(app, "no call to tell about");
	else
		pick_stack(app);
}

static const struct view_command own[] = {
    {cmd_move, move},
    {cmd_centre, centre},
    {cmd_open, open_stack},
    {NULL, NULL},
};

/* Columns ---------------------------------------------------------------------------- */

static int
column_at(const struct app *app, int i)
{
	const int *order = app->calls.columns.order;

	for (int k = 0; k < CALLS_COLUMNS; k++)
		if (calls_column_exists(&app->calls, (enum calls_column_id)order[k]) && i-- == 0)
			return order[k];
	return -1;
}

static struct view_column
column_about(const struct app *app, int id)
{
	const struct calls_column *c = &calls_column_table[id];
	struct view_column about = {.word = c->id, .help = c->help, .rises = c->rises};

	calls_column_title(&app->calls, (enum calls_column_id)id,
	    app->table.figures.auto_units, about.title);
	return about;
}

static bool
column_visible(const struct app *app, int id)
{
	return calls_column_shown(&app->calls, (enum calls_column_id)id,
	    calls_pane_layout(app->layout.body).list.columns);
}

static int
sort(const struct app *app, bool *rising)
{
	*rising = app->calls.rising;
	return app->calls.sort;
}

static void
sort_by(struct app *app, int id, bool rising)
{
	calls_list_sort(&app->calls, (enum calls_column_id)id, rising);
}

/* The caller takes what is left, so that it is always there. */
static bool
column_show(struct app *app, int id, enum column_shown shown)
{
	if (id == CALLS_CALLER)
		return false;
	app->calls.columns.of[id].shown = shown;
	return true;
}

static bool
column_move(struct app *app, int id, int direction)
{
	return views_column_move(app, &app->calls.columns, id, direction);
}

static bool
column_widen(struct app *app, int id, int by)
{
	return calls_column_widen(&app->calls, (enum calls_column_id)id, by);
}

static const struct view_columns columns = {column_at, column_about, column_visible, sort,
    sort_by, column_show, column_move, column_widen};

static enum table_found
search_next(struct app *app, int direction)
{
	return calls_list_search_next(&app->calls, &app->table, direction);
}

static void
search_position(struct app *app, size_t *n, size_t *of)
{
	calls_list_search_position(&app->calls, &app->table, n, of);
}

static const struct view_search search = {search_next, search_position};

static bool
sheet(struct app *app, struct sheet *out)
{
	calls_sheet(out, &app->calls, &app->table.figures);
	return app->calls.calls != NULL;
}

const struct view view_calls = {
    .answers = 1u << JOB_CALLS,
    .sheet = sheet,
    .own = own,
    .columns = &columns,
    .search = &search,
    .context = context,
    .layout = layout,
    .want = calls_want,
    .draw = draw,
    .position = position,
    .method = method,
    .enter = enter,
    .leave = leave,
};
