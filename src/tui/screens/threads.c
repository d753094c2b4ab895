// SPDX-License-Identifier: Apache-2.0
/* The threads, to compare and to choose from. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"

static void
follow(struct app *app)
{
	threads_follow(&app->threads);
}

/* With filters, what passes in each thread. */
static void
ask(struct app *app, struct asked *asked)
{
	if (filters_active(&app->display.filters))
		query_ask(asked, QUERY_PATHS)->together = false;
}

static const struct list *
list(const struct app *app)
{
	return &app->threads.list;
}

static void
enter(struct app *app)
{
	threads_follow(&app->threads);
	if (app->timeline.settled)
		threads_go(&app->threads, app->timeline.thread);
}

/* The timeline's thread is the selected one. */
static void
leave(struct app *app)
{
	uint32_t thread = threads_cursor(&app->threads);

	if (thread == THREAD_NONE || !app->threads.list.settled)
		return;
	selection_set_thread(&app->selected, thread);
	app_select_thread(app);
}

/* THREAD_NONE after saying that there is none. */
static uint32_t
cursor(struct app *app)
{
	uint32_t thread = threads_cursor(&app->threads);

	if (thread == THREAD_NONE)
		app_complain(app, "no threads with records");
	return thread;
}

void
cmd_thread_toggle(struct app *app)
{
	uint32_t thread = cursor(app);

	if (thread == THREAD_NONE)
		return;
	app_toggle_thread(app, thread);
	list_move(&app->threads.list, 1);
}

void
cmd_thread_only(struct app *app)
{
	uint32_t thread = cursor(app);

	if (thread == THREAD_NONE)
		return;
	app_visit(app);
	app_choose_thread(app, thread);
	app_say(app, "only this thread (T: all, u: undo)");
}

void
cmd_thread_details(struct app *app)
{
	uint32_t thread = cursor(app);

	if (thread != THREAD_NONE)
		views_show_thread(app, thread);
}

const struct view view_threads = {
    .list = list,
    .filtered = true,
    .context = IN_THREADS,
    .follow = follow,
    .ask = ask,
    .enter = enter,
    .leave = leave,
};
