/*
 * pick-threads: the list of threads, in which they are chosen.
 */
#include <config.h>

#include "tui/commands.h"

#include <stdio.h>

#include "tui/app.h"
#include "tui/popup.h"
#include "view/thread_list.h"

static size_t
thread_count(struct app *app)
{
	return app->timeline.thread_count;
}

static void
thread_text(struct app *app, size_t item, char *out, size_t size)
{
	uint32_t thread = app->timeline.threads[item];
	struct str name = names_thread(app->names, thread);

	snprintf(
	    out, size, "%u %.*s", trace_thread(app->trace, thread)->id, STR_ARG(name));
}

static void
thread_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	uint32_t thread = app->timeline.threads[item];
	struct thread_row row = {thread, scope_has(app->subset.scope, thread)};

	if (app->table.figures.fold != NULL)
		thread_row_draw(c, r.row, r.column, r.column + r.columns, app->trace,
		    app->names, app->table.figures.fold, &row, selected);
}

static uint64_t
thread_identity(struct app *app, size_t item)
{
	return app->timeline.threads[item];
}

static void
thread_header(struct app *app, struct canvas *c, struct rect r)
{
	thread_header_draw(c, r.row, r.column, r.column + r.columns, app->trace);
}

static void
choose(struct app *app, struct scope *scope)
{
	app_note(app);
	app_set_scope(app, scope);
}

static void
thread_toggle(struct app *app, size_t item)
{
	uint32_t thread = app->timeline.threads[item],
		 count = trace_thread_count(app->trace);
	struct scope *scope = scope_new(count, app->subset.scope == NULL);

	for (uint32_t i = 0; i < count; i++)
		scope->in[i] = scope_has(app->subset.scope, i);
	scope->in[thread] ^= 1;
	choose(app, scope);
	if (app->popup.cursor + 1 < app->popup.count)
		app->popup.cursor++;
}

static void
thread_only(struct app *app, size_t item)
{
	struct scope *scope = scope_new(trace_thread_count(app->trace), false);

	scope->in[app->timeline.threads[item]] = 1;
	choose(app, scope);
}

static void
thread_all(struct app *app, size_t item)
{
	(void)item;
	choose(app, NULL);
}

static void
thread_pin(struct app *app, size_t item)
{
	timeline_pane_select_thread(&app->timeline, app->timeline.threads[item]);
	timeline_pane_pin(&app->timeline);
}

static const struct popup_act thread_acts[] = {
    {LIST_TOGGLE, thread_toggle, "in/out", false, false},
    {LIST_ALL, thread_all, "all", false, true},
    {LIST_PIN, thread_pin, "pin", false, false},
    {LIST_CHOOSE, thread_only, "only this", true, false},
    {0},
};

static const struct popup_ops thread_ops = {
    .title = "threads",
    .none = "no threads with records",
    .width = 74,
    .has_cursor = true,
    .count = thread_count,
    .draw = thread_draw,
    .text = thread_text,
    .identity = thread_identity,
    .header = thread_header,
    .acts = thread_acts,
};

void
pick_threads(struct app *app)
{
	size_t cursor = 0;

	while (cursor < app->timeline.thread_count &&
	       app->timeline.threads[cursor] != app->timeline.thread)
		cursor++;
	popup_open(app, &thread_ops, cursor);
}
