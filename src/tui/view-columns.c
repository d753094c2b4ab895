/* Columns of views. */
#include <config.h>

#include <string.h>

#include "tui/app.h"
#include "tui/views.h"

bool
views_sort_step(struct app *app, int direction)
{
	const struct view_columns *columns = views_now(app)->columns;
	int before = -1, id;
	bool ascending, passed = false;
	int sort = columns->sort(app, &ascending);

	for (int i = 0; (id = columns->at(app, i)) >= 0; i++) {
		if (id == sort) {
			if (direction < 0)
				break;
			passed = true;
		} else if (columns->visible(app, id)) {
			before = id;
			if (passed)
				break;
		}
	}
	if (id < 0 || before < 0)
		return false;
	columns->sort_by(app, before, columns->about(app, before).rises);
	return true;
}

int
views_find_column(const struct app *app, const char *word)
{
	const struct view_columns *columns = views_now(app)->columns;
	int id;

	for (int i = 0; columns != NULL && (id = columns->at(app, i)) >= 0; i++)
		if (strcmp(columns->about(app, id).word, word) == 0)
			return id;
	return -1;
}

static bool
has(const void *context, int id)
{
	const struct app *app = context;
	const struct view_columns *columns = views_now(app)->columns;
	int other;

	for (int i = 0; (other = columns->at(app, i)) >= 0; i++)
		if (other == id)
			return true;
	return false;
}

bool
views_column_move(const struct app *app, struct columnset *set, int id, int direction)
{
	return columnset_move(set, id, direction, has, app);
}

/* Those of the list that is on the screen ------------------------------------------- */

static struct list *
list_of(const struct app *app)
{
	return views_list((struct app *)(uintptr_t)app);
}

static int
list_at(const struct app *app, int i)
{
	const struct list *l = list_of(app);

	for (int k = 0; k < l->count; k++)
		if (list_has(l, l->columns->order[k]) && i-- == 0)
			return l->columns->order[k];
	return -1;
}

/* A list that never had rows has no columns. */
static struct view_column
list_about(const struct app *app, int id)
{
	const struct list *l = list_of(app);
	struct view_column about = {.word = "", .help = ""};

	if (id < l->count) {
		about.word = l->source->columns[id].id;
		about.help = l->source->columns[id].help;
		about.rises = column_ascends(&l->source->columns[id]);
		list_name(l, id, about.title);
	}
	return about;
}

static bool
list_column_visible(const struct app *app, int id)
{
	return list_visible(list_of(app), id);
}

static int
list_sorted_by(const struct app *app, bool *ascending)
{
	*ascending = list_of(app)->ascending;
	return list_of(app)->sort;
}

static void
list_sort_by(struct app *app, int id, bool ascending)
{
	if (id < views_list(app)->count)
		list_sort(views_list(app), id, ascending);
}

static bool
list_column_show(struct app *app, int id, enum column_shown shown)
{
	return list_show(views_list(app), id, shown);
}

static bool
list_column_shift(struct app *app, int id, int direction)
{
	return list_shift(views_list(app), id, direction);
}

static bool
list_column_widen(struct app *app, int id, int by)
{
	return list_widen(views_list(app), id, by);
}

const struct view_columns list_columns = {list_at, list_about, list_column_visible,
    list_sorted_by, list_sort_by, list_column_show, list_column_shift, list_column_widen};
