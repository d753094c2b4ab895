// SPDX-License-Identifier: Apache-2.0
/*
 * Chrome's Trace Event Format: texts made by hand, and figures counted by hand: which slice is in
 * which, threads, clocks, numbers, what is no event, and files that break off.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "format/json/scan.h"
#include "folded.h"
#include "opened-log.h"
#include "tap/tap.h"

/* Sums of a method on a clock, in us. */
static void
clock_is(const struct opened *o, const char *name, enum clock_id clock, const char *want)
{
	const struct method_sum *s = sum_of(o, name);
	char got[100];

	snprintf(got, sizeof(got), "%d+%d %.1f %.1f", (int)s->calls, (int)s->recursive_calls,
	    (double)s->inclusive[clock] / 1000, (double)s->exclusive[clock] / 1000);
	is_str(got, want, "%s", name);
}

static void
sum_is(const struct opened *o, const char *name, const char *want)
{
	clock_is(o, name, CLOCK_WALL, want);
}

/* The text opens, with so much in slices, so many rows, and so many events that cannot be. */
static struct opened
opened_as(const char *text, double us, int rows, int bad)
{
	struct opened o = open_text(text);

	ok(o.p != NULL, "opens");
	ok((double)o.fold->total[CLOCK_WALL] / 1000 == us, "%.1f us in all, not %.1f", us,
	    (double)o.fold->total[CLOCK_WALL] / 1000);
	is_int(trace_thread_count(o.p->trace), rows, "rows");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_MALFORMED_LINE].count, bad, "events that cannot be");
	return o;
}

static int
damaged(const struct opened *o, enum damage_kind kind)
{
	return (int)o->p->damage.kind[kind].count;
}

static const char example[] =
    "[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":\"8\","
    "\"args\":{\"name\":\"m\\u00e4in\"}},\n"
    "{\"ph\":\"X\",\"name\":\"a\",\"pid\":7,\"tid\":8,\"ts\":100,\"dur\":50},\n"
    "{\"ph\":\"B\",\"name\":\"b\",\"pid\":7,\"tid\":8,\"ts\":100.5},\n"
    "{\"ph\":\"B\",\"name\":\"b\",\"pid\":7,\"tid\":8,\"ts\":110},\n"
    "{\"ph\":\"E\",\"pid\":7,\"tid\":8,\"ts\":\"120\"},\n"
    "{\"ph\":\"X\",\"name\":\"c\",\"pid\":7,\"tid\":8,\"ts\":120,\"dur\":0},\n"
    "{\"ph\":\"E\",\"name\":\"z\",\"pid\":7,\"tid\":8,\"ts\":125},\n"
    "{\"ph\":\"E\",\"name\":\"b\",\"pid\":7,\"tid\":8,\"ts\":150.8},\n"
    "{\"ph\":\"X\",\"name\":\"d\",\"pid\":7,\"tid\":8,\"ts\":140,\"dur\":30},\n"
    "{\"ph\":\"B\",\"name\":\"e\",\"pid\":7,\"tid\":8,\"ts\":160},\n"
    "{\"ph\":\"C\",\"name\":\"heap\",\"pid\":7,\"ts\":130,"
    "\"args\":{\"used\":\"1e3\",\"free\":2}},\n";

static void
example_check(void)
{
	struct opened o = opened_as(example, 90, 2, 0);
	const struct log *log = o.p->trace->log;
	const struct log_counter *c;

	sum_is(&o, "a", "1+0 50.0 0.5");
	sum_is(&o, "b", "1+1 49.5 49.5");
	sum_is(&o, "d", "1+0 30.0 30.0");
	sum_is(&o, "e", "1+0 10.0 10.0");
	sum_is(&o, "c", "1+0 0.0 0.0");
	is_int((intmax_t)o.s->unmatched_ends, 1, "ends without a beginning");
	is_int((intmax_t)o.s->unfinished, 1, "without an end");
	is_int(damaged(&o, DAMAGE_TRUNCATED_FILE), 0, "an array without its bracket is whole");
	ok(thread_of(&o, "m\xc3\xa4in") == 0 && thread_of(&o, "m\xc3\xa4in (2)") == 1, "threads");
	is_int(pid_of(&o, 0), 7, "of the process");
	is_int(log->counters.count, 2, "counters");
	c = seg_at(&log->counters, 0);
	ok(str_equal(c->name, STR("heap used")) && c->last == 1000, "the first");
	done(&o);
}

/* At any byte: what came before is there. */
static void
cut_check(void)
{
	int refused = 0, bad = 0;
	double last = 0;

	for (size_t n = 1; n < sizeof(example) - 1; n++) {
		struct opened o = open_bytes(example, n);

		refused += o.p == NULL;
		if (o.p == NULL)
			continue;
		bad += (double)o.fold->total[CLOCK_WALL] < last;
		last = (double)o.fold->total[CLOCK_WALL];
		done(&o);
	}
	is_int(refused, 0, "a file that is cut anywhere opens");
	ok(bad <= 1, "and has what came before");
	ok(last == 90000, "all of it");
}

#define EVENT(ph, name, ts, more)                                                           \
	"{\"ph\":\"" ph "\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts more "},"

static void
nest_check(void)
{
	/* A beginning encloses the slice of its time if it is the longer one. */
	struct opened o = opened_as("[" EVENT("B", "p", "0", "") EVENT("X", "q", "0", ",\"dur\":5")
	    EVENT("E", "p", "10", "") EVENT("B", "r", "20", "") EVENT("X", "s", "20", ",\"dur\":9")
	    EVENT("E", "r", "22", "") "]", 19, 1, 0);

	sum_is(&o, "p", "1+0 10.0 5.0");
	sum_is(&o, "s", "1+0 9.0 7.0");
	done(&o);
	/* Without time: in the file between beginning and end; else beside. */
	o = opened_as("[" EVENT("B", "a", "0", "") EVENT("B", "a", "10", "") EVENT("E", "a", "10", "")
	    EVENT("E", "a", "10", "") EVENT("X", "b", "20", ",\"dur\":10")
	    EVENT("X", "b", "30", ",\"dur\":0") "]", 20, 1, 0);
	sum_is(&o, "a", "1+1 10.0 10.0");
	sum_is(&o, "b", "2+0 10.0 10.0");
	done(&o);
	/* The longest first, whatever the order of the file. */
	o = opened_as("[" EVENT("X", "in", "1", ",\"dur\":2") EVENT("X", "mid", "1", ",\"dur\":3")
	    EVENT("X", "out", "0", ",\"dur\":4") "]", 4, 1, 0);
	sum_is(&o, "out", "1+0 4.0 1.0");
	sum_is(&o, "mid", "1+0 3.0 1.0");
	done(&o);
	/* An end by name ends what is in it; by another category it does not. */
	o = opened_as("[" EVENT("B", "a", "0", ",\"cat\":\"x\"") EVENT("B", "b", "1", "")
	    EVENT("E", "a", "5", ",\"cat\":\"y\"") EVENT("E", "a", "7", ",\"cat\":\"x\"") "]", 7, 1, 0);
	is_int(damaged(&o, DAMAGE_LOST_EXIT), 1, "exits lost");
	is_int(damaged(&o, DAMAGE_UNMATCHED_EXIT), 1, "ends of none");
	sum_is(&o, "b", "1+0 6.0 6.0");
	done(&o);
}

/* Asynchronous slices beside those of threads are in no sum, but where they alone are chosen. */
static void
aside_check(void)
{
	struct opened o = opened_as("[" EVENT("X", "x", "0", ",\"dur\":3")
	    EVENT("b", "a", "1", ",\"cat\":\"c\",\"id\":1")
	    EVENT("e", "a", "9", ",\"cat\":\"c\",\"id\":1") "]", 3, 2, 0);
	struct scope *scope = scope_new(o.p->stack_count, false);
	struct fold *fold;

	sum_is(&o, "x", "1+0 3.0 3.0");
	is_int((intmax_t)sum_of(&o, "a")->calls, 0, "an asynchronous slice is no call");
	scope->in[thread_of(&o, "async: c")] = 1;
	fold = fold_new(o.p, scope, NULL, NULL);
	is_int(fold->total[CLOCK_WALL], 8000, "alone it counts");
	fold_free(fold);
	scope_free(scope);
	done(&o);
}

static void
events_check(void)
{
	/* Ids as numbers and texts, threads without one; the events last, and what is none. */
	struct opened o = opened_as("\xef\xbb\xbf{\"otherData\":{\"v\":\"1\",\"n\":[1]},"
	    "\"traceEvents\":[{},null,,"
	    "{\"ts\":1e1,\"dur\":\"1.5\",\"name\":\"a\",\"tid\":\"1.0\",\"pid\":\"1\","
	    "\"args\":{\"ph\":\"B\"},\"ph\":\"X\"},"
	    "{\"ph\":\"X\",\"name\":\"a\\\"\\n\",\"pid\":1,\"ts\":-5,\"dur\":2}, 5 \"x\""
	    "{\"ph\":\"X\",\"ts\":12,\"dur\":1,\"pid\":1,\"tid\":\"stream 7\"}"
	    "{\"name\":\"no phase\"},{\"ph\":\"X\",\"ts\":NaN},{\"ph\":\"X\",\"ts\":9e30},"
	    "{\"ph\":\"s\",\"ts\":1,\"id\":1}]}", 4.5, 2, 5);

	sum_is(&o, "a", "1+0 1.5 1.5");
	sum_is(&o, "a\"\n", "1+0 2.0 2.0");
	sum_is(&o, "(unnamed)", "1+0 1.0 1.0");
	ok(thread_of(&o, "stream 7") == 1, "a thread without a number");
	ok(str_equal(trace_property(o.p->trace, "v"), STR("1")), "properties");
	is_int((intmax_t)o.s->unread, 1, "flows are counted");
	done(&o);
	o = opened_as("{\"traceEvents\":[" EVENT("X", "a", "1", ",\"dur\":2") "{\"ph\":", 2, 1, 0);
	is_int(damaged(&o, DAMAGE_TRUNCATED_FILE), 1, "a file that ends in an event");
	done(&o);
	/* CPU time; where it is not told, the clock stands still. */
	o = opened_as("[" EVENT("X", "a", "10", ",\"dur\":20,\"tts\":1000,\"tdur\":5")
	    EVENT("B", "b", "30", ",\"tts\":1006") EVENT("X", "c", "31", ",\"dur\":2")
	    EVENT("E", "b", "40", ",\"tts\":1009") "]", 30, 1, 0);
	clock_is(&o, "a", CLOCK_CPU, "1+0 5.0 5.0");
	clock_is(&o, "b", CLOCK_CPU, "1+0 3.0 3.0");
	clock_is(&o, "c", CLOCK_CPU, "1+0 0.0 0.0");
	done(&o);
	/* Asynchronous slices: by id and category, or by name; rows of one id nest. */
	o = opened_as("[" EVENT("b", "a", "0", ",\"cat\":\"c\",\"id\":1")
	    EVENT("b", "in", "1", ",\"cat\":\"c\",\"id\":1")
	    EVENT("e", "", "2", ",\"cat\":\"c\",\"id\":1")
	    EVENT("e", "a", "4", ",\"cat\":\"c\",\"id\":\"1\"")
	    EVENT("S", "s", "5", ",\"id2\":{\"local\":\"0x1\"}")
	    EVENT("F", "s", "6", ",\"id2\":{\"local\":\"0x1\"}")
	    EVENT("F", "s", "6", ",\"id\":\"0x1\"") EVENT("i", "moment", "6", "") "]", 5, 3, 0);
	sum_is(&o, "a", "1+0 4.0 3.0");
	sum_is(&o, "s", "1+0 1.0 1.0");
	is_int((intmax_t)o.s->unmatched_async_ends, 1, "asynchronous ends without a beginning");
	done(&o);
	aside_check();
}

#define CALL_FRAME(name) "\"callFrame\":{\"functionName\":\"" name "\"}"

#define OLD_PROFILE(pid, tid)                                                                      \
	"{\"ph\":\"I\",\"name\":\"CpuProfile\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":1600,\"args\":{"  \
	"\"data\":{\"cpuProfile\":{\"startTime\":1000,\"endTime\":1600,\"nodes\":[{\"id\":1,"              \
	"\"children\":[2]," CALL_FRAME("(root)") "},{\"id\":2,\"children\":[3,1]," CALL_FRAME("f") "},"   \
	"{\"id\":3," CALL_FRAME("g") "}],\"samples\":[2,3,1,2],\"timeDeltas\":[100,100,200,100]}}}}"

/* Samples of V8: a thread beside that of the slices; the root and idle time are no frames. */
static void
profile_check(void)
{
	struct opened o = opened_as("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,"
	    "\"tid\":2,\"args\":{\"name\":\"main\"}},{\"ph\":\"X\",\"name\":\"task\",\"pid\":1,\"tid\":2,"
	    "\"ts\":1000,\"dur\":900},{\"ph\":\"P\",\"name\":\"Profile\",\"id\":\"0x1\",\"pid\":1,\"tid\":2,"
	    "\"ts\":1000,\"args\":{\"data\":{\"startTime\":1000}}},{\"ph\":\"P\",\"name\":\"ProfileChunk\","
	    "\"id\":\"0x1\",\"pid\":1,\"tid\":9,\"ts\":1500,\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":["
	    "{\"id\":1," CALL_FRAME("(root)") "},{\"id\":2,\"parent\":1," CALL_FRAME("f") "},"
	    "{\"id\":3,\"parent\":2," CALL_FRAME("") "}],\"samples\":[2,3,3]},"
	    "\"timeDeltas\":[100,100,100]}}},{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"id\":\"0x1\","
	    "\"pid\":1,\"ts\":1800,\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":4,\"parent\":1,"
	    CALL_FRAME("(idle)") "}],\"samples\":[2,4,2,7]},\"timeDeltas\":[100,100,100,50]}}}]}",
	    1350, 2, 0);

	ok(thread_of(&o, "main (samples)") != THREAD_NONE, "a thread of its own");
	sum_is(&o, "f", "2+0 450.0 250.0");
	sum_is(&o, "(anonymous)", "1+0 200.0 200.0");
	sum_is(&o, "task", "1+0 900.0 900.0");
	done(&o);
	/* Older ones are a moment at their end, with children in place of parents; one for each thread. */
	o = opened_as("[" OLD_PROFILE("1", "2") "," OLD_PROFILE("1", "4") "]", 800, 2, 0);
	ok(thread_of(&o, "thread 2 (samples)") != THREAD_NONE, "each has a thread of its own");
	sum_is(&o, "f", "4+0 800.0 400.0");
	sum_is(&o, "g", "2+0 400.0 400.0");
	done(&o);
}

/* JSON in pages, as it is and in Base64; a log of ftrace in JSON, whose escapes are undone. */
static void
embedded_check(void)
{
	struct opened o = opened_as("<!DOCTYPE html>\n<html><script>var x;</script>\n"
	    "<script class=\"trace-data\" type=\"application/text\">\n"
	    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":7}]}\n"
	    "</script></html>\n", 7, 1, 0);

	sum_is(&o, "a", "1+0 7.0 7.0");
	done(&o);
	o = opened_as("<html>\n<script id=\"viewer-data\" type=\"text/plain\">\nW3sicGgiOiJYIiwibmFtZSI6ImEiLCJwaWQiOjEs\n"
	    "InRpZCI6MSwidHMiOjAsImR1ciI6N31d\n</script>\n", 7, 1, 0);
	done(&o);
	/* Sections are one trace: objects, one of them without events, an array, and one that is cut. */
	o = opened_as("<!DOCTYPE html>\n<html><script class=\"trace-data\" type=\"application/text\">\n"
	    "{\"traceEvents\":5}\n</script>\n<script class=\"trace-data\" type=\"application/text\">\n"
	    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,"
	    "\"ts\":0,\"dur\":7}],\"otherData\":{\"k\":\"v\"}}\n</script>\n"
	    "<script class=\"trace-data\" type=\"application/text\">\n"
	    "[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":4},]</script>\n"
	    "<script class=\"trace-data\" type=\"application/text\">\n"
	    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1},{\"ph\""
	    "</script></html>\n", 7, 1, 0);
	sum_is(&o, "a", "1+0 7.0 3.0");
	sum_is(&o, "b", "1+0 4.0 3.0");
	sum_is(&o, "c", "1+0 1.0 1.0");
	is_int((intmax_t)o.p->trace->property_count, 2, "what stands beside the events is kept");
	done(&o);
	o = open_text("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1}],"
	    "\"systemTraceEvents\":\"# tracer: nop\\n  a-7 [000] .... 1.000001: tracing_mark_write: "
	    "B|7|\\u0078y\\n  a-7 [000] .... 1.000005: tracing_mark_write: E|7\\n\"}");
	ok(o.p != NULL && o.p->trace->log != NULL, "the log opens");
	sum_is(&o, "xy", "1+0 4.0 4.0");
	done(&o);
	o = opened_as("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":7}],"
	    "\"systemTraceEvents\":\"# tracer: nop\"}", 7, 1, 0);
	is_int((intmax_t)o.p->trace->note_count, 1, "a note of the log beside calls");
	is_int((intmax_t)o.p->trace->property_count, 0, "which is no property");
	done(&o);
	o = open_text("<!DOCTYPE html>\n<html>\n<script class=\"trace-data\" type=\"application/text\">\n"
	    "{\"traceEvents\":[]}\n</script>\n<script class=\"trace-data\" type=\"application/text\">\n"
	    "# tracer: nop\n  a-7 [000] .... 1.000001: tracing_mark_write: B|7|x\n"
	    "  a-7 [000] .... 1.000002: tracing_mark_write: E|7\n</script>\n</html>\n");
	ok(o.p != NULL && sum_of(&o, "x")->calls == 1, "a log beside JSON is read");
	done(&o);
	o = open_text("<html><script class=\"trace-data\" type=\"application/text\">{\"a\":1}</script>");
	ok(o.p == NULL, "other JSON in a page is none");
	o = open_text("<html><script id=\"viewer-data\" type=\"text/plain\">?</script>");
	ok(o.p == NULL && strstr(o.e.what, "empty trace") != NULL, "nor is nothing: %s", o.e.what);
}

static void
numbers_check(void)
{
	static const struct {
		const char *text;
		int64_t ns; /* INT64_MIN: none */
	} numbers[] = {{"120", 120000}, {"0.5", 500}, {"-1891000", -1891000000}, {"1e3", 1000000},
	    {"1700000000000000.123", INT64_C(1700000000000000123)}, {"0.0004", 0}, {"0.0005", 1},
	    {"12E-1", 1200}, {"9223372036854775", INT64_C(9223372036854775000)},
	    {"9223372036854776", INT64_MIN}, {"1e400", INT64_MIN}, {"", INT64_MIN}, {"-", INT64_MIN},
	    {"1.2.3", INT64_MIN}, {"0x10", INT64_MIN}, {"Infinity", INT64_MIN},
	    {"0.00000000000000000000000000000000000000001", INT64_MIN}, {"0.000000000000000000000001", 0}};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int64_t ns = 0;

		if (!jscan_ns(str_from(numbers[i].text), &ns))
			ns = INT64_MIN;
		is_int((intmax_t)ns, (intmax_t)numbers[i].ns, "'%s'", numbers[i].text);
	}
}

static void
texts_check(void)
{
	static const struct {
		const char *raw, *text;
	} texts[] = {{"a\\tb\\/\\q", "a\tb/q"}, {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
	    {"\\ud83dx", "\xef\xbf\xbdx"}, {"\\u00e", "\xef\xbf\xbd" "00e"}, {"\\", ""}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct sbuf out = {0};

		jscan_unescape(&out, str_from(texts[i].raw));
		is_str(sbuf_cstr(&out), texts[i].text, "'%s'", texts[i].raw);
		sbuf_release(&out);
	}
}

/* As deep as recursion goes in what is traced. */
static void
deep_check(void)
{
	enum { DEPTH = 4100 };
	struct sbuf text = {0};
	struct opened o;

	for (int i = 0; i < DEPTH; i++)
		sbuf_printf(&text, "%c{\"ph\":\"X\",\"name\":\"f\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1}", i == 0 ? '[' : ',',
		    i, 2 * (DEPTH - i));
	sbuf_str(&text, STR("]"));
	o = open_text(sbuf_cstr(&text));
	is_int((intmax_t)sum_of(&o, "f")->recursive_calls, 4095, "slices in each other");
	is_int(damaged(&o, DAMAGE_TOO_DEEP), DEPTH - 4096, "and those that are too deep");
	done(&o);
	sbuf_release(&text);
}

/* So many threads with a slice each that all batches of the file are of one time. */
static void
crowd_check(void)
{
	enum { THREADS = 40000 };
	struct sbuf text = {0};
	struct opened o;

	for (int i = 0; i < THREADS; i++)
		sbuf_printf(&text, "%c{\"ph\":\"X\",\"ts\":1,\"dur\":9,\"pid\":1,\"tid\":%d}", i == 0 ? '[' : ',', i);
	sbuf_str(&text, STR("]"));
	o = open_text(sbuf_cstr(&text));
	is_int((intmax_t)o.p->records, (intmax_t)2 * THREADS, "slices that begin and end at one time");
	is_int((intmax_t)o.fold->total[CLOCK_WALL], (intmax_t)9000 * THREADS, "and their time");
	done(&o);
	sbuf_release(&text);
}

int
main(void)
{
	example_check();
	cut_check();
	nest_check();
	events_check();
	profile_check();
	embedded_check();
	numbers_check();
	texts_check();
	deep_check();
	crowd_check();
	return tap_done();
}
