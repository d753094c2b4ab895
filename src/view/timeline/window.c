#include <config.h>

#include "view/timeline/window.h"

#include <stdio.h>

enum { US = 1000, DECIMALS_MIN = 3, DECIMALS_MAX = 6 };

/* Down to a whole microsecond. */
static nsec
us_floor(nsec at)
{
	nsec over = at % US;

	return over < 0 ? at - over - US : at - over;
}

static nsec
us_ceil(nsec at)
{
	nsec low = us_floor(at);

	return low < at ? low + US : low;
}

struct range
window_around(struct range a, struct range b, nsec begin, nsec end)
{
	struct range w = {
	    .from = us_floor(a.from < b.from ? a.from : b.from),
	    .to = us_ceil(a.to > b.to ? a.to : b.to),
	};

	if (w.to == w.from)
		w.to += US;
	return w.from <= begin && w.to >= end ? RANGE_ALL : w;
}

/* Decimals that show the time exactly, but at most microseconds. */
static unsigned
decimals_for(nsec at)
{
	unsigned decimals = DECIMALS_MAX;

	for (nsec place = 10 * US; decimals > DECIMALS_MIN && at % place == 0; place *= 10)
		decimals--;
	return decimals;
}

const char *
window_text(char out[static WINDOW_TEXT], const struct range *w, nsec begin, nsec end,
    const struct timescale *scale)
{
	nsec from = w->from == INT64_MIN ? begin : w->from;
	nsec to = w->to == INT64_MAX ? (end > from ? end : from) : w->to;
	unsigned a = decimals_for(from + timescale_origin(scale));
	unsigned b = decimals_for(to + timescale_origin(scale));
	char first[FMT_SIZE], last[FMT_SIZE];

	snprintf(out, WINDOW_TEXT, "%s-%s%s", timescale_text(scale, first, from, a > b ? a : b),
	    timescale_text(scale, last, to, a > b ? a : b), timescale_unit(scale));
	return out;
}
