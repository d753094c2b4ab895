// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/screens/screens.h"

#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "view/list/list.h"

static const struct {
	const struct view *view;
	const char *word, *keys, *command;
} views[VIEWS] = {
#define SCREEN(number, functions, word, bar, shorter, command, contexts, keys, ...)              \
	[VIEW_##number] = {&functions, word, keys, command},
#include "tui/screens/screens.def"
#undef SCREEN
    [VIEW_DETAILS] = {&view_details, NULL, "", NULL},
};

const char *
views_word(int i)
{
	for (int view = 0; view < VIEWS; view++)
		if (views[view].word != NULL && i-- == 0)
			return views[view].word;
	return NULL;
}

enum screen_view
views_find(const char *word)
{
	enum screen_view of_key = word[0] != '\0' && word[1] == '\0' ? views_of_key(word[0]) : VIEWS;

	for (int i = 0; i < VIEWS; i++)
		if (views[i].word != NULL && (strcmp(views[i].word, word) == 0 || i == (int)of_key))
			return (enum screen_view)i;
	return VIEWS;
}

char
views_key(enum screen_view view)
{
	return views[view].keys[0];
}

enum screen_view
views_of_key(char key)
{
	int i = 0;

	while (i < VIEWS && views[i].keys[0] != key)
		i++;
	return (enum screen_view)i;
}

bool
views_suits(const struct app *app, enum screen_view i)
{
	const struct session *s = app->s;
	uint32_t thread = s->info_moment ? s->timeline.thread : s->info_thread;

	if (i == VIEW_DETAILS)
		return (s->info_method != METHOD_NONE && !s->info_moment) || thread != THREAD_NONE;
	return views[i].command == NULL || command_suits(app, commands_find(views[i].command));
}

void
cmd_view(struct app *app, int to)
{
	const struct view *view = views[to].view;
	const char *why = view->missing != NULL ? view->missing(app) : NULL;

	if (why != NULL) {
		app_complain(app, "%s", why);
	} else if (app->view == (enum screen_view)to && view->again != NULL) {
		view->again(app);
	} else {
		if (app->view == (enum screen_view)to)
			app_say(app, "already in this view");
		app_show(app, (enum screen_view)to);
	}
}

const struct view *
views_now(const struct app *app)
{
	return views[app->view].view;
}

bool
views_has_trees(const struct app *app)
{
	return (views_now(app)->answers & 1u << QUERY_PATHS) != 0;
}

void
views_select(struct app *app)
{
	const struct view *view = views_now(app);

	if (view->leave != NULL)
		view->leave(app);
	else if (views_list(app) != NULL && views_method(app) != METHOD_NONE)
		selection_set_method(&app->s->selected, views_method(app));
}

struct subject
views_subject(const struct app *app)
{
	struct subject subject = {METHOD_NONE, app->s->timeline.thread,
	    {app->s->timeline.axis.cursor, INT64_MIN}};

	if (views_now(app)->subject != NULL)
		views_now(app)->subject(app, &subject);
	return subject;
}

uint32_t
views_method(const struct app *app)
{
	return views_subject(app).method;
}

struct list *
views_list(struct app *app)
{
	struct session *s = app->s;
	struct list *const lists[VIEWS] = {
	    [VIEW_PROFILE] = &s->methods.list,
	    [VIEW_TREE] = &s->tree.list,
	    [VIEW_CALLERS] = &s->callers.list,
	    [VIEW_CALLS] = &s->calls.list,
	    [VIEW_THREADS] = &s->threads.list,
	    [VIEW_TIMELINE] = &s->methods.list,
	    [VIEW_DIFF] = diff_table_list(&app->compare.table),
	    [VIEW_USAGE] = usage_tables_list(&s->tables),
	    [VIEW_FRAMES] = &s->frames.list,
	    [VIEW_PACKAGES] = &s->packages.list,
	};

	return lists[app->view];
}

static bool
is_known(const struct app *app)
{
	return views_now(app)->known == NULL || views_now(app)->known(app);
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
				  : list_draw(&app->canvas, app->layout.table, views_list(app));
}

size_t
views_position(struct app *app, size_t *rows)
{
	const struct view *view = views_now(app);
	const struct list *list = views_list(app);

	*rows = 0;
	if (view->position != NULL)
		return view->position(app, rows);
	if (list == NULL || !is_known(app))
		return 0;
	*rows = list->at.count;
	return *rows > 0 ? list->at.cursor + 1 : 0;
}

bool
views_has_sheet(struct app *app)
{
	return views_now(app)->sheet != NULL || views_list(app) != NULL;
}

bool
views_sheet(struct app *app, struct sheet *sheet, bool files)
{
	const struct view *view = views_now(app);
	const struct list *list = views_list(app);

	if (!is_known(app))
		return false;
	if (view->sheet != NULL)
		return view->sheet(app, sheet, files);
	if (list == NULL)
		return false;
	list_sheet(sheet, list, files);
	return true;
}

void
views_show_thread(struct app *app, uint32_t thread)
{
	app->s->info_method = METHOD_NONE;
	app->s->info_moment = false;
	app->s->info_thread = thread;
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
