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
	struct bar b = {.views = {{"1", "Profile", "Prof"}, {"2", "Tree"}, {"3", "Callers"},
			    {"4", "Flame"}, {"7", "Timeline", "Time"}, {"0", "Info"}},
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
	bar_is(1, 54, " 1 Prof[2 Tree]3 Callers 4 Flame 7 Time 0      F1 help");
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
	    .base = 3214000000,
	    .threads_in = 1,
	    .threads = 12,
	    .calls = 2204117,
	    .methods = 1846,
	    .loading = true,
	    .progress = 0.649,
	    .damage = 1,
	    .filters = STR("filter !^java\\.")};

	title_is(&t, 160,
	    "/data/local/feed.trace WALL win all base 3214.000 ms thr 1/12 filter "
	    "!^java\\. "
	    "2204117 calls 1846 meth                                            partial "
	    "64%  "
	    "!1");
	title_is(&t, 105,
	    "/data/local/feed.trace WALL win all base 3214.000 ms thr 1/12 2204117 calls "
	    "1846 meth     partial 64%  !1");
	title_is(&t, 100,
	    "…/local/feed.trace WALL win all base 3214.000 ms thr 1/12 2204117 calls "
	    "1846 meth    partial 64%  !1");
	title_is(&t, 92,
	    "feed.trace WALL win all base 3214.000 ms thr 1/12 2204117 calls 1846 meth "
	    "   partial 64%  !1");
	title_is(&t, 85,
	    "feed.trace WALL win all base 3214.000 ms thr 1/12 2204117 calls      "
	    " partial 64%  !1");
	title_is(&t, 70,
	    "feed.trace WALL win all base 3214.000 ms thr 1/12      partial 64%  !1");
	title_is(&t, 62,
	    "/data/local/feed.trace WALL win all thr 1/12   partial 64%  !1");
	title_is(&t, 50, "feed.trace WALL win all thr 1/12   partial 64%  !1");
	title_is(&t, 40, "WALL win all thr 1/12    partial 64%  !1");
	t.loading = false;
	t.stopped = true;
	t.damage = 0;
	title_is(&t, 47, "feed.trace WALL win all thr 1/12 stopped at 64%");
	title_is(&t, 46, "WALL win all thr 1/12           stopped at 64%");
	t.stopped = false;
	t.clock = CLOCK_CPU;
	t.percent = BASE_TRACE;
	title_is(
	    &t, 80,
	    "feed.trace CPU win all base trace 3214.000 ms thr 1/12 2204117 calls 1846 meth");
	t.percent = BASE_PARENT;
	t.clock = CLOCK_WALL;
	t.window = (struct range){1200000000, 1260000000};
	t.end = 3214000000;
	t.base = 60000000;
	t.calls = 118204;
	t.whole_calls = 2204117;
	title_is(&t, 120,
	    "/data/local/feed.trace WALL win 1.200-1.260 s of 3.214 s base 60.000 ms thr 1/12 "
	    "118204/2204117 calls 1846 meth");
	title_is(&t, 80,
	    "…/local/feed.trace WALL win 1.200-1.260 s of 3.214 s base 60.000 ms thr 1/12");
	title_is(&t, 60, "feed.trace WALL win 1.200-1.260 s of 3.214 s thr 1/12");
	title_is(&t, 50, "feed.trace WALL win 1.200-1.260 s thr 1/12");
	title_is(&t, 40, "WALL win 1.200-1.260 s thr 1/12");
	t.percent = BASE_WINDOW;
	t.window = (struct range){1200000000, INT64_MAX};
	title_is(&t, 100,
	    "feed.trace WALL win 1.200-3.214 s of 3.214 s base window 60.000 ms thr 1/12 "
	    "118204/2204117 calls");
	t.path = STR("/sdcard/com.example.feed-2026-11-21-startup.trace");
	title_is(&t, 100,
	    "…ple.feed-2026-11-21-startup.trace WALL win 1.200-3.214 s of 3.214 s base window "
	    "60.000 ms thr 1/12");
	t.sampled = true;
	t.path = STR("feed.trace");
	t.window = (struct range){100000, 150000};
	t.end = 400000;
	title_is(&t, 100,
	    "feed.trace WALL sampled win 0.00010-0.00015 s of 400.0 us base window 60.000 ms "
	    "thr 1/12");
	t.end = 1000000;
	title_is(&t, 60, "feed.trace WALL sampled win 0.00010-0.00015 s thr 1/12");
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
	f.message = STR("hit 3/17");
	footer_is(&f, 40, "hit 3/17                       3/1846 0%");
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
