// SPDX-License-Identifier: Apache-2.0
/*
 * Lines that are late come in the order of their times, with and without the second thread that
 * parses ahead.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/log/scan.h"
#include "gen/rng.h"
#include "tap/tap.h"

enum { LATE_LINES = 20000, LATE_MOST = 100 };

struct late {
	uint64_t us; /* of the record, or of the one before */
	size_t offset;
};

static int
late_order(const void *left, const void *right)
{
	const struct late *a = left, *b = right;

	if (a->us != b->us)
		return a->us < b->us ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* A log of which lines are as much as LATE_MOST lines late; returns how many are. */
static uint64_t
late_make(char *text, size_t *size, struct late *lines, struct rng *rng)
{
	uint64_t last = 0, late = 0;
	size_t n = 0;

	for (int i = 0; i < LATE_LINES; i++) {
		uint64_t us = 10000000 + (uint64_t)i * 10;

		if (rng_below(rng, 20) == 0)
			us -= rng_below(rng, LATE_MOST * 10);
		if (rng_below(rng, 9) == 0)
			us = us / 100 * 100; /* the same as others */
		lines[i] = (struct late){last, n};
		if (i > 0 && rng_below(rng, 10) == 0) {
			n += (size_t)sprintf(text + n, "a remark\n");
			continue;
		}
		late += us < last;
		lines[i].us = last = us;
		n += (size_t)sprintf(text + n, "    <-transport1-1001 ( 1000) [007] d.h. %u.%06u: "
		    "tracing_mark_write: B|1000|H:something %d|I62\n",
		    (unsigned)(us / 1000000), (unsigned)(us % 1000000), i);
	}
	*size = n;
	qsort(lines, LATE_LINES, sizeof(*lines), late_order);
	return late;
}

static void
late_lines(char *text, struct rng *rng)
{
	struct late *lines = mem_alloc(LATE_LINES * sizeof(*lines));

	for (int round = 0; round < 4; round++) {
		size_t n;
		uint64_t late = late_make(text, &n, lines, rng);
		struct log_range range = {0, n};
		struct log_ranges ranges = {&range, 1, 1};
		struct logscan *s = logscan_new(text, &ranges, false);
		const struct scanned *got;
		int bad = 0, count = 0;

		if (round % 2 != 0)
			logscan_help(s);
		for (; (got = logscan_next(s)) != NULL && count < LATE_LINES; count++)
			bad += got->text.p != text + lines[count].offset;
		is_int(count, LATE_LINES, "late %d: all lines come", round);
		is_int(bad, 0, "late %d: each in its place", round);
		is_int((int64_t)logscan_disorder(s).late, (int64_t)late, "late %d: counted", round);
		logscan_free(s);
	}
	mem_free(lines);
}

int
main(void)
{
	char *text = mem_alloc(LATE_LINES * 120);
	struct rng rng = {1};

	late_lines(text, &rng);
	mem_free(text);
	return tap_done();
}
