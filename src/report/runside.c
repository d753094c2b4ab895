// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/runside.h"

#include <string.h>

#include "base/mem.h"
#include "profile/sum/pathjoin.h"
#include "report/text/diffreport.h"
#include "report/text/views.h"

const enum clock_id runs_clock_of[RUNS_CLOCKS] = {
    [RUNS_CPU] = CLOCK_CPU, [RUNS_WALL] = CLOCK_WALL, [RUNS_BUSY] = CLOCK_WALL};

void
runs_side_release(struct runs_side *s)
{
	for (size_t i = 0; i < s->count; i++)
		mem_free(s->runs[i].cells);
	mem_free(s->runs);
	mem_free(s->methods);
	intern_release(&s->keys);
	trace_free(s->trace);
}

bool
runs_side_unit(struct runs_side *s, bool has_runs, const struct trace *t, struct err *e)
{
	struct trace_unit *unit = &s->trace->unit;
	struct str name;

	if (has_runs)
		return strcmp(unit_name(unit), unit_name(&t->unit)) == 0 ||
		    err_set(e, ERR_UNSUPPORTED, "the traces count different things: %s and %s",
			unit_name(unit), unit_name(&t->unit));
	*unit = t->unit;
	if (unit->name != NULL) {
		name = (struct str){unit->name, strlen(unit->name) + 1}; /* with its end */
		unit->name = arena_str(&s->trace->arena, name).p;
	}
	return true;
}

uint32_t
runs_side_method(struct runs_side *s, const struct method *m)
{
	struct arena *arena = &s->trace->arena;
	struct sbuf key = {0};
	struct method_was was;
	struct method own = {.known = m->known, .async = m->async, .line = m->line};
	uint32_t index;

	sbuf_str(&key, m->class_name);
	for (size_t i = 0; i < key.n; i++)
		if (key.p[i] == '/')
			key.p[i] = '.';
	sbuf_char(&key, '\0');
	sbuf_str(&key, m->name);
	sbuf_char(&key, '\0');
	sbuf_str(&key, m->signature);
	if (!m->known)
		sbuf_printf(&key, "%llx", (unsigned long long)m->id);
	index = intern_find(&s->keys, sbuf_view(&key), m->async);
	if (index == IDMAP_NONE) {
		own.class_name = arena_str(arena, m->class_name);
		own.name = arena_str(arena, m->name);
		own.signature = arena_str(arena, m->signature);
		own.file = arena_str(arena, m->file);
		if (m->was != NULL) {
			was = (struct method_was){arena_str(arena, m->was->class_name),
			    arena_str(arena, m->was->name), arena_str(arena, m->was->signature), m->was->by};
			own.was = &was;
		}
		index = intern_add(&s->keys, arena_str(arena, sbuf_view(&key)), m->async);
		own.id = m->known ? (uint64_t)index + 1 : m->id;
		MEM_GROW(s->methods, s->method_room, (size_t)index + 1);
		s->methods[index] = trace_method_define(s->trace, own.id, &own, NULL);
	}
	sbuf_release(&key);
	return s->methods[index];
}

/* A trace while its sums are taken. */
struct taking {
	uint32_t *as; /* by method: the side's; METHOD_NONE: not known yet */
	uint32_t count;
	size_t as_room, room; /* room: of the run's cells */
};

static void
as_set(struct taking *t, uint32_t method, uint32_t as)
{
	MEM_GROW(t->as, t->as_room, (size_t)method + 1);
	while (t->count <= method)
		t->as[t->count++] = METHOD_NONE;
	t->as[method] = as;
}

/* Adds what a fold has: calls and times as they are, or the wall clock without idle time. */
static void
run_take(struct runs_run *run, struct runs_side *side, const struct report *r,
    const uint8_t *hidden, const uint8_t *per, bool busy, struct taking *t)
{
	const struct fold *f = r->fold;

	for (uint32_t i = 0; i < f->method_count; i++) {
		const struct method_sum *m = &f->methods[i];
		struct runs_cell *cell;

		if (i == METHOD_TOPLEVEL || !m->present)
			continue;
		for (int c = busy ? RUNS_BUSY : 0; c < (busy ? RUNS_CLOCKS : RUNS_BUSY); c++)
			run->total[c] = pathjoin_plus(run->total[c], m->exclusive[runs_clock_of[c]]);
		if (!busy && per != NULL && per[i] != 0)
			run->calls += m->calls + m->recursive_calls;
		if (hidden[i] != 0)
			continue;
		if (i >= t->count || t->as[i] == METHOD_NONE)
			as_set(t, i, runs_side_method(side, trace_method(r->trace, i)));
		MEM_GROW_ZERO(run->cells, t->room, (size_t)t->as[i] + 1);
		if (t->as[i] >= run->count)
			run->count = t->as[i] + 1;
		cell = &run->cells[t->as[i]];
		if (!busy)
			cell->calls += m->calls + m->recursive_calls;
		for (int c = busy ? RUNS_BUSY : 0; c < (busy ? RUNS_CLOCKS : RUNS_BUSY); c++) {
			nsec *inclusive = &cell->time[DIFF_INCLUSIVE][c], *exclusive = &cell->time[DIFF_EXCLUSIVE][c];

			*inclusive = pathjoin_plus(*inclusive, m->inclusive[runs_clock_of[c]]);
			*exclusive = pathjoin_plus(*exclusive, m->exclusive[runs_clock_of[c]]);
		}
	}
}

uint8_t *
runs_per_find(const struct pattern *pattern, const char *text, const struct report *r, struct err *e)
{
	uint32_t count = trace_method_count(r->trace);
	uint8_t *per = mem_zero((size_t)count + 1, 1);
	size_t from, to;

	for (uint32_t m = 1; m < count; m++) {
		enum pattern_result found = pattern_match(pattern, names_raw(r->figures.names, m), &from, &to);

		if (found == PATTERN_TOO_COSTLY)
			err_set(e, ERR_LIMIT, "a pattern is too costly: %s", text);
		per[m] = found == PATTERN_MATCH;
	}
	return per;
}

bool
runs_per_check(uint64_t calls, const struct profile *p, const char *text, struct err *e)
{
	if (calls == 0)
		return err_set(e, ERR_UNSUPPORTED, "there is no call of %s", text);
	return !p->sampled.yes ||
	    err_set(e, ERR_UNSUPPORTED, "is sampled: how often %s was called is not known", text);
}

/* The sums of a trace by the options, once more without idle time. */
static bool
run_sum(struct runs_side *s, const struct runs_reading *how, struct runs_run *run, const struct profile *p,
    const struct report_options *o, bool busy, struct taking *t, const atomic_bool *cancel, struct err *e)
{
	struct report r = {.options = NULL};
	uint8_t *hidden = NULL, *per = NULL;
	bool good = diffreport_fold(&r, p, o, false, &hidden, cancel, e);

	if (good) {
		per = how->per != NULL ? runs_per_find(how->per, how->per_text, &r, e) : NULL;
		run_take(run, s, &r, hidden, per, busy, t);
		good = e->kind == ERR_NONE;
	}
	mem_free(per);
	mem_free(hidden);
	report_release(&r);
	return good && (how->per == NULL || runs_per_check(run->calls, p, how->per_text, e));
}

static void
run_push(struct runs_side *s, const struct runs_run *run)
{
	*MEM_ADD(s->runs, s->count, s->room) = *run;
}

/* The clocks on which a run has time. */
static void
run_clocks(struct runs_run *run, const struct trace *t)
{
	for (int c = 0; c < RUNS_CLOCKS; c++)
		run->has[c] = trace_has_clock(t, runs_clock_of[c]) && run->total[c] > 0;
}

struct transformed *
runs_block_busy(const struct report *r, const struct transformed *block, const atomic_bool *cancel)
{
	const struct paths_source all = {.tree = &block->tree, .range = r->options->range, .roots = block->roots,
	    .thread_count = block->thread_count, .method_count = block->method_count, .scope = r->scope};
	struct transforms idle = {.list = NULL};
	struct err none = {.kind = ERR_NONE};
	struct transformed *without;

	(void)transforms_add_line(&idle, STR("idle"), &none);
	without = transform_apply(&idle, r->profile->trace, &all, cancel);
	transforms_release(&idle);
	return without;
}

struct percall *
runs_blocks(const struct report *r, const char *pattern, const atomic_bool *cancel, struct err *e)
{
	struct percall *c = percall_new(r->profile, &(struct percall_query){.scope = r->scope,
	    .range = r->options->range, .pattern = str_from(pattern), .blocks = true,
	    .folded = r->query.of.folded}, cancel, e);

	if (c == NULL || c->thread != THREAD_NONE)
		return c;
	err_set(e, ERR_UNSUPPORTED, c->cut > 0 ? "the window or the trace cuts all calls of %s"
					       : "there is no call of %s", pattern);
	percall_free(c);
	return NULL;
}

/* Adds the sums of a block of calls, once more without idle time. */
static bool
block_take(struct runs_side *s, const struct runs_reading *how, struct runs_run *run, struct report *r,
    const struct percall_side *block, const struct fold *recorded, const uint8_t *hidden,
    const atomic_bool *cancel)
{
	struct taking taking = {.count = 0};
	bool good = true, again = trace_has_clock(r->trace, CLOCK_WALL) && !how->with_idle;

	run->calls = block->calls;
	for (int busy = 0; busy <= again && good; busy++) {
		const struct transformed *tree = block->tree;
		struct transformed *without = NULL;

		if (busy)
			tree = without = runs_block_busy(r, tree, cancel);
		if (tree != NULL)
			r->fold = fold_make(r->profile, &(struct fold_query){.scope = r->scope,
			    .range = &r->options->range, .of = tree, .recorded = recorded,
			    .same = r->source.same, .same_count = r->source.same_count}, cancel);
		good = tree != NULL && r->fold != NULL;
		if (good)
			run_take(run, s, r, hidden, NULL, busy, &taking);
		fold_free(r->fold);
		r->fold = NULL;
		transformed_free(without);
	}
	mem_free(taking.as);
	run_clocks(run, r->trace);
	return good;
}

/* Adds a trace as so many runs as its calls have blocks. */
static bool
blocks_add(struct runs_side *s, const struct runs_reading *how, const struct runs_run *like, const struct profile *p,
    const struct report_options *o, const atomic_bool *cancel, struct err *e)
{
	struct report r = {.options = NULL};
	uint8_t *hidden = NULL;
	struct percall *c = NULL;
	struct fold *recorded = NULL;
	bool good = report_open(&r, p, o, cancel, e) && methods_hidden(&r, &hidden, cancel, e);

	if (good)
		c = runs_blocks(&r, how->blocks, cancel, e);
	if (c != NULL)
		recorded = fold_make(p, &(struct fold_query){.scope = r.scope, .range = &o->range,
		    .same = r.source.same, .same_count = r.source.same_count}, cancel);
	good = recorded != NULL;
	for (uint32_t i = 0; good && i < c->count; i++) {
		struct runs_run run = *like;

		good = block_take(s, how, &run, &r, &c->side[i], recorded, hidden, cancel);
		run_push(s, &run);
	}
	if (!good && e->kind == ERR_NONE)
		err_set(e, ERR_CANCELLED, "interrupted");
	fold_free(recorded);
	percall_free(c);
	mem_free(hidden);
	report_release(&r);
	return good;
}

bool
runs_side_add(struct runs_side *s, const struct runs_reading *how, const struct profile *p,
    const char *path, const atomic_bool *cancel, struct err *e)
{
	struct runs_run run = {.path = path, .format = p->trace->format, .sampled = p->sampled,
	    .recorded = trace_start_is_date(p->trace) ? p->trace->start_us : 0};
	struct report_options o = diffreport_side_options(how->options);
	struct taking taking = {.count = 0};
	bool good;

	s->trace->clocks = HAS_BOTH;
	if (how->blocks != NULL)
		return blocks_add(s, how, &run, p, &o, cancel, e);
	good = run_sum(s, how, &run, p, &o, false, &taking, cancel, e);
	if (good && trace_has_clock(p->trace, CLOCK_WALL) && !how->with_idle) {
		o.transforms = (struct transforms){.list = NULL}; /* those are not its own */
		transforms_copy(&o.transforms, &how->options->transforms);
		good = report_transform_add(&o, "idle", e) &&
		    run_sum(s, how, &run, p, &o, true, &taking, cancel, e);
		transforms_release(&o.transforms);
	}
	mem_free(taking.as);
	run_clocks(&run, p->trace);
	run_push(s, &run);
	return good;
}
