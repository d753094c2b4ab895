// SPDX-License-Identifier: Apache-2.0
/* Lists to choose from: columns, threads and their order, kinds of rows, frames of a stack. */
#include <config.h>

#include "tui/keys/commands.h"

#include "tui/app.h"
#include "tui/popups/popup.h"
#include "view/list/list.h"

/* Columns: to sort by, and to show ---------------------------------------- */

static const struct popup_ops sort_ops;

/* Lists the columns that this trace has, in their order. */
static void
columns_fill(struct app *app)
{
	const struct list *l = screens_list(app);

	for (int i = 0; i < l->count; i++) {
		int id = l->columns->order[i];
		const char *sign = app->popup.ops != &sort_ops
		    ? (list_visible(l, id) ? "[x]" : "[ ]")
		    : id != l->sort ? " " : l->ascending ? "^" : "v";

		if (list_has(l, id))
			popup_add(app, (uint64_t)id, sign, "%-16s %s", list_name(l, id, FMT_BUF),
			    names_words(app->s->names, l->source->columns[id].help));
	}
}

static void
sort_choose(struct app *app, uint64_t id)
{
	list_sort_by(screens_list(app), (int)id);
}

static const struct popup_ops sort_ops = {
    .title = "sort by",
    .width = 70,
    .fill = columns_fill,
    .acts = {
        {LIST_CHOOSE, sort_choose, "sort", true, false},
    },
};

void
pick_sort(struct app *app)
{
	popup_open(app, &sort_ops, (uint64_t)screens_list(app)->sort);
}

static void
columns_show(struct app *app, uint64_t id)
{
	struct list *l = screens_list(app);

	if (!list_show(l, (int)id,
		app->popup.act == LIST_AUTO   ? SHOWN_AUTO
		: list_visible(l, (int)id) ? SHOWN_NO
					      : SHOWN_YES))
		app_complain(app, "this column cannot be hidden");
}

static void
columns_move(struct app *app, uint64_t id)
{
	if (!list_shift(screens_list(app), (int)id, app->popup.act == LIST_LEFT ? -1 : 1))
		app_complain(app, "it cannot move any further");
}

static void
columns_widen(struct app *app, uint64_t id)
{
	int by = app->popup.act == LIST_NARROWER ? -1 : 1;

	if (!list_widen(screens_list(app), (int)id, by))
		app_complain(app, "it cannot be %s", by < 0 ? "narrower" : "wider");
}

static const struct popup_ops columns_ops = {
    .title = "columns",
    .width = 77,
    .fill = columns_fill,
    .acts = {
        {LIST_TOGGLE, columns_show, "show/hide", false, false},
        {LIST_AUTO, columns_show, "as wide as fits", false, false},
        {LIST_LEFT, columns_move, "left", false, false},
        {LIST_RIGHT, columns_move, "right", false, false},
        {LIST_WIDER, columns_widen, "wider", false, false},
        {LIST_NARROWER, columns_widen, "narrower", false, false},
        {LIST_CHOOSE, NULL, "done", true, true},
    },
};

void
pick_columns(struct app *app)
{
	popup_open(app, &columns_ops, (uint64_t)screens_list(app)->columns->order[0]);
}

/* Order of the threads ---------------------------------------------------- */

static void
order_fill(struct app *app)
{
	for (unsigned i = 0; i < THREAD_ORDERS; i++)
		popup_add(app, i, i == app->s->timeline.by ? "*" : " ", "%s",
		    thread_order_names[i]);
}

static void
order_choose(struct app *app, uint64_t id)
{
	timeline_pane_set_order(&app->s->timeline, (enum thread_order)id);
}

static const struct popup_ops order_ops = {
    .title = "threads by",
    .width = 36,
    .fill = order_fill,
    .acts = {
        {LIST_CHOOSE, order_choose, "order", true, false},
    },
};

void
pick_order(struct app *app)
{
	popup_open(app, &order_ops, app->s->timeline.by);
}

/* Kinds of rows of the timeline -------------------------------------------- */

static void
row_fill(struct app *app)
{
	for (unsigned i = 0; i < TRACK_CHOICES; i++)
		popup_add(app, i,
		    (app->s->timeline.kinds & 1u << track_choices[i].kind) != 0 ? "[x]" : "[ ]",
		    "%-10s %s", track_choices[i].word,
		    names_words(app->s->names, track_choices[i].help));
}

static void
row_toggle(struct app *app, uint64_t id)
{
	timeline_pane_set_kinds(
	    &app->s->timeline, app->s->timeline.kinds ^ 1u << track_choices[id].kind);
}

const struct popup_ops rows_list = {
    .title = "rows of the timeline",
    .width = 64,
    .fill = row_fill,
    .acts = {
        {LIST_TOGGLE, row_toggle, "show/hide", false, false},
        {LIST_CHOOSE, NULL, "done", true, true},
    },
};

/* Threads ------------------------------------------------------------------- */

struct list *
picked_threads(struct app *app)
{
	threads_follow(&app->s->picker_threads);
	return &app->s->picker_threads.list;
}

/* Its row is on the list, whether that is shown or was just closed. */
static void
thread_choose(struct app *app, uint64_t id)
{
	const struct threads *t = &app->s->picker_threads;
	bool toggle = app->popup.act == LIST_TOGGLE;

	app_choose_scope(app, threads_of_row(t, list_row(&t->list), toggle));
	if (toggle)
		cmd_list_move(app, MOVE_LINE);
}

static void
thread_all(struct app *app, uint64_t id)
{
	app_choose_scope(app, NULL);
}

static void
thread_pin(struct app *app, uint64_t id)
{
	uint32_t thread = threads_cursor(&app->s->picker_threads);

	if (thread == THREAD_NONE) {
		app_complain(app, "only single threads are pinned: + shows them");
		return;
	}
	timeline_pane_select_thread(&app->s->timeline, thread);
	timeline_pane_pin(&app->s->timeline);
}

void
pick_open(struct app *app, uint64_t id)
{
	bool open = app->popup.act == LIST_WIDER;

	if (!(open ? list_open : list_close)(&app->s->picker_threads.list))
		app_complain(app, "nothing to %s", open ? "expand" : "collapse");
}

static const struct popup_ops thread_ops = {
    .title = "threads",
    .none = "no threads with records",
    .width = 74,
    .list = picked_threads,
    .acts = {
        {LIST_TOGGLE, thread_choose, "in/out", false, false},
        {LIST_ALL, thread_all, "all", false, true},
        {LIST_PIN, thread_pin, "pin", false, false},
        {LIST_WIDER, pick_open, NULL, false, false},
        {LIST_NARROWER, pick_open, NULL, false, false},
        {LIST_CHOOSE, thread_choose, "only this", true, false},
    },
};

void
pick_threads(struct app *app)
{
	popup_open(app, &thread_ops, 0);
	(void)threads_go(&app->s->picker_threads, app->s->timeline.thread);
	popup_layout(app);
}

/* The stack of a call, from it down to the empty stack ----------------------- */

/* The rows' ids: how many frames are below, and the method. */
static void
stack_fill(struct app *app)
{
	const struct calls *c = app->s->calls.calls;
	const struct call_row *row = calls_list_row(&app->s->calls);
	uint32_t frame = row != NULL ? row->frame : 0;

	for (uint32_t left = row != NULL ? c->frames[frame].depth : 0; left > 0; left--) {
		uint32_t method = c->frames[frame].method;

		popup_add(app, (uint64_t)left << 32 | method, "", "%.*s",
		    STR_ARG(names_full(app->s->names, method)));
		frame = c->frames[frame].caller;
	}
}

static void
stack_draw(
    struct app *app, struct canvas *c, struct rect r, const struct popup_row *row)
{
	int right = r.column + r.columns;
	int column = canvas_format(c, r.row, r.column, right, ROLE_POPUP, "%4u ",
	    (unsigned)(row->id >> 32));

	if (right > column)
		canvas_text(c, r.row, column, right,
		    names_fit(app->s->names, (uint32_t)row->id, right - column,
		    app->s->display.elision)
			.text,
		    ROLE_POPUP);
}

static void
stack_go(struct app *app, uint64_t id)
{
	app_view(app, VIEW_PROFILE);
	(void)methods_select(&app->s->methods, (uint32_t)id);
}

const struct popup_ops stack_list = {
    .title = "stack of the call",
    .none = "no call to tell about",
    .width = 74,
    .fill = stack_fill,
    .draw = stack_draw,
    .acts = {
        {LIST_CHOOSE, stack_go, "go to", true, false},
    },
};
