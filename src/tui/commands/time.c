// SPDX-License-Identifier: Apache-2.0
/* The time axis, and the threads along it. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"

static struct axis *
axis(struct app *app)
{
	return &app->s->timeline.axis;
}

/* False after saying that the view has no timeline above it. */
static bool
axis_is_shown(struct app *app)
{
	return app->layout.timeline.rows > 0 || (app_context(app) & IN_PANES) != 0 ||
	    app_complain(app,
		"no timeline here: it is above views from %d rows on (Z, setting timeline)",
		ROWS_FOR_STRIP);
}

void
cmd_zoom(struct app *app, int direction)
{
	if (axis_is_shown(app) && !axis_zoom(axis(app), direction))
		app_complain(app,
		    direction > 0 ? "cannot zoom in further" : "already the whole trace");
}

void
cmd_pan(struct app *app, int quarters)
{
	if (axis_is_shown(app) && !axis_pan(axis(app), quarters))
		app_complain(
		    app, quarters < 0 ? "the trace starts here" : "the trace ends here");
}

void
cmd_pan_end(struct app *app, int direction)
{
	nsec before = axis(app)->from;

	if (!axis_is_shown(app))
		return;
	axis_pan_end(axis(app), direction);
	if (axis(app)->whole || axis(app)->from == before)
		app_complain(
		    app, direction < 0 ? "the trace starts here" : "the trace ends here");
}

void
cmd_whole(struct app *app)
{
	if (!axis_is_shown(app))
		return;
	if (axis(app)->whole)
		app_say(app, "already the whole trace");
	axis_show_all(axis(app));
}

/* The selected call, else the longest of the method; false after saying that there is none. */
static bool
call_meant(struct app *app, struct range *span, struct call_place *place)
{
	const struct fold *fold = app->s->display.figures.fold;
	uint32_t method = screens_method(app);
	const struct method_sum *sum = NULL;

	if (picked_span(app, span, place))
		return true;
	if (app_context(app) != IN_TIMELINE && fold != NULL && method < fold->method_count)
		sum = &fold->methods[method];
	if (sum == NULL || longest_length(&sum->longest) < 0)
		return app_complain(app,
		    "no call is selected: [ ], or Tab to the timeline, h and l");
	*span = (struct range){sum->longest.at, sum->longest.at + sum->longest.length};
	*place = (struct call_place){sum->longest.at, sum->longest_thread, 0};
	timeline_pane_select_thread(&app->s->timeline, place->thread);
	axis_move_to(axis(app), place->start);
	return true;
}

void
cmd_call_show(struct app *app, int zoom)
{
	struct call_place place;
	struct range span;

	if (!call_meant(app, &span, &place))
		return;
	/* Goes from the list to the timeline, with the time cursor at the call's start. */
	if (app_context(app) == IN_CALLS) {
		app_view(app, VIEW_PROFILE);
		app->focus = PANE_TIMELINE;
		app->s->picked = (struct picked){true, app->s->calls_method, place, span};
		timeline_pane_select_thread(&app->s->timeline, place.thread);
		axis_move_to(axis(app), place.start);
	}
	(zoom ? axis_zoom_to : axis_fit)(axis(app), span.from, span.to);
}

static void
method_select(struct app *app)
{
	const struct call *c = timeline_pane_call(&app->s->timeline);
	const struct fold *fold = app->s->display.figures.fold;
	struct str name;

	if (c == NULL) {
		app_complain(app, "no call at the time cursor");
		return;
	}
	if (fold == NULL || c->method >= fold->method_count ||
	    !fold->methods[c->method].present) {
		app_complain(
		    app, "its method is not in the table: no selected thread calls it");
		return;
	}
	app_visit(app);
	(void)methods_select(&app->s->methods, c->method);
	name = names_shown(app->s->names, c->method);
	app_say(app, "selected %.*s", STR_ARG(name));
}

/* Where the method is: all others are dim, until it is highlighted again, or Escape. */
void
cmd_highlight(struct app *app)
{
	uint32_t *now = &app->s->timeline.highlight, method = screens_method(app);
	struct str name;

	if (*now != METHOD_NONE && (method == *now || method == METHOD_NONE)) {
		*now = METHOD_NONE;
		return;
	}
	if (method == METHOD_NONE || method == METHOD_TOPLEVEL) {
		app_complain(app, "no method to highlight");
		return;
	}
	*now = method;
	name = names_shown(app->s->names, method);
	app_say(app, "highlighted %.*s (Esc: all)", STR_ARG(name));
}

uint32_t
timeline_row_thread(const struct app *app)
{
	const struct track *track = timeline_pane_track(&app->s->timeline);
	const struct track_point *point = timeline_pane_point(&app->s->timeline);

	if (track == NULL || track->kind != TRACK_CORE)
		return app->s->timeline.thread;
	return point != NULL && !point->idle ? point->state.thread : THREAD_NONE;
}

/* Goes to what a core ran, or to the waker of a thread; false when the row leads nowhere. */
static bool
point_follow(struct app *app, const struct track *track)
{
	const struct track_point *point = timeline_pane_point(&app->s->timeline);
	nsec at = app->s->timeline.axis.cursor;
	uint32_t thread = SCHED_NONE;

	if (track->kind != TRACK_CORE && track->kind != TRACK_STATE)
		return false;
	if (track->kind == TRACK_CORE)
		thread = timeline_row_thread(app);
	else if (point != NULL)
		thread = track_point_waker(point, &at);
	if (thread == SCHED_NONE || thread >= trace_thread_count(app->s->trace)) {
		app_complain(app, track->kind == TRACK_CORE ? "no thread runs here"
							    : "its waker is not known");
		return true;
	}
	app_visit(app);
	timeline_pane_go_state(&app->s->timeline, thread, at);
	return true;
}

/* Enter on a row: opens and closes what has no calls, follows or selects the others. */
void
cmd_call_select(struct app *app)
{
	const struct track *track = timeline_pane_track(&app->s->timeline);

	if (track == NULL || track->kind < TRACK_STATE)
		method_select(app);
	else if (track->kind == TRACK_PROCESS || track->kind == TRACK_LOAD ||
	    track->kind == TRACK_REST)
		(void)timeline_pane_open(
		    &app->s->timeline, !timeline_pane_is_open(&app->s->timeline));
	else if (!point_follow(app, track))
		app_complain(app, "nothing to go to from this row (, and . go to its changes)");
}

enum { SLOW_MS = 100 };

bool
drawing_slow(const struct app *app)
{
	return app_open(app, QUERY_TRACKS) && app->layout.timeline.rows > 0 &&
	       clock_ms() - app->s->draw_start_ms >= SLOW_MS;
}

bool
drawing_interrupt(struct app *app)
{
	if (!app_open(app, QUERY_TRACKS) || app->layout.timeline.rows == 0)
		return false;
	timeline_pane_stop_calls(&app->s->timeline);
	app_say(app, "stopped: this window has no calls by depth");
	return true;
}

void
cmd_row_open(struct app *app, int open)
{
	if (!timeline_pane_open(&app->s->timeline, open != 0))
		app_complain(app, open ? "this row has no more rows below it"
				       : "this row is not open");
}

void
cmd_change_step(struct app *app, int direction)
{
	if (!timeline_pane_step(&app->s->timeline, direction))
		app_complain(app, direction > 0 ? "no later change is in view"
						: "no earlier change is in view");
}

void
cmd_threads_all(struct app *app)
{
	if (app->s->subset.scope == NULL) {
		app_complain(app, "all threads are selected already");
		return;
	}
	app_visit(app);
	app_choose_scope(app, NULL);
	app_say(app, "all threads");
}

void
cmd_thread_pin(struct app *app)
{
	uint32_t thread;
	struct str name;
	bool pinned;

	screens_select(app);
	thread = app->s->timeline.thread;
	if (thread == THREAD_NONE) {
		app_complain(app, "no thread to pin");
		return;
	}
	pinned = timeline_pane_pin(&app->s->timeline);
	name = names_thread(app->s->names, thread);
	app_say(app, "%s %.*s", pinned ? "pinned" : "unpinned", STR_ARG(name));
}

/* The time window, a range of the timeline that all figures are of -------------------- */

void
app_limit(struct app *app, struct range window)
{
	char text[WINDOW_TEXT];

	app->s->choosing = false;
	if (range_is_all(&window))
		app_say(app, "figures of the whole trace");
	else
		app_say(app, "limited to %s, %s (R: whole trace, u: undo)",
		    window_text(text, &window, app->s->now.begin, app->s->now.end, &app->s->scale),
		    fmt_duration(FMT_BUF, window.to - window.from));
	if (!range_equal(&app->s->subset.range, &window)) {
		app_visit(app);
		app_note(app);
		app->s->subset.range = window;
	}
	app_zoom_to_range(app);
}

void
app_zoom_to_range(struct app *app)
{
	const struct range *range = &app->s->subset.range;

	axis_zoom_to(axis(app), range->from, range->to);
}

void
cmd_range_window(struct app *app)
{
	struct range window = {axis(app)->from, axis(app)->to};

	if (axis(app)->whole && range_is_all(&app->s->subset.range))
		app_complain(app, "the timeline shows the whole trace (w zooms in)");
	else
		app_limit(app, window_around(window, window, app->s->now.begin, app->s->now.end));
}

void
cmd_range(struct app *app)
{
	struct range here;

	if (app->s->choosing) {
		app_limit(app, app_chosen(app));
		return;
	}
	if (app->s->now.end <= app->s->now.begin) {
		app_complain(app, "no time to select from");
		return;
	}
	if (app->layout.timeline.rows == 0 || !timeline_pane_here(&app->s->timeline, &here)) {
		app_complain(app, "the timeline is not shown (Tab)");
		return;
	}
	app->s->choosing = true;
	app->s->chosen_first = here;
	if (app_context(app) != IN_TIMELINE)
		app_say(app, "range started: Tab, then h and l move its end, r ends it");
}

void
cmd_range_clear(struct app *app)
{
	if (app->s->choosing) {
		app->s->choosing = false;
		app_say(app, "range cancelled");
	} else if (range_is_all(&app->s->subset.range)) {
		app_complain(app, "no range is set (r starts one)");
	} else {
		app_limit(app, RANGE_ALL);
	}
}

void
cmd_range_call(struct app *app)
{
	struct call_place place;
	struct range range;

	if (!call_meant(app, &range, &place))
		return;
	app_limit(app, window_around(range, range, app->s->now.begin, app->s->now.end));
}
