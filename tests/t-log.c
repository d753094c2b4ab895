// SPDX-License-Identifier: Apache-2.0
/*
 * Small text logs with known answers: matching of slices, asynchronous tracks, order, and
 * what logs come in.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "format/format.h"
#include "opened-log.h"
#include "tap/tap.h"

static void
sync_slices(void)
{
	struct opened o = open_text("# tracer: nop\n"
	    LINE_AT("000") "E|1|\n"             /* of nothing */
	    LINE_AT("001") "B|1|H:outer|I62|k=v\n"
	    LINE_AT("003") "B|1|H:inner|I62\n"
	    LINE_AT("004") "B|1|H:inner|I62\n"  /* of itself */
	    LINE_AT("006") "E|7|I62\n"          /* whatever it says */
	    LINE_AT("009") "E|1|other\n"        /* names another one */
	    LINE_AT("010") "E|1|M62\n"
	    LINE_AT("010") "B|1|zero\n" LINE_AT("010") "E|1|\n"
	    LINE_AT("012") "B|1|left\n"
	    LINE_AT("020") "C|1|n|5\n");

	ok(o.p != NULL, "opens");
	is_int((int64_t)o.s->unmatched_ends, 1, "an end of nothing");
	is_int((int64_t)o.s->suspicious_ends, 1, "an end that names another slice");
	is_int((int64_t)o.s->unfinished, 1, "a slice without an end");
	is_int(sum_of(&o, "outer")->inclusive[CLOCK_WALL], 9000, "outer: inclusive");
	is_int(sum_of(&o, "outer")->exclusive[CLOCK_WALL], 3000, "outer: exclusive");
	is_int((int64_t)sum_of(&o, "inner")->calls, 1, "inner: calls");
	is_int((int64_t)sum_of(&o, "inner")->recursive_calls, 1, "inner: recursive calls");
	is_int(sum_of(&o, "inner")->inclusive[CLOCK_WALL], 6000, "inner: counted once");
	is_int(sum_of(&o, "inner")->exclusive[CLOCK_WALL], 6000, "inner: exclusive");
	is_int((int64_t)sum_of(&o, "zero")->calls, 1, "a slice that takes no time is one");
	is_int(sum_of(&o, "left")->inclusive[CLOCK_WALL], 8000, "lasts until the end of the log");
	is_int(o.fold->total[CLOCK_WALL], 17000, "percentages are of the outermost slices");
	done(&o);
}

/* Slices that the log begins or ends in are its edges; too many of a thread cannot be. */
static void
edges(void)
{
	static const struct {
		int ends;
		int64_t edges, damaged;
	} cases[] = {{2, 3, 0}, {32, 33, 0}, {33, 1, 33}, {40, 1, 40}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sbuf text = {0};
		struct opened o;

		for (int k = 0; k < cases[i].ends; k++)
			sbuf_text(&text, LINE_AT("001") "E|1|\n");
		sbuf_text(&text, "b-2 (1) [001] .... 10.000002: tracing_mark_write: E|1|\n");
		sbuf_text(&text, LINE_AT("003") "B|1|open\n");
		o = open_text(sbuf_cstr(&text));
		is_int((int64_t)o.p->damage.kind[DAMAGE_EXIT_WITHOUT_ENTRY].count, cases[i].edges,
		    "%d ends of nothing, and one elsewhere: edges", cases[i].ends);
		is_int((int64_t)o.p->damage.kind[DAMAGE_UNMATCHED_EXIT].count, cases[i].damaged,
		    "and damage");
		is_int(damage_count(&o.p->damage), cases[i].damaged > 0, "kinds of damage");
		done(&o);
		sbuf_release(&text);
	}
}

static void
async_slices(void)
{
	struct opened o = open_text(
	    LINE_AT("000") "S|1|H:x|1|M62|cat|a=b\n"
	    LINE_AT("001") "S|1|H:x|2|M62|cat\n"   /* the same name at once */
	    LINE_AT("002") "S|1|H:x|1|M62|cat\n"   /* again: ignored */
	    LINE_AT("003") "S|1|H:y|1|M62|cat\n"
	    LINE_AT("004") "F|1|H:x|1|M62\n"
	    "b-2 (1) [001] .... 10.000006: tracing_mark_write: F|1|H:x|2|M62\n"
	    LINE_AT("007") "F|1|H:y|1|M62\n" LINE_AT("007") "F|1|H:y|1|M62\n"
	    LINE_AT("008") "S|1|H:z 5\n"            /* never ends */
	    LINE_AT("009") "F|2|H:z 5\n"            /* of another process */
	    LINE_AT("010") "G|1|track|t|1\n" LINE_AT("011") "G|1|track|u|1\n"
	    LINE_AT("012") "H|1|track|1\n" LINE_AT("014") "H|1|track|1\n");

	is_int((int64_t)o.s->duplicate_begins, 1, "a beginning of what is open");
	is_int((int64_t)o.s->unmatched_async_ends, 2, "ends of nothing");
	is_int((int64_t)o.s->unfinished_async, 1, "one without an end");
	is_int((int64_t)sum_of(&o, "x")->calls, 2, "x: calls");
	is_int((int64_t)sum_of(&o, "x")->recursive_calls, 0, "x: none is within another");
	is_int(sum_of(&o, "x")->inclusive[CLOCK_WALL], 9000, "x: the sum of all");
	is_int(sum_of(&o, "z")->inclusive[CLOCK_WALL], 6000, "z: until the end");
	is_int(sum_of(&o, "u")->inclusive[CLOCK_WALL], 1000, "on a track the newest ends first");
	is_int(sum_of(&o, "t")->inclusive[CLOCK_WALL], 4000, "then the one before");
	for (uint32_t i = 1; i < o.fold->method_count; i++)
		ok(trace_method(o.p->trace, i)->async, "a method that is asynchronous");
	ok(thread_of(&o, "async: cat") != THREAD_NONE &&
		thread_of(&o, "async: cat (3)") != THREAD_NONE &&
		thread_of(&o, "async: cat (4)") == THREAD_NONE,
	    "a track has as many rows as it needs");
	is_int((int64_t)o.s->threads, 2, "rows are no threads");
	done(&o);
}

static void
order(void)
{
	struct opened o = open_text(
	    "a-1 [000] .... 20.000000: tracing_mark_write: B|1|late\n"
	    "a-1 [000] .... 20.000009: tracing_mark_write: E|1\n"
	    "garbage\n"
	    "a-1 [000] .... 10.000000: tracing_mark_write: B|1|early\n"
	    "a-1 [000] .... 10.000004: tracing_mark_write: E|1\n"
	    "dummy-0 [000] .... 0.0: 0: trace_event_clock_sync: parent_ts=0.0\n");

	is_int(sum_of(&o, "late")->inclusive[CLOCK_WALL], 9000, "late");
	is_int(sum_of(&o, "early")->inclusive[CLOCK_WALL], 4000, "early");
	is_int((int64_t)o.s->reordered, 1, "one line was early");
	is_int((int64_t)o.s->time_jumps, 1, "by more than a second");
	is_int((int64_t)o.s->skipped, 1, "a line is no record");
	is_int((int64_t)o.s->events, 5, "a page's last line is counted");
	is_int(o.p->end - o.p->begin, 10000009000, "but not within the log's time");
	is_int((int64_t)o.p->trace->log->origin, 10000000000, "which begins with the earliest");
	done(&o);
}

static void
deep(void)
{
	struct opened o;
	struct sbuf named = {0};
	char *text = mem_alloc(600 * 2 * 80), *p = text;

	for (int i = 0; i < 600; i++)
		p += sprintf(p, "a-1 [000] .... 1.%06d: tracing_mark_write: B|1|n%d\n", i, i);
	for (int i = 0; i < 600; i++)
		p += sprintf(p, "a-1 [000] .... 1.%06d: tracing_mark_write: E|1\n", 600 + i);
	o = open_text(text);
	is_int((int64_t)o.s->too_deep, 88, "slices deeper than 512 are counted");
	is_int((int64_t)o.p->damage.kind[DAMAGE_TOO_DEEP].count, 88, "and told");
	ok(!log_deep_put(o.p->trace, o.s, &named), "no end is missing");
	is_int(sum_of(&o, "n511")->inclusive[CLOCK_WALL], 177000, "their ends are theirs");
	is_int(sum_of(&o, "n0")->inclusive[CLOCK_WALL], 1199000, "and the outermost ends last");
	is_int((int64_t)o.s->unfinished, 0, "nothing is left open");
	done(&o);

	/* A slice within another that never ends. */
	p = text + sprintf(text, "a-1 [000] .... 1.000000: tracing_mark_write: B|1|outer\n");
	for (int i = 1; i < 600; i++) {
		p += sprintf(p, "a-1 [000] .... 1.%06d: tracing_mark_write: B|1|open\n", i);
		if (i % 3 == 0)
			p += sprintf(p, "a-1 [000] .... 1.%06d: tracing_mark_write: B|1|in\n"
			    "a-1 [000] .... 1.%06d: tracing_mark_write: E|1\n", i, i);
	}
	o = open_text(text);
	ok(log_deep_put(o.p->trace, o.s, &named), "a slice without its ends");
	is_str(sbuf_cstr(&named), "thread 1 a ends with 600 slices open: 511 of the outer 512 are open",
	    "is named");
	sbuf_release(&named);
	done(&o);
	mem_free(text);
}

/* The same log in all that it comes in. */
static void
containers(void)
{
	static const struct {
		const char *name, *before, *line_end, *after;
	} forms[] = {
		{ "plain", "", "\n", "" },
		{ "CR LF", "", "\r\n", "" },
		{ "CR CR LF", "", "\r\r\n", "" },
		{ "after TRACE:", "capturing trace... done\nTRACE:\n", "\n", "" },
		{ "with escaped ends", "# tracer: nop\\n\\\n", "\\n\\\n", "" },
		{ "page", "<!DOCTYPE html>\n<script>\"<script class=\\\"trace-data\\\" type=\\\"application/text\\\">\"</script>\n"
			  "  <script class=\"trace-data\" type=\"application/text\">\nPROCESS DUMP\n"
			  "USER PID PPID VSZ RSS WCHAN PC S NAME COMM\nu 1 0 1 1 0 0 S the.process a\n"
			  "USER PID TID CMD\nu 1 1 fromlist\n</script>\n"
			  "  <script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n",
		    "\n", "  </script>\n<script class=\"trace-data\" type=\"application/text\">\n{}\n</script></html>\n" },
		{ "old page", "\xef\xbb\xbf <HTML>\n<script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\n",
		    "\\n\\\n", "\\n\";\n</script>\n" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		static const char *const lines[] = {LINE_AT("001") "B|1|H:x|M62", LINE_AT("004") "E|1|M62"};
		char text[4096], *p = text;
		uint8_t packed[4096], twice[4096];
		uLongf size = sizeof(packed), again = sizeof(twice);
		struct opened o;

		p += sprintf(p, "%s", forms[i].before);
		for (int k = 0; k < 2; k++)
			p += sprintf(p, "%s%s", lines[k], forms[i].line_end);
		sprintf(p, "%s", forms[i].after);
		o = open_text(text);
		ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 3000, "%s", forms[i].name);
		if (o.p != NULL)
			is_int((int64_t)o.s->skipped, 0, "%s: nothing is skipped", forms[i].name);
		if (o.p != NULL && strcmp(forms[i].name, "page") == 0)
			ok(str_equal(((struct log_process *)seg_at(
					 &o.p->trace->log->processes, 0))->name, STR("the.process")),
			    "a page names processes");
		done(&o);
		compress(packed, &size, (uint8_t *)text, strlen(text));
		o = open_bytes(packed, size);
		ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 3000, "%s, zlib",
		    forms[i].name);
		done(&o);
		compress(twice, &again, packed, size);
		o = open_bytes(twice, again);
		ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 3000, "%s, zlib twice",
		    forms[i].name);
		done(&o);
	}
}

static void
refused(void)
{
	static const char *const texts[] = {"B|1|H:x|M62\nE|1|M62\n", "OHOSPROF....", "\x49\xdf  ",
	    "<html><body>nothing</body></html>", "just text\n", "\x78\x9cnot zlib at all"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct err e = {0};

		ok(format_open_memory(texts[i], strlen(texts[i]), "x", &e) == NULL &&
			e.kind != ERR_NONE,
		    "refused: %s", e.what);
	}
}

/* A line of a process's main thread, or of another one. */
#define LINE_OF(name, tid, pid, us) \
	name "-" #tid " (" #pid ") [000] .... 10.000" us ": tracing_mark_write: "
#define SLICE_OF(name, tid, pid, from, to, slice) \
	LINE_OF(name, tid, pid, from) "B|" #pid "|" slice "\n" LINE_OF(name, tid, pid, to) "E|" #pid "\n"

static void
app_in_front(void)
{
	static const char main_of_zygote[] = SLICE_OF("main", 9, 9, "000", "001", "hardly");
	static const char busy[] = SLICE_OF("tester", 20, 20, "002", "900", "measure");
	static const char server[] =
	    SLICE_OF("system_server", 30, 30, "003", "005", "Choreographer#doFrame 1")
	    SLICE_OF("system_server", 30, 30, "006", "007", "Choreographer#doFrame 2");
	static const char app[] = SLICE_OF("the.app", 40, 40, "010", "011", "inflate")
	    SLICE_OF("RenderThread", 41, 40, "012", "013", "DrawFrames 1");
	static const char ark[] = SLICE_OF("ark.app", 50, 50, "020", "021", "H:ReceiveVsync dataCount:24B")
	    SLICE_OF("ark.app", 50, 50, "022", "023", "H:MarshRSTransactionData cmdCount:1")
	    SLICE_OF("ark.app", 50, 50, "024", "025", "H:MarshRSTransactionData cmdCount:2");
	static const char ticks[] = SLICE_OF("ticks", 70, 70, "040", "041", "Choreographer#doFrame 1")
	    SLICE_OF("ticks", 70, 70, "042", "043", "Choreographer#doFrame 2")
	    SLICE_OF("ticks", 70, 70, "044", "045", "Choreographer#doFrame 3");
	static const char game[] = SLICE_OF("game", 80, 80, "050", "051", "Choreographer#doFrame 1")
	    SLICE_OF("UnityGfx", 81, 80, "052", "053", "queueBuffer");
	static const char wallpaper[] = SLICE_OF("live.wallpaper", 90, 90, "060", "061", "DrawFrame 1")
	    SLICE_OF("live.wallpaper", 90, 90, "062", "063", "DrawFrame 2");
	static const char render[] = LINE_OF("idle.app", 60, 60, "029") "C|60|n|1\n"
	    SLICE_OF("RenderThread", 61, 60, "030", "031", "DrawFrames 1")
	    SLICE_OF("RenderThread", 61, 60, "032", "033", "DrawFrames 2");
	static const struct {
		const char *parts[5], *front, *what;
	} cases[] = {
	    {{main_of_zygote, busy}, "tester", "without frames the one with the most time in slices"},
	    {{main_of_zygote, busy, server}, "system_server", "one with frames before it"},
	    {{main_of_zygote, busy, server, app}, "the.app",
		"an app with frames on any thread before the system"},
	    {{main_of_zygote, busy, server, app, ark}, "ark.app", "of apps that with the most frames that drew"},
	    {{busy, app, ticks}, "the.app", "one that drew before one with more frames"},
	    {{busy, server, ticks}, "ticks", "without any that drew the one with most frames"},
	    {{busy, ticks, game}, "game", "one that queued a buffer drew"},
	    {{busy, wallpaper, game}, "game", "a wallpaper is behind all"},
	    {{busy, app, render}, "the.app", "none whose main thread has no slice"},
	    {{""}, NULL, "no main thread without slices"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sbuf text = {0};
		struct opened o;

		sbuf_text(&text, LINE_OF("none", 8, 8, "000") "C|8|n|1\n");
		for (int k = 0; k < 5 && cases[i].parts[k] != NULL; k++)
			sbuf_text(&text, cases[i].parts[k]);
		o = open_text(sbuf_cstr(&text));
		is_int(trace_main_thread(o.p->trace), cases[i].front == NULL ? THREAD_NONE
		    : thread_of(&o, cases[i].front), "in front: %s", cases[i].what);
		done(&o);
		sbuf_release(&text);
	}
}

int
main(void)
{
	sync_slices();
	edges();
	async_slices();
	order();
	deep();
	containers();
	app_in_front();
	refused();
	return tap_done();
}
