// SPDX-License-Identifier: Apache-2.0
/* Bookmarks: set by a letter, gone to, listed. */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "tui/app.h"
#include "tui/popups/popup.h"

/*
 * Reads the store (`index` -1), or writes this one into it; those that other sessions wrote
 * meanwhile stay.  A pipe has no name, and nothing in the store.
 */
static bool
store(struct app *app, int index, struct err *e)
{
	char *path = state_path("bookmarks"), *name = realpath(app->s->trace->path, NULL);
	struct sbuf text = {0}, next = {0};
	bool has = path != NULL && name != NULL, good = !has || textfile_read(path, &text, e);

	if (has && good && index < 0)
		bookmarks_read(&app->s->bookmarks, sbuf_view(&text), str_from(name));
	if (has && good && index >= 0) {
		bookmarks_write(
		    &app->s->bookmarks, index, sbuf_view(&text), str_from(name), &next);
		good = textfile_write(path, sbuf_view(&next), 0600, e);
	}
	sbuf_release(&text);
	sbuf_release(&next);
	mem_free(path);
	free(name);
	return good;
}

static void
store_load(struct app *app)
{
	struct err e = {0};

	if (!app->s->bookmarks_known)
		(void)store(app, -1, &e);
	app->s->bookmarks_known = true;
}

static struct bookmark
bookmark_here(struct app *app)
{
	const struct axis *axis = &app->s->timeline.axis;
	struct bookmark b = {
	    .set = true,
	    .view = views_key(app->view),
	    .cursor = axis->cursor,
	    .shown = axis_shown(axis),
	    .window = app->s->subset.range,
	};

	if (app->s->timeline.thread != THREAD_NONE)
		b.thread = trace_thread(app->s->trace, app->s->timeline.thread)->id;
	screens_select(app);
	if (app->s->selected.method != METHOD_NONE)
		sbuf_str(&b.method, names_raw(app->s->names, app->s->selected.method));
	return b;
}

static void
go(struct app *app, const struct bookmark *b)
{
	struct axis *axis = &app->s->timeline.axis;
	const struct fold *fold = app->s->display.figures.fold;
	struct str name = sbuf_view(&b->method);
	uint32_t method = METHOD_NONE;
	enum view view = views_of_key(b->view);

	for (uint32_t m = 1; name.n > 0 && fold != NULL && m < fold->method_count; m++)
		if (method == METHOD_NONE && str_equal(names_raw(app->s->names, m), name))
			method = m;
	app_visit(app);
	if (!range_equal(&app->s->subset.range, &b->window)) {
		app_note(app);
		app->s->subset.range = b->window;
	}
	for (size_t i = 0; i < app->s->timeline.thread_count; i++)
		if (trace_thread(app->s->trace, app->s->timeline.threads[i])->id == b->thread)
			timeline_pane_select_thread(&app->s->timeline, app->s->timeline.threads[i]);
	axis_zoom_to(axis, b->shown.from, b->shown.to);
	axis_move_to(axis, b->cursor);
	if (method != METHOD_NONE || b->method.n == 0)
		selection_set_method(&app->s->selected, method);
	else
		app_complain(app, "the method of the bookmark is not in this trace");
	app_put_view(app, view < VIEWS ? view : VIEW_PROFILE);
}

/* The key's letter as an index; -1 after saying that it is none. */
static int
letter(struct app *app)
{
	struct str text = prompt_text(&app->prompt);

	if (text.n == 1 && text.p[0] >= 'a' && text.p[0] <= 'z')
		return text.p[0] - 'a';
	app_complain(app, "bookmarks are a to z");
	return -1;
}

/* One key is all that is asked for. */
static void
changed(struct app *app)
{
	if (prompt_text(&app->prompt).n > 0)
		app_accept(app);
}

static bool
set_accepted(struct app *app)
{
	int index = letter(app);
	struct err e = {0};

	if (index < 0)
		return true;
	bookmark_put(&app->s->bookmarks.items[index], bookmark_here(app));
	if (store(app, index, &e))
		app_say(app, "bookmark %c (' %c returns here)", 'a' + index, 'a' + index);
	else
		app_complain(app, "bookmark %c, but not kept: %s", 'a' + index, e.what);
	return true;
}

static void
leap(struct app *app, const struct bookmark *b)
{
	struct bookmark here = bookmark_here(app);

	go(app, b);
	bookmark_put(&app->s->bookmarks.before, here);
}

static bool
go_accepted(struct app *app)
{
	bool back = str_equal(prompt_text(&app->prompt), STR("'"));
	int index = back ? 0 : letter(app);
	const struct bookmark *b;

	if (index < 0)
		return true;
	b = back ? &app->s->bookmarks.before : &app->s->bookmarks.items[index];
	if (!b->set) {
		if (back)
			app_complain(app, "no jump to a bookmark to return from");
		else
			app_complain(app, "no bookmark %c (m %c sets it)", 'a' + index, 'a' + index);
		return true;
	}
	leap(app, b);
	return true;
}

static const struct ask ask_set = {
    .label = "bookmark a-z: ", .changed = changed, .accepted = set_accepted};
static const struct ask ask_go = {
    .label = "to bookmark a-z, ' back: ", .changed = changed, .accepted = go_accepted};

void
cmd_bookmark(struct app *app, int jump)
{
	store_load(app);
	app_ask(app, jump ? &ask_go : &ask_set, STR(""));
}

/* The list ------------------------------------------------------------------------ */

/* "a  view 2  at 1.204113 s  win 1.200-1.260 s", and after a TAB the method, in its bytes. */
static void
fill(struct app *app)
{
	store_load(app);
	for (unsigned i = 0; i < BOOKMARKS; i++) {
		const struct bookmark *b = &app->s->bookmarks.items[i];
		char at[FMT_SIZE], window[WINDOW_TEXT] = "";

		if (!b->set)
			continue;
		if (window_is_set(&b->window))
			window_text(window, &b->window, app->s->now.begin, app->s->now.end,
			    &app->s->scale);
		popup_add(app, i, "", "%c  view %c  at %s%s%s%s  \t%.*s", (int)('a' + i), b->view,
		    timescale_text(&app->s->scale, at, b->cursor, 6),
		    timescale_unit(&app->s->scale),
		    window[0] != '\0' ? "  win " : "", window, STR_ARG(sbuf_view(&b->method)));
	}
}

static void
item_go(struct app *app, uint64_t i)
{
	leap(app, &app->s->bookmarks.items[i]);
}

static void
item_remove(struct app *app, uint64_t i)
{
	struct err e = {0};

	bookmark_put(&app->s->bookmarks.items[i], (struct bookmark){0});
	if (!store(app, (int)i, &e))
		app_complain(app, "removed here, but not from the file: %s", e.what);
}

const struct popup_ops bookmark_list = {
    .title = "bookmarks",
    .none = "no bookmarks in this trace (m sets one)",
    .width = 77,
    .fill = fill,
    .acts = {
        {LIST_CHOOSE, item_go, "go to", true, false},
        {LIST_REMOVE, item_remove, "remove", false, false},
    },
};
