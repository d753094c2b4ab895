// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/follow.h"

#include <stdio.h>

#include "base/number.h"
#include "tui/app.h"
#include "tui/keys/commands.h"

enum { INTERVAL_MS = 250, SHARE = 4 };

void
follow_init(struct app *app, const struct tui_options *options)
{
	struct follow *f = &app->follow;

	*f = (struct follow){.watch = options->watch, .window = options->window,
	    .keep_last = options->keep_last};
	if (f->watch == NULL)
		return;
	f->now = watch_ask(f->watch);
	f->slid = RANGE_ALL;
	watch_tell(f->watch, &app->arrived);
}

void
follow_release(struct app *app)
{
	struct follow *f = &app->follow;

	if (f->own)
		watch_free(f->watch);
	else if (f->watch != NULL)
		watch_tell(f->watch, NULL);
}

bool
follow_is_on(const struct app *app)
{
	return app->follow.watch != NULL && !app->follow.off;
}

/* After an end of following it begins again; false and `e` when it cannot. */
static bool
follow_again(struct app *app, struct err *e)
{
	struct follow *f = &app->follow;

	if (!follow_is_on(app) || f->now.state == WATCH_LIVE || f->now.state == WATCH_ENDED ||
	    watch_by_name(f->watch))
		return true;
	if (!watch_again(f->watch, e))
		return false;
	f->now = watch_ask(f->watch);
	return true;
}

/*
 * Goes on with the file of the trace, or with what was followed before; false and `e`: it cannot.
 */
static bool
follow_start(struct app *app, struct err *e)
{
	const char *path = app->s->trace->files[0].path;
	struct follow *f = &app->follow;

	if (f->watch == NULL) {
		if (path == NULL)
			return err_set(e, ERR_UNSUPPORTED, "this trace did not come from a file");
		f->watch = watch_new(path, -1, false, &(struct tempfile_how){.cancel = NULL}, e);
		if (f->watch == NULL)
			return false;
		f->own = true;
		f->slid = RANGE_ALL;
	}
	f->off = f->paused = false;
	watch_tell(f->watch, &app->arrived);
	f->now = watch_ask(f->watch);
	if (follow_again(app, e))
		return true;
	watch_tell(f->watch, NULL);
	f->off = true;
	return false;
}

void
cmd_follow(struct app *app)
{
	struct err e = {0};

	if (!follow_start(app, &e))
		app_complain(app, "%s", e.what);
}

/* Empties the columns of now: old figures are not now. */
static void
now_end(struct app *app)
{
	app->follow.came_ms = 0;
	rates_pause(&app->s->display.rates);
	list_update(&app->s->methods.list);
}

void
cmd_nofollow(struct app *app)
{
	struct follow *f = &app->follow;

	if (!follow_is_on(app)) {
		app_complain(app, "nothing is followed");
		return;
	}
	reload_end(app);
	watch_tell(f->watch, NULL);
	if (f->came_ms != 0)
		now_end(app);
	f->off = true;
	f->window = 0;
	/* From now on it is told when there is more, also if it was told before it was followed. */
	app->s->trace->files[0].grows = false;
	app->reload.told = FILEMARK_SAME;
}

void
cmd_reload(struct app *app)
{
	struct err e = {0};

	if (!follow_again(app, &e) || !reload_begin(app, false, &e))
		app_complain(app, "%s", e.what);
}

/* True if a pipe no longer has all records that were read. */
static bool
is_ring(const struct app *app)
{
	return app->s->now.kept > 0;
}

/* True if the file that is followed has something not on the screen, and nothing is loading. */
static bool
is_behind(const struct app *app)
{
	const struct follow *f = &app->follow;
	enum watch_state state = f->now.state;

	bool waits = state == WATCH_ENDED && app->s->now.waits && !is_ring(app);

	return follow_is_on(app) && !f->paused && (f->now.version != f->now.opened || waits) &&
	    (!watch_over(f->watch, state) || state == WATCH_ENDED || state == WATCH_FAILED) &&
	    !app_loading(app) && !reload_pending(app) && f->growing == FOLLOW_RESTS &&
	    !app_open(app, QUERY_METHODS);
}

/* True if records are held that are to be taken unless more comes. */
static bool
is_held(const struct app *app)
{
	const struct follow *f = &app->follow;

	return follow_is_on(app) && !f->paused && f->now.state == WATCH_LIVE && app->s->now.held > 0 &&
	    f->rested != f->now.version && f->now.version == f->now.opened && !app_loading(app) &&
	    !reload_pending(app) && f->growing == FOLLOW_RESTS && !app_open(app, QUERY_METHODS);
}

/* Milliseconds until a load begins; -1: there is nothing to load. */
static int
load_wait(const struct app *app)
{
	const struct follow *f = &app->follow;
	bool behind = is_behind(app);
	int64_t left = (behind ? f->next_ms : f->changed_ms + SOURCE_REST_MS) - clock_ms();

	if (!behind && !is_held(app))
		return -1;
	return left > 0 ? (int)left : 0;
}

/* Milliseconds until what came last is no longer now; -1: nothing did. */
static int
now_wait(const struct app *app)
{
	int64_t left = app->follow.came_ms + 2 * app->settings->rate_interval - clock_ms();

	if (app->follow.came_ms == 0)
		return -1;
	return left > 0 ? (int)left : 0;
}

int
follow_wait(const struct app *app)
{
	int load = load_wait(app), now = now_wait(app);

	return load < 0 || (now >= 0 && now < load) ? now : load;
}

void
follow_came(struct app *app)
{
	struct list *l = &app->s->methods.list;

	app->follow.came_ms = app->s->display.rates.length > 0 ? clock_ms() : 0;
	/* As top does: what is hot now is first, unless the user sorted. */
	if (l->sorted) {
		list_update(l);
		return;
	}
	list_sort(l, COLUMN_NOW_EXCL, false);
	l->sorted = false;
}

/* Ends what was now if nothing came for a while. */
static bool
now_ends(struct app *app)
{
	if (now_wait(app) != 0)
		return false;
	now_end(app);
	app_changed(app);
	return true;
}

/* Tells the user what happened to the file. */
static void
tell(struct app *app, enum watch_state state)
{
	static const char *const by_name[] = {
	    [WATCH_GONE] = "the file is gone: waiting for another of its name",
	    [WATCH_REPLACED] = "the file was replaced: the new one is followed",
	    [WATCH_TAKEN] = "a folder, or what cannot be read, has the name: waiting for a file",
	    [WATCH_CUT] = "the file was cut short: what it holds now is followed",
	    [WATCH_CHANGED] = "the file was overwritten: what it holds now is followed",
	    [WATCH_FAILED] = "following ended",
	};
	static const char *const by_file[] = {
	    [WATCH_GONE] = "the file was removed; what is still written to it is followed",
	    [WATCH_REPLACED] = "another file has the name (:reload follows that)",
	    [WATCH_CUT] = "the file was cut short: following ended (:reload begins again)",
	    [WATCH_CHANGED] = "the file was overwritten: following ended (:reload begins again)",
	    [WATCH_FAILED] = "following ended",
	};
	struct follow *f = &app->follow;
	const char *text = state > WATCH_FAILED ? NULL
	    : watch_by_name(f->watch)		 ? by_name[state]
						 : by_file[state];

	if (text != NULL && state == WATCH_FAILED)
		app_complain(app, "%s: %s", text, err_text(&f->now.err, ERR_BUF));
	else if (text != NULL)
		app_complain(app, "%s", text);
}

/* So much of the end is shown from now on; 0: all. */
static void
show_window(struct app *app, nsec window)
{
	struct follow *f = &app->follow;
	struct range range = RANGE_ALL;

	if (window > 0 && app->s->now.end - window > app->s->now.begin)
		range = (struct range){app->s->now.end - window, app->s->now.end};
	f->window = window;
	f->slid = range;
	app_limit(app, range);
}

bool
cmd_window(struct app *app, const struct argument *window, struct err *e)
{
	if (!follow_is_on(app))
		return err_set(e, ERR_UNSUPPORTED, "nothing is followed (:follow); r limits to a range");
	show_window(app, window->time.from);
	return true;
}

/* Has what came read; false when the whole file must be. */
static bool
grow_begin(struct app *app)
{
	struct follow *f = &app->follow;

	if (app->s->now.state != LOAD_DONE || (watch_ended(f->watch) && !is_ring(app)) ||
	    !watch_same(f->watch))
		return false;
	f->growing = FOLLOW_READS;
	f->end = app->s->now.end;
	engine_grow(app->s->engine, watch_take(f->watch), f->keep_last);
	return true;
}

/* Loads the whole again, where it is still there. */
static void
load_again(struct app *app)
{
	struct err e = {0};

	if (reload_begin(app, true, &e))
		return;
	follow_loaded(app, e.what);
	if (is_ring(app)) {
		app_complain(app, "following ended: %s", e.what);
		app->follow.off = true;
	}
}

void
follow_clip(struct app *app)
{
	struct range *range = &app->s->subset.range, before = *range;
	nsec kept = app->s->now.kept;

	if (!is_ring(app) || range_is_all(range) || range->from > kept)
		return;
	range->from = kept + 1;
	if (range->to <= kept + 1)
		*range = RANGE_ALL;
	if (range_equal(&app->follow.slid, &before))
		app->follow.slid = *range;
}

bool
cmd_keep_last(struct app *app, const struct argument *last, struct err *e)
{
	if (!follow_is_on(app) || !watch_of_pipe(app->follow.watch))
		return err_set(e, ERR_UNSUPPORTED, "no pipe is followed");
	app->follow.keep_last = last->time.from;
	return true;
}

/* Moves the window that slides to the end of what came. */
static void
slide(struct app *app)
{
	struct place place = app_place(app);

	follow_slide(app, &place);
	if (!range_equal(&place.subset.range, &app->s->subset.range))
		place_give(app, &place);
	place_release(&place);
}

void
follow_take(struct app *app)
{
	struct follow *f = &app->follow;

	if (f->growing == FOLLOW_READS && app->s->work.growth == GROWTH_REFUSED) {
		f->growing = FOLLOW_RESTS;
		load_again(app);
	} else if (f->growing == FOLLOW_READS && app->s->work.growth == GROWTH_TAKEN) {
		f->growing = FOLLOW_COUNTS;
		/* Bytes of a pipe are not to be read again. */
		if (!watch_forget(f->watch, app->s->trace->source->begin, app->s->now.forgotten))
			app_complain(app, "the folder for temporary files cannot give back "
			    "parts of files (TMPDIR)");
		slide(app);
	}
	if (f->growing == FOLLOW_COUNTS && !app_open(app, QUERY_METHODS)) {
		f->growing = FOLLOW_RESTS;
		follow_loaded(app, NULL);
	}
}

static uint32_t
same_index(const void *of, uint32_t index)
{
	return index;
}

bool
follow_rates(struct app *app, const struct fold *fold)
{
	static const struct rates_map same = {same_index, same_index, NULL};
	struct follow *f = &app->follow;
	struct display *d = &app->s->display;
	struct rates next = {0};

	if (f->growing == FOLLOW_RESTS || d->fold == NULL || !range_is_all(&fold->range))
		return false;
	if (d->rates.past_count == 0)
		rates_keep(&d->rates, d->fold, app->s->trace, f->end);
	rates_take(&next, &d->rates, fold, app->s->trace, app->s->now.end,
	    (nsec)app->settings->rate_interval * 1000000, &same);
	rates_release(&d->rates);
	d->rates = next;
	d->figures.rates = &d->rates;
	return true;
}

bool
follow_step(struct app *app)
{
	struct follow *f = &app->follow;
	struct watch_now before = f->now;
	bool ended;

	/* An answer may have come after the end of following. */
	if (!follow_is_on(app))
		return now_ends(app);
	f->now = watch_ask(f->watch);
	if (f->now.version != before.version)
		f->changed_ms = clock_ms();
	if (f->now.state != before.state)
		tell(app, f->now.state);
	/* Asked for on the command line. */
	if (f->window > 0 && range_is_all(&f->slid) && app->s->display.figures.fold != NULL &&
	    !app_loading(app) && app->s->now.end - f->window > app->s->now.begin)
		show_window(app, f->window);
	ended = now_ends(app);
	if (load_wait(app) == 0) {
		f->begun_ms = clock_ms();
		if (!is_behind(app))
			f->rested = f->now.version;
		if (!grow_begin(app))
			load_again(app);
	}
	return ended || f->now.state != before.state || (f->paused && f->now.size != before.size);
}

bool
follow_waits(struct app *app)
{
	struct follow *f = &app->follow;
	char text[ERR_SIZE];

	if (!follow_is_on(app) || !watch_by_name(f->watch))
		return false;
	if (!f->refused) {
		f->begun_ms = clock_ms();
		follow_loaded(app, err_text(&app->s->now.err, text));
		app_complain(app, "waiting for more: %s", text);
	}
	return true;
}

void
follow_loaded(struct app *app, const char *why)
{
	struct follow *f = &app->follow;
	int64_t now = clock_ms(), took = now - f->begun_ms;

	f->next_ms = f->begun_ms + (took * SHARE > INTERVAL_MS ? took * SHARE : INTERVAL_MS);
	f->refused = why != NULL;
	snprintf(f->why, sizeof(f->why), "%s", why != NULL ? why : "");
}

struct range
follow_range(const struct app *app, struct range range, nsec begin, nsec end)
{
	const struct follow *f = &app->follow;
	bool slides = f->window > 0 && range_equal(&range, &f->slid) && end - f->window > begin;

	return slides ? (struct range){end - f->window, end} : range;
}

void
follow_slide(struct app *app, struct place *place)
{
	struct follow *f = &app->follow;
	struct range next = follow_range(app, f->slid, app->s->now.begin, app->s->now.end);

	if (f->window == 0)
		return;
	/* A range that the user chose since then stays. */
	if (!range_equal(&place->subset.range, &f->slid)) {
		f->window = 0;
		app_say(app, "the window no longer moves (:window TIME moves it again)");
		return;
	}
	if (range_equal(&next, &f->slid))
		return;
	/* A timeline that was zoomed elsewhere stays there; else its cursor moves along. */
	if (range_is_all(&f->slid) || range_equal(&place->shown, &f->slid)) {
		place->at = range_is_all(&f->slid) ? next.from : place->at + next.from - f->slid.from;
		place->shown = next;
	}
	f->slid = place->subset.range = next;
}

/* True if a file followed by name is on the screen as it is now. */
static bool
is_shown(const struct app *app)
{
	const struct follow *f = &app->follow;

	return watch_by_name(f->watch) && f->now.version == f->now.opened && !f->refused &&
	    !reload_pending(app) && app->reload.next == NULL;
}

bool
follow_text(const struct app *app, char *out, size_t size)
{
	static const char *const words[] = {
	    [WATCH_LIVE] = "following", [WATCH_WAITING] = "waiting", [WATCH_GONE] = "removed",
	    [WATCH_REPLACED] = "replaced", [WATCH_TAKEN] = "no file", [WATCH_CUT] = "truncated",
	    [WATCH_CHANGED] = "overwritten", [WATCH_ENDED] = "ended", [WATCH_FAILED] = "failed",
	};
	const struct follow *f = &app->follow;
	uint64_t more = f->now.size > f->now.opened_size ? f->now.size - f->now.opened_size : 0;
	enum watch_state state = f->now.state;

	if (!follow_is_on(app))
		return false;
	if (is_shown(app) && (state == WATCH_REPLACED || state == WATCH_CUT || state == WATCH_CHANGED))
		state = WATCH_LIVE;
	if (f->paused)
		snprintf(out, size, "paused +%s", fmt_bytes(FMT_BUF, more));
	else if (is_ring(app))
		snprintf(out, size, "%s, calls from %s", words[state], fmt_duration(FMT_BUF, app->s->now.kept));
	else if (app->s->now.held == 1 && !f->refused)
		snprintf(out, size, "%s, nothing in order yet", words[state]);
	else if (app->s->now.held > 0 && !f->refused)
		snprintf(out, size, "%s, up to %s", words[state], fmt_duration(FMT_BUF, app->s->now.held));
	else
		snprintf(out, size, "%s%s", words[state], f->refused ? ", not readable" : "");
	return true;
}

void
cmd_pause(struct app *app)
{
	struct follow *f = &app->follow;

	if (!follow_is_on(app)) {
		app_complain(app, "nothing is followed (:follow)");
		return;
	}
	f->paused = !f->paused;
	app_say(app, f->paused ? "paused: again goes on" : "following");
}
