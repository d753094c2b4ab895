// SPDX-License-Identifier: Apache-2.0
/* Rows of the timeline: what is opened, folded and chosen, and the cursor among them. */
#include <config.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "opened-log.h"
#include "tap/tap.h"
#include "view/timeline/pane.h"
#include "view/timeline/parts.h"

#define AT(us, tid, cpu) "t" #tid "-" #tid " (1) [00" #cpu "] .... 10." us ": "
#define MARK(us, tid, pid, what)                                                          \
	"t" #tid "-" #tid " (" #pid ") [000] .... 10." us ": tracing_mark_write: " what "\n"
#define SWITCH(us, cpu, prev, state, next)                                                \
	AT(us, 9, cpu) "sched_switch: prev_comm=t" #prev " prev_pid=" #prev                   \
	" prev_prio=120 prev_state=" state " ==> next_comm=t" #next " next_pid=" #next         \
	" next_prio=120\n"

/* Process 1 has threads 1 and 2, an asynchronous slice and a counter; process 5 thread 5. */
static const char text[] = "# tracer: nop\n"
    SWITCH("000000", 0, 0, "R", 1) SWITCH("000000", 1, 0, "R", 5)
    MARK("000010", 1, 1, "B|1|outer") MARK("000020", 1, 1, "B|1|inner")
    MARK("000030", 1, 1, "S|1|load|7") MARK("000040", 1, 1, "C|1|jobs|3")
    MARK("000060", 1, 1, "E|1") MARK("000070", 1, 1, "F|1|load|7")
    MARK("000080", 1, 1, "E|1")
    SWITCH("000090", 0, 1, "S", 2) MARK("000092", 2, 1, "B|1|work") MARK("000095", 2, 1, "E|1")
    MARK("000096", 5, 5, "B|5|short") MARK("000097", 5, 5, "E|5")
    AT("000098", 9, 0) "cpu_frequency: state=1000 cpu_id=0\n"
    AT("000098", 9, 0) "cpu_idle: state=1 cpu_id=1\n"
    SWITCH("000100", 0, 2, "S", 0) SWITCH("000100", 1, 5, "S", 0);

struct scene {
	struct opened o;
	struct names *names;
	struct timeline_pane p;
};

static void
scene_open_log(struct scene *s, const char *log, int lines)
{
	s->o = open_text(log);
	s->names = names_new(s->o.p->trace, true);
	timeline_pane_init(&s->p, s->o.p->trace, s->names);
	timeline_pane_set_size(&s->p, lines, 80);
	axis_set_whole(&s->p.axis, s->o.p->begin, s->o.p->end);
	timeline_pane_set_fold(&s->p, s->o.fold);
}

static void
scene_open(struct scene *s, int lines)
{
	scene_open_log(s, text, lines);
}

static void
scene_close(struct scene *s)
{
	timeline_pane_release(&s->p);
	names_free(s->names);
	done(&s->o);
}

/* "load process1 [t1] state c1 c2 t2", the cursor's in brackets. */
static void
rows_are(const struct timeline_pane *p, const char *want, const char *name)
{
	static const char *const words[TRACK_KINDS] = {[TRACK_THREAD] = "t",
	    [TRACK_CALLS] = "c", [TRACK_ASYNC] = "async", [TRACK_STATE] = "state",
	    [TRACK_PROCESS] = "process", [TRACK_LOAD] = "load", [TRACK_CORE] = "core",
	    [TRACK_FREQUENCY] = "kHz", [TRACK_IDLE] = "idle", [TRACK_COUNTER] = "counter",
	    [TRACK_INSTANTS] = "instants", [TRACK_POINTS] = "points", [TRACK_REST] = "rest"};
	char got[600] = "";

	for (size_t i = 0; i < p->row_count; i++) {
		const struct track *t = &p->rows[i];
		char number[12] = "";

		if (t->kind == TRACK_THREAD)
			snprintf(number, sizeof(number), "%u",
			    (unsigned)trace_thread(p->trace, t->index)->id);
		else if (t->kind == TRACK_CALLS)
			snprintf(number, sizeof(number), "%u", (unsigned)t->depth);
		else if (t->kind == TRACK_CORE)
			snprintf(number, sizeof(number), "%u", (unsigned)t->index);
		else if (t->kind == TRACK_PROCESS)
			snprintf(number, sizeof(number), "%u",
			    (unsigned)p->processes.items[t->index].pid);
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    i == p->row ? "%s[%s%s]" : "%s%s%s", i > 0 ? " " : "", words[t->kind], number);
	}
	is_str(got, want, "%s", name);
}

/* What the engine would answer: two depths of thread 1 where they are asked for. */
static void
answer(struct scene *s)
{
	struct asked asked = {0};
	const struct query *q = &asked.queries[QUERY_TRACKS];
	struct engine_tracks *t = mem_zero(1, sizeof(*t));

	timeline_pane_ask(&s->p, &asked, METHOD_NONE, true);
	t->window = (struct range){s->p.axis.from, s->p.axis.to};
	t->columns = q->columns;
	t->asked_count = q->row_count;
	t->asked = mem_zero(q->row_count + 1, sizeof(*t->asked));
	t->tracks = mem_zero(2, sizeof(*t->tracks));
	t->cells = mem_zero(2 * (size_t)q->columns + 1, sizeof(*t->cells));
	for (uint32_t i = 0; i < q->row_count; i++) {
		t->asked[i] = q->rows[i];
		if (q->rows[i].kind != TRACK_CALLS ||
		    trace_thread(s->p.trace, q->rows[i].index)->id != 1)
			continue;
		for (uint32_t d = 1; d <= 2; d++)
			t->tracks[t->count++] = (struct track){TRACK_CALLS, q->rows[i].index, d};
	}
	timeline_pane_take_tracks(&s->p, t);
}

static void
test_small(void)
{
	struct scene s;

	scene_open(&s, 6);
	rows_are(&s.p, "[t1] t2 t1 t5", "a small pane has the threads, one is a stack");
	ok(timeline_pane_open(&s.p, true), "one is opened");
	rows_are(&s.p, "[t1] state t2 t1 t5", "its states at once, calls not yet known");
	answer(&s);
	rows_are(&s.p, "[t1] state c1 c2 t2 t1 t5", "then its calls");
	ok(!timeline_pane_open(&s.p, true), "it is open");
	ok(timeline_pane_move(&s.p, 3), "down to the inner call");
	rows_are(&s.p, "t1 state c1 [c2] t2 t1 t5", "rows, not threads");
	is_int(s.p.thread, timeline_pane_track(&s.p)->index, "still of that thread");
	ok(timeline_pane_move_thread(&s.p, 1), "to the next thread");
	rows_are(&s.p, "t1 state c1 c2 [t2] t1 t5", "over its rows");
	ok(timeline_pane_move_thread(&s.p, -1) && timeline_pane_move(&s.p, 2), "and back in");
	ok(timeline_pane_open(&s.p, false), "closed from inside");
	rows_are(&s.p, "[t1] t2 t1 t5", "the cursor is on the thread");
	scene_close(&s);
}

/*
 * Process 1 has the frame.  The slice of process 6 is longest but sleeps, process 5 ran longer,
 * process 7 with threads 7 and 8 longest, without slices.
 */
static const char many[] = "# tracer: nop\n"
    SWITCH("000000", 0, 0, "R", 1) SWITCH("000000", 1, 0, "R", 6)
    MARK("000001", 6, 6, "B|6|long")
    MARK("000002", 1, 1, "B|1|Choreographer#doFrame") MARK("000003", 1, 1, "E|1")
    SWITCH("000004", 0, 1, "S", 5) SWITCH("000005", 1, 6, "S", 7)
    MARK("000010", 5, 5, "B|5|short") MARK("000011", 5, 5, "E|5")
    MARK("000012", 2, 1, "B|1|draw") MARK("000012", 2, 1, "E|1") MARK("000012", 2, 1, "B|1|draw")
    MARK("000013", 2, 1, "E|1") MARK("000013", 7, 7, "C|7|n|1") SWITCH("000040", 0, 5, "S", 8)
    MARK("000041", 8, 7, "C|7|n|2")
    SWITCH("000090", 0, 8, "S", 6) MARK("000091", 6, 6, "E|6") SWITCH("000095", 0, 6, "S", 0)
    SWITCH("000100", 1, 7, "S", 0);

static void
test_many(void)
{
	struct scene s;
	struct display d;
	struct pattern *search;
	struct err e = {0};

	scene_open_log(&s, many, 30);
	rows_are(&s.p, "load process1 [t1] t2 process7 process5 t5 process6 t6",
	    "the app in front, then by time on a core; without slices folded");
	display_init(&d, s.o.p->trace, s.names);
	ok(pattern_compile(STR("t8"), 0, &search, &e), "a search");
	display_search(&d, search);
	ok(timeline_pane_search_next(&s.p, &d, 1) != HITS_NONE,
	    "a thread of a process that is folded is found");
	rows_are(&s.p, "load process1 t1 t2 process7 state [state] counter process5 t5 process6 t6",
	    "and opens it");
	timeline_pane_set_fold(&s.p, s.o.fold);
	rows_are(&s.p, "load process1 t1 t2 process7 state [state] counter process5 t5 process6 t6",
	    "it stays so");
	timeline_pane_set_order(&s.p, ORDER_ID);
	rows_are(&s.p, "load process1 t1 t2 process5 t5 process6 t6 process7 state [state] counter",
	    "in the order of their threads' ids");
	display_release(&d);
	scene_close(&s);
	scene_open_log(&s, many, 6);
	rows_are(&s.p, "[t1] t2 t6 t5 state state",
	    "a small one: first the threads of the app in front that have slices");
	scene_close(&s);
}

/* Nine processes with a slice, two that only have a counter. */
static void
test_crowd(void)
{
	struct scene s;
	struct display d;
	struct pattern *search;
	struct err e = {0};
	char log[4000] = "# tracer: nop\n" MARK("000001", 1, 1, "B|1|Choreographer#doFrame")
	    MARK("000900", 1, 1, "E|1");

	for (int i = 11; i < 19; i++)
		snprintf(log + strlen(log), sizeof(log) - strlen(log),
		    MARK("0000%d", %d, %d, "B|%d|slice") MARK("0001%d", %d, %d, "E|%d"), i + 10, i + 10,
		    i, i, i, i + 10, i + 10, i, i, i);
	strcat(log, MARK("000950", 1, 1, "C|31|n|1") MARK("000960", 1, 1, "C|32|n|2"));
	scene_open_log(&s, log, 30);
	rows_are(&s.p, "process1 [t1] process11 process12 process13 process14 process15 process16 "
	    "process17 process18 rest", "only the app in front is open; what did nothing is one row");
	is_int(s.p.idle_count, 2, "for two processes");
	display_init(&d, s.o.p->trace, s.names);
	ok(pattern_compile(STR("t24"), 0, &search, &e), "a search");
	display_search(&d, search);
	is_int(timeline_pane_search_next(&s.p, &d, 1), HITS_FOUND, "a thread is found");
	rows_are(&s.p, "process1 t1 process11 process12 process13 process14 [t24] process15 process16 "
	    "process17 process18 rest", "its process opens");
	timeline_pane_move(&s.p, 9);
	ok(!timeline_pane_is_open(&s.p) && timeline_pane_open(&s.p, true), "the last row opens");
	rows_are(&s.p, "process1 t1 process11 process12 process13 process14 t24 process15 process16 "
	    "process17 process18 [rest] process31 process32", "and shows them");
	ok(timeline_pane_is_open(&s.p) && timeline_pane_open(&s.p, false), "and closes");
	timeline_pane_move(&s.p, -5);
	timeline_pane_set_size(&s.p, 6, 80);
	timeline_pane_select_thread(&s.p, thread_of(&s.o, "t27"));
	timeline_pane_set_size(&s.p, 30, 80);
	rows_are(&s.p, "process1 t1 process11 process12 process13 process14 t24 process15 process16 "
	    "process17 [t27] process18 rest", "so does that of a thread that was chosen in a small pane");
	timeline_pane_select_thread(&s.p, thread_of(&s.o, "t24"));
	timeline_pane_set_kinds(&s.p, TRACKS_ALL & ~(1u << TRACK_PROCESS | 1u << TRACK_COUNTER));
	rows_are(&s.p, "t1 t21 t22 t23 [t24] t25 t26 t27 t28", "without processes all threads are there");
	display_release(&d);
	scene_close(&s);
}

static void
test_grouped(void)
{
	struct scene s;
	uint32_t five;

	scene_open(&s, 30);
	rows_are(&s.p, "load process1 [t1] t2 async counter process5 t5",
	    "a large one has processes, stacks and counters");
	timeline_pane_move(&s.p, -9);
	ok(timeline_pane_open(&s.p, true), "the cores");
	rows_are(&s.p, "[load] core0 core1 process1 t1 t2 async counter process5 t5",
	    "below their load");
	ok(timeline_pane_move(&s.p, 1) && timeline_pane_open(&s.p, true), "once more");
	rows_are(&s.p, "load [core0] kHz core1 idle process1 t1 t2 async counter process5 t5",
	    "what is known of the cores, and no row of what is not");
	ok(timeline_pane_open(&s.p, false) && timeline_pane_move(&s.p, -1), "closed");
	ok(timeline_pane_open(&s.p, false) && timeline_pane_move(&s.p, 1), "closed again");
	ok(timeline_pane_is_open(&s.p) && timeline_pane_open(&s.p, false), "a process is folded");
	rows_are(&s.p, "load [process1] process5 t5", "all that belongs to it");
	five = s.p.rows[3].index;
	timeline_pane_go_state(&s.p, five, 50000);
	rows_are(&s.p, "load process1 process5 t5 [state]", "a thread's states, opened");
	is_int(s.p.axis.cursor, 50000, "and the time");
	timeline_pane_select_thread(&s.p, s.p.threads[0]);
	rows_are(&s.p, "load process1 [t1] t2 async counter process5 t5 state",
	    "a thread that is gone to unfolds its process");
	timeline_pane_set_kinds(&s.p, TRACKS_ALL & ~(1u << TRACK_PROCESS | 1u << TRACK_ASYNC));
	rows_are(&s.p, "load [t1] t2 counter t5 state", "kinds of rows left out");
	timeline_pane_set_kinds(&s.p, 1u << TRACK_THREAD);
	rows_are(&s.p, "[t1] t2 t5", "all of them");
	timeline_pane_set_kinds(&s.p, TRACKS_ALL);
	timeline_pane_set_size(&s.p, 6, 80);
	rows_are(&s.p, "[t1] t2 t1 t5 state", "a smaller pane");
	scene_close(&s);
}

/* To the known changes of a row. */
static void
test_steps(void)
{
	struct scene s;
	struct engine_point point = {.at = 50000, .call.method = METHOD_NONE,
	    .point = {.known = true, .from = 40000, .to = 60000}};

	scene_open(&s, 30);
	timeline_pane_go_state(&s.p, s.p.threads[0], 50000);
	ok(!timeline_pane_step(&s.p, 1), "nothing is known");
	point.row = *timeline_pane_track(&s.p);
	timeline_pane_take_point(&s.p, &point);
	ok(timeline_pane_step(&s.p, 1), "to its end");
	is_int(s.p.axis.cursor, 60000, "there");
	ok(!timeline_pane_step(&s.p, 1), "which is another place");
	axis_move_to(&s.p.axis, 50000);
	ok(timeline_pane_step(&s.p, -1), "to its start");
	is_int(s.p.axis.cursor, 40000, "there, too");
	point.at = 40000;
	timeline_pane_take_point(&s.p, &point);
	ok(timeline_pane_step(&s.p, -1), "again");
	is_int(s.p.axis.cursor, 39999, "into what was before");
	scene_close(&s);
}

/* Where a counter's scale begins, as labels and the last line have it. */
static void
test_scale(void)
{
	static const struct {
		struct track_scale scale;
		uint8_t unit;
		const char *text, *name;
	} cases[] = {
		{{true, 4.4e9, 5e9}, LOG_UNIT_BYTES, "from 4.1 GiB", "far from 0"},
		{{true, -5, 5}, LOG_UNIT_NONE, "from -5", "below 0"},
		{{true, 7, 7}, LOG_UNIT_NONE, "= 7", "one value"},
		{{true, 0, 0}, LOG_UNIT_NONE, "= 0", "0 alone"},
		{{true, 0, 9}, LOG_UNIT_NONE, "", "from 0"},
		{{false, 0, 0}, LOG_UNIT_NONE, "", "without a value in the range"},
	};
	struct track track = {TRACK_COUNTER, 0, 0};
	struct scene s;

	scene_open_log(&s, many, 30);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct engine_tracks *t = mem_zero(1, sizeof(*t));
		char told[SCALE_TEXT];

		t->window = (struct range){s.p.axis.from, s.p.axis.to};
		t->columns = (uint32_t)timeline_pane_cells(&s.p);
		t->tracks = mem_zero(1, sizeof(*t->tracks));
		t->scales = mem_zero(1, sizeof(*t->scales));
		t->cells = mem_zero(t->columns, sizeof(*t->cells));
		t->count = t->scale_count = 1;
		t->tracks[0] = track;
		t->scales[0] = cases[i].scale;
		timeline_pane_take_tracks(&s.p, t);
		((struct log_counter *)seg_at(&s.o.p->trace->log->counters, 0))->unit = cases[i].unit;
		ok(timeline_scale_text(told, &s.p, &track) == (cases[i].text[0] != '\0'), "%s: told or not",
		    cases[i].name);
		is_str(told, cases[i].text, "%s", cases[i].name);
	}
	scene_close(&s);
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_small();
	test_grouped();
	test_many();
	test_crowd();
	test_steps();
	test_scale();
	return tap_done();
}
