/*
 * join, sweep: parts cut anywhere and joined, and threads counted one after another by any
 * number of workers in rounds of any length, give what one pass gives: the same tables,
 * lists, ranges, damage and single calls.
 */
#include <config.h>

#include "format/format.h"
#include "profile/join.h"
#include "profile/sweep.h"

#include <stdlib.h>

#include "random-trace.h"
#include "same-profile.h"
#include "tap/tap.h"

/* Cuts at random places; what cannot be joined is read again, and counted. */
static struct profile *
load_parts(struct trace *t, int *again)
{
	struct source *s = t->source;
	struct profile *p = profile_new(t);
	struct err e = {0};
	uint64_t left = s->end;

	for (int i = 0; p->state == LOAD_MORE; i++) {
		struct cursor cut;
		struct profile *next;

		s->ops->cut(s, p->at.offset + random_below((uint32_t)(left - p->at.offset)), &cut);
		if (i == 0) {
			p->stop = cut.offset;
			while (profile_load_part(p, 3000)) {
			}
			continue;
		}
		if (cut.offset <= p->at.offset || i > 4)
			cut.offset = left;
		next = profile_new_part(t, p->at, cut.offset);
		while (profile_load_part(next, 3000)) {
		}
		if (!profile_join(p, next)) {
			(*again)++;
			p->stop = cut.offset;
			while (p->at.offset < p->stop && profile_load_part(p, 3000)) {
			}
		}
		profile_free(next);
		if (p->at.offset == left)
			profile_load(p, 1, &e);
	}
	return p;
}

static void
record_put(int *at, int method, int action)
{
	uint32_t time = (uint32_t)*at;

	random_records[(*at)++] = (struct random_record){0, method, action, time, time};
}

/* Method 0 calls 1, which calls 2. */
static void
nest_put(int *at)
{
	record_put(at, 1, 0);
	record_put(at, 2, 0);
	record_put(at, 2, 1);
	record_put(at, 1, 1);
}

/*
 * A call of method 0 is open where the parts meet, and is called again behind it: both
 * call what is called there for the first time, by one path.
 */
static void
frame_and_call(void)
{
	const int border = RANDOM_RECORDS / 2 / BATCH_EVENTS * BATCH_EVENTS;
	struct err e = {0};
	struct profile *p, *next;
	struct trace *t;
	uint8_t *bytes;
	size_t size;
	int at = 0;

	record_put(&at, 0, 0);
	while (at + 2 < border) {
		record_put(&at, 3, 0);
		record_put(&at, 3, 1);
	}
	record_put(&at, 4, 0);
	nest_put(&at);
	record_put(&at, 4, 1);
	record_put(&at, 5, 0);
	record_put(&at, 5, 1);
	nest_put(&at);
	record_put(&at, 0, 1);
	record_put(&at, 0, 0);
	nest_put(&at);
	for (int action = 0; at < RANDOM_RECORDS; action ^= 1)
		record_put(&at, 3, action);
	bytes = random_trace_bytes(&size);
	t = format_open_memory(bytes, size, "frame", &e);
	p = profile_new(t);
	p->stop = p->at.offset + (uint64_t)border * 14;
	while (profile_load_part(p, 3000)) {
	}
	next = profile_new_part(t, p->at, t->source->end);
	while (profile_load_part(next, 3000)) {
	}
	ok(profile_join(p, next), "a frame from before and a call of its method are joined");
	is_int(twins(&p->tree), 0, "to one path");
	profile_free(next);
	profile_free(p);
	trace_free(t);
	free(bytes);
}

static void
swept_is_whole(struct trace *t, const struct profile *whole, unsigned jobs)
{
	int rounds = 0;
	struct profile *swept = load_swept(t, jobs, &rounds);

	ok(rounds > 3, "swept by %u, in %d rounds", jobs, rounds);
	profile_is(swept, whole);
	ok(swept->checkpoint_count == whole->checkpoint_count, "checkpoints");
	profile_free(swept);
}

/* Threads that the file does not list get their rows in the order of the records. */
static void
unlisted_in_order(void)
{
	struct profile *one, *swept;
	struct trace *t[2];
	struct err e = {0};
	uint8_t *bytes;
	size_t size;
	int rounds = 0;
	bool same;

	random_trace_make(5, 0);
	for (int i = 0; i < 40; i++) {
		for (int k = 0; k < 8; k++)
			random_records[i * 700 + k].thread = RANDOM_THREADS + 1 + i * 37 % 40;
	}
	bytes = random_trace_bytes(&size);
	t[0] = format_open_memory(bytes, size, "one", &e);
	t[1] = format_open_memory(bytes, size, "swept", &e);
	one = load_whole(t[0]);
	swept = load_swept(t[1], RANDOM_THREADS, &rounds);
	same = trace_thread_count(t[0]) == trace_thread_count(t[1]);
	for (uint32_t i = 0; same && i < trace_thread_count(t[0]); i++)
		same = trace_thread(t[0], i)->id == trace_thread(t[1], i)->id;
	ok(rounds > 3 && same, "%u threads in the same order", trace_thread_count(t[0]));
	ok(trace_thread_count(t[0]) > RANDOM_THREADS + 30, "most of them not listed");
	is_int((int64_t)swept->damage.kind[DAMAGE_UNKNOWN_THREAD].count,
	    (int64_t)one->damage.kind[DAMAGE_UNKNOWN_THREAD].count, "as often");
	is_int((int64_t)swept->damage.kind[DAMAGE_UNKNOWN_THREAD].offset,
	    (int64_t)one->damage.kind[DAMAGE_UNKNOWN_THREAD].offset, "first at the same place");
	profile_free(one);
	profile_free(swept);
	trace_free(t[0]);
	trace_free(t[1]);
	free(bytes);
}

/* Wall time wraps in the last round, and a thread starts behind that. */
static void
late_thread(void)
{
	struct profile *one, *swept;
	struct err e = {0};
	struct trace *t;
	uint8_t *bytes;
	uint32_t lane;
	size_t size;
	int rounds = 0;

	random_trace_make_late(6, 0);
	bytes = random_trace_bytes(&size);
	t = format_open_memory(bytes, size, "late", &e);
	one = load_whole(t);
	swept = load_swept(t, 2, &rounds);
	lane = idmap_get(&t->adopted_threads, RANDOM_LATE + 1);
	ok(rounds > 3 && one->lanes[lane].first_wraps == 1, "a thread is late");
	ok(swept->lanes[lane].first[CLOCK_WALL] == one->lanes[lane].first[CLOCK_WALL],
	    "as late when swept");
	is_int(swept->end, one->end, "and the trace as long");
	ok(!swept->tree.shared, "one pass counted it, which heeds the limit of paths");
	profile_free(one);
	profile_free(swept);
	trace_free(t);
	free(bytes);
}

/* The wall clock comes round, but all threads have begun long before. */
static void
long_trace(void)
{
	enum { STEP = 220000, LEAST = 2048 };
	struct profile *whole, *p;
	struct err e = {0};
	struct sweep *sweep;
	struct trace *t;
	uint8_t *bytes;
	size_t size;

	random_trace_make(7, 0);
	for (int i = 0; i < RANDOM_RECORDS; i++)
		random_records[i].wall = (uint32_t)i * STEP;
	bytes = random_trace_bytes(&size);
	t = format_open_memory(bytes, size, "long", &e);
	whole = load_whole(t);
	p = profile_new(t);
	profile_load(p, LEAST, &e);
	sampling_free(p->sampling);
	p->sampling = NULL;
	sweep = sweep_new(p, 2);
	while (sweep != NULL && p->state == LOAD_MORE && sweep_round(sweep, LEAST))
		profile_settle(p, &e);
	sweep_free(sweep);
	ok(p->records == RANDOM_RECORDS && p->restarts == 0, "swept to the end");
	profile_load(p, LEAST, &e);
	ok(whole->lanes[0].wraps[CLOCK_WALL] == 1, "though the clock came round");
	profile_is(p, whole);
	profile_free(p);
	profile_free(whole);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
	int again = 0, expected = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct err e = {0};
		struct trace *t;
		struct profile *whole, *parts;
		uint8_t *bytes;
		size_t size;

		random_trace_make(seed * 77, seed < 5 ? 0 : seed < 8 ? 1 : 2);
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		if (!ok(t != NULL, "opens %s", e.what))
			break;
		whole = load_whole(t);
		for (int i = 0; i < 3; i++) {
			diag("seed %d.%d", (int)seed, i);
			parts = load_parts(t, seed < 5 ? &again : &expected);
			profile_is(parts, whole);
			profile_free(parts);
		}
		for (unsigned jobs = 1; jobs <= RANDOM_THREADS; jobs++)
			swept_is_whole(t, whole, jobs);
		profile_free(whole);
		trace_free(t);
		free(bytes);
	}
	frame_and_call();
	unlisted_in_order();
	late_thread();
	long_trace();
	is_int(again, 0, "a part of sound records is always joined");
	diag("of others %d were read again", expected);
	return tap_done();
}
