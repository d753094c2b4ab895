/* The table: expanding, sorting, columns, clock and how values look. */
#include <config.h>

#include "tui/app.h"
#include "tui/commands.h"

void
cmd_open(struct app *app)
{
	struct methods *m = &app->methods;
	struct row row;

	if (!methods_row(m, &row)) {
		app_complain(app, "no row to open");
		return;
	}
	if (row.kind == ROW_METHOD) {
		if (!list_close(&m->list))
			(void)list_open(&m->list);
		return;
	}
	if (row.kind != ROW_SELF) {
		app_visit(app);
		(void)methods_go(m, row.method);
		return;
	}
	(void)methods_select(m, row.method);
}

void
cmd_expand(struct app *app, int open)
{
	struct methods *m = &app->methods;
	struct row row;

	if (!methods_row(m, &row)) {
		app_complain(app, "no row to expand");
		return;
	}
	/* Hiding from inside takes the cursor to the method. */
	if (!open && row.kind != ROW_METHOD)
		(void)methods_select(m, row.of);
	(void)(open ? list_open : list_close)(&m->list);
}

static void
say_sort(struct app *app)
{
	const struct list *l = views_list(app);
	char title[FMT_SIZE];

	app_say(app, "sorted by %s, %s", list_name(l, l->sort, title),
	    l->ascending ? "ascending" : "descending");
}

void
cmd_sort_step(struct app *app, int direction)
{
	struct list *l = views_list(app);

	if (l->count > 0 && list_sort_step(l, direction))
		say_sort(app);
	else
		app_complain(
		    app, "no column further %s", direction < 0 ? "left" : "right");
}

void
cmd_invert(struct app *app)
{
	struct list *l = views_list(app);

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
	if (!list_scroll_columns(views_list(app), direction, app->layout.table.columns))
		app_complain(
		    app, "no column further %s", direction < 0 ? "left" : "right");
}

void
cmd_name_scroll(struct app *app, int direction)
{
	if (!methods_scroll_name(&app->methods, direction, app->layout.table.columns) &&
	    direction > 0)
		app_complain(app, "names end here");
}

void
cmd_name_end(struct app *app)
{
	(void)methods_scroll_name_end(&app->methods, app->layout.table.columns);
}

void
cmd_clock(struct app *app)
{
	static const char *const names[CLOCKS] = {"CPU time", "wall time"};
	enum clock_id now = app->table.figures.clock;
	enum clock_id other = now == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;

	if (!trace_has_clock(app->trace, other)) {
		app_complain(app, "this trace has only %s", names[now]);
		return;
	}
	app->table.figures.clock = other;
	app_say(app, "%s", names[other]);
}

void
cmd_base(struct app *app)
{
	struct range window = app_window_shown(app);
	bool left = range_is_all(&window) && transforms_active(&app->subset.transforms);
	enum percent_base next = BASE_PARENT;

	if (app->table.figures.base == BASE_PARENT)
		next = range_is_all(&window) && !left ? BASE_TRACE : BASE_WINDOW;
	else if (app->table.figures.base == BASE_WINDOW)
		next = BASE_TRACE;
	app->table.figures.base = next;
	app_say(app, "percent %s",
	    next == BASE_TRACE    ? "of the whole trace, parents and children, too"
	    : next == BASE_WINDOW && left
		? "of what the transforms leave, parents and children, too"
	    : next == BASE_WINDOW ? "of the window, parents and children, too"
				  : "of parents and children: of the expanded method");
}

void
cmd_elision(struct app *app)
{
	static const char *const names[] = {
	    [ELISION_AUTO] = "as they fit",
	    [ELISION_NONE] = "whole",
	    [ELISION_SHORT] = "one letter each",
	};

	app->table.elision = (enum elision)((app->table.elision + 1) % 3);
	app_say(app, "packages: %s", names[app->table.elision]);
}

void
cmd_units(struct app *app)
{
	app->table.figures.auto_units = !app->table.figures.auto_units;
	app_say(app, app->table.figures.auto_units ? "times: four digits and a unit"
						   : "times: exact, in ms");
}

void
cmd_mark(struct app *app)
{
	struct list *list = views_list(app);

	if (list == NULL || !list->source->marks || app_context(app) == IN_TIMELINE)
		app_complain(app, "rows are marked in the profile and among calls");
	else if (!list_mark(list))
		app_complain(app,
		    app_context(app) == IN_TABLE
			? "only methods are marked, not parents and children"
			: "no call to mark");
}

void
cmd_unmark(struct app *app)
{
	struct list *list = views_list(app);

	if (list == NULL || !list_unmark(list))
		app_complain(app, "nothing is marked (Space)");
}
