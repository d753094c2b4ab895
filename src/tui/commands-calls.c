/* Single calls: stepping from one to the next, and where the selected one is. */
#include <config.h>

#include <inttypes.h>

#include "base/fmt.h"
#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"

static bool
picked_here(const struct app *app)
{
	const struct picked *p = &app->picked;

	return p->set && app->timeline.axis.cursor == p->place.start &&
	       app->timeline.thread == p->place.thread;
}

bool
picked_span(const struct app *app, struct range *span, struct call_place *place)
{
	const struct call_row *row = calls_list_row(&app->calls);
	const struct call *call = timeline_pane_call(&app->timeline);
	enum clock_id clock = trace_default_clock(app->trace);

	if (app_context(app) == IN_CALLS) {
		if (row == NULL)
			return false;
		*span = (struct range){row->start, row->start + row->time[clock]};
		*place = (struct call_place){row->start, row->thread, row->order};
		return true;
	}
	if (picked_here(app)) {
		*span = app->picked.span;
		*place = app->picked.place;
		return true;
	}
	if (app_context(app) != IN_TIMELINE)
		return false;
	if (call == NULL) {
		*place = (struct call_place){app->timeline.axis.cursor, app->timeline.thread, 0};
		return timeline_pane_span(&app->timeline, span);
	}
	*span = (struct range){call->enter[clock], call->leave[clock]};
	*place = (struct call_place){call->enter[clock], call->thread, 0};
	return true;
}

/* Whose calls are stepped through. */
static uint32_t
step_method(const struct app *app)
{
	uint32_t method = app_context(app) == IN_TIMELINE ? table_method(&app->table)
							  : views_method(app);

	return method == METHOD_TOPLEVEL ? METHOD_NONE : method;
}

static void
step_ask(struct app *app, uint32_t method, int direction)
{
	const struct call_row *row =
	    app_context(app) == IN_CALLS ? calls_list_row(&app->calls) : NULL;
	struct near_ask *ask = &app->near;

	ask->serial++;
	ask->method = method;
	ask->direction = direction;
	ask->waiting = true;
	if (row != NULL)
		ask->from = (struct call_place){row->start, row->thread, row->order};
	else if (picked_here(app) && app->picked.method == method)
		ask->from = app->picked.place;
	else
		ask->from = (struct call_place){app->timeline.axis.cursor,
		    direction > 0 ? UINT32_MAX : 0, direction > 0 ? UINT64_MAX : 0};
}

void
cmd_call_step(struct app *app, int direction)
{
	uint32_t method = step_method(app);

	if (method == METHOD_NONE) {
		app_complain(app, "no method is selected whose calls to go through");
		return;
	}
	if (app_loading(app)) {
		app_complain(app, "calls are looked for when the trace is loaded");
		return;
	}
	step_ask(app, method, direction);
}

static void
say_call(struct app *app, const struct call *call)
{
	enum clock_id clock = app->table.figures.clock;
	char start[FMT_SIZE], time[FMT_SIZE];
	struct str name = names_thread(app->names, call->thread);

	app_say(app, "%s%s: %s%s ms on %" PRIu32 " %.*s",
	    timescale_text(
		&app->scale, start, call->enter[trace_default_clock(app->trace)], 6),
	    timescale_unit(&app->scale),
	    fmt_ms(time, call->leave[clock] - call->enter[clock]),
	    call->unfinished || call->entered_before ? "+" : "",
	    trace_thread(app->trace, call->thread)->id, STR_ARG(name));
}

void
calls_take_near(struct app *app, const struct answer *answer)
{
	const struct engine_near *near = answer->value;
	const struct call *call = &near->call;
	enum clock_id clock = trace_default_clock(app->trace);
	int direction = app->near.direction;

	if (answer->of.serial != app->near.serial || !app->near.waiting)
		return;
	app->near.waiting = false;
	if (call->method == METHOD_NONE) {
		app_complain(app, direction > 0 ? "no later call in the chosen threads and time"
						: "no earlier call in the chosen threads and time");
		return;
	}
	app->picked = (struct picked){
	    .set = true,
	    .method = app->near.method,
	    .place = near->place,
	    .span = {call->enter[clock], call->leave[clock]},
	};
	timeline_pane_select_thread(&app->timeline, call->thread);
	axis_move_to(&app->timeline.axis, near->place.start);
	if (app->calls_method == app->near.method)
		calls_list_go(&app->calls, &near->place);
	say_call(app, call);
}

bool
calls_interrupt(struct app *app)
{
	const struct calls *c = app->calls.calls;

	if (app->near.waiting) {
		app->near.waiting = false;
		app_say(app, "given up");
		return true;
	}
	if (app_context(app) != IN_CALLS || app->calls_stopped ||
	    app->calls_method == METHOD_NONE || (c != NULL && c->whole))
		return false;
	app->calls_stopped = true;
	app_say(app, "search stopped, what was found stays");
	return true;
}
