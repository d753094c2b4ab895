// SPDX-License-Identifier: Apache-2.0
/* timeline_pane: order of threads, scrolling, what it asks for and what it accepts. */
#include <config.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tap/tap.h"
#include "profile/sum/idle.h"
#include "view/fixture.h"
#include "view/names/looks.h"
#include "view/timeline/pane.h"

/* Ids of the threads in order, the cursor's in brackets. */
static void
threads_are(const struct timeline_pane *p, const char *want, const char *name)
{
	char got[500] = "";

	for (size_t i = 0; i < p->thread_count; i++) {
		bool here = p->threads[i] == p->thread;

		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%u%s",
		    i > 0 ? " " : "", here ? "[" : "",
		    (unsigned)trace_thread(p->trace, p->threads[i])->id, here ? "]" : "");
	}
	is_str(got, want, "%s", name);
}

/* Five threads with events, of which 3 covers most; 9 has none. */
static void
open_threads(struct fixture *f, const char *names)
{
	static const struct fixture_method methods[] = {{"a.B", "c", ""}};
	static const struct fixture_event events[] = {
	    {1, '>', 0, 0, 0},
	    {1, '<', 0, 50, 100},
	    {2, '>', 0, 0, 0},
	    {2, '<', 0, 90, 200},
	    {3, '>', 0, 0, 0},
	    {3, '<', 0, 10, 500},
	    {4, '>', 0, 0, 0},
	    {4, '<', 0, 20, 200},
	    {5, '>', 0, 0, 0},
	    {5, '<', 0, 1, 50},
	};

	fixture_open(
	    f, "dual", names, methods, 1, events, sizeof events / sizeof *events, true);
}

static void
set_fold(struct timeline_pane *p, const struct fixture *f)
{
	struct fold *fold = fixture_fold(f);

	timeline_pane_set_fold(p, fold);
	axis_set_whole(&p->axis, f->profile->begin, f->profile->end);
	fold_free(fold);
}

static void
test_order(void)
{
	struct fixture f;
	struct timeline_pane p;

	open_threads(&f, "1\tzeta\n2\tmain\n3\tbeta\n4\talpha\n9\tidle\n");
	timeline_pane_init(&p, f.trace, f.names);
	timeline_pane_set_size(&p, 20, 80);
	threads_are(&p, "", "none before a fold");
	ok(!timeline_pane_move_thread(&p, 1), "nowhere to go");
	ok(!timeline_pane_pin(&p), "nothing to pin");
	set_fold(&p, &f);
	threads_are(&p, "[1] 3 2 4 5", "the process's own thread, then by coverage");
	timeline_pane_set_order(&p, ORDER_CPU);
	threads_are(&p, "[1] 2 4 3 5", "by CPU time");
	timeline_pane_set_order(&p, ORDER_NAME);
	threads_are(&p, "[1] 4 3 2 5", "by name");
	timeline_pane_set_order(&p, ORDER_ID);
	threads_are(&p, "[1] 2 3 4 5", "by id");
	timeline_pane_set_order(&p, ORDER_COVERAGE);
	timeline_pane_select_thread(&p, p.threads[4]);
	ok(timeline_pane_pin(&p), "pin");
	threads_are(&p, "1 [5] 3 2 4", "a pinned one follows the main one");
	set_fold(&p, &f);
	threads_are(&p, "1 [5] 3 2 4", "also after another fold");
	ok(!timeline_pane_pin(&p), "unpin");
	threads_are(&p, "1 3 2 4 [5]", "back in its place");
	timeline_pane_release(&p);

	f.trace->pid = 0;
	timeline_pane_init(&p, f.trace, f.names);
	timeline_pane_set_size(&p, 20, 80);
	set_fold(&p, &f);
	threads_are(&p, "[2] 3 4 1 5", "without a process id: the one called main");
	timeline_pane_release(&p);
	fixture_close(&f);
}

static void
test_scroll(void)
{
	struct fixture f;
	struct timeline_pane p;
	struct asked asked = {0};
	const struct query *cells = &asked.queries[QUERY_TIMELINE];
	const struct query *point = &asked.queries[QUERY_POINT];

	open_threads(&f, "1\tmain\n");
	timeline_pane_init(&p, f.trace, f.names);
	timeline_pane_set_size(&p, 5, 80);
	set_fold(&p, &f);
	is_int(timeline_pane_rows(&p), 3, "three of five lines are threads");
	is_int(timeline_pane_cells(&p), 69, "cells after a label of 11");
	timeline_pane_ask(&p, &asked, fixture_method(0), false);
	is_int(cells->row_count, 3, "asks for three");
	is_int(cells->rows[0].index, p.threads[0], "from the first");
	is_int(cells->columns, 69, "as wide as the cells");
	ok(cells->window.from == 0 && cells->window.to == 0, "the whole");
	is_int(asked.queries[QUERY_MARKS].method, fixture_method(0), "marks of the method");
	ok((asked.kinds & 1u << QUERY_POINT) == 0, "no call");
	ok(timeline_pane_move_thread(&p, 3), "down");
	is_int((int64_t)p.top, 2, "scrolls: so few rows by all but one, as far as there are any");
	axis_zoom(&p.axis, 1);
	asked.kinds = 0;
	timeline_pane_ask(&p, &asked, METHOD_NONE, true);
	is_int(cells->rows[0].index, p.threads[2], "from the third");
	is_int(cells->window.from, p.axis.from, "the window");
	is_int(asked.kinds, 1 << QUERY_TIMELINE | 1 << QUERY_POINT, "no marks, but a point");
	ok(point->point.kind == TRACK_THREAD, "of a row");
	is_int(point->point.index, p.thread, "of the thread");
	is_int(point->at, p.axis.cursor, "at the cursor");
	ok(timeline_pane_move_thread(&p, 99), "to the last");
	is_int((int64_t)p.top, 2, "no gap below it");
	ok(!timeline_pane_move_thread(&p, 1), "no further");
	timeline_pane_set_size(&p, 20, 80);
	is_int((int64_t)p.top, 0, "more room, nothing scrolled away");
	ok(timeline_pane_move_thread(&p, INT64_MIN + 1), "to the first");
	asked.kinds = 0;
	timeline_pane_ask(&p, &asked, METHOD_TOPLEVEL, false);
	is_int(asked.kinds, 1 << QUERY_TIMELINE, "(toplevel) has no marks");
	timeline_pane_set_size(&p, 1, 80);
	asked.kinds = 0;
	timeline_pane_ask(&p, &asked, METHOD_NONE, false);
	is_int(asked.kinds, 0, "no line for threads: nothing is asked for");
	timeline_pane_set_size(&p, 2, 5);
	is_int(timeline_pane_rows(&p), 1, "two lines: axis and a thread");
	timeline_pane_release(&p);
	fixture_close(&f);
}

static struct engine_timeline *
full_cells(nsec from, nsec to, uint32_t columns, uint32_t thread)
{
	struct engine_timeline *t = mem_zero(1, sizeof *t);

	*t = (struct engine_timeline){{from, to}, columns, 1, mem_zero(1, sizeof(uint32_t)),
	    mem_zero(columns, sizeof(struct cell))};
	t->threads[0] = thread;
	for (uint32_t i = 0; i < columns; i++)
		t->cells[i] =
		    (struct cell){.method = fixture_method(0), .busy = CELL_FULL};
	return t;
}

/* How many cells of the first thread's line are full. */
static int
drawn(struct canvas *c, const struct timeline_pane *p, const struct timeline_show *show)
{
	int full = 0;

	canvas_clear(c);
	timeline_pane_draw(c, (struct rect){0, 0, p->lines, p->columns}, p, show);
	for (int i = 0; i < c->columns; i++)
		full += canvas_at(c, 1, i)->text[0] == 0x2588;
	return full;
}

/* What begins the rows of the threads. */
static void
labels_are(int columns, const char *names, const char *want, const char *name)
{
	const struct timeline_show show = {.method = METHOD_NONE};
	struct fixture f;
	struct timeline_pane p;
	struct canvas c;
	char got[500] = "";

	open_threads(&f, names);
	canvas_init(&c, true);
	canvas_resize(&c, 7, columns);
	timeline_pane_init(&p, f.trace, f.names);
	timeline_pane_set_size(&p, 7, columns);
	set_fold(&p, &f);
	(void)drawn(&c, &p, &show);
	for (int i = 1; i < 6; i++) {
		char *row = canvas_row(&c, i);

		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i > 1 ? "|" : "", row);
		mem_free(row);
	}
	is_str(got, want, "%s", name);
	timeline_pane_release(&p);
	canvas_release(&c);
	fixture_close(&f);
}

static void
test_labels(void)
{
	labels_are(80, "1\tmain\n2\tFinalizerDaemon\n3\tpool-1\n4\tpool-1\n5\tRxComputation-1\n",
	    "main|pool-1 3|FinalizerDaemon|pool-1 4|RxComputation-1",
	    "five threads of seven lines, whole names, ids of those of one name");
	labels_are(80, "1\tmain\n2\tOkHttp api.example.com\n3\tOkHttp dispatcher\n4\tOkHttp dispatcher\n"
	    "5\tx\n", "main|OkHttp…atcher 3|OkHttp …ple.com|OkHttp…atcher 4|x",
	    "long ones lose their middle, not their ids");
	labels_are(120, "1\tmain\n2\tOkHttp api.example.com\n3\tOkHttp dispatcher\n4\tOkHttp dispatcher\n"
	    "5\tx\n", "main|OkHttp dispatcher 3|OkHttp api.example.com|OkHttp dispatcher 4|x",
	    "a wide screen has room for them");
}

static void
take_call(struct timeline_pane *p, const struct call *call)
{
	struct engine_point point = {
	    .row = *timeline_pane_track(p), .at = p->axis.cursor, .call = *call};

	timeline_pane_take_point(p, &point);
}

static void
test_stale(void)
{
	struct fixture f;
	struct timeline_pane p;
	struct timeline_show show = {.method = METHOD_NONE};
	struct canvas c;
	struct call call = {.method = METHOD_NONE};
	nsec end;

	open_threads(&f, "1\tmain\n");
	timeline_pane_init(&p, f.trace, f.names);
	timeline_pane_set_size(&p, 5, 80);
	set_fold(&p, &f);
	end = p.axis.end;
	canvas_init(&c, true);
	canvas_resize(&c, 5, 80);
	is_int(drawn(&c, &p, &show), 0, "no cells yet");
	timeline_pane_take_cells(&p, full_cells(0, end, 69, p.threads[0]));
	is_int(drawn(&c, &p, &show), 69, "of this window");
	axis_set_whole(&p.axis, 0, end * 2);
	is_int(drawn(&c, &p, &show), 69, "the trace grew: still good");
	axis_zoom(&p.axis, 1);
	is_int(drawn(&c, &p, &show), 0, "another window: not drawn");
	timeline_pane_take_cells(
	    &p, full_cells(p.axis.from, p.axis.to, 69, p.threads[0]));
	is_int(drawn(&c, &p, &show), 69, "of the new one");
	timeline_pane_take_cells(
	    &p, full_cells(p.axis.from, p.axis.to, 69, p.threads[1]));
	is_int(drawn(&c, &p, &show), 0, "of another thread");
	timeline_pane_take_cells(
	    &p, full_cells(p.axis.from, p.axis.to, 70, p.threads[0]));
	is_int(drawn(&c, &p, &show), 0, "of another width");

	ok(timeline_pane_call(&p) == NULL && !timeline_pane_point_known(&p),
	    "no call known");
	take_call(&p, &call);
	ok(timeline_pane_call(&p) == NULL && timeline_pane_point_known(&p), "known: none");
	call.method = fixture_method(0);
	take_call(&p, &call);
	ok(timeline_pane_call(&p) != NULL, "a call");
	axis_move(&p.axis, 1, timeline_pane_cells(&p));
	ok(timeline_pane_call(&p) == NULL && !timeline_pane_point_known(&p),
	    "the cursor moved");
	take_call(&p, &call);
	timeline_pane_move_thread(&p, 1);
	ok(timeline_pane_call(&p) == NULL, "to another thread");
	canvas_release(&c);
	timeline_pane_release(&p);
	fixture_close(&f);
}

/* Cells of two methods by turns, `each` long, on all five threads. */
static struct engine_timeline *
turns(const struct timeline_pane *p, int each)
{
	uint32_t columns = (uint32_t)timeline_pane_cells(p), rows = (uint32_t)p->thread_count;
	struct engine_timeline *t = mem_zero(1, sizeof *t);

	*t = (struct engine_timeline){{p->axis.from, p->axis.to}, columns, rows,
	    mem_zero(rows, sizeof(uint32_t)), mem_zero((size_t)columns * rows, sizeof(struct cell))};
	for (uint32_t r = 0; r < rows; r++) {
		t->threads[r] = p->threads[r];
		for (uint32_t i = 0; i < columns; i++) {
			int method = (int)(i / (uint32_t)each % 2);

			t->cells[r * columns + i] = (struct cell){.method = fixture_method(method),
			    .busy = method == 0 ? CELL_FULL / 2 : CELL_FULL / 3};
		}
	}
	return t;
}

/* How often the colour changes in the first thread's row. */
static int
changes(const struct canvas *c, const struct timeline_pane *p)
{
	int n = 0;

	for (int i = timeline_pane_label_width(p) + 1; i < c->columns; i++)
		n += canvas_at(c, 1, i)->look != canvas_at(c, 1, i - 1)->look;
	return n;
}

static void
test_colours(void)
{
	static const struct fixture_method methods[] = {
	    {"com.example.feed.B", "c", ""}, {"okhttp3.internal.D", "e", ""}};
	static const struct fixture_event events[] = {
	    {1, '>', 0, 0, 0}, {1, '<', 0, 50, 100}, {2, '>', 1, 0, 0}, {2, '<', 1, 40, 100},
	    {3, '>', 1, 0, 0}, {3, '<', 1, 40, 90}, {4, '>', 1, 0, 0}, {4, '<', 1, 40, 80},
	    {5, '>', 1, 0, 0}, {5, '<', 1, 40, 70},
	};
	const struct timeline_show show = {.method = METHOD_NONE};
	struct fixture f;
	struct timeline_pane p;
	struct canvas c;
	char *row;

	fixture_open(&f, "dual", "1\tmain\n", methods, 2, events, sizeof events / sizeof *events,
	    true);
	canvas_init(&c, true);
	canvas_resize(&c, 12, 80);
	timeline_pane_init(&p, f.trace, f.names);
	p.legend = c.colours = true;
	timeline_pane_set_size(&p, 12, 80);
	is_int(timeline_pane_rows(&p), 9, "twelve lines: a legend, and nine rows");
	set_fold(&p, &f);
	timeline_pane_take_cells(&p, turns(&p, 10));
	(void)drawn(&c, &p, &show);
	row = canvas_row(&c, 10);
	is_str(row, "           ▌ com.example.feed  ▌ okhttp3.internal", "the legend");
	mem_free(row);
	ok(canvas_at(&c, 10, 11)->look == canvas_at(&c, 1, 11)->look, "in the colour of the cells");
	is_int(changes(&c, &p), 6, "as many colours as there are");
	timeline_pane_set_size(&p, 11, 80);
	is_int(timeline_pane_rows(&p), 9, "no legend in eleven");
	timeline_pane_set_size(&p, 7, 80);
	canvas_resize(&c, 7, 80);
	timeline_pane_take_cells(&p, turns(&p, 1));
	(void)drawn(&c, &p, &show);
	is_int(changes(&c, &p), 0, "many short ones: the colour of most of some neighbours");
	ok(canvas_at(&c, 1, 20)->look == canvas_at(&c, 1, 12)->look &&
	    canvas_at(&c, 1, 20)->text[0] != canvas_at(&c, 1, 21)->text[0], "but their own heights");
	c.colours = false;
	(void)drawn(&c, &p, &show);
	is_int(changes(&c, &p), 68, "where looks cost nothing, each its own");
	canvas_release(&c);
	timeline_pane_release(&p);
	fixture_close(&f);
}

/* Without CPU time: a thread whose method the rules know waits. */
static void
test_idle(void)
{
	static const struct fixture_method methods[] = {
	    {"android.os.MessageQueue", "nativePollOnce", ""}, {"okhttp3.internal.D", "e", ""}};
	static const struct fixture_event events[] = {
	    {1, '>', 0, 0, 0}, {1, '<', 0, 50, 50}, {1, '>', 1, 50, 50}, {1, '<', 1, 100, 100}};
	static const char *const clocks[] = {"wall", "dual"};
	static const uint32_t first[] = {'_', 0x2584};
	const struct timeline_show show = {.method = METHOD_NONE};

	for (size_t i = 0; i < 2; i++) {
		struct idle_rules rules;
		struct fixture f;
		struct timeline_pane p;
		struct canvas c;

		fixture_open(&f, clocks[i], "1\tmain\n", methods, 2, events,
		    sizeof events / sizeof *events, true);
		idle_init(&rules);
		looks_set_idle(names_looks(f.names), &rules);
		canvas_init(&c, true);
		canvas_resize(&c, 5, 80);
		timeline_pane_init(&p, f.trace, f.names);
		timeline_pane_set_size(&p, 5, 80);
		set_fold(&p, &f);
		timeline_pane_take_cells(&p, turns(&p, 30));
		(void)drawn(&c, &p, &show);
		is_int(canvas_at(&c, 1, 20)->text[0], first[i], "%s: what is idle by its name", clocks[i]);
		is_int(canvas_at(&c, 1, 50)->text[0], 0x2583, "%s: what is not", clocks[i]);
		idle_release(&rules);
		canvas_release(&c);
		timeline_pane_release(&p);
		fixture_close(&f);
	}
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_order();
	test_scroll();
	test_labels();
	test_colours();
	test_idle();
	test_stale();
	return tap_done();
}
