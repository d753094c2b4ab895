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

static void
want(struct app *app, struct engine_want *want)
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

static void
enter(struct app *app)
{
	uint32_t selected = app->selected.method;

	if (selected == app->calls_method)
		return;
	app->calls_method = selected;
	app->calls_stopped = false;
	calls_list_clear(&app->calls);
	if (app->picked.set && app->picked.method == selected)
		calls_list_go(&app->calls, &app->picked.place);
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
	calls_list_centre(&app->calls);
}

static void
say_sort(struct app *app)
{
	app_say(app, "sorted by %s, %s", calls_column_table[app->calls.sort].id,
	    app->calls.rising ? "rising" : "falling");
}

static void
sort_step(struct app *app, int direction)
{
	int columns = calls_pane_layout(app->layout.body).list.columns;

	if (calls_list_sort_step(&app->calls, direction, columns))
		say_sort(app);
	else
		app_complain(
		    app, "no column further %s", direction < 0 ? "left" : "right");
}

static void
invert(struct app *app, int arg)
{
	(void)arg;
	calls_list_sort(&app->calls, app->calls.sort, !app->calls.rising);
	say_sort(app);
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
    {cmd_sort_step, sort_step},
    {cmd_invert, invert},
    {cmd_open, open_stack},
    {NULL, NULL},
};

static bool
sheet(struct app *app, struct sheet *out)
{
	calls_sheet(out, &app->calls, &app->table.figures);
	return app->calls.calls != NULL;
}

const struct view view_calls = {
    .sheet = sheet,
    .own = own,
    .context = context,
    .layout = layout,
    .want = want,
    .draw = draw,
    .position = position,
    .method = method,
    .enter = enter,
    .leave = leave,
};
