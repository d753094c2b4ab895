// SPDX-License-Identifier: Apache-2.0
/* ticks: steps of 1, 2 and 5, their place and the decimals that tell them apart. */
#include <config.h>

#include "base/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define SECOND       INT64_C(1000000000)

static void
test_cases(void)
{
	static const struct {
		int64_t from, to;
		unsigned width, cells;
		enum fmt_unit unit;
		int64_t first, step, minor;
		uint32_t count;
		unsigned decimals;
	} cases[] = {
	    /* f of 1, over 1, 2, over 2, 5, over 5 */
	    {0, 10 * SECOND, 100, 10, FMT_S, 0, SECOND, SECOND / 5, 10, 0},
	    {0, 10 * SECOND + 1, 100, 10, FMT_S, 0, 2 * SECOND, 2 * SECOND / 5, 6, 0},
	    {0, 20 * SECOND, 100, 10, FMT_S, 0, 2 * SECOND, 2 * SECOND / 5, 10, 0},
	    {0, 20 * SECOND + 1, 100, 10, FMT_S, 0, 5 * SECOND, SECOND, 5, 0},
	    {0, 50 * SECOND, 100, 10, FMT_S, 0, 5 * SECOND, SECOND, 10, 0},
	    {0, 50 * SECOND + 1, 100, 10, FMT_S, 0, 10 * SECOND, 2 * SECOND, 6, 0},
	    /* the axis of a small screen, and zoomed into it */
	    {0, 3214000000, 69, 10, FMT_S, 0, SECOND, SECOND / 5, 4, 0},
	    {0, 3214000000, 70, 9, FMT_S, 0, SECOND / 2, SECOND / 10, 7, 1},
	    {1200000000, 1260000000, 120, 20, FMT_S, 1200000000, 10000000, 2000000, 6, 2},
	    {1200000001, 1260000000, 120, 20, FMT_S, 1210000000, 10000000, 2000000, 5, 2},
	    {1200000000, 1260000000, 120, 20, FMT_MS, 1200000000, 10000000, 2000000, 6,
		0},
	    /* under 10 us, down to single nanoseconds */
	    {0, 50000, 100, 10, FMT_MS, 0, 5000, 1000, 10, 3},
	    {0, 50000, 100, 10, FMT_US, 0, 5000, 1000, 10, 0},
	    {1000, 1030, 60, 10, FMT_US, 1000, 5, 1, 6, 3},
	    {1001, 1004, 60, 10, FMT_NS, 1001, 1, 0, 3, 0},
	    {1001, 1004, 60, 10, FMT_S, 1001, 1, 0, 3, 9},
	    {7, 8, 60, 10, FMT_NS, 7, 1, 0, 1, 0},
	    /* no label fits into the range */
	    {1, 9, 10, 10, FMT_NS, 1, 10, 2, 0, 0},
	    /* before zero */
	    {-15, 15, 30, 10, FMT_NS, -10, 10, 2, 3, 0},
	    {-10, 15, 30, 10, FMT_NS, -10, 10, 2, 3, 0},
	    /* nothing to draw on */
	    {5, 5, 60, 10, FMT_NS, 5, 1, 0, 0, 0},
	    {9, 5, 60, 10, FMT_NS, 9, 1, 0, 0, 0},
	    {0, 5, 0, 10, FMT_NS, 0, 1, 0, 0, 0},
	    /* narrower than one label, or no room given */
	    {0, 100, 3, 10, FMT_NS, 0, 100, 20, 1, 0},
	    {0, 100, 3, 0, FMT_NS, 0, 100, 20, 1, 0},
	    /* all there is */
	    {0, INT64_MAX, 100, 10, FMT_S, 0, SECOND * SECOND, SECOND * SECOND / 5, 10,
		0},
	    {INT64_MIN, INT64_MAX, 10, 10, FMT_S, -5 * SECOND * SECOND,
		5 * SECOND * SECOND, SECOND * SECOND, 3, 0},
	    {INT64_MAX - 1, INT64_MAX, 10, 10, FMT_NS, INT64_MAX - 1, 1, 0, 1, 0},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ticks t = ticks_make(cases[i].from, cases[i].to, cases[i].width,
		    cases[i].cells, cases[i].unit);

		is_int(t.step, cases[i].step, "step of case %zu", i);
		is_int(t.count, cases[i].count, "count");
		is_int(t.first, cases[i].first, "first");
		is_int(t.minor, cases[i].minor, "minor");
		is_int(t.decimals, cases[i].decimals, "decimals");
	}
}

/* What must hold on any range: in it, complete, apart, and told apart. */
static void
test_sweep(void)
{
	int outside = 0, missing = 0, close = 0, alike = 0, ranges = 0;
	int64_t range = 1;

	for (; range < INT64_MAX / 3; range += range / 2 + 1) {
		for (int64_t from = -range; from <= 2 * (range / 2);
		     from += range / 7 + 1) {
			enum fmt_unit unit = fmt_unit_for(range);
			struct ticks t = ticks_make(from, from + range, 100, 12, unit);
			int64_t last = t.first + (t.count - 1) * t.step;
			char a[FMT_SIZE], b[FMT_SIZE];

			ranges++;
			if (t.count == 0) {
				missing += t.step <= range;
				continue;
			}
			outside += t.first < from || last >= from + range ||
				   t.first % t.step != 0;
			missing +=
			    t.first - t.step >= from || last + t.step < from + range;
			close += t.step * 8 < range;
			fmt_time(a, t.first, unit, t.decimals);
			fmt_time(b, t.first + t.step, unit, t.decimals);
			alike += strcmp(a, b) == 0;
		}
	}
	ok(ranges > 500, "%d ranges", ranges);
	is_int(outside, 0, "all labels are in the range, at multiples of the step");
	is_int(missing, 0, "none is missing");
	is_int(close, 0, "each has the room wanted");
	is_int(alike, 0, "no two neighbours look alike");
}

int
main(void)
{
	test_cases();
	test_sweep();
	return tap_done();
}
