// SPDX-License-Identifier: Apache-2.0
/* The profile: timeline and table, and the timeline alone. */
#include <config.h>

#include "base/mem.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/layout.h"
#include "tui/screens/screens.h"
#include "view/list/list.h"
#include "view/timeline/pane.h"

static unsigned
profile_context(const struct app *app)
{
	return app->focus == PANE_TIMELINE ? IN_TIMELINE : IN_TABLE;
}

static void
layout_alone(struct app *app, struct layout *l, struct rect body)
{
	methods_follow(&app->s->methods);
	layout_timeline(app, l, body);
}

static void
layout_table(struct app *app, struct layout *l, struct rect body)
{
	struct methods *m = &app->s->methods;

	l->table = body;
	methods_follow(m);
	m->list.unfocused = app->focus == PANE_TIMELINE;
	m->loading = app_loading(app);
	m->none = app_none(app);
	m->no_match = app->s->undo.at > 0 ? "& edit, u undo" : "& edit";
	list_set_size(&m->list, body.rows - 1, l->columns);
}

static void
layout_profile(struct app *app, struct layout *l, struct rect body)
{
	int third = (body.rows + 1) / 3, quarter = (l->rows - 1) / 4;
	int least = third < TIMELINE_USUAL ? third : TIMELINE_USUAL;
	int rows = layout_timeline_rows(app, body, quarter > least ? quarter : least);

	if (app->maximised || l->rows < ROWS_FOR_TIMELINE) {
		if (app->focus == PANE_TIMELINE)
			layout_alone(app, l, body);
		else
			layout_table(app, l, body);
		return;
	}
	layout_timeline(app, l, (struct rect){body.row, body.column, rows, body.columns});
	body.row += rows;
	body.rows -= rows;
	layout_table(app, l, body);
}

static int
profile_draw(struct app *app)
{
	bool timeline = app_context(app) == IN_TIMELINE;
	const struct layout *l = &app->layout;
	const struct fold *fold = app->s->display.figures.fold;

	if (l->table.rows > 0) {
		int eye = list_draw(&app->canvas, l->table, &app->s->methods.list);

		return timeline ? -1 : eye;
	}
	/* The table says so where there is one. */
	if (l->timeline.rows > 1 && fold != NULL && fold->records == 0 && !app_loading(app))
		canvas_text(&app->canvas, l->timeline.row + 1, l->timeline.column + 1,
		    l->timeline.column + l->timeline.columns, STR("no records"), ROLE_TEXT);
	return -1;
}

static void
profile_subject(const struct app *app, struct subject *to)
{
	const struct call *call = timeline_pane_call(&app->s->timeline);
	const struct track *track = timeline_pane_track(&app->s->timeline);

	to->method = methods_method(&app->s->methods);
	if (app_context(app) != IN_TIMELINE)
		return;
	to->thread = timeline_row_thread(app);
	if (call == NULL)
		return;
	to->method = call->method;
	if (track->kind == TRACK_CALLS && call->thread == to->thread)
		to->span = (struct range){call->enter[CLOCK_WALL], call->leave[CLOCK_WALL]};
}

/* In the timeline a search finds rows, and methods when there are none. */
static bool
profile_finds_rows(const struct app *app)
{
	size_t n, rows = 0;

	if (app_context(app) == IN_TIMELINE)
		timeline_pane_search_position(&app->s->timeline, &app->s->display, &n, &rows);
	return rows > 0;
}

static enum hits_found
profile_next_hit(struct app *app, int direction)
{
	return profile_finds_rows(app)
		   ? timeline_pane_search_next(&app->s->timeline, &app->s->display, direction)
		   : list_search_next(&app->s->methods.list, direction);
}

static void
profile_count_hits(struct app *app, size_t *n, size_t *of)
{
	if (profile_finds_rows(app))
		timeline_pane_search_position(&app->s->timeline, &app->s->display, n, of);
	else
		list_search_position(&app->s->methods.list, n, of);
}

bool
timeline_chosen(const struct app *app)
{
	const struct timeline_pane *t = &app->s->timeline;
	const struct track *row = timeline_pane_track(t);

	return app_context(app) == IN_TIMELINE && row != NULL && (t->settled || t->axis.placed) &&
	    (!track_equal(row, &app->s->seen_row) || t->axis.cursor != app->s->seen_at);
}

static void
profile_enter(struct app *app)
{
	const struct track *row = timeline_pane_track(&app->s->timeline);
	uint32_t selected = app->s->selected.method;

	if (selected != METHOD_NONE && selected != methods_method(&app->s->methods) &&
	    app->s->display.fold != NULL)
		(void)methods_select(&app->s->methods, selected);
	/* From now on only what is elsewhere on the timeline is a choice. */
	if (row != NULL)
		app->s->seen_row = *row;
	app->s->seen_at = app->s->timeline.axis.cursor;
}

/* The timeline alone has room for calls: those of one thread at least. */
static void
enter_timeline(struct app *app)
{
	profile_enter(app);
	if (!app->s->timeline.entered && !timeline_pane_any_open(&app->s->timeline))
		(void)timeline_pane_open(&app->s->timeline, true);
	app->s->timeline.entered = app->s->timeline.row_count > 0;
}

/* The call at the time cursor, with its stack; or only the thread. */
static void
profile_select_point(struct app *app)
{
	const struct call *call = timeline_pane_call(&app->s->timeline);
	enum clock_id axis = trace_default_clock(app->s->trace);
	uint32_t thread = timeline_row_thread(app), *stack, depth;

	if (call == NULL) {
		if (thread != THREAD_NONE)
			selection_set_thread(&app->s->selected, thread);
		return;
	}
	depth = call->depth;
	stack = mem_alloc(depth * sizeof(*stack));
	for (uint32_t i = 0; i < depth; i++)
		stack[i] = session_listed(app->s, app->s->timeline.point.stack[i]);
	/* The call that was stepped to may call others in its first instant. */
	if (picked_here(app)) {
		while (depth > 1 && stack[depth - 1] != app->s->picked.method)
			depth--;
		if (stack[depth - 1] != app->s->picked.method)
			depth = call->depth;
	}
	selection_set_stack(&app->s->selected, call->thread, stack, depth);
	if (picked_here(app))
		return;
	app->s->picked = (struct picked){true, session_listed(app->s, call->method),
	    {call->enter[axis], call->thread, call->order}, {call->enter[axis], call->leave[axis]}};
}

static void
profile_leave(struct app *app)
{
	uint32_t selected = methods_method(&app->s->methods), thread = app->s->selected.thread;

	/* (toplevel) is everything, which is the same as nothing selected. */
	selection_set_method(
	    &app->s->selected, selected != METHOD_TOPLEVEL ? selected : METHOD_NONE);
	/* While the trace is read any method may be the first for a while. */
	app->s->selected.idle = !app->s->methods.list.settled;
	if (app->s->selected.idle)
		app->s->selected.thread = thread;
	if (timeline_chosen(app))
		profile_select_point(app);
}

static void
profile_ask(struct app *app, struct asked *asked)
{
	if (app->layout.found.rows > 0)
		findings_ask(app, asked);
}

static look
profile_found(const struct app *app, struct sbuf *out)
{
	return findings_list_first(&app->s->findings, out);
}

const struct screen screen_profile = {
    .found = profile_found,
    .ask = profile_ask,
    .next_hit = profile_next_hit,
    .count_hits = profile_count_hits,
    .context_of = profile_context,
    .layout = layout_profile,
    .draw = profile_draw,
    .subject = profile_subject,
    .enter = profile_enter,
    .leave = profile_leave,
};

static bool
cells_sheet(struct app *app, struct sheet *out, bool files)
{
	return timeline_sheet(out, &app->s->timeline, &app->s->display.figures);
}

const struct screen screen_timeline = {
    .layout = layout_alone,
    .draw = profile_draw,
    .next_hit = profile_next_hit,
    .count_hits = profile_count_hits,
    .sheet = cells_sheet,
    .subject = profile_subject,
    .enter = enter_timeline,
    .leave = profile_leave,
};
