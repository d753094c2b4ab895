// SPDX-License-Identifier: Apache-2.0
/* Where the user is, was, and goes back to; and what undo takes back. */
#include <config.h>

#include "tui/app.h"
#include "tui/popups/choice.h"

/* Returns what undo takes back: filters, conditions, subset, slices; the rest is empty. */
static struct place
place_counted(const struct app *app)
{
	struct place place = {.subset = subset_copy(&app->s->subset), .choice = app->s->choice};

	filters_copy(&place.filters, &app->s->display.filters);
	wheres_copy(&place.wheres, &app->s->display.wheres);
	selection_init(&place.selection);
	return place;
}

struct place
app_place(struct app *app)
{
	const struct axis *axis = &app->s->timeline.axis;
	struct place place = place_counted(app);
	const struct list *list = screens_list(app);

	screens_select(app);
	list_take(&place.list, &app->s->methods.list);
	if (list != NULL && list != &app->s->methods.list)
		list_take(&place.rows, list);
	place.alone = app->s->tree.alone;
	icicle_keep(&app->s->flame);
	place.zoom = app->s->flame.zoom_id;
	place.frame = app->s->flame.cursor_id;
	place.top = app->s->info_top;
	place.found = app->s->info_found;
	place.guest = identity_method(app->s->display.figures.identities, app->s->methods.guest);
	place.shown = axis_shown(axis);
	place.view = app->view;
	place.in_timeline = app->focus == PANE_TIMELINE;
	place.told = app->s->told;
	place.table = (int)app->s->tables.now;
	place.ask = app->s->tables.ask;
	place.sequence_thread = app->s->sequence_thread;
	place.slow = app->s->slow;
	place.thread = app->s->timeline.thread;
	place.thread_chosen = app->s->timeline.settled;
	place.row = app->s->timeline.on;
	place.at = axis->cursor;
	place.placed = axis->placed;
	place.exact = axis->exact;
	selection_copy(&place.selection, &app->s->selected);
	return place;
}

void
app_count(struct app *app, const struct subset *of)
{
	app_set_scope(app, scope_copy(of->scope));
	app->s->subset.range = of->range;
	transforms_copy(&app->s->subset.transforms, &of->transforms);
}

static void
place_timeline(struct app *app, const struct place *to)
{
	struct timeline_pane *t = &app->s->timeline;

	/* The row may be that of a process whose threads are left out. */
	t->thread = to->thread;
	if (!timeline_pane_select_track(t, &to->row)) {
		timeline_pane_select_thread(t, to->thread);
		(void)timeline_pane_select_track(t, &to->row);
	}
	t->settled = to->thread_chosen;
	axis_move_to(&t->axis, to->at);
	t->axis.placed = to->placed;
	t->axis.exact = to->exact;
}

void
place_give(struct app *app, const struct place *to)
{
	app_count(app, &to->subset);
	axis_zoom_to(&app->s->timeline.axis, to->shown.from, to->shown.to);
	place_restore(to, &app->s->methods);
	place_timeline(app, to);
	selection_copy(&app->s->selected, &to->selection);
	app->s->told = to->told;
	app->s->tables.now = (enum usage_table)to->table;
	app->s->tables.ask = to->ask;
	app->s->sequence_thread = to->sequence_thread;
	app->s->slow = to->slow;
	app->focus = to->in_timeline ? PANE_TIMELINE : PANE_TABLE;
	/* The content of the view may be gone since then. */
	app->view = to->view;
	if (!views_suits(app, app->view))
		app->view = VIEW_PROFILE;
}

/* The view's own rows are as they were. */
static void
place_rows(struct app *app, const struct place *to)
{
	struct list *list = screens_list(app);

	if (app->view != to->view)
		return;
	app->s->tree.alone = to->alone;
	if (list != NULL)
		list_return(list, list == &app->s->methods.list ? &to->list : &to->rows);
	if (app->view == VIEW_FLAME)
		icicle_return(&app->s->flame, to->zoom, to->frame);
	app->s->info_top = to->top;
	app->s->info_found = to->found;
}

void
app_return(struct app *app, const struct place *to)
{
	place_timeline(app, to);
	place_rows(app, to);
}

bool
app_step(struct app *app, int direction)
{
	const struct place *to;

	/* A view may have nothing to show any more, as the comparison that has ended. */
	do {
		struct place now = app_place(app);

		to = places_step(&app->s->history, direction, &now);
		if (to == NULL) {
			place_release(&now);
			return false;
		}
		place_give(app, to);
		app_enter(app);
		place_rows(app, to);
		app->s->tree_goes = false;
	} while (app->view != to->view);
	return true;
}

void
app_visit(struct app *app)
{
	struct place place = app_place(app);

	places_visit(&app->s->history, &place);
}

void
app_note(struct app *app)
{
	struct place now = place_counted(app);

	places_visit(&app->s->undo, &now);
}

void
cmd_undo(struct app *app, int direction)
{
	struct place now = place_counted(app);
	const struct place *to = places_step(&app->s->undo, direction, &now);
	struct range range = app->s->subset.range;

	if (to == NULL) {
		place_release(&now);
		app_complain(app, direction < 0 ? "nothing to undo" : "nothing to redo");
		return;
	}
	app_count(app, &to->subset);
	choice_set(app, &to->choice);
	if (!range_equal(&app->s->subset.range, &range))
		app_zoom_to_range(app);
	filters_copy(&app->s->display.filters, &to->filters);
	filters_changed(&app->s->display.filters);
	wheres_copy(&app->s->display.wheres, &to->wheres);
	app->s->display.refilters++;
	app_say(app, direction < 0 ? "undone (^R redoes)" : "redone");
}

void
app_jump(struct app *app, enum view view)
{
	app_view(app, view);
	app->s->tree_goes = view == VIEW_TREE;
}

void
app_jump_to(struct app *app, uint32_t thread, uint32_t other, struct range span, uint32_t method)
{
	struct scope *scope = scope_new(trace_thread_count(app->s->trace), false);

	app_jump(app, VIEW_TREE);
	if (method != METHOD_NONE)
		selection_set_method(&app->s->selected, session_listed(app->s, method));
	timeline_pane_select_thread(&app->s->timeline, thread);
	scope->in[thread] = true;
	if (other != THREAD_NONE)
		scope->in[other] = true;
	app_choose_scope(app, scope);
	axis_move_to(&app->s->timeline.axis, span.from);
	app->s->subset.range = span;
	app_zoom_to_range(app);
}
