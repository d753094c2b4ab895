// SPDX-License-Identifier: Apache-2.0
/* The view of a text log's cores, processes, threads and counters: a table at a time. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/layout.h"
#include "tui/popups/popup.h"
#include "tui/screens/screens.h"
#include "view/list/list.h"

static void
usage_refresh(struct app *app)
{
	usage_tables_fill(&app->s->tables, app->s->trace, app->s->usage);
}

/* Another table ------------------------------------------------------------------- */

static void
usage_show(struct app *app, enum usage_table table)
{
	app->s->tables.now = table;
	app_put_view(app, VIEW_USAGE);
}

static void
usage_show_list(struct app *app, enum usage_table table, const struct usage_ask *ask)
{
	app_visit(app);
	app->s->tables.ask = *ask;
	app->s->tables.opened = true;
	usage_show(app, table);
}

/* Where the rows lead ----------------------------------------------------------------- */

/* The thread that a row is about; THREAD_NONE: none. */
static uint32_t
goal_thread(const struct usage_goal *goal)
{
	return goal == NULL ? THREAD_NONE
	    : goal->kind == GOAL_TIME ? goal->thread
	    : goal->kind == GOAL_TABLE ? goal->ask.thread
				       : THREAD_NONE;
}

/* The time of a row fills half of the window, where it is more than a moment. */
static void
show_time(struct app *app, const struct usage_goal *goal)
{
	struct axis *axis = &app->s->timeline.axis;
	nsec margin = (goal->to - goal->at) / 2;

	if (goal->to > goal->at)
		axis_zoom_to(axis, goal->at - margin, goal->to + margin);
	axis_move_to(axis, goal->at);
}

/*
 * On the timeline, to a thread (THREAD_NONE: the present one) and a time; from what threads
 * waited for to the thread's states.
 */
static void
go_there(struct app *app, const struct usage_goal *goal)
{
	bool states = app->s->tables.now == USAGE_INTERVALS || app->s->tables.now == USAGE_WAITS ||
	    app->s->tables.now == USAGE_PATH || goal->kind == GOAL_TABLE;
	uint32_t thread = goal_thread(goal);
	nsec at = goal->at;
	char text[FMT_SIZE];
	struct str name;

	show_time(app, goal);
	fmt_ms(text, at);
	if (thread == THREAD_NONE) {
		app_say(app, "at %s ms (Backspace returns)", text);
		return;
	}
	if (states) {
		timeline_pane_go_state(&app->s->timeline, thread, at);
	} else {
		/* The thread's own row, not one below it. */
		timeline_pane_select_thread(&app->s->timeline, thread);
		timeline_pane_select_track(
		    &app->s->timeline, &(struct track){TRACK_THREAD, thread, 0});
	}
	name = names_thread(app->s->names, thread);
	if (app->s->timeline.thread == thread)
		app_say(app, "%" PRIu32 " %.*s at %s ms (Backspace returns)",
		    trace_thread(app->s->trace, thread)->id, STR_ARG(name), text);
	else
		app_complain(app, "%" PRIu32 " %.*s has no slices; the time cursor is at %s ms",
		    trace_thread(app->s->trace, thread)->id, STR_ARG(name), text);
}

static void
go_time(struct app *app, const struct usage_goal *goal)
{
	app_view(app, VIEW_TIMELINE);
	go_there(app, goal);
}

/* The timeline, at a core and a time; without room for cores at what ran there. */
static void
go_core(struct app *app, uint32_t cpu, const struct usage_goal *goal)
{
	char text[FMT_SIZE];

	app_view(app, VIEW_TIMELINE);
	/* There are rows of cores only where the timeline is high enough. */
	app_layout(app, app->layout.rows, app->layout.columns);
	show_time(app, goal);
	if (timeline_pane_go_core(&app->s->timeline, cpu, goal->at))
		app_say(app, "cpu%" PRIu32 " at %s ms (Backspace returns)", cpu,
		    fmt_ms(text, goal->at));
	else
		go_there(app, goal);
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
	if (filter != NULL && !list_filter(usage_tables_list(&app->s->tables), str_from(filter),
	    &e))
		app_complain(app, "%s", e.what);
}

/* NULL: there is no row. */
static const struct usage_goal *
usage_goal_here(const struct app *app)
{
	return app->s->tables.missing == NULL ? usage_tables_goal(&app->s->tables) : NULL;
}

/* A row of a list has its own time, of a table the longest there, of a thread all of it. */
static void
usage_subject(const struct app *app, struct subject *to)
{
	const struct usage_goal *goal = usage_goal_here(app);

	to->thread = goal_thread(goal);
	if (to->thread == THREAD_NONE)
		return;
	to->span = (struct range){goal->at, goal->to};
	if (app->s->tables.now == USAGE_THREADS || app->s->tables.now == USAGE_TOP)
		to->span = app->s->usage->range;
}

void
cmd_usage_details(struct app *app)
{
	uint32_t thread = screens_subject(app).thread;

	if (thread != THREAD_NONE)
		screens_show_thread(app, thread);
	else
		app_complain(app, "no thread to tell about");
}

void
cmd_usage_open(struct app *app)
{
	const struct usage_goal *goal = usage_goal_here(app);

	switch (goal != NULL ? goal->kind : GOAL_NONE) {
	case GOAL_PROCESS:
		app_visit(app);
		app_choose_scope(app, scope_of_process(app->s->trace, goal->process));
		usage_show(app, USAGE_THREADS);
		app_say(app, "only its threads (T: all, u: undo)");
		break;
	case GOAL_TIME:
		/* An interval on a core leads to that core. */
		if (app->s->tables.now == USAGE_INTERVALS && app->s->tables.ask.cpu != UINT32_MAX)
			go_core(app, app->s->tables.ask.cpu, goal);
		else
			go_time(app, goal);
		break;
	case GOAL_TABLE:
		go_table(app, goal);
		break;
	case GOAL_NONE:
		app_complain(app, "nothing to go to from this row");
		break;
	}
}

void
cmd_usage_zoom(struct app *app)
{
	const struct usage_goal *goal = usage_goal_here(app);

	if (goal != NULL && goal->to > goal->at)
		go_time(app, goal);
	else
		app_complain(app, "this row is about no time");
}

static struct list *
usage_list(struct app *app)
{
	return usage_tables_list(&app->s->tables);
}

static bool
usage_known(const struct app *app)
{
	return app->s->tables.missing == NULL;
}

static void
usage_layout(struct app *app, struct layout *l, struct rect body)
{
	l->body = body;
	list_set_size(usage_list(app), body.rows - 2, body.columns);
}

static void
usage_query(struct app *app, struct asked *asked)
{
	struct usage_tables *t = &app->s->tables;

	/* Values at the time cursor follow it. */
	if (t->cursor != app->s->timeline.axis.cursor) {
		t->cursor = app->s->timeline.axis.cursor;
		if (t->now == USAGE_COUNTERS)
			usage_refresh(app);
	}
	query_ask(asked, QUERY_USAGE)->usage = usage_tables_want(t);
}

/* "  filter main: 3 of 11 rows, Total ms 41.100": the first column of times that says how long. */
static void
usage_draw_filter(struct app *app, const struct list *g, int row, int at, int end)
{
	const struct column *c = g->source->columns;
	nsec sum = 0;
	int column = 0;

	while (c[column].id != NULL &&
	    (c[column].kind != VALUE_TIME || (c[column].flags & LIST_ASCENDING) != 0))
		column++;
	at = canvas_format(&app->canvas, row, at, end, ROLE_MARK, "  filter %.*s: %zu of %zu rows",
	    STR_ARG(names_clean(app->s->names, str_from(g->filter_text))), g->at.count, g->total);
	if (c[column].id == NULL)
		return;
	for (size_t i = 0; i < g->at.count; i++)
		sum += g->source->get(g->of, &g->rows[i], column).a;
	canvas_format(&app->canvas, row, at, end, ROLE_MARK, ", %s %s",
	    list_title(g, column, FMT_BUF), fmt_ms(FMT_BUF, sum));
}

static int
usage_draw(struct app *app)
{
	struct rect r = app->layout.body;
	const struct usage_tables *t = &app->s->tables;
	const struct list *g = usage_list(app);
	int end = r.column + r.columns, at;

	canvas_fill(&app->canvas, r.row, r.column, end, ' ', ROLE_TEXT);
	at = canvas_text(&app->canvas, r.row, r.column + 1, end,
	    names_head(app->s->names, sbuf_view(&t->heading), r.columns - 1), ROLE_TEXT | LOOK_BOLD);
	if (t->missing == NULL && g->filter_text != NULL)
		usage_draw_filter(app, g, r.row, at, end);
	r.row++;
	r.rows--;
	if (t->missing == NULL)
		return list_draw(&app->canvas, r, g);
	canvas_text(&app->canvas, r.row, r.column + 1, end, str_from(t->missing), ROLE_TEXT);
	return -1;
}

/* From a list that a row of a table opened, back to that table first. */
void
cmd_usage_step(struct app *app, int direction)
{
	struct usage_tables *t = &app->s->tables;
	int to = (int)t->now + direction;

	if (t->now >= USAGE_INTERVALS)
		to = (int)t->before;
	usage_show(app, (enum usage_table)((to + USAGE_INTERVALS) % USAGE_INTERVALS));
}

/* Filter -------------------------------------------------------------------------- */

static bool
usage_filter_apply(struct app *app, struct str filter)
{
	struct err e = {0};
	char text[100];

	if (list_filter(usage_list(app), filter, &e))
		return true;
	snprintf(text, sizeof(text), "%.80s", e.what);
	prompt_error(&app->prompt, e.has_offset ? (size_t)e.offset : app->prompt.n, text);
	return false;
}

static void
usage_filter_changed(struct app *app)
{
	struct str entered = prompt_text(&app->prompt);

	/* While nothing is entered that of before stays. */
	(void)usage_filter_apply(app, entered.n > 0 ? entered : str_from(app->usage_filter));
}

static bool
usage_filter_accepted(struct app *app)
{
	const struct list *g = usage_list(app);

	if (!usage_filter_apply(app, prompt_text(&app->prompt)))
		return false;
	if (g->err.kind != ERR_NONE)
		app_complain(app, "%s", g->err.what);
	else
		app_say(app, "%zu of %zu rows", g->at.count, g->total);
	return true;
}

static void
usage_filter_cancelled(struct app *app)
{
	(void)usage_filter_apply(app, str_from(app->usage_filter));
}

static const struct ask ask_filter = {
    "rows &", usage_filter_changed, usage_filter_accepted, usage_filter_cancelled, NULL, NULL, '&'};

void
cmd_usage_filter(struct app *app)
{
	const struct list *g = usage_list(app);

	snprintf(app->usage_filter, sizeof(app->usage_filter), "%s",
	    g->filter_text != NULL ? g->filter_text : "");
	app_ask(app, &ask_filter, STR(""));
}

static void
usage_again(struct app *app)
{
	cmd_usage_step(app, 1);
}

/* A list that is chosen in this table leads back to it. */
static void
usage_leave(struct app *app)
{
	if (app->s->tables.now < USAGE_INTERVALS)
		app->s->tables.before = app->s->tables.now;
}

/* Begins with a table that has rows where the scheduler was not recorded. */
static void
usage_enter(struct app *app)
{
	struct usage_tables *t = &app->s->tables;
	const struct log *log = app->s->trace->log;

	if (log != NULL && t->filled == NULL && !log->has_sched && usage_table_info[t->now]->sched && !app_loading(app))
		t->now = seg_count(&log->counters) > 0 ? USAGE_COUNTERS : USAGE_SUMMARY;
	usage_refresh(app);
}

const struct screen screen_usage = {
    .list = usage_list,
    .again = usage_again,
    .layout = usage_layout,
    .ask = usage_query,
    .refresh = usage_refresh,
    .subject = usage_subject,
    .draw = usage_draw,
    .known = usage_known,
    .enter = usage_enter,
    .leave = usage_leave,
};

/* Which table ------------------------------------------------------------------------ */

static void
table_fill(struct app *app)
{
	for (unsigned i = 0; i < USAGE_INTERVALS; i++)
		popup_add(app, i, i == app->s->tables.now ? "*" : " ", "%-26s %s",
		    usage_table_info[i]->title, usage_table_help[i]);
}

static void
table_choose(struct app *app, uint64_t id)
{
	usage_show(app, (enum usage_table)id);
}

static const struct popup_ops table_ops = {
    .title = "tables of the log",
    .width = 74,
    .fill = table_fill,
    .acts = {
        {LIST_CHOOSE, table_choose, "show", true, false},
    },
};

void
cmd_usage_pick(struct app *app)
{
	popup_open(app, &table_ops, app->s->tables.now);
}

/* Why a thread waited, its waker, and the chain of a slice ------------------------- */

void
cmd_waits(struct app *app)
{
	struct subject subject = screens_subject(app);
	struct usage_ask ask = USAGE_ASK_NONE;

	if (!app->s->trace->log->has_sched) {
		app_complain(app, "no scheduler events: why threads waited is not known");
		return;
	}
	/* Rows of trees are about all of the range, where one is chosen. */
	if (subject.span.from >= subject.span.to && views_have_trees(app) &&
	    !range_is_all(&app->s->subset.range))
		subject.span = app->s->subset.range;
	/* A row with a time is explained as a whole, the time cursor by the wait there. */
	ask.what = subject.span.from < subject.span.to ? USAGE_ASK_PATH : USAGE_ASK_WAITS;
	ask.thread = subject.thread;
	ask.at = subject.span.from;
	ask.to = subject.span.to;
	if (ask.thread == THREAD_NONE)
		app_complain(app, "this row has no thread");
	else if (trace_thread(app->s->trace, ask.thread)->kind != THREAD_TASK)
		app_complain(app, app_context(app) == IN_FRAMES
			? "no doFrame of this frame in the trace"
			: "this row is of no thread that could wait");
	else
		usage_show_list(app, ask.what == USAGE_ASK_PATH ? USAGE_PATH : USAGE_WAITS, &ask);
}

/* In the details: shows those of the waker, at that time. */
void
cmd_waker(struct app *app)
{
	const struct wake wake = app->s->timeline.point.slice.wake;
	struct place before;

	if (!app->s->told.moment || !app->s->timeline.point.slice.woken) {
		app_complain(app, "the thread's waker is not known");
		return;
	}
	if (wake.waker >= SCHED_INTERRUPT) {
		app_complain(app, "an interrupt woke it");
		return;
	}
	before = app_place(app);
	if (!timeline_pane_select_thread(&app->s->timeline, wake.waker) &&
	    app->s->timeline.thread != wake.waker) {
		struct str name = names_thread(app->s->names, wake.waker);

		place_release(&before);
		app_complain(app, "%.*s is not on the timeline", STR_ARG(name));
		return;
	}
	places_visit(&app->s->history, &before);
	axis_move_to(&app->s->timeline.axis, wake.at);
	app->s->told.method = METHOD_NONE;
	app_enter(app);
}

static bool
chain_find(const struct log *log, struct str id, uint32_t *chain)
{
	uint32_t count = seg_count(&log->chains);

	for (*chain = 0; *chain < count; ++*chain)
		if (str_equal(((struct log_chain *)seg_at(&log->chains, *chain))->id, id))
			return true;
	return false;
}

void
cmd_chain(struct app *app)
{
	const struct call *call = timeline_pane_call(&app->s->timeline);
	struct usage_ask ask = USAGE_ASK_NONE;

	ask.what = USAGE_ASK_CHAIN;
	if (call == NULL || !app->s->timeline.point.slice.known)
		app_complain(app, "no slice at the time cursor (9: all chains)");
	else if (!chain_find(app->s->trace->log, app->s->timeline.point.slice.detail.chain,
	    &ask.chain))
		app_complain(app, "this slice belongs to no chain (9: all chains)");
	else
		usage_show_list(app, USAGE_CHAIN, &ask);
}
