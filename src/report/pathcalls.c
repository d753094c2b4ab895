// SPDX-License-Identifier: Apache-2.0
/* pathcalls: the calls of traces as the two sides of a pathdiff, slow ones and the others (pathdiff.h). */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "profile/timeline/percall.h"
#include "report/pathdiff.h"

void
pathdiff_over(struct pathdiff *d, nsec over, const char *per)
{
	d->calls = (struct pathdiff_calls){.per = per, .over = over, .states = true};
	d->by_calls = true;
}

/* Finds the joined method of each of a trace's; mem_free. */
static uint32_t *
methods_join(struct pathdiff *d, const struct report *r)
{
	struct pathdiff_calls *calls = &d->calls;
	uint32_t count = trace_method_count(r->trace);
	uint32_t *as = mem_alloc(((size_t)count + 1) * sizeof(*as));

	for (uint32_t m = 0; m < count; m++)
		as[m] = m == METHOD_TOPLEVEL ? m : runs_side_method(&d->joined, trace_method(r->trace,
			r->query.of.folded ? trace_folded(r->trace, m) : m));
	count = trace_method_count(d->joined.trace);
	MEM_GROW(calls->in, calls->in_room, (size_t)count + 1);
	while (calls->in_count < count)
		calls->in[calls->in_count++] = 0;
	return as;
}

/* Adds the calls of a thread. */
static bool
calls_join(struct pathdiff *d, const struct report *r, const struct percall *c,
    const atomic_bool *cancel)
{
	const struct thread *t = trace_thread(r->trace, c->thread);
	struct sbuf name = {0};
	bool good = true;

	sbuf_printf(&name, "%" PRIu32 " %.*s", t->id, STR_ARG(t->name));
	for (int side = 0; side < DIFF_SIDES && good; side++) {
		const struct percall_side *of = &c->side[side];
		struct pathdiff_run *run = &d->runs[side][d->run_count[side] - 1];
		struct paths *paths = paths_counted(r->profile, r->scope, NULL, of->tree,
		    r->options->together, r->query.of.folded, cancel);

		good = paths != NULL && pathdiff_join(d, side, r, paths, false, cancel);
		d->of_all[side] += of->calls;
		for (int state = 0; state < JANK_STATES; state++)
			d->calls.state[side][state] = pathjoin_plus(d->calls.state[side][state], of->state[state]);
		run->thread = arena_str(&d->kept, sbuf_view(&name));
		run->threads = c->threads;
		paths_free(paths);
	}
	for (size_t m = 0; m < d->calls.in_count; m++)
		d->calls.in[m] += c->in[m];
	d->calls.states &= c->states;
	sbuf_release(&name);
	return good;
}

bool
pathdiff_add_calls(struct pathdiff *d, const struct profile *p, const atomic_bool *cancel,
    struct err *e)
{
	struct report_options o = diffreport_side_options(d->options);
	struct report r = {.options = NULL};
	struct percall *c = NULL;
	uint32_t *as = NULL;

	if (!pathdiff_note(d, DIFF_A, p, e) || !pathdiff_note(d, DIFF_B, p, e))
		return false;
	if (report_open(&r, p, &o, cancel, e)) {
		struct percall_query q = {.scope = r.scope, .range = o.range,
		    .pattern = d->calls.per != NULL ? str_from(d->calls.per) : STR(""),
		    .over = d->calls.over, .folded = r.query.of.folded};

		q.as = as = methods_join(d, &r);
		q.as_count = (uint32_t)d->calls.in_count;
		c = percall_new(p, &q, cancel, e);
	}
	if (c != NULL) {
		d->calls.cut += c->cut;
		if (c->thread != THREAD_NONE && !calls_join(d, &r, c, cancel))
			err_set(e, ERR_CANCELLED, "interrupted");
	}
	percall_free(c);
	mem_free(as);
	report_release(&r);
	return e->kind == ERR_NONE;
}

/* Adds a block's paths, once more without idle time. */
static bool
block_join(struct pathdiff *d, int side, const struct report *r, const struct transformed *block,
    const atomic_bool *cancel)
{
	bool good = true, again = d->busy && trace_has_clock(r->trace, CLOCK_WALL);

	for (int busy = 0; busy <= again && good; busy++) {
		struct transformed *without = busy ? runs_block_busy(r, block, cancel) : NULL;
		struct paths *paths = busy && without == NULL ? NULL
		    : paths_counted(r->profile, r->scope, NULL, busy ? without : block, r->options->together,
			  r->query.of.folded, cancel);

		good = paths != NULL && pathdiff_join(d, side, r, paths, busy, cancel);
		paths_free(paths);
		transformed_free(without);
	}
	if (d->busy && !again)
		d->has[RUNS_BUSY] = d->spends[RUNS_BUSY] = false;
	return good;
}

bool
pathdiff_add_blocks(struct pathdiff *d, int side, const struct profile *p, const struct report_options *o,
    const atomic_bool *cancel, struct err *e)
{
	struct report r = {.options = NULL};
	struct percall *blocks = report_open(&r, p, o, cancel, e) ? runs_blocks(&r, d->per, cancel, e) : NULL;
	bool good = blocks != NULL;

	for (uint32_t i = 0; good && i < blocks->count; i++) {
		good = pathdiff_note(d, side, p, e);
		if (!good)
			break;
		d->runs[side][d->run_count[side] - 1].calls = blocks->side[i].calls;
		d->of_all[side]++;
		good = block_join(d, side, &r, blocks->side[i].tree, cancel);
	}
	if (!good && e->kind == ERR_NONE)
		err_set(e, ERR_CANCELLED, "interrupted");
	percall_free(blocks);
	report_release(&r);
	return good;
}

bool
pathdiff_calls_check(const struct pathdiff *d, struct err *e)
{
	const struct pathdiff_run *runs = d->runs[DIFF_A];
	size_t count = d->run_count[DIFF_A];
	bool others = false;
	struct err why = {.kind = ERR_NONE};

	if (percall_check(d->of_all, d->calls.cut, d->calls.per, count > 1 ? STR("all traces")
		: count > 0 ? runs->thread : STR(""), d->calls.over, &why))
		return true;
	for (size_t i = 0; i < count; i++)
		others |= runs[i].threads > 1;
	return err_set(e, why.kind, "%s%s", why.what, others ? "; --thread chooses another thread" : "");
}

/* Puts the largest difference first, then goes by name. */
static int
method_order(const void *left, const void *right, const void *context)
{
	const struct pathdiff *d = context;
	const struct pathdiff_method *a = left, *b = right;
	nsec x = diff_between(a->time[DIFF_A], a->time[DIFF_B]);
	nsec y = diff_between(b->time[DIFF_A], b->time[DIFF_B]);
	const struct trace *t = d->joined.trace;

	return order_then(ORDER(y, x),
	    method_compare(trace_method(t, a->method), trace_method(t, b->method)));
}

void
pathdiff_calls_sum(struct pathdiff *d, const uint8_t *hidden)
{
	uint32_t count = trace_method_count(d->joined.trace);
	struct pathdiff_method *all = mem_zero((size_t)count + 1, sizeof(*all));

	for (uint32_t id = 0; id <= d->paths.count; id++) {
		bool top = id == d->paths.count;
		const struct pathjoin_figures *of = top ? &d->sums.toplevel : &d->sums.of[id];
		struct pathdiff_method *m = &all[top ? METHOD_TOPLEVEL : d->paths.items[id].method];

		for (int side = 0; side < DIFF_SIDES; side++)
			m->time[side] = pathjoin_plus(m->time[side], of->exclusive[side]);
	}
	for (uint32_t m = 0; m < count; m++) {
		const bool met = m < d->calls.in_count && d->calls.in[m] > 0;

		if ((all[m].time[DIFF_A] == 0 && all[m].time[DIFF_B] == 0 && !met) ||
		    (hidden != NULL && hidden[m] != 0))
			continue;
		all[d->method_count] = all[m];
		all[d->method_count++].method = m;
	}
	msort_items(all, d->method_count, sizeof(*all), method_order, d);
	if (d->method_count > d->options->limit)
		d->method_count = d->options->limit;
	d->methods = all;
}
