// SPDX-License-Identifier: Apache-2.0
/* The profile by package, or by class. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/packages.h"

static void
packages_refresh(struct app *app)
{
	packages_follow(&app->s->packages);
}

static void
packages_ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_GROUPS)->by = app->s->packages.by;
}

static void
packages_subject(const struct app *app, struct subject *to)
{
	to->method = packages_method(&app->s->packages);
}

static void
packages_enter(struct app *app)
{
	if (app->s->selected.method != METHOD_NONE && !app->s->selected.idle)
		(void)packages_go(&app->s->packages, app->s->selected.method);
}

static void
packages_again(struct app *app)
{
	packages_set_by(&app->s->packages, app->s->packages.by == SAME_PACKAGE ? SAME_CLASS : SAME_PACKAGE);
	app_say(app, "by %s", app->s->packages.by == SAME_PACKAGE ? "package" : "class");
}

void
cmd_packages_open(struct app *app)
{
	uint32_t selected = packages_method(&app->s->packages);

	if (selected == METHOD_NONE) {
		if (!list_close(&app->s->packages.list))
			cmd_expand(app, 1);
		return;
	}
	app_view(app, VIEW_PROFILE);
	app->focus = PANE_TABLE;
	(void)methods_go(&app->s->methods, selected);
}

/* On a package or class its methods. */
void
cmd_packages_filter(struct app *app)
{
	struct sbuf line = {0};

	if (packages_pattern(&app->s->packages, &line))
		filter_only(app, &line);
	else
		cmd_filter_row(app);
}

const struct screen screen_packages = {
    .again = packages_again,
    .follow = packages_refresh,
    .ask = packages_ask,
    .subject = packages_subject,
    .enter = packages_enter,
};
