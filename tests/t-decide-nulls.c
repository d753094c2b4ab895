// SPDX-License-Identifier: Apache-2.0
/*
 * Decisions about runs that are made to be alike, and about those where one method is slower: how
 * many comparisons name a row though nothing changed, and how many find the change.
 *
 *	tests/t-decide-nulls [COMPARISONS]
 *
 * Without a number 100 of each kind.  Noise comes from a counter through a mixer, the same on every
 * machine.  It is of exclusive times; inclusive ones are sums of these.  Times are microseconds.
 */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/sum/decide.h"
#include "tap/tap.h"

enum {
	METHODS = 200,
	CALLERS = 10, /* the largest methods call the others */
	THREADS = 3,
	SIDE = 5,
	RUNS = 2 * SIDE,
	PHASES = 24,
	PERIOD = 1000, /* of samples */
	CALLS_MOST = 500,
	DEALS = 10, /* comparisons of one sampled run */
	DOUBLED = 20, /* comparisons */
};

#define LARGEST 200000.0
#define SHRINK  0.96

/* Chance ------------------------------------------------------------------------------ */

/* SplitMix64: a number from 0 to 1, neither of which it is. */
static double
uniform(uint64_t *counter)
{
	uint64_t z = *counter += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return ((double)((z ^ (z >> 31)) >> 12) + 0.5) / 4503599627370496.0;
}

static double
normal(uint64_t *counter)
{
	double length = sqrt(-2 * log(uniform(counter)));

	return length * cos(2 * acos(-1) * uniform(counter));
}

/* Student's t with 4 degrees of freedom: chi-squared with 4 is the sum of two exponentials. */
static double
heavy(uint64_t *counter)
{
	double g = normal(counter), square = -2 * log(uniform(counter) * uniform(counter));

	return g / sqrt(square / 4);
}

/* Comparisons ------------------------------------------------------------------------- */

struct made {
	struct decide d;
	struct decide_row rows[METHODS];
	double exclusive[METHODS][RUNS], inclusive[METHODS][RUNS], seen[METHODS][RUNS];
	double total[RUNS], speed[RUNS];
};

static int
caller_of(int method)
{
	return method < CALLERS ? -1 : method % CALLERS;
}

static double
size_of(int method)
{
	return LARGEST * pow(SHRINK, method);
}

static void
sums_make(struct made *m)
{
	memset(m->total, 0, sizeof(m->total));
	memcpy(m->inclusive, m->exclusive, sizeof(m->inclusive));
	for (int k = 0; k < METHODS; k++) {
		for (int r = 0; r < RUNS; r++) {
			m->total[r] += m->exclusive[k][r];
			if (caller_of(k) >= 0)
				m->inclusive[caller_of(k)][r] += m->exclusive[k][r];
		}
	}
}

/* Decides by exclusive or inclusive times; returns how many rows it names but `changed` and its caller. */
static int
decide_count(struct made *m, bool inclusive, int changed)
{
	int named = 0;

	m->d.a = m->d.b = SIDE;
	m->d.total = m->total;
	m->d.speed = m->speed;
	memset(&m->d.run, 0, sizeof(m->d.run));
	memset(&m->d.speeds, 0, sizeof(m->d.speeds));
	for (int k = 0; k < METHODS; k++)
		m->rows[k] = (struct decide_row){.time = inclusive ? m->inclusive[k] : m->exclusive[k],
		    .exclusive = m->exclusive[k], .seen = m->d.interval > 0 ? m->seen[k] : NULL};
	decide_rows(&m->d, m->rows, METHODS);
	for (int k = 0; k < METHODS; k++)
		if (k != changed && (changed < 0 || !inclusive || k != caller_of(changed)))
			named += m->rows[k].verdict == VERDICT_SLOWER;
	return named + (m->d.run.verdict == VERDICT_SLOWER) +
	    (m->d.has_speed && m->d.speeds.verdict == VERDICT_SLOWER);
}

static int
both_count(struct made *m, int changed)
{
	int named = decide_count(m, true, changed);

	return named + decide_count(m, false, changed);
}

/* Traced runs ------------------------------------------------------------------------- */

/* Spreads of logarithms, and what else happens to runs that nothing changed. */
struct recipe {
	const char *name;
	double run, thread, method;
	bool heavy;  /* methods differ in spread, and have outliers */
	bool cold;   /* the first run of each side: all slower, a third of the methods more */
	bool pauses; /* two a run, each a hundredth of it */
	bool modes;  /* one method in 20 has two speeds */
	bool told;   /* more alarms are known: they are only told */
};

static const struct recipe recipes[] = {
    {"runs, threads and methods vary", 0.03, 0.04, 0.05, .heavy = true},
    {"methods vary little", 0.03, 0, 0.01, .heavy = false},
    {"the first run of each side is cold", 0.03, 0.04, 0.05, .heavy = true, .cold = true},
    {"pauses", 0.03, 0.04, 0.05, .heavy = true, .pauses = true},
    {"methods with two speeds", 0.03, 0.04, 0.05, .heavy = true, .modes = true, .told = true},
};

enum { RECIPES = sizeof(recipes) / sizeof(recipes[0]), QUIET = 1 };

/* Adds a pause to a method that is drawn by its time. */
static void
pause_make(struct made *m, int run, double length, double total, uint64_t *counter)
{
	double at = uniform(counter) * total;
	int k = 0;

	while (k < METHODS - 1 && at > m->exclusive[k][run])
		at -= m->exclusive[k++][run];
	m->exclusive[k][run] += length;
}

static void
run_make(struct made *m, const struct recipe *p, int run, const double *spread, const double *mode,
    uint64_t *counter)
{
	bool cold = p->cold && run % SIDE == 0;
	double speed = exp(p->run * normal(counter)) * (cold ? 1.3 : 1), thread[THREADS], total = 0;

	for (int t = 0; t < THREADS; t++)
		thread[t] = exp(p->thread * normal(counter));
	for (int k = 0; k < METHODS; k++) {
		double noise = p->heavy ? spread[k] * heavy(counter) : normal(counter);
		double *time = &m->exclusive[k][run];

		*time = size_of(k) * speed * thread[k % CALLERS % THREADS] * exp(p->method * noise);
		if (cold && uniform(counter) < 1.0 / 3)
			*time *= 1 + uniform(counter);
		if (p->modes && uniform(counter) < 0.5)
			*time *= mode[k];
		total += *time;
	}
	for (int i = 0; p->pauses && i < 2; i++)
		pause_make(m, run, total / 100, total, counter);
}

static void
runs_make(struct made *m, const struct recipe *p, int comparison)
{
	uint64_t counter = (uint64_t)comparison << 32 | (uint64_t)(p - recipes) << 24;
	double spread[METHODS], mode[METHODS];

	memset(m, 0, sizeof(*m));
	decide_init(&m->d);
	for (int k = 0; k < METHODS; k++) {
		spread[k] = exp(0.6 * normal(&counter));
		mode[k] = uniform(&counter) < 0.05 ? 1.2 + 1.8 * uniform(&counter) : 1;
	}
	for (int run = 0; run < RUNS; run++)
		run_make(m, p, run, spread, mode, &counter);
	sums_make(m);
}

static void
slower_make(struct made *m, int method, double factor)
{
	for (int run = SIDE; run < RUNS; run++)
		m->exclusive[method][run] *= factor;
	sums_make(m);
}

static void
nulls_check(struct made *m, const struct recipe *p, int comparisons)
{
	int alarms = 0;

	for (int i = 0; i < comparisons; i++) {
		runs_make(m, p, i);
		alarms += both_count(m, -1) > 0;
	}
	diag("%s: %d of %d comparisons name a row", p->name, alarms, comparisons);
	if (!p->told)
		ok(alarms <= comparisons / 100, "%s: an alarm in 100 at most", p->name);
}

/*
 * A method that is slower by a twentieth, of 4, 1 or 0.1 % of the time.  The last gains less than the
 * default of the least time, so any is enough.
 */
static void
found_check(struct made *m, int comparisons)
{
	static const int changed[] = {0, 34, 88};
	int found = 0, others = 0;

	for (int i = 0; i < comparisons; i++) {
		int method = changed[i % 3];

		runs_make(m, &recipes[QUIET], i);
		slower_make(m, method, 1.05);
		m->d.time_least = 0;
		others += both_count(m, method) > 0;
		found += m->rows[method].verdict == VERDICT_SLOWER;
	}
	diag("5 %% more: found in %d, another row named in %d of %d", found, others, comparisons);
	ok(found * 100 >= comparisons * 95, "5 %% more is found in 95 of 100");
	ok(others <= comparisons / 100, "and nothing else is named in 99");
}

/* With all times twice as long the verdicts are the same; half a microsecond of each time is not doubled. */
static void
doubled_check(struct made *m, struct made *twice)
{
	int verdicts = 0, slower = 0;
	double off = 0;

	for (int i = 0; i < DOUBLED; i++) {
		runs_make(m, &recipes[0], i);
		slower_make(m, i, 1.5);
		*twice = *m;
		for (int k = 0; k < METHODS; k++)
			for (int run = 0; run < RUNS; run++)
				twice->exclusive[k][run] *= 2;
		sums_make(twice);
		decide_count(m, true, -1);
		twice->d.time_least = 2 * m->d.time_least;
		decide_count(twice, true, -1);
		for (int k = 0; k < METHODS; k++) {
			verdicts += m->rows[k].verdict != twice->rows[k].verdict;
			slower += m->rows[k].verdict == VERDICT_SLOWER;
			if (m->rows[k].a >= 10000)
				off = fmax(off, fabs(m->rows[k].effect - twice->rows[k].effect));
		}
	}
	ok(slower > 0 && verdicts == 0, "all times doubled: the same verdicts (%d slower)", slower);
	ok(off < 1e-4, "and effects (to %.1e)", off);
}

/* Sampled runs ------------------------------------------------------------------------ */

/* One call of a method, or what its caller does until the next. */
struct segment {
	int method;
	double length;
};

struct traced {
	struct segment *list[THREADS];
	size_t count[THREADS], room[THREADS];
};

static void
segment_add(struct traced *t, int method, double length)
{
	int thread = method % CALLERS % THREADS;

	MEM_GROW(t->list[thread], t->room[thread], t->count[thread] + 1);
	t->list[thread][t->count[thread]++] = (struct segment){method, length};
}

/* One run: each call of a caller has some calls of the methods that it calls, and time of its own between. */
static void
traced_make(struct traced *t, uint64_t *counter)
{
	int calls[METHODS], made[METHODS] = {0};

	memset(t->count, 0, sizeof(t->count));
	for (int k = 0; k < METHODS; k++)
		calls[k] = 1 + (int)(uniform(counter) * CALLS_MOST);
	for (int turn = 0; turn < CALLS_MOST; turn++) {
		for (int caller = 0; caller < CALLERS; caller++) {
			double own = size_of(caller) / CALLS_MOST / (METHODS / CALLERS);

			segment_add(t, caller, own);
			for (int k = caller + CALLERS; k < METHODS; k += CALLERS) {
				for (; made[k] < (turn + 1) * calls[k] / CALLS_MOST; made[k]++)
					segment_add(t, k, size_of(k) / calls[k] * (0.5 + uniform(counter)));
				segment_add(t, caller, own);
			}
		}
	}
}

/* Samples every thread from a phase on: times of methods, and the series of samples that show them. */
static void
traced_sample(const struct traced *t, double phase, struct made *m, int run)
{
	for (int thread = 0; thread < THREADS; thread++) {
		double at = 0, next = phase;
		int before = -1;

		for (size_t i = 0; i < t->count[thread]; i++) {
			int k = t->list[thread][i].method, caller = caller_of(k);

			for (at += t->list[thread][i].length; next < at; next += PERIOD) {
				int outer = before < 0 || caller_of(before) < 0 ? before : caller_of(before);

				m->exclusive[k][run] += PERIOD;
				m->seen[k][run] += caller >= 0 && k != before;
				m->seen[caller >= 0 ? caller : k][run] += (caller >= 0 ? caller : k) != outer;
				before = k;
			}
		}
	}
}

/* Deals phases of one run out to both sides. */
static void
phases_check(struct made *m, int comparisons)
{
	struct traced t = {.count = {0}};
	uint64_t counter = 5;
	size_t tested = 0;
	int alarms = 0;

	for (int i = 0; i < comparisons; i++) {
		int phases[PHASES];

		if (i % DEALS == 0)
			traced_make(&t, &counter);
		memset(m, 0, sizeof(*m));
		decide_init(&m->d);
		m->d.interval = PERIOD;
		for (int j = 0; j < PHASES; j++)
			phases[j] = j;
		for (int run = 0; run < RUNS; run++) {
			int other = run + (int)(uniform(&counter) * (PHASES - run)), phase = phases[other];

			phases[other] = phases[run];
			traced_sample(&t, (double)phase * PERIOD / PHASES, m, run);
		}
		sums_make(m);
		alarms += both_count(m, -1) > 0;
		tested += m->d.tested;
	}
	for (int thread = 0; thread < THREADS; thread++)
		mem_free(t.list[thread]);
	diag("phases of one run: %d of %d comparisons name a row", alarms, comparisons);
	ok(tested > 50 * (size_t)comparisons, "phases of one run: rows are tested");
	is_int(alarms, 0, "and none is named");
}

int
main(int argc, char **argv)
{
	int comparisons = argc > 1 ? atoi(argv[1]) : 100;
	struct made *m = mem_zero(2, sizeof(*m));

	for (int i = 0; i < RECIPES; i++)
		nulls_check(m, &recipes[i], comparisons);
	found_check(m, comparisons);
	doubled_check(m, m + 1);
	phases_check(m, comparisons);
	mem_free(m);
	return tap_done();
}
