/* Lists to choose from: columns, threads and their order, kinds of rows, frames of a stack. */
#include <config.h>

#include "tui/keys/commands.h"

#include <inttypes.h>
#include <stdio.h>

#include "tui/app.h"
#include "tui/popups/popup.h"
#include "view/thread_list.h"

/* Columns: to sort by, and to show ---------------------------------------- */

/* The item-th that this trace has, in the order of the list; -1 after the last. */
static int
column_at(struct app *app, size_t item)
{
	const struct list *l = views_list(app);

	for (int i = 0; i < l->count; i++)
		if (list_has(l, l->columns->order[i]) && item-- == 0)
			return l->columns->order[i];
	return -1;
}

static size_t
column_count(struct app *app)
{
	size_t count = 0;

	while (column_at(app, count) >= 0)
		count++;
	return count;
}

static void
column_text(struct app *app, size_t item, char *out, size_t size)
{
	const struct list *l = views_list(app);
	int id = column_at(app, item);
	char title[FMT_SIZE];

	snprintf(out, size, "%-16s %s", list_name(l, id, title), l->source->columns[id].help);
}

static uint64_t
column_identity(struct app *app, size_t item)
{
	return (uint64_t)column_at(app, item);
}

static const char *
sort_sign(struct app *app, size_t item)
{
	const struct list *l = views_list(app);

	if (column_at(app, item) != l->sort)
		return " ";
	return l->ascending ? "^" : "v";
}

static void
sort_choose(struct app *app, size_t item)
{
	struct list *l = views_list(app);
	int id = column_at(app, item);

	list_sort(l, id, id == l->sort ? !l->ascending : column_ascends(&l->source->columns[id]));
}

static const struct popup_act sort_acts[] = {
    {LIST_CHOOSE, sort_choose, "sort", true, false},
    {0},
};

static const struct popup_ops sort_ops = {
    .title = "sort by",
    .width = 70,
    .count = column_count,
    .sign = sort_sign,
    .text = column_text,
    .identity = column_identity,
    .acts = sort_acts,
};

void
pick_sort(struct app *app)
{
	popup_open(app, &sort_ops, (uint64_t)views_list(app)->sort);
}

static const char *
columns_sign(struct app *app, size_t item)
{
	return list_visible(views_list(app), column_at(app, item)) ? "[x]" : "[ ]";
}

static void
columns_show(struct app *app, size_t item)
{
	struct list *l = views_list(app);
	int id = column_at(app, item);

	if (!list_show(l, id,
		app->popup.act == LIST_AUTO ? SHOWN_AUTO
		: list_visible(l, id)       ? SHOWN_NO
					    : SHOWN_YES))
		app_complain(app, "this column always stays");
}

static void
columns_move(struct app *app, size_t item)
{
	if (!list_shift(views_list(app), column_at(app, item),
		app->popup.act == LIST_LEFT ? -1 : 1))
		app_complain(app, "it cannot move further");
}

static void
columns_widen(struct app *app, size_t item)
{
	int by = app->popup.act == LIST_NARROWER ? -1 : 1;

	if (!list_widen(views_list(app), column_at(app, item), by))
		app_complain(app, "it cannot be %s", by < 0 ? "narrower" : "wider");
}

static const struct popup_act columns_acts[] = {
    {LIST_TOGGLE, columns_show, "show/hide", false, false},
    {LIST_AUTO, columns_show, "as wide as fits", false, false},
    {LIST_LEFT, columns_move, "left", false, false},
    {LIST_RIGHT, columns_move, "right", false, false},
    {LIST_WIDER, columns_widen, "wider", false, false},
    {LIST_NARROWER, columns_widen, "narrower", false, false},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops columns_ops = {
    .title = "columns",
    .width = 77,
    .count = column_count,
    .sign = columns_sign,
    .text = column_text,
    .identity = column_identity,
    .acts = columns_acts,
};

void
pick_columns(struct app *app)
{
	popup_open(app, &columns_ops, column_identity(app, 0));
}

/* Order of the threads ---------------------------------------------------- */

static const char *
order_sign(struct app *app, size_t item)
{
	return item == (size_t)app->timeline.by ? "*" : " ";
}

static void
order_text(struct app *app, size_t item, char *out, size_t size)
{
	(void)app;
	snprintf(out, size, "%s", thread_order_names[item]);
}

static void
order_choose(struct app *app, size_t item)
{
	timeline_pane_set_order(&app->timeline, (enum thread_order)item);
}

static const struct popup_act order_acts[] = {
    {LIST_CHOOSE, order_choose, "order", true, false},
    {0},
};

static const struct popup_ops order_ops = {
    .title = "threads by",
    .width = 36,
    .items = THREAD_ORDERS,
    .sign = order_sign,
    .text = order_text,
    .acts = order_acts,
};

void
pick_order(struct app *app)
{
	popup_open(app, &order_ops, app->timeline.by);
}

/* Kinds of rows of the timeline -------------------------------------------- */

static const char *
row_sign(struct app *app, size_t item)
{
	return (app->timeline.kinds & 1u << track_choices[item].kind) != 0 ? "[x]" : "[ ]";
}

static void
row_text(struct app *app, size_t item, char *out, size_t size)
{
	(void)app;
	snprintf(out, size, "%-10s %s", track_choices[item].word, track_choices[item].help);
}

static void
row_toggle(struct app *app, size_t item)
{
	timeline_pane_set_kinds(
	    &app->timeline, app->timeline.kinds ^ 1u << track_choices[item].kind);
}

static const struct popup_act row_acts[] = {
    {LIST_TOGGLE, row_toggle, "show/hide", false, false},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops row_ops = {
    .title = "rows of the timeline",
    .width = 64,
    .items = TRACK_CHOICES,
    .sign = row_sign,
    .text = row_text,
    .acts = row_acts,
};

void
pick_rows(struct app *app)
{
	popup_open(app, &row_ops, 0);
}

/* Threads ------------------------------------------------------------------- */

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
thread_draw(struct app *app, struct canvas *c, struct rect r, size_t item)
{
	uint32_t thread = app->timeline.threads[item];
	struct thread_row row = {thread, scope_has(app->subset.scope, thread)};

	if (app->display.figures.fold != NULL)
		thread_row_draw(c, r.row, r.column, r.column + r.columns, app->trace,
		    app->names, app->display.figures.fold, &row, popup_is_on(app, item));
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
thread_toggle(struct app *app, size_t item)
{
	app_toggle_thread(app, app->timeline.threads[item]);
	cmd_list_move(app, MOVE_LINE);
}

static void
thread_only(struct app *app, size_t item)
{
	app_choose_thread(app, app->timeline.threads[item]);
}

static void
thread_all(struct app *app, size_t item)
{
	(void)item;
	app_choose_scope(app, NULL);
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
	popup_open(app, &thread_ops, app->timeline.thread);
}

/* The stack of a call, from it down to the empty stack ----------------------- */

static size_t
stack_count(struct app *app)
{
	const struct call_row *row = calls_list_row(&app->calls);

	return row != NULL ? app->calls.calls->frames[row->frame].depth : 0;
}

static uint32_t
method_at(struct app *app, size_t item)
{
	const struct calls *c = app->calls.calls;
	uint32_t frame = calls_list_row(&app->calls)->frame;

	while (item-- > 0)
		frame = c->frames[frame].caller;
	return c->frames[frame].method;
}

static void
stack_draw(struct app *app, struct canvas *c, struct rect r, size_t item)
{
	int column = canvas_format(c, r.row, r.column, r.column + r.columns, ROLE_POPUP,
	    "%4zu ", stack_count(app) - item);
	int room = r.column + r.columns - column;

	if (room > 0)
		canvas_text(c, r.row, column, column + room,
		    names_fit(app->names, method_at(app, item), room, app->display.elision).text,
		    ROLE_POPUP);
}

static void
stack_text(struct app *app, size_t item, char *out, size_t size)
{
	struct str name = names_full(app->names, method_at(app, item));

	snprintf(out, size, "%.*s", STR_ARG(name));
}

static void
stack_go(struct app *app, size_t item)
{
	uint32_t method = method_at(app, item);

	app_visit(app);
	app_view(app, VIEW_PROFILE);
	(void)methods_select(&app->methods, method);
}

static const struct popup_act stack_acts[] = {
    {LIST_CHOOSE, stack_go, "go to", true, false},
    {0},
};

static const struct popup_ops stack_ops = {
    .title = "stack of the call",
    .none = "no call to tell about",
    .width = 74,
    .count = stack_count,
    .draw = stack_draw,
    .text = stack_text,
    .acts = stack_acts,
};

void
pick_stack(struct app *app)
{
	popup_open(app, &stack_ops, 0);
}
