// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/spread.h"

enum { FINE_BITS = 8 };

nsec
spread_bound(int bucket)
{
	static const nsec series[SPREAD_SERIES] = {1, 2, 5};
	nsec bound = 1000;

	if (bucket >= SPREAD_BUCKETS - 1)
		return INT64_MAX;
	for (int i = SPREAD_SERIES; i <= bucket; i += SPREAD_SERIES) {
		if (bound > INT64_MAX / 10)
			return INT64_MAX;
		bound *= 10;
	}
	if (bound > INT64_MAX / series[bucket % SPREAD_SERIES])
		return INT64_MAX;
	return bound * series[bucket % SPREAD_SERIES];
}

/* Near enough by its bits: nine bounds for ten of them. */
static int
bucket_of(nsec time)
{
	int guess = time < 1024 ? 0 : (63 - __builtin_clzll((unsigned long long)time) - 9) * 9 / 10;

	while (guess > 0 && time <= spread_bound(guess - 1))
		guess--;
	while (time > spread_bound(guess))
		guess++;
	return guess;
}

static unsigned
fine_of(nsec time)
{
	uint64_t t = (uint64_t)time;
	unsigned top;

	if (t < SPREAD_EXACT)
		return (unsigned)t;
	top = 63 - (unsigned)__builtin_clzll(t);
	return SPREAD_EXACT + (top - FINE_BITS) * SPREAD_STEPS +
	    (unsigned)((t >> (top - 7)) & (SPREAD_STEPS - 1));
}

/* The middle of what is counted there. */
static nsec
fine_time(unsigned place)
{
	unsigned top, step;

	if (place < SPREAD_EXACT)
		return (nsec)place;
	top = (place - SPREAD_EXACT) / SPREAD_STEPS + FINE_BITS;
	step = (place - SPREAD_EXACT) % SPREAD_STEPS;
	return (nsec)(((uint64_t)(SPREAD_STEPS + step) << (top - 7)) +
	    (1ull << (top - 7)) / 2);
}

void
spread_add(struct spread *s, nsec time)
{
	if (s->count == 0 || time < s->min)
		s->min = time;
	s->max = nsec_max(s->max, time);
	s->count++;
	s->sum += time;
	s->bucket[bucket_of(time)]++;
	s->fine[fine_of(time)]++;
}

void
spread_merge(struct spread *s, const struct spread *from)
{
	if (from->count == 0)
		return;
	if (s->count == 0 || from->min < s->min)
		s->min = from->min;
	s->max = nsec_max(s->max, from->max);
	s->count += from->count;
	s->sum += from->sum;
	for (int i = 0; i < SPREAD_BUCKETS; i++)
		s->bucket[i] += from->bucket[i];
	for (int i = 0; i < SPREAD_FINE; i++)
		s->fine[i] += from->fine[i];
}

uint64_t
spread_rank(uint64_t count, unsigned permille)
{
	uint64_t rank;

	if (count == 0)
		return 0;
	rank = count / 1000 * permille + (count % 1000 * permille + 999) / 1000;
	return rank > 0 ? rank - 1 : 0;
}

nsec
spread_percentile(const struct spread *s, unsigned permille)
{
	uint64_t left = spread_rank(s->count, permille);
	unsigned place = 0;
	nsec time;

	if (s->count == 0)
		return 0;
	if (left == s->count - 1)
		return s->max;
	while (left >= s->fine[place])
		left -= s->fine[place++];
	time = fine_time(place);
	return time < s->min ? s->min : time > s->max ? s->max : time;
}

nsec
spread_mean(const struct spread *s)
{
	nsec count = (nsec)s->count;

	return count > 0 ? s->sum / count + (s->sum % count * 2 >= count) : 0;
}
