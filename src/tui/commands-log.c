/* What only logs have: who woke a thread, and the chain of a slice. */
#include <config.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/view-usage.h"

/* Which thread and time is meant; false after saying why there is none. */
static bool
moment(struct app *app, uint32_t *thread, nsec *at)
{
	const struct usage_goal *goal = usage_tables_goal(&app->tables);
	const struct call_row *row = calls_list_row(&app->calls);
	unsigned context = app_context(app);

	*thread = app->timeline.thread;
	*at = app->timeline.axis.cursor;
	if (context == IN_USAGE) {
		*thread = goal != NULL && goal->kind == GOAL_TIME ? goal->thread : THREAD_NONE;
		*at = goal != NULL ? goal->at : 0;
	} else if (context == IN_CALLS) {
		*thread = row != NULL ? row->thread : THREAD_NONE;
		*at = row != NULL ? row->start : 0;
	} else if (context == IN_THREADS) {
		*thread = threads_cursor(&app->threads);
	} else if (context == IN_TIMELINE) {
		*thread = timeline_row_thread(app);
	} else if (context == IN_DETAILS && app->point.slice.split_known &&
		   app->point.slice.split.waited) {
		*at = app->point.slice.split.longest.from;
	}
	if (*thread == THREAD_NONE)
		app_complain(app, "no thread is meant here");
	return *thread != THREAD_NONE;
}

void
cmd_wakers(struct app *app, int arg)
{
	struct usage_ask ask = USAGE_ASK_NONE;

	(void)arg;
	if (app->trace->log == NULL || !app->trace->log->has_sched) {
		app_complain(app, "there are no scheduler events: who woke whom is not known");
		return;
	}
	ask.what = USAGE_ASK_WAKERS;
	if (moment(app, &ask.thread, &ask.at))
		usage_show_list(app, USAGE_WAKERS, &ask);
}

/* In the details: they are of the waker then, at that time. */
void
cmd_waker(struct app *app, int arg)
{
	const struct wake wake = app->point.slice.wake;

	(void)arg;
	if (!app->info_moment || !app->point.slice.woken) {
		app_complain(app, "it is not known who woke the thread");
		return;
	}
	if (wake.waker >= SCHED_INTERRUPT) {
		app_complain(app, "an interrupt woke it");
		return;
	}
	app_visit(app);
	if (!timeline_pane_select_thread(&app->timeline, wake.waker) &&
	    app->timeline.thread != wake.waker) {
		struct str name = names_thread(app->names, wake.waker);

		app_complain(app, "%.*s is not on the timeline", STR_ARG(name));
		return;
	}
	axis_move_to(&app->timeline.axis, wake.at);
	app->info_method = METHOD_NONE;
	app_enter(app);
}

static bool
chain_find(const struct log *log, struct str id, uint32_t *chain)
{
	uint32_t count = seg_count(&log->chains);

	for (*chain = 0; *chain < count; ++*chain)
		if (str_equal(((struct log_chain *)seg_at(&log->chains, *chain))->id, id))
			return true;
	return false;
}

void
cmd_chain(struct app *app, int arg)
{
	const struct call *call = timeline_pane_call(&app->timeline);
	struct usage_ask ask = USAGE_ASK_NONE;

	(void)arg;
	ask.what = USAGE_ASK_CHAIN;
	if (app->trace->log == NULL)
		app_complain(app, "a method trace has no chains");
	else if (call == NULL || !app->point.slice.known)
		app_complain(app, "no slice at the time cursor (9: all chains)");
	else if (!chain_find(app->trace->log, app->point.slice.detail.chain, &ask.chain))
		app_complain(app, "this slice belongs to no chain (9: all chains)");
	else
		usage_show_list(app, USAGE_CHAIN, &ask);
}
