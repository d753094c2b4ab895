/* The time window: a range of the timeline that all figures are of. */
#include <config.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "view/window.h"

static void
say_window(struct app *app, const struct range *window)
{
	char text[WINDOW_TEXT];

	if (range_is_all(window))
		app_say(app, "figures of the whole trace");
	else
		app_say(app, "figures of %s (R: of the whole trace, u: undo)",
		    window_text(text, window, app->now.begin, app->now.end, &app->scale));
}

static void
take(struct app *app, struct range window)
{
	app->choosing = false;
	say_window(app, &window);
	if (window_equal(&app->subset.range, &window))
		return;
	app_visit(app);
	app_note(app);
	app->subset.range = window;
}

void
cmd_range(struct app *app, int arg)
{
	struct range here;

	(void)arg;
	if (app->choosing) {
		take(app, app_chosen(app));
		return;
	}
	if (app->now.end <= app->now.begin) {
		app_complain(app, "no time to choose from");
		return;
	}
	if (app->layout.timeline.rows == 0 || !timeline_pane_here(&app->timeline, &here)) {
		app_complain(app, "the timeline is not shown (Tab)");
		return;
	}
	app->choosing = true;
	app->chosen_first = here;
	if (app_context(app) != IN_TIMELINE)
		app_say(app, "a range begins at the time cursor: Tab, h and l move its end");
}

void
cmd_range_clear(struct app *app, int arg)
{
	(void)arg;
	if (app->choosing) {
		app->choosing = false;
		app_say(app, "range dropped");
	} else if (range_is_all(&app->subset.range)) {
		app_complain(app, "no range is set (r begins one)");
	} else {
		take(app, RANGE_ALL);
	}
}

void
cmd_range_call(struct app *app, int arg)
{
	struct call_place place;
	struct range range;

	(void)arg;
	if (!picked_span(app, &range, &place)) {
		app_complain(app, "no call is selected: [ ], or Tab to the timeline, h and l");
		return;
	}
	take(app, window_around(range, range, app->now.begin, app->now.end));
}
