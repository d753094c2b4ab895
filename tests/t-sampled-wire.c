// SPDX-License-Identifier: Apache-2.0
/*
 * Samples of Protocol Buffers, simpleperf's report and pprof's profile: messages made by hand,
 * whose runs and sums were counted by hand, too.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/format.h"
#include "opened-log.h"
#include "tap/tap.h"

/* Sums of a method: calls, times in us or counts. */
static void
sum_is(const struct opened *o, const char *name, const char *want)
{
	const struct method_sum *s = sum_of(o, name);
	char got[100];

	snprintf(got, sizeof(got), "%d+%d %.1f %.1f", (int)s->calls, (int)s->recursive_calls,
	    (double)s->inclusive[CLOCK_CPU] / 1000, (double)s->exclusive[CLOCK_CPU] / 1000);
	is_str(got, want, "%s", name);
}

static void
total_is(const struct opened *o, double us)
{
	ok((double)o->fold->total[CLOCK_CPU] / 1000 == us, "the total is %.1f", us);
}

static intmax_t
damage_of(const struct opened *o, enum damage_kind kind)
{
	return (intmax_t)o->p->damage.kind[kind].count;
}

static void
text_field(struct sbuf *out, unsigned field, const char *text)
{
	size_t at = wire_begin(out, field);

	sbuf_text(out, text);
	wire_end(out, at);
}

/* A message of numbers, of fields from 1 on. */
static void
numbers_field(struct sbuf *out, unsigned field, int count, const uint64_t *numbers)
{
	size_t at = wire_begin(out, field);

	for (int i = 0; i < count; i++)
		wire_number(out, (unsigned)i + 1, numbers[i]);
	wire_end(out, at);
}
#define NUMBERS(out, field, ...)                                                         \
	numbers_field(out, field, (int)(sizeof((uint64_t[]){__VA_ARGS__}) / 8),           \
	    (uint64_t[]){__VA_ARGS__})

/* simpleperf ------------------------------------------------------------------------ */

/* A record with its size. */
static void
record_end(struct sbuf *file, struct sbuf *record)
{
	uint8_t size[4] = {(uint8_t)record->n, (uint8_t)(record->n >> 8)};

	sbuf_bytes(file, size, 4);
	sbuf_str(file, sbuf_view(record));
	sbuf_clear(record);
}

struct entry {
	uint64_t address, file, symbol;
};

enum { NO_SYMBOL = -1 };

static void
sp_sample(struct sbuf *file, uint64_t time, uint64_t thread, uint64_t count, uint64_t event,
    int entries, const struct entry *entry)
{
	struct sbuf record = {0};
	size_t at = wire_begin(&record, 1);

	wire_number(&record, 1, time);
	wire_number(&record, 2, thread);
	for (int i = 0; i < entries; i++)
		NUMBERS(&record, 3, entry[i].address, entry[i].file, entry[i].symbol);
	wire_number(&record, 4, count);
	wire_number(&record, 5, event);
	wire_end(&record, at);
	record_end(file, &record);
	sbuf_release(&record);
}

static void
sp_begin(struct sbuf *file, const char *event)
{
	struct sbuf record = {0};
	size_t at = wire_begin(&record, 5);

	sbuf_bytes(file, "SIMPLEPERF\1\0", 12);
	text_field(&record, 1, event);
	text_field(&record, 1, "sched:sched_switch");
	text_field(&record, 2, "org.example");
	wire_end(&record, at);
	record_end(file, &record);
	sbuf_release(&record);
}

/* Tables at the end: two functions of one file, two threads, four lost samples. */
static void
sp_end(struct sbuf *file)
{
	static const char *const names[] = {"main", "worker"};
	struct sbuf record = {0};
	size_t at;

	NUMBERS(&record, 2, 5, 4);
	record_end(file, &record);
	at = wire_begin(&record, 3);
	wire_number(&record, 1, 7);
	text_field(&record, 2, "/system/lib64/libx.so");
	text_field(&record, 3, "f(int)");
	text_field(&record, 3, "g");
	wire_end(&record, at);
	record_end(file, &record);
	for (unsigned i = 0; i < 2; i++) {
		at = wire_begin(&record, 4);
		wire_number(&record, 1, 40 + i);
		wire_number(&record, 2, 40);
		text_field(&record, 3, names[i]);
		wire_end(&record, at);
		record_end(file, &record);
	}
	sbuf_release(&record);
	sbuf_bytes(file, "\0\0\0\0", 4);
}

/*
 * Thread 40: f > g, f > g, f > libx.so+0x1234, of 250 us each; thread 41: none, 100 us; thread
 * 42, which no table has: a file that is not there, 50 us.  Another event in between.
 */
static void
sp_make(struct sbuf *file, const char *event)
{
	static const struct entry g_f[] = {{16, 7, 1}, {32, 7, 0}},
	    place_f[] = {{0x1234, 7, (uint64_t)NO_SYMBOL}, {32, 7, 0}}, nowhere[] = {{1, 9, 0}};

	sp_begin(file, event);
	sp_sample(file, 1000000, 40, 250000, 0, 2, g_f);
	sp_sample(file, 1100000, 40, 7, 1, 1, g_f);
	sp_sample(file, 1250000, 40, 250000, 0, 2, g_f);
	sp_sample(file, 1200000, 41, 100000, 0, 0, NULL);
	sp_sample(file, 1500000, 40, 250000, 0, 2, place_f);
	sp_sample(file, 1600000, 42, 50000, 0, 1, nowhere);
	sp_end(file);
}

static void
simpleperf_check(void)
{
	struct sbuf file = {0};
	struct opened o;

	sp_make(&file, "cpu-clock:u");
	o = open_bytes(file.p, file.n);
	is_str(o.p->trace->format, "simpleperf", "format");
	ok(o.p->trace->unit.name == NULL && trace_has_both(o.p->trace), "times, two clocks");
	total_is(&o, 900);
	sum_is(&o, "f(int)", "1+0 750.0 0.0");
	sum_is(&o, "g", "1+0 500.0 500.0");
	sum_is(&o, "libx.so+0x1234", "1+0 250.0 250.0");
	sum_is(&o, "[unknown]+0x1", "1+0 50.0 50.0");
	is_int(trace_thread(o.p->trace, thread_of(&o, "worker"))->id, 41, "a thread's name");
	is_int((intmax_t)o.p->trace->pid, 40, "the process");
	is_int(damage_of(&o, DAMAGE_LOST_SAMPLES), 4, "lost samples");
	is_int(damage_of(&o, DAMAGE_UNKNOWN_METHOD), 1, "a file that is not there");
	is_int(damage_of(&o, DAMAGE_UNKNOWN_THREAD), 1, "a thread that is not there");
	is_int(damage_of(&o, DAMAGE_TRUNCATED_FILE), 0, "whole");
	is_int(o.p->end - o.p->begin, 750000, "from the first sample to the last one's end");
	done(&o);

	/* Without the end; with half a record. */
	o = open_bytes(file.p, file.n - 4);
	is_int(damage_of(&o, DAMAGE_TRUNCATED_FILE), 1, "no end");
	total_is(&o, 900);
	done(&o);
	o = open_bytes(file.p, file.n - 8);
	is_int(damage_of(&o, DAMAGE_TRUNCATED_FILE), 1, "half a record");
	total_is(&o, 900);
	done(&o);
	sbuf_clear(&file);

	sp_make(&file, "instructions:u");
	o = open_bytes(file.p, file.n);
	is_str(o.p->trace->unit.name, "instructions", "a count");
	ok(o.p->trace->own_axes, "without times");
	total_is(&o, 900000);
	done(&o);
	file.p[10] = 2;
	o = open_bytes(file.p, file.n);
	ok(o.p == NULL && strstr(o.e.what, "version") != NULL, "another version is refused");
	sbuf_release(&file);
}

/* pprof ----------------------------------------------------------------------------- */

/* Packed numbers. */
static void
packed_field(struct sbuf *out, unsigned field, int count, const uint64_t *numbers)
{
	size_t at = wire_begin(out, field);

	for (int i = 0; i < count; i++)
		wire_packed(out, numbers[i]);
	wire_end(out, at);
}
#define PACKED(out, field, ...)                                                          \
	packed_field(out, field, (int)(sizeof((uint64_t[]){__VA_ARGS__}) / 8),            \
	    (uint64_t[]){__VA_ARGS__})

/* A location with an address and lines, the innermost first. */
static void
pp_location(struct sbuf *file, uint64_t id, uint64_t address, int lines, const uint64_t *functions)
{
	size_t at = wire_begin(file, 4);

	wire_number(file, 1, id);
	wire_number(file, 2, 1);
	wire_number(file, 3, address);
	for (int i = 0; i < lines; i++)
		NUMBERS(file, 4, functions[i]);
	wire_end(file, at);
}

enum {
	T_EMPTY, T_SAMPLES, T_COUNT, T_CPU, T_NS, T_F, T_G, T_H, T_SPACE, T_BYTES, T_THREAD, T_TID,
	T_WORKER, T_APP, T_CALLS, T_TOP, T_WALL, TEXTS
};

static void
pp_texts(struct sbuf *file)
{
	static const char *const texts[TEXTS] = {"", "samples", "count", "cpu", "nanoseconds", "f",
	    "g", "h", "alloc_space", "bytes", "thread", "tid", "worker", "/bin/app", "calls",
	    "(toplevel)", "wall"};

	for (int i = 0; i < TEXTS; i++)
		text_field(file, 6, texts[i]);
}

/*
 * Ids far apart; location 5 has h within g; 9 has no function, 8 none but its file.  The first
 * sample has packed numbers, the second none packed, the third is of a thread.
 */
static void
pp_make(struct sbuf *file)
{
	static const uint64_t inlined[] = {UINT64_C(1) << 40, 7}, plain[] = {3};
	size_t at, inside;

	NUMBERS(file, 1, T_SAMPLES, T_COUNT);
	NUMBERS(file, 1, T_CPU, T_NS);
	at = wire_begin(file, 2);
	PACKED(file, 1, 5, 77);
	PACKED(file, 2, 1, 3000);
	wire_end(file, at);
	at = wire_begin(file, 2);
	wire_number(file, 1, 9);
	wire_number(file, 1, 77);
	wire_number(file, 2, 2);
	wire_number(file, 2, 5000);
	wire_end(file, at);
	pp_location(file, 77, 0x10, 1, plain);
	pp_location(file, 5, 0x20, 2, inlined);
	at = wire_begin(file, 2);
	PACKED(file, 1, 8, 77, 77);
	PACKED(file, 2, 1, 1000);
	inside = wire_begin(file, 3);
	wire_number(file, 1, T_THREAD);
	wire_number(file, 2, T_WORKER);
	wire_end(file, inside);
	inside = wire_begin(file, 3);
	wire_number(file, 1, T_TID);
	wire_number(file, 3, 12);
	wire_end(file, inside);
	wire_end(file, at);
	NUMBERS(file, 5, 3, T_F);
	NUMBERS(file, 5, 7, T_G);
	NUMBERS(file, 5, UINT64_C(1) << 40, T_H);
	pp_location(file, 9, 0xabc, 0, NULL);
	pp_location(file, 8, 0, 0, NULL);
	at = wire_begin(file, 3);
	wire_number(file, 1, 1);
	wire_number(file, 5, T_APP);
	wire_end(file, at);
}

static void
pprof_check(void)
{
	static const char *const damage[] = {"slowtop: damage: partial-record 2 70",
	    "slowtop: damage: truncated-file", "slowtop: damage: truncated-file 1",
	    "slowtop: damage: "};
	struct sbuf file = {0};
	struct opened o;
	size_t at;

	pp_make(&file);
	/* Ids that point nowhere, and a value below 0. */
	at = wire_begin(&file, 2);
	PACKED(&file, 1, 1234, 77);
	PACKED(&file, 2, 1, 100);
	wire_end(&file, at);
	at = wire_begin(&file, 2);
	PACKED(&file, 1, 77);
	PACKED(&file, 2, 1, (uint64_t)-100);
	wire_end(&file, at);
	pp_texts(&file);
	o = open_bytes(file.p, file.n);
	is_str(o.p->trace->format, "pprof", "format");
	ok(o.p->trace->unit.name == NULL && o.p->trace->own_axes, "times without an axis");
	total_is(&o, 9.1);
	sum_is(&o, "f", "2+1 9.1 0.0");
	sum_is(&o, "g", "1+0 3.0 0.0");
	sum_is(&o, "h", "1+0 3.0 3.0");
	sum_is(&o, "0xabc", "1+0 5.0 5.0");
	sum_is(&o, "[app]", "1+0 1.0 1.0");
	sum_is(&o, "[unknown]", "1+0 0.1 0.1");
	is_int(damage_of(&o, DAMAGE_UNKNOWN_METHOD), 1, "a location that is not there");
	is_int(trace_thread_count(o.p->trace), 2, "threads");
	is_int(trace_thread(o.p->trace, thread_of(&o, "worker"))->id, 12, "of a label");
	done(&o);
	sbuf_clear(&file);

	/* The stated value is read, not the last. */
	NUMBERS(&file, 1, T_SPACE, T_BYTES);
	NUMBERS(&file, 1, T_SAMPLES, T_COUNT);
	wire_number(&file, 14, T_SPACE);
	at = wire_begin(&file, 2);
	PACKED(&file, 1, 1);
	PACKED(&file, 2, 2048, 3);
	wire_end(&file, at);
	pp_texts(&file);
	/* Comments: damage of a trace that was saved, whole and without its words. */
	for (uint64_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		text_field(&file, 6, damage[i]);
		wire_number(&file, 13, TEXTS + i);
	}
	o = open_bytes(file.p, file.n);
	is_str(o.p->trace->unit.name, "bytes", "unit");
	total_is(&o, 2048);
	is_int(damage_of(&o, DAMAGE_PARTIAL_RECORD), 2, "damage that was saved");
	is_int(damage_of(&o, DAMAGE_TRUNCATED_FILE), 0, "damage without its place is none");
	is_int(o.p->trace->source->failed.kind, ERR_NONE, "not taken for Perfetto's");
	done(&o);
	sbuf_release(&file);
}

/* What slowtop writes: calls are those of the paths, and stacks begin with (toplevel). */
static void
own_check(bool cpu)
{
	static const uint64_t top[] = {1}, f[] = {2}, g[] = {3};
	static const struct {
		int depth;
		uint64_t stack[3], calls, wall;
	} samples[] = {{1, {1}, 0, 500}, {2, {2, 1}, 3, 1000}, {3, {3, 2, 1}, 700, 2000},
	    {2, {2, 1}, 2, 10}};
	struct sbuf file = {0};
	struct opened o;
	size_t at;

	NUMBERS(&file, 1, T_CALLS, T_COUNT);
	if (cpu)
		NUMBERS(&file, 1, T_CPU, T_NS);
	NUMBERS(&file, 1, T_WALL, T_NS);
	pp_location(&file, 1, 0, 1, top);
	pp_location(&file, 2, 0, 1, f);
	pp_location(&file, 3, 0, 1, g);
	NUMBERS(&file, 5, 1, T_TOP);
	NUMBERS(&file, 5, 2, T_F);
	NUMBERS(&file, 5, 3, T_G);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		at = wire_begin(&file, 2);
		packed_field(&file, 1, samples[i].depth, samples[i].stack);
		PACKED(&file, 2, samples[i].calls, cpu ? samples[i].wall / 2 : samples[i].wall,
		    samples[i].wall);
		wire_end(&file, at);
	}
	pp_texts(&file);
	o = open_bytes(file.p, file.n);
	ok(!o.p->trace->sampled, "calls");
	is_int(o.p->trace->clocks, cpu ? HAS_BOTH : HAS_WALL, "on their clocks");
	is_int(o.fold->total[CLOCK_CPU], cpu ? 1755 : 0, "total of the other clock");
	is_int(sum_of(&o, "g")->exclusive[CLOCK_CPU], cpu ? 1000 : 0, "time of g on it");
	is_int(o.fold->total[CLOCK_WALL], 3510, "total");
	is_int((intmax_t)sum_of(&o, "f")->calls, 5, "calls of f");
	is_int(sum_of(&o, "f")->exclusive[CLOCK_WALL], 1010, "time of f");
	is_int((intmax_t)sum_of(&o, "g")->calls, 700, "calls of g");
	is_int(sum_of(&o, "f")->inclusive[CLOCK_WALL], 3010, "with g's, without what is no call");
	is_int(damage_of(&o, DAMAGE_UNFINISHED_CALL), 0, "all end");
	done(&o);
	sbuf_release(&file);
}

/* A location of many lines, and samples of many such: the frames of a file are bounded. */
static void
hostile_check(void)
{
	struct sbuf file = {0};
	struct opened o;
	size_t at;

	NUMBERS(&file, 1, T_SAMPLES, T_COUNT);
	at = wire_begin(&file, 4);
	wire_number(&file, 1, 1);
	for (int i = 0; i < 2000; i++)
		NUMBERS(&file, 4, 1);
	wire_end(&file, at);
	NUMBERS(&file, 5, 1, T_F);
	NUMBERS(&file, 4, 2);
	for (int i = 0; i < 3000; i++) {
		at = wire_begin(&file, 2);
		PACKED(&file, 1, 1 + (uint64_t)i % 2, 1, 1, 1, 1, 1, 1, 1);
		PACKED(&file, 2, 1);
		wire_end(&file, at);
	}
	pp_texts(&file);
	o = open_bytes(file.p, file.n);
	total_is(&o, 3000);
	ok(damage_of(&o, DAMAGE_TOO_DEEP) > 0, "deep samples are counted");
	ok(o.p->records < 20 * file.n, "as many events as the file is long, some times");
	done(&o);
	sbuf_release(&file);
}

/* Every beginning, and every byte changed, is refused or read to its end. */
static void
cut_check(void)
{
	struct sbuf files[2] = {{0}, {0}};

	sp_make(&files[0], "cpu-clock");
	pp_make(&files[1]);
	pp_texts(&files[1]);
	for (int i = 0; i < 2; i++) {
		size_t n = files[i].n, read = 0;

		for (size_t k = 0; k <= 2 * n; k++) {
			size_t size = k <= n ? k : n;
			char *part = mem_dup(files[i].p, size, 1);
			struct opened o;

			if (k > n)
				part[k - n - 1] ^= (char)(k * 37 | 1);
			o = open_bytes(part, size);
			read += o.p == NULL || o.p->state == LOAD_DONE;
			done(&o);
			mem_free(part);
		}
		is_int((intmax_t)read, (intmax_t)(2 * n) + 1, "all beginnings and changes");
		sbuf_release(&files[i]);
	}
}

int
main(void)
{
	simpleperf_check();
	pprof_check();
	own_check(false);
	own_check(true);
	hostile_check();
	cut_check();
	return tap_done();
}
