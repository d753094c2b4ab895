// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/layout.h"

#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/methods.h"
#include "view/pages/details_pane.h"
#include "view/timeline/pane.h"

enum {
	STRIP_MOST = 7,
	LOWBW_ROWS = 4,
	STRIP_LINES = 3, /* beside its rows: the axis, the legend, the marks */
};

int
layout_timeline_rows(const struct app *app, struct rect body, int usual)
{
	const struct settings *s = app->settings;
	int rows = s->timeline > 0 ? s->timeline : s->timeline == 0 && s->lowbw ? LOWBW_ROWS : usual;

	if (rows > body.rows - TABLE_MIN)
		rows = body.rows - TABLE_MIN;
	return rows < TIMELINE_MIN ? TIMELINE_MIN : rows;
}

void
layout_timeline(struct app *app, struct layout *l, struct rect r)
{
	l->timeline = r;
	app->s->timeline.legend = app->canvas.colours || app->s->trace->log != NULL;
	timeline_pane_set_size(&app->s->timeline, r.rows, r.columns);
}

/* The timeline above a view; what is left is the view's. */
static struct rect
layout_strip(struct app *app, struct layout *l, struct rect body)
{
	int usual = body.rows / 5, rows = (int)app->s->timeline.row_count + STRIP_LINES;

	if (usual > STRIP_MOST)
		usual = STRIP_MOST;
	/* Few threads need no more. */
	rows = layout_timeline_rows(app, body, rows < usual ? rows : usual);

	if (!views_show(app, SHOWS_STRIP) || l->rows < ROWS_FOR_STRIP || app->maximised ||
	    app->settings->timeline < 0 || (app->settings->lowbw && app->settings->timeline == 0))
		return body;
	layout_timeline(app, l, (struct rect){body.row, body.column, rows, body.columns});
	body.row += rows;
	body.rows -= rows;
	return body;
}

void
app_layout(struct app *app, int rows, int columns)
{
	struct layout l = {.rows = rows, .columns = columns};
	struct rect body;
	int first;

	app->canvas.colours = app->term != NULL && term_colours(app->term);
	l.too_small = rows < ROWS_MIN || columns < COLUMNS_MIN;
	if (!l.too_small) {
		l.title = rows >= ROWS_FOR_TIMELINE;
		first = l.title + 1;
		if (views_now(app)->screen->found != NULL && rows >= ROWS_FOR_FOUND)
			l.found = (struct rect){first++, 0, 1, columns};
		if (draw_has_changes(app) && columns < TITLE_WIDE)
			l.filters = (struct rect){first++, 0, 1, columns};
		body = (struct rect){first, 0, rows - 1 - first, columns};
		if (columns >= DETAILS_FROM && views_show(app, SHOWS_DETAILS) && !app->maximised) {
			body.columns -= DETAILS_WIDTH;
			l.details = (struct rect){
			    first, body.columns, body.rows, DETAILS_WIDTH};
		}
		screens_layout(app, &l, layout_strip(app, &l, body));
	}
	app->layout = l;
	app->laid_out = true;
	if (app->canvas.rows != rows || app->canvas.columns != columns)
		canvas_resize(&app->canvas, rows, columns);
	popup_layout(app);
}

/* The method that has marks: the selected one, once the keys have rested. */
static uint32_t
marked(const struct app *app)
{
	if (app->s->details_late)
		return app->s->details_method;
	/* In the timeline a view's method is that of the call at the time cursor. */
	return app_context(app) == IN_TIMELINE ? methods_method(&app->s->methods)
					       : screens_method(app);
}

void
layout_ask_timeline(struct app *app, struct asked *asked)
{
	timeline_pane_ask(&app->s->timeline, asked, marked(app), app_context(app) == IN_TIMELINE);
}

void
layout_draw_timeline(struct app *app)
{
	struct timeline_show show = {
	    .focused = app_context(app) == IN_TIMELINE,
	    .fold = app->s->display.figures.fold,
	    .scope = app->s->subset.scope,
	    .method = marked(app),
	    .window = app_window_shown(app),
	    .deadline = range_equal(&app->s->deadline.range, &app->s->subset.range)
		? app->s->deadline.at : -1,
	    .choosing = app->s->choosing,
	    .chosen = app_chosen(app),
	    .search = &app->s->display,
	    .elision = app->s->display.elision,
	};

	timeline_pane_draw(&app->canvas, app->layout.timeline, &app->s->timeline, &show);
}
