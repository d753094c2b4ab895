// SPDX-License-Identifier: Apache-2.0
/* Two traces compared: methods that got slower, faster, that are in one of them only. */
#include <config.h>

#include "base/utf8.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/diff/pane.h"
#include "view/list/list.h"

/* There are lists on the screen. */
static bool
diff_known(const struct app *app)
{
	return compare_ready(app) && diff_table_known(&app->compare.table);
}

/* The first list with a row in it, when the user has not gone to one yet. */
static void
diff_refresh(struct app *app)
{
	struct compare *c = &app->compare;

	compare_follow(app);
	if (!diff_known(app) || c->shown)
		return;
	c->shown = true;
	for (int i = 0; i < DIFF_CHANGES && diff_table_list(&c->table)->at.count == 0; i++)
		diff_table_step(&c->table, 1);
}

/* Keys may have changed what the lists are made of. */
static void
diff_layout(struct app *app, struct layout *l, struct rect body)
{
	l->body = body;
	diff_refresh(app);
	if (diff_known(app))
		diff_table_set_size(&app->compare.table, body.rows - DIFF_PANE_FRAME, l->columns);
}

/* Drawing ------------------------------------------------------------------------- */

static struct str
path_of_a(struct app *app)
{
	const struct compare *c = &app->compare;

	if (c->before != NULL)
		return names_clean(c->before->names, str_from(c->before->trace->path));
	return c->opener.path != NULL ? names_clean(app->s->names, str_from(c->opener.path))
	    : STR("");
}

/* Draws what slow calls and the others are, where the view has them. */
static bool
title_of_calls(struct app *app, const struct title *title)
{
	const struct session *s = app->s;
	const struct engine_paths *trees = s->trees;
	struct diff_calls of;

	if (app->view == VIEW_DIFF || trees == NULL || trees->pair == NULL || s->tree.pair != trees->pair)
		return false;
	of = (struct diff_calls){.calls = trees->calls, .over = trees->slow.over,
	    .mean = pathpair_of(trees->pair, PATH_NONE, s->display.figures.clock),
	    .thread = names_clean(s->names, trace_thread(s->trace, trees->thread)->name)};
	diff_title_draw_calls(&app->canvas, app->layout.title, title, &of);
	return true;
}

bool
screens_title_compared(struct app *app, const struct title *title)
{
	if (title_of_calls(app, title))
		return true;
	if (!diff_known(app) || (app->view != VIEW_DIFF && app->s->tree.pair == NULL))
		return false;
	diff_title_draw(&app->canvas, app->layout.title, title, path_of_a(app), &app->compare.table);
	return true;
}

/* "loading 64%" of one of both. */
static void
draw_state(struct app *app, struct rect r, const char *which, struct str path, bool there,
    bool loading, double progress)
{
	int end = r.column + r.columns;
	int at = canvas_format(&app->canvas, r.row, r.column + 1, end, ROLE_TEXT, "%s  %.*s  ",
	    which, STR_ARG(path));

	if (!there)
		canvas_text(&app->canvas, r.row, at, end, STR("is being opened (^C stops)"), ROLE_TEXT);
	else if (loading)
		canvas_format(&app->canvas, r.row, at, end, ROLE_TEXT, "loading %d%% (^C stops)",
		    (int)(progress * 100));
	else
		canvas_text(&app->canvas, r.row, at, end, STR("is loaded"), ROLE_TEXT);
}

static void
draw_waiting(struct app *app, struct rect r)
{
	const struct compare *c = &app->compare;

	draw_state(app, r, "A", path_of_a(app), c->before != NULL, compare_loading(app),
	    c->before != NULL ? c->before->now.progress : 0);
	r.row++;
	draw_state(app, r, "B", names_clean(app->s->names, str_from(app->s->trace->path)), true,
	    app_loading(app), app->s->now.progress);
}

static void
draw_none(struct app *app, struct rect r)
{
	static const char *const lines[] = {
	    "one trace is open; \":diff FILE\" compares it with another, which was before,",
	    "as \"slowtop diff FILE THIS\" does from the start",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		canvas_text(&app->canvas, r.row + (int)i, r.column + 1, r.column + r.columns,
		    str_from(lines[i]), ROLE_TEXT);
}

static int
diff_draw(struct app *app)
{
	const struct compare *c = &app->compare;
	struct rect r = app->layout.body;

	if (diff_known(app))
		return diff_pane_draw(&app->canvas, r, &c->table);
	if (!compare_is_on(app))
		draw_none(app, r);
	else if (!compare_ready(app))
		draw_waiting(app, r);
	else
		canvas_format(&app->canvas, r.row, r.column + 1, r.column + r.columns, ROLE_TEXT,
		    "the traces have no clock in common: %s only in A, %s only in B",
		    trace_default_clock(c->before->trace) == CLOCK_CPU ? "cpu" : "wall",
		    trace_default_clock(app->s->trace) == CLOCK_CPU ? "cpu" : "wall");
	return -1;
}

/* Selection ----------------------------------------------------------------------- */

static void
diff_subject(const struct app *app, struct subject *to)
{
	if (diff_known(app))
		to->method = diff_table_method(&app->compare.table);
}

static void
diff_enter(struct app *app)
{
	diff_refresh(app);
	if (app->s->selected.method != METHOD_NONE && !app->s->selected.idle &&
	    app->s->selected.method != screens_method(app))
		diff_table_go(&app->compare.table, app->s->selected.method);
}

static bool
diff_sheet(struct app *app, struct sheet *out, bool files)
{
	if (files)
		diff_table_sheet(out, &app->compare.table);
	else
		list_sheet(out, diff_table_list(&app->compare.table), false);
	return true;
}

/* Commands ------------------------------------------------------------------------ */

static const char *
diff_none(const struct app *app)
{
	return !compare_is_on(app) ? "no comparison (:diff FILE)" : "no rows";
}

static void
diff_move(struct app *app, int how)
{
	struct list *l = screens_list(app);

	if (!diff_known(app) || list_row(l) == NULL)
		app_complain(app, "%s", diff_none(app));
	else
		list_move(l, move_distance(how, l->at.height));
}

static void
diff_again(struct app *app)
{
	if (diff_known(app))
		cmd_diff_step(app, 1);
	else
		app_enter(app);
}

void
cmd_diff_step(struct app *app, int direction)
{
	if (diff_known(app))
		diff_table_step(&app->compare.table, direction);
	else
		app_complain(app, "%s", diff_none(app));
}

void
cmd_diff_value(struct app *app)
{
	struct diff_table *t = &app->compare.table;

	t->by.value = t->by.value == DIFF_INCLUSIVE ? DIFF_EXCLUSIVE : DIFF_INCLUSIVE;
	compare_follow(app);
	app_say(app, "%s time", diff_value_names[t->by.value]);
}

/* The method in the profile, with parents and children. */
void
cmd_diff_open(struct app *app)
{
	uint32_t selected = screens_method(app);

	if (!diff_known(app) || diff_table_row(&app->compare.table) == NULL) {
		app_complain(app, "%s", diff_none(app));
		return;
	}
	if (selected == METHOD_NONE) {
		app_complain(app, "the method is only in A, and only B can be browsed");
		return;
	}
	app_view(app, VIEW_PROFILE);
	app->focus = PANE_TABLE;
	(void)methods_go(&app->s->methods, selected);
}

/* A's methods have names, too. */
void
cmd_diff_copy(struct app *app)
{
	const struct diff_row *r = diff_known(app) ? diff_table_row(&app->compare.table) : NULL;
	struct sbuf text = {0};

	if (r == NULL || r->sum[DIFF_B].method != METHOD_NONE) {
		cmd_copy(app);
		return;
	}
	clean_append(&text, diff_table_raw(&app->compare.table, r), 0);
	copy_text(app, &text, "");
	sbuf_release(&text);
}

/* The clock is B's, and A must have it. */
void
cmd_diff_clock(struct app *app)
{
	cmd_clock(app);
	compare_follow(app);
	if (diff_known(app) && app->compare.table.lacks)
		app_complain(app, "A has no %s clock: compared by the other",
		    app->s->display.figures.clock == CLOCK_CPU ? "cpu" : "wall");
}

static struct list *
diff_list(struct app *app)
{
	return diff_table_list(&app->compare.table);
}

const struct screen screen_diff = {
    .list = diff_list,
    .move = diff_move,
    .again = diff_again,
    .title = screens_title_compared,
    .layout = diff_layout,
    .draw = diff_draw,
    .known = diff_known,
    .subject = diff_subject,
    .enter = diff_enter,
    .sheet = diff_sheet,
};
