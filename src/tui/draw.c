// SPDX-License-Identifier: Apache-2.0
/*
 * draw: the state of the program as cells.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/layout.h"
#include "tui/keys/keymap.h"
#include "tui/popups/choice.h"
#include "view/names/transform_text.h"
#include "view/pages/details_pane.h"
#include "view/title.h"

enum { HINTS_MAX = 12, ETA_AFTER_MS = 1000, BAR = 10, SLOW_MS = 100 };

/* The conditions of the view's rows; NULL: there are none. */
static const struct where *
where_now(const struct app *app)
{
	const struct list *l = screens_list((struct app *)(uintptr_t)app);

	return l != NULL ? wheres_of(&app->s->display.wheres, l->source) : NULL;
}

bool
draw_has_changes(const struct app *app)
{
	return where_now(app) != NULL ||
	       (views_show(app, SHOWS_FILTERS) &&
		   (filters_active(&app->s->display.filters) ||
		       transforms_active(&app->s->subset.transforms) || choice_any(app)));
}

/* "(12 of 1207 methods, 34.50 % self) ": before the patterns, which may be long. */
static void
put_passing(struct sbuf *out, struct app *app)
{
	const struct fold *fold = app->s->display.fold;
	struct passing p = display_passing(&app->s->display);

	if (fold == NULL)
		return;
	sbuf_printf(out,
	    names_words(app->s->names, "(%" PRIu32 " of %" PRIu32 " methods, %s %% self) "),
	    p.methods,
	    fold->present,
	    fmt_percent(FMT_BUF, p.own, fold->total[app->s->display.figures.clock]));
}

/*
 * "filter (12 of 1207 methods, 34.50 % self) !^java\\., collapse-package java.*"; nothing when
 * all is shown as recorded.
 */
static void
put_changes(struct sbuf *out, struct app *app)
{
	choice_text(out, app);
	if (filters_active(&app->s->display.filters)) {
		sbuf_text(out, out->n > 0 ? ", filter " : "filter ");
		put_passing(out, app);
		sbuf_str(out, filters_text(&app->s->display.filters, app->s->names));
	}
	if (transforms_active(&app->s->subset.transforms)) {
		sbuf_text(out, out->n > 0 ? ", " : "");
		transforms_text(out, &app->s->subset.transforms, app->s->names, app->s->trace);
		if (views_show(app, SHOWS_RECORDED))
			sbuf_text(out, " (not in this view)");
		else if (app->layout.timeline.rows > 0)
			sbuf_text(out, " (not in the timeline)");
	}
}

/* "where (12 of 1207 rows) calls=1 max>16ms"; nothing without conditions. */
static void
put_where(struct sbuf *out, struct app *app)
{
	const struct list *l = screens_list(app);
	const struct where *where = where_now(app);

	if (where == NULL)
		return;
	sbuf_printf(out, "%swhere (%zu of %zu rows) ", out->n > 0 ? ", " : "", l->passed, l->total);
	sbuf_str(out, names_clean(app->s->names, str_from(where->text)));
}

static void
draw_title(struct app *app)
{
	const struct fold *fold = app->s->display.figures.fold;
	struct title title = {
	    .names = app->s->names,
	    .path = names_clean(app->s->names, str_from(app->s->trace->path)),
	    .clock = app->s->display.figures.clock,
	    .unit = &app->s->trace->unit,
	    .window = app_window_shown(app),
	    .begin = app->s->now.begin,
	    .end = app->s->now.end,
	    .scale = &app->s->scale,
	    .percent = app->s->display.figures.base,
	    .loading = app_loading(app),
	    .stopped = app->s->now.state == LOAD_STOPPED,
	    .progress = app->s->now.progress,
	    /* The figures of the view are of what was wanted before. */
	    .counting = app_recounting(app) ||
		(app_open(app, QUERY_PATHS) && views_have_trees(app) && app->s->trees != NULL),
	    .counted = app->s->work.counted,
	    .damage = damage_count(&app->s->now.damage),
	    .sampled = app->s->now.sampled.yes,
	};
	const struct axis *axis = &app->s->timeline.axis;
	const struct scope *scope = views_scope(app);
	struct sbuf changes = {0};
	char path[512], follow[40];

	/* names_clean keeps one text, and the filters need it, too. */
	snprintf(path, sizeof(path), "%.*s", STR_ARG(title.path));
	title.path = str_from(path);
	title.follow = follow_text(app, follow, sizeof(follow)) ? follow : NULL;
	if (app->layout.timeline.rows > 0)
		title.shown = (struct range){axis->from, axis->to};
	put_changes(&changes, app);
	put_where(&changes, app);
	title.filters = sbuf_view(&changes);
	title.left = transforms_active(&app->s->subset.transforms);
	title.recorded = title.left && views_show(app, SHOWS_RECORDED);
	title.uncounted = scope != app->s->subset.scope;
	if (fold != NULL) {
		title.calls = title.recorded ? fold->recorded_calls : fold->calls;
		title.whole_calls = fold->whole_calls;
		for (uint32_t i = 0; i < fold->thread_count; i++) {
			if (fold->threads[i].records == 0)
				continue;
			title.threads++;
			title.threads_in += scope_has(scope, i);
		}
	}
	if (views_now(app)->screen->title == NULL || !views_now(app)->screen->title(app, &title))
		title_draw(&app->canvas, app->layout.title, &title);
	sbuf_release(&changes);
}

static void
draw_bar(struct app *app)
{
	struct bar *bar = &app->bar;

	bar->count = 0;
	for (const struct command *c = tui_commands; c < tui_commands + tui_command_count; c++) {
		struct bar_view *v = &bar->views[bar->count];
		bool now = c->bar[0] != NULL && (enum view)c->arg == app->view;

		if (!now && (c->bar[0] == NULL || c->contexts != IN_ALL || !command_suits(app, c)))
			continue;
		*v = (struct bar_view){.name = names_words(app->s->names, c->bar[0]),
		    .brief = names_words(app->s->names, c->bar[1]), .now = now, .id = c->name};
		keymap_key(app->keymap, c->contexts, c->name, false, v->key);
		bar->count++;
	}
	keymap_key(app->keymap, app_context(app), "help", false, bar->help);
	bar_draw(&app->canvas, 0, bar);
}

/* "! 7 stalls on main, ..."; with the findings' key even where it says less than they. */
static void
draw_found(struct app *app)
{
	const struct screen *screen = views_now(app)->screen;
	struct rect r = app->layout.found;
	struct sbuf text = {0};
	look l = screen->found != NULL ? screen->found(app, &text) : ROLE_DIM;
	char key[32];
	int at = r.column;

	if (text.n > 0) {
		keymap_key(app->keymap, app_context(app), "view-findings", false, key);
		at = canvas_text(&app->canvas, r.row, at, r.columns, str_from(key), ROLE_KEY);
		canvas_text(&app->canvas, r.row, at + 1, r.columns,
		    names_head(app->s->names, sbuf_view(&text), r.columns - at - 1), l);
	}
	sbuf_release(&text);
}

static void
draw_filters(struct app *app)
{
	const struct fold *fold = app->s->display.figures.fold;
	struct rect r = app->layout.filters;
	struct sbuf text = {0};
	char ms[FMT_SIZE], base[FMT_SIZE + 16];
	int column;

	if (views_show(app, SHOWS_FILTERS))
		put_changes(&text, app);
	put_where(&text, app);
	column = canvas_text(&app->canvas, r.row, 0, r.columns, sbuf_view(&text), ROLE_TEXT);
	if (fold != NULL && transforms_active(&app->s->subset.transforms) &&
	    !views_show(app, SHOWS_RECORDED)) {
		snprintf(base, sizeof(base), "%s left", unit_text(&app->s->trace->unit, ms,
		    fold->total[app->s->display.figures.clock]));
		if (column + 1 + (int)strlen(base) <= r.columns)
			canvas_text(&app->canvas, r.row, r.columns - (int)strlen(base), r.columns,
			    str_from(base), ROLE_DIM);
	}
	sbuf_release(&text);
}

/* ", 12 s left": whole seconds, since it is a guess. */
static void
time_left(const struct app *app, char *out, size_t size)
{
	int64_t spent = clock_ms() - app->s->load_start_ms, left;

	out[0] = '\0';
	if (spent < ETA_AFTER_MS || app->s->now.progress < 0.01)
		return;
	left = (int64_t)((double)spent * (1 / app->s->now.progress - 1)) / 1000 + 1;
	if (left < 60)
		snprintf(out, size, ", %d s left", (int)left);
	else if (left < 1000000)
		snprintf(out, size, ", %s left", fmt_duration(FMT_BUF, left * 1000000000));
}

/* "loading 64% [=======   ] 12.3 MiB of 20.0 MiB, 3 s left (^C stops)" */
static void
loading_text(const struct app *app, char *out, size_t size)
{
	char done[FMT_SIZE], total[FMT_SIZE], left[FMT_SIZE + 8];
	int full = (int)(app->s->now.progress * BAR);

	time_left(app, left, sizeof(left));
	snprintf(out, size, "loading %d%% [%.*s%.*s] %s of %s%s (^C stops)",
	    (int)(app->s->now.progress * 100), full, "==========", BAR - full, "          ",
	    fmt_bytes(done, app->s->now.bytes_done), fmt_bytes(total, app->s->now.bytes_total),
	    left);
}

/* "range 1.200-1.260 s, 60.00 ms: h l move its end" */
static void
choosing_text(const struct app *app, char *out, size_t size)
{
	struct range chosen = app_chosen(app);
	char text[WINDOW_TEXT];

	snprintf(out, size, "range %s, %s: h l move its end, r applies it, Esc cancels",
	    window_text(text, &chosen, app->s->now.begin, app->s->now.end, &app->s->scale),
	    fmt_duration(FMT_BUF, chosen.to - chosen.from));
}

static size_t
collect_hints(const struct app *app, struct hint *hints, char (*keys)[32])
{
	unsigned context = app_context(app);
	struct str list = str_from(context_find(context)->hints), word;
	size_t n = 0;

	while ((word = str_word(&list)).n > 0 && n < HINTS_MAX) {
		char name[40];

		snprintf(name, sizeof(name), "%.*s", STR_ARG(word));
		/* The bar has the help. */
		if ((app->layout.title > 0 && strcmp(name, "help") == 0) ||
		    !command_suits(app, commands_find(name)))
			continue;
		hints[n] = (struct hint){keys[n], names_words(app->s->names,
		    commands_find(name)->hint)};
		n += keymap_key(app->keymap, context, name,
			 app->settings->footer == FOOTER_FKEYS, keys[n])[0] != '\0';
	}
	return n;
}

/* "*3 own 67.815 incl 719.936 ms": sums of what is marked in the present list. */
static void
marks_text(const struct app *app, char *out, size_t size)
{
	nsec inclusive = 0, exclusive = 0;
	uint32_t count = 0;
	const struct trace_unit *unit = &app->s->trace->unit;
	char own[FMT_SIZE], whole[FMT_SIZE];

	out[0] = '\0';
	if (app_context(app) == IN_CALLS)
		count = calls_list_marks(&app->s->calls, &inclusive, &exclusive);
	else if (app_context(app) == IN_TABLE)
		count = methods_marks(&app->s->methods, &inclusive, &exclusive);
	if (count > 0)
		snprintf(out, size, "*%" PRIu32 " own %s incl %s", count,
		    unit_figure(unit, own, exclusive), unit_text(unit, whole, inclusive));
}

/* "counting 1.200-1.260 s: 43% (^C keeps what is shown), 2 keys wait (Esc drops them)" */
static void
counting_text(const struct app *app, char *out, size_t size)
{
	const struct range *range = &app->s->subset.range;
	char text[WINDOW_TEXT] = "", done[20] = "", keys[60] = "";
	const bool waits = queue_text(app, keys, sizeof(keys));

	if (app->s->work.counted > 0)
		snprintf(done, sizeof(done), " %d%%", (int)(app->s->work.counted * 100));
	if (!range_is_all(range))
		window_text(text, range, app->s->now.begin, app->s->now.end, &app->s->scale);
	snprintf(out, size, "counting%s%s%s%s (^C keeps what is shown)%s%s", text[0] != '\0' ? " " : "",
	    text, text[0] != '\0' && done[0] != '\0' ? ":" : "", done,
	    waits ? ", " : "", keys);
}

/* The most important message of the last line, in place of the keys; false: none. */
static bool
footer_text(struct app *app, char *out, size_t size, look *l)
{
	if (app->writing.active)
		writing_text(app, out, size);
	else if (app_recounting(app) && clock_ms() - app->s->count_start_ms >= SLOW_MS)
		counting_text(app, out, size);
	else if (queue_text(app, out, size))
		return true;
	else if (app->message[0] != '\0') {
		snprintf(out, size, "%s", app->message);
		*l = app->message_look;
	} else if (app_loading(app))
		loading_text(app, out, size);
	else if (reload_text(app, out, size) || compare_text(app, out, size))
		return true;
	else if (drawing_slow(app))
		snprintf(out, size, names_words(app->s->names,
		    "drawing calls: %d%% (^C skips them)"),
		    (int)(app->s->work.drawn * 100));
	else if (app->s->choosing)
		choosing_text(app, out, size);
	else
		return false;
	return true;
}

static void
draw_footer(struct app *app)
{
	char keys[HINTS_MAX][32], text[sizeof(app->message)], marks[2 * FMT_SIZE];
	struct hint hints[HINTS_MAX];
	struct footer footer = {.hints = hints, .message_look = ROLE_FOOTER};

	footer.hint_count = collect_hints(app, hints, keys);
	if (footer_text(app, text, sizeof(text), &footer.message_look))
		footer.message = str_from(text);
	footer.position = screens_position(app, &footer.rows);
	marks_text(app, marks, sizeof(marks));
	footer.marks = str_from(marks);
	footer_draw(&app->canvas, app->layout.rows - 1, &footer);
}

struct draw_cursor
draw_app(struct app *app)
{
	const struct layout *l = &app->layout;
	struct draw_cursor cursor = {l->rows - 1, 0, false};
	int eye;

	canvas_clear(&app->canvas);
	if (l->too_small) {
		canvas_format(&app->canvas, l->rows / 2, 0, l->columns, ROLE_TEXT,
		    "%sneeds %dx%d, has %dx%d (q quits)",
		    l->columns >= COLUMNS_MIN - 2 ? "slowtop " : "", COLUMNS_MIN, ROWS_MIN,
		    l->columns, l->rows);
		return cursor;
	}
	if (l->title > 0)
		draw_bar(app);
	draw_title(app);
	if (l->found.rows > 0)
		draw_found(app);
	if (l->filters.rows > 0)
		draw_filters(app);
	if (l->timeline.rows > 0)
		layout_draw_timeline(app);
	/* The row that the user looks at, for terminals that cannot hide their cursor. */
	eye = app->eye_row = screens_draw(app);
	if (eye >= 0)
		cursor.row = eye;
	if (l->details.rows > 0)
		details_pane_draw(&app->canvas, l->details, &app->s->display,
		    app->s->details_method,
		    /* Calls are as recorded; with transforms, the other figures are not. */
		    transforms_active(&app->s->subset.transforms)
			? NULL : calls_found(app, app->s->details_method));
	draw_footer(app);
	if (app->popup.ops != NULL)
		popup_draw(app, &app->canvas);
	if (app->ask != NULL) {
		cursor.row = prompt_draw(&app->prompt, &app->canvas, &cursor.column);
		cursor.visible = true;
	}
	return cursor;
}
