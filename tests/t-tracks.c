// SPDX-License-Identifier: Apache-2.0
/*
 * tracks: calls by depth of random traces, and what rows of a log show, against a plain
 * reference that looks at every call, interval and value for each cell.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "opened-log.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/tracks.h"
#include "random-calls.h"
#include "tap/tap.h"

enum { COLUMNS = 61 };

/* Calls by depth ----------------------------------------------------------------- */

/* Does the call have a part of [from, to)?  One without length is at its place. */
static bool
touches(const struct ref_call *c, nsec from, nsec to)
{
	nsec enter = c->enter[CLOCK_WALL], leave = c->leave[CLOCK_WALL];

	return enter == leave ? enter >= from && enter < to
			      : enter < to && leave > from;
}

static bool
cell_right(const struct ref_thread *t, int depth, const struct raster *g, uint32_t column,
    const struct track_cell *got)
{
	nsec from = raster_edge(g, column), to = raster_edge(g, column + 1);
	nsec sums[RANDOM_METHODS] = {0}, most = 0, all = 0;
	bool begins = false, none_longer;
	int parts = 0, sum;

	for (int i = 0; i < t->call_count; i++) {
		const struct ref_call *c = &t->calls[i];
		nsec enter = c->enter[CLOCK_WALL];
		nsec part = overlap(enter, c->leave[CLOCK_WALL], from, to);

		if (c->depth != depth || !touches(c, from, to))
			continue;
		parts++;
		begins |= !c->before && enter >= from && enter < to;
		sums[c->method] += part;
		all += part;
	}
	for (int i = 0; i < RANDOM_METHODS; i++)
		most = sums[i] > most ? sums[i] : most;
	if (parts == 0)
		return got == NULL || (got->what == TRACK_NOTHING && got->parts == 0);
	if (got == NULL || got->what == TRACK_NOTHING || got->what == 0)
		return false;
	none_longer = sums[got->what - 1] == most;
	sum = all >= to - from ? CELL_FULL : (int)((double)all / (double)(to - from) * CELL_FULL);
	return got->parts == (parts < 255 ? parts : 255) && got->begins == begins && none_longer &&
	    (most == 0 || abs(got->share - sum) <= 1);
}

static int
chart_differs(const struct profile *p, nsec from, nsec to, bool in_steps)
{
	struct raster g = {from, to, COLUMNS};
	uint32_t threads[RANDOM_THREADS];
	struct chart *chart;
	int wrong = 0;

	for (uint32_t i = 0; i < RANDOM_THREADS; i++)
		threads[i] = i;
	chart = chart_new(p, from, to, COLUMNS, threads, RANDOM_THREADS);
	if (in_steps) {
		atomic_bool stop;

		atomic_init(&stop, true);
		wrong += chart_advance(chart, &stop, NULL);
	}
	wrong += !chart_advance(chart, NULL, NULL);
	for (uint32_t i = 0; i < RANDOM_THREADS; i++) {
		int deepest = 0;

		for (int k = 0; k < ref[i].call_count; k++) {
			if (touches(&ref[i].calls[k], from, to) && ref[i].calls[k].depth > deepest)
				deepest = ref[i].calls[k].depth;
		}
		wrong += (int)chart_depth(chart, i) != (deepest < TRACK_DEPTH_MAX
			? deepest : TRACK_DEPTH_MAX);
		for (uint32_t d = 1; d <= chart_depth(chart, i); d++) {
			const struct track_cell *cells = chart_cells(chart, i, d);

			for (uint32_t c = 0; c < COLUMNS; c++)
				wrong += !cell_right(&ref[i], (int)d, &g, c, &cells[c]);
		}
	}
	chart_free(chart);
	return wrong;
}

/* The call open at some depth, and none where the stack is not so deep. */
static int
depths_differ(const struct profile *p)
{
	int wrong = 0;

	for (int i = 0; i < 100; i++) {
		uint32_t thread = random_below(RANDOM_THREADS);
		const struct ref_thread *t = &ref[thread];
		const struct ref_call *c;
		struct call call;

		if (t->call_count == 0)
			continue;
		c = &t->calls[random_below((uint32_t)t->call_count)];
		if (c->leave[CLOCK_WALL] <= c->enter[CLOCK_WALL])
			continue;
		timeline_call(p, thread,
		    (c->enter[CLOCK_WALL] + c->leave[CLOCK_WALL]) / 2, (uint32_t)c->depth, METHOD_NONE, &call,
		    NULL);
		wrong += (int)call.method - 1 != c->method || (int)call.depth != c->depth ||
		    call.enter[CLOCK_WALL] != c->enter[CLOCK_WALL] ||
		    call.leave[CLOCK_WALL] != c->leave[CLOCK_WALL];
		timeline_call(p, thread, c->enter[CLOCK_WALL], 100000, METHOD_NONE, &call, NULL);
		wrong += call.method != METHOD_NONE;
	}
	return wrong;
}

#if defined(TAP_SANITIZED)
enum { ROUNDS = 2 };
#else
enum { ROUNDS = 4 };
#endif

static void
charts_check(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct err e = {0};
		struct profile *p;
		struct trace *t;
		uint8_t *bytes;
		size_t size;
		int wrong = 0;

		random_trace_make((uint64_t)round + 71, 2);
		reference_make();
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		ok(t != NULL, "round %d: opens (%s)", round, e.what);
		if (t == NULL)
			break;
		p = profile_new(t);
		while (profile_load(p, 5000, &e) == LOAD_MORE) {
		}
		is_int(chart_differs(p, p->begin, p->end, false), 0, "calls of the whole");
		for (int i = 0; i < 12; i++) {
			nsec wide = (p->end - p->begin) >> (i % 10);
			nsec from = p->begin +
			    (nsec)random_below((uint32_t)((p->end - p->begin - wide) / 1000 + 1)) *
				1000;

			wrong += chart_differs(p, from, from + (wide > 1000 ? wide : 1000), i % 2);
		}
		is_int(wrong, 0, "calls of windows, also drawn with interruptions");
		is_int(depths_differ(p), 0, "the call at a depth");
		profile_free(p);
		trace_free(t);
		free(bytes);
		reference_free();
	}
}

/* Rows of a log -------------------------------------------------------------------- */

#define SWITCH(us, cpu, prev, state, next)                                                \
	"a-1 (1) [00" #cpu "] d..2 10." us ": sched_switch: prev_comm=t" #prev               \
	" prev_pid=" #prev " prev_prio=120 prev_state=" state " ==> next_comm=t" #next         \
	" next_pid=" #next " next_prio=120\n"
#define WAKE(us, by, whom)                                                                \
	"t" #by "-" #by " (1) [000] d..2 10." us ": sched_wakeup: comm=t" #whom                \
	" pid=" #whom " prio=120 target_cpu=000\n"
#define COUNT(us, value) "a-1 (1) [000] .... 10." us ": tracing_mark_write: C|1|n|" value "\n"

/*
 * Two cores, 100 us: thread 2 sleeps from 20 to 50, is woken by 3, runs from 60 on; thread
 * 4 waits for the disk.
 */
static const char small[] = "# tracer: nop\n"
    SWITCH("000000", 0, 0, "R", 2) SWITCH("000000", 1, 0, "R", 3)
    COUNT("000010", "4")
    SWITCH("000020", 0, 2, "S", 4)
    "x-9 (1) [001] d..2 10.000025: cpu_frequency: state=1000000 cpu_id=0\n"
    COUNT("000040", "-2")
    SWITCH("000040", 0, 4, "D", 0)
    WAKE("000050", 3, 2)
    "t3-3 (1) [001] d..2 10.000055: sched_blocked_reason: pid=4 iowait=1 caller=io_wait+0x1/0x2\n"
    SWITCH("000060", 0, 0, "R", 2)
    "x-9 (1) [001] d..2 10.000075: cpu_frequency: state=500000 cpu_id=0\n"
    "x-9 (1) [001] d..2 10.000080: cpu_idle: state=1 cpu_id=1\n"
    "x-9 (1) [001] d..2 10.000090: cpu_idle: state=4294967295 cpu_id=1\n"
    SWITCH("000100", 0, 2, "S", 0) SWITCH("000100", 1, 3, "S", 0);

/* Thread ids and shares of ten cells of a row: "2:1000 2:1000 -:0". */
static void
row_is(const struct opened *o, struct track track, const char *want, const char *name)
{
	struct track_cell cells[10];
	char got[400] = "";

	ok(tracks_draw(o->p, 0, 100000, 10, &track, 1, cells, NULL, NULL), "%s: drawn", name);
	for (int i = 0; i < 10; i++) {
		uint32_t state = cells[i].what >> 1;
		char what[20];

		if (cells[i].what == TRACK_NOTHING)
			snprintf(what, sizeof(what), "-");
		else if (track.kind == TRACK_STATE)
			snprintf(what, sizeof(what), "%s%s",
			    state == TASK_RUNNING ? "run" : task_states[state].letters,
			    cells[i].what & 1 ? "io" : "");
		else if (track.kind == TRACK_CORE)
			snprintf(what, sizeof(what), "t%u",
			    (unsigned)trace_thread(o->p->trace, cells[i].what)->id);
		else
			snprintf(what, sizeof(what), "%u", (unsigned)cells[i].what);
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s:%d", i > 0 ? " " : "",
		    what, cells[i].share / 10);
	}
	is_str(got, want, "%s", name);
}

static uint32_t
id_row(const struct opened *o, uint32_t id)
{
	for (uint32_t i = 0; i < trace_thread_count(o->p->trace); i++) {
		const struct thread *t = trace_thread(o->p->trace, i);

		if (t->id == id && t->kind == THREAD_TASK)
			return i;
	}
	return THREAD_NONE;
}

static void
rows_check(void)
{
	struct opened o = open_text(small);
	struct track_point at;
	uint32_t two, four;

	ok(o.p != NULL, "a log opens");
	if (o.p == NULL)
		return;
	two = id_row(&o, 2);
	four = id_row(&o, 4);
	row_is(&o, (struct track){TRACK_STATE, two, 0},
	    "run:100 run:100 S:0 S:0 S:0 R:0 run:100 run:100 run:100 run:100", "states");
	row_is(&o, (struct track){TRACK_STATE, four, 0},
	    "-:0 -:0 run:100 run:100 Dio:0 Dio:0 Dio:0 Dio:0 Dio:0 Dio:0", "waiting for a disk");
	row_is(&o, (struct track){TRACK_CORE, 0, 0},
	    "t2:100 t2:100 t4:100 t4:100 -:0 -:0 t2:100 t2:100 t2:100 t2:100", "a core");
	row_is(&o, (struct track){TRACK_LOAD, 0, 0},
	    "0:100 0:100 0:100 0:100 0:50 0:50 0:100 0:100 0:100 0:100", "the load");
	row_is(&o, (struct track){TRACK_FREQUENCY, 0, 0},
	    "-:0 -:0 0:50 0:100 0:100 0:100 0:100 0:75 0:50 0:50", "a frequency");
	row_is(&o, (struct track){TRACK_IDLE, 1, 0},
	    "-:0 -:0 -:0 -:0 -:0 -:0 -:0 -:0 2:100 0:0", "idleness");
	row_is(&o, (struct track){TRACK_COUNTER, 0, 0},
	    "-:0 0:100 0:100 0:100 0:0 0:0 0:0 0:0 0:0 0:0", "a counter");

	track_point_find(o.p, &(struct track){TRACK_STATE, two, 0}, 30000, &at, NULL);
	ok(at.known && at.from == 20000 && at.to == 50000, "asleep from 20 to 50");
	is_int(at.state.state, TASK_SLEEPING, "asleep");
	is_int(at.before.state, TASK_RUNNING, "ran before");
	is_int(at.after.waker, (int64_t)id_row(&o, 3), "woken by thread 3");
	track_point_find(o.p, &(struct track){TRACK_STATE, four, 0}, 10000, &at, NULL);
	ok(!at.known, "nothing is known before its first switch");
	track_point_find(o.p, &(struct track){TRACK_CORE, 0, 0}, 50000, &at, NULL);
	ok(at.known && at.idle && at.from == 40000 && at.to == 60000, "a core idle");
	track_point_find(o.p, &(struct track){TRACK_COUNTER, 0, 0}, 39999, &at, NULL);
	ok(at.known && at.value == 4 && at.from == 10000 && at.to == 40000, "a value");
	track_point_find(o.p, &(struct track){TRACK_LOAD, 0, 0}, 45000, &at, NULL);
	ok(at.known && at.value == 1 && at.from == 40000 && at.to == 60000, "one core ran");
	track_point_find(o.p, &(struct track){TRACK_FREQUENCY, 0, 0}, 80000, &at, NULL);
	ok(at.known && at.value == 500000 && at.from == 75000, "a frequency in force");
	done(&o);
}

/* Heights of a counter in a window, the foot of its scale, and its top. */
static void
scale_is(const struct opened *o, uint32_t counter, nsec from, nsec to, const char *want,
    const char *name)
{
	struct track track = {TRACK_COUNTER, counter, 0};
	struct track_cell cells[10];
	struct track_scale scale;
	char got[200] = "";

	ok(tracks_draw(o->p, from, to, 10, &track, 1, cells, &scale, NULL), "%s: drawn", name);
	for (int i = 0; i < 10; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%c",
		    cells[i].what == TRACK_NOTHING ? '-' : '1' + (cells[i].share * 7 + CELL_FULL / 2) / CELL_FULL);
	if (scale.known)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), " %g %g%s", scale.from, scale.to,
		    track_scale_begins(&scale) ? " from" : "");
	is_str(got, want, "%s", name);
}

static void
scales_check(void)
{
#define VALUE(at, name, value) \
	"t-2 [000] .... 10.0000" at ": tracing_mark_write: C|2|" name "|" value "\n"
	struct opened o = open_text(VALUE("00", "far", "100") VALUE("10", "near", "100")
	    VALUE("20", "same", "7") VALUE("20", "below", "-5") VALUE("20", "none", "0")
	    VALUE("30", "far", "10") VALUE("30", "near", "150") VALUE("50", "below", "5")
	    VALUE("50", "same", "7") VALUE("52", "near", "199") VALUE("54", "near", "120")
	    VALUE("60", "none", "0") VALUE("70", "far", "20") VALUE("99", "below", "0"));

	ok(o.p != NULL, "a log of counters opens");
	if (o.p == NULL)
		return;
	scale_is(&o, 0, 0, 100000, "8882222222 0 100", "the smallest far below the largest: from 0");
	scale_is(&o, 1, 0, 100000, "-115582222 100 199 from",
	    "the smallest near the largest: from there; the largest in a cell counts");
	scale_is(&o, 2, 0, 100000, "--11111111 7 7", "one value is lowest");
	scale_is(&o, 3, 0, 100000, "--11188888 -5 5 from", "below 0");
	scale_is(&o, 4, 0, 100000, "--11111111 0 0", "0 alone");
	scale_is(&o, 0, 40000, 60000, "1111111111 10 10", "values of the window alone, and what held before");
	scale_is(&o, 2, 0, 20000, "----------", "a window before all values");
	done(&o);
#undef VALUE
}

/* What a core did while its events were lost, and before its data began, is not idleness. */
static void
lost_check(void)
{
	struct opened o = open_text(
	    "##### CPU 1 buffer started ####\n"
	    "a-1 [000] d... 10.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
	    "b-2 [000] .... 10.000006: tracing_mark_write: C|2|n|1\n"
	    "CPU:0 [LOST 7 EVENTS]\n"
	    "e-5 [001] d... 10.000020: sched_switch: prev_comm=e prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
	    "c-3 [000] d... 10.000050: sched_switch: prev_comm=c prev_pid=3 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=2 next_prio=120\n"
	    "b-2 [000] .... 10.000060: tracing_mark_write: C|2|n|3\n");
	struct track tracks[] = {{TRACK_CORE, 0, 0}, {TRACK_CORE, 1, 0}};
	uint32_t b = thread_of(&o, "b");
	uint32_t want[] = {b, TRACK_LOST, TRACK_LOST, TRACK_LOST, TRACK_LOST, b,
	    TRACK_LOST, TRACK_LOST, TRACK_NOTHING, TRACK_NOTHING, TRACK_NOTHING, TRACK_NOTHING};
	struct track_cell cells[12];
	struct track_point at;

	tracks_draw(o.p, 0, 60000, 6, tracks, 2, cells, NULL, NULL);
	for (int i = 0; i < 12; i++)
		is_int(cells[i].what, want[i], "core %d, cell %d", i / 6, i % 6);
	track_point_find(o.p, &tracks[0], 30000, &at, NULL);
	ok(at.known && at.lost && at.from == 6000 && at.to == 50000, "from when to when");
	track_point_find(o.p, &tracks[1], 40000, &at, NULL);
	ok(at.known && at.idle && !at.lost && at.from == 20000, "idle after it");
	done(&o);
}

/* Random switches on four cores, of which every cell is summed again plainly. */
static char *
random_log(void)
{
	char *text = mem_alloc(1 << 20);
	size_t n = (size_t)sprintf(text, "# tracer: nop\n");
	static const char *const states[] = {"S", "D", "R", "R+", "I"};
	unsigned on[4] = {0}, at = 0;

	for (int i = 0; i < 4000; i++) {
		unsigned cpu = random_below(4), next = random_below(3) == 0 ? 0 : 10 + cpu * 8 + random_below(8);

		at += random_below(50);
		if (next == on[cpu])
			continue;
		n += (size_t)sprintf(text + n,
		    "x-9 (9) [00%u] d..2 %u.%06u: sched_switch: prev_comm=p prev_pid=%u prev_prio=120 "
		    "prev_state=%s ==> next_comm=n next_pid=%u next_prio=120\n",
		    cpu, 10 + at / 1000000, at % 1000000, on[cpu],
		    on[cpu] == 0 ? "R" : states[random_below(5)], next);
		on[cpu] = next;
	}
	return text;
}

static int
states_differ(const struct opened *o, uint32_t thread, const struct raster *g)
{
	const struct sched *s = &o->p->trace->log->sched;
	struct track track = {TRACK_STATE, thread, 0};
	struct track_cell cells[COLUMNS];
	int wrong = !tracks_draw(o->p, g->from, g->to, g->columns, &track, 1, cells,
	    NULL, NULL);

	for (uint32_t c = 0; c < g->columns; c++) {
		nsec from = raster_edge(g, c), to = raster_edge(g, c + 1), most = 0, ran = 0;
		nsec sums[TASK_STATES * 2] = {0};
		int parts = 0, share;

		for (uint64_t n = 0; n < s->intervals.count; n++) {
			const struct interval *i = sched_interval(s, n);
			nsec part = overlap(i->from, i->to, from, to);

			if (i->thread != thread || part == 0)
				continue;
			sums[track_state(i)] += part;
			ran += i->state == TASK_RUNNING ? part : 0;
			parts++;
		}
		for (int i = 0; i < TASK_STATES * 2; i++)
			most = sums[i] > most ? sums[i] : most;
		share = (int)((double)ran / (double)(to - from) * CELL_FULL);
		if (parts == 0)
			wrong += cells[c].what != TRACK_NOTHING;
		else
			wrong += cells[c].what == TRACK_NOTHING || sums[cells[c].what] != most ||
			    cells[c].parts != (parts < 255 ? parts : 255) ||
			    abs(cells[c].share - share) > 1;
	}
	return wrong;
}

static void
random_check(void)
{
	char *text = random_log();
	struct opened o = open_text(text);
	int wrong = 0;

	ok(o.p != NULL, "a random log opens");
	for (uint32_t i = 0; o.p != NULL && i < o.p->stack_count; i++) {
		struct raster whole = {0, o.p->trace->log->end, COLUMNS};
		struct raster part = {whole.to / 3, whole.to / 3 + whole.to / 50, COLUMNS};

		wrong += states_differ(&o, i, &whole);
		wrong += states_differ(&o, i, &part);
	}
	is_int(wrong, 0, "states of all threads, whole and in part");
	done(&o);
	mem_free(text);
}

int
main(void)
{
	charts_check();
	rows_check();
	scales_check();
	lost_check();
	random_check();
	return tap_done();
}
