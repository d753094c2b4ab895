// SPDX-License-Identifier: Apache-2.0
/*
 * jank: frames of random traces against a plain reference, states of a log's thread, and
 * values by hand.
 */
#include <config.h>

#include "profile/timeline/jank.h"

#include <stdlib.h>
#include <string.h>

#include "base/sbuf.h"
#include "format/format.h"
#include "random-calls.h"
#include "tap/generate.h"
#include "tap/tap.h"

/* A call path within a frame, and its time there. */
struct path {
	int method;
	int parent;
	nsec time;
};

/* The heaviest path's time, or -1 where two are equal. */
static nsec
heaviest(const struct ref_call *calls, int frame, int end)
{
	struct path *paths = calloc((size_t)(end - frame) + 1, sizeof(*paths));
	int *at = calloc((size_t)(end - frame) + 1, sizeof(*at)); /* path by depth */
	int count = 1, on = 0, base = calls[frame].depth;
	nsec whole = calls[frame].leave[CLOCK_WALL] - calls[frame].enter[CLOCK_WALL], found = 0;

	for (int i = frame + 1; i < end; i++) {
		int parent = at[calls[i].depth - base - 1], p = 1;

		while (p < count && (paths[p].parent != parent || paths[p].method != calls[i].method))
			p++;
		if (p == count)
			paths[count++] = (struct path){calls[i].method, parent, 0};
		paths[p].time += calls[i].leave[CLOCK_WALL] - calls[i].enter[CLOCK_WALL];
		at[calls[i].depth - base] = p;
	}
	for (;;) {
		int best = 0;
		bool equal = false;

		for (int p = 1; p < count; p++) {
			if (paths[p].parent != on || paths[p].time == 0)
				continue;
			equal = (equal && paths[p].time <= paths[best].time) ||
			    (best > 0 && paths[p].time == paths[best].time);
			best = best == 0 || paths[p].time > paths[best].time ? p : best;
		}
		if (best == 0 || (on != 0 && paths[best].time < whole / 2))
			break;
		if (equal) {
			found = -1;
			break;
		}
		found = paths[best].time;
		on = best;
	}
	free(paths);
	free(at);
	return found;
}

static bool
frame_right(const struct jank *j, const struct ref_thread *t, uint32_t thread, int call, int end)
{
	const struct ref_call *c = &t->calls[call];
	nsec most = heaviest(t->calls, call, end);

	for (uint32_t i = 0; i < j->count; i++) {
		const struct jank_frame *f = &j->frames[i];

		if (f->thread == thread && f->start == c->enter[CLOCK_WALL] &&
		    f->time[CLOCK_WALL] == c->leave[CLOCK_WALL] - f->start &&
		    f->time[CLOCK_CPU] == c->leave[CLOCK_CPU] - c->enter[CLOCK_CPU] &&
		    (int)f->method - 1 == c->method && f->cut == c->unfinished &&
		    (most < 0 || f->heaviest_time == most))
			return true;
	}
	diag("thread %u, call %d, start %lld, heaviest %lld", thread, call,
	    (long long)c->enter[CLOCK_WALL], (long long)most);
	return false;
}

/* Counts of the frames that were given away. */
struct given {
	uint32_t frames, before, wrong;
	uint64_t calls;
};

static void
take(void *context, const struct jank_frame *f, uint32_t node, const struct jank_part *parts,
    size_t count)
{
	struct given *g = context;
	bool own = false;

	if (count == 0) {
		g->before++;
		g->wrong += !f->cut;
		return;
	}
	g->frames++;
	for (size_t i = 0; i < count; i++) {
		g->calls += parts[i].calls;
		if (parts[i].node == node)
			own = parts[i].calls == 1 && memcmp(parts[i].time, f->time, sizeof(f->time)) == 0;
		g->wrong += parts[i].time[CLOCK_WALL] > f->time[CLOCK_WALL];
	}
	g->wrong += !own;
}

static void
random_check(struct profile *p)
{
	bool methods[RANDOM_METHODS] = {0};
	struct given given = {0};
	struct jank_query q = {.range = RANGE_ALL, .take = take, .context = &given};
	uint32_t wanted = 0, wrong = 0, in_order = 1, before = 0;
	uint64_t calls = 0;
	struct sbuf pattern = {0};
	struct err e = {0};
	struct jank *j;

	for (int i = 0; i < 2; i++) {
		uint32_t m = random_below(RANDOM_METHODS);

		methods[m] = true;
		sbuf_text(&pattern, i > 0 ? "|^\\Q" : "^\\Q");
		method_full_name(&pattern, trace_method(p->trace, 1 + m));
		sbuf_text(&pattern, "\\E$");
	}
	q.pattern = sbuf_view(&pattern);
	j = jank_find(p, &q, NULL, &e);
	for (uint32_t t = 0; t < RANDOM_THREADS; t++) {
		int frame = -1; /* depth of the outermost open call of these methods */

		for (int i = 0; i < ref[t].call_count; i++) {
			const struct ref_call *c = &ref[t].calls[i];
			int end = i + 1;

			if (frame >= 0 && c->depth > frame)
				continue;
			frame = methods[c->method] ? c->depth : -1;
			before += frame >= 0 && c->before;
			if (frame < 0 || c->before)
				continue;
			while (end < ref[t].call_count && ref[t].calls[end].depth > c->depth)
				end++;
			wanted++;
			calls += (uint64_t)(end - i);
			wrong += !frame_right(j, &ref[t], t, i, end);
		}
	}
	for (uint32_t i = 1; i < j->count; i++)
		in_order += j->frames[i - 1].start <= j->frames[i].start;
	ok(wrong == 0, "%u frames, %u of them not found", wanted, wrong);
	is_int(j->count, wanted, "and no others");
	ok(in_order >= j->count, "in order of time");
	ok(given.frames == wanted && given.wrong == 0, "all are given away, with their own time");
	is_int((int64_t)given.calls, (int64_t)calls, "and all calls in them");
	is_int(given.before, before, "%u began before the trace", before);
	jank_free(j);
	sbuf_release(&pattern);
}

static struct profile *
loaded(struct trace *t)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	while (profile_load(p, 1000, &e) == LOAD_MORE)
		;
	return p;
}

static const char described[] =
    "version 3\nclock dual\n"
    "thread 1 main\n"
    "method 0x10 android.view.Choreographer doFrame (J)V C.java 1\n"
    "method 0x20 a.B layout ()V B.java 2\n"
    "method 0x30 a.B inflate ()V B.java 3\n"
    "method 0x40 a.B draw ()V B.java 4\n"
    "0/0 1 > android.view.Choreographer.doFrame\n" /* 30 ms: over the budget */
    "0/1000 1 > a.B.layout\n"
    "0/2000 1 > a.B.inflate\n"
    "0/12000 1 < a.B.inflate\n"
    "0/13000 1 > a.B.inflate\n"
    "0/21000 1 < a.B.inflate\n" /* 18 ms in two calls */
    "0/25000 1 < a.B.layout\n"  /* 24 ms */
    "0/26000 1 > a.B.draw\n"
    "0/28000 1 < a.B.draw\n"
    "100/30000 1 < android.view.Choreographer.doFrame\n"
    "200/40000 1 > android.view.Choreographer.doFrame\n" /* 5 ms, calls nothing */
    "300/45000 1 < android.view.Choreographer.doFrame\n"
    "300/50000 1 > android.view.Choreographer.doFrame\n" /* open at the end */
    "300/51000 1 > a.B.draw\n"
    "400/60000 1 < a.B.draw\n";

static void
test_described(void)
{
	struct err e = {0};
	size_t size;
	uint8_t *bytes = generate_described("", described, 1 << 16, &size);
	struct trace *t = format_open_memory(bytes, size, "described", &e);
	struct jank_query q = {.range = RANGE_ALL};
	struct profile *p;
	struct jank *j;

	if (!ok(t != NULL, "opens (%s)", e.what))
		return;
	p = loaded(t);
	j = jank_find(p, &q, NULL, &e);
	is_int(j->count, 3, "three frames");
	is_int(j->frames[0].time[CLOCK_WALL], 30000000, "the first takes 30 ms");
	is_int(j->frames[0].time[CLOCK_CPU], 100000, "and 0.1 ms of CPU");
	is_int(j->frames[0].heaviest_time, 18000000, "18 ms of it in inflate, called twice");
	ok(str_equal(trace_method(t, j->frames[0].heaviest)->name, STR("inflate")), "by name");
	is_int(j->frames[1].heaviest, METHOD_NONE, "the second calls nothing");
	ok(!j->frames[1].cut && j->frames[2].cut, "the last is cut by the end of the trace");
	is_int(j->frames[2].time[CLOCK_WALL], 10000000, "where its thread ends");
	jank_free(j);
	q.range = (struct range){p->begin + 35000000, p->begin + 55000000};
	j = jank_find(p, &q, NULL, &e);
	is_int(j->count, 2, "two begin in a range");
	ok(j->frames[1].cut && j->frames[1].time[CLOCK_WALL] == 5000000, "which cuts the last");
	is_int(j->frames[1].heaviest_time, 4000000, "and what it calls");
	jank_free(j);
	q.range = (struct range){p->begin + 1000, p->begin + 20000000};
	j = jank_find(p, &q, NULL, &e);
	is_int(j->count, 0, "what began before does not count");
	jank_free(j);
	q.pattern = STR("draw(");
	j = jank_find(p, &q, NULL, &e);
	ok(j->count == 0 && e.kind == ERR_MALFORMED, "a bad pattern is said to be one");
	jank_free(j);
	profile_free(p);
	trace_free(t);
	free(bytes);
}

static const char log_text[] =
    "# tracer: nop\n"
    "  ui-10  (   10) [000] .... 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 "
    "prev_prio=120 prev_state=R ==> next_comm=ui next_pid=10 next_prio=110\n"
    "  ui-10  (   10) [000] .... 1.001000: tracing_mark_write: B|10|Choreographer#doFrame 7\n"
    "  ui-10  (   10) [000] .... 1.004000: sched_switch: prev_comm=ui prev_pid=10 "
    "prev_prio=110 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
    "  <idle>-0 (-----) [000] .... 1.010000: sched_wakeup: comm=ui pid=10 prio=110 "
    "target_cpu=000\n"
    "  <idle>-0 (-----) [000] .... 1.012000: sched_switch: prev_comm=swapper/0 prev_pid=0 "
    "prev_prio=120 prev_state=R ==> next_comm=ui next_pid=10 next_prio=110\n"
    "  ui-10  (   10) [000] .... 1.021000: tracing_mark_write: E|10\n";

static void
test_states(void)
{
	struct err e = {0};
	struct trace *t =
	    format_open_memory((const uint8_t *)log_text, sizeof(log_text) - 1, "log", &e);
	struct jank_query q = {.range = RANGE_ALL};
	struct profile *p;
	struct jank *j;

	if (!ok(t != NULL, "the log opens (%s)", e.what))
		return;
	p = loaded(t);
	j = jank_find(p, &q, NULL, &e);
	is_int(j->count, 1, "one frame");
	if (j->count == 1) {
		is_int(j->frames[0].state[JANK_RUNNING], 3000000 + 9000000, "it ran");
		is_int(j->frames[0].state[JANK_SLEEPING], 6000000, "slept");
		is_int(j->frames[0].state[JANK_RUNNABLE], 2000000, "and waited for the core");
		is_int(j->frames[0].time[CLOCK_WALL], 20000000, "in all");
	}
	jank_free(j);
	profile_free(p);
	trace_free(t);
}

int
main(void)
{
	test_described();
	test_states();
	reference_rounds(random_check);
	return tap_done();
}
