// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/compare.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "tui/tui.h"

enum {
	POSITION_WIDTH = 16, /* at the right of a message, with the colon */
	WAIT_STEP_MS = 1,
};

void
compare_init(struct app *app)
{
	const struct tui_options *options = app->options;

	diff_table_init(&app->compare.table, &app->s->display);
	if (options->diff != NULL) {
		struct diff_table *t = &app->compare.table;

		t->by = (struct diff_by){.value = options->diff->value, .min = options->diff->min};
		t->min_given = options->diff->min_given;
		list_sort(diff_table_list(t), options->diff->sort, options->diff->ascending);
	}
}

/* Says why A is not available, after its path or, where that is too long, its name. */
static void
complain(struct app *app, const char *path, struct err *e)
{
	const char *why = err_text(e, ERR_BUF);
	bool fits = strlen(path) + strlen(why) + POSITION_WIDTH <= (size_t)app->layout.columns;

	app_complain(app, "%s: %s", fits ? path : path_base(path), why);
}

/* A is open: counts it. */
static bool
load(struct app *app, struct trace *trace, bool borrowed, struct err *e)
{
	struct compare *c = &app->compare;
	const char *a = unit_name(&trace->unit), *b = unit_name(&app->s->trace->unit);

	if (strcmp(a, b) != 0) {
		err_set(e, ERR_UNSUPPORTED, "the traces count different things: %s in A, %s in B", a, b);
		if (!borrowed)
			trace_free(trace);
		return false;
	}
	c->before = session_open(
	    trace, !borrowed, app->canvas.utf8, app->options->jobs, &app->arrived, e);
	if (c->before == NULL)
		return false;
	diff_table_begin(&c->table, &c->before->display);
	names_set_groups(c->before->names, &app->settings->groups);
	return true;
}

/* Compares no more; whatever is under way is given up. */
static void
compare_end(struct app *app)
{
	struct compare *c = &app->compare;

	compare_forget_paths(app);
	opener_end(&c->opener);
	diff_table_begin(&c->table, NULL);
	session_free(c->before);
	transforms_release(&c->of);
	c->before = NULL;
	c->shown = false;
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
	if (c->before == NULL)
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
	return opener_begin(&app->compare.opener, app->options, TUI_BEFORE, path, NULL,
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

/* Paths of both -------------------------------------------------------------------- */

static void
join_paths(unsigned index, void *arg)
{
	struct pairing *p = arg;

	p->made = pathpair_new(p->a, p->b, p->of, NULL, &p->cancel);
}

void
compare_leave_paths(struct app *app)
{
	struct pairing *p = &app->compare.pairing;

	atomic_store(&p->cancel, true);
	worker_join(p->thread);
	pathpair_free(p->made);
	p->thread = NULL;
	p->made = NULL;
	p->of[DIFF_A] = p->of[DIFF_B] = NULL;
}

/* Shows other paths; NULL: those of B alone. */
static void
show_paths(struct app *app, const struct pathpair *pair)
{
	struct session *s = app->s;

	icicle_keep(&s->flame);
	calltree_set(&s->tree, s->trees != NULL ? s->trees->paths : NULL, NULL, pair);
	icicle_follow(&s->flame);
}

void
compare_forget_paths(struct app *app)
{
	struct compare *c = &app->compare;
	struct pathpair *was = c->pair;

	compare_leave_paths(app);
	c->pair = NULL;
	if (was != NULL)
		compare_follow_paths(app);
	pathpair_free(was);
}

/* Returns the pair that the tree and the flame graph are to show; NULL: B's paths alone. */
static const struct pathpair *
pair_wanted(const struct app *app)
{
	const struct session *s = app->s;
	const struct pathpair *pair =
	    s->trees != NULL && s->trees->pair != NULL ? s->trees->pair : app->compare.pair;

	return pair != NULL && (pair->clocks & 1u << s->display.figures.clock) != 0 ? pair : NULL;
}

void
compare_follow_paths(struct app *app)
{
	const struct pathpair *pair = pair_wanted(app);

	if (app->s->tree.pair != pair)
		show_paths(app, pair);
	/* The title has the totals. */
	if (pair != NULL)
		compare_follow(app);
}

void
compare_paths_came(struct app *app)
{
	const struct pathpair *pair = pair_wanted(app);

	/* Joined paths of two traces stay until those of both are joined again. */
	if (pair == NULL || app->s->tree.pair != pair)
		show_paths(app, pair);
}

/* True if both sessions have the paths that were asked for. */
static bool
paths_known(const struct app *app)
{
	const struct session *a = app->compare.before, *b = app->s;

	return compare_ready(app) && (a->trace->clocks & b->trace->clocks) != 0 && a->trees != NULL &&
	    b->trees != NULL && a->trees->together == b->trees->together &&
	    !engine_pending(a->engine, 1u << QUERY_PATHS) && !engine_pending(b->engine, 1u << QUERY_PATHS);
}

static bool
paths_are_joined(const struct app *app)
{
	const struct compare *c = &app->compare;

	return c->pairing.of[DIFF_A] == c->before->trees->paths && c->pairing.of[DIFF_B] == app->s->trees->paths;
}

bool
compare_paths_pending(const struct app *app)
{
	return compare_ready(app) && (app->compare.pairing.thread != NULL || !paths_known(app) ||
	    !paths_are_joined(app));
}

/* Begins to join what both sessions have answered; takes what was joined.  Returns whether it did. */
static bool
step_paths(struct app *app)
{
	struct compare *c = &app->compare;
	struct pairing *p = &c->pairing;
	struct pathpair *was = c->pair;
	struct err e;

	if (p->thread == NULL) {
		if (!views_have_trees(app) || !paths_known(app) || paths_are_joined(app))
			return false;
		p->a = c->before->trace;
		p->b = app->s->trace;
		p->of[DIFF_A] = c->before->trees->paths;
		p->of[DIFF_B] = app->s->trees->paths;
		atomic_store(&p->cancel, false);
		return worker_start(&p->thread, 1, join_paths, p, &app->arrived, &e);
	}
	if (worker_running(p->thread) > 0)
		return false;
	worker_join(p->thread);
	p->thread = NULL;
	c->pair = p->made;
	p->made = NULL;
	compare_follow_paths(app);
	pathpair_free(was);
	return true;
}

void
compare_release(struct app *app)
{
	compare_end(app);
	diff_table_release(&app->compare.table);
}

bool
compare_interrupt(struct app *app)
{
	struct compare *c = &app->compare;

	if (c->opener.path == NULL && !compare_loading(app))
		return false;
	if (!compare_loading(app))
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
	    : c->before != NULL                   ? c->before->trace->path
						  : "";
	struct str name;

	if (c->opener.path == NULL && !compare_loading(app))
		return false;
	name = names_clean(app->s->names, str_from(path_base(path)));
	if (c->opener.path != NULL)
		snprintf(out, size, "opening %.*s (^C stops)", STR_ARG(name));
	else
		snprintf(out, size, "comparing with %.*s: loading %d%% (^C stops)", STR_ARG(name),
		    (int)(c->before->now.progress * 100));
	return true;
}

void
compare_wait(struct app *app, int ms, bool loaded)
{
	const struct compare *c = &app->compare;
	int64_t limit = clock_ms() + ms;

	if (c->before != NULL)
		engine_wait(c->before->engine, ms, loaded);
	while (c->pairing.thread != NULL && worker_running(c->pairing.thread) > 0 && clock_ms() < limit)
		poll(NULL, 0, WAIT_STEP_MS);
}

/* Range, threads and transforms of B, for A. */
static void
choose(struct app *app)
{
	struct compare *c = &app->compare;
	struct subset *a = &c->before->subset, *b = &app->s->subset;

	a->range = b->range;
	a->folded = b->folded;
	scope_free(a->scope);
	a->scope = b->scope != NULL && b->scope->front ? scope_front(c->before->trace)
	    : diff_scope(b->scope, c->before->trace, app->s->trace);
	if (transforms_equal(&c->of, &b->transforms))
		return;
	transforms_copy(&c->of, &b->transforms);
	if (!diff_transforms(&a->transforms, &b->transforms, app->s->trace))
		app_complain(app, "a transform's method has too long a name for A: left out there");
}

void
compare_ask(struct app *app)
{
	struct session *before = app->compare.before;
	struct asked asked = {.kinds = 0};

	if (before == NULL)
		return;
	choose(app);
	asked.of = before->subset;
	(void)query_ask(&asked, QUERY_METHODS);
	if (views_have_trees(app))
		query_ask(&asked, QUERY_PATHS)->together = app->together;
	engine_ask(before->engine, &asked);
}

/* The thread that opened A has ended. */
static void
opened(struct app *app)
{
	struct compare *c = &app->compare;
	struct err e = {0};
	struct trace *found = opener_take(&c->opener, &e);

	if (found == NULL) {
		complain(app, c->opener.path, &e);
		forget_opening(app);
		return;
	}
	compare_end(app);
	if (load(app, found, false, &e))
		compare_ask(app);
	else
		app_complain(app, "A: %s", err_text(&e, ERR_BUF));
}

static bool
take_answer(struct app *app)
{
	struct session *a = app->compare.before;
	struct answer answers[QUERY_KINDS], *methods = &answers[QUERY_METHODS],
	    *paths = &answers[QUERY_PATHS];
	struct load_status was = a->now;
	struct engine_work had = a->work;
	const struct fold *fold;
	bool differs;

	/* Nothing but methods and paths was asked. */
	engine_take(a->engine, answers, &a->now, &a->work);
	if (a->now.state == LOAD_FAILED) {
		answer_release(methods, QUERY_METHODS);
		answer_release(paths, QUERY_PATHS);
		complain(app, a->trace->path, &a->now.err);
		compare_end(app);
		return true;
	}
	fold = methods->value;
	differs = fold != NULL || paths->value != NULL || was.state != a->now.state ||
	    (int)(was.progress * 100) != (int)(a->now.progress * 100) || had.open != a->work.open;
	if (was.state == LOAD_MORE && !compare_loading(app) && app->view != VIEW_DIFF)
		app_say(app, "loaded: 8 shows what has changed");
	/* A part of A cannot be compared. */
	if (fold != NULL && !compare_loading(app) && fold->records == a->now.records) {
		display_set_fold(&a->display, methods->value);
		methods->value = NULL;
	}
	if (paths->value != NULL) {
		compare_leave_paths(app);
		engine_paths_free(a->trees);
		a->trees = paths->value;
		paths->value = NULL;
	}
	answer_release(methods, QUERY_METHODS);
	answer_release(paths, QUERY_PATHS);
	return differs;
}

bool
compare_take(struct app *app)
{
	struct compare *c = &app->compare;
	bool differs;

	if (opener_ended(&c->opener)) {
		opened(app);
		return true;
	}
	if (c->before == NULL)
		return false;
	differs = take_answer(app);
	return c->before != NULL && step_paths(app) ? true : differs;
}

bool
compare_is_on(const struct app *app)
{
	return app->compare.before != NULL || app->compare.opener.path != NULL;
}

bool
compare_loading(const struct app *app)
{
	const struct session *before = app->compare.before;

	return before != NULL && before->now.state == LOAD_MORE;
}

bool
compare_ready(const struct app *app)
{
	const struct session *before = app->compare.before;

	return before != NULL && !compare_loading(app) && !app_loading(app) &&
	    before->display.fold != NULL && app->s->display.fold != NULL &&
	    app->s->display.fold->records == app->s->now.records;
}

bool
compare_pending(const struct app *app)
{
	const struct compare *c = &app->compare;

	return c->opener.path != NULL ||
	    (c->before != NULL && (!compare_ready(app) ||
		engine_pending(c->before->engine, 1u << QUERY_METHODS)));
}

void
compare_follow(struct app *app)
{
	if (compare_ready(app))
		diff_table_follow(&app->compare.table);
}
