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
#include "view/list/export.h"

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
	list_set_size(&app->calls.list, list.rows - 1, list.columns);
}

void
calls_ask(struct app *app, struct asked *asked)
{
	const struct calls *found = app->calls.calls;
	struct query *q;

	/* What was stopped is of other times: the new question was not. */
	if (app->calls_stopped && found != NULL &&
	    !window_equal(&found->range, &app->subset.range))
		app->calls_stopped = false;
	if (app->calls_stopped || app->calls_method == METHOD_NONE)
		return;
	q = query_ask(asked, QUERY_CALLS);
	q->method = app->calls_method;
	q->clock = app->table.figures.clock;
	q->budget = app->settings->frame_budget;
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

static const struct list *
list(const struct app *app)
{
	return &app->calls.list;
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
open_stack(struct app *app, int arg)
{
	(void)arg;
	pick_stack(app);
}

static const struct view_command own[] = {
    {cmd_open, open_stack},
    {NULL, NULL},
};

static bool
sheet(struct app *app, struct sheet *out)
{
	list_sheet(out, &app->calls.list);
	return app->calls.calls != NULL;
}

const struct view view_calls = {
    .answers = 1u << QUERY_CALLS,
    .sheet = sheet,
    .own = own,
    .columns = &list_columns,
    .list = list,
    .context = context,
    .layout = layout,
    .ask = calls_ask,
    .draw = draw,
    .method = method,
    .enter = enter,
    .leave = leave,
};
