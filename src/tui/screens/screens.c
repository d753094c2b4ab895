// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/screens/screens.h"

#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"

#define SESSION_LIST(of) offsetof(struct session, of.list)

static const struct view_row views[VIEWS] = {
#define VIEW(number, screen, list, context, answers, shows, word, bar, shorter, command,       \
    contexts, keys, ...)                                                                       \
	[VIEW_##number] = {&screen, list, context, answers, shows, word, keys, command},
#include "view/views.def"
    [VIEW_DETAILS] = {&screen_details, 0, 0, 1u << QUERY_POINT, 0, NULL, "", NULL},
};

const char *
views_word(int i)
{
	for (int view = 0; view < VIEWS; view++)
		if (views[view].word != NULL && i-- == 0)
			return views[view].word;
	return NULL;
}

enum view
views_find(const char *word)
{
	int i = 0;

	while (i < VIEWS && (views[i].word == NULL || (strcmp(views[i].word, word) != 0 &&
	    (word[0] != views[i].keys[0] || word[1] != '\0'))))
		i++;
	return (enum view)i;
}

char
views_key(enum view view)
{
	return views[view].keys[0];
}

enum view
views_of_key(char key)
{
	int i = 0;

	while (i < VIEWS && views[i].keys[0] != key)
		i++;
	return (enum view)i;
}

bool
views_suits(const struct app *app, enum view i)
{
	const struct session *s = app->s;
	uint32_t thread = s->told.moment ? s->timeline.thread : s->told.thread;

	if (i == VIEW_DETAILS)
		return (s->told.method != METHOD_NONE && !s->told.moment) || thread != THREAD_NONE ||
		    s->told.frame.a != 0;
	return views[i].command == NULL || command_suits(app, commands_find(views[i].command));
}

void
cmd_view(struct app *app, int to)
{
	const struct screen *screen = views[to].screen;

	if (app->view == (enum view)to && screen->again != NULL) {
		screen->again(app);
	} else {
		if (app->view == (enum view)to)
			app_say(app, "already in this view");
		app_show(app, (enum view)to);
	}
}

const struct view_row *
views_now(const struct app *app)
{
	return &views[app->view];
}

const struct view_row *
views_of(enum view view)
{
	return &views[view];
}

bool
views_show(const struct app *app, enum shows what)
{
	return (views_now(app)->shows & what) != 0;
}

const struct scope *
views_scope(const struct app *app)
{
	const unsigned answers = views_now(app)->answers;
	struct scope *scope = app->s->subset.scope;

	for (int i = 0; i < QUERY_KINDS; i++)
		if ((answers & 1u << i) != 0 && query_is_chosen((enum query_kind)i))
			scope = scope_chosen(scope);
	return scope;
}

bool
views_have_trees(const struct app *app)
{
	return (views_now(app)->answers & 1u << QUERY_PATHS) != 0;
}

void
screens_select(struct app *app)
{
	const struct screen *screen = views_now(app)->screen;
	const struct list *list = screens_list(app);

	if (screen->leave != NULL) {
		screen->leave(app);
	} else if (list != NULL && screens_method(app) != METHOD_NONE) {
		selection_set_method(&app->s->selected, screens_method(app));
		/* Where the cursor was put is no choice of the user. */
		app->s->selected.idle = !list->settled;
	}
}

struct subject
screens_subject(const struct app *app)
{
	struct subject subject = {METHOD_NONE, app->s->timeline.thread,
	    {app->s->timeline.axis.cursor, INT64_MIN}};

	if (views_now(app)->screen->subject != NULL)
		views_now(app)->screen->subject(app, &subject);
	subject.method = session_listed(app->s, subject.method);
	return subject;
}

uint32_t
screens_method(const struct app *app)
{
	return screens_subject(app).method;
}

struct list *
screens_list(struct app *app)
{
	const struct view_row *now = views_now(app);

	if (now->list != 0)
		return (struct list *)((char *)app->s + now->list);
	return now->screen->list != NULL ? now->screen->list(app) : NULL;
}

static bool
is_known(const struct app *app)
{
	return views_now(app)->screen->known == NULL || views_now(app)->screen->known(app);
}

void
layout_list(struct app *app, struct layout *l, struct rect body)
{
	l->body = l->table = body;
	list_set_size(screens_list(app), body.rows - 1, l->columns);
}

void
screens_layout(struct app *app, struct layout *l, struct rect body)
{
	const struct screen *screen = views_now(app)->screen;

	if (screen->follow != NULL)
		screen->follow(app);
	(screen->layout != NULL ? screen->layout : layout_list)(app, l, body);
}

int
screens_draw(struct app *app)
{
	const struct screen *screen = views_now(app)->screen;

	return screen->draw != NULL ? screen->draw(app)
				  : list_draw(&app->canvas, app->layout.table, screens_list(app));
}

size_t
screens_position(struct app *app, size_t *rows)
{
	const struct screen *screen = views_now(app)->screen;
	const struct list *list = screens_list(app);

	*rows = 0;
	if (screen->position != NULL)
		return screen->position(app, rows);
	if (list == NULL || !is_known(app))
		return 0;
	*rows = list->at.count;
	return *rows > 0 ? list->at.cursor + 1 : 0;
}

bool
screens_have_sheet(struct app *app)
{
	return views_now(app)->screen->sheet != NULL || screens_list(app) != NULL;
}

bool
screens_sheet(struct app *app, struct sheet *sheet, bool files)
{
	const struct screen *screen = views_now(app)->screen;
	const struct list *list = screens_list(app);

	if (!is_known(app))
		return false;
	if (screen->sheet != NULL)
		return screen->sheet(app, sheet, files);
	if (list == NULL)
		return false;
	list_sheet(sheet, list, files);
	return true;
}

void
screens_show_thread(struct app *app, uint32_t thread)
{
	app->s->told = (struct details_of){.method = METHOD_NONE, .thread = thread};
	app_show(app, VIEW_DETAILS);
}

enum hits_found
screens_search_next(struct app *app, int direction)
{
	const struct screen *screen = views_now(app)->screen;
	struct list *list = screens_list(app);

	return screen->next_hit != NULL ? screen->next_hit(app, direction)
	       : list != NULL ? list_search_next(list, direction)
			      : HITS_NONE;
}

void
screens_search_position(struct app *app, size_t *n, size_t *of)
{
	const struct screen *screen = views_now(app)->screen;
	struct list *list = screens_list(app);

	if (screen->count_hits != NULL)
		screen->count_hits(app, n, of);
	else if (list != NULL)
		list_search_position(list, n, of);
	else
		*n = *of = 0;
}
