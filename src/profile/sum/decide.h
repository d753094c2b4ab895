// SPDX-License-Identifier: Apache-2.0
/*
 * decide: which rows of several runs got slower, and which cannot be told.
 *
 * Runs of A, then those of B, each with a time for every row, are compared by the logarithms of the
 * times.  The speed that all rows of a run have in common is taken out; spreads of rows lend each
 * other weight (Smyth 2004, the moderated t); p-values are those of Holm over all rows.  So equal
 * builds show a false row in less than 1 of 100 comparisons.  doc/accounting.md has the formulas.
 *
 * Times are microseconds.  Rows should come in the order of their names: sums run in that order, and
 * so every machine gets the same digits.  No input, no output; cost: rows times runs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum decide_state {
	DECIDE_TESTED,
	DECIDE_NEW,   /* in no run of A, in some of B */
	DECIDE_GONE,
	DECIDE_SOMETIMES, /* in some runs only, of those that saw every call */
	DECIDE_SMALL,
	DECIDE_STATES
};

enum decide_verdict {
	VERDICT_SLOWER,
	VERDICT_FASTER,
	VERDICT_SAME,
	VERDICT_CANNOT_TELL,
	VERDICT_NONE, /* it was not tested */
	VERDICTS
};

/* `open`: neither fails nor passes. */
enum decide_gate { GATE_NONE, GATE_FAILS, GATE_PASSES, GATE_OPEN };

/* The limits of a row; both must be exceeded. */
struct decide_limit {
	bool percent_given, time_given;
	double percent; /* 0.1: 10 % */
	double time;    /* us */
};

struct decide_row {
	/* By run, those of A first; borrowed. */
	const double *time;      /* of the value that is compared */
	const double *exclusive; /* the same, or exclusive time */
	const double *seen;      /* series of samples that show it; NULL: traced */
	struct decide_limit limit;
	bool gated; /* the limit is there */

	/* The decision. */
	enum decide_state state;
	enum decide_verdict verdict;
	bool suspect; /* it would be slower, were there runs enough */
	enum decide_gate gate;
	double a, b;       /* arithmetic means */
	double effect;     /* D, of logarithms */
	double spread, weight, error, freedom; /* s², w, se, df */
	double p_slower, p_faster, p_gate;     /* Holm's */
	double change, low, high; /* of A: 0.1 is 10 % more; the interval has 95 % of it */
	double delta;      /* us */
	unsigned more_runs; /* of each side, where the gate is open; 0: not told, above 100: more */
};

struct decide {
	size_t a, b;       /* runs */
	double interval;   /* of samples, us: the largest of all runs; 0: none is sampled */
	bool common;       /* take out the speed in common */
	double alpha, least, change_least, noise_most; /* shares */
	double time_least; /* us; below 0: the default */
	unsigned runs_least;
	const double *calls; /* times are per so many, by run; NULL: as they are */
	const double *total; /* by run: exclusive times of all methods */

	/* The decision. */
	double *speed;     /* by run, a logarithm; the caller's, a + b long */
	bool has_speed;    /* else it is 0 */
	size_t tested;
	double prior_freedom, prior_spread; /* d0, s0² */
	double noise;      /* of ln(total) */
	bool few, noisy;   /* then no row has a verdict on time */
	struct decide_row run, speeds; /* the rows (run) and (common) */
};

/* alpha, least, ... as they are unless asked for. */
void decide_init(struct decide *);
/* At least a run on each side; every total is above 0. */
void decide_rows(struct decide *, struct decide_row *, size_t count);
/* The time below which a new or gone row says nothing, once all is decided. */
double decide_least(const struct decide *);
