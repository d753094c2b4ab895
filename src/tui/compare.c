// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/compare.h"

#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/tui.h"

enum { POSITION_WIDTH = 16 }; /* at the right of a message, with the colon */

void
compare_init(struct app *app, const struct tui_options *options)
{
	app->compare = (struct compare){.options = options};
	diff_table_init(&app->compare.table, &app->s->display);
	if (options->diff != NULL) {
		struct diff_table *t = &app->compare.table;

		t->by = (struct diff_by){.value = options->diff->value, .min = options->diff->min};
		t->min_given = options->diff->min_given;
		list_sort(diff_table_list(t), options->diff->sort, options->diff->ascending);
	}
}

void
compare_release(struct app *app)
{
	compare_end(app);
	diff_table_release(&app->compare.table);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Says why A is not available, after its path or, where that is too long, its name. */
static void
complain(struct app *app, const char *path, struct err *e)
{
	char text[256];
	const char *why = err_text(e, text, sizeof(text));
	bool fits = strlen(path) + strlen(why) + POSITION_WIDTH <= (size_t)app->layout.columns;

	app_complain(app, "%s: %s", fits ? path : base_name(path), why);
}

/* A is open: counts it. */
static bool
load(struct app *app, struct trace *trace, bool borrowed, struct err *e)
{
	struct compare *c = &app->compare;

	c->trace = trace;
	c->borrowed = borrowed;
	c->engine = engine_new(trace, c->options->jobs, &app->arrived, e);
	if (c->engine == NULL) {
		compare_end(app);
		return false;
	}
	c->loading = true;
	diff_table_begin(&c->table, trace, app->canvas.utf8);
	names_set_groups(c->table.names, &app->settings->groups);
	return true;
}

bool
compare_begin(struct app *app, struct trace *trace, struct err *e)
{
	compare_end(app);
	return load(app, trace, true, e);
}

/* Nothing is opened any more; what is compared stays. */
static void
forget_opening(struct app *app)
{
	struct compare *c = &app->compare;

	opener_end(&c->opener);
	if (c->engine == NULL)
		compare_end(app);
}

bool
cmd_diff(struct app *app, const struct argument *file, struct err *e)
{
	char path[PROMPT_MAX + 1];

	if (file->text.n == 0 && !compare_is_on(app))
		return err_set(e, ERR_MALFORMED, "expected the earlier trace");
	if (file->text.n == 0) {
		compare_end(app);
		app_say(app, "comparison closed");
		return true;
	}
	snprintf(path, sizeof(path), "%.*s", STR_ARG(file->text));
	forget_opening(app);
	return opener_begin(&app->compare.opener, app->compare.options, TUI_BEFORE, path, NULL,
	    &app->arrived, e);
}

/* The view follows when it is drawn. */
bool
cmd_diff_min(struct app *app, const struct argument *min, struct err *e)
{
	struct diff_table *t = &app->compare.table;

	t->min_given = min->text.n > 0;
	t->by.min = min->time.from; /* unless given, found anew */
	return true;
}

void
compare_end(struct app *app)
{
	struct compare *c = &app->compare;

	opener_end(&c->opener);
	engine_free(c->engine);
	diff_table_begin(&c->table, NULL, false);
	if (!c->borrowed)
		trace_free(c->trace);
	scope_free(c->scope);
	transforms_release(&c->transforms);
	transforms_release(&c->of);
	c->engine = NULL;
	c->trace = NULL;
	c->borrowed = false;
	c->scope = NULL;
	c->loading = c->counting = c->shown = false;
}

bool
compare_interrupt(struct app *app)
{
	struct compare *c = &app->compare;

	if (c->opener.path == NULL && !c->loading)
		return false;
	if (c->opener.path != NULL && !c->loading)
		forget_opening(app);
	else
		compare_end(app);
	app_say(app, "comparison cancelled");
	return true;
}

bool
compare_text(struct app *app, char *out, size_t size)
{
	const struct compare *c = &app->compare;
	const char *path = c->opener.path != NULL ? c->opener.path
	    : c->trace != NULL                    ? c->trace->path
						  : "";
	struct str name;

	if (c->opener.path == NULL && !c->loading)
		return false;
	name = names_clean(app->s->names, str_from(base_name(path)));
	if (c->opener.path != NULL)
		snprintf(out, size, "opening %.*s (^C stops)", STR_ARG(name));
	else
		snprintf(out, size, "comparing with %.*s: loading %d%% (^C stops)", STR_ARG(name),
		    (int)(c->progress * 100));
	return true;
}

void
compare_wait(struct app *app, int ms, bool loaded)
{
	if (app->compare.engine != NULL)
		engine_wait(app->compare.engine, ms, loaded);
}

/* Threads and transforms of B, for A. */
static void
choose(struct app *app)
{
	struct compare *c = &app->compare;

	scope_free(c->scope);
	c->scope = diff_scope(app->s->subset.scope, c->trace, app->s->trace);
	if (transforms_equal(&c->of, &app->s->subset.transforms))
		return;
	transforms_copy(&c->of, &app->s->subset.transforms);
	if (!diff_transforms(&c->transforms, &app->s->subset.transforms, app->s->trace))
		app_complain(app, "a transform's method has too long a name for A: left out there");
}

void
compare_ask(struct app *app)
{
	struct compare *c = &app->compare;
	struct asked asked = {.of.range = app->s->subset.range};

	if (c->engine == NULL)
		return;
	choose(app);
	asked.of.scope = c->scope;
	asked.of.transforms = c->transforms;
	(void)query_ask(&asked, QUERY_METHODS);
	engine_ask(c->engine, &asked);
}

/* The thread that opened A has ended. */
static void
opened(struct app *app)
{
	struct compare *c = &app->compare;
	struct err e = {0};
	struct trace *found = opener_take(&c->opener, &e);
	char text[256];

	if (found == NULL) {
		complain(app, c->opener.path, &e);
		forget_opening(app);
		return;
	}
	compare_end(app);
	if (load(app, found, false, &e))
		compare_ask(app);
	else
		app_complain(app, "A: %s", err_text(&e, text, sizeof(text)));
}

static bool
take_answer(struct app *app)
{
	struct compare *c = &app->compare;
	struct answer answers[QUERY_KINDS], *methods = &answers[QUERY_METHODS];
	struct load_status status;
	struct engine_work work;
	const struct fold *fold;
	bool counting, differs;

	/* Nothing else was asked. */
	engine_take(c->engine, answers, &status, &work);
	if (status.state == LOAD_FAILED) {
		answer_release(methods, QUERY_METHODS);
		complain(app, c->trace->path, &status.err);
		compare_end(app);
		return true;
	}
	fold = methods->value;
	counting = (work.open & 1u << QUERY_METHODS) != 0;
	differs = fold != NULL || c->loading != (status.state == LOAD_MORE) ||
	    (int)(c->progress * 100) != (int)(status.progress * 100) || c->counting != counting;
	if (c->loading && status.state != LOAD_MORE && app->view != VIEW_DIFF)
		app_say(app, "loaded: 8 shows what has changed");
	c->loading = status.state == LOAD_MORE;
	c->progress = status.progress;
	c->counting = counting;
	/* A part of A cannot be compared. */
	if (fold != NULL && !c->loading && fold->records == status.records) {
		diff_table_set_fold(&c->table, methods->value);
		methods->value = NULL;
	}
	answer_release(methods, QUERY_METHODS);
	return differs;
}

bool
compare_take(struct app *app)
{
	struct compare *c = &app->compare;

	if (opener_ended(&c->opener)) {
		opened(app);
		return true;
	}
	return c->engine != NULL && take_answer(app);
}

bool
compare_is_on(const struct app *app)
{
	return app->compare.engine != NULL || app->compare.opener.path != NULL;
}

bool
compare_ready(const struct app *app)
{
	const struct compare *c = &app->compare;

	return c->engine != NULL && !c->loading && !app_loading(app) &&
	    c->table.fold != NULL && app->s->display.figures.fold != NULL &&
	    app->s->display.figures.fold->records == app->s->now.records;
}

bool
compare_pending(const struct app *app)
{
	const struct compare *c = &app->compare;

	return c->opener.path != NULL ||
	    (c->engine != NULL &&
		(!compare_ready(app) || engine_pending(c->engine, 1u << QUERY_METHODS)));
}

void
compare_follow(struct app *app)
{
	struct compare *c = &app->compare;

	if (!compare_ready(app))
		return;
	diff_table_follow(&c->table);
}
