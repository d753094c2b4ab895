/*
 * pick-bookmarks: the bookmarks of the trace, to go to or to remove.
 */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/marks.h"
#include "tui/pickers.h"
#include "tui/popup.h"
#include "view/window.h"

static size_t
count(struct app *app)
{
	size_t n = 0;

	for (int i = 0; i < BOOKMARKS; i++)
		n += app->bookmarks.items[i].set;
	return n;
}

static size_t
index_of(struct app *app, size_t item)
{
	size_t i = 0;

	for (;; i++)
		if (app->bookmarks.items[i].set && item-- == 0)
			return i;
}

static uint64_t
identity(struct app *app, size_t item)
{
	return index_of(app, item);
}

enum { PLACE_SIZE = 100 };

/* "a  view 2  at 1.204113 s  win 1.200-1.260 s" */
static void
place_text(const struct app *app, size_t index, char out[static PLACE_SIZE])
{
	const struct bookmark *b = &app->bookmarks.items[index];
	char at[FMT_SIZE], window[WINDOW_TEXT];
	int n = snprintf(out, PLACE_SIZE, "%c  view %c  at %s%s", (int)('a' + index), b->view,
	    timescale_text(&app->scale, at, b->cursor, 6), timescale_unit(&app->scale));

	if (window_is_set(&b->window) && n < PLACE_SIZE)
		snprintf(out + n, (size_t)(PLACE_SIZE - n), "  win %s",
		    window_text(window, &b->window, app->now.begin, app->now.end, &app->scale));
}

/* The same and the method, in its own bytes; for the search. */
static void
text(struct app *app, size_t item, char *out, size_t size)
{
	size_t i = index_of(app, item);
	char place[PLACE_SIZE];

	place_text(app, i, place);
	snprintf(out, size, "%s  %.*s", place,
	    STR_ARG(sbuf_view(&app->bookmarks.items[i].method)));
}

static void
draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	size_t i = index_of(app, item);
	int right = r.column + r.columns, column;
	char place[PLACE_SIZE];

	(void)selected;
	place_text(app, i, place);
	column = canvas_text(c, r.row, r.column, right, str_from(place), ROLE_POPUP) + 2;
	if (app->bookmarks.items[i].method.n > 0)
		canvas_text(c, r.row, column, right,
		    names_fit_text(app->names, sbuf_view(&app->bookmarks.items[i].method),
			right - column, app->table.elision).text, ROLE_POPUP);
}

static void
go(struct app *app, size_t item)
{
	bookmark_go(app, index_of(app, item));
}

static void
drop(struct app *app, size_t item)
{
	struct err e = {0};

	if (!bookmark_remove(app, index_of(app, item), &e))
		app_complain(app, "removed here, but not from the file: %s", e.what);
}

static const struct popup_act acts[] = {
    {LIST_CHOOSE, go, "go to", true, false},
    {LIST_REMOVE, drop, "remove", false, false},
    {0},
};

static const struct popup_ops ops = {
    .title = "bookmarks",
    .none = "no bookmarks in this trace (m sets one)",
    .width = 77,
    .has_cursor = true,
    .count = count,
    .draw = draw,
    .text = text,
    .identity = identity,
    .acts = acts,
};

void
pick_bookmarks(struct app *app)
{
	popup_open(app, &ops, 0);
}
