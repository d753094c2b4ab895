/* The call tree, and the same upside down: which methods, called from where. */
#include <config.h>

#include "tui/app.h"
#include "tui/commands.h"
#include "tui/views.h"
#include "view/calltree_pane.h"
#include "view/calltree_sheet.h"

enum { ALL_ASKED = 10000, ALL_MOST = 100000 };

static struct calltree *
tree(struct app *app)
{
	return app->view == VIEW_CALLERS ? &app->callers : &app->tree;
}

static const struct calltree *
shown_tree(const struct app *app)
{
	return app->view == VIEW_CALLERS ? &app->callers : &app->tree;
}

void
trees_take(struct app *app, struct engine_paths *trees)
{
	struct selection keep[2];
	bool first = app->trees == NULL;

	icicle_leave_paths(&app->flame, keep);
	calltree_set(&app->tree, trees->paths, NULL);
	icicle_take_paths(&app->flame, keep);
	calltree_set(&app->callers, trees->paths, trees->callers);
	engine_paths_free(app->trees);
	app->trees = trees;
	/* A view that was entered before there was anything goes to its place now. */
	if (first && app->layout.body.rows > 0 && views_now(app)->trees)
		app_enter(app);
}

/* The view ------------------------------------------------------------------------ */

static unsigned
context(const struct app *app)
{
	(void)app;
	return IN_TREE;
}

static void
layout(struct app *app, struct layout *l, struct rect body)
{
	l->body = body;
	calltree_follow(tree(app));
	calltree_set_height(tree(app), (size_t)body.rows - 1);
}

static void
ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_PATHS)->together = app->together;
}

static int
draw(struct app *app)
{
	const struct calltree *t = tree(app);
	struct calltree_show show = {
	    .loading = app->trees == NULL,
	    .none = app_none(app),
	    .no_match = app->undo.count[UNDO_BACK] > 0 ? "& edit, u undo" : "& edit",
	};
	struct rect r = app->layout.body;

	calltree_pane_draw(&app->canvas, r, t, &show);
	return t->at.count > 0 ? r.row + 1 + (int)scroll_line(&t->at) : -1;
}

static size_t
position(const struct app *app, size_t *rows)
{
	const struct calltree *t = shown_tree(app);

	*rows = t->at.count;
	return t->at.count > 0 ? t->at.cursor + 1 : 0;
}

static uint32_t
method(const struct app *app)
{
	return calltree_method(shown_tree(app));
}

static void
enter(struct app *app)
{
	calltree_follow(tree(app));
	if (!app->selected.idle)
		calltree_select(tree(app), &app->selected);
}

static void
leave(struct app *app)
{
	if (tree(app)->paths != NULL)
		calltree_selected(tree(app), &app->selected);
}

/* Commands ------------------------------------------------------------------------ */

/* False after saying that there is nothing to work on. */
static bool
has_row(struct app *app)
{
	if (calltree_row(tree(app)) != NULL)
		return true;
	app_complain(app, "no rows");
	return false;
}

static void
move(struct app *app, int how)
{
	struct calltree *t = tree(app);

	t->settled = true;
	if (has_row(app))
		scroll_move(&t->at, move_distance(how, t->at.height));
}

void
cmd_tree_centre(struct app *app)
{
	say_centred(app, scroll_centre(&tree(app)->at));
}

void
cmd_tree_open(struct app *app)
{
	struct calltree *t = tree(app);

	if (has_row(app) && !calltree_close(t) && !calltree_expand(t))
		app_complain(app, "nothing is called from there");
}

void
cmd_tree_expand(struct app *app, int open)
{
	struct calltree *t = tree(app);

	if (!has_row(app))
		return;
	if (open && !calltree_open(t))
		app_complain(app, "nothing is called from there");
	else if (!open && !calltree_close(t) && !calltree_to_parent(t))
		app_complain(app, "nothing to collapse");
}

void
cmd_tree_left(struct app *app)
{
	if (has_row(app) && !calltree_close(tree(app)) && !calltree_to_parent(tree(app)))
		app_complain(app, "this is the outermost");
}

void
cmd_tree_right(struct app *app)
{
	if (has_row(app) && !calltree_expand(tree(app)) && !calltree_to_child(tree(app)))
		app_complain(app, "nothing is called from there");
}

void
cmd_tree_sibling(struct app *app, int direction)
{
	if (has_row(app) && !calltree_to_sibling(tree(app), direction))
		app_complain(app, "no %s sibling", direction < 0 ? "previous" : "next");
}

void
cmd_tree_heaviest(struct app *app)
{
	bool whole = true;

	if (!has_row(app))
		return;
	if (!calltree_heaviest(tree(app), &whole))
		app_complain(app, "nothing of weight is below");
	else if (!whole)
		app_say(app, "a deep recursion: H again goes on");
}

void
cmd_tree_all(struct app *app)
{
	struct calltree *t = tree(app);
	size_t rows;

	if (!has_row(app))
		return;
	rows = calltree_below(t, ALL_ASKED + 1);
	if (rows > ALL_ASKED && app->tree_asked != calltree_row(t)->path) {
		app->tree_asked = calltree_row(t)->path;
		app_complain(app, "over %d rows: * again expands the first %d of them",
		    ALL_ASKED, ALL_MOST);
		return;
	}
	app->tree_asked = PATH_NONE;
	if (!calltree_open_all(t, ALL_MOST))
		app_complain(app, "not all is expanded: that would be too much");
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
	struct calltree *t = tree(app);

	t->base = t->base == TREE_OF_ALL ? TREE_OF_PARENT : TREE_OF_ALL;
	app_say(app, "percent of %s",
	    t->base == TREE_OF_PARENT ? "the row above"
	    : range_is_all(&app->subset.range) ? "the trace"
					 : "the window");
}

/* Columns and search --------------------------------------------------------------- */

static int
column_at(const struct app *app, int i)
{
	for (int k = 0; k < COLUMNS; k++)
		if (calltree_has_column(shown_tree(app), app->table.columns.order[k]) && i-- == 0)
			return app->table.columns.order[k];
	return -1;
}

static bool
column_visible(const struct app *app, int id)
{
	return calltree_column_visible(
	    shown_tree(app), (enum column_id)id, app->layout.columns);
}

static int
sort(const struct app *app, bool *ascending)
{
	*ascending = shown_tree(app)->ascending;
	return shown_tree(app)->sort;
}

static void
sort_by(struct app *app, int id, bool ascending)
{
	calltree_sort(tree(app), (enum column_id)id, ascending);
}

static enum table_found
search_next(struct app *app, int direction)
{
	calltree_follow(tree(app));
	return calltree_search_next(tree(app), direction);
}

static void
search_position(struct app *app, size_t *n, size_t *of)
{
	calltree_search_position(tree(app), n, of);
}

static const struct view_columns columns = {column_at, profile_column, column_visible, sort,
    sort_by, profile_column_show, profile_column_move, profile_column_widen};
static const struct view_search search = {search_next, search_position};

static bool
sheet(struct app *app, struct sheet *out)
{
	const struct calltree *t = shown_tree(app);

	if (t->paths == NULL)
		return false;
	calltree_sheet(out, t, app->layout.columns);
	return true;
}

/* The call tree, or upside down the callers: which is the view's number. */
const struct view view_tree = {
    .filtered = true,
    .details = true,
    .trees = true,
    .answers = 1u << QUERY_PATHS,
    .move = move,
    .columns = &columns,
    .search = &search,
    .context = context,
    .layout = layout,
    .ask = ask,
    .draw = draw,
    .position = position,
    .method = method,
    .sheet = sheet,
    .enter = enter,
    .leave = leave,
};
