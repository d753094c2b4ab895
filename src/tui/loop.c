// SPDX-License-Identifier: Apache-2.0
/*
 * loop: wait, keys, queries, answers, one update of the screen.
 */
#include <config.h>

#include "tui/tui.h"

#include <signal.h>
#include <stdio.h>

#include "base/mem.h"
#include "tui/app.h"
#include "tui/layout.h"
#include "tui/screens/screens.h"

enum {
	QUICK_MS = 10,     /* answers as quick as that come in the same update */
	LOADING_MS = 5,    /* the same while a trace loads, when a picture takes longer, too */
	START_MS = 25,     /* so do traces that load as quickly */
	REST_MS = 100,     /* slower answers wait until the keys have rested */
	PROGRESS_MS = 250, /* between two updates while loading */
	KEYS_MAX = 1000,   /* before the screen is drawn, however fast they come */
};

struct loop {
	struct app app;
	int64_t quiet_until_ms; /* the engine's answers wait until then; 0: they do not */
	int64_t keys_ms;        /* when the last ones came */
	int64_t drawn_ms;       /* when progress was shown the last time */
};

/*
 * Queries, the answers that come within so long, and what is done with them by keys that
 * waited for them; again, because answers bring new queries: a table its marks, a loaded
 * trace its window.  Returns whether anything on the screen may differ.
 */
static bool
update(struct app *app, int ms, bool loaded)
{
	int64_t limit = clock_ms() + ms, left = ms;
	bool differs = false, more;

	do {
		const struct session *before = app->s;

		app_follow(app);
		engine_wait(app->s->engine, (int)left, loaded);
		left = limit - clock_ms();
		compare_wait(app, left > 0 ? (int)left : 0, loaded);
		more = app_take(app);
		/* A new trace gets time for the queries that it was not asked ahead. */
		if (app->s != before)
			limit = clock_ms() + REST_MS;
		more |= queue_run(app);
		differs |= more;
		left = limit - clock_ms();
	} while (more && left > 0 && !app->quit);
	app_follow(app);
	return differs;
}

/* Takes the answers that come in time for this update of the screen. */
static void
settle(struct app *app)
{
	bool loading = app_loading(app) || reload_pending(app);

	(void)update(app, loading ? LOADING_MS : QUICK_MS, false);
}

static bool
take_keys(struct app *app)
{
	struct key key;
	int count = 0;
	bool any = false;

	do {
		while (!app->quit && term_key(app->term, &key)) {
			queue_key(app, &key);
			any = true;
		}
	} while (!app->quit && any && ++count < KEYS_MAX &&
		 (term_wait(app->term, -1, 0) & TERM_INPUT) != 0);
	return any;
}

static void
resize(struct app *app)
{
	int rows, columns;

	term_size(app->term, &rows, &columns);
	if (app->laid_out && rows == app->layout.rows && columns == app->layout.columns)
		return;
	app_layout(app, rows, columns);
	app->asked = false;
}

/* Draws the screen at the terminal's present size, whether or not a signal told of a change. */
static void
draw(struct app *app)
{
	struct draw_cursor cursor;

	resize(app);
	if (!app->s->details_late)
		app->s->details_method = screens_method(app);
	reload_look(app);
	engine_hold(app->s->engine, true);
	cursor = draw_app(app);
	term_draw(app->term, &app->canvas, cursor.row, cursor.column, cursor.visible);
	engine_hold(app->s->engine, false);
	term_show(app->term);
}

/* The wait until progress is shown the next time, or what is followed is loaded; -1: for ever. */
static int
count_wait(const struct app *app)
{
	int follow = follow_wait(app);
	bool counts = queue_waits(app) || app_open(app, QUERY_METHODS) ||
	    app_open(app, QUERY_TRACKS);

	return !counts || (follow >= 0 && follow < PROGRESS_MS) ? follow : PROGRESS_MS;
}

/* The rest of a round in which what is being written has the screen. */
static bool
write_alone(struct loop *loop, bool changed)
{
	struct app *app = &loop->app;

	writing_step(app);
	/* The answers waited, and with the pager the terminal may have got another size. */
	if (!app->writing.active) {
		resize(app);
		settle(app);
	}
	if (changed || !app->writing.active || clock_ms() - loop->drawn_ms >= PROGRESS_MS) {
		loop->drawn_ms = clock_ms();
		draw(app);
	}
	return !app->quit;
}

/* True if the trace could not be read and no other is waited for in its place. */
static bool
gave_up(struct app *app)
{
	return app->s->now.state == LOAD_FAILED && !follow_waits(app);
}

/* One round; false when the program has to end. */
static bool
turn(struct loop *loop)
{
	struct app *app = &loop->app;
	int64_t now = clock_ms(), came;
	bool quiet = loop->quiet_until_ms > now && !queue_waits(app);
	int timeout = quiet ? (int)(loop->quiet_until_ms - now)
	    : app->s->details_late ? 0
				: count_wait(app);
	const enum view shown = app->view;
	unsigned events;
	bool changed = false, keys;

	events = term_wait(app->term, quiet || app->writing.active ? -1 : app->arrived.fd,
	    app->writing.active ? 0 : timeout);
	if (events & TERM_END)
		return false;
	came = clock_ms();
	if (events & TERM_REDRAW) {
		resize(app);
		changed = true;
	}
	keys = (events & TERM_INPUT) != 0 && take_keys(app);
	if (app->quit)
		return false;
	/* The model that is being written must not change: no answers. */
	if (app->writing.active)
		return write_alone(loop, keys || changed);
	if (keys || changed) {
		app->s->details_late = keys && came - loop->keys_ms < REST_MS;
		loop->keys_ms = came;
		settle(app);
		/* A view that opens without its rows shows them as they come. */
		loop->quiet_until_ms = app->view != shown && (app->s->work.open & views_now(app)->answers) != 0
		    ? 0
		    : clock_ms() + REST_MS;
		changed = true;
	} else if ((events & TERM_FD) != 0 ||
		   (timeout >= 0 && clock_ms() - now >= timeout)) {
		loop->quiet_until_ms = 0;
		changed = app->s->details_late || queue_waits(app);
		if (app->s->details_late)
			app->s->details_late = app->asked = false;
		changed |= update(app, changed ? QUICK_MS : 0, false);
		/* Every user waits for the first table. */
		if (app_loading(app) && app->s->display.figures.fold != NULL)
			loop->quiet_until_ms = clock_ms() + PROGRESS_MS;
	}
	if (app->quit || gave_up(app))
		return false;
	if (changed)
		draw(app);
	return true;
}

/* Browses, with the trace to compare with, if any. */
static int
browse(struct loop *loop, const struct tui_options *options, struct err *e)
{
	struct app *app = &loop->app;

	if (options->diff != NULL) {
		if (!compare_begin(app, options->diff->before, e))
			return TUI_TROUBLE;
		app_put_view(app, VIEW_DIFF);
	}
	resize(app);
	(void)update(app, START_MS, true);
	if (gave_up(app))
		return TUI_TROUBLE;
	draw(app);
	while (turn(loop))
		;
	return app->status;
}

/* Tells on stderr why loading failed and, if strict, what is damaged; returns the exit status. */
static int
farewell(struct app *app, const struct tui_options *options, int status)
{
	struct str path = names_clean(app->s->names, str_from(app->s->trace->path));

	if (gave_up(app)) {
		fprintf(stderr, "slowtop: %.*s: %s\n", STR_ARG(path),
		    err_text(&app->s->now.err, ERR_BUF));
		return TUI_TROUBLE;
	}
	if (!options->strict || status != TUI_QUIT || damage_count(&app->s->now.damage) == 0)
		return status;
	for (int i = 0; i < DAMAGE_KINDS; i++)
		if (damage_met(&app->s->now.damage, i))
			fprintf(stderr, "slowtop: %.*s: %s: %s\n", STR_ARG(path),
			    damage_kinds[i].name,
			    damage_text(&app->s->now.damage, (enum damage_kind)i, DAMAGE_BUF));
	return TUI_DAMAGED;
}

int
tui_run(struct trace *trace, const struct tui_options *options)
{
	struct loop *loop = mem_zero(1, sizeof(*loop));
	struct app *app = &loop->app;
	struct settings *settings = options->settings;
	struct term *term;
	const char *name, *taken_for;
	struct err e = {0};
	int status = TUI_TROUBLE, ended_by = 0;
	bool browsed;

	/* First of all, so that the engine's thread inherits the blocked signals. */
	term = term_open(settings, &e);
	if (term == NULL)
		goto out;
	app_init(app, trace, settings,
	    term_utf8(term) && !settings->ascii && !settings->lowbw);
	app->options = options;
	compare_init(app);
	app->term = term;
	settings_apply(app);
	state_load(app);
	start_begin(app, options->start);
	taken_for = term_taken_for(term, &name);
	if (taken_for != NULL)
		app_complain(app, "unknown terminal type '%s', treated as %s", name,
		    taken_for);
	if (settings->faults > 0)
		app_complain(app, "configuration, %s%s", settings->fault,
		    settings->faults > 1 ? ", and more" : "");
	if (notify_open(&app->arrived, &e)) {
		follow_init(app, options);
		app->s->engine = engine_new(trace, options->jobs, &app->arrived, &e);
	}
	browsed = app->s->engine != NULL;
	if (browsed) {
		status = browse(loop, options, &e);
		ended_by = term_ended_by(term);
		engine_free(app->s->engine);
		app->s->engine = NULL;
	}
	state_save(app);
	term_close(term);
	if (browsed)
		status = farewell(app, options, status);
	app_release(app);
	notify_close(&app->arrived);
	if (ended_by != 0)
		raise(ended_by);
out:
	if (e.kind != ERR_NONE)
		fprintf(stderr, "slowtop: %s\n", err_text(&e, ERR_BUF));
	mem_free(loop);
	return status;
}
