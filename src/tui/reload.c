// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/reload.h"

#include <stddef.h>
#include <stdio.h>

#include "base/mem.h"
#include "tui/app.h"

enum {
	LOOK_MS = 1000,
	/* Queries put to a new trace before it is shown: those that no view begins anew. */
	AHEAD = 1u << QUERY_TIMELINE | 1u << QUERY_METHODS | 1u << QUERY_PATHS |
		1u << QUERY_MARKS | 1u << QUERY_TRACKS,
};

static void
end_left(unsigned index, void *arg)
{
	session_free(((struct reload *)arg)->ended);
}

/* On a thread of its own: to wait for the engine and to unmap the file takes long for a key. */
static void
leave(struct reload *r, struct session *session)
{
	struct err e;

	worker_join(r->ending);
	r->ending = NULL;
	r->ended = session;
	if (!worker_start(&r->ending, 1, end_left, r, NULL, &e))
		end_left(0, r);
}

void
reload_end(struct app *app)
{
	struct reload *r = &app->reload;

	opener_end(&r->opener);
	if (r->next != NULL)
		leave(r, r->next);
	r->next = NULL;
	r->progress = 0;
	r->asked = false;
}

void
reload_release(struct app *app)
{
	reload_end(app);
	worker_join(app->reload.ending);
}

/* The file ----------------------------------------------------------------------- */

void
reload_look(struct app *app)
{
	static const char *const texts[] = {
	    [FILEMARK_GONE] = "the file was removed; the loaded trace stays",
	    [FILEMARK_REPLACED] = "the file was replaced (:reload loads the new one)",
	    [FILEMARK_CHANGED] = "the file has changed on disk (:reload loads it again, :follow goes on)",
	};
	struct reload *r = &app->reload;
	int64_t now = clock_ms();
	enum filemark_now is;

	if (follow_is_on(app) || now - r->asked_ms < LOOK_MS || app->message[0] != '\0' || app->ask != NULL ||
	    reload_pending(app))
		return;
	r->asked_ms = now;
	is = trace_file_now(app->s->trace);
	if (is != r->told && is != FILEMARK_SAME)
		app_complain(app, "%s", texts[is]);
	r->told = is;
}

bool
reload_begin(struct app *app, bool silent, struct err *e)
{
	if (app->s->now.kept > 0)
		return err_set(e, ERR_UNSUPPORTED, "records before %s are gone",
		    fmt_duration(FMT_BUF, app->s->now.kept));
	if (app->s->trace->files[0].path == NULL && !follow_is_on(app))
		return err_set(e, ERR_UNSUPPORTED, "this trace did not come from a file");
	reload_end(app);
	app->reload.silent = silent;
	return opener_begin(
	    &app->reload.opener, app->options, TUI_AGAIN, app->s->trace->path,
	    follow_is_on(app) ? app->follow.watch : NULL, &app->arrived, e);
}

bool
reload_pending(const struct app *app)
{
	return app->reload.opener.path != NULL;
}

bool
reload_waited(const struct app *app)
{
	return reload_pending(app) && !app->reload.silent;
}

bool
reload_text(struct app *app, char *out, size_t size)
{
	struct str name = names_clean(app->s->names, str_from(app->s->trace->path));

	if (!reload_waited(app))
		return false;
	if (app->reload.next == NULL)
		snprintf(out, size, "opening %.*s again (^C stops)", STR_ARG(name));
	else
		snprintf(out, size, "loading %.*s again: %d%% (^C stops)", STR_ARG(name),
		    (int)(app->reload.progress * 100));
	return true;
}

bool
reload_interrupt(struct app *app)
{
	if (!reload_waited(app))
		return false;
	reload_end(app);
	app_say(app, "not loaded again; the old trace stays");
	return true;
}

/* From one trace to the other ------------------------------------------------------ */

/* The old trace and the next: whatever has the same identity in both is the same. */
struct map {
	struct session *old, *next;
	struct identities *from, *to; /* theirs */
};

static struct map
map_of(const struct app *app)
{
	struct session *old = app->s, *next = app->reload.next;

	return (struct map){
	    old, next, old->display.figures.identities, next->display.figures.identities};
}

static uint32_t
to_method(const struct map *map, uint32_t method)
{
	return identity_to_method(map->to, identity_method(map->from, method));
}

static uint32_t
to_thread(const struct map *map, uint32_t thread)
{
	return identity_to_thread(map->to, identity_thread(map->from, thread));
}

static uint32_t
to_process(const struct map *map, uint32_t process)
{
	return identity_to_process(map->to, identity_process(map->from, process));
}

/* NULL when none of them is there. */
static struct scope *
to_scope(const struct map *map, const struct scope *from)
{
	struct scope *to;

	if (from == NULL)
		return NULL;
	if (from->front)
		return scope_front(map->next->trace);
	to = scope_new(trace_thread_count(map->next->trace), false);
	for (uint32_t i = 0; i < from->count; i++)
		if (scope_has(from, i) && to_thread(map, i) != THREAD_NONE)
			to->in[to_thread(map, i)] = 1;
	if (scope_size(to) > 0)
		return to;
	scope_free(to);
	return NULL;
}

/* In place of what it was, without transforms of a method that is missing. */
static void
to_subset(const struct map *map, struct subset *s)
{
	struct scope *from = s->scope;

	s->scope = to_scope(map, from);
	scope_free(from);
	for (size_t i = s->transforms.count; i-- > 0;) {
		struct transform *t = &s->transforms.list[i];
		bool there = true;

		for (size_t k = 0; t->methods != NULL && k < t->depth; k++) {
			t->methods[k] = to_method(map, t->methods[k]);
			there &= t->methods[k] != METHOD_NONE;
		}
		if (!there)
			transforms_remove(&s->transforms, i);
	}
}

/* Maps the stack of a selection, as far as the new trace has it. */
static void
to_selection(const struct map *map, struct selection *s)
{
	uint32_t method = to_method(map, s->method);

	for (size_t i = 0; i < s->depth; i++) {
		s->stack[i] = to_method(map, s->stack[i]);
		if (s->stack[i] == METHOD_NONE)
			s->depth = 0;
	}
	s->method = method;
	s->thread = to_thread(map, s->thread);
}

static struct str
text_of(const struct log *log, const struct seg *texts, uint32_t i)
{
	return texts == &log->texts ? *(struct str *)seg_at(texts, i)
	    : texts == &log->chains ? ((struct log_chain *)seg_at(texts, i))->id
				    : ((struct log_counter *)seg_at(texts, i))->name;
}

/* A chain, a function or a counter of the log, by its name; UINT32_MAX: there is none. */
static uint32_t
to_named(const struct map *map, size_t which, uint32_t i)
{
	const struct log *old = map->old->trace->log, *next = map->next->trace->log;
	const struct seg *from, *to;

	if (old == NULL || next == NULL)
		return UINT32_MAX;
	from = (const struct seg *)((const char *)old + which);
	to = (const struct seg *)((const char *)next + which);
	if (i >= seg_count(from))
		return UINT32_MAX;
	for (uint32_t k = 0; k < seg_count(to); k++)
		if (str_equal(text_of(next, to, k), text_of(old, from, i)))
			return k;
	return UINT32_MAX;
}

/* False when the new trace does not have what it is of. */
static bool
to_ask(const struct map *map, struct usage_ask *ask)
{
	bool thread = ask->thread != THREAD_NONE;

	ask->thread = to_thread(map, ask->thread);
	if (ask->what == USAGE_ASK_CHAIN)
		ask->chain = to_named(map, offsetof(struct log, chains), ask->chain);
	if (ask->caller > 0)
		ask->caller = to_named(map, offsetof(struct log, texts), ask->caller - 1) + 1;
	return (!thread || ask->thread != THREAD_NONE) &&
	    (ask->what != USAGE_ASK_CHAIN || ask->chain != UINT32_MAX) &&
	    (ask->what != USAGE_ASK_BINDER || ask->client == UINT32_MAX);
}

static bool
to_track(const struct map *map, struct track *t)
{
	if (t->kind == TRACK_PROCESS || t->kind == TRACK_POINTS)
		t->index = to_process(map, t->index);
	else if (t->kind == TRACK_COUNTER)
		t->index = to_named(map, offsetof(struct log, counters), t->index);
	else if (track_thread(t) != THREAD_NONE)
		t->index = to_thread(map, t->index);
	return t->index != UINT32_MAX;
}

/* Maps the calls that are compared; none where the new trace has not what they are of. */
static void
to_slow(const struct map *map, struct slow_calls *slow)
{
	uint32_t method = slow->of == SLOW_METHOD ? to_method(map, slow->method) : slow->method;
	uint32_t thread = to_thread(map, slow->thread);

	if (method == METHOD_NONE || (thread == THREAD_NONE && slow->thread != THREAD_NONE))
		*slow = (struct slow_calls){.of = SLOW_NONE};
	slow->method = method;
	slow->thread = thread;
}

/* In place of what it was. */
static void
to_place(const struct map *map, struct place *p)
{
	to_subset(map, &p->subset);
	p->thread = to_thread(map, p->thread);
	(void)to_track(map, &p->row);
	p->told.method = to_method(map, p->told.method);
	p->told.thread = to_thread(map, p->told.thread);
	p->sequence_thread = to_thread(map, p->sequence_thread);
	to_slow(map, &p->slow);
	if (!to_ask(map, &p->ask) && p->table >= USAGE_INTERVALS) {
		p->table = USAGE_PROCESSES;
		p->ask = USAGE_ASK_NONE;
	}
	to_selection(map, &p->selection);
}

/* Taking and giving back ------------------------------------------------------------ */

/* False when the new trace does not have what it is about; changes the rows. */
static bool
to_query(const struct map *map, struct query *q)
{
	uint32_t method = to_method(map, q->method);
	bool there = method != METHOD_NONE || q->method == METHOD_NONE;

	q->method = method;
	to_slow(map, &q->slow);
	for (uint32_t i = 0; i < q->row_count; i++)
		there &= to_track(map, &q->rows[i]);
	return there;
}

/* Asks the new trace what the screen shows now: it begins with the answers. */
static void
ask_ahead(struct app *app, const struct load_status *status)
{
	struct reload *r = &app->reload;
	struct asked asked = {.kinds = 0};
	struct sbuf idle = {0};
	struct map map = map_of(app);

	r->asked = true;
	asked.of = subset_copy(&app->s->subset);
	to_subset(&map, &asked.of);
	asked.of.range = follow_range(app, asked.of.range, status->begin, status->end);
	app_asks(app, &asked, &idle);
	asked.kinds &= AHEAD;
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		struct query *q = &asked.queries[kind];

		q->rows = mem_dup(q->rows, q->row_count, sizeof(*q->rows));
		if (!to_query(&map, q))
			asked.kinds &= ~(1u << kind);
		if (q->window.from < q->window.to)
			q->window = follow_range(app, q->window, status->begin, status->end);
	}
	engine_ask(r->next->engine, &asked);
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++)
		mem_free(asked.queries[kind].rows);
	subset_release(&asked.of);
	sbuf_release(&idle);
}

/* Moves what the user did in each view, on the screen or not, to the next session. */
static void
inherit(const struct map *map)
{
	struct session *s = map->next, *old = map->old;
	struct list_state state;
	struct list *l;

	identities_take(map->to, map->from);
	s->history = old->history;
	s->undo = old->undo;
	old->history = old->undo = (struct places){0};
	for (size_t i = 0; i < s->history.count; i++)
		to_place(map, &s->history.items[i]);
	for (size_t i = 0; i < s->undo.count; i++)
		to_place(map, &s->undo.items[i]);
	s->packages.by = old->packages.by;
	s->calls_method = to_method(map, old->calls_method);
	s->slow = old->slow;
	to_slow(map, &s->slow);
	s->threads.front = s->picker_threads.front = to_process(map, old->threads.front);
	ids_copy(&s->tree.apart, &old->tree.apart);
	ids_copy(&s->callers.apart, &old->callers.apart);
	s->tree.alone = old->tree.alone;
	s->sequence.opened = old->sequence.opened;
	s->sequence.opened_range = old->sequence.opened_range;
	s->findings.opened = old->findings.opened;
	icicle_keep(&old->flame);
	s->flame.zoom_id = old->flame.zoom_id;
	s->flame.cursor_id = old->flame.cursor_id;
	s->flame.settled = old->flame.settled;
	s->flame.by = old->flame.by;
	for (int i = 0; (l = session_list(old, i)) != NULL; i++) {
		list_take(&state, l);
		list_give(session_list(s, i), &state);
		list_state_release(&state);
	}
	timeline_pane_take(&s->timeline, &old->timeline, map->to, map->from);
	s->seen_row = old->seen_row;
	s->seen_at = old->seen_at;
	(void)to_track(map, &s->seen_row);
	s->choosing = old->choosing;
	s->chosen_first = old->chosen_first;
	s->info_top = old->info_top;
	s->info_found = old->info_found;
	s->display.name_skip = old->display.name_skip;
	display_search(&s->display, old->display.search);
	old->display.search = NULL;
}

static uint32_t
rate_method(const void *map, uint32_t method)
{
	return to_method(map, method);
}

static uint32_t
rate_thread(const void *map, uint32_t thread)
{
	return to_thread(map, thread);
}

/* Takes the gain of the new trace over the old one, where both are counted alike as a whole. */
static void
rates_follow(struct app *app, const struct map *map, bool alike)
{
	struct display *old = &map->old->display, *next = &map->next->display;
	const struct rates_map same = {rate_method, rate_thread, map};

	if (!follow_is_on(app) || old->fold == NULL || next->fold == NULL)
		return;
	if (!alike || !range_is_all(&old->fold->range) || !range_is_all(&next->fold->range))
		rates_release(&old->rates);
	else if (old->rates.past_count == 0)
		rates_keep(&old->rates, old->fold, map->old->trace, map->old->now.end);
	rates_take(&next->rates, &old->rates, next->fold, map->next->trace, map->next->now.end,
	    (nsec)app->settings->rate_interval * 1000000, &same);
	next->figures.rates = &next->rates;
}

static void
exchange(struct app *app)
{
	struct reload *r = &app->reload;
	struct map map = map_of(app);
	struct place place = app_place(app);
	bool scope = place.subset.scope != NULL;
	size_t transforms = place.subset.transforms.count;
	const bool alike = subset_equal(&app->s->shown, &app->s->subset);

	r->told = FILEMARK_SAME;
	app->follow.growing = FOLLOW_RESTS;
	compare_forget_paths(app);
	to_place(&map, &place);
	settings_collect(app, app->settings);
	app->s = map.next;
	r->next = NULL;
	diff_table_set_display(&app->compare.table, &app->s->display);
	settings_apply(app);
	inherit(&map);
	app_changed(app);
	/* The new session's answers are ready. */
	(void)app_take_answers(app);
	rates_follow(app, &map, alike);
	leave(r, map.old);
	if (!r->silent)
		app_say(app, "loaded again");
	follow_slide(app, &place);
	place_give(app, &place);
	if (app->s->display.figures.rates != NULL)
		follow_came(app);
	/* The method may be in another of its lists now. */
	if (app->view == VIEW_DIFF)
		app_enter(app);
	if (scope && app->s->subset.scope == NULL)
		app_complain(
		    app, "all threads are shown: the chosen ones are not there now");
	else if (app->s->subset.transforms.count < transforms)
		app_complain(app, "a transform is left out: its method is not there now");
	place_release(&place);
}

/* The file is open: the trace on the screen stays until the new one is loaded. */
static bool
load(struct app *app, struct err *e)
{
	struct reload *r = &app->reload;
	struct trace *trace = opener_take(&r->opener, e);

	if (trace == NULL)
		return false;
	if (trace->log != NULL)
		trace->log->choice = app->s->choice;
	r->next = session_open(
	    trace, true, app->canvas.utf8, app->options->jobs, &app->arrived, e);
	return r->next != NULL;
}

bool
reload_take(struct app *app)
{
	struct reload *r = &app->reload;
	struct load_status status = {.state = LOAD_FAILED};
	struct err *e = &status.err;
	bool differs = opener_ended(&r->opener);
	double before = r->progress;
	enum load_state state = LOAD_FAILED;

	/* Not during a prompt, a list, or writing. */
	if (!(differs || r->next != NULL) || app->ask != NULL ||
	    app->popup.ops != NULL || app->writing.active)
		return false;
	if (!differs || load(app, e))
		state = engine_loading(r->next->engine, &status);
	if (state != LOAD_MORE && state != LOAD_FAILED && !r->asked) {
		ask_ahead(app, &status);
		state = engine_loading(r->next->engine, &status);
	}
	r->progress = status.progress;
	if (state == LOAD_MORE && r->silent)
		return false;
	if (state == LOAD_MORE)
		return differs || (int)(r->progress * 100) != (int)(before * 100);
	if (!r->silent)
		app->message[0] = '\0';
	/* Overwritten meanwhile: figures of two traces in one. */
	if (r->silent && state != LOAD_FAILED && !watch_same(app->follow.watch)) {
		reload_end(app);
		follow_loaded(app, NULL);
		return false;
	}
	if (state != LOAD_FAILED)
		exchange(app);
	reload_end(app);
	if (state == LOAD_FAILED && !r->silent)
		app_complain(app, "not loaded again: %s", err_text(e, ERR_BUF));
	if (r->silent)
		follow_loaded(app, state == LOAD_FAILED ? err_text(e, ERR_BUF) : NULL);
	return true;
}
