/*
 * pick-stack: the stack of a call, from it down to the empty stack.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "tui/app.h"
#include "tui/commands.h"
#include "tui/popup.h"

static size_t
count(struct app *app)
{
	const struct call_row *row = calls_list_row(&app->calls);

	return row != NULL ? app->calls.calls->frames[row->frame].depth : 0;
}

static uint32_t
method_at(struct app *app, size_t item)
{
	const struct calls *c = app->calls.calls;
	uint32_t frame = calls_list_row(&app->calls)->frame;

	while (item-- > 0)
		frame = c->frames[frame].caller;
	return c->frames[frame].method;
}

static void
draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	int column = canvas_format(c, r.row, r.column, r.column + r.columns, ROLE_POPUP,
	    "%4zu ", count(app) - item);
	int room = r.column + r.columns - column;

	(void)selected;
	if (room > 0)
		canvas_text(c, r.row, column, column + room,
		    names_fit(app->names, method_at(app, item), room, app->table.elision).text,
		    ROLE_POPUP);
}

static void
text(struct app *app, size_t item, char *out, size_t size)
{
	struct str name = names_full(app->names, method_at(app, item));

	snprintf(out, size, "%.*s", STR_ARG(name));
}

static void
go(struct app *app, size_t item)
{
	uint32_t method = method_at(app, item);

	app_visit(app);
	app_view(app, VIEW_PROFILE);
	(void)methods_select(&app->methods, method);
}

static const struct popup_act stack_acts[] = {
    {LIST_CHOOSE, go, "go to", true, false},
    {0},
};

static const struct popup_ops stack_ops = {
    .title = "stack of the call",
    .none = "no call to tell about",
    .width = 74,
    .has_cursor = true,
    .count = count,
    .draw = draw,
    .text = text,
    .acts = stack_acts,
};

void
pick_stack(struct app *app)
{
	popup_open(app, &stack_ops, 0);
}
