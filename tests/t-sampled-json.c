// SPDX-License-Identifier: Apache-2.0
/*
 * Samples in JSON: profiles of V8, speedscope, Firefox and Hermes, made by hand; runs and sums were
 * counted by hand, too.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "opened-log.h"
#include "tap/tap.h"

/* Sums of a method on a clock, times in us: of counts, that many. */
static void
sum_is(const struct opened *o, enum clock_id clock, const char *name, const char *want)
{
	const struct method_sum *s = sum_of(o, name);
	char got[100];

	snprintf(got, sizeof(got), "%d+%d %.1f %.1f", (int)s->calls, (int)s->recursive_calls,
	    (double)s->inclusive[clock] / 1000, (double)s->exclusive[clock] / 1000);
	is_str(got, want, "%s", name);
}

static void
total_is(const struct opened *o, enum clock_id clock, double us)
{
	ok((double)o->fold->total[clock] / 1000 == us, "the total is %.1f, not %.1f",
	    (double)o->fold->total[clock] / 1000, us);
}

static void
damage_is(const struct opened *o, enum damage_kind kind, int count)
{
	is_int((intmax_t)o->p->damage.kind[kind].count, count, "%s", damage_kinds[kind].name);
}

static void
refused(const char *text, const char *why)
{
	struct opened o = open_text(text);

	ok(o.p == NULL && strstr(o.e.what, why) != NULL, "refused: %s (%s)", why, o.e.what);
}

#define NODE(id, name, more) "{\"id\":" #id ",\"callFrame\":{\"functionName\":\"" name "\"}" more "}"

static void
cpuprofile_check(void)
{
	struct opened o = open_text("{\"nodes\":[" NODE(1, "(root)", ",\"children\":[2,3]") ","
	    NODE(2, "f", "") "," NODE(3, "(idle)", "") "],\"startTime\":1000,\"endTime\":1500,"
	    "\"samples\":[2,2,3,2],\"timeDeltas\":[100,100,-20,200]}");

	is_str(o.p->trace->format, "cpuprofile", "format");
	total_is(&o, CLOCK_CPU, 400);
	sum_is(&o, CLOCK_CPU, "f", "2+0 220.0 220.0");
	sum_is(&o, CLOCK_CPU, "(idle)", "1+0 180.0 180.0");
	damage_is(&o, DAMAGE_BACKWARD_CLOCK, 1);
	ok(strstr(o.p->trace->notes[0].p, "0.180 ms") != NULL, "idle: %s", o.p->trace->notes[0].p);
	done(&o);

	/* Parents instead of children, as in chunks; names that are none; a node that is not there. */
	o = open_text("{\"endTime\":30,\"startTime\":0,\"timeDeltas\":[0,10,10],\"samples\":[3,9,3,3],"
	    "\"nodes\":[" NODE(3, "", ",\"parent\":2") ",{\"id\":2,\"callFrame\":{\"functionName\":\"\","
	    "\"url\":\"file:///a/b.js\",\"lineNumber\":4}}]}");
	total_is(&o, CLOCK_CPU, 30);
	sum_is(&o, CLOCK_CPU, "(anonymous b.js:5)", "2+0 20.0 0.0");
	sum_is(&o, CLOCK_CPU, "(anonymous)", "2+0 20.0 20.0");
	sum_is(&o, CLOCK_CPU, "(unknown)", "1+0 10.0 10.0");
	damage_is(&o, DAMAGE_MALFORMED_LINE, 2);
	done(&o);

	/* Nodes in a circle: it is cut. */
	o = open_text("{\"nodes\":[" NODE(1, "a", ",\"parent\":2") "," NODE(2, "b", ",\"parent\":1")
	    "],\"startTime\":0,\"endTime\":5,\"samples\":[1],\"timeDeltas\":[0]}");
	total_is(&o, CLOCK_CPU, 5);
	damage_is(&o, DAMAGE_MALFORMED_LINE, 1);
	done(&o);

	o = open_text("{\"nodes\":[" NODE(1, "(root)", ",\"children\":[2]") ","
	    NODE(2, "f", ",\"hitCount\":3,\"children\":[3]") "," NODE(3, "g", ",\"hitCount\":2")
	    "],\"startTime\":0,\"endTime\":5}");
	is_str(o.p->trace->unit.name, "samples", "hits are no time");
	total_is(&o, CLOCK_CPU, 5);
	sum_is(&o, CLOCK_CPU, "f", "1+0 5.0 3.0");
	done(&o);

	/* Ids that are texts, in an object of another tool; no times; the end is missing. */
	o = open_text("{\"profile\":{\"startTime\":0,\"endTime\":5,\"nodes\":[{\"id\":\"1\",\"callFrame\":"
	    "{\"functionName\":\"f\"},\"children\":[\"2\"]},{\"id\":\"2\",\"callFrame\":{\"functionName\":\"g\"}}],"
	    "\"samples\":[\"2\"],\"timeDeltas\":[0]}}");
	total_is(&o, CLOCK_CPU, 5);
	sum_is(&o, CLOCK_CPU, "f", "1+0 5.0 0.0");
	sum_is(&o, CLOCK_CPU, "g", "1+0 5.0 5.0");
	done(&o);
	for (int cut = 0; cut < 2; cut++) {
		o = open_text(cut ? "{\"nodes\":[" NODE(1, "f", ",\"hitCount\":3") "],\"startTime\":1,\"samples\":[1,1"
				  : "{\"nodes\":[" NODE(1, "f", ",\"hitCount\":3") "],\"startTime\":1,\"samples\":[1,1]}");
		is_str(o.p->trace->unit.name, "samples", "no times");
		sum_is(&o, CLOCK_CPU, "f", "1+0 3.0 3.0");
		damage_is(&o, DAMAGE_TRUNCATED_FILE, cut);
		done(&o);
	}

	refused("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"a\":\"", "ends before");
	refused("{\"head\":{},\"samples\":[],\"timestamps\":[]}", "V8's old form");
	refused("{\"head\":{\"selfSize\":0}}", "heap profile");
	refused("{\"nodes\":[{\"id\":1}],\"samples\":[1,2", "ends before its samples");
}

static void
note_is(const struct opened *o, size_t i, const char *want)
{
	struct str note = i < o->p->trace->note_count ? o->p->trace->notes[i] : STR("");
	char text[200];

	snprintf(text, sizeof(text), "%.*s", STR_ARG(note));
	is_str(text, want, "note %zu", i);
}

/* Figures of benchmarks and the names of their traces. */
static void
benchmarks_check(void)
{
	struct sbuf many = {0};
	struct opened o = open_text("{\"context\":{},\"benchmarks\":[]}");

	is_int((intmax_t)o.p->trace->note_count, 1, "no benchmark");
	done(&o);
	o = open_text("{\"context\":{},\"benchmarks\":[{\"name\":\"start\",\"metrics\":{\"ms\":{\"minimum\":1.5,"
	    "\"median\":2,\"runs\":[1.5,2]}},\"sampledMetrics\":{\"f\":{\"P50\":3}},\"profilerOutputs\":["
	    "{\"type\":\"MethodTrace\",\"filename\":\"a.trace\"},{},{\"filename\":\"/b\"}]},{\"name\":1}]}");
	is_int((intmax_t)o.p->records, 0, "no records");
	is_int((intmax_t)o.p->trace->note_count, 5, "notes");
	note_is(&o, 1, "start ms: minimum 1.5, median 2");
	note_is(&o, 2, "start f: P50 3");
	note_is(&o, 3, "start MethodTrace: a.trace");
	note_is(&o, 4, "start file: /b");
	done(&o);
	sbuf_text(&many, "{\"context\":{},\"benchmarks\":[{\"name\":\"x\",\"metrics\":{");
	for (int i = 0; i < 300; i++)
		sbuf_printf(&many, "\"m%d\":{\"maximum\":%d},", i, i);
	sbuf_text(&many, "}}]}");
	o = open_text(sbuf_cstr(&many));
	is_int((intmax_t)o.p->trace->note_count, 201, "not more than fit on some pages");
	note_is(&o, 200, "further figures and files are left out");
	done(&o);
	sbuf_release(&many);
}

#define SPEEDSCOPE(profiles) \
	"{\"exporter\":\"me\",\"profiles\":[" profiles "],\"shared\":{\"frames\":[{\"name\":\"a\"},"       \
	"{\"name\":\"b\",\"file\":\"b.c\"}]}}"

static void
speedscope_check(void)
{
	struct opened o = open_text(SPEEDSCOPE("{\"type\":\"evented\",\"name\":\"t\",\"unit\":"
	    "\"milliseconds\",\"startValue\":0,\"endValue\":10,\"events\":[{\"type\":\"O\",\"at\":0,"
	    "\"frame\":0},{\"type\":\"O\",\"at\":2,\"frame\":1},{\"type\":\"C\",\"at\":5,\"frame\":1},"
	    "{\"type\":\"C\",\"at\":9,\"frame\":0}]}"));

	ok(!o.p->trace->sampled && o.p->trace->clocks == HAS_WALL, "calls, on the wall clock");
	total_is(&o, CLOCK_WALL, 9000);
	sum_is(&o, CLOCK_WALL, "a", "1+0 9000.0 6000.0");
	sum_is(&o, CLOCK_WALL, "b", "1+0 3000.0 3000.0");
	done(&o);

	/*
	 * Calls without time; one after the other; an end that ends two; ends of nothing; time that
	 * goes back; calls left open; a frame that is not there.
	 */
	o = open_text(SPEEDSCOPE("{\"type\":\"evented\",\"unit\":\"seconds\",\"startValue\":1,"
	    "\"endValue\":4.5,\"events\":[{\"type\":\"O\",\"at\":1,\"frame\":0},"
	    "{\"type\":\"O\",\"at\":1,\"frame\":1},{\"type\":\"C\",\"at\":1,\"frame\":1},"
	    "{\"type\":\"O\",\"at\":1,\"frame\":1},{\"type\":\"C\",\"at\":2,\"frame\":1},"
	    "{\"type\":\"O\",\"at\":2,\"frame\":1},{\"type\":\"C\",\"at\":3,\"frame\":0},"
	    "{\"type\":\"C\",\"at\":3,\"frame\":0},"
	    "{\"type\":\"O\",\"at\":2.5,\"frame\":0},{\"type\":\"O\",\"at\":4,\"frame\":7}]}"));
	total_is(&o, CLOCK_WALL, 3.5e6);
	sum_is(&o, CLOCK_WALL, "a", "2+0 3500000.0 1000000.0");
	sum_is(&o, CLOCK_WALL, "b", "3+0 2000000.0 2000000.0");
	sum_is(&o, CLOCK_WALL, "(frame 7)", "1+0 500000.0 500000.0");
	damage_is(&o, DAMAGE_LOST_EXIT, 1);
	damage_is(&o, DAMAGE_UNMATCHED_EXIT, 1);
	damage_is(&o, DAMAGE_BACKWARD_CLOCK, 1);
	damage_is(&o, DAMAGE_UNKNOWN_METHOD, 1);
	done(&o);

	/* Threads begin where they begin; those of other units are left out. */
	o = open_text(SPEEDSCOPE("{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"nanoseconds\","
	    "\"startValue\":5,\"endValue\":6,\"events\":[{\"type\":\"O\",\"at\":5,\"frame\":0},"
	    "{\"type\":\"C\",\"at\":6,\"frame\":0}]},{\"type\":\"evented\",\"name\":\"u\",\"unit\":"
	    "\"nanoseconds\",\"startValue\":2,\"endValue\":9,\"events\":[{\"type\":\"O\",\"at\":8,"
	    "\"frame\":0},{\"type\":\"C\",\"at\":9,\"frame\":0}]},"
	    "{\"type\":\"sampled\",\"unit\":\"bytes\",\"samples\":[[0]],\"weights\":[7]}"));
	is_int(trace_thread_count(o.p->trace), 2, "threads");
	is_int(o.p->end, 7, "the end");
	is_int((intmax_t)o.p->trace->note_count, 1, "a note of what is left out");
	done(&o);

	o = open_text(SPEEDSCOPE("{\"type\":\"sampled\",\"unit\":\"milliseconds\",\"samples\":[[0]],\"weights\":[2]},"
	    "{\"type\":\"sampled\",\"unit\":\"microseconds\",\"samples\":[[0]],\"weights\":[500]},"
	    "{\"type\":\"sampled\",\"unit\":\"none\",\"samples\":[[0]],\"weights\":[1]}"));
	total_is(&o, CLOCK_CPU, 2500);
	is_int((intmax_t)o.p->trace->note_count, 1, "times of several units are times; others are left out");
	done(&o);

	o = open_text(SPEEDSCOPE("{\"type\":\"sampled\",\"unit\":\"none\",\"startValue\":0,"
	    "\"samples\":[[0,1],[0],[0,1],[]],\"weights\":[1,2.5,1]}"));
	is_str(o.p->trace->unit.name, "count", "unit");
	total_is(&o, CLOCK_CPU, 4.5);
	sum_is(&o, CLOCK_CPU, "b", "2+0 2.0 2.0");
	damage_is(&o, DAMAGE_MALFORMED_LINE, 1);
	done(&o);
	refused("{\"shared\":{\"frames\":[]},\"profiles\":[{", "ends before");
}

#define TABLES(prefix)                                                                             \
	"\"stackTable\":{\"frame\":[0,1,1]," prefix "},\"frameTable\":{\"func\":[0,1]},\"funcTable\":{"  \
	"\"name\":[0,1],\"resource\":[-1,0],\"source\":[null,0]},\"sources\":{\"filename\":[2]},"       \
	"\"resourceTable\":{\"name\":[2]}"

static void
firefox_check(void)
{
	struct opened o = open_text("{\"meta\":{\"startTime\":1,\"product\":\"Firefox\",\"preprocessed"
	    "ProfileVersion\":66},\"shared\":{\"stringArray\":[\"a\",\"b\\u0021\",\"lib\"],"
	    TABLES("\"prefixOffset\":[0,1,2]") "},\"threads\":["
	    "{\"name\":\"t\",\"tid\":5,\"samples\":{\"stack\":[1,null,2],\"timeDeltas\":[0,1,1]}},"
	    "{\"name\":\"u\",\"tid\":\"5\",\"samples\":{\"weightType\":\"samples\",\"weight\":[2,-1],"
	    "\"time\":[0,1],\"stack\":[2,0]}},"
	    "{\"samples\":{\"weightType\":\"bytes\",\"weight\":[2],\"stack\":[0]}}]}");

	is_str(o.p->trace->unit.name, "samples", "unit");
	total_is(&o, CLOCK_CPU, 5);
	is_int(trace_thread_count(o.p->trace), 2, "threads, of one id");
	sum_is(&o, CLOCK_CPU, "a", "3+0 4.0 0.0");
	sum_is(&o, CLOCK_CPU, "b!", "3+0 4.0 4.0");
	is_int((intmax_t)o.p->trace->note_count, 2, "notes of what is left out");
	done(&o);

	/* Tables of the thread; times as weights, and CPU time. */
	o = open_text("{\"threads\":[{\"stringTable\":{\"_array\":[\"a\",\"b\",\"f.c\"]},"
	    TABLES("\"prefix\":[null,0,9]") ",\"samples\":{\"stack\":[1,0,2,null],\"time\":[1,2,3,5],"
	    "\"weight\":[1,1,2,0],\"weightType\":\"tracing-ms\",\"threadCPUDelta\":[0,7,8,9]}}],"
	    "\"meta\":{\"sampleUnits\":{\"threadCPUDelta\":\"ns\"}}}");
	total_is(&o, CLOCK_WALL, 4000);
	is_int(o.fold->total[CLOCK_CPU], 24, "CPU time");
	is_int(o.p->begin, 1000000, "the beginning");
	sum_is(&o, CLOCK_WALL, "a", "1+0 2000.0 1000.0");
	sum_is(&o, CLOCK_WALL, "b", "2+0 3000.0 3000.0");
	damage_is(&o, DAMAGE_MALFORMED_LINE, 1);
	done(&o);

	/* Gecko's rows, which end early; processes within. */
	o = open_text("{\"profile\":{\"meta\":{\"startTime\":10},\"threads\":[{\"name\":\"m\",\"samples\":"
	    "{\"schema\":{\"stack\":0,\"time\":1},\"data\":[[1,0],[],[0]]},\"stackTable\":{\"schema\":"
	    "{\"prefix\":1,\"frame\":0},\"data\":[[0],[1,0]]},\"frameTable\":{\"schema\":{\"location\":"
	    "0},\"data\":[[1],[0,null,1]]},\"stringTable\":[\"f (x) (in lib.so)\",\"0x12\"]}],"
	    "\"processes\":[{\"meta\":{\"startTime\":11},\"threads\":[],\"processes\":[]}]}}");
	total_is(&o, CLOCK_CPU, 3);
	sum_is(&o, CLOCK_CPU, "0x12", "2+0 2.0 1.0");
	sum_is(&o, CLOCK_CPU, "f (x)", "1+0 1.0 1.0");
	done(&o);

	refused("{\"meta\":{},\"threads\":[{\"samples\":{}},", "ends before its threads");
	refused("{\"profile\":7}", "JSON");
}

static void
hermes_check(void)
{
	struct opened o = open_text("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"thread_name\",\"tid\":"
	    "\"8\",\"args\":{\"name\":\"js\"}}],\"stackFrames\":{\"2\":{\"name\":\"f\",\"parent\":1},"
	    "\"1\":{\"name\":\"root\"}},\"samples\":[{\"ts\":\"100\",\"tid\":\"8\",\"sf\":2},"
	    "{\"ts\":\"110\",\"tid\":\"8\",\"sf\":\"1\"},{\"ts\":105,\"tid\":9,\"sf\":3},"
	    "{\"ts\":\"130\",\"tid\":\"8\",\"sf\":2}]}");

	total_is(&o, CLOCK_CPU, 30);
	sum_is(&o, CLOCK_CPU, "root", "1+0 30.0 20.0");
	sum_is(&o, CLOCK_CPU, "f", "2+0 10.0 10.0");
	ok(thread_of(&o, "js") != THREAD_NONE, "the thread's name");
	damage_is(&o, DAMAGE_MALFORMED_LINE, 1);
	done(&o);

	o = open_text("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"call\",\"ts\":1,\"dur\":2}],"
	    "\"stackFrames\":{\"1\":{\"name\":\"root\"}},\"samples\":[]}");
	ok(o.p->trace->log != NULL, "where there are calls, these are read");
	done(&o);
}

int
main(void)
{
	cpuprofile_check();
	benchmarks_check();
	speedscope_check();
	firefox_check();
	hermes_check();
	return tap_done();
}
