#include <config.h>

#include "tui/popup.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "tui/app.h"
#include "tui/bindings.h"

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

static void
down(struct app *app, size_t item)
{
	(void)item;
	go(app, 1);
}

static void
up(struct app *app, size_t item)
{
	(void)item;
	go(app, -1);
}

static void
page_down(struct app *app, size_t item)
{
	(void)item;
	go(app, (int64_t)app->popup.height);
}

static void
page_up(struct app *app, size_t item)
{
	(void)item;
	go(app, -(int64_t)app->popup.height);
}

static void
first(struct app *app, size_t item)
{
	(void)item;
	go(app, -(int64_t)app->popup.count);
}

static void
last(struct app *app, size_t item)
{
	(void)item;
	go(app, (int64_t)app->popup.count);
}

static void
nothing(struct app *app, size_t item)
{
	(void)app;
	(void)item;
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

static void
filter(struct app *app, size_t item)
{
	(void)item;
	if (app->popup.ops->text == NULL)
		app_complain(app, "this list has no filter");
	else
		app_ask(app, &ask_filter, str_from(app->popup.filter), NULL);
}

const struct popup_binding popup_bindings[] = {
    {"j <Down>", down, "down", NULL, false, true},
    {"k <Up>", up, "up", NULL, false, true},
    {"<PageDown> <C-f> <C-d>", page_down, "a page down", NULL, false, true},
    {"<PageUp> <C-b> <C-u>", page_up, "a page up", NULL, false, true},
    {"g <Home>", first, "to the first line", NULL, false, true},
    {"G <End>", last, "to the last line", NULL, false, true},
    {"/ <F3>", filter, "show only lines with these letters", "find", false, true},
    {"q <Escape> <C-c> <F10>", nothing, "close", "close", true, true},
    {NULL, NULL, NULL, NULL, false, false},
};

static bool
run(struct app *app, const struct popup_binding *list, const char *key)
{
	struct popup *p = &app->popup;

	for (const struct popup_binding *b = list; b != NULL && b->keys != NULL; b++) {
		size_t cursor = p->cursor,
		       item = cursor < p->count ? p->items[cursor] : 0;

		if (!bindings_has(b->keys, key))
			continue;
		if (p->count == 0 && !b->any) {
			app_complain(app, "nothing is chosen here");
			return true;
		}
		if (b->closes)
			popup_close(app);
		b->act(app, item);
		if (p->ops != NULL) {
			if (p->cursor != cursor)
				moved(app);
			popup_refresh(app);
		}
		return true;
	}
	return false;
}

bool
popup_key(struct app *app, const struct key *key)
{
	const struct popup_ops *ops = app->popup.ops;

	if ((ops->key != NULL && ops->key(app, key->name)) || run(app, ops->bindings, key->name))
		return true;
	return run(app, popup_bindings, key->name);
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
