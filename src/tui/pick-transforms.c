/* The menu of transforms, and the list of filters and transforms in force. */
#include <config.h>

#include "tui/pickers.h"

#include <stdio.h>

#include "base/sbuf.h"
#include "base/utf8.h"
#include "tui/app.h"
#include "tui/popup.h"
#include "view/transform_text.h"

/* The menu ------------------------------------------------------------------ */

static size_t
menu_count(struct app *app)
{
	(void)app;
	return TRANSFORMS;
}

static void
menu_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	const struct transform_kind *kind = &transform_kinds[item];
	int right = r.column + r.columns, column;
	char key[2] = {kind->key, '\0'};

	(void)app;
	column = canvas_text(c, r.row, r.column, right, str_from(key),
	    selected ? ROLE_POPUP : ROLE_KEY);
	canvas_format(c, r.row, column + 1, right, ROLE_POPUP, "%-17s%s", kind->name, kind->help);
}

static void
menu_choose(struct app *app, size_t item)
{
	transform_begin(app, (enum transform_id)item);
}

/* The letters of the kinds, before those of all lists. */
static bool
menu_key(struct app *app, const char *key)
{
	enum transform_id id =
	    key[0] != '\0' && key[1] == '\0' ? transform_find_key(key[0]) : TRANSFORMS;

	if (id == TRANSFORMS)
		return false;
	popup_close(app);
	transform_begin(app, id);
	return true;
}

static const struct popup_act menu_acts[] = {
    {LIST_CHOOSE, menu_choose, "do", true, false},
    {0},
};

static const struct popup_ops menu_ops = {
    .title = "transform",
    .width = 78,
    .has_cursor = true,
    .count = menu_count,
    .draw = menu_draw,
    .key = menu_key,
    .acts = menu_acts,
};

void
pick_transform(struct app *app)
{
	popup_open(app, &menu_ops, 0);
}

/* The list: filters, then transforms ------------------------------------------ */

static size_t
list_count(struct app *app)
{
	return app->table.filters.count + app->subset.transforms.count;
}

/* The transform that the item is; false for a filter. */
static bool
list_transform(struct app *app, size_t item, size_t *index)
{
	*index = item - app->table.filters.count;
	return item >= app->table.filters.count;
}

static void
list_text(struct app *app, size_t item, char *out, size_t size)
{
	const struct filter *f;
	struct sbuf text = {0};
	size_t index;

	if (list_transform(app, item, &index)) {
		transform_text(&text, &app->subset.transforms.list[index], app->names, app->trace);
		snprintf(out, size, "%s", sbuf_cstr(&text));
		sbuf_release(&text);
		return;
	}
	f = &app->table.filters.list[item];
	snprintf(out, size, "rows %s %.*s", f->exclude ? "without" : "with",
	    STR_ARG(names_clean(app->names, f->text)));
}

static bool *
list_off(struct app *app, size_t item)
{
	size_t index;

	if (list_transform(app, item, &index))
		return &app->subset.transforms.list[index].off;
	return &app->table.filters.list[item].off;
}

static void
list_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	int column = r.column, right = r.column + r.columns;
	const struct transform *t = NULL;
	char text[1100];
	size_t index;

	(void)selected;
	list_text(app, item, text, sizeof(text));
	column = canvas_format(c, r.row, column, right, ROLE_POPUP, "[%c] ",
	    *list_off(app, item) ? ' ' : 'x');
	if (list_transform(app, item, &index))
		t = &app->subset.transforms.list[index];
	if (t == NULL || t->depth == 0 ||
	    (int)utf8_width(str_from(text)) <= right - column) {
		canvas_text(c, r.row, column, right, str_from(text), ROLE_POPUP);
		return;
	}
	/* Of a path that is too long, what it leads to. */
	column = canvas_format(c, r.row, column, right, ROLE_POPUP, "%s ",
	    transform_kinds[t->id].name);
	canvas_text(c, r.row, column, right,
	    names_fit(app->names, t->methods[t->depth - 1], right - column, ELISION_AUTO).text,
	    ROLE_POPUP);
}

static void
list_toggle(struct app *app, size_t item)
{
	size_t index;

	app_note(app);
	*list_off(app, item) = !*list_off(app, item);
	if (!list_transform(app, item, &index))
		filters_changed(&app->table.filters);
	table_refilter(&app->table);
}

static void
list_delete(struct app *app, size_t item)
{
	size_t index;

	app_note(app);
	if (list_transform(app, item, &index))
		transforms_remove(&app->subset.transforms, index);
	else
		filters_remove(&app->table.filters, item);
	table_refilter(&app->table);
}

static void
list_edit(struct app *app, size_t item)
{
	size_t index;

	if (!list_transform(app, item, &index))
		app_complain(app, "& edits the last filter of rows");
	else if (transform_edit(app, index))
		popup_close(app);
	else
		app_complain(app, "this one is of what was selected: Delete, then x again");
}

static const struct popup_act list_acts[] = {
    {LIST_TOGGLE, list_toggle, "on/off", false, false},
    {LIST_REMOVE, list_delete, "remove", false, false},
    {LIST_EDIT, list_edit, "edit", false, false},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops list_ops = {
    .title = "filters: all must hold; transforms: in this order",
    .none = "no filters (& adds one) and no transforms (x)",
    .width = 76,
    .has_cursor = true,
    .count = list_count,
    .draw = list_draw,
    .text = list_text,
    .acts = list_acts,
};

void
pick_filters(struct app *app)
{
	popup_open(app, &list_ops, 0);
}
