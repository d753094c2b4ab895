// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/reload.h"

#include <stdio.h>

#include "base/map.h"
#include "base/mem.h"
#include "tui/app.h"

enum {
	LOOK_MS = 1000,
	/* What a new trace is asked before it is shown: what no view begins anew. */
	AHEAD = 1u << QUERY_TIMELINE | 1u << QUERY_METHODS | 1u << QUERY_PATHS |
		1u << QUERY_MARKS | 1u << QUERY_TRACKS,
};

void
reload_init(struct app *app, const struct tui_options *options)
{
	app->reload = (struct reload){.options = options};
}

static void
map_release(struct reload_map *map)
{
	mem_free(map->methods);
	mem_free(map->threads);
	*map = (struct reload_map){0};
}

static void
end_left(unsigned index, void *arg)
{
	struct reload *r = arg;

	engine_free(r->ended_engine);
	trace_free(r->ended);
}

/* On a thread of its own: to wait for the engine and to unmap the file takes long for a key. */
static void
leave(struct reload *r, struct engine *engine, struct trace *trace)
{
	struct err e;

	worker_join(r->ending);
	r->ending = NULL;
	r->ended_engine = engine;
	r->ended = trace;
	if (!worker_start(&r->ending, 1, end_left, r, NULL, &e))
		end_left(0, r);
}

/* Nothing is loaded any more. */
static void
end_loading(struct reload *r)
{
	opener_end(&r->opener);
	if (r->fresh != NULL)
		leave(r, r->engine, r->fresh);
	r->engine = NULL;
	r->fresh = NULL;
	r->progress = 0;
	r->asked = false;
}

static void
end_following(struct reload *r)
{
	if (!r->following)
		return;
	place_release(&r->place);
	history_release(&r->history);
	undo_release(r->undo);
	mem_free(r->undo);
	mem_free(r->marked);
	r->undo = NULL;
	r->marked = NULL;
	r->following = false;
}

void
reload_release(struct app *app)
{
	struct reload *r = &app->reload;

	end_loading(r);
	end_following(r);
	worker_join(r->ending);
	map_release(&r->map);
	mem_free(r->new_methods.of);
	mem_free(r->new_threads.of);
	mem_free(r->methods.of);
	mem_free(r->threads.of);
	trace_free(r->own);
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
	is = trace_file_now(app->trace);
	if (is != r->told && is != FILEMARK_SAME)
		app_complain(app, "%s", texts[is]);
	r->told = is;
}

bool
reload_begin(struct app *app, bool silent, struct err *e)
{
	if (app->trace->files[0].path == NULL && !follow_is_on(app))
		return err_set(e, ERR_UNSUPPORTED, "this trace did not come from a file");
	end_loading(&app->reload);
	app->reload.silent = silent;
	return opener_begin(
	    &app->reload.opener, app->reload.options, TUI_AGAIN, app->trace->path,
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
reload_exchanged(struct app *app)
{
	bool exchanged = app->reload.exchanged;

	app->reload.exchanged = false;
	return exchanged;
}

bool
reload_text(struct app *app, char *out, size_t size)
{
	struct str name = names_clean(app->names, str_from(app->trace->path));

	if (!reload_waited(app))
		return false;
	if (app->reload.engine == NULL)
		snprintf(out, size, "opening %.*s again (^C stops)", STR_ARG(name));
	else
		snprintf(out, size, "loading %.*s again: %d%% (^C stops)", STR_ARG(name),
		    (int)(app->reload.progress * 100));
	return true;
}

void
reload_end(struct app *app)
{
	end_loading(&app->reload);
}

bool
reload_interrupt(struct app *app)
{
	if (!reload_waited(app))
		return false;
	end_loading(&app->reload);
	app_say(app, "not loaded again; the old trace stays");
	return true;
}

/* Identities ---------------------------------------------------------------------- */

static uint64_t
add_bytes(uint64_t key, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		key = (key ^ (uint8_t)text.p[i]) * 0x100000001b3u;
	return (key ^ 0xff) * 0x100000001b3u;
}

static uint64_t
method_key(const struct method *m)
{
	uint64_t key = m->known ? 1 : 2 + m->id;

	key = add_bytes(key, m->word != NULL ? str_from(m->word) : m->class_name);
	return add_bytes(add_bytes(key, m->name), m->signature);
}

/* Rows that are no threads have names only. */
static uint64_t
thread_key(const struct thread *t)
{
	uint64_t key = (uint64_t)t->kind << 32 | t->id;

	return t->kind == THREAD_TASK ? key : add_bytes(key, t->name);
}

static uint64_t *
key_room(struct reload_keys *keys, uint32_t count)
{
	MEM_GROW(keys->of, keys->room, count);
	keys->count = count;
	return keys->of;
}

static void
learn(const struct trace *t, struct reload_keys *methods, struct reload_keys *threads)
{
	key_room(methods, trace_method_count(t));
	for (uint32_t i = 0; i < methods->count; i++)
		methods->of[i] = method_key(trace_method(t, i));
	key_room(threads, trace_thread_count(t));
	for (uint32_t i = 0; i < threads->count; i++)
		threads->of[i] = thread_key(trace_thread(t, i));
}

static void
keys_swap(struct reload_keys *a, struct reload_keys *b)
{
	struct reload_keys kept = *a;

	*a = *b;
	*b = kept;
}

void
reload_learn(struct app *app)
{
	struct reload *r = &app->reload;
	const struct trace *t = app->trace;
	unsigned renamed = atomic_load(&t->renamed);
	bool changed = trace_method_count(t) != r->methods.count ||
		    trace_thread_count(t) != r->threads.count || renamed != r->renamed;

	/* In a file that was overwritten names are garbage, and records have other ids. */
	if (!changed || (r->methods.count > 0 &&
			 (app_loading(app) || trace_file_now(t) != FILEMARK_SAME)))
		return;
	r->renamed = renamed;
	learn(t, &r->methods, &r->threads);
}

/* From one trace to the other ------------------------------------------------------ */

static struct str
key_text(const uint64_t *key)
{
	return (struct str){(const char *)key, sizeof(*key)};
}

/* Maps to the first of several with the same key. */
static uint32_t *
map_keys(const struct reload_keys *from, const struct reload_keys *to)
{
	uint32_t *map = mem_alloc(((size_t)from->count + 1) * sizeof(*map));
	uint32_t *first = mem_alloc(((size_t)to->count + 1) * sizeof(*first));
	struct intern keys = {0};
	size_t known;

	for (uint32_t i = 0; i < to->count; i++) {
		known = keys.count;
		if (intern_add(&keys, key_text(&to->of[i]), 0) == known)
			first[known] = i;
	}
	known = keys.count;
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t key = intern_add(&keys, key_text(&from->of[i]), 0);

		map[i] = key < known ? first[key] : UINT32_MAX;
	}
	intern_release(&keys);
	mem_free(first);
	return map;
}

static void
map_make(struct reload *r)
{
	map_release(&r->map);
	r->map = (struct reload_map){map_keys(&r->methods, &r->new_methods),
	    map_keys(&r->threads, &r->new_threads), r->methods.count, r->threads.count};
}

static uint32_t
to_method(const struct reload_map *map, uint32_t method)
{
	return method < map->method_count ? map->methods[method] : METHOD_NONE;
}

static uint32_t
to_thread(const struct reload_map *map, uint32_t thread)
{
	return thread < map->thread_count ? map->threads[thread] : THREAD_NONE;
}

/* NULL when none of them is there. */
static struct scope *
to_scope(const struct reload_map *map, const struct scope *from, uint32_t count)
{
	struct scope *to;

	if (from == NULL)
		return NULL;
	to = scope_new(count, false);
	for (uint32_t i = 0; i < map->thread_count; i++)
		if (scope_has(from, i) && map->threads[i] < count)
			to->in[map->threads[i]] = 1;
	if (scope_size(to) > 0)
		return to;
	scope_free(to);
	return NULL;
}

/* Maps transforms, except those of a method that is missing. */
static void
to_transforms(const struct reload_map *map, struct transforms *to, const struct transforms *from)
{
	transforms_copy(to, from);
	for (size_t i = to->count; i-- > 0;) {
		struct transform *t = &to->list[i];
		bool there = true;

		for (size_t k = 0; t->methods != NULL && k < t->depth; k++) {
			t->methods[k] = to_method(map, t->methods[k]);
			there &= t->methods[k] != METHOD_NONE;
		}
		if (!there)
			transforms_remove(to, i);
	}
}

static struct subset
to_subset(const struct reload_map *map, const struct subset *from, uint32_t thread_count)
{
	struct subset to = {to_scope(map, from->scope, thread_count), from->range, {0}};

	to_transforms(map, &to.transforms, &from->transforms);
	return to;
}

/* Maps the stack of a selection, as far as the new trace has it. */
static void
to_selection(const struct reload_map *map, struct selection *s)
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

/* Is what the place's page is about still there? */
static bool
page_stays(const struct place *to, const struct place *from)
{
	return from->moment	? to->thread != THREAD_NONE
	    : from->told != METHOD_NONE ? to->told != METHOD_NONE
					: to->told_thread != THREAD_NONE;
}

static void
leave_page(struct place *p)
{
	struct view_stack *below = &p->below;
	size_t kept = 0;

	for (size_t i = 0; i < below->count; i++)
		if (below->views[i] != VIEW_DETAILS)
			below->views[kept++] = below->views[i];
	below->count = kept;
	if (p->view == VIEW_DETAILS)
		p->view = kept > 0 ? below->views[--below->count] : VIEW_PROFILE;
}

/* Chains and functions of a log have no identity here. */
static bool
list_stays(const struct usage_ask *to, const struct usage_ask *from)
{
	return from->what != USAGE_ASK_CHAIN && from->caller == 0 &&
	    (from->thread == THREAD_NONE || to->thread != THREAD_NONE);
}

static struct place
to_place(const struct reload_map *map, const struct place *from, uint32_t thread_count)
{
	struct place p = *from;

	p.selected.method = to_method(map, from->selected.method);
	p.selected.of = to_method(map, from->selected.of);
	p.open = mem_alloc(from->open_count * sizeof(*p.open));
	p.open_count = 0;
	for (size_t i = 0; i < from->open_count; i++) {
		uint32_t method = to_method(map, from->open[i]);

		if (method != METHOD_NONE)
			p.open[p.open_count++] = method;
	}
	p.guest = to_method(map, from->guest);
	p.filters = (struct filters){0};
	filters_copy(&p.filters, &from->filters);
	p.transforms = (struct transforms){0};
	to_transforms(map, &p.transforms, &from->transforms);
	p.scope = to_scope(map, from->scope, thread_count);
	p.thread = to_thread(map, from->thread);
	/* Rows of processes, cores and counters have no names of their own here. */
	p.has_row = from->has_row &&
		    (from->row.kind == TRACK_THREAD || from->row.kind == TRACK_CALLS);
	p.row.index = to_thread(map, from->row.index);
	p.told = to_method(map, from->told);
	p.told_thread = to_thread(map, from->told_thread);
	p.ask.thread = to_thread(map, from->ask.thread);
	if (!page_stays(&p, from))
		leave_page(&p);
	if (p.table >= USAGE_INTERVALS && !list_stays(&p.ask, &from->ask)) {
		p.table = USAGE_PROCESSES;
		p.ask = USAGE_ASK_NONE;
	}
	selection_init(&p.selection);
	selection_copy(&p.selection, &from->selection);
	to_selection(map, &p.selection);
	return p;
}

/* Taking and giving back ------------------------------------------------------------ */

static void
take_marks(struct reload *r, const struct ids *marked)
{
	const struct list_id *id;

	r->marked = mem_alloc(marked->count * sizeof(*r->marked));
	r->marked_count = 0;
	for (size_t at = 0; (id = ids_next(marked, &at)) != NULL;)
		r->marked[r->marked_count++] = methods_identity(*id).method;
}

static void
take_call(struct reload *r, const struct app *app)
{
	const struct call_row *row = calls_list_row(&app->calls);

	r->call_method = row != NULL ? app->calls_method : METHOD_NONE;
	if (row != NULL)
		r->call = (struct call_place){row->start, row->thread, row->order};
}

static void
give_marks(const struct reload *r, const struct reload_map *map, struct ids *marked)
{
	for (size_t i = 0; i < r->marked_count; i++) {
		uint32_t method = to_method(map, r->marked[i]);

		if (method != METHOD_NONE)
			(void)ids_add(
			    marked, methods_id((struct identity){ROW_METHOD, method, method}));
	}
}

static void
give_call(const struct reload *r, const struct reload_map *map, struct app *app)
{
	struct call_place call = r->call;

	call.thread = to_thread(map, call.thread);
	if (r->call_method != METHOD_NONE && call.thread != THREAD_NONE &&
	    app->calls_method == to_method(map, r->call_method))
		calls_list_go(&app->calls, &call);
}

/* Unless there is more already; the rest goes with the end of following. */
static void
give_past(struct reload *r, const struct reload_map *map, struct app *app)
{
	for (size_t i = 0; i < r->history.count; i++) {
		struct place place = to_place(map, &r->history.places[i], r->threads.count);

		place_release(&r->history.places[i]);
		r->history.places[i] = place;
	}
	for (int i = 0; i < r->undo->count; i++) {
		struct subset *of = &r->undo->states[i].subset, before = *of;

		*of = to_subset(map, &before, r->threads.count);
		subset_release(&before);
	}
	if (app->history.count == 0 && app->undo.count == 0) {
		app->history = r->history;
		app->undo = *r->undo;
		r->history = (struct history){0};
		r->undo->count = 0;
	}
}

/* What could not be kept. */
static void
tell_loss(struct app *app, const struct place *place)
{
	const struct place *was = &app->reload.place;

	if (was->scope != NULL && place->scope == NULL)
		app_complain(
		    app, "all threads are shown: the chosen ones are not there now");
	else if (place->transforms.count < was->transforms.count)
		app_complain(app, "a transform is left out: its method is not there now");
}

void
reload_follow(struct app *app)
{
	struct reload *r = &app->reload;
	struct place place;

	if (!r->following)
		return;
	place = to_place(&r->map, &r->place, r->threads.count);
	if (!r->silent)
		app_say(app, "loaded again");
	follow_slide(app, &place);
	give_marks(r, &r->map, &app->methods.list.marked);
	app_go(app, &place);
	give_call(r, &r->map, app);
	give_past(r, &r->map, app);
	tell_loss(app, &place);
	place_release(&place);
	end_following(r);
}

/* False when the new trace does not have what it is about, as far as names tell. */
static bool
to_track(const struct reload_map *map, struct track *t)
{
	t->index = to_thread(map, track_thread(t));
	return t->index != THREAD_NONE;
}

/* The same; changes the rows. */
static bool
to_query(const struct reload_map *map, struct query *q)
{
	uint32_t method = to_method(map, q->method);
	bool there = method != METHOD_NONE || q->method == METHOD_NONE;

	q->method = method;
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

	learn(r->fresh, &r->new_methods, &r->new_threads);
	map_make(r);
	r->asked = true;
	asked.of = to_subset(&r->map, &app->subset, r->new_threads.count);
	asked.of.range = follow_range(app, asked.of.range, status->begin, status->end);
	app_asks(app, &asked, &idle);
	asked.kinds &= AHEAD;
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		struct query *q = &asked.queries[kind];

		q->rows = mem_dup(q->rows, q->row_count, sizeof(*q->rows));
		if (!to_query(&r->map, q))
			asked.kinds &= ~(1u << kind);
		if (q->window.from < q->window.to)
			q->window = follow_range(app, q->window, status->begin, status->end);
	}
	engine_ask(r->engine, &asked);
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++)
		mem_free(asked.queries[kind].rows);
	subset_release(&asked.of);
	sbuf_release(&idle);
}

/* The cursors of the comparison are on methods of this trace, too; those begin anew. */
static void
forget_pairs(struct diff_table *t)
{
	for (int i = 0; i < DIFF_CHANGES; i++)
		t->lists[i].list.settled = t->lists[i].list.chosen = false;
	diff_names_release(&t->pairs);
	t->made = false;
}

static void
exchange(struct app *app)
{
	struct reload *r = &app->reload;
	struct pattern *search = app->display.search;
	enum thread_order order = app->timeline.by;

	/* What waits to be given to the trace before goes on to this one. */
	reload_follow(app);
	r->following = r->exchanged = true;
	if (r->map.method_count != r->methods.count || r->map.thread_count != r->threads.count)
		map_make(r);
	keys_swap(&r->methods, &r->new_methods);
	keys_swap(&r->threads, &r->new_threads);
	r->renamed = atomic_load(&r->fresh->renamed);
	r->told = FILEMARK_SAME;
	r->place = app_place(app);
	r->history = app->history;
	app->history = (struct history){0};
	r->undo = mem_alloc(sizeof(*r->undo));
	*r->undo = app->undo;
	app->undo.at = app->undo.count = 0;
	take_marks(r, &app->methods.list.marked);
	take_call(r, app);
	settings_collect(app, app->settings);
	forget_pairs(&app->compare.table);
	app->display.search = NULL;
	app_change_trace(app, r->fresh);
	leave(r, app->engine, r->own);
	app->engine = r->engine;
	r->engine = NULL;
	r->own = r->fresh;
	r->fresh = NULL;
	settings_apply(app);
	/* The first table comes in the order that it is to have. */
	app->methods.list.sort = r->place.sort;
	app->methods.list.ascending = r->place.ascending;
	display_search(&app->display, search);
	timeline_pane_set_order(&app->timeline, order);
	if (r->place.view == VIEW_USAGE && app->trace->log == NULL)
		r->place.view = VIEW_PROFILE;
}

/* The file is open: the trace on the screen stays until the new one is loaded. */
static bool
load(struct app *app, struct err *e)
{
	struct reload *r = &app->reload;

	r->fresh = opener_take(&r->opener, e);
	if (r->fresh == NULL)
		return false;
	if (r->fresh->log != NULL)
		r->fresh->log->choice = app->choice;
	r->engine = engine_new(r->fresh, r->options->jobs, &app->arrived, e);
	return r->engine != NULL;
}

bool
reload_take(struct app *app)
{
	struct reload *r = &app->reload;
	struct load_status status = {.state = LOAD_FAILED};
	struct err *e = &status.err;
	char text[256];
	bool differs = opener_ended(&r->opener);
	double before = r->progress;
	enum load_state state = LOAD_FAILED;

	/* Not during a prompt, a list, or writing. */
	if (!(differs || r->engine != NULL) || app->ask != NULL ||
	    app->popup.ops != NULL || app->writing.active)
		return false;
	if (!differs || load(app, e))
		state = engine_loading(r->engine, &status);
	if (state != LOAD_MORE && state != LOAD_FAILED && !r->asked) {
		ask_ahead(app, &status);
		state = engine_loading(r->engine, &status);
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
		end_loading(r);
		follow_loaded(app, NULL);
		return false;
	}
	if (state != LOAD_FAILED)
		exchange(app);
	end_loading(r);
	if (state == LOAD_FAILED && !r->silent)
		app_complain(
		    app, "not loaded again: %s", err_text(e, text, sizeof(text)));
	if (r->silent)
		follow_loaded(app, state == LOAD_FAILED ? err_text(e, text, sizeof(text)) : NULL);
	return true;
}
