/* The profile by package, or by class. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"

static void
follow(struct app *app)
{
	packages_follow(&app->packages);
}

static void
ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_GROUPS)->by = app->packages.by;
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
			cmd_expand(app, 1);
		return;
	}
	app_visit(app);
	app_view(app, VIEW_PROFILE);
	app->focus = PANE_TABLE;
	(void)methods_go(&app->methods, selected);
}

const struct view view_packages = {
    .filtered = true,
    .details = true,
    .answers = 1u << QUERY_GROUPS,
    .list = list,
    .context = IN_PACKAGES,
    .follow = follow,
    .ask = ask,
    .method = method,
    .enter = enter,
    .leave = leave,
};
