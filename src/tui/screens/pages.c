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
	info_lay_out(&app->info, body.columns);
	most = app->info.line_count > room ? app->info.line_count - room : 0;
	if (app->info_top > most)
		app->info_top = most;
}

static void
text_scroll(struct app *app, int how)
{
	size_t room = (size_t)app->layout.info.rows;
	size_t lines = app->info.line_count, most = lines > room ? lines - room : 0;
	int64_t to = (int64_t)app->info_top + move_distance(how, room);

	app->info_top = to < 0 ? 0 : to > (int64_t)most ? most : (size_t)to;
}

/* Hits are underlined from their first to their last character. */
static void
draw_hits(struct app *app)
{
	struct rect r = app->layout.info;

	for (int i = 0; i < r.rows && app->info_top + (size_t)i < app->info.line_count; i++) {
		struct str text;
		char *row;

		if (!info_is_hit(&app->info, app->info_top + (size_t)i, app->display.search))
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
	info_draw(&app->canvas, app->layout.info, &app->info, app->info_top);
	draw_hits(app);
	return -1;
}

static bool
is_hit(const void *app, size_t line)
{
	const struct app *a = app;

	return info_is_hit(&a->info, line, a->display.search);
}

/* From the line found last, while it is on the screen; else from the screen's first. */
static size_t
found_line(const struct app *app)
{
	size_t end = app->info_top + (size_t)app->layout.info.rows;

	return app->info_found >= app->info_top && app->info_found < end ? app->info_found
									 : app->info_top;
}

static enum hits_found
next_hit(struct app *app, int direction)
{
	size_t at, rows = (size_t)app->layout.info.rows;
	enum hits_found found = hits_next(
	    app, is_hit, app->info.line_count, found_line(app), direction, &at);

	if (found == HITS_NONE)
		return found;
	app->info_found = at;
	if (at < app->info_top || at >= app->info_top + rows)
		app->info_top = at > rows / 2 ? at - rows / 2 : 0;
	return found;
}

static void
count_hits(struct app *app, size_t *n, size_t *of)
{
	hits_position(app, is_hit, app->info.line_count, app->info_found, n, of);
}

static size_t
text_position(const struct app *app, size_t *rows)
{
	size_t end = app->info_top + (size_t)app->layout.info.rows;

	*rows = app->info.line_count;
	return end < *rows ? end : *rows;
}

/* New rows have lines at once where the screen is known: keys may come before it is drawn. */
static void
break_lines(struct app *app)
{
	if (app->layout.info.columns > 0)
		info_lay_out(&app->info, app->layout.info.columns);
}

static void
info_refresh(struct app *app)
{
	info_build(
	    &app->info, app->trace, app->names, &app->now, app->display.figures.fold, NULL);
	break_lines(app);
}

static void
details_refresh(struct app *app)
{
	const struct track of = {TRACK_THREAD, app->timeline.thread, 0};
	const struct engine_point *p = &app->timeline.point;
	const struct call *call = p->call.method != METHOD_NONE ? &p->call : NULL;
	const struct info_slice slice = {of.index, p->at, call, &p->slice};
	bool known = track_equal(&p->row, &of) && p->at == app->timeline.axis.cursor;

	/* The details are of a time: its slice is known only now. */
	if (app->info_moment && known && app->info_method == METHOD_NONE && call != NULL)
		app->info_method = call->method;
	if (app->display.figures.fold == NULL || (app->info_moment && !known))
		return;
	if (app->info_method == METHOD_NONE && !app->info_moment) {
		info_build_thread(&app->info, app->trace, app->names, app->display.figures.fold,
		    app->info_thread);
	} else {
		info_build_method(&app->info, app->trace, app->names, app->display.figures.fold,
		    app->info_method, app->info_moment ? &slice : NULL,
		    calls_found(app, app->info_method));
	}
	break_lines(app);
}

/* The slice is looked for here, too: from one to the next. */
static void
details_ask(struct app *app, struct asked *asked)
{
	struct query *q;

	if (!app->info_moment)
		return;
	q = query_ask(asked, QUERY_POINT);
	q->point = (struct track){TRACK_THREAD, app->timeline.thread, 0};
	q->at = app->timeline.axis.cursor;
	q->method = app->info_method;
}

static unsigned
details_context(const struct app *app)
{
	return app->trace->log != NULL ? IN_DETAILS : IN_INFO;
}

static void
text_enter(struct app *app)
{
	app->info_top = 0;
	views_now(app)->refresh(app);
}

/* All lines, broken for this screen. */
static void
print(struct app *app, struct sbuf *out)
{
	struct canvas all;
	struct rect r = {0, 0, (int)app->info.line_count, app->layout.columns};

	canvas_init(&all, app->canvas.utf8);
	canvas_resize(&all, r.rows, r.columns);
	info_draw(&all, r, &app->info, 0);
	canvas_lines(&all, 0, r.rows, out);
	canvas_release(&all);
}

static bool
sheet(struct app *app, struct sheet *out, bool files)
{
	info_sheet(out, &app->info, &app->display.figures,
	    views_now(app) == &view_details ? "details" : "info");
	return app->info.count > 0;
}

static uint32_t
details_method(const struct app *app)
{
	return app->info_method;
}

const struct view view_info = {
    .recorded = true,
    .move = text_scroll,
    .next_hit = next_hit,
    .count_hits = count_hits,
    .context = IN_INFO,
    .layout = text_layout,
    .refresh = info_refresh,
    .draw = text_draw,
    .position = text_position,
    .print = print,
    .sheet = sheet,
    .enter = text_enter,
};

const struct view view_details = {
    .answers = 1u << QUERY_POINT,
    .move = text_scroll,
    .next_hit = next_hit,
    .count_hits = count_hits,
    .context_of = details_context,
    .layout = text_layout,
    .ask = details_ask,
    .refresh = details_refresh,
    .draw = text_draw,
    .position = text_position,
    .print = print,
    .sheet = sheet,
    .method = details_method,
    .enter = text_enter,
};
