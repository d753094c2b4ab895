// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/app.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/worker.h"
#include "tui/keys/commands.h"
#include "tui/layout.h"
#include "view/names/looks.h"

void
app_init(struct app *app, struct trace *trace, struct settings *settings, bool utf8)
{
	memset(app, 0, sizeof(*app));
	app->settings = settings;
	app->keymap = settings->keymap;
	canvas_init(&app->canvas, utf8);
	app->s = session_new(trace, false, app->canvas.utf8);
}

void
app_release(struct app *app)
{
	writing_give_up(app);
	compare_release(app);
	popup_release(&app->popup);
	for (int i = 0; i < PROMPT_KINDS; i++)
		prompt_history_release(&app->lines[i]);
	mem_free(app->search_text);
	filters_release(&app->filters_before);
	place_release(&app->search_from);
	session_free(app->s);
	reload_release(app);
	follow_release(app);
	canvas_release(&app->canvas);
}

/* Percentiles of the selected method's calls, where there is a place for them. */
static void
ask_figures(struct app *app, struct asked *asked)
{
	uint32_t method = screens_method(app);

	if (app->layout.details.rows == 0 && app->view != VIEW_DETAILS)
		return;
	if (app_loading(app) || method == METHOD_NONE || method == METHOD_TOPLEVEL)
		return;
	calls_follow(app, method);
	calls_ask(app, asked);
}

static void
ask_paths(const struct app *app, struct asked *asked)
{
	struct query *q = query_ask(asked, QUERY_PATHS);

	q->together = app->together;
	q->slow = app->s->slow;
	if (q->slow.of != SLOW_FRAMES)
		return;
	q->frames = str_from(app->settings->frames);
	q->budget = app->settings->frame_budget;
}

void
app_asks(struct app *app, struct asked *asked, struct sbuf *idle)
{
	const struct near_ask *near = &app->s->near;
	struct query *q;

	/* CPU time tells what is idle without rules. */
	if (!trace_has_clock(app->s->trace, CLOCK_CPU))
		idle_pattern(&app->settings->idle, idle);
	asked->idle = sbuf_view(idle);
	(void)query_ask(asked, QUERY_METHODS);
	if (views_have_trees(app) || app->s->copying != METHOD_NONE)
		ask_paths(app, asked);
	if (views_now(app)->screen->ask != NULL)
		views_now(app)->screen->ask(app, asked);
	if (app->layout.timeline.rows > 0)
		layout_ask_timeline(app, asked);
	ask_figures(app, asked);
	if (near->waiting) {
		q = query_ask(asked, QUERY_NEAR);
		q->serial = near->serial;
		q->method = near->method;
		q->direction = near->direction;
		q->from = near->from;
	}
}

static void
ask_engine(struct app *app)
{
	struct asked asked = {.kinds = 0};
	struct sbuf idle = {0};

	follow_clip(app);
	asked.of = app->s->subset;
	app_asks(app, &asked, &idle);
	engine_ask(app->s->engine, &asked);
	sbuf_release(&idle);
	compare_ask(app);
}

void
app_changed(struct app *app)
{
	app->laid_out = app->asked = false;
}

void
app_lay_out(struct app *app)
{
	if (!app->laid_out)
		app_layout(app, app->layout.rows, app->layout.columns);
}

void
app_follow(struct app *app)
{
	if (!app->s->display.clock_chosen)
		app->s->display.figures.clock = session_auto_clock(app->s);
	app_lay_out(app);
	if (!app->asked)
		ask_engine(app);
	app->asked = true;
}

/* Answers ---------------------------------------------------------------------------- */

static void
take_methods(struct app *app, struct answer *answer)
{
	const struct fold *fold = answer->value;
	struct subset before = app->s->shown;
	bool other = app->s->display.fold != NULL && !subset_equal(&before, &answer->of.of);
	bool came = false;

	if (answer->err.kind != ERR_NONE)
		app_complain(app, "%s", answer->err.what);
	/* Rates are of the same threads and names only. */
	if (other)
		rates_release(&app->s->display.rates);
	else
		came = follow_rates(app, answer->value);
	/* Another part of the trace is the user's choice; more of it is not. */
	if (other && !app->s->methods.begins)
		list_settle(&app->s->methods.list);
	timeline_pane_set_fold(&app->s->timeline, answer->value);
	/* Colours are those of the whole trace, however much of it came first. */
	if (!app->s->coloured && !app_loading(app) && fold->records >= app->s->now.records) {
		looks_forget(names_looks(app->s->names));
		app->s->coloured = true;
	}
	display_set_fold(&app->s->display, answer->value);
	methods_follow(&app->s->methods);
	/* One of what was shown before may have come between. */
	app->s->methods.begins &= !subset_equal(&answer->of.of, &app->s->subset);
	if (came)
		follow_came(app);
	app->s->shown = answer->of.of;
	answer->of.of = before;
}

static void
take_trees(struct app *app, struct answer *answer)
{
	struct engine_paths *trees = answer->value, *were = app->s->trees;
	bool slow = answer->of.slow.of != SLOW_NONE;

	compare_leave_paths(app);
	app->s->trees = trees;
	compare_paths_came(app);
	calltree_set(&app->s->callers, trees->paths, trees->callers, NULL);
	threads_set_paths(&app->s->threads, trees->together ? NULL : trees->paths);
	engine_paths_free(were);
	if (slow && answer->err.kind != ERR_NONE) {
		app_complain(app, "%s", answer->err.what);
		app->s->slow.of = SLOW_NONE;
	}
	/* A view that was entered before there was anything goes to its place now. */
	if ((were == NULL || app->s->tree_goes) && app->layout.body.rows > 0 && views_have_trees(app))
		app_enter(app);
	app->s->tree_goes = false;
}

static void
take_frames(struct app *app, const struct answer *answer)
{
	struct jank *jank = answer->value;

	if (answer->err.kind != ERR_NONE)
		app_complain(app, "%s", answer->err.what);
	else if (jank->total > jank->count)
		app_say(app, "only the longest %" PRIu32 " of %" PRIu64 " frames are listed",
		    jank->count, jank->total);
	frames_set(&app->s->frames, jank);
}

void
app_take_answer(struct app *app, enum query_kind kind, struct answer *answer)
{
	void *value = answer->value;

	switch (kind) {
	case QUERY_TIMELINE:
		timeline_pane_take_cells(&app->s->timeline, value);
		break;
	case QUERY_METHODS:
		take_methods(app, answer);
		break;
	case QUERY_MARKS:
		timeline_pane_take_marks(&app->s->timeline, value);
		break;
	case QUERY_POINT:
		timeline_pane_take_point(&app->s->timeline, value);
		engine_point_free(value);
		break;
	case QUERY_TRACKS:
		timeline_pane_take_tracks(&app->s->timeline, value);
		break;
	case QUERY_NEAR:
		calls_take_near(app, answer);
		mem_free(value);
		break;
	case QUERY_PATHS:
		take_trees(app, answer);
		break;
	case QUERY_CALLS:
		/* The list may be about another method by now. */
		if (((struct calls *)value)->method == app->s->calls_method)
			calls_list_set(&app->s->calls, value);
		else
			calls_free(value);
		break;
	case QUERY_FRAMES:
		take_frames(app, answer);
		break;
	case QUERY_FINDINGS:
		findings_list_set(&app->s->findings, value);
		break;
	case QUERY_SEQUENCE:
		sequence_list_set(&app->s->sequence, value);
		break;
	case QUERY_GROUPS:
		packages_set(&app->s->packages, value);
		break;
	case QUERY_USAGE:
		usage_free(app->s->usage);
		app->s->usage = value;
		break;
	case QUERY_KINDS:
		break;
	}
}

bool
app_take_answers(struct app *app)
{
	struct answer answers[QUERY_KINDS];
	struct load_status before = app->s->now;
	struct engine_work had = app->s->work;
	unsigned begun;
	bool differs;

	engine_take(app->s->engine, answers, &app->s->now, &app->s->work);
	begun = app->s->work.open & ~had.open;
	if ((before.state == LOAD_MORE || app->s->work.growth == GROWTH_TAKEN) && app->s->now.state != LOAD_MORE)
		app->s->has_frames = jank_any(app->s->trace, str_from(app->settings->frames));
	differs = app->s->now.state != before.state || app->s->now.bytes_done !=
	    before.bytes_done ||
	    app->s->work.counted != had.counted || app->s->work.drawn != had.drawn;
	axis_set_whole(&app->s->timeline.axis, app->s->now.begin, app->s->now.end);
	app_follow_times(app);
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		if (answers[kind].value == NULL)
			continue;
		app_take_answer(app, kind, &answers[kind]);
		query_release(&answers[kind].of);
		differs = true;
	}
	if ((begun & 1u << QUERY_TRACKS) != 0)
		app->s->draw_start_ms = clock_ms();
	if ((begun & 1u << QUERY_METHODS) != 0)
		app->s->count_start_ms = clock_ms();
	return differs;
}

bool
app_take(struct app *app)
{
	bool differs;

	/* Writing borrows values that the answers would replace. */
	if (app->writing.active)
		return false;
	(void)notify_take(&app->arrived);
	differs = follow_step(app);
	differs |= reload_take(app);
	differs |= app_take_answers(app);
	follow_take(app);
	differs |= compare_take(app);
	if (differs) {
		start_follow(app);
		identities_follow(app->s->display.figures.identities);
	}
	copy_take_trees(app);
	if (differs) {
		if (views_now(app)->screen->refresh != NULL)
			views_now(app)->screen->refresh(app);
		popup_refresh(app);
		app_changed(app);
		writing_follow(app);
	}
	return differs;
}

/* Counting anew ---------------------------------------------------------------------- */

bool
app_recounting(const struct app *app)
{
	return app_open(app, QUERY_METHODS) && app->s->display.figures.fold != NULL;
}

bool
app_recounting_stop(struct app *app)
{
	if (!app_recounting(app) || subset_equal(&app->s->shown, &app->s->subset))
		return false;
	app_note(app);
	app_count(app, &app->s->shown);
	app_zoom_to_range(app);
	app_say(app, "stopped: the figures are for what the title says (u: try again)");
	return true;
}

void
app_follow_times(struct app *app)
{
	struct timescale scale = timescale_of(app->s->trace, app->settings->time != 0);

	if (scale.kind == app->s->scale.kind && scale.origin == app->s->scale.origin)
		return;
	app->s->scale = app->s->timeline.scale = scale;
	calls_list_set_scale(&app->s->calls, &scale);
}

unsigned
app_context(const struct app *app)
{
	const struct view_row *view = views_now(app);

	return view->context != 0 ? view->context : view->screen->context_of(app);
}

void
app_put_view(struct app *app, enum view view)
{
	app->view = view;
	app_enter(app);
}

void
app_view(struct app *app, enum view view)
{
	app_visit(app);
	app_put_view(app, view);
}

void
app_select_thread(struct app *app)
{
	uint32_t thread = app->s->selected.thread;

	if (thread != THREAD_NONE && thread != app->s->timeline.thread)
		timeline_pane_select_thread(&app->s->timeline, thread);
}

void
app_show(struct app *app, enum view view)
{
	struct subject from = screens_subject(app);

	if (app->view != view)
		app_visit(app);
	screens_select(app);
	if (app->view != view && views_of(view)->screen->come != NULL)
		views_of(view)->screen->come(app, &from);
	app_put_view(app, view);
}

void
app_enter(struct app *app)
{
	if (views_now(app)->screen->enter != NULL)
		views_now(app)->screen->enter(app);
	/* Paths of other calls come, and have their own places. */
	if (views_have_trees(app) && app->s->trees != NULL && app->s->trees->slow.of != app->s->slow.of)
		app->s->tree_goes = true;
}

const char *
app_none(const struct app *app)
{
	if (app->s->now.log.hidden > 0)
		return "no slices of this level and these tags (@ chooses, u undoes)";
	return transforms_active(&app->s->subset.transforms)
		? "the transforms leave nothing (X lists them, u undoes)"
		: names_words(app->s->names, "no calls in these threads");
}

struct range
app_chosen(const struct app *app)
{
	struct range here = app->s->chosen_first;

	(void)timeline_pane_here(&app->s->timeline, &here);
	/* Both ends in one moment: the range is its cell. */
	if (here.from == here.to && range_equal(&here, &app->s->chosen_first))
		(void)timeline_pane_cell(&app->s->timeline, &here);
	return window_around(app->s->chosen_first, here, app->s->now.begin, app->s->now.end);
}

struct range
app_window_shown(const struct app *app)
{
	const struct fold *fold = app->s->display.figures.fold;

	return fold != NULL ? fold->range : RANGE_ALL;
}

void
app_set_scope(struct app *app, struct scope *scope)
{
	if (scope != NULL && scope_size(scope) == scope->count) {
		scope_free(scope);
		scope = NULL;
	}
	if (scope_equal(app->s->subset.scope, scope)) {
		scope_free(scope);
		return;
	}
	scope_free(app->s->subset.scope);
	app->s->subset.scope = scope;
	app->s->calls_stopped = false;
}

void
app_choose_scope(struct app *app, struct scope *scope)
{
	app_note(app);
	app_set_scope(app, scope);
}

bool
app_tell(struct app *app, look l, const char *format, ...)
{
	char text[sizeof(app->message)];
	struct str clean;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), names_words(app->s->names, format), ap);
	va_end(ap);
	clean = names_clean(app->s->names, str_from(text));
	snprintf(app->message, sizeof(app->message), "%.*s", STR_ARG(clean));
	app->message_look = l;
	return false;
}
