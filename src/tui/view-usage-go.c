/* Where the rows of a log's tables lead. */
#include <config.h>

#include <inttypes.h>

#include "base/fmt.h"
#include "tui/view-usage.h"

/* Its own row, not one of those below it. */
static void
thread_row_select(struct timeline_pane *p, uint32_t thread)
{
	const struct track own = {TRACK_THREAD, thread, 0};

	timeline_pane_select_thread(p, thread);
	timeline_pane_select_track(p, &own);
}

/*
 * On the timeline, to a thread (THREAD_NONE: as it is) and a time; from lists of intervals
 * to the thread's states.
 */
static void
go_there(struct app *app, uint32_t thread, nsec at)
{
	bool states = app->tables.now == USAGE_INTERVALS || app->tables.now == USAGE_WAKERS;
	char text[FMT_SIZE];
	struct str name;

	axis_move_to(&app->timeline.axis, at);
	fmt_ms(text, at);
	if (thread == THREAD_NONE) {
		app_say(app, "at %s ms (Backspace returns)", text);
		return;
	}
	if (states)
		timeline_pane_go_state(&app->timeline, thread, at);
	else
		thread_row_select(&app->timeline, thread);
	name = names_thread(app->names, thread);
	if (app->timeline.thread == thread)
		app_say(app, "%" PRIu32 " %.*s at %s ms (Backspace returns)",
		    trace_thread(app->trace, thread)->id, STR_ARG(name), text);
	else
		app_complain(app, "%" PRIu32 " %.*s has no slices; the time cursor is at %s ms",
		    trace_thread(app->trace, thread)->id, STR_ARG(name), text);
}

static void
go_time(struct app *app, uint32_t thread, nsec at)
{
	app_visit(app);
	app_view(app, VIEW_TIMELINE);
	go_there(app, thread, at);
}

/* The timeline, at a core and a time; without room for cores at what ran there. */
static void
go_core(struct app *app, uint32_t cpu, const struct usage_goal *goal)
{
	char text[FMT_SIZE];

	app_visit(app);
	app_view(app, VIEW_TIMELINE);
	/* There are rows of cores only where the timeline is high enough. */
	app_layout(app, app->layout.rows, app->layout.columns);
	if (timeline_pane_go_core(&app->timeline, cpu, goal->at))
		app_say(app, "cpu%" PRIu32 " at %s ms (Backspace returns)", cpu,
		    fmt_ms(text, goal->at));
	else
		go_there(app, goal->thread, goal->at);
}

static void
go_process(struct app *app, uint32_t process)
{
	uint32_t count = trace_thread_count(app->trace);
	struct scope *scope = scope_new(count, false);

	for (uint32_t i = 0; i < count; i++)
		scope->in[i] = trace_thread(app->trace, i)->process == process;
	app_visit(app);
	app_note(app);
	app_set_scope(app, scope);
	usage_show(app, USAGE_THREADS);
	app_say(app, "only its threads (T: all, u: undo)");
}

static void
go_table(struct app *app, const struct usage_goal *goal)
{
	enum usage_table table = goal->table;
	const char *filter = goal->filter;
	struct err e = {0};

	if (table >= USAGE_INTERVALS) {
		const struct usage_ask ask = goal->ask;

		usage_show_list(app, table, &ask);
		return;
	}
	app_visit(app);
	usage_show(app, table);
	if (filter != NULL && !list_filter(usage_tables_list(&app->tables), str_from(filter), &e))
		app_complain(app, "%s", e.what);
}

/* NULL: there is no row. */
static const struct usage_goal *
goal_here(const struct app *app)
{
	return app->tables.missing == NULL ? usage_tables_goal(&app->tables) : NULL;
}

void
usage_details(struct app *app, int arg)
{
	const struct usage_goal *goal = goal_here(app);
	uint32_t thread = goal == NULL ? THREAD_NONE
	    : goal->kind == GOAL_TIME ? goal->thread
	    : goal->kind == GOAL_TABLE ? goal->ask.thread
				       : THREAD_NONE;

	(void)arg;
	if (thread != THREAD_NONE)
		views_show_thread(app, thread);
	else
		app_complain(app, "no thread to tell about");
}

void
usage_open(struct app *app, int arg)
{
	const struct usage_goal *goal = goal_here(app);

	(void)arg;
	switch (goal != NULL ? goal->kind : GOAL_NONE) {
	case GOAL_PROCESS:
		go_process(app, goal->process);
		break;
	case GOAL_TIME:
		/* What ran on a core leads to that core. */
		if (app->tables.now == USAGE_INTERVALS && app->tables.ask.cpu != UINT32_MAX)
			go_core(app, app->tables.ask.cpu, goal);
		else
			go_time(app, goal->thread, goal->at);
		break;
	case GOAL_TABLE:
		go_table(app, goal);
		break;
	case GOAL_NONE:
		app_complain(app, "this row leads nowhere");
		break;
	}
}
