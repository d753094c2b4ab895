/* Moving: lines, threads, time cursor, and back to where one was. */
#include <config.h>

#include "tui/app.h"
#include "tui/commands.h"
#include "view/timeline/window.h"

int64_t
move_distance(int how, size_t page)
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

void
cmd_move(struct app *app, int how)
{
	int threads = app->layout.timeline.rows - 2;
	struct list *list = views_list(app);

	if (views_now(app)->move != NULL) {
		views_now(app)->move(app, how);
	} else if (app_context(app) == IN_TIMELINE) {
		if (app->timeline.row_count == 0)
			app_complain(app, "no threads with records");
		else
			timeline_pane_move(&app->timeline,
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
	if (!timeline_pane_move_thread(&app->timeline, direction))
		app_complain(app, direction > 0 ? "no thread below" : "no thread above");
}

void
cmd_time_cursor(struct app *app, int cells)
{
	timeline_pane_move_cells(&app->timeline, cells);
}

void
cmd_centre(struct app *app)
{
	struct list *list = views_list(app);

	say_centred(app, list != NULL && list_centre(list));
}

void
say_centred(struct app *app, bool moved)
{
	if (!moved)
		app_say(app, "this is as near to the middle as it can be");
}

/* So that going there changes nothing that can be seen. */
static bool
looks_alike(const struct place *a, const struct place *b)
{
	/* Of the comparison: other views show more of a place than can be compared here. */
	return a->view == VIEW_DIFF && b->view == VIEW_DIFF &&
	       a->selection.method == b->selection.method &&
	       window_equal(&a->window, &b->window) && scope_equal(a->scope, b->scope);
}

void
cmd_back(struct app *app, int direction)
{
	struct place now = app_place(app);
	const struct place *to;

	to = history_step(&app->history, direction, &now);
	if (to == NULL) {
		place_release(&now);
		app_complain(app,
		    direction < 0 ? "nowhere to go back to" : "nowhere to go forward to");
		return;
	}
	if (looks_alike(&now, to))
		app_say(app, "this is where you were");
	app_go(app, to);
}
