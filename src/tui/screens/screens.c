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

void
views_take(struct app *app, enum query_kind kind, struct answer *answer)
{
	for (int i = 0; i < VIEWS; i++)
		if (views[i].view->take != NULL && (views[i].view->answers & 1u << kind) != 0) {
			views[i].view->take(app, answer);
			return;
		}
}

bool
views_suits(const struct app *app, enum screen_view i)
{
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
views_sheet(struct app *app, struct sheet *sheet, bool files)
{
	const struct view *view = views_now(app);
	const struct list *list = list_now(app);

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
