// SPDX-License-Identifier: Apache-2.0
/*
 * Samples as entries and exits: folded stacks and text of perf script, made by hand; runs and
 * sums were counted by hand, too.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "format/format.h"
#include "opened-log.h"
#include "profile/timeline/timeline.h"
#include "tap/tap.h"

/* Sums of a method, times in us: of counts, that many. */
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
total_is(const struct opened *o, double us, int edges, int lines)
{
	const struct damage *d = &o->p->damage;

	ok((double)o->fold->total[CLOCK_CPU] / 1000 == us, "the total is %.1f", us);
	is_int((intmax_t)d->kind[DAMAGE_UNFINISHED_CALL].count, edges, "calls left open");
	is_int((intmax_t)d->kind[DAMAGE_SKIPPED_LINE].count, lines, "lines skipped");
}

static void
folded_check(void)
{
	static const char little[] = "\xff\xfe" "a\0;\0\x3d\xd8\0\xde \0" "3\0\r\0\n\0",
			  big[] = "\xfe\xff\0a\0;\0b\0 \0" "2\0\n";
	struct opened o = open_text("# comment\r\nmain;run;read 3\nmain;run 2.5\r\n"
				    "main;run;;read;read 4\n\nmain;idle x\n");

	is_str(o.p->trace->unit.name, "count", "unit");
	total_is(&o, 9.5, 0, 1);
	is_int((intmax_t)o.p->damage.kind[DAMAGE_SKIPPED_LINE].offset, 64, "where");
	sum_is(&o, "main", "1+0 9.5 0.0");
	sum_is(&o, "run", "1+0 9.5 2.5");
	sum_is(&o, "read", "2+1 7.0 7.0");
	done(&o);

	/* Threads do not meet; blanks in names; the same stack goes on. */
	o = open_text("a-1/7;f x;g > 5 1\nb-1/8;f x 1\na-1/7;f x;g > 5 1\n");
	total_is(&o, 3, 0, 0);
	is_int(trace_thread_count(o.p->trace), 2, "threads");
	sum_is(&o, "f x", "2+0 3.0 1.0");
	sum_is(&o, "g > 5", "1+0 2.0 2.0");
	done(&o);

	o = open_text("[w 1 tid=7];f 1.0005\n[w 2 tid=8];f 1\n");
	ok(thread_of(&o, "w 1") != THREAD_NONE, "a thread in brackets");
	is_int(o.fold->total[CLOCK_CPU], 2001, "rounded to thousandths");
	done(&o);

	/* One line without: all of them are frames. */
	o = open_text("a-1/7;f 1\nb;f 1\na-1/8;f 0\n");
	is_int(trace_thread_count(o.p->trace), 1, "threads");
	total_is(&o, 2, 0, 1);
	sum_is(&o, "a-1/7", "1+0 1.0 0.0");
	done(&o);

	/* UTF-16 of either order, with a character of two units. */
	o = open_bytes(little, sizeof(little) - 1);
	sum_is(&o, "\xf0\x9f\x98\x80", "1+0 3.0 3.0");
	done(&o);
	o = open_bytes(big, sizeof(big) - 1);
	sum_is(&o, "b", "1+0 2.0 2.0");
	done(&o);

	o = open_text("a;b 1 2\na;c 3 4\n");
	ok(o.p == NULL && strstr(o.e.what, "difference") != NULL, "a difference is refused");
	o = open_text("heap profile: 1\n 1: 2\n");
	ok(o.p == NULL, "without a stack it is none");
}

static void
perf_check(void)
{
	static const char text[] =
	    "my app 3/4 [001]  10.000001:     250000 cpu-clock:u: \n"
	    "\t    1183 leaf(int)+0x1a (/bin/app)\n"
	    "\t    11e5 [unknown] (/lib/libx.so)\n"
	    "\n"
	    "my app 3/4 [001]  10.000251:     250000 cpu-clock:u: \n"
	    "\t    1183 leaf(int)+0x2a (/bin/app)\n"
	    "  leaf.c:5\n"
	    "\t    11e5 [unknown] (/lib/libx.so)\n"
	    "\n"
	    "job 7 5 [000]  10.000300:     250000 cpu-clock:u:      11e5 main+0x3 (/bin/app)\n";
	struct opened o = open_text(text);

	ok(o.p->trace->unit.name == NULL, "times");
	ok((o.p->trace->clocks & HAS_BOTH) == HAS_BOTH, "two clocks");
	total_is(&o, 750, 0, 0);
	is_int(trace_thread(o.p->trace, thread_of(&o, "my app"))->id, 4, "thread");
	is_int(trace_thread(o.p->trace, thread_of(&o, "job 7"))->id, 5, "thread");
	sum_is(&o, "[libx.so]", "1+0 500.0 0.0");
	sum_is(&o, "leaf(int)", "1+0 500.0 500.0");
	sum_is(&o, "main", "1+0 250.0 250.0");
	is_int((intmax_t)o.p->trace->note_count, 1, "a note of the source's line");
	done(&o);

	/* Neither time nor period; another event; no frames; records of other kinds; tabs. */
	o = open_text("# ========\n#\nswapper 0 [000] 0.000000: PERF_RECORD_COMM: a:1/1\n"
		      "a b 9 cache-misses:uppp: \n\t 12 f+0x1 (/a (deleted))\n\n"
		      "a b 9 cycles: \n\t 12 f (/a)\n\n"
		      "a b\t9\tcache-misses:uppp:\n12\tg (x) (/a)\n34\tf (/a)\n\n"
		      "a b 9 cache-misses:uppp: \n\n"
		      "junk\n");
	is_str(o.p->trace->unit.name, "samples", "unit");
	total_is(&o, 3, 0, 1);
	sum_is(&o, "f", "1+0 2.0 1.0");
	sum_is(&o, "g (x)", "1+0 1.0 1.0");
	is_int((intmax_t)o.p->trace->note_count, 2, "notes of what is left out");
	done(&o);

	/* A period that is no time; functions that were put into others. */
	o = open_text("java 7 1.5:  500 cycles:u: \n"
		      " 1 A::a->B::b->C::operator->() (/tmp/perf-7.map)\n 2 x->y (/lib/l.so)\n"
		      " 3 in (inlined)\n 4 out (/lib/l.so)\n\n");
	is_str(o.p->trace->unit.name, "cycles", "unit");
	total_is(&o, 500, 0, 0);
	sum_is(&o, "B::b", "1+0 500.0 0.0");
	sum_is(&o, "x->y", "1+0 500.0 0.0");
	sum_is(&o, "in", "1+0 500.0 0.0");
	sum_is(&o, "out", "1+0 500.0 0.0");
	done(&o);

	/* The field misc; a thread that is none; the address of data before that of the code. */
	o = open_text("a 3/4 [001] K 10.000001: 5 cycles: \n ffffffff81000001 f+0x1 (/a)\n\n"
		      "a -1/-1 [001] 10.000002: 5 cycles: ffff888100000010 ffffffff81000002 g+0x1 (/a)\n"
		      "a 3/4 U 10.000003: 5 cycles: 12 add ed (/a)\n");
	total_is(&o, 15, 0, 0);
	sum_is(&o, "f", "1+0 5.0 5.0");
	sum_is(&o, "g", "1+0 5.0 5.0");
	sum_is(&o, "add ed", "1+0 5.0 5.0");
	is_int(trace_thread_count(o.p->trace), 2, "threads");
	is_str(o.p->trace->unit.name, "cycles", "unit");
	done(&o);

	o = open_text("bash-431 [000] d... 10.000001: sched_wakeup: comm=a pid=1 prio=1 target_cpu=0\n\n");
	ok(o.p != NULL && o.p->trace->log != NULL, "a line of ftrace's is none");
	done(&o);
}

/* Nothing is done between samples that are far apart, though the run goes on. */
static void
gap_check(void)
{
#define SAMPLE(at) "a 1 10." at ": 500000 cpu-clock: \n 1 f (/a)\n\n"
	struct opened o = open_text(SAMPLE("000") SAMPLE("001") SAMPLE("002") SAMPLE("003") SAMPLE("013"));
#undef SAMPLE
	enum { MS = 1000000, COLUMNS = 13 };
	const uint32_t thread = 0;
	struct cell cells[COLUMNS];
	int busy = 0;

	sum_is(&o, "f", "1+0 2500.0 2500.0");
	ok(timeline_draw(o.p, NULL, 0, COLUMNS * MS, COLUMNS, &thread, 1, cells, NULL), "drawn");
	for (int i = 0; i < COLUMNS; i++)
		busy += cells[i].busy > 0;
	is_int(busy, 5, "milliseconds with work");
	ok(cells[3].busy == cells[4].busy && cells[0].busy == 2 * cells[4].busy, "in two of them half as much");
	ok(cells[5].busy == 0 && cells[12].busy == 0, "nothing in the gap");
	done(&o);
}

static void
callgrind_check(void)
{
	struct opened o = open_text("events: Ir Dr\n\nfl=(1) a.c\nfn=(1) main\n10 5 1\ncfn=(2) f\n"
	    "calls=3 20\n+1 60 6\n* 7\nfn=(2)\n20 30 3\njump=3 +1\n* 9\ncfn=(2)\ncalls=2 20\n20 40 4\n"
	    "-1 30\nsummary: 72 4\n");

	is_str(o.p->trace->unit.name, "Ir", "unit");
	ok(!o.p->trace->sampled, "calls are counted");
	total_is(&o, 72, 0, 0);
	sum_is(&o, "main", "1+0 72.0 12.0");
	sum_is(&o, "f", "3+2 60.0 60.0");
	done(&o);

	/*
	 * Two callers share a function; two that call each other; a function that costs more than its
	 * callers say; one that is too small for a path; lines that are none.
	 */
	o = open_text("# callgrind format\npositions: instr line\nevents: Time_(10ns)\nfn=a\n0x1 1 100\n"
	    "cfn=s\ncalls=1 0x9\n+1 * 3000\ncfn=x\ncalls=1 0x9\n+1 * 1000\nfn=b\n1 1 7\n"
	    "cfn=s\ncalls=2 0x9\n1 1 1000\nfn=s\n1 1 4000\nfn=x\n1 1 600\ncfn=y\ncalls=4 1\n1 1 400\n"
	    "fn=y\n1 1 300\ncfn=x\ncalls=3 1\n1 1 200\ncfn=t\ncalls=9 1\n1 1 0\nfn=t\n1 1\n"
	    "junk\nfn=y\ncalls=x\n1 1 z\n");
	ok(o.p->trace->unit.name == NULL, "times");
	total_is(&o, 50.07, 0, 3);
	sum_is(&o, "s", "3+0 40.0 40.0");
	sum_is(&o, "a", "1+0 40.0 1.0");
	sum_is(&o, "b", "1+0 10.1 0.1");
	sum_is(&o, "x", "1+3 9.0 6.0");
	sum_is(&o, "y", "4+0 3.0 3.0");
	sum_is(&o, "t", "9+0 0.0 0.0");
	done(&o);
}

static void
uftrace_check(void)
{
	struct opened o = open_text("uftrace file header: magic         = 4674726163652100\n\n"
	    "reading 7.dat\n"
	    "1.000001000      7: [entry] main(5593) depth: 0\n"
	    "1.000002000      7: [entry] f(int)(5594) depth: 1\n"
	    "1.000002000      7: [exit ] f(int)(5594) depth: 1\n"
	    "1.000002000      7: [entry] f(int)(5594) depth: 1\n"
	    "1.000003000      7: [entry] g(1) depth: 2\n"
	    "  args[0] d32: 0x00000001\n"
	    "1.000009000      7: [exit ] f(int)(5594) depth: 1\n"
	    "1.000010000      7: [exit ] g(1) depth: 2\n"
	    "1.000011000      7: [exit ] main(5593) depth: 0\n"
	    "1.000012000      7: [entry] open(1) depth: 0\n"
	    "reading 8.dat\n"
	    "1.000000500      8: [entry] main(5593) depth: 0\n"
	    "1.000001500      8: [exit ] main(5593) depth: 0\n"
	    "reading perf-cpu0.dat\n"
	    "1.000005000      7: [event] linux:sched-out(200002)\n"
	    "1.000008000      7: [event] linux:sched-in(200001)\n"
	    "1.000008500      7: [event] linux:task-exit(200005)\njunk\n");

	is_str(o.p->trace->format, "uftrace", "format");
	ok(!o.p->trace->sampled && o.p->trace->clocks == HAS_WALL, "calls, on the wall clock");
	is_int(o.p->begin, 0, "the earliest task is the beginning");
	is_int(o.p->end, 11500, "the end");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_LOST_EXIT].count, 1, "g's end is lost");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_UNMATCHED_EXIT].count, 1, "and comes too late");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_UNFINISHED_CALL].count, 0, "what is open ends at the end");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_SKIPPED_LINE].count, 1, "lines skipped");
	is_int((intmax_t)sum_of(&o, "f(int)")->calls, 2, "calls without time");
	is_int(sum_of(&o, "f(int)")->inclusive[CLOCK_WALL], 7000, "and with");
	is_int(sum_of(&o, "main")->inclusive[CLOCK_WALL], 11000, "two tasks");
	is_int(sum_of(&o, "linux:schedule")->exclusive[CLOCK_WALL], 3000, "asleep");
	is_int(sum_of(&o, "g")->exclusive[CLOCK_WALL], 3000, "which is not g's own");
	done(&o);

	/* Records that were lost end what is open; a task lives until its core tells of it last. */
	o = open_text("reading 7.dat\n"
	    "1.000001000      7: [entry] a(1) depth: 0\n"
	    "1.000005000      7: [lost ]\n"
	    "1.000006000      7: [entry] b(1) depth: 0\n"
	    "reading 8.dat\n"
	    "1.000002000      8: [entry] c(1) depth: 0\n"
	    "reading perf-cpu0.dat\n"
	    "1.000003000      8: [event] linux:sched-out(200002)\n"
	    "1.000004000      8: [event] linux:sched-in(200001)\n"
	    "1.000008000      7: [event] linux:sched-out(200002)\n");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_LOST_RECORDS].count, 1, "lost records");
	is_int(sum_of(&o, "a")->inclusive[CLOCK_WALL], 4000, "until they were");
	is_int(sum_of(&o, "b")->inclusive[CLOCK_WALL], 2000, "until it slept for good");
	is_int(sum_of(&o, "c")->inclusive[CLOCK_WALL], 2000, "until it ran again, no longer than its own task");
	is_int(sum_of(&o, "linux:schedule")->exclusive[CLOCK_WALL], 1000, "asleep");
	done(&o);
}

static void
functracer_check(void)
{
	struct opened o = open_text("# tracer: function\n#\n"
	    "            bash-431   [003] d....   12.345678: vfs_read <-ksys_read\n"
	    "            bash-431   [003] d....   12.345679: vfs_read <-ksys_read\n"
	    "          <idle>-0     [001] d....   12.345680: tick_do <-tick_sched\n"
	    "            bash-431   [003] .....   12.345681: rw_verify_area <-vfs_read\n");

	is_str(o.p->trace->unit.name, "calls", "unit");
	total_is(&o, 4, 0, 0);
	is_int(trace_thread_count(o.p->trace), 2, "tasks");
	sum_is(&o, "vfs_read", "3+0 3.0 2.0");
	sum_is(&o, "rw_verify_area", "1+0 1.0 1.0");
	done(&o);
	o = open_text("cpus=2\n  bash-431   [003]    12.345678: function:             vfs_read <-- ksys_read\n"
	    "  bash-431   [003]    12.345679: function:                vfs_open <-- vfs_read\n");
	total_is(&o, 2, 0, 0);
	sum_is(&o, "vfs_open", "1+0 1.0 1.0");
	done(&o);
}

static void
spreport_check(void)
{
	static const char text[] =
	    "sample:\n  event_type: cpu-clock:u\n  time: 1000250000\n  event_count: 250000\n"
	    "  thread_id: 7\n  thread_name: my: app\n  vaddr_in_file: 12ab\n  file: /lib/libx.so\n"
	    "  symbol: ns::leaf(int)\n  callchain:\n    vaddr_in_file: 34\n    file: /lib/libx.so\n"
	    "    symbol: main\n    vaddr_in_file: 99\n    file: /a/b.so\n    symbol: \n"
	    "sample:\n  event_type: sched:sched_switch\n  time: 1000300000\n  event_count: 1\n"
	    "  thread_id: 7\n  vaddr_in_file: 1\n  file: f\n  symbol: other\n"
	    "context_switch:\n  switch_on: true\n  time: 3\n  thread_id: 9\n"
	    "sample:\n  event_type: cpu-clock:u\n  time: 1000500000\n  event_count: 250000\n"
	    "  thread_id: 7\n  thread_name: my: app\n";
	struct opened o = open_text(text);

	is_str(o.p->trace->format, "simpleperf", "format");
	total_is(&o, 500, 0, 0);
	sum_is(&o, "b.so+0x99", "1+0 250.0 0.0");
	sum_is(&o, "main", "1+0 250.0 0.0");
	sum_is(&o, "ns::leaf(int)", "1+0 250.0 250.0");
	sum_is(&o, "other", "0+0 0.0 0.0");
	is_int(trace_thread(o.p->trace, thread_of(&o, "my: app"))->id, 7, "thread");
	is_int((intmax_t)o.p->trace->note_count, 1, "a note of the other event");
	done(&o);

	/* A clock is read, whatever comes first, as of the binary form. */
	o = open_text("sample:\n  event_type: page-faults\n  time: 5\n  event_count: 9\n  thread_id: 7\n"
	    "sample:\n  event_type: task-clock:u\n  time: 1000\n  event_count: 2000\n  thread_id: 7\n"
	    "  vaddr_in_file: 1\n  file: f\n  symbol: g\n");
	total_is(&o, 2, 0, 0);
	sum_is(&o, "g", "1+0 2.0 2.0");
	done(&o);
	o = open_text("sample:\n  event_type: a\n  time: 5\n  event_count: 9\n  thread_id: 7\n"
	    "sample:\n  event_type: b\n  time: 6\n  event_count: 2\n  thread_id: 7\n");
	is_str(o.p->trace->unit.name, "a", "without a clock the first");
	done(&o);
}

/* Deep stacks fill several batches, also when they are read again. */
static void
deep_check(void)
{
	struct sbuf text = {0};
	struct opened o;

	for (int i = 0; i < 3; i++) {
		for (int n = 0; n < 5000; n++)
			sbuf_printf(&text, "f%d;", n % 7);
		sbuf_text(&text, "g 1\na 1\na 1\n");
	}
	o = open_bytes(text.p, text.n);
	total_is(&o, 9, 0, 0);
	sum_is(&o, "a", "3+0 6.0 6.0");
	sum_is(&o, "g", "0+0 0.0 0.0");
	is_int((intmax_t)sum_of(&o, "f0")->recursive_calls, 3 * 585, "frames of the outermost 4096");
	is_int((intmax_t)o.p->damage.kind[DAMAGE_TOO_DEEP].count, 3, "samples that are too deep");
	done(&o);
	sbuf_release(&text);
}

/* Every beginning of a text is refused or read to its end. */
static void
cut_check(void)
{
	static const char *const texts[] = {
	    "a b 9/9 [001] 1.5: 7 cycles:u: \n\t 12 f+0x1 (/a)\n\t 13 [unknown] (/a)\n\na b 9 ",
	    "a-1/7;f x;g > 5 1.5\nb-1/8;f x 1\n[a tid=1];b 3\n"};

	for (int i = 0; i < 2; i++) {
		size_t n = strlen(texts[i]), read = 0;

		for (size_t k = 0; k <= n; k++) {
			char *part = mem_dup(texts[i], k, 1); /* what is after it is seen by tools */
			struct opened o = open_bytes(part, k);

			read += o.p == NULL || o.p->state == LOAD_DONE;
			done(&o);
			mem_free(part);
		}
		is_int((intmax_t)read, (intmax_t)n + 1, "all beginnings");
	}
}

static void
bpftrace_check(void)
{
	struct opened o = open_text("Attaching 1 probe...\n\n@s[\n    read+12\n    main+3\n, cat]: 7\n"
				    "@s[\n    main+9\n, cat]: 2\n@t[\n    other+1\n]: 4\n");

	total_is(&o, 9, 0, 1);
	sum_is(&o, "cat", "1+0 9.0 0.0");
	sum_is(&o, "main", "1+0 9.0 2.0");
	sum_is(&o, "read", "1+0 7.0 7.0");
	is_int((intmax_t)o.p->trace->note_count, 1, "another map is left out");
	done(&o);
	/* A key before the stacks of the kernel and of the program. */
	o = open_text("@[cat,\n    read+12\n    entry+3\n,\n    main+3\n]: 7\n@[\n    read+12\n,\n    main+3\n, cat, 1]: 2\n");
	total_is(&o, 9, 0, 0);
	sum_is(&o, "cat", "1+0 7.0 0.0");
	sum_is(&o, "cat, 1", "1+0 2.0 0.0");
	sum_is(&o, "main", "2+0 9.0 0.0");
	sum_is(&o, "read", "2+0 9.0 9.0");
	done(&o);
	o = open_text("@[sh]: 3\n@[a b, 1]: 2\n");
	total_is(&o, 5, 0, 0);
	sum_is(&o, "a b, 1", "1+0 2.0 2.0");
	done(&o);
	o = open_text("@[\nf\n");
	ok(o.p == NULL, "a map without a count is none");
}

static void
unit_check(void)
{
	struct trace_unit ns = {.name = NULL}, count = {.name = "cycles"},
			  bytes = {.name = "bytes", .bytes = true};
	char out[JSON_KEY];

	is_str(unit_text(&ns, FMT_BUF, 12345678), "12.346 ms", "a time");
	is_str(unit_text(&count, FMT_BUF, 1234567000), "1,234,567 cycles", "a count");
	is_str(unit_figure(&count, FMT_BUF, -1234500), "-1,235", "rounded");
	is_str(unit_text(&bytes, FMT_BUF, 1536000), "1.5 KiB", "a size");
	count.fractions = true;
	is_str(unit_text(&count, FMT_BUF, 1234567), "1,234.567 cycles", "with a fraction");
	is_str(unit_count(&count, FMT_BUF, 2500, 1), "2.5", "of one decimal");
	is_str(json_unit_key("page-faults", "incl_cpu_us", out), "incl_page_faults", "a key");
	is_str(json_unit_key("samples", "max_us", out), "max_samples", "of the axis");
	is_str(json_unit_key("samples", "cpu_us", out), "samples", "alone");
	is_str(json_unit_key("samples", "calls", out), "calls", "of no time");
	is_str(json_unit_key(NULL, "max_us", out), "max_us", "of times");
}

int
main(void)
{
	unit_check();
	folded_check();
	perf_check();
	gap_check();
	callgrind_check();
	uftrace_check();
	functracer_check();
	spreport_check();
	bpftrace_check();
	deep_check();
	cut_check();
	return tap_done();
}
