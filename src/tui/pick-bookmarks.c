/*
 * pick-bookmarks: the bookmarks of the trace, to go to or to remove.
 */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
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

/* "a  view 2  at 1.204113 s  com.example.feed.ImageCache.decode"; the method's own bytes. */
static void
text(struct app *app, size_t item, char *out, size_t size)
{
	size_t i = index_of(app, item);
	const struct bookmark *b = &app->bookmarks.items[i];
	char at[FMT_SIZE], window[WINDOW_TEXT] = "";
	int n = 0;

	if (window_is_set(&b->window))
		window_text(window, &b->window, app->now.begin, app->now.end);
	n = snprintf(out, size, "%c  view %c  at %s s", (int)('a' + i), b->view,
	    fmt_time(at, b->cursor, FMT_S, 6));
	if (window[0] != '\0' && (size_t)n < size)
		n += snprintf(out + n, size - (size_t)n, "  win %s s", window);
	if (b->method.n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, "  %.*s", STR_ARG(sbuf_view(&b->method)));
}

static void
draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char line[1100];

	(void)selected;
	text(app, item, line, sizeof(line));
	canvas_text(c, r.row, r.column, r.column + r.columns,
	    names_clean(app->names, str_from(line)), ROLE_POPUP);
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

static const struct popup_binding bindings_here[] = {
    {"<Enter> <C-j>", go, "go there", "go to", true, false},
    {"d <Delete>", drop, "remove it", "remove", false, false},
    {NULL, NULL, NULL, NULL, false, false},
};

static const struct popup_ops ops = {
    .title = "bookmarks",
    .width = 77,
    .has_cursor = true,
    .count = count,
    .draw = draw,
    .text = text,
    .identity = identity,
    .bindings = bindings_here,
};

void
pick_bookmarks(struct app *app)
{
	popup_open(app, &ops, 0);
}
