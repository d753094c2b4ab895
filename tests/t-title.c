// SPDX-License-Identifier: Apache-2.0
/*
 * title: the bar of views, the title and the last line of the screen, at any width.
 */
#include <config.h>

#include <locale.h>
#include <string.h>

#include "tap/tap.h"
#include "view/fixture.h"
#include "view/title.h"

static void
bar_is(int now, int columns, const char *want)
{
	struct bar b = {
	    .views = {{.key = "1", .name = "Profile", .brief = "Prof"}, {.key = "2", .name = "Tree"},
		{.key = "3", .name = "Callers"}, {.key = "4", .name = "Flame"},
		{.key = "7", .name = "Timeline", .brief = "Time"}, {.key = "0", .name = "Info"}},
	    .count = 6,
	    .help = "F1"};
	struct canvas c;
	char *got;

	canvas_init(&c, true);
	canvas_resize(&c, 1, columns);
	b.views[now].now = true;
	bar_draw(&c, 0, &b);
	got = canvas_row(&c, 0);
	is_str(got, want, "bar of views, %d columns", columns);
	mem_free(got);
	for (int i = 0; i < c.columns; i++) {
		const struct bar_view *v = &b.views[now];
		bool in = i >= v->from - 1 && i <= v->to;

		if (((canvas_at(&c, 0, i)->look & LOOK_SELECTED) != 0) != in)
			ok(false, "%d columns: only view %d is marked", columns, now);
	}
	canvas_release(&c);
}

static void
test_bar(void)
{
	bar_is(0, 65, "[1 Profile]2 Tree 3 Callers 4 Flame 7 Timeline 0 Info     F1 help");
	bar_is(5, 60, " 1 Profile 2 Tree 3 Callers 4 Flame 7 Time[0 Info]   F1 help");
	bar_is(1, 54, " 1 Prof[2 Tree]3 Callers 4 Flame 7 Time 0 Info F1 help");
	bar_is(2, 50, " 1 Prof 2 Tree[3 Callers]4 Flame 7 Time 0  F1 help");
	bar_is(4, 40, " 1 Prof 2 Tree 3 4[7 Time]0      F1 help");
	bar_is(0, 26, "[1 Prof]2 3 4 7 0  F1 help");
}

static void
title_is(const struct title *t, int columns, const char *want)
{
	struct canvas c;
	char *got;

	canvas_init(&c, true);
	canvas_resize(&c, 1, columns);
	title_draw(&c, 0, t);
	got = canvas_row(&c, 0);
	is_str(got, want, "title, %d columns", columns);
	mem_free(got);
	canvas_release(&c);
}

static void
test_title(void)
{
	struct title t = {.path = STR("/data/local/feed.trace"),
	    .clock = CLOCK_WALL,
	    .end = 3214000000,
	    .threads_in = 12,
	    .threads = 12,
	    .calls = 2204117,
	    .loading = true,
	    .progress = 0.649,
	    .damage = 1,
	    .filters = STR("filter !^java\\., idle hidden")};

	title_is(&t, 160,
	    "/data/local/feed.trace  3.214 s, wall clock, 12 threads, 2,204,117 calls, "
	    "filter !^java\\., idle hidden, % of the trace            partial 64%  !1 kind of damage");
	title_is(&t, 120,
	    "/data/local/feed.trace  3.214 s, wall clock, 12 threads, 2,204,117 calls, % of "
	    "the trace  partial 64%  !1 kind of damage");
	title_is(&t, 110,
	    "feed.trace  3.214 s, wall clock, 12 threads, 2,204,117 calls, % of the trace    "
	    "partial 64%  !1 kind of damage");
	title_is(&t, 92,
	    "feed.trace  3.214 s, wall clock, 12 threads, 2,204,117 calls, % of the trace "
	    "partial 64%  !1");
	title_is(&t, 80,
	    "feed.trace  3.214 s, wall clock, 12 threads, % of the trace      partial 64%  !1");
	title_is(&t, 70,
	    "…/local/feed.trace  3.214 s, wall clock, 12 threads    partial 64%  !1");
	title_is(&t, 60,
	    "feed.trace  3.214 s, wall clock, 12 threads  partial 64%  !1");
	title_is(&t, 50,
	    "3.214 s, wall, 12 threads          partial 64%  !1");
	title_is(&t, 40,
	    "3.214 s, wall            partial 64%  !1");
	t.loading = false;
	t.stopped = true;
	t.damage = 3;
	t.threads = t.threads_in = 1;
	title_is(&t, 100,
	    "…/local/feed.trace  3.214 s, wall clock, 1 thread, % of the trace stopped at "
	    "64%  !3 kinds of damage");
	title_is(&t, 47,
	    "3.214 s, wall, 1 thread      stopped at 64%  !3");
	title_is(&t, 40,
	    "3.214 s, wall         stopped at 64%  !3");
	t.stopped = false;
	t.threads_in = 3;
	t.threads = 22;
	t.clock = CLOCK_CPU;
	t.percent = BASE_TRACE;
	t.calls = 1;
	t.damage = 0;
	title_is(&t, 80,
	    "feed.trace  3.214 s, CPU time, 3 of 22 threads, 1 call, all % of the trace");
	title_is(&t, 44,
	    "feed.trace  3.214 s, CPU, 3 of 22 threads");
	t.left = true;
	title_is(&t, 100,
	    "/data/local/feed.trace  3.214 s, CPU time, 3 of 22 threads, 1 call, all % of "
	    "the trace");
	t.percent = BASE_WINDOW;
	title_is(&t, 100,
	    "/data/local/feed.trace  3.214 s, CPU time, 3 of 22 threads, 1 call, all % of "
	    "what is shown");
	t.percent = BASE_PARENT;
	title_is(&t, 100,
	    "/data/local/feed.trace  3.214 s, CPU time, 3 of 22 threads, 1 call, % of what is shown");
	t.recorded = true;
	title_is(&t, 64, "feed.trace  3.214 s, CPU time, 3 of 22 threads, as recorded");
	t.recorded = false;
	t.clock = CLOCK_WALL;
	t.window = (struct range){1200000000, 1260000000};
	t.calls = 118204;
	t.whole_calls = 2204117;
	title_is(&t, 120,
	    "…/local/feed.trace  1.200-1.260 s of 3.214 s, wall clock, 3 of 22 threads, "
	    "118,204 of 2,204,117 calls, % of the range");
	title_is(&t, 90,
	    "…/local/feed.trace  1.200-1.260 s of 3.214 s, wall clock, 3 of 22 threads, % of "
	    "the range");
	title_is(&t, 80,
	    "/data/local/feed.trace  1.200-1.260 s of 3.214 s, wall clock, 3 of 22 threads");
	title_is(&t, 60,
	    "feed.trace  1.200-1.260 s of 3.214 s, wall, 3 of 22 threads");
	title_is(&t, 50,
	    "feed.trace  1.200-1.260 s, wall, 3 of 22 threads");
	title_is(&t, 40,
	    "1.200-1.260 s, wall, 3 of 22 threads");
	t.shown = t.window;
	title_is(&t, 50,
	    "feed.trace  1.200-1.260 s, wall, 3 of 22 threads");
	t.shown = (struct range){1213045678, 1214045678};
	title_is(&t, 80,
	    "…/local/feed.trace  1.200-1.260 s, view 1.21305-1.21405 s, wall, 3 of 22 threads");
	t.shown = (struct range){0, 0};
	t.percent = BASE_WINDOW;
	t.window = (struct range){1200000000, INT64_MAX};
	title_is(&t, 130,
	    "/data/local/feed.trace  1.200-3.214 s of 3.214 s, wall clock, 3 of 22 threads, "
	    "118,204 of 2,204,117 calls, all % of the range");
	t.path = STR("/sdcard/com.example.feed-2026-11-21-startup.trace");
	title_is(&t, 100,
	    "…2026-11-21-startup.trace  1.200-3.214 s of 3.214 s, wall clock, 3 of 22 "
	    "threads, all % of the range");
	t.sampled = true;
	t.path = STR("feed.trace");
	t.window = (struct range){100000, 150000};
	t.end = 400000;
	title_is(&t, 100,
	    "feed.trace  0.00010-0.00015 s of 400.0 us, wall clock, sampled, 3 of 22 "
	    "threads, all % of the range");
}

static void
footer_is(const struct footer *f, int columns, const char *want)
{
	struct canvas c;
	char *got;

	canvas_init(&c, true);
	canvas_resize(&c, 1, columns);
	footer_draw(&c, 0, f);
	got = canvas_row(&c, 0);
	is_str(got, want, "footer, %d columns", columns);
	mem_free(got);
	canvas_release(&c);
}

static void
test_footer(void)
{
	static const struct hint hints[] = {
	    {"Enter", "open"}, {"&", "filter"}, {"/", "search"}};
	struct footer f = {.hints = hints, .hint_count = 3, .position = 3, .rows = 1846};

	footer_is(&f, 60, "Enter open  & filter  / search                     3/1846 0%");
	footer_is(&f, 40, "Enter open  & filter           3/1846 0%");
	footer_is(&f, 30, "Enter open           3/1846 0%");
	footer_is(&f, 12, "   3/1846 0%");
	footer_is(&f, 4, "3/18");
	f.message = STR("match 3 of 17");
	footer_is(&f, 40, "match 3 of 17                  3/1846 0%");
	f.message = STR("a message that is longer");
	footer_is(&f, 30, "a message that is longer");
	footer_is(&f, 20, "a message that is l\342\200\246");
	f.message = STR("");
	f.rows = 0;
	footer_is(&f, 40, "Enter open  & filter  / search");
	f.position = f.rows = 1846;
	footer_is(&f, 20, "      1846/1846 100%");
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_bar();
	test_title();
	test_footer();
	return tap_done();
}
