// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/pathdiff.h"

#include <string.h>

#include "base/mem.h"
#include "report/text/views.h"

enum { CANCEL_PATHS = 4096, THOUSANDTHS = 1000 };

/* Sums of lines of folded stacks, in thousandths. */
struct pathdiff_stack {
	int64_t count[DIFF_SIDES][RUNS_CLOCKS];
};

static const enum clock_id clock_of[RUNS_CLOCKS] = {
    [RUNS_CPU] = CLOCK_CPU, [RUNS_WALL] = CLOCK_WALL, [RUNS_BUSY] = CLOCK_WALL};

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
	idmap_release(&d->places);
	mem_free(d->made);
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
	mem_free(d->of);
	mem_free(d->calls.in);
	mem_free(d->methods);
	*d = (struct pathdiff){.options = NULL};
}

nsec
pathdiff_plus(nsec a, nsec b)
{
	nsec sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

/* Divides the sum by `n`, rounding half up. */
static int64_t
mean(int64_t sum, uint64_t n)
{
	int64_t count = (int64_t)n, whole = sum / count, rest = sum % count;

	if (rest < 0) {
		whole--;
		rest += count;
	}
	return whole + (rest >= count - rest);
}

/* Adding ------------------------------------------------------------------------------- */

static uint32_t
thread_join(struct pathdiff *d, const struct thread *t)
{
	uint32_t at = intern_find(&d->threads, t->name, t->kind);
	struct str name;

	if (at != IDMAP_NONE)
		return at;
	name = arena_str(&d->kept, t->name);
	at = intern_add(&d->threads, name, t->kind);
	trace_thread_append(d->joined.trace,
	    &(struct thread){.id = at + 1, .name = name, .listed = true, .kind = t->kind});
	return at;
}

static uint32_t
made_find(struct pathdiff *d, uint32_t above, uint32_t item)
{
	uint64_t key = ((uint64_t)(above + 1) << 32) + item; /* PATH_NONE + 1 is 0 */
	uint32_t at = idmap_get(&d->places, key);

	if (at != IDMAP_NONE)
		return at;
	MEM_GROW(d->made, d->made_room, d->made_count + 1);
	at = (uint32_t)d->made_count++;
	d->made[at] = (struct pathdiff_made){.above = above, .item = item, .child = PATH_NONE,
	    .next = PATH_NONE};
	idmap_put(&d->places, key, at);
	return at;
}

/* True if the times of runs on the clock may be tested. */
static bool
clock_is_tested(const struct pathdiff *d, int clock)
{
	const struct report_options *o = d->options;

	return d->how != NULL && (clock == RUNS_CPU || (clock == RUNS_BUSY) == d->busy) &&
	    (!o->clock_given || o->clock == clock_of[clock]);
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
		struct pathdiff_made *made;

		if (path->parent == PATH_NONE) {
			uint32_t thread = p->root_thread[id];

			at[id] = made_find(d, PATH_NONE, thread != THREAD_NONE
				? thread_join(d, trace_thread(t, thread)) : THREAD_NONE);
		} else {
			if (*item == METHOD_NONE)
				*item = runs_side_method(&d->joined, trace_method(t, path->method));
			at[id] = made_find(d, at[path->parent], *item);
		}
		made = &d->made[at[id]];
		for (int c = busy ? RUNS_BUSY : 0; c < (busy ? RUNS_CLOCKS : RUNS_BUSY); c++) {
			nsec time = path->exclusive[clock_of[c]];

			made->time[side][c] = pathdiff_plus(made->time[side][c], time);
			if (time != 0 && clock_is_tested(d, c))
				pathdiff_column_add(&run->time[c], at[id], time);
		}
		if (d->how != NULL && run->sampled && !busy)
			pathdiff_column_add(&run->seen, at[id], (int64_t)path->calls);
		made->calls[side] += busy ? 0 : path->calls;
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
	int64_t count = count_cut(&line);
	uint32_t at = intern_find(&d->stack_texts, line, 0);

	if (at == IDMAP_NONE) {
		at = intern_add(&d->stack_texts, arena_str(&d->kept, line), 0);
		MEM_GROW(d->stack, d->stack_room, (size_t)at + 1);
		d->stack[at] = (struct pathdiff_stack){{{0}}};
	}
	d->stack[at].count[side][clock] = pathdiff_plus(d->stack[at].count[side][clock], count);
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

	figures.clock = clock_of[clock];
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
		nsec total = paths_total(p, clock_of[c]);
		bool has = trace_has_clock(r->trace, clock_of[c]);

		d->sum[side][c] = pathdiff_plus(d->sum[side][c], total);
		d->runs[side][d->run_count[side] - 1].total[c] = total;
		d->has[c] &= has;
		d->spends[c] &= has && total > 0;
		good = !d->stacks || !has || (o->clock_given && o->clock != clock_of[c]) ||
		    stacks_join(d, side, r, p, (enum runs_clock)c, cancel);
	}
	return good;
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
		good = paths != NULL && pathdiff_join(d, side, &r, paths, busy, cancel);
		good = good || err_set(e, ERR_CANCELLED, "interrupted");
	}
	paths_free(paths);
	report_release(&r);
	return good;
}

bool
pathdiff_note(struct pathdiff *d, int side, const struct profile *p, struct err *e)
{
	struct trace_unit *unit = &d->joined.trace->unit;
	bool first = d->run_count[DIFF_A] + d->run_count[DIFF_B] == 0;
	struct str name;

	if (!first && strcmp(unit_name(unit), unit_name(&p->trace->unit)) != 0)
		return err_set(e, ERR_UNSUPPORTED, "the traces count different things: %s and %s",
		    unit_name(unit), unit_name(&p->trace->unit));
	if (first) {
		*unit = p->trace->unit;
		if (unit->name != NULL) {
			name = (struct str){unit->name, strlen(unit->name) + 1};
			unit->name = arena_str(&d->kept, name).p;
		}
	}
	MEM_GROW(d->runs[side], d->run_room[side], d->run_count[side] + 1);
	d->runs[side][d->run_count[side]++] = (struct pathdiff_run){
	    .file = arena_str(&d->kept, str_from(trace_file(p->trace))),
	    .title = arena_str(&d->kept, str_from(trace_title(p->trace))),
	    .format = arena_str(&d->kept, str_from(p->trace->format)),
	    .sampled = p->sampled.yes,
	    .interval = p->sampled.yes ? p->sampled.interval : 0,
	    .damaged = damage_count(&p->damage) > 0};
	return true;
}

struct report_options
pathdiff_options(const struct pathdiff *d)
{
	struct report_options o = *d->options;

	if (o.names == NAMES_BY_FORM)
		o.names = NAMES_WRITTEN;
	o.numbers = !o.exact;
	return o;
}

bool
pathdiff_add(struct pathdiff *d, int side, const struct profile *p, const atomic_bool *cancel,
    struct err *e)
{
	struct report_options o = pathdiff_options(d);
	bool good;

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

static nsec
width_of(const struct pathdiff_figures *f)
{
	return pathdiff_plus(f->inclusive[DIFF_A], f->inclusive[DIFF_B]);
}

/* Makes means, and sums of them from the last path to the first: those above are before. */
static void
figures_fill(struct pathdiff *d)
{
	struct pathdiff_figures *top = &d->toplevel;

	for (size_t id = d->made_count; id-- > 0;) {
		struct pathdiff_made *m = &d->made[id];

		for (int side = 0; side < DIFF_SIDES; side++) {
			struct pathdiff_figures *of = &m->of;
			nsec *above = m->above != PATH_NONE ? &d->made[m->above].of.inclusive[side]
							    : &top->inclusive[side];
			uint64_t n = d->of_all[side];

			of->exclusive[side] = mean(m->time[side][d->clock], n);
			of->inclusive[side] = pathdiff_plus(of->inclusive[side], of->exclusive[side]);
			of->calls[side] = m->calls[side] / n + (m->calls[side] % n >= n - m->calls[side] % n);
			*above = pathdiff_plus(*above, of->inclusive[side]);
		}
		struct pathdiff_figures *above = m->above != PATH_NONE ? &d->made[m->above].of : top;
		nsec own = diff_between(m->of.exclusive[DIFF_A], m->of.exclusive[DIFF_B]);

		own = own < 0 ? -own : own;
		d->own_most = own > d->own_most ? own : d->own_most;
		m->of.change = pathdiff_plus(m->of.change, own);
		above->change = pathdiff_plus(above->change, m->of.change);
		if (m->above != PATH_NONE) {
			m->next = d->made[m->above].child;
			d->made[m->above].child = (uint32_t)id;
		}
	}
	for (int side = 0; side < DIFF_SIDES; side++) {
		d->total[side] = mean(d->sum[side][d->clock], d->of_all[side]);
		for (int state = 0; state < JANK_STATES; state++)
			d->calls.state[side][state] = mean(d->calls.state[side][state], d->of_all[side]);
		top->exclusive[side] = diff_between(top->inclusive[side], d->total[side]);
		top->inclusive[side] = d->total[side];
	}
}

/* Puts the larger width first, then goes by name. */
static int
sibling_order(const void *left, const void *right, const void *context)
{
	const struct pathdiff *d = context;
	const struct pathdiff_made *a = &d->made[*(const uint32_t *)left],
				   *b = &d->made[*(const uint32_t *)right];
	const struct trace *t = d->joined.trace;
	nsec x = width_of(&a->of), y = width_of(&b->of);
	int order = (x < y) - (x > y);

	if (order == 0 && a->above != PATH_NONE)
		order = method_compare(trace_method(t, a->item), trace_method(t, b->item));
	else if (order == 0 && a->item != THREAD_NONE && b->item != THREAD_NONE)
		order = str_compare(trace_thread(t, a->item)->name, trace_thread(t, b->item)->name);
	return order != 0 ? order : (a->item > b->item) - (a->item < b->item);
}

static void
path_put(struct pathdiff *d, const struct pathdiff_made *m, uint32_t parent)
{
	struct paths *p = &d->paths;
	enum clock_id clock = d->figures.clock;
	struct path *path = &p->items[p->count];
	bool root = parent == PATH_NONE;

	*path = (struct path){.method = root ? METHOD_TOPLEVEL : m->item, .parent = parent,
	    .longest = -1, .calls = m->of.calls[DIFF_A] + m->of.calls[DIFF_B]};
	path->inclusive[clock] = width_of(&m->of);
	path->exclusive[clock] = pathdiff_plus(m->of.exclusive[DIFF_A], m->of.exclusive[DIFF_B]);
	if (root)
		p->root_thread[p->roots++] = m->item;
	d->of[p->count++] = m->of;
}

/* Makes the paths of what was joined, level by level, siblings in order. */
static bool
paths_make(struct pathdiff *d, const atomic_bool *cancel)
{
	uint32_t *order = mem_alloc((d->made_count + 1) * sizeof(*order)); /* by path */
	uint32_t n = 0, id;

	d->paths = (struct paths){.items = mem_alloc((d->made_count + 1) * sizeof(struct path)),
	    .root_thread = mem_alloc((d->made_count + 1) * sizeof(uint32_t)),
	    .method_count = trace_method_count(d->joined.trace)};
	d->of = mem_alloc((d->made_count + 1) * sizeof(*d->of));
	for (size_t i = 0; i < d->made_count; i++)
		if (d->made[i].above == PATH_NONE)
			order[n++] = (uint32_t)i;
	msort_items(order, n, sizeof(*order), sibling_order, d);
	for (uint32_t i = 0; i < n; i++)
		path_put(d, &d->made[order[i]], PATH_NONE);
	for (id = 0; id < n && (id % CANCEL_PATHS != 0 || !is_cancelled(cancel)); id++) {
		uint32_t from = n;

		for (uint32_t c = d->made[order[id]].child; c != PATH_NONE; c = d->made[c].next)
			order[n++] = c;
		msort_items(order + from, n - from, sizeof(*order), sibling_order, d);
		d->paths.items[id].child = from;
		d->paths.items[id].children = n - from;
		for (uint32_t i = from; i < n; i++)
			path_put(d, &d->made[order[i]], id);
	}
	mem_free(order);
	return id == n;
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
	if ((d->by_calls && !pathdiff_calls_check(d, e)) || !clock_choose(d, e))
		return false;
	figures_fill(d);
	pathdiff_test(d);
	d->figures = (struct figures){.trace = d->joined.trace, .fold = &d->fold,
	    .names = names_new(d->joined.trace, !d->options->ascii), .clock = clock_of[d->clock]};
	d->fold.total[d->figures.clock] = pathdiff_plus(d->total[DIFF_A], d->total[DIFF_B]);
	if (!paths_make(d, cancel))
		return err_set(e, ERR_CANCELLED, "interrupted");
	return rows_choose(d, cancel, e);
}

/* Steps -------------------------------------------------------------------------------- */

/* |b - a| / (a + b) from which on each step is: 1/41, 1/11, 1/5, 1. */
static const struct {
	int part;
	const char *slower, *faster;
	uint32_t more, less; /* colours, told apart with any colour vision */
} steps[PATHDIFF_STEPS] = {
    [STEP_SAME] = {0, "", "", 0xe0e0e0, 0xe0e0e0},
    [STEP_SOME] = {41, "+", "-", 0xfdbe85, 0x9ecae1},
    [STEP_MORE] = {11, "++", "--", 0xe6550d, 0x4292c6},
    [STEP_MOST] = {5, "+++", "---", 0xa63603, 0x084594},
    [STEP_ALL] = {1, "new", "gone", 0xa63603, 0x084594},
};

/* Returns the step that the part has of the whole. */
static enum pathdiff_step
step_of(double part, double whole)
{
	int step = PATHDIFF_STEPS - 1;

	part = part < 0 ? -part : part;
	while (step > STEP_SAME && (part == 0 || part * steps[step].part < whole))
		step--;
	return (enum pathdiff_step)step;
}

enum pathdiff_step
pathdiff_step(nsec a, nsec b)
{
	return step_of((double)b - (double)a, (double)a + (double)b);
}

/* Finds the step by the hue, and whether it is to more. */
static enum pathdiff_step
step_seen(const struct pathdiff *d, const struct pathdiff_figures *f, bool *more)
{
	const nsec *by = d->hue == HUE_SELF ? f->exclusive : f->inclusive;
	enum pathdiff_step step = pathdiff_step(by[DIFF_A], by[DIFF_B]);

	*more = by[DIFF_B] > by[DIFF_A];
	if (d->hue == HUE_SELF) {
		/* The largest difference of all is no new path. */
		step = step_of((double)diff_between(by[DIFF_A], by[DIFF_B]), (double)d->own_most);
		return step == STEP_ALL ? STEP_MOST : step;
	}
	return d->hue == HUE_PROVED && d->verdicts && !f->proved ? STEP_SAME : step;
}

const char *
pathdiff_mark(const struct pathdiff *d, const struct pathdiff_figures *f)
{
	bool more;
	enum pathdiff_step step = step_seen(d, f, &more);

	if (d->hue == HUE_SELF && pathdiff_step(f->inclusive[DIFF_A], f->inclusive[DIFF_B]) == STEP_ALL) {
		step = STEP_ALL;
		more = f->inclusive[DIFF_A] == 0;
	}
	return more ? steps[step].slower : steps[step].faster;
}

uint32_t
pathdiff_step_colour(enum pathdiff_step step, bool more)
{
	return more ? steps[step].more : steps[step].less;
}

uint32_t
pathdiff_colour(const struct pathdiff *d, const struct pathdiff_figures *f)
{
	bool more;
	enum pathdiff_step step = step_seen(d, f, &more);

	return pathdiff_step_colour(step, more);
}

/* Folded stacks ------------------------------------------------------------------------ */

static int
line_order(const void *left, const void *right, const void *context)
{
	(void)context;
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
			l->count[side] = step * mean(d->stack[i].count[side][d->clock] / step,
			    d->of_all[side]);
		*count += l->count[DIFF_A] != 0 || l->count[DIFF_B] != 0;
	}
	msort_items(lines, *count, sizeof(*lines), line_order, NULL);
	return lines;
}

int
pathdiff_write(const struct pathdiff *d, void (*form)(struct sink *, const struct pathdiff *),
    FILE *file, const atomic_bool *cancel)
{
	struct sink sink = sink_to(file, cancel);

	form(&sink, d);
	return sink_end(&sink);
}
