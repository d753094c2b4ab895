#include <config.h>

#include "tui/screens/screens.h"

#include <string.h>

#include "tui/app.h"
#include "view/list/draw.h"
#include "view/list/export.h"

/* Words are those of --view in the report where that has the same; keys, the browser's. */
static const struct {
	const struct view *view;
	const char *word, *key;
} views[VIEWS] = {
    [VIEW_PROFILE] = {&view_profile, "profile", "1"},
    [VIEW_TREE] = {&view_tree, "tree", "2"},
    [VIEW_CALLERS] = {&view_tree, "bottom-up", "3"},
    [VIEW_FLAME] = {&view_flame, "flame", "4"},
    [VIEW_CALLS] = {&view_calls, "calls", "5"},
    [VIEW_THREADS] = {&view_threads, "threads", "6"},
    [VIEW_TIMELINE] = {&view_timeline, "timeline", "7"},
    [VIEW_USAGE] = {&view_usage, "log", "9"},
    [VIEW_FRAMES] = {&view_frames, "frames", "!"},
    [VIEW_INFO] = {&view_info, "info", "0"},
    [VIEW_DIFF] = {&view_diff, NULL, NULL},
    [VIEW_DETAILS] = {&view_details, NULL, NULL},
    [VIEW_PACKAGES] = {&view_packages, NULL, NULL},
};

const char *
views_word(int view)
{
	return views[view].word;
}

enum screen_view
views_find(const char *word)
{
	int i = 0;

	while (views[i].word != NULL && strcmp(views[i].word, word) != 0 &&
	    strcmp(views[i].key, word) != 0)
		i++;
	return views[i].word != NULL ? (enum screen_view)i : VIEWS;
}

const struct view *
views_now(const struct app *app)
{
	return views[app->view].view;
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

static const struct list *
list_now(const struct app *app)
{
	const struct view *view = views_now(app);

	return view->list != NULL ? view->list(app) : NULL;
}

struct list *
views_list(struct app *app)
{
	return (struct list *)(uintptr_t)list_now(app); /* part of `app` */
}

void
views_layout(struct app *app, struct layout *l, struct rect body)
{
	const struct view *view = views_now(app);

	if (view->follow != NULL)
		view->follow(app);
	if (view->layout != NULL) {
		view->layout(app, l, body);
		return;
	}
	l->body = l->table = body;
	list_set_size(views_list(app), body.rows - 1, l->columns);
}

int
views_draw(struct app *app)
{
	const struct view *view = views_now(app);

	return view->draw != NULL ? view->draw(app)
				  : list_draw(&app->canvas, app->layout.table, list_now(app));
}

size_t
views_position(const struct app *app, size_t *rows)
{
	const struct view *view = views_now(app);
	const struct list *list = list_now(app);

	*rows = 0;
	if (view->position != NULL)
		return view->position(app, rows);
	if (list == NULL)
		return 0;
	*rows = list->at.count;
	return *rows > 0 ? list->at.cursor + 1 : 0;
}

bool
views_has_sheet(const struct app *app)
{
	return views_now(app)->sheet != NULL || views_now(app)->list != NULL;
}

bool
views_sheet(struct app *app, struct sheet *sheet)
{
	const struct view *view = views_now(app);
	const struct list *list = list_now(app);

	if (view->sheet != NULL)
		return view->sheet(app, sheet);
	if (list == NULL)
		return false;
	list_sheet(sheet, list);
	return true;
}

void
views_show_thread(struct app *app, uint32_t thread)
{
	app->info_method = METHOD_NONE;
	app->info_moment = false;
	app->info_thread = thread;
	app_show(app, VIEW_DETAILS);
}

enum hits_found
views_search_next(struct app *app, int direction)
{
	const struct view *view = views_now(app);
	struct list *list = views_list(app);

	return view->next_hit != NULL ? view->next_hit(app, direction)
	       : list != NULL ? list_search_next(list, direction)
			      : HITS_NONE;
}

void
views_search_position(struct app *app, size_t *n, size_t *of)
{
	const struct view *view = views_now(app);
	struct list *list = views_list(app);

	if (view->count_hits != NULL)
		view->count_hits(app, n, of);
	else if (list != NULL)
		list_search_position(list, n, of);
	else
		*n = *of = 0;
}
