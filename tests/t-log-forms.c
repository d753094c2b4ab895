// SPDX-License-Identifier: Apache-2.0
/*
 * What logs of real programs look like: odd markers, other forms of the scheduler's events, and
 * what is about a line that is none of its own.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "opened-log.h"
#include "profile/log/usage.h"
#include "tap/tap.h"

#define HEAD   "a-1234 ( 1234) [000] .... 5.00000"
#define MARK   ": tracing_mark_write: "
#define CHAIN  "[a92ab94c18e1341,0,0]#"
#define SWITCH " d... 10.0000"

/* What is wrong with a marker must not put others out of step. */
static void
odd_markers(void)
{
	struct opened o = open_text(HEAD "1" MARK "B|1|a\n" HEAD "2" MARK "B|1|b\n"
	    HEAD "3" MARK "E|x|M62\n" HEAD "4" MARK "E||\n"
	    HEAD "5" MARK "S|1|w|7|key=v|toplevel.flow\n" HEAD "6" MARK "F|1|w|7\n"
	    HEAD "7" MARK "no marker: B|1|x\n" HEAD "7" MARK "Bx|1|x\n"
	    HEAD "8" ": kernel_stack: <stack trace>\n => some_function\n"
	    "  a-1234 [000] .... 5.000009: <stack trace>\n" HEAD "9" ": irq_handler_entry: irq=1\n");

	is_int(sum_of(&o, "b")->inclusive[CLOCK_WALL], 1000, "an end ends, whatever else it says");
	is_int(sum_of(&o, "a")->inclusive[CLOCK_WALL], 3000, "and so does the next");
	ok(thread_of(&o, "async: toplevel.flow") != THREAD_NONE, "any category makes a track");
	is_int((int64_t)o.s->markers[9], 2, "free text is counted");
	is_int((int64_t)o.s->skipped, 0, "stack traces are passed over");
	is_int((int64_t)o.s->malformed, 0, "none of it is broken");
	done(&o);
}

/* trace-cmd report prints the scheduler's events in its own way unless told otherwise. */
static void
brief(void)
{
	struct opened o = open_text(
	    "cpus=2\n"
	    "  a b:c-7 [000] 1.000000: sched_switch: a b:c:7 [120] D ==> swapper/0:0 [120]\n"
	    "  <idle>-0 [001] 1.000002: sched_wakeup: a b:c:7 [120] success=1 CPU:000\n"
	    "  <idle>-0 [000] 1.000005: sched_switch: swapper/0:0 [120] R ==> a b:c:7 [-51]\n"
	    "  a b:c-7 [000] 1.000009: sched_switch: a b:c:7 [120] S ==> [x:8 [1]\n"
	    "  [x-8 [000] 1.000010: sched_switch: what:is [this] S ==> no:8 [1]\n");
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);
	uint32_t a = thread_of(&o, "a b:c");
	uint64_t n = 0, runnable = 0;

	ok(a != THREAD_NONE && u->threads[a].ran == 4000, "a ran");
	ok(thread_of(&o, "[x") != THREAD_NONE, "a name that looks like another column");
	for (; n < o.p->trace->log->sched.intervals.count; n++) {
		const struct interval *i = sched_interval(&o.p->trace->log->sched, n);

		runnable += i->thread == a && i->state == TASK_RUNNABLE && i->to - i->from == 3000;
	}
	is_int((int64_t)runnable, 1, "a was runnable");
	is_int((int64_t)o.s->malformed, 1, "and what fits nothing");
	usage_free(u);
	done(&o);
}

/* A time that cannot be makes no sums that do not fit. */
static void
distant_time(void)
{
	struct opened o = open_text(
	    "  a-7 (7) [000] .... 1.000000: tracing_mark_write: B|7|x\n"
	    "  a-7 (7) [000] .... 1.000004: tracing_mark_write: E|7\n"
	    "  a-7 (7) [000] .... 906200059.320444: tracing_mark_write: B|7|y\n");

	is_int((int64_t)o.s->malformed, 1, "a line years after the others is malformed");
	is_int(o.p->end, 4000, "and does not stretch the log");
	done(&o);
}

/* The waker of a wakeup, and the thread that it only interrupted. */
static void
wakers(void)
{
	static const char *const flags[] = {"d..1", "d.h1", "....", "d.s2.", "dnZ..", ""};
	static const bool by_thread[] = {true, false, true, false, false, true};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		char text[1024];
		struct opened o;
		uint32_t waker = 99;

		snprintf(text, sizeof(text),
		    "a-1 [000] d... 10.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 next_prio=1\n"
		    "b-2 [000] %s 10.000001: sched_wakeup: comm=a pid=1 prio=1 target_cpu=000\n"
		    "b-2 [000] d... 10.000003: sched_switch: prev_comm=b prev_pid=2 prev_prio=1 prev_state=S ==> next_comm=a next_pid=1 next_prio=1\n",
		    flags[i]);
		o = open_text(text);
		for (uint64_t n = 0; n < o.p->trace->log->sched.intervals.count; n++) {
			const struct interval *in = sched_interval(&o.p->trace->log->sched, n);

			if (in->thread == thread_of(&o, "a") && in->state == TASK_RUNNABLE)
				waker = in->waker;
		}
		is_int(waker, by_thread[i] ? (int64_t)thread_of(&o, "b") : (int64_t)SCHED_INTERRUPT,
		    "waker with flags '%s'", flags[i]);
		done(&o);
	}
}

/* CPU time is there when a switch is, not when a marker speaks of one. */
static void
cpu_time(void)
{
	struct opened o = open_text(HEAD "1" MARK "B|1|x sched_switch: y\n" HEAD "3" MARK "E|1\n");

	ok(!trace_has_clock(o.p->trace, CLOCK_CPU), "a marker's text is no switch");
	done(&o);
}

/* Switches that begin far into the log: what came before is read again, with CPU time. */
static void
late_sched(void)
{
	static const char mark[] = HEAD "1" MARK "C|1|n|1\n";
	static const char tail[] =
	    "a-1 [000] .... 10.000001: tracing_mark_write: B|1|x\n"
	    "a-1 [000] d... 10.000003: sched_switch: prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 next_prio=1\n"
	    "b-2 [000] d... 10.000007: sched_switch: prev_comm=b prev_pid=2 prev_prio=1 prev_state=S ==> next_comm=a next_pid=1 next_prio=1\n"
	    "a-1 [000] .... 10.000008: tracing_mark_write: E|1\n";
	size_t count = (9 << 20) / (sizeof(mark) - 1), size = 0;
	char *text = mem_alloc((9 << 20) + sizeof(tail));
	struct opened o;

	for (size_t i = 0; i < count; i++, size += sizeof(mark) - 1)
		memcpy(text + size, mark, sizeof(mark) - 1);
	memcpy(text + size, tail, sizeof(tail) - 1);
	o = open_bytes(text, size + sizeof(tail) - 1);
	ok(trace_has_clock(o.p->trace, CLOCK_CPU), "switches that come late give CPU time");
	is_int(sum_of(&o, "x")->inclusive[CLOCK_CPU], 3000, "of slices");
	is_int((int64_t)o.s->events, (int64_t)count + 4, "every line counts once");
	is_int(((struct log_counter *)seg_at(&o.p->trace->log->counters, 0))->count,
	    (int64_t)count, "and every value");
	done(&o);
	mem_free(text);
}

/* An id is another thread's when its first one ended, seen to leave its core or not. */
static void
new_tasks(void)
{
	struct opened o = open_text(
	    "b-6 [000] .... 1.000001: tracing_mark_write: B|6|open\n"
	    "b-6 [000] .... 1.000002: sched_process_exit: comm=b pid=6 prio=120\n"
	    "s-1 [001] .... 1.000003: task_newtask: pid=6 comm=s clone_flags=3d0f00 oom_score_adj=0\n"
	    "c-6 [000] .... 1.000004: tracing_mark_write: E|6\n");

	ok(thread_of(&o, "b") != thread_of(&o, "c"), "a new task is a new thread");
	is_int((int64_t)o.s->unmatched_ends, 1, "without what was open");
	done(&o);
}

/* Bytes around the text that are no lines of it. */
static void
odd_bytes(void)
{
	static const char nul[] = HEAD "1" MARK "B|1|x\0\n" HEAD "3" MARK "E|1\0\0\r\n";
	static const char mark[] = "\xef\xbb\xbf" HEAD "1" MARK "B|1|x\n" HEAD "3" MARK "E|1\n";
	static const char tracer[] = "\xef\xbb\xbf# tracer: nop\n" HEAD "1" MARK "B|1|x\n";
	static const char binary[] = "\x0a\x10\x00\x01\x02# tracer: nop\n" HEAD "1" MARK "B|1|x\n";
	struct opened o = open_bytes(nul, sizeof(nul) - 1);

	ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 2000, "NULs at ends of lines");
	done(&o);
	o = open_bytes(mark, sizeof(mark) - 1);
	ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 2000 && o.s->skipped == 0 &&
		thread_of(&o, "a") != THREAD_NONE,
	    "a byte order mark is no part of a name");
	done(&o);
	o = open_bytes(tracer, sizeof(tracer) - 1);
	ok(o.p != NULL && o.s->skipped == 0, "nor a line");
	done(&o);
	o = open_bytes(binary, sizeof(binary) - 1);
	ok(o.p == NULL && strstr(o.e.what, "nor a text log") != NULL, "binary data: %s", o.e.what);
}

/* Trace clocks that count in other units print whole numbers. */
static void
ticks(void)
{
	struct opened o = open_text(
	    "a-1 [000] d..3 1000: tracing_mark_write: B|1|x\n"
	    "a-1 [000] d..3 10.000001: tracing_mark_write: B|1|y\n"
	    "a-1 [000] d..3 4000: tracing_mark_write: E|1\n"
	    "a-1 [000] d..3 10.000004: tracing_mark_write: E|1\n");

	is_int(sum_of(&o, "y")->inclusive[CLOCK_WALL], 3000, "a point decides");
	is_int((int64_t)o.s->skipped, 2, "against lines that lost theirs");
	done(&o);
	o = open_text(
	    "a-1 [000] d..3 4000: tracing_mark_write: E|1\n"
	    "a-1 [000] d..3 1000: tracing_mark_write: B|1|x\n");
	is_int(sum_of(&o, "x")->inclusive[CLOCK_WALL], 3000, "units are nanoseconds");
	is_int((int64_t)o.s->reordered, 1, "and put in order");
	is_int((int64_t)o.p->trace->note_count, 1, "which is told");
	done(&o);
}

/* Forms of ftrace's and trace-cmd's that are not read are named, and by which option they came. */
static void
unread(void)
{
#define SECTION "<script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n"
	static const struct {
		const char *text, *words; /* NULL: it opens */
	} rows[] = {
	    {"<!DOCTYPE html>\n" SECTION "nothing of it\n</script>\n" SECTION
	     "  a-1 [000] d..1 1.000002: tracing_mark_write: B|1|x\n</script>\n", NULL},
	    {"<!DOCTYPE html>\n" SECTION "nothing of it\n</script>\n", "none of its lines"},
	    {"# tracer: function_graph\n 0)   0.541 us    |    step();\n", NULL},
	    {"# tracer: function\n  a-1 [000] d..1 1.000001: step <-work\n", NULL},
	    {"# tracer: irqsoff\n#\n  <idle>-0       0d.s2    0us+: step <-work\n", "tracer irqsoff,"},
	    {"# tracer: nop\n#\n      sh-379     0d..3   17us : sched_switch: prev_comm=a\n",
		"latency-format"},
	    {"cpus=2\n      sh-379     0d..3 2084.021523: sched_switch: a:1 [120] S ==> b:2 [120]\n",
		"leave out -l"},
	    {"cpus=1\n  a-1 [000] 1.000001:          sched_switch: a:1 [120] S ==> b:2 [120]\n"
	     "  b-2 [000] 1.000009: (+8)     sched_switch: b:2 [120] S ==> a:1 [120]\n"
	     "  a-1 [000] 1.000019: (+10)    sched_switch: a:1 [120] S ==> b:2 [120]\n",
		"leave out --ts-diff"},
	    {"cpus=1\n  a-1 [000] 1.000001: funcgraph_entry:  0.123 us |  step();\n", NULL},
	    {"cpus=1\n  a-1 [000] 1.000001: function: step <-- work\n", NULL},
	    {"cpus=1\n  a-1 [000] 1.000001: funcgraph_entry:  0.123 us |  step();\n"
	     "  a-1 [000] 1.000002: tracing_mark_write: B|1|x\n", NULL},
	    {"# tracer: nop\nnothing of it\n", "none of its lines"},
	    {"# tracer: nop\nthe last line is not comple", NULL},
	    {"# tracer:\n#\nCPU:3 [LOST 7 EVENTS]\n", NULL},
	    {"# tracer: function\n  a-1 [000] d..1 1.000001: step <-work\n"
	     "  a-1 [000] d..1 1.000002: tracing_mark_write: B|1|x\n", NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct opened o = open_text(rows[i].text);

		ok(rows[i].words == NULL ? o.p != NULL
			: o.p == NULL && strstr(o.e.what, rows[i].words) != NULL,
		    "%s: %s", rows[i].words != NULL ? rows[i].words : "opens", o.e.what);
		done(&o);
	}
}

/* Calls of function_graph, with and without times. */
static void
graph(void)
{
	struct opened o = open_text("# tracer: function_graph\n#\n"
	    "# CPU  DURATION                  FUNCTION CALLS\n"
	    " 0)   0.100 us    |    } /* before ret=0 */\n"
	    " 0)               |    work(a=1, b={2}) { /* <-main+0x1/0x2 */\n"
	    " 0)   0.541 us    |      step.isra.0(); /* ret=0x1 */\n"
	    " 0)               |      /* note: 1 */\n"
	    " 0) + 11.663 us   |    } /* work */\n"
	    " ------------------------------------------\n"
	    " 0)    a b-431    =>    c-7   \n"
	    " ------------------------------------------\n"
	    " 0)               |  lost() {\n"
	    " 0)               |    work() {\n"
	    " 0)   2.000 us    |  }\n"
	    " 0)               |  open() {\n");

	is_int(sum_of(&o, "work")->inclusive[CLOCK_WALL], 11663, "a call by its duration");
	is_int(sum_of(&o, "work")->exclusive[CLOCK_WALL], 11663 - 541, "without what is in it");
	is_int((int64_t)sum_of(&o, "work")->calls, 2, "calls");
	is_int(sum_of(&o, "step.isra.0")->inclusive[CLOCK_WALL], 541, "a leaf");
	is_int(sum_of(&o, "lost")->inclusive[CLOCK_WALL], 2000, "a call with one that does not end");
	is_int((int64_t)o.p->damage.kind[DAMAGE_LOST_EXIT].count, 1, "which is told");
	is_int((int64_t)o.p->damage.kind[DAMAGE_UNFINISHED_CALL].count, 1, "open at the end");
	is_int((int64_t)o.p->damage.kind[DAMAGE_EXIT_WITHOUT_ENTRY].count, 1, "and at the beginning");
	is_int((int64_t)sum_of(&o, "before")->calls, 1, "which has a name");
	ok(thread_of(&o, "core 0") != THREAD_NONE && thread_of(&o, "c") != THREAD_NONE, "threads");
	is_int((int64_t)o.p->trace->note_count, 1, "a note of what times are");
	done(&o);

	o = open_text(" 10.000001 |   1)  a-5    |   0.500 us    |  leaf();\n"
		      " 10.000003 |   1)  a-5    |               |  f() {\n"
		      " 10.000007 |   1)  a-5    |   4.000 us    |  }\n");
	is_int(sum_of(&o, "f")->inclusive[CLOCK_WALL], 4000, "by its times");
	is_int(sum_of(&o, "leaf")->inclusive[CLOCK_WALL], 500, "and its duration");
	is_int(trace_thread(o.p->trace, thread_of(&o, "a"))->id, 5, "of a task");
	done(&o);

	o = open_text("cpus=1\n a-1 [000] 1.000001: funcgraph_entry:               |  f() {\n"
		      " a-1 [000] 1.000002: funcgraph_entry:  0.500 us |    step();\n"
		      " a-1 [000] 1.000004: funcgraph_exit:  3.000 us |  }\n");
	is_int(sum_of(&o, "f")->inclusive[CLOCK_WALL], 3000, "trace-cmd's");
	is_int(sum_of(&o, "f")->exclusive[CLOCK_WALL], 2500, "with what is in it");
	done(&o);

	o = open_text("# tracer: function_graph\n 0)   0.541 us    |    step();\n"
		      " 0) ! 400000000000000 us |    far();\n 400000000000.1 |  0)  1.000 us |  far();\n");
	ok(o.p != NULL && sum_of(&o, "step")->calls == 1, "times beyond any clock are no times");
	done(&o);
}

int
main(void)
{
	odd_markers();
	brief();
	distant_time();
	wakers();
	cpu_time();
	late_sched();
	new_tasks();
	odd_bytes();
	ticks();
	unread();
	graph();
	return tap_done();
}
