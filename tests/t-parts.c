/*
 * parts: V2 traces cut between blocks and joined give what one pass gives: the same
 * tables, lists, ranges, damage and single calls.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/join.h"
#include "random-trace.h"
#include "same-profile.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 1 << 22 };

/* What cannot be joined is read again. */
static struct profile *
load_parts(struct trace *t, int *joined)
{
	struct source *s = t->source;
	struct profile *p = profile_new(t);
	struct err e = {0};

	for (int i = 0; p->state == LOAD_MORE; i++) {
		uint64_t left = s->end - p->at.offset;
		struct profile *next;
		struct cursor cut;

		if (left == 0 ||
		    !s->ops->cut(s, p->at.offset + random_below((uint32_t)left), &cut) ||
		    cut.offset <= p->at.offset || i > 4)
			cut.offset = s->end;
		next = profile_new_part(t, p->at, cut.offset);
		/* The first is the whole's own. */
		if (i == 0)
			next->stop = p->at.offset;
		while (profile_load_part(next, 3000)) {
		}
		if (i > 0 && profile_join(p, next)) {
			*joined += 1;
		} else {
			p->stop = cut.offset;
			while (p->at.offset < p->stop && profile_load_part(p, 3000)) {
			}
		}
		profile_free(next);
		if (p->at.offset >= s->end)
			profile_load(p, 1, &e);
	}
	return p;
}

/* Bytes of nothing in the middle of blocks, and a file that ends early. */
static void
harm(uint8_t *bytes, size_t *size)
{
	for (int i = 0; i < 3; i++) {
		size_t at = *size / 4 + random_below((uint32_t)*size / 2);

		memset(bytes + at, 0xff, 11);
	}
	*size -= random_below(2000);
}

static void
cut_and_joined(const char *options, bool harmed)
{
	struct profile *whole, *parts;
	struct err e = {0};
	struct trace *t;
	uint8_t *bytes;
	size_t size;
	int joined = 0;

	diag("%s%s", options, harmed ? ", harmed" : "");
	bytes = generate(options, SIZE_MOST, &size);
	if (!ok(bytes != NULL, "made"))
		return;
	if (harmed)
		harm(bytes, &size);
	t = format_open_memory(bytes, size, "parts", &e);
	if (!ok(t != NULL, "opens %s", e.what))
		return;
	whole = load_whole(t);
	for (int i = 0; i < 3; i++) {
		parts = load_parts(t, &joined);
		profile_is(parts, whole);
		profile_free(parts);
	}
	ok(harmed || joined > 2, "%d parts were joined", joined);
	profile_free(whole);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
	static const char *const traces[] = {
	    "--format=v2a-stream --records=20k --methods=200 --threads=5 --entered=3 --open --unknown-methods=300",
	    "--format=v2b-stream --records=20k --methods=200 --threads=5 --entered=4 --recursion=2000",
	    "--format=v2b-stream --records=20k --methods=200 --threads=3 --lost=60 --stray=60 --open",
	    "--format=v2a-stream --records=20k --methods=200 --threads=3 --lost=20 --backward=50 --unroll=900",
	};

	for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
		cut_and_joined(traces[i], false);
		cut_and_joined(traces[i], true);
	}
	return tap_done();
}
