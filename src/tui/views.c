#include <config.h>

#include "tui/views.h"

#include "tui/app.h"

const struct view *const view_table[VIEWS] = {
    [VIEW_PROFILE] = &view_profile,
    [VIEW_TREE] = &view_tree,
    [VIEW_CALLERS] = &view_tree,
    [VIEW_FLAME] = &view_flame,
    [VIEW_THREADS] = &view_threads,
    [VIEW_TIMELINE] = &view_timeline,
    [VIEW_DIFF] = &view_diff,
    [VIEW_USAGE] = &view_usage,
    [VIEW_INFO] = &view_info,
    [VIEW_DETAILS] = &view_details,
    [VIEW_CALLS] = &view_calls,
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

void
views_show_thread(struct app *app, uint32_t thread)
{
	app->info_method = METHOD_NONE;
	app->info_moment = false;
	app->info_thread = thread;
	app_show(app, VIEW_DETAILS);
}

enum table_found
views_search_next(struct app *app, int direction)
{
	const struct view_search *search = views_now(app)->search;

	return search != NULL ? search->next(app, direction)
			      : table_search_next(&app->table, direction);
}

void
views_search_position(struct app *app, size_t *n, size_t *of)
{
	const struct view_search *search = views_now(app)->search;

	if (search != NULL)
		search->position(app, n, of);
	else
		table_search_position(&app->table, n, of);
}
