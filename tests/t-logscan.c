/*
 * Lines parsed ahead: the same, in the same order and at the same places, as one after
 * the other; with and without the second thread, from the beginning and again.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "format/logscan.h"
#include "gen/rng.h"
#include "tap/tap.h"

enum { TEXT = 3 << 20 };

/* Lines of all lengths: empty ones by the thousand, records, and one that is long. */
static size_t
text_make(char *text, struct rng *rng)
{
	static const struct str lines[] = {
	    STR("a-1 (1) [000] .... 10.000001: tracing_mark_write: B|1|H:x|I62|k=v"),
	    STR("b c-22 [001] d..1 10.000002: sched_wakeup: comm=a pid=1 prio=120 target_cpu=000"),
	    STR("# comment"), STR(""), STR("no record \r"), STR("x-1 [000] 1.5: f: y\\n\\")};
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
			logscan_line(&want, line);
			if (got == NULL)
				return bad + 1;
			bad += got->text.p != line.p || got->text.n != line.n || got->kind != want.kind ||
			    got->event != want.event ||
			    (want.kind != SCAN_OTHER && got->line.ns != want.line.ns);
			if (at < end)
				bad += logscan_at(s) != (uint64_t)(at - text);
		}
	}
	return bad + (logscan_next(s) != NULL) +
	    (logscan_at(s) != ranges->items[ranges->count - 1].to);
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
	mem_free(text);
	return tap_done();
}
