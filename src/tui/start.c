// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/start.h"

#include <string.h>

#include "base/pattern.h"
#include "tui/app.h"

/* Threads that come later are chosen, too, until the user chooses. */
static void
choose_threads(struct app *app)
{
	struct scope *scope;
	struct err e = {0};
	bool found = thread_words_choose(&app->start->threads, app->s->trace, &scope, &e);
	bool none = !found && !app_loading(app) && scope != NULL && scope_size(scope) == 0;

	/* Without any of the threads nothing would be shown: shows all, and says why. */
	if (none) {
		scope_free(scope);
		scope = NULL;
	}
	app_set_scope(app, scope);
	scope_free(app->s->start_scope);
	app->s->start_scope = scope_copy(app->s->subset.scope);
	if (app_loading(app))
		return;
	app->s->start_threads = false;
	if (!found)
		app_complain(app, "%s%s", none ? "all threads are shown: " : "", e.what);
}

/* Begins with the threads of the app in front, which the whole log tells, and its colours. */
static void
choose_front(struct app *app)
{
	struct scope *front;

	if (app_loading(app) || app_open(app, QUERY_METHODS))
		return;
	app->s->start_front = false;
	front = scope_front(app->s->trace);
	if (front != NULL && app->s->subset.scope == NULL) {
		app->s->methods.begins = true;
		app_choose_scope(app, front);
	} else {
		scope_free(front);
	}
}

void
start_begin(struct app *app, const struct start *start)
{
	struct list *list;

	app->start = start;
	for (size_t i = 0; i < start->filter_count; i++) {
		struct sbuf line = {0};

		sbuf_printf(&line, "+%s", start->filters[i]);
		filters_set(&app->s->display.filters, sbuf_view(&line), NULL);
		sbuf_release(&line);
	}
	if (start->transforms != NULL)
		transforms_copy(&app->s->subset.transforms, start->transforms);
	app->s->subset.range = start->window;
	app->together = start->together;
	app->s->start_window = !range_is_all(&start->window);
	app->s->start_method = start->method_count > 0;
	app->s->start_threads =
	    start->threads.thread_count > 0 || start->threads.process_count > 0;
	/* A method that was named may be another process's. */
	app->s->start_front = app->s->trace->log != NULL && !app->s->start_threads &&
	    !app->s->start_method;
	if (app->s->start_threads)
		choose_threads(app);
	app_put_view(app, start->view != NULL ? views_find(start->view) : VIEW_PROFILE);
	list = screens_list(app);
	if (start->sort != NULL && list != NULL && !list_sort_word(list, start->sort))
		app_complain(app, "not sorted: this has no column '%s'",
		    start->sort + strspn(start->sort, "+-"));
}
static bool
matches(const struct app *app, uint32_t method)
{
	for (size_t i = 0; i < app->start->method_count; i++) {
		const struct pattern *p = app->start->methods[i];

		if (names_match(app->s->names, method, p) == PATTERN_MATCH)
			return true;
	}
	return false;
}

/* The first in the order on the screen. */
static void
choose_method(struct app *app)
{
	const struct list *l = &app->s->methods.list;
	const struct fold *fold = app->s->display.fold;
	uint32_t method = METHOD_NONE;
	bool whole;

	if (fold == NULL)
		return;
	/* The figures may be those of before the last records. */
	whole = !app_loading(app) && fold->records >= app->s->now.records;
	methods_follow(&app->s->methods);
	for (size_t i = 0; i < l->at.count && method == METHOD_NONE; i++)
		if (l->rows[i].flags == LIST_LEADS && matches(app, l->rows[i].item))
			method = l->rows[i].item;
	if (method != METHOD_NONE) {
		selection_set_method(&app->s->selected, method);
		(void)methods_go(&app->s->methods, method);
		app_enter(app);
	} else if (whole) {
		app_complain(app, "no method matches what was asked for");
	}
	if (whole)
		app->s->start_method = false;
}

static void
check_window(struct app *app)
{
	char end[FMT_SIZE];

	if (app_loading(app) || !app->s->start_window)
		return;
	app->s->start_window = false;
	if (app->s->subset.range.from < app->s->now.end)
		app_zoom_to_range(app);
	else
		app_complain(app, "nothing is in this time: the trace ends at %s s",
		    fmt_time(end, app->s->now.end, FMT_S, 3));
}

void
start_follow(struct app *app)
{
	if (app->start == NULL)
		return;
	if (app->s->start_threads && !scope_equal(app->s->subset.scope, app->s->start_scope))
		app->s->start_threads = false;
	if (app->s->start_threads)
		choose_threads(app);
	if (app->s->start_front)
		choose_front(app);
	if (app->s->start_method)
		choose_method(app);
	check_window(app);
}

void
start_moved(struct app *app)
{
	app->s->start_method = false;
}
