// SPDX-License-Identifier: Apache-2.0
/*
 * pathruns: call paths run by run, and which of them the runs prove to differ (pathdiff.h).
 *
 * Rows of the decision are paths with a share of the time that is tested at all, so its cost is that of
 * some thousand rows, whatever the paths are; reading the runs is linear in these.
 */
#include <config.h>

#include <math.h>

#include "base/mem.h"
#include "report/pathdiff.h"

/* Rows are chosen by rounded means; those at the edge are left to the decision. */
static const double nearly = 0.99;

enum { US = 1000 };

/* The rows of a decision with their numbers: times, exclusive times, samples, each by run. */
struct test {
	struct pathdiff *d;
	struct decide_row *rows;
	uint32_t *made; /* by row */
	size_t count, runs;
	double *numbers;
};

void
pathdiff_column_add(struct pathdiff_column *c, uint32_t made, int64_t figure)
{
	MEM_GROW_ZERO(c->of, c->room, (size_t)made + 1);
	if (made >= c->count)
		c->count = (size_t)made + 1;
	c->of[made] = pathjoin_plus(c->of[made], figure);
}

void
pathdiff_run_release(struct pathdiff_run *run)
{
	for (int c = 0; c < RUNS_CLOCKS; c++) {
		mem_free(run->time[c].of);
		run->time[c] = (struct pathdiff_column){.of = NULL};
	}
	mem_free(run->seen.of);
	run->seen = (struct pathdiff_column){.of = NULL};
}

static int64_t
column_at(const struct pathdiff_column *c, size_t made)
{
	return made < c->count ? c->of[made] : 0;
}

/* Finds totals and the interval of samples; false when a run has no time. */
static bool
totals_find(const struct pathdiff *d, struct decide *decide, double *total)
{
	size_t at = 0;

	for (int side = 0; side < DIFF_SIDES; side++) {
		for (size_t i = 0; i < d->run_count[side]; i++) {
			const struct pathdiff_run *run = &d->runs[side][i];
			double interval = (double)run->interval / US;

			if (run->total[d->clock] <= 0)
				return false;
			total[at++] = (double)run->total[d->clock] / US;
			if (interval > decide->interval)
				decide->interval = interval;
		}
	}
	return true;
}

/* Chooses the paths whose mean time is large enough to be tested. */
static void
rows_choose(struct test *t)
{
	const struct pathdiff *d = t->d;
	double a = (double)d->run_count[DIFF_A], b = (double)d->run_count[DIFF_B];
	double least = nearly * d->decide.least * (a * (double)d->total[DIFF_A] + b * (double)d->total[DIFF_B]);

	t->made = mem_alloc((d->join.count + 1) * sizeof(*t->made));
	for (size_t id = 0; id < d->join.count; id++) {
		const nsec *time = d->sums.of[id].inclusive;

		if (a * (double)time[DIFF_A] + b * (double)time[DIFF_B] >= least)
			t->made[t->count++] = (uint32_t)id;
	}
}

/* Fills in the numbers of a run: inclusive times are sums from the last path to the first. */
static void
run_fill(const struct test *t, const struct pathdiff_run *run, size_t at, nsec *inclusive)
{
	const struct pathdiff *d = t->d;
	const struct pathdiff_column *own = &run->time[d->clock];

	for (size_t id = 0; id < d->join.count; id++)
		inclusive[id] = column_at(own, id);
	for (size_t id = d->join.count; id-- > 0;)
		if (d->join.nodes[id].above != PATH_NONE)
			inclusive[d->join.nodes[id].above] = pathjoin_plus(inclusive[d->join.nodes[id].above], inclusive[id]);
	for (size_t i = 0; i < t->count; i++) {
		double *number = t->numbers + 3 * t->runs * i + at;

		number[0] = (double)inclusive[t->made[i]] / US;
		number[t->runs] = (double)column_at(own, t->made[i]) / US;
		number[2 * t->runs] = (double)column_at(&run->seen, t->made[i]);
	}
}

static void
rows_fill(struct test *t)
{
	struct pathdiff *d = t->d;
	nsec *inclusive = mem_alloc((d->join.count + 1) * sizeof(*inclusive));
	size_t at = 0;

	t->rows = mem_zero(t->count + 1, sizeof(*t->rows));
	t->numbers = mem_zero(3 * t->runs + 1, (t->count + 1) * sizeof(double));
	for (size_t i = 0; i < t->count; i++) {
		struct decide_row *row = &t->rows[i];

		row->time = t->numbers + 3 * t->runs * i;
		row->exclusive = row->time + t->runs;
		row->seen = d->decide.interval > 0 ? row->exclusive + t->runs : NULL;
	}
	for (int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < d->run_count[side]; i++)
			run_fill(t, &d->runs[side][i], at++, inclusive);
	mem_free(inclusive);
}

/*
 * True if all runs of one side have the path, none of the other has, and in none it is next to nothing;
 * where runs are sampled the logarithms of the tested ones say little of that.
 */
static bool
is_one_sided(const struct decide *decide, const struct decide_row *row)
{
	bool new = row->a <= 0;
	size_t from = new ? decide->a : 0, to = new ? decide->a + decide->b : decide->a;
	double least = INFINITY;

	for (size_t run = from; run < to; run++)
		least = fmin(least, row->time[run]);
	return (new || row->b <= 0) && !decide->noisy && least > decide_least(decide);
}

/* Notes which paths are proved to differ. */
static void
proofs_note(struct pathdiff *d, const struct test *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct decide_row *row = &t->rows[i];
		bool differs = row->verdict == VERDICT_SLOWER || row->verdict == VERDICT_FASTER;
		bool one_sided = is_one_sided(&d->decide, row);

		d->sums.of[t->made[i]].proved = differs || one_sided;
		d->proved += differs && !one_sided;
		d->one_sided += one_sided;
	}
}

void
pathdiff_test(struct pathdiff *d)
{
	struct decide *decide = &d->decide;
	struct test t = {.d = d, .runs = d->run_count[DIFF_A] + d->run_count[DIFF_B]};
	double *total;

	if (d->how == NULL || t.runs <= DIFF_SIDES)
		return;
	*decide = runs_options_decide(d->how);
	decide->a = d->run_count[DIFF_A];
	decide->b = d->run_count[DIFF_B];
	decide->total = total = mem_zero(t.runs, sizeof(*total));
	decide->speed = mem_zero(t.runs, sizeof(*decide->speed));
	d->tested = totals_find(d, decide, total);
	if (d->tested) {
		rows_choose(&t);
		rows_fill(&t);
		decide_rows(decide, t.rows, t.count);
		d->verdicts = !decide->few;
		if (d->verdicts)
			proofs_note(d, &t);
	}
	decide->total = NULL;
	for (int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < d->run_count[side]; i++)
			pathdiff_run_release(&d->runs[side][i]);
	mem_free(total);
	mem_free(t.rows);
	mem_free(t.made);
	mem_free(t.numbers);
}
