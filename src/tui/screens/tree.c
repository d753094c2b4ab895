// SPDX-License-Identifier: Apache-2.0
/* The call tree, and the same upside down: which methods, called from where. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "tui/settings/settings.h"
#include "view/tree/rows.h"

enum {
	ALL_ASKED = 10000,
	ALL_MOST = 100000,
	NAME_ROOM = 40, /* columns, in a message */
};

static struct calltree *
tree_now(const struct app *app)
{
	return app->view == VIEW_CALLERS ? &app->s->callers : &app->s->tree;
}

/* The view ------------------------------------------------------------------------ */

static void
tree_follow(struct app *app)
{
	struct calltree *t = tree_now(app);

	compare_follow_paths(app);
	t->none = app->s->trees != NULL ? app_none(app) : NULL;
	t->no_match = app->s->undo.at > 0 ? "& edit, u undo" : "& edit";
	calltree_follow(t);
}

static bool
tree_known(const struct app *app)
{
	return app->s->trees != NULL;
}

static bool
tree_title(struct app *app, const struct title *title)
{
	return app->view == VIEW_TREE && screens_title_compared(app, title);
}

static void
tree_subject(const struct app *app, struct subject *to)
{
	to->method = calltree_method(tree_now(app));
}

static void
tree_enter(struct app *app)
{
	compare_follow_paths(app);
	calltree_follow(tree_now(app));
	calltree_select(tree_now(app), &app->s->selected);
}

static void
tree_leave(struct app *app)
{
	const struct list *l = &tree_now(app)->list;

	/* Where the cursor was put is no choice of the user. */
	if (tree_now(app)->paths == NULL || (app->view == VIEW_TREE && !l->settled))
		return;
	calltree_selected(tree_now(app), &app->s->selected);
	app->s->selected.idle = !l->settled;
	app_select_thread(app);
}

/* Commands ------------------------------------------------------------------------ */

/* False after saying that there is nothing to work on. */
static bool
tree_has_row(struct app *app)
{
	return list_row(&tree_now(app)->list) != NULL || app_complain(app, "no rows");
}

static void
tree_no_more(struct app *app)
{
	app_complain(app, app->view == VIEW_CALLERS ? "no caller above it"
						    : "nothing is called from there");
}

void
cmd_tree_open(struct app *app)
{
	struct calltree *t = tree_now(app);

	if (tree_has_row(app) && !calltree_close(t) && !list_open(&t->list))
		tree_no_more(app);
}

void
cmd_tree_expand(struct app *app, int open)
{
	struct calltree *t = tree_now(app);

	if (!tree_has_row(app))
		return;
	if (open && !calltree_open(t))
		tree_no_more(app);
	else if (!open && !calltree_close(t) && !list_to_parent(&t->list))
		app_complain(app, "nothing to collapse");
}

void
cmd_tree_left(struct app *app)
{
	struct calltree *t = tree_now(app);

	if (tree_has_row(app) && !calltree_close(t) && !list_to_parent(&t->list))
		app_complain(app, "this is the outermost");
}

void
cmd_tree_right(struct app *app)
{
	struct list *l = &tree_now(app)->list;

	if (tree_has_row(app) && !list_open(l) && !list_to_child(l))
		tree_no_more(app);
}

void
cmd_tree_sibling(struct app *app, int direction)
{
	if (tree_has_row(app) && !list_to_sibling(&tree_now(app)->list, direction))
		app_complain(app, "no %s sibling", direction < 0 ? "previous" : "next");
}

/* Tells which method, heavier but idle, the heaviest path goes past. */
static void
tree_say_passed(struct app *app, uint32_t path)
{
	struct str name = names_fit(
	    app->s->names, app->s->tree.paths->items[path].method, NAME_ROOM, ELISION_SHORT).text;

	app_say(app, "skipped %.*s (heavier, but idle)", STR_ARG(name));
}

void
cmd_tree_heaviest(struct app *app)
{
	struct heaviest found;

	if (!tree_has_row(app))
		return;
	if (!calltree_heaviest(tree_now(app), &found))
		app_complain(app, "no child has half of it");
	else if (!found.whole)
		app_say(app, "deep recursion: H again continues");
	else if (found.passed != PATH_NONE)
		tree_say_passed(app, found.passed);
	else if (found.idle)
		app_say(app, "the path ends in calls that were off the CPU");
}

void
cmd_tree_all(struct app *app)
{
	struct calltree *t = tree_now(app);
	uint32_t path;
	size_t rows;

	if (!tree_has_row(app))
		return;
	rows = calltree_below(t, ALL_ASKED + 1);
	path = tree_path(list_row(&t->list));
	if (rows > ALL_ASKED && app->s->tree_asked != path) {
		app->s->tree_asked = path;
		app_complain(app, "over %d rows: * again expands the first %d of them",
		    ALL_ASKED, ALL_MOST);
		return;
	}
	app->s->tree_asked = PATH_NONE;
	if (!calltree_open_all(t, ALL_MOST))
		app_complain(app, "not everything was expanded: too many rows");
}

void
cmd_together(struct app *app)
{
	app->together = !app->together;
	app_say(app, app->together ? "one tree for all threads" : "a tree for each thread");
}

void
cmd_tree_base(struct app *app)
{
	struct calltree *t = tree_now(app);

	t->base = t->base == TREE_OF_ALL ? TREE_OF_PARENT : TREE_OF_ALL;
	app_say(app, "percent of %s",
	    t->base == TREE_OF_PARENT ? "the row above"
	    : range_is_all(&app->s->subset.range) ? "the trace"
					 : "the window");
}

/* Slow calls and the others --------------------------------------------------------- */

/* Shows the paths of slow calls and of the others. */
static void
slow_show(struct app *app, struct slow_calls slow)
{
	app_jump(app, VIEW_TREE);
	app->s->slow = slow;
}

/* Returns the calls that a view is about: frames on the cursor's thread, or those of a method. */
static struct slow_calls
slow_of_view(const struct app *app)
{
	const struct jank_frame *frame = frames_cursor(&app->s->frames);
	uint32_t method = screens_method(app);

	if (app->view == VIEW_FRAMES && frame != NULL)
		return (struct slow_calls){.of = SLOW_FRAMES, .thread = frame->thread};
	if (app->view != VIEW_FRAMES && method != METHOD_NONE && method != METHOD_TOPLEVEL)
		return (struct slow_calls){.of = SLOW_METHOD, .method = method, .thread = THREAD_NONE};
	return (struct slow_calls){.of = SLOW_NONE};
}

/* Returns why none of them is slow; NULL: the view marks some. */
static const char *
slow_lacks(const struct app *app, const struct slow_calls *slow)
{
	const struct jank *j = app->s->frames.jank;
	const struct calls *calls = app->s->calls.calls;
	bool any = slow->of == SLOW_METHOD && (calls == NULL || calls->over > 0), met = any;

	for (uint32_t i = 0; slow->of == SLOW_FRAMES && i < j->count && !met; i++) {
		const struct jank_frame *f = &j->frames[i];
		bool is_slow = f->slow && f->thread == slow->thread;

		any |= is_slow;
		met = is_slow && (f->source == JANK_CALLS || f->called.to > 0);
	}
	return met ? NULL : any ? "the trace has no calls of the slow frames"
				: "none is slow; :over TIME sets another limit";
}

void
cmd_slow_calls(struct app *app)
{
	struct slow_calls slow = slow_of_view(app);
	nsec budget = app->settings->frame_budget;
	const char *lacks;

	if (slow.of == SLOW_METHOD)
		slow.over = budget > 0 && budget < JANK_NO_BUDGET ? budget : JANK_BUDGET;
	lacks = slow_lacks(app, &slow);
	if (lacks == NULL)
		slow_show(app, slow);
	else
		app_complain(app, "%s", lacks);
}

bool
cmd_over(struct app *app, const struct argument *over, struct err *e)
{
	struct slow_calls slow = slow_of_view(app);

	if (over->time.from == 0) {
		if (app->s->slow.of == SLOW_NONE)
			return err_set(e, ERR_MALFORMED, "expected a time, as 20ms");
		app->s->slow.of = SLOW_NONE;
		app_say(app, "all calls again");
		return true;
	}
	/* Another limit for what is shown. */
	if (app->s->slow.of != SLOW_NONE && (app->view == VIEW_TREE || app->view == VIEW_FLAME)) {
		app->s->slow.over = over->time.from;
		return true;
	}
	if (slow.of == SLOW_NONE)
		return err_set(e, ERR_UNSUPPORTED, "there is neither a frame nor a method here");
	slow.over = over->time.from;
	slow_show(app, slow);
	return true;
}

static bool
tree_sheet(struct app *app, struct sheet *out, bool files)
{
	if (files && tree_now(app)->pair != NULL)
		calltree_sheet(out, tree_now(app));
	else if (files)
		tree_rows_of(out, tree_now(app));
	else
		list_sheet(out, &tree_now(app)->list, false);
	return true;
}

/* The call tree, or upside down the callers: which is the view's number. */
const struct screen screen_tree = {
    .sheet = tree_sheet,
    .title = tree_title,
    .known = tree_known,
    .follow = tree_follow,
    .subject = tree_subject,
    .enter = tree_enter,
    .leave = tree_leave,
};
