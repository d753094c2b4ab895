#include <config.h>

#include "tui/views.h"

#include "tui/app.h"

const struct view *const view_table[VIEWS] = {
    [VIEW_PROFILE] = &view_profile,
    [VIEW_TREE] = &view_tree,
    [VIEW_CALLERS] = &view_callers,
    [VIEW_FLAME] = &view_flame,
    [VIEW_THREADS] = &view_threads,
    [VIEW_TIMELINE] = &view_timeline,
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

bool
views_has_column(const struct app *app, enum column_id id)
{
	const struct view_columns *columns = views_now(app)->columns;

	return columns != NULL ? columns->has(app, id)
			       : column_exists(id, app->trace->clocks);
}

bool
views_column_visible(const struct app *app, enum column_id id)
{
	const struct view_columns *columns = views_now(app)->columns;

	return columns != NULL
		   ? columns->visible(app, id)
		   : table_column_visible(&app->table, id, app->layout.columns);
}

enum column_id
views_sort(const struct app *app, bool *rising)
{
	const struct view_columns *columns = views_now(app)->columns;

	if (columns != NULL)
		return columns->sort(app, rising);
	*rising = app->table.rising;
	return app->table.sort;
}

void
views_sort_by(struct app *app, enum column_id id, bool rising)
{
	const struct view_columns *columns = views_now(app)->columns;

	if (columns != NULL)
		columns->sort_by(app, id, rising);
	else
		table_sort(&app->table, id, rising);
}

bool
views_sort_step(struct app *app, int direction)
{
	enum column_id ids[COLUMNS];
	int count = 0, at = 0;
	bool rising;

	for (int i = 0; i < COLUMNS; i++)
		if (views_column_visible(app, app->table.order[i]))
			ids[count++] = app->table.order[i];
	while (at < count - 1 && ids[at] != views_sort(app, &rising))
		at++;
	at += direction < 0 ? -1 : 1;
	if (at < 0 || at >= count)
		return false;
	views_sort_by(app, ids[at], column_table[ids[at]].rises);
	return true;
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
