// SPDX-License-Identifier: Apache-2.0
/* Searching and filtering. */
#include <config.h>

#include <stdio.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/sbuf.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/complete.h"

static void
show_error(struct app *app, const struct err *e)
{
	char text[sizeof(app->prompt.error)];

	size_t at = e->has_offset ? prompt_pattern_at(&app->prompt, (size_t)e->offset)
				  : app->prompt.n;

	snprintf(text, sizeof(text), "%.100s, at offset %zu", e->what, at);
	prompt_error(&app->prompt, at, text);
}

/* Search ---------------------------------------------------------------- */

enum { TYPING_MS = 50 }; /* that a key of the prompt may search */

/* `ms`: how long; 0: as long as it takes. */
static bool
search_for(struct app *app, struct str text, int ms, struct err *e)
{
	struct pattern *pattern = NULL;

	if (text.n > 0 && !pattern_compile(text, 0, &pattern, e))
		return false;
	if (pattern != NULL)
		pattern_hurry(pattern, ms);
	display_search(&app->s->display, pattern);
	return true;
}

/* The cursor returns to where it was before the prompt. */
static void
search_return(struct app *app)
{
	if (app->search_of == app->s)
		app_return(app, &app->search_from);
	app->search_of = NULL;
}

static void
remember_search(struct app *app, struct str text)
{
	mem_free(app->search_text);
	app->search_text = mem_text(text);
}

static void
go_to_hit(struct app *app, int direction)
{
	enum hits_found found = screens_search_next(app, direction);
	const char *wrapped;
	size_t n, of;

	if (app->s->display.search_err.kind != ERR_NONE) {
		app_complain(app, "%s", app->s->display.search_err.what);
		return;
	}
	if (found == HITS_NONE) {
		app_complain(app, "no match for %s", app->search_text);
		return;
	}
	screens_search_position(app, &n, &of);
	wrapped = found != HITS_WRAPPED ? ""
		  : direction < 0	       ? ", wrapped to the end"
					       : ", wrapped to the start";
	app_say(app, "match %zu of %zu%s", n, of, wrapped);
}

/* Goes to the first hit of the prompt's text so far and counts the hits, in TYPING_MS at most. */
static void
search_incremental(struct app *app)
{
	struct pattern *pattern = app->s->display.search;
	struct prompt *p = &app->prompt;
	size_t n = 0, of = 0;
	bool found;

	app->search_of = app->s;
	found = screens_search_next(app, 0) != HITS_NONE;
	if (found)
		screens_search_position(app, &n, &of);
	if (pattern_was_late(pattern) || app->s->display.search_err.kind != ERR_NONE) {
		search_return(app);
		snprintf(p->note, sizeof(p->note), "%s",
		    pattern_was_late(pattern) ? "Enter searches" : "too costly");
	} else if (found) {
		snprintf(p->note, sizeof(p->note), "%zu of %zu", n, of);
	} else {
		search_return(app);
		snprintf(p->note, sizeof(p->note), "no match");
	}
	pattern_hurry(pattern, 0);
}

static void
search_changed(struct app *app)
{
	struct sbuf text = {0};
	struct err e = {0};

	search_return(app);
	app->prompt.note[0] = '\0';
	prompt_pattern(&app->prompt, &text);
	if (!search_for(app, sbuf_view(&text), TYPING_MS, &e))
		show_error(app, &e);
	else if (text.n > 0)
		search_incremental(app);
	sbuf_release(&text);
}

static bool
search_accepted(struct app *app)
{
	struct sbuf text = {0};
	struct err e = {0};

	prompt_pattern(&app->prompt, &text);
	/* As in less: an empty line means the last search. */
	if (text.n == 0 && app->search_text != NULL)
		sbuf_text(&text, app->search_text);
	if (!search_for(app, sbuf_view(&text), 0, &e)) {
		show_error(app, &e);
		sbuf_release(&text);
		return false;
	}
	search_return(app);
	if (text.n > 0) {
		remember_search(app, sbuf_view(&text));
		go_to_hit(app, 0);
	}
	sbuf_release(&text);
	return true;
}

static void
search_cancelled(struct app *app)
{
	struct err e = {0};

	search_return(app);
	search_for(
	    app, app->search_text != NULL ? str_from(app->search_text) : STR(""), 0, &e);
}

static const struct ask ask_search = {
    "/", search_changed, search_accepted, search_cancelled, complete_package, "", '/'};

void
cmd_search(struct app *app)
{
	place_release(&app->search_from);
	app->search_from = app_place(app);
	app->search_of = NULL;
	app_ask(app, &ask_search, STR(""));
}

void
cmd_search_next(struct app *app, int direction)
{
	struct err e = {0};

	if (app->search_text == NULL) {
		app_complain(app, "no search yet (/)");
		return;
	}
	if (app->s->display.search == NULL &&
	    !search_for(app, str_from(app->search_text), 0, &e)) {
		app_complain(app, "%s", e.what);
		return;
	}
	go_to_hit(app, direction);
}

void
cmd_search_name(struct app *app)
{
	uint32_t method = screens_method(app);
	struct sbuf text = {0};
	struct err e = {0};

	if (method == METHOD_NONE) {
		app_complain(app, "no method to search for");
		return;
	}
	pattern_quote(&text, names_method(app->s->names, method));
	if (search_for(app, sbuf_view(&text), 0, &e)) {
		remember_search(app, sbuf_view(&text));
		prompt_history_add(app_lines(app, '/'), sbuf_view(&text));
		go_to_hit(app, 0);
	} else {
		app_complain(app, "%s", e.what);
	}
	sbuf_release(&text);
}

/* Filters --------------------------------------------------------------- */

/* The prompt's line over the filters of before; an empty line leaves them. */
static bool
apply_line(struct app *app, bool entered, struct err *e)
{
	struct filters *f = &app->s->display.filters;
	struct sbuf line = {0};
	bool any, done;

	prompt_pattern(&app->prompt, &line);
	any = line.n > 0 && !str_equal(sbuf_view(&line), STR("!"));
	filters_copy(f, &app->filters_before);
	done = (!any && !entered) || filters_set(f, sbuf_view(&line), e);
	sbuf_release(&line);
	app->s->display.refilters++;
	return done;
}

static void
filter_changed(struct app *app)
{
	struct err e = {0};

	if (!apply_line(app, false, &e))
		show_error(app, &e);
}

static bool
filter_accepted(struct app *app)
{
	struct filters *f = &app->s->display.filters;
	struct err e = {0};

	if (!apply_line(app, true, &e)) {
		show_error(app, &e);
		return false;
	}
	if (!filters_equal(f, &app->filters_before)) {
		filters_copy(f, &app->filters_before);
		app_note(app);
		(void)apply_line(app, true, &e);
	}
	methods_follow(&app->s->methods);
	if (f->err.kind != ERR_NONE)
		app_complain(app, "%s", f->err.what);
	else if (app->s->display.figures.fold != NULL)
		app_say(app, "%u of %u methods", methods_shown(&app->s->methods),
		    app->s->display.figures.fold->present);
	return true;
}

static void
filter_cancelled(struct app *app)
{
	filters_copy(&app->s->display.filters, &app->filters_before);
	app->s->display.refilters++;
}

static const struct ask ask_filter = {
    "&", filter_changed, filter_accepted, filter_cancelled, complete_package, "+!", '&'};

void
filter_only(struct app *app, struct sbuf *line)
{
	struct filters *f = &app->s->display.filters;
	struct err e = {0};

	app_note(app);
	if (f->count == 1 && !f->list[0].exclude && str_equal(f->list[0].text, sbuf_view(line)))
		sbuf_clear(line);
	if (!filters_set(f, sbuf_view(line), &e))
		app_complain(app, "%s", e.what);
	app->s->display.refilters++;
	sbuf_release(line);
}

void
cmd_filter_row(struct app *app)
{
	struct sbuf line = {0};
	uint32_t method = method_meant(app);

	if (method == METHOD_NONE)
		return;
	sbuf_char(&line, '^');
	pattern_quote(&line, names_raw(app->s->names, method));
	sbuf_char(&line, '$');
	filter_only(app, &line);
}

void
cmd_filter(struct app *app)
{
	filters_copy(&app->filters_before, &app->s->display.filters);
	app_ask(app, &ask_filter, STR(""));
}

void
cmd_escape(struct app *app)
{
	if (app->view == VIEW_DETAILS && app->s->display.search == NULL)
		cmd_close(app);
	else if (app->s->choosing)
		app->s->choosing = false;
	else if (app->s->timeline.highlight != METHOD_NONE)
		app->s->timeline.highlight = METHOD_NONE;
	else
		display_search(&app->s->display, NULL);
}
