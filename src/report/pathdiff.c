// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/pathdiff.h"

#include "base/mem.h"
#include "report/text/views.h"

enum { CANCEL_PATHS = 4096, THOUSANDTHS = 1000 };

/* Sums of lines of folded stacks, in thousandths. */
struct pathdiff_stack {
	int64_t count[DIFF_SIDES][RUNS_CLOCKS];
};

void
pathdiff_init(struct pathdiff *d, const struct report_options *o)
{
	*d = (struct pathdiff){.options = o};
	d->joined.trace = trace_new("both");
	d->joined.trace->clocks = HAS_BOTH;
	for (int c = 0; c < RUNS_CLOCKS; c++)
		d->has[c] = d->spends[c] = true;
}

void
pathdiff_release(struct pathdiff *d)
{
	names_free(d->figures.names);
	runs_side_release(&d->joined);
	arena_release(&d->kept);
	intern_release(&d->threads);
	intern_release(&d->stack_texts);
	pathjoin_release(&d->join);
	mem_free(d->times);
	mem_free(d->stack);
	for (int side = 0; side < DIFF_SIDES; side++) {
		for (size_t i = 0; i < d->run_count[side]; i++)
			pathdiff_run_release(&d->runs[side][i]);
		mem_free(d->runs[side]);
	}
	mem_free(d->decide.speed);
	tree_rows_release(&d->rows);
	mem_free(d->paths.items);
	mem_free(d->paths.root_thread);
	mem_free(d->sums.of);
	mem_free(d->calls.in);
	mem_free(d->methods);
	*d = (struct pathdiff){.options = NULL};
}

/* Adding ------------------------------------------------------------------------------- */

static uint32_t
thread_join(struct pathdiff *d, const struct trace *of, const struct thread *t)
{
	struct str key = trace_thread_key(of, t), name;
	uint32_t at = intern_find(&d->threads, key, t->kind);

	if (at != IDMAP_NONE)
		return at;
	name = arena_str(&d->kept, t->name);
	at = intern_add(&d->threads, arena_str(&d->kept, key), t->kind);
	trace_thread_append(d->joined.trace,
	    &(struct thread){.id = at + 1, .name = name, .listed = true, .kind = t->kind});
	return at;
}

/* Finds the node, whose times are there from then on. */
static uint32_t
node_find(struct pathdiff *d, uint32_t above, uint32_t item)
{
	uint32_t at = pathjoin_find(&d->join, above, item);

	MEM_GROW(d->times, d->time_room, d->join.count);
	while (d->time_count < d->join.count)
		d->times[d->time_count++] = (struct pathdiff_times){{{0}}, {0}};
	return at;
}

/* True if the times of runs on the clock may be tested. */
static bool
clock_is_tested(const struct pathdiff *d, int clock)
{
	const struct report_options *o = d->options;

	return d->how != NULL && (clock == RUNS_CPU || (clock == RUNS_BUSY) == d->busy) &&
	    (!o->clock_given || o->clock == runs_clock_of[clock]);
}

/* Returns a figure of the run per call, where times are. */
static int64_t
per_call(const struct pathdiff_run *run, int64_t figure)
{
	return run->calls > 1 ? pathjoin_mean(figure, run->calls) : figure;
}

/* Adds a run's paths; `busy`: only as those of the wall clock without idle time. */
static bool
paths_join(struct pathdiff *d, int side, const struct trace *t, const struct paths *p, bool busy,
    const atomic_bool *cancel)
{
	uint32_t *at = mem_alloc(((size_t)p->count + 1) * sizeof(*at)); /* by path */
	uint32_t *method = mem_alloc(((size_t)p->method_count + 1) * sizeof(*method));
	struct pathdiff_run *run = &d->runs[side][d->run_count[side] - 1];
	bool whole = true;

	for (uint32_t m = 0; m < p->method_count; m++)
		method[m] = METHOD_NONE;
	for (uint32_t id = 0; id < p->count && whole; id++) {
		const struct path *path = &p->items[id];
		uint32_t *item = &method[path->method];
		struct pathdiff_times *times;

		if (path->parent == PATH_NONE) {
			uint32_t thread = p->root_thread[id];

			at[id] = node_find(d, PATH_NONE, thread != THREAD_NONE
				? thread_join(d, t, trace_thread(t, thread)) : THREAD_NONE);
		} else {
			if (*item == METHOD_NONE)
				*item = runs_side_method(&d->joined, trace_method(t, path->method));
			at[id] = node_find(d, at[path->parent], *item);
		}
		times = &d->times[at[id]];
		for (int c = busy ? RUNS_BUSY : 0; c < (busy ? RUNS_CLOCKS : RUNS_BUSY); c++) {
			nsec time = per_call(run, path->exclusive[runs_clock_of[c]]);

			times->of[side][c] = pathjoin_plus(times->of[side][c], time);
			if (time != 0 && clock_is_tested(d, c))
				pathdiff_column_add(&run->time[c], at[id], time);
		}
		if (d->how != NULL && run->sampled && !busy)
			pathdiff_column_add(&run->seen, at[id], (int64_t)path->calls);
		times->calls[side] += busy ? 0 : path->calls;
		whole = id % CANCEL_PATHS != 0 || !is_cancelled(cancel);
	}
	mem_free(at);
	mem_free(method);
	return whole;
}

/* Takes the number, in thousandths, off a line, whose last word it is; the stack is left. */
static int64_t
count_cut(struct str *line)
{
	int64_t count = 0;
	int digits = -1; /* after the point */
	size_t at = line->n;

	while (at > 0 && line->p[at - 1] != ' ')
		at--;
	for (size_t i = at; i < line->n && digits < 3; i++) {
		if (line->p[i] == '.') {
			digits = 0;
			continue;
		}
		digits += digits >= 0;
		if (__builtin_mul_overflow(count, 10, &count) ||
		    __builtin_add_overflow(count, line->p[i] - '0', &count))
			return INT64_MAX;
	}
	for (digits = digits < 0 ? 0 : digits; digits < 3; digits++)
		if (__builtin_mul_overflow(count, 10, &count))
			return INT64_MAX;
	line->n = at > 0 ? at - 1 : 0;
	return count;
}

static void
stack_add(struct pathdiff *d, int side, enum runs_clock clock, struct str line)
{
	int64_t count = per_call(&d->runs[side][d->run_count[side] - 1], count_cut(&line));
	uint32_t at = intern_find(&d->stack_texts, line, 0);

	if (at == IDMAP_NONE) {
		at = intern_add(&d->stack_texts, arena_str(&d->kept, line), 0);
		MEM_GROW_ZERO(d->stack, d->stack_room, (size_t)at + 1);
	}
	d->stack[at].count[side][clock] = pathjoin_plus(d->stack[at].count[side][clock], count);
}

/* Adds a run's folded stacks, with the numbers that its own file of them has. */
static bool
stacks_join(struct pathdiff *d, int side, const struct report *r, const struct paths *p,
    enum runs_clock clock, const atomic_bool *cancel)
{
	struct figures figures = r->figures;
	struct sbuf lines = {0};
	struct folded f;
	bool whole = true;

	figures.clock = runs_clock_of[clock];
	folded_begin(&f, &figures);
	while (whole && folded_next(&f, p, PATH_NONE, &lines)) {
		struct str rest = sbuf_view(&lines);

		while (rest.n > 0)
			stack_add(d, side, clock, str_cut(&rest, '\n'));
		sbuf_clear(&lines);
		whole = !is_cancelled(cancel);
	}
	folded_release(&f);
	sbuf_release(&lines);
	return whole;
}

bool
pathdiff_join(struct pathdiff *d, int side, const struct report *r, const struct paths *p, bool busy,
    const atomic_bool *cancel)
{
	const struct report_options *o = r->options;
	bool good = paths_join(d, side, r->trace, p, busy, cancel);

	for (int c = busy ? RUNS_BUSY : 0; c < (busy ? RUNS_CLOCKS : RUNS_BUSY) && good; c++) {
		nsec total = per_call(&d->runs[side][d->run_count[side] - 1], paths_total(p, runs_clock_of[c]));
		bool has = trace_has_clock(r->trace, runs_clock_of[c]);

		d->sum[side][c] = pathjoin_plus(d->sum[side][c], total);
		d->runs[side][d->run_count[side] - 1].total[c] = total;
		d->has[c] &= has;
		d->spends[c] &= has && total > 0;
		good = !d->stacks || !has || (o->clock_given && o->clock != runs_clock_of[c]) ||
		    stacks_join(d, side, r, p, (enum runs_clock)c, cancel);
	}
	return good;
}

/* Counts the calls that times are per. */
static bool
calls_count(const struct pathdiff *d, const struct report *r, const struct paths *p, uint64_t *calls, struct err *e)
{
	uint8_t *per = runs_per_find(d->per_found, d->per, r, e);

	*calls = 0;
	for (uint32_t id = 0; id < p->count; id++)
		*calls += per[p->items[id].method] != 0 ? p->items[id].calls : 0;
	mem_free(per);
	return e->kind == ERR_NONE && runs_per_check(*calls, r->profile, d->per, e);
}

/* Adds the paths of a trace by the options; `busy`: those without idle time. */
static bool
run_join(struct pathdiff *d, int side, const struct profile *p, const struct report_options *o,
    bool busy, const atomic_bool *cancel, struct err *e)
{
	struct report r = {.options = NULL};
	struct paths *paths = NULL;
	bool good = report_open(&r, p, o, cancel, e);

	if (good) {
		paths = report_paths(&r, o->together, cancel);
		good = paths != NULL && (busy || d->per == NULL ||
		    calls_count(d, &r, paths, &d->runs[side][d->run_count[side] - 1].calls, e));
		good = good && pathdiff_join(d, side, &r, paths, busy, cancel);
		if (!good && e->kind == ERR_NONE)
			err_set(e, ERR_CANCELLED, "interrupted");
	}
	paths_free(paths);
	report_release(&r);
	return good;
}

bool
pathdiff_note(struct pathdiff *d, int side, const struct profile *p, struct err *e)
{
	if (!runs_side_unit(&d->joined, d->run_count[DIFF_A] + d->run_count[DIFF_B] > 0, p->trace, e))
		return false;
	*MEM_ADD(d->runs[side], d->run_count[side], d->run_room[side]) = (struct pathdiff_run){
	    .file = arena_str(&d->kept, str_from(trace_file(p->trace))),
	    .title = arena_str(&d->kept, str_from(trace_title(p->trace))),
	    .format = arena_str(&d->kept, str_from(p->trace->format)),
	    .sampled = p->sampled.yes,
	    .interval = p->sampled.yes ? p->sampled.interval : 0,
	    .damaged = damage_count(&p->damage) > 0};
	return true;
}

bool
pathdiff_add(struct pathdiff *d, int side, const struct profile *p, const atomic_bool *cancel,
    struct err *e)
{
	struct report_options o = diffreport_side_options(d->options);
	bool good;

	if (d->per != NULL && d->per_found == NULL)
		return pathdiff_add_blocks(d, side, p, &o, cancel, e);
	if (!pathdiff_note(d, side, p, e))
		return false;
	d->of_all[side]++;
	good = run_join(d, side, p, &o, false, cancel, e);
	if (good && d->busy && trace_has_clock(p->trace, CLOCK_WALL)) {
		o.transforms = (struct transforms){.list = NULL};
		transforms_copy(&o.transforms, &d->options->transforms);
		good = report_transform_add(&o, "idle", e) && run_join(d, side, p, &o, true, cancel, e);
		transforms_release(&o.transforms);
	} else if (d->busy) {
		d->has[RUNS_BUSY] = d->spends[RUNS_BUSY] = false;
	}
	return good;
}

/* Joining ------------------------------------------------------------------------------ */

/* Takes CPU where all runs have time on it, else the wall clock; of calls this where it is there. */
static bool
clock_choose(struct pathdiff *d, struct err *e)
{
	const struct report_options *o = d->options;
	enum runs_clock wall = d->busy ? RUNS_BUSY : RUNS_WALL;

	bool cpu = !d->has[wall] || (!d->by_calls && d->spends[RUNS_CPU]);

	d->clock = (o->clock_given ? o->clock == CLOCK_CPU : cpu) ? RUNS_CPU : wall;
	return d->has[d->clock] || err_set(e, ERR_UNSUPPORTED, "not every run has times on the %s",
	    runs_clock_names[d->clock]);
}

/* Makes means, and sums of them. */
static void
figures_fill(struct pathdiff *d)
{
	nsec totals[DIFF_SIDES];

	d->sums.of = mem_zero(d->join.count + 1, sizeof(*d->sums.of));
	for (size_t id = 0; id < d->join.count; id++)
		for (int side = 0; side < DIFF_SIDES; side++) {
			d->sums.of[id].exclusive[side] = d->times[id].of[side][d->clock];
			d->sums.of[id].calls[side] =
			    (uint64_t)pathjoin_mean((int64_t)d->times[id].calls[side], d->of_all[side]);
		}
	for (int side = 0; side < DIFF_SIDES; side++) {
		totals[side] = d->sum[side][d->clock];
		for (int state = 0; state < JANK_STATES; state++)
			d->calls.state[side][state] = pathjoin_mean(d->calls.state[side][state], d->of_all[side]);
	}
	pathjoin_sum_means(&d->join, &d->sums, d->of_all, totals);
	for (int side = 0; side < DIFF_SIDES; side++)
		d->total[side] = d->sums.toplevel.inclusive[side];
}

/* Chooses what is shown: what passes the filters and is large enough, up to the limit. */
static bool
rows_choose(struct pathdiff *d, const atomic_bool *cancel, struct err *e)
{
	const struct report_options *o = d->options;
	struct report r = {.options = o, .trace = d->joined.trace, .figures = d->figures};
	struct tree_rows_ask ask = {.paths = &d->paths, .figures = &d->figures,
	    .min_percent = o->min_percent, .sort = COLUMN_INCL};
	uint8_t *hidden = NULL;
	bool good = o->filters.count == 0 || methods_hidden(&r, &hidden, cancel, e);

	if (good && d->by_calls)
		pathdiff_calls_sum(d, hidden);
	ask.hidden = hidden;
	good = good && (tree_rows_make(&d->rows, &ask, cancel) ||
	    err_set(e, ERR_CANCELLED, "interrupted"));
	mem_free(hidden);
	d->count = d->rows.count < o->limit ? d->rows.count : o->limit;
	return good;
}

bool
pathdiff_finish(struct pathdiff *d, const atomic_bool *cancel, struct err *e)
{
	struct pathjoin_sums *sums[CLOCKS] = {NULL};

	if ((d->by_calls && !pathdiff_calls_check(d, e)) || !clock_choose(d, e))
		return false;
	figures_fill(d);
	pathdiff_test(d);
	d->figures = (struct figures){.trace = d->joined.trace, .fold = &d->fold,
	    .names = names_new(d->joined.trace, !d->options->ascii), .clock = runs_clock_of[d->clock]};
	d->fold.total[d->figures.clock] = pathjoin_plus(d->total[DIFF_A], d->total[DIFF_B]);
	sums[d->figures.clock] = &d->sums;
	if (!pathjoin_paths(&d->join, sums, d->joined.trace, &d->paths, cancel))
		return err_set(e, ERR_CANCELLED, "interrupted");
	return rows_choose(d, cancel, e);
}

/* Steps -------------------------------------------------------------------------------- */

/* True if runs that are tested do not prove that the path differs. */
static bool
is_grey(const struct pathdiff *d, const struct pathjoin_figures *f)
{
	return d->hue == HUE_PROVED && d->verdicts && !f->proved;
}

const char *
pathdiff_mark(const struct pathdiff *d, const struct pathjoin_figures *f)
{
	return is_grey(d, f) ? "" : pathstep_mark(d->hue, d->sums.own_most, f);
}

uint32_t
pathdiff_colour(const struct pathdiff *d, const struct pathjoin_figures *f)
{
	bool more = false;
	enum pathstep step = is_grey(d, f) ? STEP_SAME
	    : pathstep_seen(d->hue, d->sums.own_most, f, &more);

	return pathstep_colour(step, more);
}

/* Folded stacks ------------------------------------------------------------------------ */

static int
line_order(const void *left, const void *right, const void *context)
{
	return str_compare(((const struct pathdiff_line *)left)->stack,
	    ((const struct pathdiff_line *)right)->stack);
}

struct pathdiff_line *
pathdiff_lines(const struct pathdiff *d, size_t *count)
{
	struct pathdiff_line *lines = mem_alloc((d->stack_texts.count + 1) * sizeof(*lines));
	/* Means of times are whole, as the lines of a run. */
	int64_t step = unit_counts(&d->joined.trace->unit) ? 1 : THOUSANDTHS;

	*count = 0;
	for (size_t i = 0; i < d->stack_texts.count; i++) {
		struct pathdiff_line *l = &lines[*count];

		l->stack = d->stack_texts.items[i].text;
		for (int side = 0; side < DIFF_SIDES; side++)
			l->count[side] = step * pathjoin_mean(d->stack[i].count[side][d->clock] / step,
			    d->of_all[side]);
		*count += l->count[DIFF_A] != 0 || l->count[DIFF_B] != 0;
	}
	msort_items(lines, *count, sizeof(*lines), line_order, NULL);
	return lines;
}
