/* Moving: lines, threads, time cursor, and back to where one was. */
#include <config.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"

/* By how many lines; `page` is what is seen at once. */
static int64_t
distance(int how, size_t page)
{
	int64_t lines = (int64_t)page;

	switch (how < 0 ? -how : how) {
	case MOVE_LINE:
		lines = 1;
		break;
	case MOVE_HALF:
		lines = (lines + 1) / 2;
		break;
	case MOVE_PAGE:
		lines = lines > 1 ? lines - 1 : 1;
		break;
	default:
		lines = INT64_MAX / 4;
		break;
	}
	return how < 0 ? -lines : lines;
}

static void
scroll_info(struct app *app, int how)
{
	size_t room = (size_t)app->layout.info.rows;
	size_t lines = app->info.line_count, most = lines > room ? lines - room : 0;
	int64_t to = (int64_t)app->info_top + distance(how, room);

	app->info_top = to < 0 ? 0 : to > (int64_t)most ? most : (size_t)to;
}

void
cmd_move(struct app *app, int how)
{
	int threads = app->layout.timeline.rows - 2;

	switch (app_context(app)) {
	case IN_INFO:
		scroll_info(app, how);
		break;
	case IN_TIMELINE:
		if (app->timeline.thread_count == 0)
			app_complain(app, "no threads with records");
		else
			timeline_pane_move_thread(&app->timeline,
			    distance(how, threads > 0 ? (size_t)threads : 1));
		break;
	default:
		if (app->table.row_count == 0)
			app_complain(app, "no rows");
		else
			table_move(&app->table, distance(how, app->table.height));
		break;
	}
}

void
cmd_time_cursor(struct app *app, int cells)
{
	timeline_pane_move_cells(&app->timeline, cells);
}

void
cmd_centre(struct app *app, int arg)
{
	(void)arg;
	table_centre(&app->table);
}

void
cmd_back(struct app *app, int direction)
{
	const struct place *to;
	struct place now;

	place_take(&now, &app->table, app->scope,
	    app->timeline.axis.whole ? 0 : app->timeline.axis.from,
	    app->timeline.axis.whole ? 0 : app->timeline.axis.to);
	to = history_step(&app->history, direction, &now);
	if (to == NULL) {
		place_release(&now);
		app_complain(app,
		    direction < 0 ? "nowhere to go back to" : "nowhere to go forward to");
		return;
	}
	app_set_scope(app, scope_copy(to->scope));
	if (to->from == to->to)
		axis_show_all(&app->timeline.axis);
	else
		axis_zoom_to(&app->timeline.axis, to->from, to->to);
	place_restore(to, &app->table);
}
