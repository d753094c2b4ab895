/* The profile by package, or by class. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/list/draw.h"

static void
layout(struct app *app, struct layout *l, struct rect body)
{
	l->table = body;
	packages_follow(&app->packages);
	list_set_size(&app->packages.list, body.rows - 1, l->columns);
}

static void
ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_GROUPS)->by = app->packages.by;
}

static int
draw(struct app *app)
{
	return list_draw(&app->canvas, app->layout.table, &app->packages.list);
}

static const struct list *
list(const struct app *app)
{
	return &app->packages.list;
}

static uint32_t
method(const struct app *app)
{
	return packages_method(&app->packages);
}

static void
enter(struct app *app)
{
	if (app->selected.method != METHOD_NONE && !app->selected.idle)
		(void)packages_go(&app->packages, app->selected.method);
}

static void
leave(struct app *app)
{
	if (method(app) != METHOD_NONE)
		selection_set_method(&app->selected, method(app));
}

void
cmd_packages_by(struct app *app)
{
	packages_set_by(&app->packages,
	    app->packages.by == SAME_PACKAGE ? SAME_CLASS : SAME_PACKAGE);
	app_say(app, "by %s", app->packages.by == SAME_PACKAGE ? "package" : "class");
}

void
cmd_packages_open(struct app *app)
{
	uint32_t selected = method(app);

	if (selected == METHOD_NONE) {
		if (!list_close(&app->packages.list))
			cmd_packages_expand(app, 1);
		return;
	}
	app_visit(app);
	app_view(app, VIEW_PROFILE);
	app->focus = PANE_TABLE;
	(void)methods_go(&app->methods, selected);
}

void
cmd_packages_expand(struct app *app, int open)
{
	struct list *l = &app->packages.list;

	if (open && !list_open(l))
		app_complain(app, "nothing is below it");
	else if (!open && !list_close(l) && !(list_to_parent(l) && list_close(l)))
		app_complain(app, "nothing to collapse");
}

const struct view view_packages = {
    .filtered = true,
    .details = true,
    .answers = 1u << QUERY_GROUPS,
    .list = list,
    .context = IN_PACKAGES,
    .layout = layout,
    .ask = ask,
    .draw = draw,
    .method = method,
    .enter = enter,
    .leave = leave,
};
