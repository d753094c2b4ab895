// SPDX-License-Identifier: Apache-2.0
/* Commands for views: changing and leaving them. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"

enum { AGAIN_MS = 2000 };

void
cmd_pane(struct app *app)
{
	start_moved(app);
	if (app->view == VIEW_TIMELINE) {
		app_show(app, VIEW_PROFILE);
		app->focus = PANE_TABLE;
		return;
	}
	app->focus = app->focus == PANE_TABLE ? PANE_TIMELINE : PANE_TABLE;
}

void
cmd_maximise(struct app *app)
{
	if (app->view == VIEW_TIMELINE) {
		app_show(app, VIEW_PROFILE);
		return;
	}
	if (app->layout.rows <
	    ((app_context(app) & IN_PANES) != 0 ? ROWS_FOR_TIMELINE : ROWS_FOR_STRIP)) {
		app_complain(app, "only one pane fits here");
		return;
	}
	app->maximised = !app->maximised;
}

void
cmd_split(struct app *app, int rows)
{
	struct layout *l = &app->layout;
	int now = l->timeline.rows, wanted = now + rows;
	int below = (app_context(app) & IN_PANES) != 0 ? l->table.rows : l->body.rows;
	struct err e = {0};
	char text[12];

	if (now == 0 || below == 0) {
		app_complain(app, "only one pane is shown");
		return;
	}
	if (wanted < TIMELINE_MIN || below - rows < TABLE_MIN) {
		app_complain(app, rows < 0 ? "the timeline cannot get smaller"
					   : "the rest cannot get smaller");
		return;
	}
	snprintf(text, sizeof(text), "%d", wanted);
	if (!settings_change(app->settings, STR(""), STR("timeline"), str_from(text), &e))
		app_complain(app, "%s", e.what);
}

/*
 * True if, in a log, a single slice or a thread at a time is meant.  The time cursor goes there;
 * `method` is the slice's then, METHOD_NONE without one.
 */
static bool
details_moment(struct app *app, uint32_t *method)
{
	const struct call *call = timeline_pane_call(&app->s->timeline);
	struct call_place place;
	struct range span;

	if (app->s->trace->log == NULL)
		return false;
	if (app_context(app) == IN_TIMELINE) {
		uint32_t thread = timeline_row_thread(app);

		*method = call != NULL ? call->method : METHOD_NONE;
		if (thread != THREAD_NONE && thread != app->s->timeline.thread)
			timeline_pane_select_thread(&app->s->timeline, thread);
		return thread != THREAD_NONE;
	}
	if (!picked_span(app, &span, &place))
		return false;
	timeline_pane_select_thread(&app->s->timeline, place.thread);
	axis_move_to(&app->s->timeline.axis, place.start);
	return true;
}

void
cmd_details(struct app *app)
{
	uint32_t method = screens_method(app);
	bool moment = details_moment(app, &method);

	if (method == METHOD_NONE && !moment) {
		app_complain(app, app_context(app) == IN_TIMELINE && app->s->trace->log != NULL
			? "no thread runs here"
			: "no method is selected");
		return;
	}
	app->s->told = (struct details_of){method, THREAD_NONE, {0, 0}, moment};
	app_show(app, VIEW_DETAILS);
}

void
cmd_redraw(struct app *app)
{
	term_spoil(app->term);
}

void
cmd_suspend(struct app *app)
{
	term_suspend(app->term);
}

static bool
loading_interrupt(struct app *app)
{
	if (!app_loading(app))
		return false;
	engine_stop_loading(app->s->engine);
	app_say(app, "loading stopped; what was read stays");
	return true;
}

void
cmd_interrupt(struct app *app)
{
	int64_t now = clock_ms(), before = app->interrupted_ms;

	app->interrupted_ms = 0;
	if (writing_interrupt(app) || reload_interrupt(app) || loading_interrupt(app) ||
	    compare_interrupt(app) || app_recounting_stop(app) || calls_interrupt(app) ||
	    drawing_interrupt(app))
		return;
	if (before != 0 && now - before <= AGAIN_MS) {
		app->status = TUI_INTERRUPTED;
		app->quit = true;
		return;
	}
	app->interrupted_ms = now;
	app_say(app, "nothing to interrupt; ^C again within 2 s quits (q quits, too)");
}

void
cmd_close(struct app *app)
{
	if (!app_step(app, -1))
		app->quit = true;
}

void
cmd_quit(struct app *app)
{
	app->quit = true;
}
