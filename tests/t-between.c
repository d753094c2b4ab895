/*
 * Streaming traces that are counted by stretches, with names between the records, give what
 * one pass gives; damaged ones, too.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "profile/load/loader.h"
#include "profile/sum/fold.h"
#include "random-trace.h"
#include "same-profile.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 1 << 22 };

/* A record without a sense, then the end of what can be read in the last third. */
static void
harm(uint8_t *bytes, size_t *size)
{
	size_t at = *size / 3 * 2 + random_below((uint32_t)*size / 6);

	memset(bytes + at, 0, 40);
	*size -= random_below(2000);
}

static const struct method_sum *
sum_of(const struct fold *f, const struct trace *t, uint64_t id)
{
	for (uint32_t m = 0; m < f->method_count; m++) {
		if (trace_method(t, m)->id == id && trace_method(t, m)->word == NULL)
			return &f->methods[m];
	}
	return NULL;
}

/* Rows of ids that are named late, or never, may be in another order. */
static int
sums_differing(const struct profile *a, const struct profile *b)
{
	struct fold *x = fold_new_sums(a, NULL, NULL, NULL), *y = fold_new_sums(b, NULL, NULL, NULL);
	int wrong = x->method_count != y->method_count;

	for (uint32_t m = 1; m < x->method_count; m++) {
		const struct method_sum *one = &x->methods[m];
		const struct method_sum *other = sum_of(y, b->trace, trace_method(a->trace, m)->id);

		wrong += other == NULL || one->calls != other->calls ||
		    one->recursive_calls != other->recursive_calls ||
		    memcmp(one->inclusive, other->inclusive, sizeof(one->inclusive)) != 0 ||
		    memcmp(one->exclusive, other->exclusive, sizeof(one->exclusive)) != 0;
	}
	fold_free(x);
	fold_free(y);
	return wrong;
}

/* Their rows are in the order of the records and of the names between them. */
static int
threads_differing(const struct trace *a, const struct trace *b)
{
	int wrong = trace_thread_count(a) != trace_thread_count(b);

	for (uint32_t i = 0; wrong == 0 && i < trace_thread_count(a); i++)
		wrong += trace_thread(a, i)->id != trace_thread(b, i)->id ||
		    !str_equal(trace_thread(a, i)->name, trace_thread(b, i)->name);
	return wrong;
}

/* Blocks with records: where nothing more can be read, one without may begin. */
static uint32_t
blocks_filled(const struct profile *p)
{
	uint32_t count = blocks_count(p->blocks);

	return count > 0 && blocks_record(p->blocks, count - 1) == p->records ? count - 1 : count;
}

/* Names are taken while a trace is read: each profile has one of its own. */
static void
swept_is_whole(const char *options, unsigned jobs, bool ordered, bool harmed)
{
	struct profile *whole, *swept;
	struct trace *one, *several;
	struct err e = {0};
	uint8_t *bytes;
	int rounds = 0;
	size_t size;

	diag("%s, %u workers%s", options, jobs, harmed ? ", harmed" : "");
	bytes = generate(options, SIZE_MOST, &size);
	if (!ok(bytes != NULL, "made"))
		return;
	if (harmed)
		harm(bytes, &size);
	one = format_open_memory(bytes, size, "one", &e);
	several = format_open_memory(bytes, size, "several", &e);
	if (!ok(one != NULL && several != NULL, "opens %s", e.what))
		return;
	whole = load_whole(one);
	swept = load_swept(several, jobs, &rounds);
	ok(rounds > 1, "swept in %d rounds", rounds);
	if (ordered)
		profile_is(swept, whole);
	else
		counts_are(swept, whole);
	is_int(sums_differing(whole, swept), 0, "sums by id");
	is_int(blocks_filled(swept), blocks_filled(whole), "blocks");
	is_int(trace_methods_named(several), trace_methods_named(one), "names");
	is_int(threads_differing(one, several), 0, "threads in the same order");
	profile_free(whole);
	profile_free(swept);
	trace_free(one);
	trace_free(several);
	free(bytes);
}

/* What makes no sense comes before enough was read to tell what made the trace. */
static void
early_end(void)
{
	struct profile *whole, *loaded;
	struct trace *one, *other;
	struct err e = {0};
	size_t size;
	uint8_t *bytes = generate("--format=streaming --records=200k --methods=300 --threads=9",
	    SIZE_MOST, &size);

	if (!ok(bytes != NULL, "made"))
		return;
	memset(bytes + size / 3, 0, 40);
	one = format_open_memory(bytes, size, "one", &e);
	other = format_open_memory(bytes, size, "other", &e);
	whole = load_whole(one);
	loaded = profile_new(other);
	is_int(loader_run(loaded, 2, NULL, &e), LOAD_DONE, "loading ends where no record can be");
	is_int((int64_t)loaded->damage.kind[DAMAGE_UNREADABLE_DATA].count, 1, "which is told");
	profile_is(loaded, whole);
	profile_free(whole);
	profile_free(loaded);
	trace_free(one);
	trace_free(other);
	free(bytes);
}

int
main(void)
{
	static const struct {
		const char *options;
		bool ordered;
	} traces[] = {
	    {"--format=streaming --entered=3 --open --backward=50", true},
	    {"--format=streaming --data-version=2 --clock=wall --lost=60 --stray=40", true},
	    {"--format=streaming-bare --unroll=900", true},
	    {"--format=streaming14", true},
	    {"--format=streaming-late", false},
	    {"--format=streaming --unknown-methods=900", false},
	    {"--format=streaming --unknown-threads=3000", true},
	    {"--format=streaming14 --unknown-threads=3000", true},
	};

	for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
		char options[200];

		snprintf(options, sizeof(options), "%s --records=30k --methods=300 --threads=9",
		    traces[i].options);
		for (unsigned jobs = 1; jobs <= 3; jobs++) {
			swept_is_whole(options, jobs, traces[i].ordered, false);
			swept_is_whole(options, jobs, traces[i].ordered, true);
		}
	}
	early_end();
	return tap_done();
}
