#include <config.h>

#include "base/ticks.h"

enum { DECIMALS_MAX = 9 };

/* No larger one fits in int64_t; a range over that gets a label or two more. */
#define STEP_MAX INT64_C(5000000000000000000)

/* The smallest step that makes at most `parts` of `range`. */
static int64_t
step_for(uint64_t range, uint64_t parts)
{
	/* step * parts >= range, without the product */
	uint64_t least = range / parts + (range % parts != 0);
	int64_t power = 1;

	for (;; power *= 10) {
		if (least <= (uint64_t)power)
			return power;
		if (least <= 2 * (uint64_t)power)
			return 2 * power;
		if (least <= 5 * (uint64_t)power || 5 * power == STEP_MAX)
			return 5 * power;
	}
}

/* Decimals of the unit's tenths, hundredths and so on until the step is whole. */
static unsigned
decimals_for(int64_t step, enum fmt_unit unit)
{
	static const int64_t nanoseconds[] = {
	    [FMT_NS] = 1, [FMT_US] = 1000, [FMT_MS] = 1000000, [FMT_S] = 1000000000};
	int64_t place = nanoseconds[unit];
	unsigned decimals = 0;

	while (step % place != 0 && decimals < DECIMALS_MAX) {
		place /= 10;
		decimals++;
	}
	return decimals;
}

struct ticks
ticks_make(int64_t from, int64_t to, unsigned width, unsigned cells, enum fmt_unit unit)
{
	struct ticks t = {.first = from, .step = 1};
	uint64_t range, ahead, left;
	int64_t past;

	if (to <= from || width == 0)
		return t;
	range = (uint64_t)to - (uint64_t)from;
	t.step = step_for(range, cells > 0 && width > cells ? width / cells : 1);
	t.minor = t.step / 5;
	t.decimals = decimals_for(t.step, unit);

	/* Distance to the next multiple; `from` may lie before zero. */
	past = from % t.step;
	ahead = past > 0 ? (uint64_t)(t.step - past) : (uint64_t)-past;
	if (ahead >= range)
		return t;
	t.first = (int64_t)((uint64_t)from + ahead);
	left = range - ahead;
	t.count = (uint32_t)((left - 1) / (uint64_t)t.step + 1);
	return t;
}
