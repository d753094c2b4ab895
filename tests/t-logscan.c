/*
 * Lines parsed ahead: the same, in the same order and at the same places, as one after
 * the other; with and without the second thread, from the beginning and again.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/log/scan.h"
#include "gen/rng.h"
#include "tap/tap.h"

enum { TEXT = 3 << 20 };

/* Lines of all lengths: empty ones by the thousand, records, and one that is long. */
static size_t
text_make(char *text, struct rng *rng)
{
	static const struct str lines[] = {
	    STR("a-1 (1) [000] .... 10.000001: tracing_mark_write: B|1|H:x|I62|k=v"),
	    STR("b c-22 [001] d..1 10.000001: sched_wakeup: comm=a pid=1 prio=120 target_cpu=000"),
	    STR("# comment"), STR(""), STR("no record \r"), STR("x-1 [000] 10.000001: f: y\\n\\")};
	size_t n = 0;

	while (n < TEXT - 400000) {
		uint32_t what = rng_below(rng, 1000);

		if (what == 0) {
			size_t run = rng_below(rng, 5000);

			memset(text + n, '\n', run);
			n += run;
		} else if (what == 1 && rng_below(rng, 8) == 0) {
			size_t run = rng_below(rng, 300000);

			memset(text + n, 'x', run);
			n += run;
		} else {
			const struct str *line = &lines[what % 6];

			memcpy(text + n, line->p, line->n);
			n += line->n;
			text[n++] = '\n';
		}
	}
	return n - rng_below(rng, 2); /* now and then without its last line end */
}

/* Two sections with bytes between them that are none. */
static void
ranges_make(struct log_ranges *ranges, struct log_range items[2], const char *text, size_t n,
    struct rng *rng)
{
	const char *line = memchr(text + rng_below(rng, (uint32_t)n / 2), '\n', n / 2);

	items[0] = (struct log_range){0, (uint64_t)(line - text)};
	items[1] = (struct log_range){(uint64_t)(line - text) + 1 + rng_below(rng, 3), n};
	*ranges = (struct log_ranges){items, 2, 2};
}

/* How many lines are not as reading one after the other has them; stops after `most`. */
static int
compare(struct logscan *s, const char *text, const struct log_ranges *ranges, uint64_t most)
{
	struct scanned want;
	struct str line;
	uint64_t count = 0;
	int bad = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		const char *at = text + ranges->items[i].from, *end = text + ranges->items[i].to;

		while (logtext_line(&at, end, &line)) {
			const struct scanned *got;

			if (count++ == most)
				return bad;
			got = logscan_next(s);
			logscan_line(&want, line, NULL);
			if (got == NULL)
				return bad + 1;
			bad += got->text.p != line.p || got->text.n != line.n || got->kind != want.kind ||
			    got->event != want.event ||
			    (want.kind != SCAN_OTHER &&
				(got->line.ns != want.line.ns || got->line.tid != want.line.tid ||
				    got->line.has_tgid != want.line.has_tgid ||
				    !str_equal(got->line.comm, want.line.comm)));
		}
	}
	return bad + (logscan_next(s) != NULL);
}

/* Lines that are late -------------------------------------------------------------- */

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
		struct logscan *s = logscan_new(text, &ranges);
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
	char *text = mem_alloc(TEXT);
	struct rng rng = {1};

	for (int seed = 0; seed < 12; seed++) {
		size_t n = text_make(text, &rng);
		struct log_range items[2];
		struct log_ranges ranges;
		struct logscan *s;

		ranges_make(&ranges, items, text, n, &rng);
		s = logscan_new(text, &ranges);
		if (seed % 2 != 0)
			logscan_help(s);
		is_int(compare(s, text, &ranges, rng_below(&rng, 20000)), 0, "%d: a part", seed);
		logscan_rewind(s);
		is_int(compare(s, text, &ranges, UINT64_MAX), 0, "%d: all", seed);
		logscan_rewind(s);
		(void)compare(s, text, &ranges, rng_below(&rng, 2000));
		logscan_free(s); /* in the middle */
	}
	late_lines(text, &rng);
	mem_free(text);
	return tap_done();
}
