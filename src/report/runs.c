// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "profile/sum/pathjoin.h"

const char *const runs_clock_names[RUNS_CLOCKS] = {
    [RUNS_CPU] = "cpu clock", [RUNS_WALL] = "wall clock",
    [RUNS_BUSY] = "wall clock, idle time left out"};

/* Options ------------------------------------------------------------------------------ */

enum { LIMIT_PERCENT_MOST = 1000000 };

void
runs_options_init(struct runs_options *o)
{
	*o = (struct runs_options){.limits = NULL};
	decide_init(&o->decide);
}

struct decide
runs_options_decide(const struct runs_options *o)
{
	struct decide d = o->decide;

	d.common = o->normalize == NORMALIZE_COMMON;
	return d;
}

void
runs_options_release(struct runs_options *o)
{
	for (size_t i = 0; i < o->limit_count; i++)
		pattern_free(o->limits[i].pattern);
	pattern_free(o->per);
	o->per = NULL;
	mem_free(o->limits);
	o->limits = NULL;
	o->limit_count = o->limit_room = 0;
}

/* "10%", as a share. */
static bool
percent_parse(struct str text, double *share)
{
	char number[32], *end;

	if (text.n < 2 || text.n >= sizeof(number) || text.p[text.n - 1] != '%' || !is_digit(*text.p))
		return false;
	memcpy(number, text.p, text.n - 1);
	number[text.n - 1] = '\0';
	*share = strtod(number, &end) / 100;
	return *end == '\0' && *share <= LIMIT_PERCENT_MOST / 100.0;
}

/* "none", "10%", "5ms" or both with a comma; "calls" before it. */
static bool
limit_parse(struct str *rest, struct runs_limit *l, struct err *why)
{
	struct str word = str_cut(rest, ' ');
	struct err no_time = {.kind = ERR_NONE};
	int64_t ns;

	if (str_equal(word, STR("calls")) && rest->p != NULL) {
		l->calls = true;
		word = str_cut(rest, ' ');
	}
	if (str_equal(word, STR("none"))) {
		l->none = true;
		l->calls = false;
		return true;
	}
	while (word.p != NULL) {
		struct str part = str_cut(&word, ',');

		if (percent_parse(part, &l->limit.percent)) {
			l->limit.percent_given = true;
		} else if (!l->calls && timetext_parse(part, &ns, &no_time)) {
			l->limit.time_given = true;
			l->limit.time = (double)ns / 1000;
		} else {
			return err_set(why, ERR_MALFORMED,
			    "expected PERCENT[,TIME] PATTERN, as in '5%%,0.5ms ^com\\.example\\.', or none");
		}
	}
	return true;
}

bool
runs_limit_add(struct runs_options *o, const char *text, struct err *why)
{
	struct runs_limit limit = {.text = text};
	struct str rest = str_from(text);

	if (!limit_parse(&rest, &limit, why))
		return false;
	rest = rest.p != NULL ? str_trim(rest) : rest;
	if (rest.p == NULL || rest.n == 0)
		return err_set(why, ERR_MALFORMED, "expected a pattern after the limit");
	if (!pattern_compile(rest, 0, &limit.pattern, why))
		return false;
	*MEM_ADD(o->limits, o->limit_count, o->limit_room) = limit;
	return true;
}

bool
runs_normalize_set(struct runs_options *o, const char *text, struct err *why)
{
	struct str rest = str_from(text);

	pattern_free(o->per);
	o->per = NULL;
	o->normalize = strcmp(text, "none") == 0 ? NORMALIZE_NONE : NORMALIZE_COMMON;
	if (o->normalize == NORMALIZE_NONE || strcmp(text, "common") == 0)
		return true;
	if (!str_starts(rest, STR("per:")))
		return err_set(why, ERR_MALFORMED, "expected common, none or per:REGEX");
	o->per_text = text + 4;
	return pattern_compile(str_from(o->per_text), 0, &o->per, why);
}

/* Sides -------------------------------------------------------------------------------- */

void
runs_init(struct runset *r, const struct runs_options *how, const struct diffreport_options *diff,
    const struct report_options *options)
{
	*r = (struct runset){.how = how, .diff = diff, .options = options};
	for (int side = 0; side < DIFF_SIDES; side++)
		r->side[side].trace = trace_new(side == DIFF_A ? "base" : "new");
}

void
runs_release(struct runset *r)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		names_free(r->names[side]);
		runs_side_release(&r->side[side]);
	}
	arena_release(&r->kept);
	mem_free(r->rows);
	mem_free(r->numbers);
	mem_free(r->decide.speed);
	*r = (struct runset){.how = NULL};
}

bool
runs_add(struct runset *r, int side, const struct profile *p, const char *path,
    const atomic_bool *cancel, struct err *e)
{
	const struct runs_reading how = {.options = r->options, .with_idle = r->how->with_idle,
	    .per = r->how->per, .per_text = r->how->per_text, .blocks = r->diff->per};

	for (int of = 0; of < DIFF_SIDES; of++) {
		struct runs_side *s = &r->side[of];

		if ((of == side || s->count > 0) && !runs_side_unit(s, s->count > 0, p->trace, e))
			return false;
	}
	return runs_side_add(&r->side[side], &how, p, path, cancel, e);
}

/* Rows --------------------------------------------------------------------------------- */

/* The sums of a side over its runs, so that families of names are paired as in two traces. */
static struct fold *
side_fold(const struct runs_side *s)
{
	uint32_t count = trace_method_count(s->trace);
	struct fold *f = mem_zero(1, sizeof(*f));

	f->method_count = count;
	f->methods = mem_zero((size_t)count + 1, sizeof(*f->methods));
	for (size_t i = 0; i < s->count; i++) {
		const struct runs_run *run = &s->runs[i];

		for (uint32_t m = 0; m < run->count; m++) {
			const struct runs_cell *cell = &run->cells[m];
			struct method_sum *sum = &f->methods[m];

			if (cell->calls == 0 && cell->time[DIFF_INCLUSIVE][RUNS_WALL] == 0 &&
			    cell->time[DIFF_INCLUSIVE][RUNS_CPU] == 0)
				continue;
			f->present += !sum->present;
			sum->present = true;
			sum->calls += cell->calls;
			for (int c = 0; c < RUNS_BUSY; c++) {
				nsec *inclusive = &sum->inclusive[runs_clock_of[c]];
				nsec *exclusive = &sum->exclusive[runs_clock_of[c]];

				*inclusive = pathjoin_plus(*inclusive, cell->time[DIFF_INCLUSIVE][c]);
				*exclusive = pathjoin_plus(*exclusive, cell->time[DIFF_EXCLUSIVE][c]);
			}
		}
	}
	return f;
}

static const struct runs_cell *
cell_of(const struct runset *r, const struct runs_row *row, int side, size_t run)
{
	static const struct runs_cell none;
	const struct runs_run *of = &r->side[side].runs[run];

	return row->method[side] < of->count ? &of->cells[row->method[side]] : &none;
}

/* How the calls of two sides compare; those of samples say nothing. */
static enum runs_calls
calls_compare(const struct runset *r, const struct runs_row *row, double share)
{
	double least[DIFF_SIDES] = {INFINITY, INFINITY}, most[DIFF_SIDES] = {0, 0};

	for (int side = 0; side < DIFF_SIDES; side++) {
		for (size_t i = 0; i < r->side[side].count; i++) {
			double calls = (double)cell_of(r, row, side, i)->calls;

			least[side] = calls < least[side] ? calls : least[side];
			most[side] = calls > most[side] ? calls : most[side];
		}
	}
	if (least[DIFF_B] > most[DIFF_A] * (1 + share))
		return CALLS_MORE;
	if (most[DIFF_B] * (1 + share) < least[DIFF_A])
		return CALLS_FEWER;
	return least[DIFF_A] == most[DIFF_A] && least[DIFF_B] == most[DIFF_B] &&
	    most[DIFF_A] == most[DIFF_B] ? CALLS_EQUAL : CALLS_VARY;
}

/* The last limit that matches a name. */
static bool
limit_find(struct runset *r, struct str name, const struct runs_limit **limit, struct err *e)
{
	*limit = NULL;
	for (size_t i = 0; i < r->how->limit_count; i++) {
		struct runs_limit *l = &r->how->limits[i];
		size_t from, to;

		switch (pattern_match(l->pattern, name, &from, &to)) {
		case PATTERN_TOO_COSTLY:
			return err_set(e, ERR_LIMIT, "a pattern is too costly: %s", l->text);
		case PATTERN_MATCH:
			l->used = true;
			*limit = l;
			break;
		default:
			break;
		}
	}
	return true;
}

struct decide_limit
runs_limit_of_all(const struct runset *r)
{
	const struct diffreport_options *o = r->diff;

	return (struct decide_limit){o->fail_percent_given, o->fail_time_given, o->fail_percent / 100000.0,
	    (double)o->fail_time / 1000};
}

/* Sets what a row may lose: its own limit, else that of all. */
static bool
row_limit(struct runset *r, struct decide_row *row, struct str name, const struct runs_limit **limit,
    struct err *e)
{
	const struct diffreport_options *o = r->diff;

	if (!limit_find(r, name, limit, e))
		return false;
	row->gated = o->fail_time_given || o->fail_percent_given;
	row->limit = runs_limit_of_all(r);
	if (*limit == NULL)
		return true;
	row->gated = !(*limit)->none && !(*limit)->calls;
	row->limit = (*limit)->limit;
	return true;
}

/* CPU where all runs have it, else the wall clock, else none. */
static bool
clock_choose(struct runset *r, struct err *e)
{
	bool all[RUNS_CLOCKS] = {true, true, true};
	const struct report_options *o = r->options;
	enum runs_clock wall = r->how->with_idle ? RUNS_WALL : RUNS_BUSY;

	for (int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < r->side[side].count; i++)
			for (int c = 0; c < RUNS_CLOCKS; c++)
				all[c] &= r->side[side].runs[i].has[c];
	r->clock = o->clock_given ? o->clock == CLOCK_CPU ? RUNS_CPU : wall : all[RUNS_CPU] ? RUNS_CPU : wall;
	if (!all[r->clock])
		return err_set(e, ERR_UNSUPPORTED, "not every run has time on the %s",
		    runs_clock_names[r->clock]);
	return true;
}

static int
name_order(const void *a, const void *b)
{
	return str_compare(((const struct runs_row *)a)->name, ((const struct runs_row *)b)->name);
}

/* A row for each pair of methods, by name. */
static bool
rows_pair(struct runset *r, struct err *e)
{
	struct fold *folds[DIFF_SIDES] = {side_fold(&r->side[DIFF_A]), side_fold(&r->side[DIFF_B])};
	struct diff_names pairs = {.count = 0};
	struct diff diff;

	diff_names_update(&pairs, r->side[DIFF_A].trace, r->side[DIFF_B].trace);
	diff_make(&diff, &pairs, folds[DIFF_A], folds[DIFF_B]);
	r->rows = mem_zero((size_t)diff.count + 1, sizeof(*r->rows));
	for (int side = 0; side < DIFF_SIDES; side++)
		r->names[side] = names_new(r->side[side].trace, !r->options->ascii);
	for (uint32_t i = 0; i < diff.count; i++) {
		const struct diff_sum *sum = diff.rows[i].sum;
		struct runs_row *row = &r->rows[r->count++];
		int side = sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;

		row->method[DIFF_A] = sum[DIFF_A].method;
		row->method[DIFF_B] = sum[DIFF_B].method;
		row->of = trace_method(r->side[side].trace, row->method[side]);
		row->name = arena_str(&r->kept, names_raw(r->names[side], row->method[side]));
		row->pair = diff.rows[i];
	}
	qsort(r->rows, r->count, sizeof(*r->rows), name_order);
	for (int side = 0; side < DIFF_SIDES; side++)
		fold_free(folds[side]);
	diff_release(&diff);
	diff_names_release(&pairs);
	if (r->count == 0)
		return err_set(e, ERR_UNSUPPORTED, "nothing was compared: no method of any run %s",
		    r->options->filters.count > 0 ? "passes --filter" : "is there");
	return true;
}

/* The numbers of all rows: times, exclusive times, calls, by run. */
static void
numbers_fill(struct runset *r, bool sampled)
{
	size_t n = r->decide.a + r->decide.b;
	double *at;

	r->numbers = mem_zero(3 * n + 1, (r->count + 1) * sizeof(double));
	at = r->numbers;
	for (size_t i = 0; i < r->count; i++) {
		struct runs_row *row = &r->rows[i];
		double *time = at, *exclusive = at + n, *seen = at + 2 * n;

		for (size_t run = 0; run < n; run++) {
			int side = run < r->decide.a ? DIFF_A : DIFF_B;
			const struct runs_cell *cell = cell_of(r, row, side, run - (side == DIFF_B ? r->decide.a : 0));

			time[run] = (double)cell->time[r->diff->value][r->clock] / 1000;
			exclusive[run] = (double)cell->time[DIFF_EXCLUSIVE][r->clock] / 1000;
			seen[run] = (double)cell->calls;
		}
		row->decided.time = time;
		row->decided.exclusive = r->diff->value == DIFF_EXCLUSIVE ? time : exclusive;
		row->decided.seen = sampled ? seen : NULL;
		at += 3 * n;
	}
}

/* Totals, what times are per call of, and the interval of samples. */
static bool
totals_fill(struct runset *r, double *total, double *calls, struct err *e)
{
	struct decide *d = &r->decide;
	size_t at = 0;

	for (int side = 0; side < DIFF_SIDES; side++) {
		for (size_t i = 0; i < r->side[side].count; i++) {
			const struct runs_run *run = &r->side[side].runs[i];
			double interval = (double)run->sampled.interval / 1000;

			if (run->total[r->clock] <= 0)
				return err_set(e, ERR_UNSUPPORTED, "%s has no time in methods", run->path);
			if (calls != NULL)
				calls[at] = (double)run->calls;
			total[at++] = (double)run->total[r->clock] / 1000;
			if (run->sampled.yes && interval > d->interval)
				d->interval = interval;
		}
	}
	return true;
}

static int
rank_of(const struct runs_row *row)
{
	const struct decide_row *d = &row->decided;

	return d->gate == GATE_FAILS ? 0 : d->verdict == VERDICT_SLOWER ? 1 : d->suspect ? 2 : 3;
}

static int
result_order(const void *a, const void *b)
{
	const struct runs_row *x = a, *y = b;
	double p = fabs(x->decided.b - x->decided.a), q = fabs(y->decided.b - y->decided.a);

	return order_then(order_then(rank_of(x) - rank_of(y), ORDER(q, p)),
	    str_compare(x->name, y->name));
}

/* Calls are exact: where they are limited, more of them fail whatever the times are. */
static void
calls_judge(struct runset *r, struct runs_row *row)
{
	row->calls = calls_compare(r, row, 0);
	if (row->limit == NULL || !row->limit->calls)
		return;
	row->decided.gate = calls_compare(r, row, row->limit->limit.percent) == CALLS_MORE
	    ? GATE_FAILS : GATE_PASSES;
}

/* False where calls are limited that no run tells. */
static bool
calls_are_known(const struct runset *r, bool sampled, struct err *e)
{
	for (size_t i = 0; i < r->how->limit_count; i++)
		if (r->how->limits[i].calls && (sampled || runs_of_blocks(r)))
			return err_set(e, ERR_UNSUPPORTED, "--allow='%s': %s", r->how->limits[i].text, sampled
				? "a run is sampled: how often methods were called is not known"
				: "blocks of calls do not tell how often methods were called");
	return true;
}

/* False where a gate has no method to judge: that is no pass. */
static bool
gate_has_rows(const struct runset *r, struct err *e)
{
	size_t judged = 0;

	for (size_t i = 0; i < r->count; i++)
		judged += r->rows[i].decided.gate != GATE_NONE;
	return !r->gated || r->decide.tested > 0 || judged > 0 ||
	    err_set(e, ERR_UNSUPPORTED, "no method is tested: none has %g %% of the time or more in all runs (--least)",
		r->decide.least * 100);
}

bool
runs_decide(struct runset *r, const atomic_bool *cancel, struct err *e)
{
	struct decide *d = &r->decide;
	const struct runs_limit *limit;
	struct decide_row *rows;
	double *total, *calls = NULL;
	bool sampled = false, good;

	*d = runs_options_decide(r->how);
	d->a = r->side[DIFF_A].count;
	d->b = r->side[DIFF_B].count;
	d->time_least = r->diff->min_given ? (double)r->diff->min / 1000 : -1;
	if (!clock_choose(r, e) || !rows_pair(r, e))
		return false;
	total = mem_zero(d->a + d->b, sizeof(*total));
	d->speed = mem_zero(d->a + d->b, sizeof(*d->speed));
	d->total = total;
	if (runs_per(r) != NULL)
		d->calls = calls = mem_zero(d->a + d->b, sizeof(*calls));
	rows = mem_zero(r->count + 1, sizeof(*rows));
	for (int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < r->side[side].count; i++)
			sampled |= r->side[side].runs[i].sampled.yes;
	good = calls_are_known(r, sampled, e) && totals_fill(r, total, calls, e) && row_limit(r, &d->run, STR("(run)"), &limit, e) &&
	    row_limit(r, &d->speeds, STR("(common)"), &limit, e);
	numbers_fill(r, sampled);
	for (size_t i = 0; i < r->count && good; i++) {
		good = row_limit(r, &r->rows[i].decided, r->rows[i].name, &r->rows[i].limit, e) &&
		    report_goes_on(cancel, e);
		rows[i] = r->rows[i].decided;
	}
	if (good) {
		decide_rows(d, rows, r->count);
		for (size_t i = 0; i < r->count; i++) {
			r->rows[i].decided = rows[i];
			if (!sampled && !runs_of_blocks(r))
				calls_judge(r, &r->rows[i]);
			r->failed += r->rows[i].decided.gate == GATE_FAILS;
			r->open += r->rows[i].decided.gate == GATE_OPEN;
			r->suspects += r->rows[i].decided.suspect;
		}
		r->failed += (d->run.gate == GATE_FAILS) + (d->speeds.gate == GATE_FAILS);
		qsort(r->rows, r->count, sizeof(*r->rows), result_order);
		r->gated = r->diff->fail_time_given || r->diff->fail_percent_given ||
		    r->how->limit_count > 0;
		good = gate_has_rows(r, e);
	}
	d->total = d->calls = NULL;
	mem_free(total);
	mem_free(calls);
	mem_free(rows);
	return good;
}

int
runs_first(const struct runset *r)
{
	uint64_t from[DIFF_SIDES] = {UINT64_MAX, UINT64_MAX}, to[DIFF_SIDES] = {0, 0};

	for (int side = 0; side < DIFF_SIDES; side++) {
		for (size_t i = 0; i < r->side[side].count; i++) {
			uint64_t at = r->side[side].runs[i].recorded;

			from[side] = at < from[side] ? at : from[side];
			to[side] = at > to[side] ? at : to[side];
		}
	}
	return from[DIFF_A] == 0 || from[DIFF_B] == 0 ? DIFF_SIDES : to[DIFF_A] < from[DIFF_B] ? DIFF_A
	    : to[DIFF_B] < from[DIFF_A] ? DIFF_B : DIFF_SIDES;
}

/* Verdict -------------------------------------------------------------------------------- */

enum { STATUS_PASS, STATUS_FAIL, STATUS_UNSURE = 4 };

int
runs_status(const struct runset *r)
{
	static const int unsure[] = {
	    [UNSURE_TELL] = STATUS_UNSURE, [UNSURE_PASS] = STATUS_PASS, [UNSURE_FAIL] = STATUS_FAIL};

	if (!r->gated)
		return STATUS_PASS;
	if (r->failed > 0)
		return STATUS_FAIL;
	return r->decide.few || r->decide.noisy || r->decide.run.gate == GATE_OPEN
	    ? unsure[r->how->unsure] : STATUS_PASS;
}

const char *
runs_word(const struct runset *r)
{
	int status = runs_status(r);

	return status == STATUS_FAIL ? "fail" : status == STATUS_PASS ? "pass" : "unsure";
}
