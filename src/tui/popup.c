#include <config.h>

#include "tui/popup.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/utf8.h"
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
	return app->popup.ops->identity != NULL ? app->popup.ops->identity(app, item) : item;
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

static const struct ask ask_filter = {"/", filter_changed, filter_accepted, filter_cancelled};

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
		size_t cursor = p->cursor, item = cursor < p->count ? p->items[cursor] : 0;

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
	if (run(app, app->popup.ops->bindings, key->name))
		return true;
	return run(app, popup_bindings, key->name);
}

/* Drawing --------------------------------------------------------------- */

/* Frame included; within what the last lines of the screen leave. */
static struct rect
popup_frame(const struct app *app)
{
	const struct popup *p = &app->popup;
	const struct layout *l = &app->layout;
	int extra = 2 + (p->ops->header != NULL);
	int rows = (int)(p->count < 1000 ? p->count : 1000) + extra;
	int columns = p->ops->width + 4, most = l->rows - 2;

	/* The height does not follow the filter, or the frame would jump about. */
	if (p->pattern != NULL)
		rows = (int)p->height + extra;
	if (rows < 3 + extra)
		rows = 3 + extra;
	if (rows > most)
		rows = most;
	if (columns > l->columns)
		columns = l->columns;
	return (struct rect){
	    1 + (most - rows) / 2, (l->columns - columns) / 2, rows, columns};
}

void
popup_layout(struct app *app)
{
	struct popup *p = &app->popup;
	struct rect frame;
	int rows;

	if (p->ops == NULL || app->layout.too_small)
		return;
	frame = popup_frame(app);
	rows = frame.rows - 2 - (p->ops->header != NULL);
	p->height = rows > 0 ? (size_t)rows : 0;
	settle(p);
}

struct corners {
	uint32_t across, down, top_left, top_right, bottom_left, bottom_right;
};

static void
draw_frame(struct canvas *c, struct rect r)
{
	static const struct corners ascii = {'-', '|', '+', '+', '+', '+'};
	static const struct corners lines = {0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518};
	const struct corners *k = c->utf8 ? &lines : &ascii;
	int bottom = r.row + r.rows - 1, right = r.column + r.columns - 1;

	for (int row = r.row; row <= bottom; row++) {
		canvas_fill(c, row, r.column, right + 1, ' ', ROLE_POPUP);
		canvas_put(c, row, r.column, k->down, ROLE_POPUP);
		canvas_put(c, row, right, k->down, ROLE_POPUP);
	}
	canvas_fill(c, r.row, r.column, right, k->across, ROLE_POPUP);
	canvas_fill(c, bottom, r.column, right, k->across, ROLE_POPUP);
	canvas_put(c, r.row, r.column, k->top_left, ROLE_POPUP);
	canvas_put(c, r.row, right, k->top_right, ROLE_POPUP);
	canvas_put(c, bottom, r.column, k->bottom_left, ROLE_POPUP);
	canvas_put(c, bottom, right, k->bottom_right, ROLE_POPUP);
}

/* " Space in/out  Enter only this one " on the lower edge. */
static int
draw_hints(
    struct canvas *c, int row, int column, int limit, const struct popup_binding *list)
{
	for (const struct popup_binding *b = list; b != NULL && b->keys != NULL; b++) {
		char name[32], text[64];
		int length;

		if (b->hint == NULL)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(b->keys, " "), b->keys);
		bindings_label(text, name, sizeof(name));
		length = (int)strlen(name) + (int)strlen(b->hint) + 3;
		if (column + length > limit)
			break;
		canvas_put(c, row, column++, ' ', ROLE_POPUP);
		column = canvas_text(c, row, column, limit, str_from(name), ROLE_KEY);
		canvas_put(c, row, column++, ' ', ROLE_POPUP);
		column = canvas_text(c, row, column, limit, str_from(b->hint), ROLE_POPUP);
		canvas_put(c, row, column, ' ', ROLE_POPUP);
	}
	return column;
}

void
popup_draw(struct app *app, struct canvas *c)
{
	struct popup *p = &app->popup;
	struct rect frame = popup_frame(app);
	struct rect row = {frame.row + 1, frame.column + 2, 1, frame.columns - 4};
	int right = frame.column + frame.columns - 2, bottom = frame.row + frame.rows - 1, column;
	char place[64];

	draw_frame(c, frame);
	column = canvas_format(c, frame.row, frame.column + 2, right, ROLE_KEY, " %s ",
	    p->ops->title);
	if (p->filter[0] != '\0')
		column = canvas_format(
		    c, frame.row, column, right, ROLE_POPUP, "/%s ", p->filter);
	snprintf(place, sizeof(place), " %zu/%zu ",
	    p->count == 0           ? 0
		: p->ops->has_cursor ? p->cursor + 1
				     : p->top + p->height < p->count ? p->top + p->height : p->count,
	    p->count);
	if (column + (int)strlen(place) < right)
		canvas_text(c, frame.row, right - (int)strlen(place), right, str_from(place),
		    ROLE_POPUP);
	column = draw_hints(c, bottom, frame.column + 2, right, p->ops->bindings);
	draw_hints(c, bottom, column, right, popup_bindings);
	if (p->ops->header != NULL) {
		p->ops->header(app, c, row);
		row.row++;
	}
	for (size_t i = p->top; i < p->count && row.row < bottom; i++, row.row++) {
		bool selected = p->ops->has_cursor && i == p->cursor;

		p->ops->draw(app, c, row, p->items[i], selected);
		if (selected)
			canvas_add_look(
			    c, row.row, row.column, row.column + row.columns, LOOK_SELECTED);
	}
	if (p->count == 0)
		canvas_text(c, row.row, row.column, row.column + row.columns,
		    str_from(p->pattern != NULL ? "nothing has these letters" : "nothing"),
		    ROLE_DIM);
}
