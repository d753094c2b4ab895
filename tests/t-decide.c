// SPDX-License-Identifier: Apache-2.0
/*
 * Decisions about several runs, against worked examples whose figures another program computed, and
 * the functions below them against published values.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/student.h"
#include "profile/sum/decide.h"
#include "tap/tap.h"

enum { RUNS = 10, METHODS = 12, EACH = 4 };

static void
near(double got, double want, double digits, const char *what)
{
	ok(fabs(got - want) <= digits, "%s: %.10g, not %.10g", what, want, got);
}

static void
functions_check(void)
{
	near(polygamma(1, 1), -0.5772156649, 1e-10, "psi(1)");
	near(polygamma(1, 4), 1.2561176684, 1e-10, "psi(4)");
	near(polygamma(2, 1), 1.6449340668, 1e-10, "psi'(1)");
	near(polygamma(2, 2), 0.6449340668, 1e-10, "psi'(2)");
	near(polygamma(3, 1), -2.4041138063, 1e-10, "psi''(1)");
	near(trigamma_inverse(0.6449340668), 2, 1e-9, "the inverse of psi'");
	near(student_tail(2, 8), 0.0402581190, 1e-10, "P(T8 >= 2)");
	near(student_tail(5, 12.5), 0.000136716554, 1e-12, "P(T12.5 >= 5)");
	near(student_tail(-2, 8), 1 - 0.0402581190, 1e-10, "P(T8 >= -2)");
	near(student_quantile(0.025, 8), 2.306004135, 1e-9, "t(0.025; 8)");
}

/* Rows whose exclusive time is the inclusive one; `a` and `b` runs of those that `x` has. */
struct made {
	struct decide d;
	struct decide_row rows[METHODS];
	double time[METHODS][RUNS], total[RUNS], speed[RUNS];
};

static void
made_decide(struct made *m, size_t methods, double percent, double ms)
{
	size_t runs = m->d.a + m->d.b;

	m->d.total = m->total;
	m->d.speed = m->speed;
	memset(m->total, 0, sizeof(m->total));
	for (size_t i = 0; i < methods; i++) {
		m->rows[i] = (struct decide_row){.time = m->time[i], .exclusive = m->time[i],
		    .gated = percent > 0 || ms > 0,
		    .limit = {percent > 0, ms > 0, percent / 100, ms * 1000}};
		for (size_t r = 0; r < runs; r++)
			m->total[r] += m->time[i][r];
	}
	m->d.run.gated = m->d.speeds.gated = m->rows[0].gated;
	m->d.run.limit = m->d.speeds.limit = m->rows[0].limit;
	decide_rows(&m->d, m->rows, methods);
}

static const double each[EACH][RUNS] = {
    {10000, 10400, 9800, 10100, 9900, 12100, 12500, 11900, 12300, 12000},
    {20000, 20300, 19500, 20600, 19900, 20200, 20100, 19800, 20700, 19700},
    {5000, 5100, 4950, 5200, 4900, 5050, 5150, 4900, 5250, 4950},
    {2000, 2600, 1700, 2400, 2100, 2500, 1900, 2200, 2800, 1800}};

static const struct expected {
	double effect, spread, error, p, change, low, high;
	enum decide_verdict verdict;
} few[EACH] = {
    {0.191618299, 4.541206e-4, 0.013477695, 1.458e-06, 21.12, 17.41, 24.94, VERDICT_SLOWER},
    {0.002011601, 4.051720e-4, 0.012730624, 1, 0.20, -2.70, 3.19, VERDICT_CANNOT_TELL},
    {0.005854620, 6.826799e-4, 0.016524889, 1, 0.59, -3.17, 4.49, VERDICT_CANNOT_TELL},
    {0.033455807, 3.062707e-2, 0.110683466, 1, 3.40, -19.89, 33.47, VERDICT_CANNOT_TELL}};

static const struct expected whole = {
    0.059146187, 7.200828e-4, 0.016971538, 0.01652, 6.09, 2.02, 10.33, VERDICT_CANNOT_TELL};

static void
row_is(const struct decide_row *r, const struct expected *e, const char *name)
{
	char what[64];

	snprintf(what, sizeof(what), "%s: effect", name);
	near(r->effect, e->effect, 6e-10, what);
	near(r->spread, e->spread, e->spread * 6e-7, "spread");
	near(r->error, e->error, 6e-10, "error");
	near(r->p_slower, e->p, e->p * 6e-4, "p");
	near(r->change * 100, e->change, 6e-3, "change");
	near(r->low * 100, e->low, 6e-3, "from");
	near(r->high * 100, e->high, 6e-3, "to");
	is_int(r->verdict, e->verdict, "verdict");
}

/* Takes these runs of the table; `from`: by run, which one. */
static void
few_make(struct made *m, size_t a, size_t b, const int *from)
{
	memset(m, 0, sizeof(*m));
	decide_init(&m->d);
	m->d.a = a;
	m->d.b = b;
	for (size_t i = 0; i < EACH; i++)
		for (size_t r = 0; r < a + b; r++)
			m->time[i][r] = each[i][from[r]];
}

static void
few_check(void)
{
	static const int all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, mixed[] = {3, 1, 4, 0, 2, 9, 7, 5, 8, 6},
	    swapped[] = {5, 6, 7, 8, 9, 0, 1, 2, 3, 4}, same[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4},
	    three[] = {0, 1, 2, 5, 6, 7}, one[] = {0, 5};
	struct made m;

	few_make(&m, 5, 5, all);
	made_decide(&m, EACH, 10, 0);
	near(m.d.time_least, 38.425, 1e-9, "least change");
	ok(!m.d.has_speed && m.d.prior_freedom == 0, "four methods have no speed in common");
	for (size_t i = 0; i < EACH; i++)
		row_is(&m.rows[i], &few[i], "a row");
	row_is(&m.d.run, &whole, "(run)");
	is_int(m.rows[0].gate, GATE_FAILS, "10 %%: fails");

	few_make(&m, 5, 5, all);
	made_decide(&m, EACH, 20, 0);
	is_int(m.rows[0].gate, GATE_OPEN, "20 %%: open");
	ok(m.rows[0].more_runs > 5, "%u runs would tell", m.rows[0].more_runs);
	is_int(m.d.run.gate, GATE_PASSES, "(run) passes");

	few_make(&m, 5, 5, all);
	made_decide(&m, EACH, 0, 1);
	is_int(m.rows[0].gate, GATE_FAILS, "1 ms: fails");
	near(m.rows[0].delta, 2120.529, 6e-4, "by so much");

	few_make(&m, 5, 5, all);
	m.d.time_least = 2 * 38.425;
	for (size_t i = 0; i < EACH; i++)
		for (size_t r = 0; r < 10; r++)
			m.time[i][r] *= 2;
	made_decide(&m, EACH, 10, 0);
	for (size_t i = 0; i < EACH; i++)
		is_int(m.rows[i].verdict, few[i].verdict, "twice the time, the same verdict");
	near(m.rows[0].effect, few[0].effect, 1e-4, "and effect");

	few_make(&m, 5, 5, mixed);
	made_decide(&m, EACH, 10, 0);
	row_is(&m.rows[0], &few[0], "in another order");

	few_make(&m, 5, 5, swapped);
	made_decide(&m, EACH, 10, 0);
	is_int(m.rows[0].verdict, VERDICT_FASTER, "sides swapped: faster");
	near(m.rows[0].change * 100, -17.44, 6e-3, "by so much");

	few_make(&m, 5, 5, same);
	made_decide(&m, EACH, 10, 0);
	for (size_t i = 0; i < EACH; i++)
		ok(m.rows[i].effect == 0 && m.rows[i].verdict >= VERDICT_SAME, "no difference");
	is_int(m.d.run.gate, GATE_PASSES, "and the gate passes");

	few_make(&m, 3, 3, three);
	made_decide(&m, EACH, 10, 0);
	ok(m.d.few && m.rows[0].verdict == VERDICT_CANNOT_TELL && m.rows[0].gate == GATE_OPEN,
	    "three runs a side cannot tell");
	ok(m.rows[0].suspect, "but a row is suspect");
	few_make(&m, 3, 3, three);
	m.d.runs_least = 3;
	made_decide(&m, EACH, 10, 0);
	is_int(m.rows[0].verdict, VERDICT_SLOWER, "unless asked to");

	few_make(&m, 1, 1, one);
	made_decide(&m, EACH, 10, 0);
	ok(m.rows[0].verdict == VERDICT_CANNOT_TELL && !m.rows[0].suspect, "nor can one");
	near(m.rows[0].change, 2100.0 / 10000.5, 1e-6, "its change is known");
}

/* Twelve methods, ten runs; `slower`: the sixth in B. */
static void
many_make(struct made *m, bool slower)
{
	static const double base[METHODS] = {40000, 30000, 20000, 15000, 10000, 8000, 5000, 4000, 3000, 2000,
	    1000, 500};
	static const int run[RUNS] = {0, 30, -20, 10, 40, -10, 20, 0, 50, -30};

	memset(m, 0, sizeof(*m));
	decide_init(&m->d);
	m->d.a = m->d.b = RUNS / 2;
	for (int64_t k = 0; k < METHODS; k++) {
		for (int64_t r = 0; r < RUNS; r++) {
			int64_t u = (7919 * k * k + 104729 * r + 1299709 * k * r + 15485 * r * r) % 2001 - 1000;

			m->time[k][r] = floor(base[k] * (double)(1000000 + 1000 * run[r] + 30 * u) / 1e6);
			if (slower && k == 5 && r >= RUNS / 2)
				m->time[k][r] = floor(m->time[k][r] * 1.2);
		}
	}
}

static void
many_check(void)
{
	static const double speed[RUNS] = {-0.0042, 0.0230, -0.0290, -0.0021, 0.0176, -0.0204, 0.0214,
	    -0.0106, 0.0330, -0.0452};
	struct made m;
	int named = 0;

	many_make(&m, false);
	near(m.time[5][0], 8210, 0, "as it is made");
	near(m.time[5][9], 7832, 0, "as it is made");
	made_decide(&m, METHODS, 10, 0);
	for (int i = 0; i < METHODS; i++)
		named += m.rows[i].verdict < VERDICT_SAME || m.rows[i].gate == GATE_FAILS;
	is_int(named, 0, "equal builds: no row");
	near(m.d.speeds.change * 100, -1.20, 6e-3, "(common)");
	near(m.d.run.change * 100, -0.30, 6e-3, "(run)");
	is_int(m.d.run.gate, GATE_PASSES, "the gate passes");

	many_make(&m, true);
	made_decide(&m, METHODS, 10, 0);
	for (int r = 0; r < RUNS; r++)
		near(m.speed[r], speed[r], 6e-5, "speed");
	near(m.d.prior_freedom, 16, 0, "d0");
	near(m.rows[5].freedom, 24, 0, "df");
	near(m.d.prior_spread * m.rows[5].weight, 2.364550e-4, 6e-11, "s0");
	near(m.rows[5].effect, 0.156309782, 6e-10, "effect");
	near(m.rows[5].spread, 1.572179e-4, 6e-11, "spread");
	near(m.rows[5].error, 0.009166082, 6e-10, "error");
	near(m.rows[5].p_slower, 4.511e-14, 6e-18, "p");
	near(m.rows[5].change * 100, 16.92, 6e-3, "change");
	near(m.rows[5].low * 100, 14.73, 6e-3, "from");
	near(m.rows[5].high * 100, 19.15, 6e-3, "to");
	near(m.rows[5].p_gate, 4.877e-06, 6e-10, "p of 10 %");
	is_int(m.rows[5].verdict, VERDICT_SLOWER, "slower");
	is_int(m.rows[5].gate, GATE_FAILS, "fails");
	near(m.d.speeds.change * 100, -0.54, 6e-3, "(common)");
	near(m.d.run.change * 100, 0.83, 6e-3, "(run)");
	near(m.d.run.low * 100, -2.78, 6e-3, "from");
	near(m.d.run.high * 100, 4.58, 6e-3, "to");

	many_make(&m, true);
	made_decide(&m, METHODS, 15, 0);
	is_int(m.rows[5].gate, GATE_OPEN, "15 %%: open");

	/* All slower by a tenth: it is the speed, no method's. */
	many_make(&m, false);
	for (int i = 0; i < METHODS; i++)
		for (int r = RUNS / 2; r < RUNS; r++)
			m.time[i][r] *= 1.15;
	made_decide(&m, METHODS, 0, 0);
	for (int i = 0; i < METHODS; i++)
		named += m.rows[i].verdict < VERDICT_SAME;
	ok(named == 0 && m.d.speeds.verdict == VERDICT_SLOWER, "all alike: (common)");
}

/* What is not tested. */
static void
states_check(void)
{
	struct made m;

	many_make(&m, false);
	for (int r = 0; r < RUNS; r++) {
		m.time[6][r] = r < 5 ? 0 : 5000;
		m.time[7][r] = r < 5 ? 5000 : 0;
		m.time[8][r] = r == 3 ? 0 : 5000;
		m.time[9][r] = 1;
	}
	made_decide(&m, METHODS, 10, 0);
	is_int(m.rows[6].state, DECIDE_NEW, "new");
	is_int(m.rows[6].gate, GATE_FAILS, "and fails");
	is_int(m.rows[7].state, DECIDE_GONE, "gone");
	is_int(m.rows[8].state, DECIDE_SOMETIMES, "now and then");
	is_int(m.rows[9].state, DECIDE_SMALL, "small");
	ok(!m.d.has_speed, "eight methods have no speed in common");
	is_int((intmax_t)m.d.tested, 8, "tested");

	/* Sampled: small ones are left out, what one run lacks is tested. */
	many_make(&m, false);
	m.d.interval = 500;
	m.time[0][0] = 0;
	made_decide(&m, METHODS, 0, 0);
	is_int((intmax_t)m.d.tested, 9, "at least five samples");
	is_int(m.rows[0].state, DECIDE_TESTED, "with a run that has none");
	ok(m.rows[8].weight > 0.0025, "sampling's error weighs");
}

/* Rows of one time in all runs, those of B times a factor. */
static void
still_make(struct made *m, size_t methods, double factor)
{
	many_make(m, false);
	for (size_t i = 0; i < methods; i++)
		for (int r = 0; r < RUNS; r++)
			m->time[i][r] = 10000 * (r < RUNS / 2 ? 1 : factor);
}

static bool
row_is_finite(const struct decide_row *r)
{
	return isfinite(r->low) && isfinite(r->high) && isfinite(r->error) && r->p_slower >= 0 && r->p_slower <= 1;
}

/* As few rows as there can be, runs without noise, and one method that takes nearly all. */
static void
edges_check(void)
{
	struct made m;

	for (size_t methods = 9; methods <= 10; methods++) {
		many_make(&m, true);
		made_decide(&m, methods, 10, 0);
		is_int(m.d.has_speed, methods == 10, "%zu methods: a speed in common", methods);
		is_int(m.d.prior_freedom > 0, methods == 10, "and what spreads lend");
		is_int(m.rows[5].verdict, VERDICT_SLOWER, "the slower one is found");
	}

	few_make(&m, 5, 5, (const int[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
	made_decide(&m, 1, 10, 0);
	is_int((intmax_t)m.d.tested, 1, "one row");
	is_int(m.rows[0].verdict, VERDICT_SLOWER, "is slower");
	is_int(m.d.run.verdict, VERDICT_SLOWER, "and so is the run");

	many_make(&m, false);
	for (int i = 0; i < METHODS; i++)
		m.time[i][3] = 0;
	m.time[0][3] = 1;
	m.time[0][4] = 0;
	made_decide(&m, METHODS, 10, 0);
	is_int((intmax_t)m.d.tested, 0, "no row has time in all runs");
	ok(!m.d.has_speed && row_is_finite(&m.d.run), "the run has figures all the same");

	for (size_t methods = 9; methods <= 10; methods++) {
		still_make(&m, methods, 1);
		made_decide(&m, methods, 10, 0);
		is_int(m.rows[0].verdict, VERDICT_SAME, "no noise, %zu methods: the same", methods);
		ok(m.rows[0].change == 0 && row_is_finite(&m.rows[0]), "exactly");
		still_make(&m, methods, 1);
		for (int r = RUNS / 2; r < RUNS; r++)
			m.time[0][r] *= 1.04;
		made_decide(&m, methods, 10, 0);
		is_int(m.rows[0].verdict, VERDICT_SLOWER, "no noise, 4 %% more: slower");
		ok(row_is_finite(&m.rows[0]), "by finite figures");
		is_int(m.rows[1].verdict, VERDICT_SAME, "the others are the same");
	}

	for (int slower = 0; slower < 2; slower++) {
		many_make(&m, false);
		for (int r = 0; r < RUNS; r++)
			m.time[0][r] = 1e7 * (1 + 0.001 * (r % 5)) * (slower && r >= RUNS / 2 ? 1.2 : 1);
		made_decide(&m, METHODS, 10, 0);
		ok(m.d.tested < 10 && !m.d.has_speed, "one method has 99 %%: %zu are tested", m.d.tested);
		is_int(m.rows[0].verdict, slower ? VERDICT_SLOWER : VERDICT_SAME, "its verdict");
		is_int(m.d.run.gate, slower ? GATE_FAILS : GATE_PASSES, "the run's gate");
	}
}

int
main(void)
{
	functions_check();
	few_check();
	many_check();
	states_check();
	edges_check();
	return tap_done();
}
