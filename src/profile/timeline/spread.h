// SPDX-License-Identifier: Apache-2.0
/*
 * spread: how many durations there are of which length.
 *
 * Fed one by one; sums, extremes and the counts between round bounds are exact always.
 * Percentiles come from finer counts and are off by less than 0.4 percent; with all
 * durations at hand spread_rank gives an exact one.  Nanoseconds, not negative. 60 kB.
 */
#pragma once

#include <stdint.h>

#include "trace/event.h"

enum {
	/* Bounds 1 2 5 10 20 50 us and so on, SPREAD_SERIES in each power of ten */
	SPREAD_BUCKETS = 64,
	SPREAD_SERIES = 3,
	SPREAD_EXACT = 256,        /* finer counts: one each below so many ns, */
	SPREAD_STEPS = 128,        /* then so many for each doubling */
	SPREAD_FINE = SPREAD_EXACT + 56 * SPREAD_STEPS,
};

struct spread {
	uint64_t count;
	nsec sum, min, max; /* min and max are 0 while there is nothing */
	uint64_t bucket[SPREAD_BUCKETS]; /* up to and with bound i; the last has the rest */
	uint64_t fine[SPREAD_FINE];
};

void spread_add(struct spread *, nsec);
/* Adds what was counted apart. */
void spread_merge(struct spread *, const struct spread *from);
/* The upper bound of a bucket; INT64_MAX for the last. */
nsec spread_bound(int bucket);

/* 0 to 1000; of no durations 0. */
nsec spread_percentile(const struct spread *, unsigned permille);
/*
 * Which of `count` sorted durations is the percentile, from 0: the smallest that as many
 * per mille are not above.
 */
uint64_t spread_rank(uint64_t count, unsigned permille);
/* Rounded to the nearest nanosecond; 0 of none. */
nsec spread_mean(const struct spread *);
