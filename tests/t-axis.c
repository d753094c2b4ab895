// SPDX-License-Identifier: Apache-2.0
/* axis: zoom, pan, cursor and labels; nothing leaves the whole. */
#include <config.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "tap/tap.h"
#include "view/timeline/axis.h"

#define MS INT64_C(1000000)

static void
window_is(const struct axis *a, nsec from, nsec to, nsec cursor, const char *name)
{
	is_int(a->from, from, "%s: from", name);
	is_int(a->to, to, "%s: to", name);
	is_int(a->cursor, cursor, "%s: cursor", name);
}

static void
test_zoom(void)
{
	struct axis a;

	a = (struct axis){.whole = true};
	ok(a.whole, "all at first");
	ok(!axis_zoom(&a, 1) && !axis_zoom(&a, -1) && !axis_pan(&a, 1), "nothing to see");
	ok(!axis_move(&a, 1, 80), "nowhere to go");
	axis_set_whole(&a, 0, 800 * MS);
	window_is(&a, 0, 800 * MS, 400 * MS, "cursor in the middle");
	axis_set_whole(&a, 0, 1600 * MS);
	window_is(&a, 0, 1600 * MS, 800 * MS, "grows");
	axis_move_to(&a, 400 * MS);
	ok(axis_zoom(&a, 1), "in");
	window_is(&a, 200 * MS, 1000 * MS, 400 * MS, "around the cursor");
	ok(!a.whole, "no more all");
	axis_set_whole(&a, 0, 3200 * MS);
	window_is(&a, 200 * MS, 1000 * MS, 400 * MS, "a window does not grow");
	ok(axis_pan(&a, 1), "pan right");
	window_is(&a, 400 * MS, 1200 * MS, 600 * MS, "a quarter, the cursor with it");
	ok(axis_pan(&a, -4), "pan left");
	window_is(&a, 0, 800 * MS, 200 * MS, "no further than the start");
	ok(!axis_pan(&a, -1), "not at all");
	ok(axis_pan_end(&a, 1), "to the end");
	window_is(&a, 2400 * MS, 3200 * MS, 2600 * MS, "at the end");
	ok(axis_pan_end(&a, -1) && a.from == 0, "to the start");
	ok(axis_zoom(&a, -1), "out");
	window_is(&a, 0, 1600 * MS, 200 * MS, "clamped at the start");
	ok(axis_zoom(&a, -1) && a.whole, "out to all");
	ok(!axis_zoom(&a, -1), "no further");
	while (axis_zoom(&a, 1))
		;
	ok(a.to - a.from >= AXIS_MIN_SPAN && a.to - a.from < 2 * AXIS_MIN_SPAN,
	    "in as far as it makes sense");
	is_int(a.cursor, 200 * MS, "still on the same time");
	ok(axis_show_all(&a) && a.whole && a.cursor == 200 * MS, "all again");
}

static void
test_cells(void)
{
	static const struct {
		nsec from, to;
		int cells;
	} cases[] = {
	    {0, 1000, 10},
	    {0, 1000, 7},
	    {5, 12, 80},
	    {0, 1, 80},
	    {3, 1000003, 69},
	    {0, INT64_MAX / 2, 300},
	    {-700, 900, 13},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		nsec from = cases[i].from, to = cases[i].to;
		int cells = cases[i].cells, wrong = 0;

		for (int k = 0; k < 1000; k++) {
			nsec at =
			    from + (to - from) / 1000 * k + (k < to - from ? k : 0) % 7;
			int cell = axis_cell(from, to, at, cells);

			if (at >= to)
				continue;
			wrong += cell < 0 || cell >= cells ||
				 axis_cell_start(from, to, cell, cells) > at ||
				 (cell + 1 < cells &&
				     axis_cell_start(from, to, cell + 1, cells) <= at);
		}
		is_int(wrong, 0, "case %zu: each time is in its cell", i);
		is_int(axis_cell_start(from, to, cells, cells), to,
		    "the last ends at the end");
	}
	is_int(axis_cell(0, 10, 10, 5), -1, "the end is outside");
	is_int(axis_cell(0, 10, -1, 5), -1, "before the start, too");
	is_int(axis_cell(0, 0, 0, 5), -1, "nothing is in nothing");
	is_int(axis_cell(0, 10, 5, 0), -1, "nor without cells");
}

static void
label_is(nsec from, nsec to, int columns, const char *want)
{
	struct canvas c;
	char *got;

	canvas_init(&c, true);
	canvas_resize(&c, 1, columns + 3);
	axis_draw(&c, 0, 2, columns + 2, from, to, NULL, ROLE_HEADER);
	got = canvas_row(&c, 0);
	is_str(got, want, "labels %lld to %lld", (long long)from, (long long)to);
	mem_free(got);
	canvas_release(&c);
}

static void
test_labels(void)
{
	char out[FMT_SIZE];

	label_is(0, 3214 * MS, 69,
	    "  0 s       0.5 s      1.0 s      1.5 s     2.0 s      2.5 s      3.0 s");
	label_is(1200 * MS, 1260 * MS, 60,
	    "  1.20 s    1.21 s    1.22 s    1.23 s    1.24 s    1.25 s");
	label_is(0, 10 * (nsec)1000, 60,
	    "  0 µs        2 µs        4 µs        6 µs        8 µs");
	label_is(0, 480 * (nsec)1000, 60,
	    "  0 µs        100 µs       200 µs      300 µs       400 µs");
	label_is(0, 100, 3, "  0 s");
	/* From a little after 0: what is in the first cell is the beginning. */
	label_is(60 * (nsec)1000, 5000 * MS, 50,
	    "  0 s      1 s       2 s       3 s       4 s");
	label_is(150 * MS, 5000 * MS, 50, "          1 s        2 s       3 s       4 s");
	label_is(0, 0, 30, "");
	is_str(axis_time(out, 1204113000, 1000, NULL), "1.204113", "a time");
	is_str(axis_time(out, 1204113000, 46 * MS, NULL), "1.20", "to what a cell tells");
	is_str(axis_time(out, 0, 1, NULL), "0.000000000", "at most nanoseconds");
	is_str(axis_time(out, 7000000000, 2000000000, NULL), "7", "at least seconds");
}

/* Random keys: the window stays in the whole and the cursor in the window. */
static void
test_random(void)
{
	struct axis a;
	int wrong = 0;

	srand(7);
	a = (struct axis){.whole = true};
	for (int i = 0; i < 50000; i++) {
		nsec some = (nsec)rand() * rand() % (4000 * MS) - 500 * MS;

		switch (rand() % 9) {
		case 0:
			if (rand() % 10 == 0)
				axis_set_whole(&a, 0, a.end + rand() % 100000000);
			break;
		case 1:
		case 2:
			axis_zoom(&a, rand() % 2 != 0 ? 1 : -1);
			break;
		case 3:
			axis_pan(&a, rand() % 9 - 4);
			break;
		case 4:
			axis_pan_end(&a, rand() % 2 != 0 ? 1 : -1);
			break;
		case 5:
			axis_zoom_to(&a, some, some + rand());
			break;
		case 6:
			axis_fit(&a, some, some + rand() % 1000);
			break;
		case 7:
			axis_move_to(&a, some);
			break;
		default:
			axis_move(&a, rand() % 9 - 4, 1 + rand() % 300);
		}
		wrong += a.from < a.begin || a.to > a.end || a.cursor < a.from ||
			 (a.cursor >= a.to && a.to > a.from);
		wrong += a.whole != (a.from == a.begin && a.to == a.end);
	}
	is_int(wrong, 0, "all stays where it belongs");
}

static void
is_moment(const struct timescale *scale, nsec at, unsigned decimals, const char *want)
{
	char out[FMT_SIZE];
	nsec back = -1;
	struct err e = {0};

	is_str(timescale_text(scale, out, at, decimals), want, "%s", want);
	ok(timescale_parse(scale, str_from(want), STR("s"), &back, &e) && back == at, "and read again");
}

static void
test_absolute(void)
{
	/* 2015-03-05 23:14:56.053741 UTC */
	static const struct timescale day = {TIMES_DAY, 1425597296053741000};
	static const struct timescale boot = {TIMES_CLOCK, 33199420658000};
	struct trace *t = trace_new("t");
	struct timescale scale;
	struct err e = {0};
	char out[FMT_SIZE];
	nsec at;

	is_moment(NULL, 1204113000, 6, "1.204113");
	is_moment(&boot, 579342000, 6, "33200.000000");
	is_moment(&day, 0, 6, "23:14:56.053741");
	is_moment(&day, 2704000000000, 6, "00:00:00.053741");
	is_str(timescale_text(&day, out, 3946259000, 3), "23:15:00.000", "seconds have no 60");
	is_str(timescale_text(&day, out, 3945000000, 2), "23:15:00.00", "rounded up");
	is_str(timescale_text(&day, out, 0, 0), "23:14:56", "whole seconds");
	ok(timescale_parse(&day, STR("5ms"), STR("s"), &at, &e) && at == 5 * MS, "without a colon: relative");
	ok(!timescale_parse(&day, STR("24:00"), STR("s"), &at, &e), "no such hour");
	ok(!timescale_parse(&day, STR("1:2:61"), STR("s"), &at, &e), "no such second");
	ok(!timescale_parse(&day, STR(":5"), STR("s"), &at, &e), "nothing before the colon");

	t->start_us = 1425597296053741;
	scale = timescale_of(t, true);
	is_int(scale.kind, TIMES_RELATIVE, "no common time: none");
	t->clocks = 1u << CLOCK_WALL;
	scale = timescale_of(t, true);
	ok(scale.kind == TIMES_DAY && scale.origin == day.origin, "a date");
	is_int(timescale_of(t, false).kind, TIMES_RELATIVE, "not asked for");
	t->start_us = 33199420658;
	scale = timescale_of(t, true);
	ok(scale.kind == TIMES_CLOCK && scale.origin == boot.origin, "since boot");
	t->start_us = UINT64_MAX;
	is_int(timescale_of(t, true).kind, TIMES_RELATIVE, "no time at all");
	trace_free(t);
}

/* Two days of each month for a thousand years, and the last there are. */
static void
test_dates(void)
{
	struct trace *t = trace_new("t");
	char got[TRACE_DATE], want[2 * TRACE_DATE];
	uint32_t wrong = 0;

	for (uint64_t day = 5900; day < 365000; day += 14) {
		time_t seconds = (time_t)(day * 86400 + day % 86400);
		struct tm tm;

		t->start_us = (uint64_t)seconds * 1000000 + day;
		trace_start_date(t, 'T', got);
		strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &tm));
		snprintf(want + strlen(want), TRACE_DATE, ".%06d", (int)day);
		wrong += strcmp(got, want) != 0;
	}
	is_int(wrong, 0, "dates as the C library has them");
	t->start_us = UINT64_MAX;
	ok(trace_start_date(t, ' ', got), "a date");
	is_str(got, "586524-01-19 08:01:49.551615", "the last one");
	trace_free(t);
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_zoom();
	test_cells();
	test_labels();
	test_random();
	test_absolute();
	test_dates();
	return tap_done();
}
