#include <config.h>

#include "tui/popup.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/keymap.h"

/* Keeps the cursor in the list and in sight. */
static void
settle(struct popup *p)
{
	size_t room = p->height > 0 ? p->height : 1;
	size_t most = p->count > room ? p->count - room : 0;

	if (p->cursor >= p->count)
		p->cursor = p->count > 0 ? p->count - 1 : 0;
	if (p->ops->has_cursor) {
		if (p->top > p->cursor)
			p->top = p->cursor;
		if (p->cursor >= p->top + room)
			p->top = p->cursor - room + 1;
	}
	if (p->top > most)
		p->top = most;
}

static uint64_t
identity(struct app *app, size_t item)
{
	return app->popup.ops->identity != NULL ? app->popup.ops->identity(app, item)
						: item;
}

/* The cursor was moved to another item. */
static void
moved(struct app *app)
{
	struct popup *p = &app->popup;

	settle(p);
	if (p->cursor < p->count)
		p->on = identity(app, p->items[p->cursor]);
}

static bool
passes(struct app *app, size_t item)
{
	struct popup *p = &app->popup;
	char text[1100];

	if (p->pattern == NULL)
		return true;
	p->ops->text(app, item, text, sizeof(text));
	return pattern_match(p->pattern, str_from(text), NULL, NULL) != PATTERN_NO;
}

void
popup_refresh(struct app *app)
{
	struct popup *p = &app->popup;
	size_t all, number, count = 0;
	bool found = false;

	if (p->ops == NULL)
		return;
	all = p->ops->count(app);
	number = p->cursor < p->count ? p->items[p->cursor] : 0;
	MEM_GROW(p->items, p->room, all);
	p->cursor = 0;
	for (size_t i = 0; i < all; i++) {
		if (!passes(app, i))
			continue;
		/* On the same item; if that is gone, on one close to its place. */
		if (!found && (i <= number || identity(app, i) == p->on))
			p->cursor = count;
		found = found || identity(app, i) == p->on;
		p->items[count++] = i;
	}
	p->count = count;
	settle(p);
}

void
popup_open(struct app *app, const struct popup_ops *ops, size_t cursor)
{
	struct popup *p = &app->popup;

	popup_close(app);
	p->ops = ops;
	p->count = 0;
	p->top = 0;
	popup_refresh(app);
	p->cursor = cursor;
	popup_layout(app);
	moved(app);
}

void
popup_close(struct app *app)
{
	struct popup *p = &app->popup;

	p->ops = NULL;
	p->about = NULL;
	p->filter[0] = '\0';
	pattern_free(p->pattern);
	p->pattern = NULL;
}

void
popup_release(struct popup *p)
{
	pattern_free(p->pattern);
	mem_free(p->items);
	*p = (struct popup){0};
}

/* Its own keys ---------------------------------------------------------- */

static void
go(struct app *app, int64_t by)
{
	struct popup *p = &app->popup;
	size_t *at = p->ops->has_cursor ? &p->cursor : &p->top;
	int64_t to = (int64_t)*at + by;

	*at = to < 0 ? 0 : to >= (int64_t)p->count ? p->count : (size_t)to;
	moved(app);
}

void
cmd_list_move(struct app *app, int how)
{
	go(app, move_distance(how, app->popup.height));
}

void
cmd_list_close(struct app *app, int arg)
{
	(void)arg;
	popup_close(app);
}

static void
filter_changed(struct app *app)
{
	struct popup *p = &app->popup;
	struct str text = prompt_text(&app->prompt);

	pattern_free(p->pattern);
	p->pattern = NULL;
	if (text.n > 0)
		pattern_compile(text, PATTERN_LITERAL, &p->pattern, NULL);
	snprintf(p->filter, sizeof(p->filter), "%.*s", STR_ARG(text));
	popup_refresh(app);
}

static bool
filter_accepted(struct app *app)
{
	filter_changed(app);
	return true;
}

static void
filter_cancelled(struct app *app)
{
	struct popup *p = &app->popup;

	p->filter[0] = '\0';
	pattern_free(p->pattern);
	p->pattern = NULL;
	popup_refresh(app);
}

static const struct ask ask_filter = {
    "/", filter_changed, filter_accepted, filter_cancelled, NULL, NULL};

void
cmd_list_find(struct app *app, int arg)
{
	(void)arg;
	if (app->popup.ops->text == NULL)
		app_complain(app, "this list has no filter");
	else
		app_ask(app, &ask_filter, str_from(app->popup.filter), NULL);
}

/* NULL: not in this list. */
static const struct popup_act *
find_act(const struct popup_ops *ops, int act)
{
	for (const struct popup_act *a = ops->acts; a != NULL && a->act != LIST_NOTHING; a++)
		if ((int)a->act == act)
			return a;
	return NULL;
}

void
cmd_list_act(struct app *app, int act)
{
	struct popup *p = &app->popup;
	const struct popup_act *a = find_act(p->ops, act);
	size_t cursor = p->cursor, item = cursor < p->count ? p->items[cursor] : 0;

	if (p->count == 0 && !a->any) {
		app_complain(app, "nothing is chosen here");
		return;
	}
	if (a->closes)
		popup_close(app);
	if (a->run != NULL)
		a->run(app, item);
	if (p->ops != NULL) {
		if (p->cursor != cursor)
			moved(app);
		popup_refresh(app);
	}
}

bool
popup_key(struct app *app, const struct key *key)
{
	const struct popup_ops *ops = app->popup.ops;
	const struct command *command;

	if (ops->key != NULL && ops->key(app, key->name))
		return true;
	command = keymap_find(app->keymap, IN_LIST, key->name);
	if (command == NULL ||
	    (command->run == cmd_list_act && find_act(ops, command->arg) == NULL))
		return false;
	command->run(app, command->arg);
	return true;
}

bool
popup_click(struct app *app, int row, int column)
{
	struct popup *p = &app->popup;
	struct rect body = popup_body(app);
	size_t item = p->top + (size_t)(row - body.row);

	if (row < body.row || row >= body.row + body.rows || column < body.column ||
	    column >= body.column + body.columns || item >= p->count ||
	    !p->ops->has_cursor)
		return false;
	if (item == p->cursor)
		return true;
	p->cursor = item;
	moved(app);
	return false;
}

void
popup_layout(struct app *app)
{
	struct popup *p = &app->popup;

	if (p->ops == NULL || app->layout.too_small)
		return;
	p->height = popup_room(app);
	settle(p);
}
