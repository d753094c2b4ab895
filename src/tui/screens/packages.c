// SPDX-License-Identifier: Apache-2.0
/* The profile by package, or by class. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/packages.h"

static struct packages *
own(const struct app *app)
{
	return app->s->own[VIEW_PACKAGES];
}

static void
begin(struct session *s, void *packages)
{
	packages_init(packages, &s->display);
}

static void
end(void *packages)
{
	packages_release(packages);
}

static void
follow(struct app *app)
{
	packages_follow(own(app));
}

static void
ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_GROUPS)->by = own(app)->by;
}

static void
take(struct app *app, struct answer *answer)
{
	packages_set(own(app), answer->value);
}

static const struct list *
list(const struct app *app)
{
	return &own(app)->list;
}

static uint32_t
method(const struct app *app)
{
	return packages_method(own(app));
}

static void
enter(struct app *app)
{
	if (app->s->selected.method != METHOD_NONE && !app->s->selected.idle)
		(void)packages_go(own(app), app->s->selected.method);
}

static void
leave(struct app *app)
{
	if (method(app) != METHOD_NONE)
		selection_set_method(&app->s->selected, method(app));
}

static void
again(struct app *app)
{
	packages_set_by(own(app), own(app)->by == SAME_PACKAGE ? SAME_CLASS : SAME_PACKAGE);
	app_say(app, "by %s", own(app)->by == SAME_PACKAGE ? "package" : "class");
}

void
cmd_packages_open(struct app *app)
{
	uint32_t selected = method(app);

	if (selected == METHOD_NONE) {
		if (!list_close(&own(app)->list))
			cmd_expand(app, 1);
		return;
	}
	app_visit(app);
	app_view(app, VIEW_PROFILE);
	app->focus = PANE_TABLE;
	(void)methods_go(&app->s->methods, selected);
}

/* On a package or class its methods. */
void
cmd_packages_filter(struct app *app)
{
	struct sbuf line = {0};

	if (packages_pattern(own(app), &line))
		filter_only(app, &line);
	else
		cmd_filter_row(app);
}

const struct view view_packages = {
    .strip = true,
    .filtered = true,
    .details = true,
    .answers = 1u << QUERY_GROUPS,
    .list = list,
    .size = sizeof(struct packages),
    .begin = begin,
    .end = end,
    .take = take,
    .again = again,
    .context = IN_PACKAGES,
    .follow = follow,
    .ask = ask,
    .method = method,
    .enter = enter,
    .leave = leave,
};
