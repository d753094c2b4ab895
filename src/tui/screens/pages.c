// SPDX-License-Identifier: Apache-2.0
/* Views that are text: the trace, and one method with all its figures. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/list/scroll.h"
#include "view/pages/info.h"

static void
text_layout(struct app *app, struct layout *l, struct rect body)
{
	size_t room = (size_t)body.rows, most;

	l->info = body;
	info_lay_out(&app->s->info, body.columns);
	most = app->s->info.line_count > room ? app->s->info.line_count - room : 0;
	if (app->s->info_top > most)
		app->s->info_top = most;
}

static void
text_scroll(struct app *app, int how)
{
	size_t room = (size_t)app->layout.info.rows;
	size_t lines = app->s->info.line_count, most = lines > room ? lines - room : 0;
	int64_t to = (int64_t)app->s->info_top + move_distance(how, room);

	app->s->info_top = to < 0 ? 0 : to > (int64_t)most ? most : (size_t)to;
}

/* Hits are marked from their first to their last character. */
static void
text_draw_hits(struct app *app)
{
	struct rect r = app->layout.info;

	for (int i = 0; i < r.rows && app->s->info_top + (size_t)i < app->s->info.line_count; i++) {
		struct str text;
		char *row;

		if (!info_is_hit(&app->s->info, app->s->info_top + (size_t)i,
		    app->s->display.search))
			continue;
		row = canvas_row(&app->canvas, r.row + i);
		text = str_from(row);
		canvas_add_look(&app->canvas, r.row + i,
		    r.column + (int)strspn(row, " "), r.column + (int)utf8_width(text), LOOK_HIT);
		mem_free(row);
	}
}

static int
text_draw(struct app *app)
{
	info_draw(&app->canvas, app->layout.info, &app->s->info, app->s->info_top);
	text_draw_hits(app);
	return -1;
}

static bool
text_is_hit(const void *app, size_t line)
{
	const struct app *a = app;

	return info_is_hit(&a->s->info, line, a->s->display.search);
}

static enum hits_found
text_next_hit(struct app *app, int direction)
{
	size_t at = app->s->info_found, rows = (size_t)app->layout.info.rows;
	enum hits_found found;

	/* From the line found last, while it is on the screen; else from the screen's first. */
	if (at < app->s->info_top || at >= app->s->info_top + rows)
		at = app->s->info_top;
	found = hits_next(app, text_is_hit, app->s->info.line_count, at, direction, &at);
	if (found == HITS_NONE)
		return found;
	app->s->info_found = at;
	if (at < app->s->info_top || at >= app->s->info_top + rows)
		app->s->info_top = at > rows / 2 ? at - rows / 2 : 0;
	return found;
}

static void
text_count_hits(struct app *app, size_t *n, size_t *of)
{
	hits_position(app, text_is_hit, app->s->info.line_count, app->s->info_found, n, of);
}

static size_t
text_position(const struct app *app, size_t *rows)
{
	size_t end = app->s->info_top + (size_t)app->layout.info.rows;

	*rows = app->s->info.line_count;
	return end < *rows ? end : *rows;
}

/* New rows have lines at once where the screen is known: keys may come before it is drawn. */
static void
text_break_lines(struct app *app)
{
	if (app->layout.info.columns > 0)
		info_lay_out(&app->s->info, app->layout.info.columns);
}

static void
info_refresh(struct app *app)
{
	info_build(
	    &app->s->info, app->s->trace, app->s->names, &app->s->now, app->s->display.figures.fold,
	    NULL);
	text_break_lines(app);
}

static void
details_refresh(struct app *app)
{
	const struct track of = {TRACK_THREAD, app->s->timeline.thread, 0};
	const struct engine_point *p = &app->s->timeline.point;
	const struct call *call = p->call.method != METHOD_NONE ? &p->call : NULL;
	const struct info_slice slice = {of.index, p->at, call, &p->slice};
	bool known = track_equal(&p->row, &of) && p->at == app->s->timeline.axis.cursor;

	if (app->s->told.frame.a != 0) {
		info_build_frame(&app->s->info, app->s->trace, app->s->names, &app->s->frames,
		    frames_find(&app->s->frames, app->s->told.frame));
		text_break_lines(app);
		return;
	}
	/* The details are of a time: its slice is known only now. */
	if (app->s->told.moment && known && app->s->told.method == METHOD_NONE && call != NULL)
		app->s->told.method = session_listed(app->s, call->method);
	if (app->s->display.figures.fold == NULL || (app->s->told.moment && !known))
		return;
	if (app->s->told.method == METHOD_NONE && !app->s->told.moment) {
		info_build_thread(&app->s->info, app->s->trace, app->s->names,
		    app->s->display.figures.fold,
		    app->s->told.thread);
	} else {
		info_build_method(&app->s->info, app->s->trace, app->s->names,
		    app->s->display.figures.fold,
		    app->s->told.method, app->s->told.moment ? &slice : NULL,
		    calls_found(app, app->s->told.method));
	}
	text_break_lines(app);
}

/* The slice is looked for here, too: from one to the next. */
static void
details_ask(struct app *app, struct asked *asked)
{
	struct query *q;

	if (!app->s->told.moment)
		return;
	q = query_ask(asked, QUERY_POINT);
	q->point = (struct track){TRACK_THREAD, app->s->timeline.thread, 0};
	q->at = app->s->timeline.axis.cursor;
	q->method = app->s->told.method;
}

static unsigned
details_context(const struct app *app)
{
	return app->s->trace->log != NULL ? IN_DETAILS : IN_INFO;
}

static void
text_enter(struct app *app)
{
	app->s->info_top = 0;
	views_now(app)->screen->refresh(app);
}

/* All lines, broken for this screen. */
static void
text_print(struct app *app, struct sbuf *out)
{
	struct canvas all;
	struct rect r = {0, 0, (int)app->s->info.line_count, app->layout.columns};

	canvas_init(&all, app->canvas.utf8);
	canvas_resize(&all, r.rows, r.columns);
	info_draw(&all, r, &app->s->info, 0);
	canvas_lines(&all, 0, r.rows, out);
	canvas_release(&all);
}

static bool
text_sheet(struct app *app, struct sheet *out, bool files)
{
	info_sheet(out, &app->s->info, &app->s->display.figures,
	    views_now(app)->screen == &screen_details ? "details" : "info");
	return app->s->info.count > 0;
}

/* Sets the subject to the method, thread or slice that the details are about. */
static void
details_subject(const struct app *app, struct subject *to)
{
	const struct call *call = &app->s->timeline.point.call;
	const struct jank_frame *frame = app->s->told.frame.a != 0
	    ? frames_find(&app->s->frames, app->s->told.frame) : NULL;

	to->method = app->s->told.method;
	if (frame != NULL) {
		*to = (struct subject){frame->heaviest, frame->thread,
		    {frame->start, frame->start + frame->time[CLOCK_WALL]}};
		return;
	}
	if (!app->s->told.moment && to->method == METHOD_NONE)
		*to = (struct subject){METHOD_NONE, app->s->told.thread,
		    {app->s->now.begin, app->s->now.end}};
	else if (call->method != METHOD_NONE && call->thread == to->thread)
		to->span = (struct range){call->enter[CLOCK_WALL], call->leave[CLOCK_WALL]};
}

const struct screen screen_info = {
    .move = text_scroll,
    .next_hit = text_next_hit,
    .count_hits = text_count_hits,
    .layout = text_layout,
    .refresh = info_refresh,
    .draw = text_draw,
    .position = text_position,
    .print = text_print,
    .sheet = text_sheet,
    .enter = text_enter,
};

const struct screen screen_details = {
    .move = text_scroll,
    .next_hit = text_next_hit,
    .count_hits = text_count_hits,
    .context_of = details_context,
    .layout = text_layout,
    .ask = details_ask,
    .refresh = details_refresh,
    .draw = text_draw,
    .position = text_position,
    .print = text_print,
    .sheet = text_sheet,
    .subject = details_subject,
    .enter = text_enter,
};
