// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/decide.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/student.h"

enum {
	SHARING_LEAST = 10, /* rows that have a speed in common, and lend each other weight */
	SAMPLES_LEAST = 5,  /* a run, of a row that is tested */
	RUNS_MOST = 100,    /* that are worth telling */
};

#define SPREAD_LEAST 1e-12
#define SHARE_LEAST  1e-5 /* of the median of all spreads */
#define INTERVAL     0.025 /* on each side */
#define POWER        0.8416 /* of finding it in 80 of 100 */
#define NOISE_FLOOR  (0.05 * 0.05)
#define RUN_PERCENT  0.1 /* limit of (run) and (common), unless one is given */

void
decide_init(struct decide *d)
{
	*d = (struct decide){.common = true, .alpha = 0.005, .least = 0.001, .change_least = 0.03,
	    .noise_most = 0.25, .time_least = -1, .runs_least = 5};
}

/* Means ------------------------------------------------------------------------------- */

static double
mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n > 0 ? sum / (double)n : 0;
}

static double
squares(const double *x, size_t n)
{
	double m = mean(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - m) * (x[i] - m);
	return sum;
}

static int
double_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them. */
static double
median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), double_order);
	return n == 0 ? 0 : n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Rows that are tested ----------------------------------------------------------------- */

/* True for a row with enough time in the runs. */
static bool
is_tested(const struct decide *d, const double *time, double total)
{
	size_t n = d->a + d->b;
	double m = mean(time, n);

	if (m < d->least * total)
		return false;
	if (d->interval > 0)
		return m >= SAMPLES_LEAST * d->interval;
	for (size_t i = 0; i < n; i++)
		if (time[i] <= 0)
			return false;
	return true;
}

static bool
is_zero(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] > 0)
			return false;
	return true;
}

static enum decide_state
state_of(const struct decide *d, const struct decide_row *r, double total)
{
	if (is_tested(d, r->time, total))
		return DECIDE_TESTED;
	if (is_zero(r->time, d->a))
		return is_zero(r->time + d->a, d->b) ? DECIDE_SMALL : DECIDE_NEW;
	if (is_zero(r->time + d->a, d->b))
		return DECIDE_GONE;
	return d->interval == 0 && mean(r->time, d->a + d->b) >= d->least * total
	    ? DECIDE_SOMETIMES : DECIDE_SMALL;
}

/* The logarithm of a time in a run. */
static double
logarithm(const struct decide *d, const double *time, size_t run)
{
	double half = d->interval > 0 ? d->interval / 2 : 0.5;

	return log(time[run] + half) - (d->calls != NULL ? log(d->calls[run]) : 0);
}

/* The median of what each method's exclusive time is off its mean is the speed of a run. */
static void
speed_find(struct decide *d, const struct decide_row *rows, size_t count, double total)
{
	size_t n = d->a + d->b, methods = 0;
	double *off = mem_zero(count + 1, n * sizeof(*off)), *column;

	for (size_t i = 0; i < count; i++) {
		double *y = off + methods * n, m;

		if (!is_tested(d, rows[i].exclusive, total))
			continue;
		for (size_t run = 0; run < n; run++)
			y[run] = logarithm(d, rows[i].exclusive, run);
		m = mean(y, n);
		for (size_t run = 0; run < n; run++)
			y[run] -= m;
		methods++;
	}
	d->has_speed = d->common && methods >= SHARING_LEAST;
	column = mem_zero(methods + 1, sizeof(*column));
	for (size_t run = 0; run < n; run++) {
		for (size_t i = 0; i < methods; i++)
			column[i] = off[i * n + run];
		d->speed[run] = d->has_speed ? median(column, methods) : 0;
	}
	mem_free(column);
	mem_free(off);
}

/* Spreads ------------------------------------------------------------------------------ */

/* Effect and spread of logarithms. */
static void
effect_find(const struct decide *d, struct decide_row *r, const double *z)
{
	r->effect = mean(z + d->a, d->b) - mean(z, d->a);
	r->spread = d->a + d->b > 2
	    ? (squares(z, d->a) + squares(z + d->a, d->b)) / (double)(d->a + d->b - 2) : 0;
}

/* The error of sampling. */
static double
sampling_error(const struct decide *d, const struct decide_row *r)
{
	double p = d->interval, sum = 0;

	if (p == 0)
		return 0;
	for (size_t run = 0; run < d->a + d->b; run++) {
		double x = r->time[run] + p / 2;
		double shown = r->seen != NULL && r->time != r->exclusive ? r->seen[run] : r->time[run] / p;

		sum += p * p * (shown > 1 ? shown : 1) / (x * x);
	}
	return sum / (double)(d->a + d->b);
}

/* Finds what the spreads of all rows lend to each: d0 and s0². */
static void
prior_find(struct decide *d, const struct decide_row *rows, size_t count)
{
	double freedom = (double)(d->a + d->b - 2), sum = 0, variance = 0, e_mean;
	double *e;
	size_t n = 0;

	d->prior_freedom = 0;
	d->prior_spread = 0;
	if (!d->has_speed || d->tested < SHARING_LEAST || freedom < 1)
		return;
	e = mem_zero(d->tested, sizeof(*e));
	for (size_t i = 0; i < count; i++) {
		if (rows[i].state == DECIDE_TESTED)
			e[n++] = log(rows[i].spread / rows[i].weight) - polygamma(1, freedom / 2) +
			    log(freedom / 2);
	}
	e_mean = mean(e, n);
	for (size_t i = 0; i < n; i++)
		sum += (e[i] - e_mean) * (e[i] - e_mean);
	mem_free(e);
	variance = sum / (double)(n - 1) - polygamma(2, freedom / 2);
	d->prior_freedom = 2 * freedom;
	d->prior_spread = exp(e_mean);
	if (variance > 0) {
		double d0 = 2 * trigamma_inverse(variance);

		d->prior_spread = exp(e_mean + polygamma(1, d0 / 2) - log(d0 / 2));
		d->prior_freedom = d0 < 2 * freedom ? d0 : 2 * freedom;
	}
}

/* Error, freedom and interval of a row from its spread; `prior`: lent by the others. */
static void
error_find(const struct decide *d, struct decide_row *r, bool prior)
{
	double freedom = (double)(d->a + d->b - 2), d0 = prior ? d->prior_freedom : 0;
	double variance = r->spread, t;

	if (prior && d0 + freedom > 0) {
		double sampled = r->weight - NOISE_FLOOR;

		variance = (d0 * d->prior_spread * r->weight + freedom * r->spread) / (d0 + freedom);
		variance = variance > sampled ? variance : sampled;
	}
	r->error = sqrt(variance * (1 / (double)d->a + 1 / (double)d->b));
	r->freedom = freedom + d0;
	r->change = expm1(r->effect);
	r->delta = r->a * r->change;
	if (freedom < 1)
		return;
	t = student_quantile(INTERVAL, r->freedom);
	r->low = expm1(r->effect - t * r->error);
	r->high = expm1(r->effect + t * r->error);
}

/* (run) and (common): their logarithms, without weight from others. */
static void
extra_measure(const struct decide *d, struct decide_row *r, const double *z)
{
	effect_find(d, r, z);
	r->spread = r->spread > SPREAD_LEAST ? r->spread : SPREAD_LEAST;
	error_find(d, r, false);
}

/* Holm --------------------------------------------------------------------------------- */

struct ranked_p {
	double p;
	double *to;
};

static int
place_order(const void *a, const void *b)
{
	return double_order(&((const struct ranked_p *)a)->p, &((const struct ranked_p *)b)->p);
}

static void
holm(struct ranked_p *places, size_t count)
{
	double most = 0;

	qsort(places, count, sizeof(*places), place_order);
	for (size_t i = 0; i < count; i++) {
		double p = (double)(count - i) * places[i].p;

		most = p > most ? p : most;
		*places[i].to = most < 1 ? most : 1;
	}
}

/* The p-value of a row that got slower by more than a share, or (sign -1) faster. */
static double
p_of(const struct decide_row *r, double sign, double share)
{
	double off = sign * r->effect - log1p(share);

	if (r->freedom <= 0) /* one run on each side */
		return 1;
	if (r->error > 0)
		return student_tail(off / r->error, r->freedom);
	return off > 0 ? 0 : 1;
}

static double
percent_of(const struct decide_row *r)
{
	return r->gated && r->limit.percent_given ? r->limit.percent : 0;
}

/* Verdicts ------------------------------------------------------------------------------ */

static void
verdict_find(const struct decide *d, struct decide_row *r)
{
	double least = d->change_least, less = -least / (1 + least), time = d->time_least;

	r->verdict = VERDICT_CANNOT_TELL;
	if (r->p_slower < d->alpha && r->change >= least && r->delta >= time) {
		r->suspect = d->few || d->noisy;
		r->verdict = VERDICT_SLOWER;
	} else if (r->p_faster < d->alpha && r->change <= less && r->delta <= -time) {
		r->verdict = VERDICT_FASTER;
	} else if ((r->high <= least || r->a * r->high <= time) &&
	    (r->low >= less || r->a * r->low >= -time)) {
		r->verdict = VERDICT_SAME;
	}
	if (d->few || d->noisy)
		r->verdict = VERDICT_CANNOT_TELL;
}

/* The runs of each side that would tell, if spread and effect are what they seem. */
static unsigned
runs_needed(const struct decide *d, const struct decide_row *r, double share)
{
	size_t most = d->a > d->b ? d->a : d->b;
	double freedom = (double)(d->a + d->b - 2), off = fabs(r->effect - log1p(share));
	double deviation = r->error / sqrt(1 / (double)d->a + 1 / (double)d->b);

	if (freedom < 1)
		return 0;
	for (unsigned runs = most > 2 ? (unsigned)most : 2; runs <= RUNS_MOST; runs++) {
		double t = student_quantile(INTERVAL, 2.0 * runs - 2 + r->freedom - freedom);

		if (off >= (t + POWER) * deviation * sqrt(2.0 / runs))
			return runs;
	}
	return RUNS_MOST + 1;
}

/* `all`: (run) and (common), to which the limit of time does not apply. */
static void
gate_find(const struct decide *d, struct decide_row *r, bool all)
{
	double percent = percent_of(r), time = all || !r->limit.time_given ? 0 : r->limit.time;

	r->gate = GATE_NONE;
	if (!r->gated)
		return;
	if (d->few || d->noisy) {
		r->gate = GATE_OPEN;
		return;
	}
	if (r->p_gate < d->alpha && r->delta > time)
		r->gate = GATE_FAILS;
	else if (r->high <= percent || (!all && r->a * r->high <= time) ||
	    (all && r->high <= (percent > RUN_PERCENT ? percent : RUN_PERCENT)))
		r->gate = GATE_PASSES;
	else
		r->gate = GATE_OPEN;
	if (r->gate == GATE_OPEN)
		r->more_runs = runs_needed(d, r, percent);
}

double
decide_least(const struct decide *d)
{
	return fmax(d->time_least, SAMPLES_LEAST * d->interval);
}

/* The mean of times of some runs, each per its calls where they are. */
static double
mean_of(const struct decide *d, const double *time, size_t from, size_t count)
{
	double sum = 0;

	for (size_t run = from; run < from + count; run++)
		sum += d->calls != NULL ? time[run] / d->calls[run] : time[run];
	return sum / (double)count;
}

/*
 * A method that all runs of B have and none of A: no share of nothing, the least time counts.  A
 * sample or two in each are there by chance.
 */
static void
new_find(const struct decide *d, struct decide_row *r)
{
	double least = INFINITY;
	double most = r->limit.time_given ? fmax(r->limit.time, SAMPLES_LEAST * d->interval) : decide_least(d);

	r->gate = GATE_NONE;
	for (size_t run = d->a; run < d->a + d->b; run++)
		least = fmin(mean_of(d, r->time, run, 1), least);
	if (r->gated && !d->few && !d->noisy && least > most)
		r->gate = GATE_FAILS;
}

static void
levels_find(struct decide *d, struct decide_row *rows, size_t count)
{
	size_t n = 0, extra = 1 + d->has_speed;
	struct ranked_p *places = mem_zero(d->tested + 2, sizeof(*places));
	struct decide_row *extras[] = {&d->run, &d->speeds};

	for (int which = 0; which < 3; which++) {
		n = 0;
		for (size_t i = 0; i < count + extra; i++) {
			struct decide_row *r = i < count ? &rows[i] : extras[i - count];
			double *to[] = {&r->p_slower, &r->p_faster, &r->p_gate};

			if (r->state != DECIDE_TESTED)
				continue;
			places[n++] = (struct ranked_p){p_of(r, which == 1 ? -1 : 1,
			    which < 2 ? 0 : i < count || r->limit.percent_given ? percent_of(r)
				      : RUN_PERCENT), to[which]};
		}
		holm(places, n);
	}
	mem_free(places);
}

/* All -------------------------------------------------------------------------------- */

static void
extras_find(struct decide *d, double *z)
{
	size_t n = d->a + d->b;

	for (size_t run = 0; run < n; run++)
		z[run] = log(d->total[run]) - (d->calls != NULL ? log(d->calls[run]) : 0);
	d->run.a = mean_of(d, d->total, 0, d->a);
	d->run.b = mean_of(d, d->total, d->a, d->b);
	extra_measure(d, &d->run, z);
	d->noise = sqrt(d->run.spread);
	d->speeds.a = d->run.a;
	d->speeds.b = d->run.a;
	if (!d->has_speed)
		return;
	extra_measure(d, &d->speeds, d->speed);
	d->speeds.b += d->speeds.delta;
}

/* No spread is less than a trifle of what they are. */
static void
spreads_raise(struct decide_row *rows, size_t count, size_t tested)
{
	double *all = mem_zero(tested + 1, sizeof(*all)), least;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].state == DECIDE_TESTED)
			all[n++] = rows[i].spread;
	least = SHARE_LEAST * median(all, n);
	least = least > SPREAD_LEAST ? least : SPREAD_LEAST;
	for (size_t i = 0; i < count; i++)
		if (rows[i].spread < least)
			rows[i].spread = least;
	mem_free(all);
}

void
decide_rows(struct decide *d, struct decide_row *rows, size_t count)
{
	double *z = mem_zero(d->a + d->b, sizeof(*z));
	double total = mean(d->total, d->a + d->b), least = mean_of(d, d->total, 0, d->a + d->b) / 1000;

	if (d->time_least < 0)
		d->time_least = least < 1000 ? least : 1000;
	speed_find(d, rows, count, total);
	d->tested = 0;
	for (size_t i = 0; i < count; i++) {
		struct decide_row *r = &rows[i];

		r->state = state_of(d, r, total);
		r->verdict = VERDICT_NONE;
		r->a = mean_of(d, r->time, 0, d->a);
		r->b = mean_of(d, r->time, d->a, d->b);
		if (r->state != DECIDE_TESTED)
			continue;
		d->tested++;
		for (size_t run = 0; run < d->a + d->b; run++)
			z[run] = logarithm(d, r->time, run) - d->speed[run];
		effect_find(d, r, z);
		r->weight = NOISE_FLOOR + sampling_error(d, r);
	}
	spreads_raise(rows, count, d->tested);
	prior_find(d, rows, count);
	extras_find(d, z);
	d->few = d->a < d->runs_least || d->b < d->runs_least;
	d->noisy = d->noise > d->noise_most;
	for (size_t i = 0; i < count; i++)
		if (rows[i].state == DECIDE_TESTED)
			error_find(d, &rows[i], true);
	levels_find(d, rows, count);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].state == DECIDE_TESTED) {
			verdict_find(d, &rows[i]);
			gate_find(d, &rows[i], false);
		} else if (rows[i].state == DECIDE_NEW && !is_zero(rows[i].time + d->a, d->b)) {
			new_find(d, &rows[i]);
		}
	}
	verdict_find(d, &d->run);
	gate_find(d, &d->run, true);
	if (d->has_speed) {
		verdict_find(d, &d->speeds);
		gate_find(d, &d->speeds, true);
	}
	mem_free(z);
}
