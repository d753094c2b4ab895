// SPDX-License-Identifier: Apache-2.0
/* The threads, to compare and to choose from. */
#include <config.h>

#include "tui/app.h"
#include "tui/screens/screens.h"

static void
threads_refresh(struct app *app)
{
	threads_follow(&app->s->threads);
}

/* With filters, what passes in each thread. */
static void
threads_ask(struct app *app, struct asked *asked)
{
	if (filters_active(&app->s->display.filters))
		query_ask(asked, QUERY_PATHS)->together = false;
}

static void
threads_subject(const struct app *app, struct subject *to)
{
	to->thread = threads_cursor(&app->s->threads);
	to->span = (struct range){app->s->now.begin, app->s->now.end};
}

static void
threads_enter(struct app *app)
{
	threads_follow(&app->s->threads);
	if (app->s->timeline.settled)
		threads_go(&app->s->threads, app->s->timeline.thread);
}

/* The timeline's thread is the selected one. */
static void
threads_leave(struct app *app)
{
	uint32_t thread = threads_cursor(&app->s->threads);

	if (thread == THREAD_NONE || !app->s->threads.list.settled)
		return;
	selection_set_thread(&app->s->selected, thread);
	app_select_thread(app);
}

/* NULL after saying that there is none. */
static const struct list_row *
threads_here(struct app *app)
{
	const struct list_row *row = list_row(&app->s->threads.list);

	if (row == NULL)
		app_complain(app, "no threads with records");
	return row;
}

void
cmd_thread_choose(struct app *app, int toggle)
{
	const struct list_row *row = threads_here(app);

	if (row == NULL)
		return;
	if (!toggle)
		app_visit(app);
	app_choose_scope(app, threads_of_row(&app->s->threads, row, toggle != 0));
	if (toggle)
		list_move(&app->s->threads.list, 1);
	else
		app_say(app, "only %s (T: all, u: undo)",
		    threads_cursor(&app->s->threads) != THREAD_NONE ? "this thread"
								    : "these threads");
}

void
cmd_thread_details(struct app *app)
{
	uint32_t thread = threads_cursor(&app->s->threads);

	if (thread != THREAD_NONE)
		screens_show_thread(app, thread);
	else if (threads_here(app) != NULL)
		app_complain(app, "these are several threads: + shows them");
}

const struct screen screen_threads = {
    .follow = threads_refresh,
    .ask = threads_ask,
    .subject = threads_subject,
    .enter = threads_enter,
    .leave = threads_leave,
};
