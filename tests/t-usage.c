// SPDX-License-Identifier: Apache-2.0
/*
 * What cores and threads of a text log did, as tables: sums, lists of what is chosen in
 * them, wakers, waits, chains.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "opened-log.h"
#include "profile/log/usage.h"
#include "profile/log/wakers.h"
#include "tap/tap.h"
#include "view/list/list.h"
#include "view/log/tables.h"

#define SWITCH(comm, tid, cpu, at, prev, prev_tid, state, next, next_tid)                 \
	comm "-" tid " (-----) [00" cpu "] d... 10.0000" at ": sched_switch: prev_comm=" prev   \
	     " prev_pid=" prev_tid " prev_prio=120 prev_state=" state " ==> next_comm=" next    \
	     " next_pid=" next_tid " next_prio=97\n"
#define WAKE(line, flags, at, comm, tid)                                                  \
	line " (-----) [001] " flags " 10.0000" at ": sched_wakeup: comm=" comm " pid=" tid    \
	     " prio=120 target_cpu=000\n"

/*
 * a works and is blocked for I/O from 10 to 20; b, woken by c at 5, wakes it, and it comes
 * on its core at 25.  c was woken by an interrupt.
 */
static const char chain_log[] =
    "a-1 (    1) [000] .... 10.000000: tracing_mark_write: B|1|H:[a1,0,0]#work|I62|k=v\n"
    "a-1 (    1) [000] d... 10.000001: cpu_frequency: state=1800000 cpu_id=0\n"
    "a-1 (    1) [000] d... 10.000001: cpu_idle: state=0 cpu_id=1\n"
    WAKE("<idle>-0", "d.h.", "02", "c", "3")
    SWITCH("<idle>", "0", "1", "03", "swapper/1", "0", "R", "c", "3")
    "c-3 (    1) [001] .... 10.000004: tracing_mark_write: B|1|H:[a1,2,1]#S##serve|I62\n"
    WAKE("c-3", "d...", "05", "b", "2")
    "c-3 (    1) [001] .... 10.000006: tracing_mark_write: E|1|I62\n"
    SWITCH("c", "3", "1", "07", "c", "3", "S", "b", "2")
    "b-2 (    1) [001] .... 10.000008: tracing_mark_write: B|1|H:[a1,3,2]#inner|I62\n"
    "b-2 (    1) [001] .... 10.000009: tracing_mark_write: B|1|H:[b2,1,0]#other|I62\n"
    SWITCH("a", "1", "0", "10", "a", "1", "D", "swapper/0", "0")
    "b-2 (    1) [001] .... 10.000012: tracing_mark_write: E|1|I62\n"
    "b-2 (    1) [001] d... 10.000020: sched_blocked_reason: pid=1 iowait=1 caller=wait_page+0x1/0x2\n"
    WAKE("b-2", "d...", "20", "a", "1")
    SWITCH("<idle>", "0", "0", "25", "swapper/0", "0", "R", "a", "1")
    "a-1 (    1) [000] .... 10.000030: tracing_mark_write: E|1|I62\n"
    "a-1 (    1) [000] .... 10.000031: tracing_mark_write: C|1|H:depth|7|I62\n"
    "a-1 (    1) [000] .... 10.000035: tracing_mark_write: C|1|H:depth|4|I62\n"
    SWITCH("b", "2", "1", "40", "b", "2", "S", "swapper/1", "0");

struct shown {
	struct opened o;
	struct names *names;
	struct figures figures;
	struct usage_tables tables;
	struct usage *usage;
};

static void
open_shown(struct shown *s, const char *text)
{
	*s = (struct shown){.o = open_text(text)};
	s->names = names_new(s->o.p->trace, false);
	s->figures = (struct figures){.trace = s->o.p->trace, .names = s->names,
	    .fold = s->o.fold, .clock = CLOCK_WALL};
	usage_tables_init(&s->tables, &s->figures);
}

static void
close_shown(struct shown *s)
{
	usage_tables_release(&s->tables);
	usage_free(s->usage);
	names_free(s->names);
	done(&s->o);
}

static void
show(struct shown *s, enum usage_table table, const struct range *range)
{
	struct usage_ask ask;

	s->tables.now = table;
	ask = usage_tables_want(&s->tables);
	usage_free(s->usage);
	s->usage = usage_new(s->o.p, NULL, range, &ask, NULL);
	usage_tables_fill(&s->tables, s->o.p->trace, s->usage);
}

/* The table as CSV, without its first line; static. */
static const char *
written(struct shown *s)
{
	static struct sbuf out;
	struct sbuf scratch = {0};
	struct sheet sheet;
	struct sheet_writer w;
	const char *line;

	list_sheet(&sheet, usage_tables_list(&s->tables), true);
	sheet.scratch = &scratch;
	sbuf_clear(&out);
	sheet_writer_begin(&w, &sheet, SHEET_AS_CSV, NULL);
	while (sheet_writer_step(&w, SIZE_MAX, &out))
		;
	sheet_writer_release(&w);
	sbuf_release(&scratch);
	line = strchr(sbuf_cstr(&out), '\n');
	return line != NULL ? line + 1 : "";
}

/* All of each table. */
static void
tables(void)
{
	static const struct {
		enum usage_table table;
		const char *want;
	} rows[] = {
	    {USAGE_PROCESSES, "62,155,77.5,0,4,15.5,3,3,1,a\r\n"},
	    {USAGE_THREADS,
		"33,82.5,41.25,0,1,33,33,1,0,2,1,b,a,cpu1 100.00%\r\n"
		"25,62.5,31.25,0,2,12.5,15,1,0,1,1,a,a,cpu0 100.00%\r\n"
		"4,10,5,0,1,4,4,1,0,3,1,c,a,cpu1 100.00%\r\n"},
	    {USAGE_CORES,
		"0,62.5,25,15,0,2,1 a,1800: 100.00%\r\n"
		"1,92.5,37,3,0,2,2 b,\r\n"},
	    {USAGE_STATES,
		"33,1,33,33,33,82.5,3,1,Sleeping,c,a\r\n"},
	    {USAGE_LATENCY,
		"5,1,5,5,20,1,1,2 b,a,a\r\n"
		"2,1,2,2,5,2,1,3 c,a,b\r\n"
		"1,1,1,1,2,3,1,(interrupt),a,c\r\n"},
	    {USAGE_BLOCKED, "10,1,10,10,10,1,I/O,a,wait_page+0x1/0x2\r\n"},
	    {USAGE_PRIORITIES,
		"52,3,4,17.333,33,3,83.871,97\r\n10,1,10,10,10,1,16.129,\r\n"},
	    {USAGE_COUNTERS, "2,7,4,-3,-75000,4,7,5.333,,1,,a,depth\r\n"},
	    {USAGE_LEVELS,
		"0,1800000,39,100,1,frequency\r\n1,0,39,100,1,idle state\r\n"},
	    {USAGE_CHAINS,
		"3,0,40,2,work,a1\r\n1,9,3,0,other,b2\r\n"},
	};
	struct shown s;

	open_shown(&s, chain_log);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *got;

		show(&s, rows[i].table, NULL);
		ok(s.tables.missing == NULL, "%s: is there", usage_table_info[rows[i].table]->title);
		got = written(&s);
		/* Of states only the longest. */
		if (rows[i].table == USAGE_STATES)
			ok(strstr(got, rows[i].want) != NULL, "states: of c");
		else
			is_str(got, rows[i].want, "%s", usage_table_info[rows[i].table]->title);
	}
	close_shown(&s);
}

/* What a thread did at a time, and what woke it. */
static void
wakers(void)
{
	struct opened o = open_text(chain_log);
	uint32_t a = thread_of(&o, "a"), b = thread_of(&o, "b"), c = thread_of(&o, "c");
	const struct log *log = o.p->trace->log;
	static const nsec at[] = {10000, 15000, 19999, 22000, 27000};
	struct wake wake;
	struct interval state;

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		ok(wakers_last(log, a, at[i], &wake, NULL) && wake.waker == b && wake.at == 20000 &&
			wake.slept == 10000 && wake.ran == 25000 && wake.io == IO_YES && wake.cpu == 0,
		    "at %d ns: b woke it, from its I/O", (int)at[i]);
	ok(!wakers_last(log, a, 5000, &wake, NULL), "before it nothing did");
	ok(wakers_last(log, b, 20000, &wake, NULL) && wake.waker == c && wake.slept == -1,
	    "since when b slept is not known");
	ok(wakers_state(log, a, 12000, &state, NULL) && state.state == TASK_BLOCKED &&
		state.from == 10000 && state.to == 20000,
	    "the state at a time");
	ok(!wakers_state(log, c, 1000, &state, NULL), "is not known before the first event");
	done(&o);
}

/*
 * a sleeps from 10 until b wakes it at 60, and waits for the core that d has until 65.
 * Meanwhile b slept from 20 until c woke it at 40, and waited for the core that c had.
 */
static const char waits_log[] =
    "a-1 (    1) [000] .... 10.000000: tracing_mark_write: B|1|first\n"
    "b-2 (    1) [001] .... 10.000000: tracing_mark_write: B|1|second\n"
    WAKE("b-2", "d...", "05", "d", "4")
    SWITCH("a", "1", "0", "10", "a", "1", "S", "d", "4")
    WAKE("b-2", "d...", "15", "c", "3")
    SWITCH("b", "2", "1", "20", "b", "2", "S", "c", "3")
    "c-3 (    1) [001] .... 10.000021: tracing_mark_write: B|1|serve\n"
    WAKE("c-3", "d...", "40", "b", "2")
    "c-3 (    1) [001] .... 10.000047: tracing_mark_write: E|1\n"
    SWITCH("c", "3", "1", "50", "c", "3", "S", "b", "2")
    WAKE("b-2", "d...", "60", "a", "1")
    SWITCH("d", "4", "0", "65", "d", "4", "R+", "a", "1")
    SWITCH("a", "1", "0", "70", "a", "1", "S", "d", "4")
    SWITCH("b", "2", "1", "70", "b", "2", "D", "swapper/1", "0")
    WAKE("<idle>-0", "d.h.", "80", "a", "1")
    SWITCH("d", "4", "0", "85", "d", "4", "S", "a", "1")
    SWITCH("a", "1", "0", "87", "a", "1", "S", "swapper/0", "0")
    WAKE("e-5", "d...", "95", "a", "1")
    SWITCH("<idle>", "0", "0", "99", "swapper/0", "0", "R", "a", "1");

/* The rows of a wait, as the sheet has them. */
static const struct {
	const char *thread;
	nsec at;
	const char *rows, *name;
} waits_of[] = {
	{"a", 10000,
	 "0,1,10,50,,10000010,1,Sleeping,a,\"sleeps, woken by 2 b\"\r\n"
	 "1,2,10,10,18.182,10000010,2,Running,b,runs on cpu1: second\r\n"
	 "1,3,20,20,,10000020,2,Sleeping,b,\"sleeps, woken by 3 c\"\r\n"
	 "2,4,20,20,36.364,10000020,3,Running,c,runs on cpu1: serve\r\n"
	 "1,5,40,10,,10000040,2,Runnable,b,\"waits for cpu1, woken by 3 c\"\r\n"
	 "2,6,40,10,18.182,10000040,3,Running,c,has cpu1: serve\r\n"
	 "1,7,50,10,18.182,10000050,2,Running,b,runs on cpu1: second\r\n"
	 "0,8,60,5,,10000060,1,Runnable,a,\"waits for cpu0, woken by 2 b\"\r\n"
	 "1,9,60,5,9.091,10000060,4,Running,d,has cpu0\r\n",
	 "a sleep and the wait for a core, through two wakers"},
	{"a", 62000,
	 "0,1,60,5,,10000060,1,Runnable,a,\"waits for cpu0, woken by 2 b\"\r\n"
	 "1,2,60,5,100,10000060,4,Running,d,has cpu0\r\n",
	 "the wait for the core alone, in that"},
	{"d", 65000,
	 "0,1,65,5,,10000065,4,Runnable (preempted),d,\"waits for cpu0, preempted\"\r\n"
	 "1,2,65,5,100,10000065,1,Running,a,has cpu0: first\r\n",
	 "a preempted thread"},
	{"a", 86000,
	 "0,1,70,10,66.667,10000070,1,Sleeping,a,\"sleeps, woken by an interrupt\"\r\n"
	 "0,2,80,5,,10000080,1,Runnable,a,\"waits for cpu0, woken by an interrupt\"\r\n"
	 "1,3,80,5,33.333,10000080,4,Running,d,has cpu0\r\n",
	 "a running thread: the wait before, that an interrupt ended"},
	{"a", 90000,
	 "0,1,87,8,,10000087,1,Sleeping,a,\"sleeps, woken by 5 e\"\r\n"
	 "1,2,87,8,66.667,10000087,5,,e,not known\r\n"
	 "0,3,95,4,,10000095,1,Runnable,a,\"waits for cpu0, woken by 5 e\"\r\n"
	 "1,4,95,4,33.333,10000095,1,,a,cpu0 is idle\r\n",
	 "a waker without a state, and an idle core"},
	{"b", 75000,
	 "1,70,29,100,10000070,2,Uninterruptible sleep,b,blocked; the end is not known\r\n",
	 "a sleep without an end"},
	{"c", 10000, "", "before the thread's first event"},
};

/* The longest wait within a time, and of that only what is within. */
static const struct {
	const char *thread;
	nsec from, to;
	const char *heading, *rows, *name;
} waits_inside[] = {
	{"a", 12000, 30000, "Longest wait of 1 a, 0.012-0.030 ms: wakers ran 100.00%",
	 "0,1,12,18,,10000012,1,Sleeping,a,\"sleeps, woken by 2 b\"\r\n"
	 "1,2,12,8,44.444,10000012,2,Running,b,runs on cpu1: second\r\n"
	 "1,3,20,10,,10000020,2,Sleeping,b,\"sleeps, woken by 3 c\"\r\n"
	 "2,4,20,10,55.556,10000020,3,Running,c,runs on cpu1: serve\r\n",
	 "a part of a sleep, by what ended it after that"},
	{"a", 62000, 100000,
	 "Longest wait of 1 a, 0.070-0.085 of 0.062-0.099 ms: "
	 "sleeping, woken by IRQ 66.67%; runnable, CPU busy 33.33%",
	 "0,1,70,10,66.667,10000070,1,Sleeping,a,\"sleeps, woken by an interrupt\"\r\n"
	 "0,2,80,5,,10000080,1,Runnable,a,\"waits for cpu0, woken by an interrupt\"\r\n"
	 "1,3,80,5,33.333,10000080,4,Running,d,has cpu0\r\n",
	 "the longest of three, and nothing after the log"},
	{"a", 66000, 70000, "No wait of 1 a in 0.066-0.070 ms: it ran all the time", "", "a run"},
	{"a", 20000, 20000, "No wait of 1 a in 0.020-0.020 ms: what it did then is not known", "",
	 "no time at all"},
	{"c", 0, 10000, "No wait of 3 c in 0.000-0.010 ms: what it did then is not known", "",
	 "nothing is known"},
};

/* At a moment, too: the wait before it where it reaches into the range, else the longest there. */
static void
waits_in_a_range(struct shown *s)
{
	static const struct {
		struct range range;
		const char *heading;
	} cases[] = {
		{{60000, 99000}, "Wait of 1 a, 0.070-0.085 ms: "},
		{{82000, 99000}, "Longest wait of 1 a, 0.082-0.085 ms: "},
		{{86000, 99000}, "Longest wait of 1 a, 0.087-0.099 of 0.086-0.099 ms: "},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s->tables.ask = USAGE_ASK_NONE;
		s->tables.ask.what = USAGE_ASK_WAITS;
		s->tables.ask.thread = thread_of(&s->o, "a");
		s->tables.ask.at = 86000;
		show(s, USAGE_WAITS, &cases[i].range);
		ok(strncmp(s->tables.heading.p, cases[i].heading, strlen(cases[i].heading)) == 0,
		    "at a moment in a range: %s", s->tables.heading.p);
	}
}

static void
waits(void)
{
	struct shown s;

	open_shown(&s, waits_log);
	for (size_t i = 0; i < sizeof(waits_of) / sizeof(waits_of[0]); i++) {
		s.tables.ask = USAGE_ASK_NONE;
		s.tables.ask.what = USAGE_ASK_WAITS;
		s.tables.ask.thread = thread_of(&s.o, waits_of[i].thread);
		s.tables.ask.at = waits_of[i].at;
		show(&s, USAGE_WAITS, NULL);
		is_str(written(&s), waits_of[i].rows, "%s", waits_of[i].name);
		if (i > 0)
			continue;
		is_str(s.tables.heading.p,
		    "Wait of 1 a, 0.010-0.065 ms: wakers ran 72.73%; runnable, CPU busy 27.27%",
		    "summed up");
		is_int(s.tables.rows[3].depth, 2, "c is below b, which is below a");
		ok(s.tables.rows[3].goal.kind == GOAL_TIME && s.tables.rows[3].goal.at == 20000 &&
			s.tables.rows[3].goal.thread == thread_of(&s.o, "c"),
		    "rows lead to the thread at that time");
	}
	for (size_t i = 0; i < sizeof(waits_inside) / sizeof(waits_inside[0]); i++) {
		s.tables.ask = USAGE_ASK_NONE;
		s.tables.ask.what = USAGE_ASK_WAITS;
		s.tables.ask.thread = thread_of(&s.o, waits_inside[i].thread);
		s.tables.ask.at = waits_inside[i].from;
		s.tables.ask.to = waits_inside[i].to;
		show(&s, USAGE_WAITS, NULL);
		is_str(written(&s), waits_inside[i].rows, "%s", waits_inside[i].name);
		is_str(s.tables.heading.p, waits_inside[i].heading, "%s, in words",
		    waits_inside[i].name);
	}
	waits_in_a_range(&s);
	close_shown(&s);
}

/* Rows lead to lists of what they sum. */
static void
lists(void)
{
	struct shown s;
	const struct usage_goal *goal;

	open_shown(&s, chain_log);
	show(&s, USAGE_BLOCKED, NULL);
	goal = usage_tables_goal(&s.tables);
	ok(goal != NULL && goal->kind == GOAL_TABLE && goal->table == USAGE_INTERVALS,
	    "from being blocked to the intervals");
	s.tables.ask = goal->ask;
	show(&s, USAGE_INTERVALS, NULL);
	is_str(written(&s),
	    "10,10,,,10000010,1,\"Uninterruptible sleep, I/O\",,wait_page+0x1/0x2,a\r\n",
	    "which are those");
	show(&s, USAGE_CORES, NULL);
	s.tables.ask = usage_tables_goal(&s.tables)->ask;
	show(&s, USAGE_INTERVALS, NULL);
	is_str(written(&s),
	    "15,25,0,97,10000025,1,Running,,,a\r\n"
	    "10,0,0,,10000000,1,Running,Uninterruptible sleep,,a\r\n",
	    "from a core to the threads on it; the priority of the first is not told");
	show(&s, USAGE_CHAINS, NULL);
	s.tables.ask = usage_tables_goal(&s.tables)->ask;
	show(&s, USAGE_CHAIN, NULL);
	is_str(written(&s),
	    "0,1,0,30,10000000,1,1,0,0,,a,a,work\r\n"
	    "0,2,4,2,10000004,3,1,2,1,S,a,c,serve\r\n"
	    "1,3,8,,10000008,2,1,3,2,,a,b,inner\r\n",
	    "the slices of a chain, parents first");
	is_int(s.usage->list.links[2].depth, 1, "inner is below serve, and names its span");
	is_int(s.usage->list.links[1].depth, 0, "which names none that is there");
	close_shown(&s);
}

/* Parents that name each other, themselves, or come later. */
static void
odd_chains(void)
{
	static const char text[] =
	    "a-1 (1) [000] .... 1.000001: tracing_mark_write: B|1|H:[f,1,2]#x\n"
	    "a-1 (1) [000] .... 1.000002: tracing_mark_write: B|1|H:[f,2,1]#y\n"
	    "a-1 (1) [000] .... 1.000003: tracing_mark_write: B|1|H:[f,3,3]#self\n"
	    "a-1 (1) [000] .... 1.000004: tracing_mark_write: B|1|H:[f,4,5]#early\n"
	    "a-1 (1) [000] .... 1.000005: tracing_mark_write: S|1|H:[f,5,0]#late 7\n"
	    "b-2 (1) [000] .... 1.000009: tracing_mark_write: F|1|H:[f,5,0]#late 7\n"
	    "a-1 (1) [000] .... 1.000010: tracing_mark_write: B|1|H:[f,5,4]#again\n";
	static const struct {
		const char *name;
		uint32_t depth;
		nsec length;
	} want[] = {{"x", 1, -1}, {"y", 0, -1}, {"self", 0, -1}, {"early", 1, -1},
	    {"late", 0, 4000}, {"again", 2, -1}};
	struct opened o = open_text(text);
	struct usage_ask ask = USAGE_ASK_NONE;
	struct usage *u;

	ask.what = USAGE_ASK_CHAIN;
	u = usage_new(o.p, NULL, NULL, &ask, NULL);
	is_int((int64_t)u->list.link_count, 6, "each slice once");
	for (size_t i = 0; i < u->list.link_count; i++) {
		const struct usage_link *l = &u->list.links[i];
		struct str name = trace_method(o.p->trace, l->link.method)->name;

		for (size_t k = 0; k < sizeof(want) / sizeof(want[0]); k++) {
			if (!str_equal(name, str_from(want[k].name)))
				continue;
			is_int(l->depth, want[k].depth, "depth of %s", want[k].name);
			is_int(l->link.to == LOG_OPEN ? -1 : l->link.to - l->link.from,
			    want[k].length, "length of %s", want[k].name);
		}
	}
	usage_free(u);
	done(&o);
}

int
main(void)
{
	tables();
	wakers();
	waits();
	lists();
	odd_chains();
	return tap_done();
}
