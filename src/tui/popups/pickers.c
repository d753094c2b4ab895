// SPDX-License-Identifier: Apache-2.0
/* Lists to choose from: columns, threads and their order, kinds of rows, frames of a stack. */
#include <config.h>

#include "tui/keys/commands.h"

#include <inttypes.h>

#include "tui/app.h"
#include "tui/popups/popup.h"
#include "view/list/list.h"

/* Columns: to sort by, and to show ---------------------------------------- */

static const struct popup_ops sort_ops;

/* Those that this trace has, in their order. */
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

/* Both numbers of a row's id. */
static uint64_t
thread_row_id(struct list_id id)
{
	return id.a | id.b;
}

/* NULL: there is no such row now. */
static const struct list_row *
thread_row(const struct app *app, uint64_t id)
{
	uint64_t kind = id % IDENTITY_KINDS;

	return list_find(&app->s->picker_threads.list, (struct list_id){id - kind, kind});
}

struct threads *
picked_threads(struct app *app)
{
	struct threads *t = &app->s->picker_threads;
	bool all = app->popup.pattern != NULL;

	threads_follow(t);
	if (t->list.all != all) {
		t->list.all = all;
		list_refilter(&t->list);
	}
	return t;
}

static void
thread_fill(struct app *app)
{
	struct threads *t = picked_threads(app);
	struct sbuf text = {0};

	for (size_t i = 0; i < t->list.at.count; i++) {
		const struct list_row *row = &t->list.rows[i];
		bool below;

		sbuf_clear(&text);
		below = threads_row_text(t, row, &text);
		if (below || (row->flags & LIST_LAST) != 0)
			popup_add(app, thread_row_id(row->id), "", "%s", sbuf_cstr(&text));
		else
			popup_add_head(app, thread_row_id(row->id), "", "%s", sbuf_cstr(&text));
	}
	sbuf_release(&text);
}

static void
thread_draw(
    struct app *app, struct canvas *c, struct rect r, const struct popup_row *row)
{
	const struct list_row *of = thread_row(app, row->id);

	if (of != NULL)
		list_draw_line(c, r, &app->s->picker_threads.list, of);
}

static void
thread_header(struct app *app, struct canvas *c, struct rect r)
{
	list_draw_line(c, r, &app->s->picker_threads.list, NULL);
}

static void
thread_choose(struct app *app, uint64_t id, bool toggle)
{
	const struct list_row *row = thread_row(app, id);

	if (row != NULL)
		app_choose_scope(app, threads_of_row(&app->s->picker_threads, row, toggle));
}

static void
thread_toggle(struct app *app, uint64_t id)
{
	thread_choose(app, id, true);
	cmd_list_move(app, MOVE_LINE);
}

static void
thread_only(struct app *app, uint64_t id)
{
	thread_choose(app, id, false);
}

static void
thread_all(struct app *app, uint64_t id)
{
	app_choose_scope(app, NULL);
}

static void
thread_pin(struct app *app, uint64_t id)
{
	const struct list_row *row = thread_row(app, id);
	uint32_t thread = row != NULL ? threads_row_thread(row) : THREAD_NONE;

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
	const struct list_row *row = thread_row(app, id);
	bool open = app->popup.act == LIST_WIDER;

	if (row != NULL)
		(void)list_go(&app->s->picker_threads.list, row->id, 0);
	if (row == NULL || !(open ? list_open : list_close)(&app->s->picker_threads.list))
		app_complain(app, "nothing to %s", open ? "expand" : "collapse");
}

static const struct popup_ops thread_ops = {
    .title = "threads",
    .none = "no threads with records",
    .width = 74,
    .fill = thread_fill,
    .draw = thread_draw,
    .header = thread_header,
    .acts = {
        {LIST_TOGGLE, thread_toggle, "in/out", false, false},
        {LIST_ALL, thread_all, "all", false, true},
        {LIST_PIN, thread_pin, "pin", false, false},
        {LIST_WIDER, pick_open, NULL, false, false},
        {LIST_NARROWER, pick_open, NULL, false, false},
        {LIST_CHOOSE, thread_only, "only this", true, false},
    },
};

void
pick_threads(struct app *app)
{
	struct list *l = &app->s->picker_threads.list;

	list_set_size(l, app->layout.rows, app->layout.columns);
	threads_follow(&app->s->picker_threads);
	(void)threads_go(&app->s->picker_threads, app->s->timeline.thread);
	popup_open(app, &thread_ops,
	    list_row(l) != NULL ? thread_row_id(list_row(l)->id) : 0);
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
