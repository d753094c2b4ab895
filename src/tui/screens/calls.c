// SPDX-License-Identifier: Apache-2.0
/* The calls of the selected method: figures, histogram, list. */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "base/number.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "tui/settings/settings.h"
#include "view/calls_pane.h"
#include "view/list/list.h"

static void
calls_layout(struct app *app, struct layout *l, struct rect body)
{
	struct rect list;

	l->body = body;
	calls_list_follow(&app->s->calls);
	list = calls_pane_layout(body, &app->s->calls).list;
	list_set_size(&app->s->calls.list, list.rows - 1, list.columns);
}

void
calls_ask(struct app *app, struct asked *asked)
{
	const struct calls *found = app->s->calls.calls;
	const nsec frame_budget = app->settings->frame_budget;
	struct query *q;

	/* The search that was stopped was of another range: the new one was not stopped. */
	if (app->s->calls_stopped && found != NULL &&
	    !range_equal(&found->range, &app->s->subset.range))
		app->s->calls_stopped = false;
	if (app->s->calls_stopped || app->s->calls_method == METHOD_NONE)
		return;
	q = query_ask(asked, QUERY_CALLS);
	q->method = app->s->calls_method;
	q->clock = app->s->display.figures.clock;
	q->budget = frame_budget == 0 ? JANK_BUDGET : frame_budget < JANK_NO_BUDGET ? frame_budget : 0;
}

static int
calls_draw(struct app *app)
{
	struct calls_show show = {
	    .method = app->s->calls_method,
	    .loading = app_loading(app),
	    .stopped = app->s->calls_stopped,
	};

	return calls_pane_draw(&app->canvas, app->layout.body, &app->s->calls, &show);
}

static void
calls_subject(const struct app *app, struct subject *to)
{
	const struct call_row *row = calls_list_row(&app->s->calls);
	enum clock_id clock = trace_default_clock(app->s->trace);

	to->method = app->s->calls_method;
	to->thread = row != NULL ? row->thread : THREAD_NONE;
	if (row != NULL)
		to->span = (struct range){row->start, row->start + row->time[clock]};
}

void
calls_follow(struct app *app, uint32_t method)
{
	if (method == app->s->calls_method)
		return;
	app->s->calls_method = method;
	app->s->calls_stopped = false;
	calls_list_clear(&app->s->calls);
}

const struct calls *
calls_found(const struct app *app, uint32_t method)
{
	const struct calls *c = app->s->calls.calls;
	struct range shown = app_window_shown(app);

	return c != NULL && c->method == method && range_equal(&c->range, &shown) ? c : NULL;
}

static void
calls_enter(struct app *app)
{
	calls_follow(app, app->s->selected.method);
	if (app->s->picked.set && app->s->picked.method == app->s->calls_method)
		calls_list_go(&app->s->calls, app->s->calls_method, &app->s->picked.place);
}

/* The call becomes the one that the timeline is at. */
static void
calls_pick(struct app *app, const struct call_row *row)
{
	enum clock_id axis = trace_default_clock(app->s->trace);

	app->s->picked = (struct picked){true, app->s->calls_method, {row->start, row->thread,
	    row->order},
	    {row->start, row->start + row->time[axis]}};
	app_select_thread(app);
	axis_move_to(&app->s->timeline.axis, row->start);
}

/* The stack of the call, from the outermost frame down. */
static void
calls_leave(struct app *app)
{
	const struct call_row *row = calls_list_row(&app->s->calls);
	const struct calls *c = app->s->calls.calls;
	uint32_t *stack, depth;

	if (app->s->calls_method == METHOD_NONE || row == NULL || c->method !=
	    app->s->calls_method) {
		selection_set_method(&app->s->selected, app->s->calls_method);
		return;
	}
	depth = c->frames[row->frame].depth;
	stack = mem_alloc(depth * sizeof(*stack));
	for (uint32_t f = row->frame; depth > 0; f = c->frames[f].caller)
		stack[--depth] = session_listed(app->s, c->frames[f].method);
	selection_set_stack(&app->s->selected, row->thread, stack, c->frames[row->frame].depth);
	if (app->s->calls.list.chosen)
		calls_pick(app, row);
}

static bool
calls_known(const struct app *app)
{
	return app->s->calls.calls != NULL;
}

const struct screen screen_calls = {
    .known = calls_known,
    .layout = calls_layout,
    .ask = calls_ask,
    .draw = calls_draw,
    .subject = calls_subject,
    .enter = calls_enter,
    .leave = calls_leave,
};

/* Stepping from one to the next ------------------------------------------------------- */

bool
picked_here(const struct app *app)
{
	const struct picked *p = &app->s->picked;

	return p->set && app->s->timeline.axis.cursor == p->place.start &&
	       app->s->timeline.thread == p->place.thread;
}

bool
picked_span(const struct app *app, struct range *span, struct call_place *place)
{
	const struct call_row *row = calls_list_row(&app->s->calls);
	const struct call *call = timeline_pane_call(&app->s->timeline);
	enum clock_id clock = trace_default_clock(app->s->trace);

	if (app_context(app) == IN_CALLS) {
		if (row == NULL)
			return false;
		*span = (struct range){row->start, row->start + row->time[clock]};
		*place = (struct call_place){row->start, row->thread, row->order};
		return true;
	}
	if (picked_here(app)) {
		*span = app->s->picked.span;
		*place = app->s->picked.place;
		return true;
	}
	if (app_context(app) != IN_TIMELINE)
		return false;
	if (call == NULL) {
		*place = (struct call_place){app->s->timeline.axis.cursor, app->s->timeline.thread,
		    0};
		return timeline_pane_span(&app->s->timeline, span);
	}
	*span = (struct range){call->enter[clock], call->leave[clock]};
	*place = (struct call_place){call->enter[clock], call->thread, 0};
	return true;
}

static void
step_ask(struct app *app, uint32_t method, int direction)
{
	const struct call_row *row =
	    app_context(app) == IN_CALLS ? calls_list_row(&app->s->calls) : NULL;
	struct near_ask *ask = &app->s->near;

	ask->serial++;
	ask->method = method;
	ask->direction = direction;
	ask->waiting = true;
	if (row != NULL)
		ask->from = (struct call_place){row->start, row->thread, row->order};
	else if (picked_here(app) && app->s->picked.method == method)
		ask->from = app->s->picked.place;
	else
		ask->from = (struct call_place){app->s->timeline.axis.cursor,
		    direction > 0 ? UINT32_MAX : 0, direction > 0 ? UINT64_MAX : 0};
}

void
cmd_call_step(struct app *app, int direction)
{
	uint32_t method = app_context(app) == IN_TIMELINE ? methods_method(&app->s->methods)
							  : screens_method(app);

	if (method == METHOD_NONE || method == METHOD_TOPLEVEL)
		app_complain(app, "no method is selected");
	else if (app_loading(app))
		app_complain(app, "calls are searched once the trace is loaded");
	else
		step_ask(app, method, direction);
}

static void
say_call(struct app *app, const struct call *call)
{
	enum clock_id clock = app->s->display.figures.clock;
	char start[FMT_SIZE], time[FMT_SIZE];
	struct str name = names_thread(app->s->names, call->thread);

	app_say(app, "%s%s: %s%s on %" PRIu32 " %.*s",
	    timescale_text(
		&app->s->scale, start, call->enter[trace_default_clock(app->s->trace)], 6),
	    timescale_unit(&app->s->scale),
	    unit_text(&app->s->trace->unit, time, call->leave[clock] - call->enter[clock]),
	    call->unfinished || call->entered_before ? "+" : "",
	    trace_thread(app->s->trace, call->thread)->id, STR_ARG(name));
}

void
calls_take_near(struct app *app, const struct answer *answer)
{
	const struct engine_near *near = answer->value;
	const struct call *call = &near->call;
	enum clock_id clock = trace_default_clock(app->s->trace);
	int direction = app->s->near.direction;

	if (answer->of.serial != app->s->near.serial || !app->s->near.waiting)
		return;
	app->s->near.waiting = false;
	if (call->method == METHOD_NONE) {
		app_complain(app, direction > 0 ? "no later call in the chosen threads and time"
						: "no earlier call in the chosen threads and time");
		return;
	}
	app->s->picked = (struct picked){
	    .set = true,
	    .method = app->s->near.method,
	    .place = near->place,
	    .span = {call->enter[clock], call->leave[clock]},
	};
	timeline_pane_select_thread(&app->s->timeline, call->thread);
	axis_move_to(&app->s->timeline.axis, near->place.start);
	if (app->s->calls_method == app->s->near.method)
		calls_list_go(&app->s->calls, app->s->calls_method, &near->place);
	say_call(app, call);
}

bool
calls_interrupt(struct app *app)
{
	const struct calls *c = app->s->calls.calls;

	if (app->s->near.waiting) {
		app->s->near.waiting = false;
		app_say(app, "cancelled");
		return true;
	}
	if (app_context(app) != IN_CALLS || app->s->calls_stopped ||
	    app->s->calls_method == METHOD_NONE || (c != NULL && c->whole))
		return false;
	app->s->calls_stopped = true;
	app_say(app, "search stopped; earlier hits stay");
	return true;
}
