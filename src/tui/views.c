#include <config.h>

#include "tui/views.h"

#include "tui/app.h"

const struct view *const view_table[VIEWS] = {
    [VIEW_PROFILE] = &view_profile,
    [VIEW_TIMELINE] = &view_timeline,
    [VIEW_INFO] = &view_info,
    [VIEW_DETAILS] = &view_details,
};

const struct view *
views_now(const struct app *app)
{
	return view_table[app->view];
}

void
views_run(struct app *app, void (*run)(struct app *, int), int arg)
{
	const struct view_command *own = views_now(app)->own;

	for (; own != NULL && own->run != NULL; own++) {
		if (own->instead_of == run) {
			own->run(app, arg);
			return;
		}
	}
	run(app, arg);
}

void
views_select(struct app *app)
{
	if (views_now(app)->leave != NULL)
		views_now(app)->leave(app);
}

uint32_t
views_method(const struct app *app)
{
	const struct view *view = views_now(app);

	return view->method != NULL ? view->method(app) : METHOD_NONE;
}
