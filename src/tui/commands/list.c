// SPDX-License-Identifier: Apache-2.0
/* Commands of all lists: moving, opening, order, columns, marks; and how values look. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"

/* Moving ------------------------------------------------------------------------------- */

int64_t
move_distance(int how, size_t page)
{
	const int64_t rows = (int64_t)page, far = how < 0 ? -how : how;
	const int64_t lines = far == MOVE_LINE ? 1
	    : far == MOVE_HALF             ? (rows + 1) / 2
	    : far != MOVE_PAGE             ? INT64_MAX / 4
	    : rows > 1                     ? rows - 1
					   : 1;

	return how < 0 ? -lines : lines;
}

void
cmd_move(struct app *app, int how)
{
	int threads = app->layout.timeline.rows - 2;
	struct list *list = screens_list(app);

	if (views_now(app)->screen->move != NULL) {
		views_now(app)->screen->move(app, how);
	} else if (app_context(app) == IN_TIMELINE) {
		if (app->s->timeline.row_count == 0)
			app_complain(app, "no threads with records");
		else
			timeline_pane_move(&app->s->timeline,
			    move_distance(how, threads > 0 ? (size_t)threads : 1));
	} else if (list != NULL) {
		if (list->at.count == 0)
			app_complain(app, "no rows");
		else
			list_move(list, move_distance(how, list->at.height));
	}
}

void
cmd_thread_step(struct app *app, int direction)
{
	if (!timeline_pane_move_thread(&app->s->timeline, direction))
		app_complain(app, direction > 0 ? "no thread below" : "no thread above");
}

void
cmd_time_cursor(struct app *app, int cells)
{
	axis_move(&app->s->timeline.axis, cells, timeline_pane_cells(&app->s->timeline));
}

void
cmd_centre(struct app *app)
{
	if (!scroll_centre(&screens_list(app)->at))
		app_say(app, "already centred");
}

void
cmd_back(struct app *app, int direction)
{
	if (!app_step(app, direction))
		app_complain(app, direction < 0 ? "nothing to go back to (q quits)"
						: "nothing to go forward to");
}

/* Rows, order, columns, values --------------------------------------------------------- */

void
cmd_open(struct app *app)
{
	struct methods *m = &app->s->methods;
	struct row row;

	if (!methods_row(m, &row)) {
		app_complain(app, "no row to open");
	} else if (row.kind == ROW_METHOD) {
		if (!list_close(&m->list))
			(void)list_open(&m->list);
	} else if (row.kind == ROW_SELF) {
		(void)methods_select(m, row.method);
	} else {
		app_visit(app);
		(void)methods_go(m, row.method);
	}
}

/* Goes to the next row of its level, or out of that; evidence is a part of its finding. */
void
cmd_row_step(struct app *app, int direction)
{
	struct list *l = screens_list(app);
	bool up = app_context(app) == IN_FINDINGS && list_to_parent(l);

	if (!(up && direction < 0) && !list_to_sibling(l, direction) &&
	    !(list_to_parent(l) && (direction < 0 || list_to_sibling(l, direction))))
		app_complain(app, direction > 0 ? "this is the last one" : "this is the first one");
}

/* Hiding from inside takes the cursor to the row above. */
void
cmd_expand(struct app *app, int open)
{
	struct list *l = screens_list(app);

	if (open && !list_open(l))
		app_complain(app, "nothing to expand");
	else if (!open && !list_close(l) && !(list_to_parent(l) && list_close(l)))
		app_complain(app, "nothing to collapse");
}

static void
say_sort(struct app *app)
{
	const struct list *l = screens_list(app);

	app_say(app, "sorted by %s, %s", list_name(l, l->sort, FMT_BUF),
	    l->ascending ? "ascending" : "descending");
}

void
cmd_sort_step(struct app *app, int direction)
{
	struct list *l = screens_list(app);

	if (l->count > 0 && list_sort_step(l, direction))
		say_sort(app);
	else
		app_complain(
		    app, "no column further %s", direction < 0 ? "left" : "right");
}

bool
cmd_sort(struct app *app, const struct argument *a, struct err *e)
{
	char word[PROMPT_MAX + 1];

	snprintf(word, sizeof(word), "%.*s", STR_ARG(a->text));
	if (a->text.n == 0)
		pick_sort(app);
	else if (!list_sort_word(screens_list(app), word))
		return err_set(e, ERR_MALFORMED, "no column '%s' here (Tab)", word);
	else
		say_sort(app);
	return true;
}

bool
cmd_where(struct app *app, const struct argument *a, struct err *e)
{
	struct display *display = &app->s->display;
	struct list *l = screens_list(app);
	struct wheres now = {.list = NULL};

	wheres_copy(&now, &display->wheres);
	if (!wheres_set(&now, l, a->text, e)) {
		wheres_release(&now);
		return false;
	}
	if (!wheres_equal(&now, &display->wheres)) {
		app_note(app);
		wheres_copy(&display->wheres, &now);
		display->refilters++;
		list_refilter(l);
	}
	wheres_release(&now);
	if (wheres_of(&display->wheres, l->source) == NULL)
		app_say(app, "rows with any figures");
	else
		app_say(app, "%zu of %zu rows", l->passed, l->total);
	return true;
}

void
cmd_invert(struct app *app)
{
	struct list *l = screens_list(app);

	if (l->count == 0) {
		app_complain(app, "no rows");
		return;
	}
	list_sort(l, l->sort, !l->ascending);
	say_sort(app);
}

void
cmd_columns_scroll(struct app *app, int direction)
{
	if (!list_scroll_columns(screens_list(app), direction, app->layout.table.columns))
		app_complain(
		    app, "no column further %s", direction < 0 ? "left" : "right");
}

void
cmd_name_scroll(struct app *app, int how)
{
	if (!methods_scroll_name(&app->s->methods, how, app->layout.table.columns))
		app_complain(app, how > 0 ? "the names end here" : "the names are shown whole");
	else if (app->s->display.name_skip == 0)
		app_say(app, "names from their beginning (^: fitted to the column)");
}

void
cmd_clock(struct app *app)
{
	static const char *const names[CLOCKS] = {"CPU time", "wall time"};
	enum clock_id other = clock_other(app->s->display.figures.clock);

	app->s->display.figures.clock = other;
	app->s->display.clock_chosen = true;
	app_say(app, "%s", names[other]);
}

void
cmd_base(struct app *app)
{
	struct range window = app_window_shown(app);
	bool left = range_is_all(&window) && transforms_active(&app->s->subset.transforms);
	enum percent_base next = BASE_PARENT;

	if (app->s->display.figures.base == BASE_PARENT)
		next = range_is_all(&window) && !left ? BASE_TRACE : BASE_WINDOW;
	else if (app->s->display.figures.base == BASE_WINDOW)
		next = BASE_TRACE;
	app->s->display.figures.base = next;
	app_say(app, "percent %s",
	    next == BASE_TRACE    ? "of the whole trace, also for parents and children"
	    : next == BASE_WINDOW && left
		? "of what the transforms leave, also for parents and children"
	    : next == BASE_WINDOW ? "of the range, also for parents and children"
				  : "for parents and children: of the expanded method");
}

void
cmd_elision(struct app *app)
{
	static const char *const names[] = {
	    [ELISION_AUTO] = "as they fit",
	    [ELISION_NONE] = "whole",
	    [ELISION_SHORT] = "one letter each",
	};

	app->s->display.elision = (enum elision)((app->s->display.elision + 1) % 3);
	app_say(app, "packages: %s", names[app->s->display.elision]);
}

void
cmd_fold_names(struct app *app)
{
	screens_select(app);
	app->s->subset.folded = !app->s->subset.folded;
	if (app->s->selected.method != METHOD_NONE)
		selection_set_method(&app->s->selected, session_listed(app->s, app->s->selected.method));
	app_say(app, app->s->subset.folded ? "slices whose names differ in numbers are one row"
	    : "names of slices as they are (F9 folds them)");
}

void
cmd_units(struct app *app)
{
	app->s->display.figures.auto_units = !app->s->display.figures.auto_units;
	app_say(app, app->s->display.figures.auto_units ? "times: four digits and a unit"
						   : "times: exact, in ms");
}

void
cmd_mark(struct app *app)
{
	if (!list_mark(screens_list(app)))
		app_complain(app,
		    app_context(app) == IN_TABLE
			? "methods can be marked, parents and children cannot"
			: "no call to mark");
}

void
cmd_unmark(struct app *app)
{
	if (!list_unmark(screens_list(app)))
		app_complain(app, "nothing is marked (Space marks)");
}
