// SPDX-License-Identifier: Apache-2.0
/* Transforms of the call tree: what x does with what is selected. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "base/sbuf.h"
#include "base/utf8.h"
#include "profile/sum/same.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/popups/popup.h"
#include "view/names/transform_text.h"

/* The list was changed by its last entry, or by the one at `index`. */
static void
say_changed(struct app *app, size_t index)
{
	struct sbuf text = {0};

	transform_text(&text, &app->s->subset.transforms.list[index], app->s->names, app->s->trace);
	app_say(app, "%.200s (u undoes, X lists)", sbuf_cstr(&text));
	sbuf_release(&text);
}

static void
add_methods(struct app *app, enum transform_id id, const uint32_t *methods, size_t depth)
{
	app_note(app);
	transforms_add_methods(&app->s->subset.transforms, id, methods, depth);
	say_changed(app, app->s->subset.transforms.count - 1);
}

static void
add_text(struct app *app, enum transform_id id, struct str text)
{
	struct err e = {0};

	app_note(app);
	transforms_add_text(&app->s->subset.transforms, id, text, &e);
	say_changed(app, app->s->subset.transforms.count - 1);
}

static void
add_method(struct app *app, enum transform_id id)
{
	uint32_t method = screens_method(app);

	if (method == METHOD_NONE || method == METHOD_TOPLEVEL)
		app_complain(app, "%s needs a method: no row of one is selected",
		    transform_kinds[id].name);
	else
		add_methods(app, id, &method, 1);
}

static void
add_path(struct app *app, enum transform_id id)
{
	const struct selection *s = &app->s->selected;

	screens_select(app);
	if (s->method == METHOD_NONE || s->depth == 0)
		app_complain(app, "%s needs a call path: choose one in the call tree (2)",
		    transform_kinds[id].name);
	else
		add_methods(app, id, s->stack, s->depth);
}

/* "^(?:com\.example|org\.other)[.$]": what is in the group's packages. */
static void
put_group(const struct group *g, struct sbuf *out)
{
	struct str rest = str_from(g->packages);
	const char *before = "^(?:";

	while (rest.n > 0) {
		struct str package = str_cut(&rest, ' ');

		if (package.n == 0)
			continue;
		sbuf_text(out, before);
		pattern_quote(out, package);
		before = "|";
	}
	sbuf_text(out, ")[.$]");
}

static void
add_package(struct app *app, enum transform_id id)
{
	uint32_t method = screens_method(app);
	struct str package = STR("");
	const struct group *g = NULL;
	struct sbuf text = {0};

	if (method != METHOD_NONE)
		package = same_package(trace_method(app->s->trace, method)->class_name);
	if (method != METHOD_NONE && id == TRANSFORM_COLLAPSE_PACKAGE)
		g = groups_find(&app->settings->groups, names_class(app->s->names, method), NULL);
	/* A package that belongs to a group collapses with the others of it. */
	if (g != NULL) {
		put_group(g, &text);
		add_text(app, TRANSFORM_COLLAPSE_MATCHES, sbuf_view(&text));
	} else if (package.n > 0) {
		add_text(app, id, package);
	} else {
		app_complain(app, "%s needs a method of a package", transform_kinds[id].name);
	}
	sbuf_release(&text);
}

/* The prompt ----------------------------------------------------------------------- */

static bool
text_accepted(struct app *app)
{
	size_t index = app->transform_ask.index, last = app->s->subset.transforms.count;
	struct transforms next = {0};
	struct sbuf text = {0};
	struct err e = {0};
	bool good;

	transforms_copy(&next, &app->s->subset.transforms);
	prompt_pattern(&app->prompt, &text);
	good = transforms_add_text(&next, app->transform_ask.id, sbuf_view(&text), &e);
	sbuf_release(&text);
	if (!good) {
		prompt_error(&app->prompt,
		    e.has_offset ? prompt_pattern_at(&app->prompt, (size_t)e.offset) : app->prompt.n,
		    e.what);
		transforms_release(&next);
		return false;
	}
	if (index < last)
		transforms_replace(&next, index);
	app_note(app);
	transforms_copy(&app->s->subset.transforms, &next);
	transforms_release(&next);
	say_changed(app, index < last ? index : last);
	return true;
}

static void
ask(struct app *app, enum transform_id id, size_t index, struct str text)
{
	static const struct ask any = {.label = "x ", .accepted = text_accepted, .kind = 'x'};
	static const struct ask asks[TRANSFORMS] = {
	    [TRANSFORM_INCLUDE] = {.label = "x + include ", .accepted = text_accepted,
		.kind = 'x', .kept = ""},
	    [TRANSFORM_EXCLUDE] = {.label = "x - exclude ", .accepted = text_accepted,
		.kind = 'x', .kept = ""},
	    [TRANSFORM_COLLAPSE_MATCHES] = {.label = "x * collapse ",
		.accepted = text_accepted, .kind = 'x', .kept = ""},
	    [TRANSFORM_BELOW] = {.label = "x % below ", .accepted = text_accepted, .kind = 'x'},
	};

	app->transform_ask.id = id;
	app->transform_ask.index = index;
	app_ask(app, asks[id].label != NULL ? &asks[id] : &any, text);
}

void
transform_begin(struct app *app, enum transform_id id)
{
	switch (transform_kinds[id].argument) {
	case ARGUMENT_METHOD:
		add_method(app, id);
		break;
	case ARGUMENT_PATH:
		add_path(app, id);
		break;
	case ARGUMENT_PACKAGE:
		add_package(app, id);
		break;
	case ARGUMENT_PATTERN:
		ask(app, id, SIZE_MAX, STR(""));
		break;
	case ARGUMENT_RULES:
		cmd_hide_idle(app);
		break;
	case ARGUMENT_PERCENT:
		ask(app, id, SIZE_MAX, STR("0.5"));
		break;
	}
}

/* Asks for another text of a transform in the list, or for other rules. */
static void
transform_edit(struct app *app, size_t index)
{
	const struct transform *t = &app->s->subset.transforms.list[index];
	char percent[32];

	if (t->id == TRANSFORM_IDLE) {
		popup_open(app, &idle_list, 0);
		return;
	}
	snprintf(percent, sizeof(percent), "%u.%02u", t->hundredths / 100, t->hundredths % 100);
	ask(app, t->id, index,
	    transform_kinds[t->id].argument == ARGUMENT_PERCENT ? str_from(percent) : t->text);
}

/* The menu ---------------------------------------------------------------------------- */

static void
menu_fill(struct app *app)
{
	for (unsigned i = 0; i < TRANSFORMS; i++)
		popup_add(app, i, (char[]){transform_kinds[i].key, '\0'}, "%-17s%s",
		    transform_kinds[i].name,
		    names_words(app->s->names, transform_kinds[i].help));
}

static void
menu_choose(struct app *app, uint64_t id)
{
	transform_begin(app, (enum transform_id)id);
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

const struct popup_ops transform_list = {
    .title = "transform",
    .width = 78,
    .signs = ROLE_KEY,
    .fill = menu_fill,
    .key = menu_key,
    .acts = {
        {LIST_CHOOSE, menu_choose, "do", true, false},
    },
};

/* The list: filters, then transforms ------------------------------------------ */

/* The transform that the row is; NULL for a filter, and for conditions. */
static struct transform *
list_transform(struct app *app, uint64_t id)
{
	size_t filters = app->s->display.filters.count;
	const struct transforms *t = &app->s->subset.transforms;

	return id >= filters && id - filters < t->count ? &t->list[id - filters] : NULL;
}

/* The last row: the conditions of the view's list. */
static bool
is_where(const struct app *app, uint64_t id)
{
	return id == app->s->display.filters.count + app->s->subset.transforms.count;
}
static void
list_fill(struct app *app)
{
	const struct filters *f = &app->s->display.filters;
	const struct transforms *t = &app->s->subset.transforms;
	const struct list *l = screens_list(app);
	const struct where *where = l != NULL ? wheres_of(&app->s->display.wheres, l->source) : NULL;

	for (size_t i = 0; i < f->count; i++)
		popup_add(app, i, f->list[i].off ? "[ ]" : "[x]", "rows %s %.*s",
		    f->list[i].exclude ? "without" : "with",
		    STR_ARG(names_clean(app->s->names, f->list[i].text)));
	for (size_t i = 0; i < t->count; i++) {
		struct sbuf text = {0};

		transform_text(&text, &t->list[i], app->s->names, app->s->trace);
		popup_add(app, f->count + i, t->list[i].off ? "[ ]" : "[x]", "%s", sbuf_cstr(&text));
		sbuf_release(&text);
	}
	if (where != NULL)
		popup_add(app, f->count + t->count, "[x]", "rows where %.*s",
		    STR_ARG(names_clean(app->s->names, str_from(where->text))));
}

/* Draws a transform; of a path that is too long, the end. */
static void
rows_draw(struct app *app, struct canvas *c, struct rect r, const struct popup_row *row)
{
	const struct transform *t = list_transform(app, row->id);
	int column, right = r.column + r.columns;

	popup_row_draw(app, c, r, row);
	column = r.column + (int)strlen(row->sign) + 1;
	if (t == NULL || t->depth == 0 || (int)utf8_width(str_from(row->text)) <= right - column)
		return;
	canvas_fill(c, r.row, column, right, ' ', ROLE_POPUP);
	column = canvas_format(c, r.row, column, right, ROLE_POPUP, "%s ",
	    transform_kinds[t->id].name);
	canvas_text(c, r.row, column, right,
	    names_fit(app->s->names, t->methods[t->depth - 1], right - column, ELISION_AUTO).text,
	    ROLE_POPUP);
}

static void
list_toggle(struct app *app, uint64_t id)
{
	struct transform *t = list_transform(app, id);
	bool *off;

	if (is_where(app, id)) {
		app_complain(app, "conditions are only there, or removed (Delete)");
		return;
	}
	off = t != NULL ? &t->off : &app->s->display.filters.list[id].off;
	app_note(app);
	*off = !*off;
	if (t == NULL)
		filters_changed(&app->s->display.filters);
	app->s->display.refilters++;
}

static void
list_delete(struct app *app, uint64_t id)
{
	size_t filters = app->s->display.filters.count;

	app_note(app);
	if (is_where(app, id))
		(void)wheres_set(&app->s->display.wheres, screens_list(app), STR(""), NULL);
	else if (id >= filters)
		transforms_remove(&app->s->subset.transforms, id - filters);
	else
		filters_remove(&app->s->display.filters, id);
	app->s->display.refilters++;
}

static void
list_edit(struct app *app, uint64_t id)
{
	const struct transform *t = list_transform(app, id);

	if (is_where(app, id)) {
		app_complain(app, ":where edits the conditions");
	} else if (t == NULL) {
		app_complain(app, "& edits the last filter of rows");
	} else if (t->depth > 0) {
		app_complain(app, "this one has no expression: Delete it, then x again");
	} else {
		popup_close(app);
		transform_edit(app, id - app->s->display.filters.count);
	}
}

const struct popup_ops filters_list = {
    .title = "filters: all must hold; transforms: in this order",
    .none = "no filters (& adds one) and no transforms (x)",
    .width = 76,
    .fill = list_fill,
    .draw = rows_draw,
    .acts = {
        {LIST_TOGGLE, list_toggle, "on/off", false, false},
        {LIST_REMOVE, list_delete, "remove", false, false},
        {LIST_EDIT, list_edit, "edit", false, false},
        {LIST_CHOOSE, NULL, "done", true, true},
    },
};
