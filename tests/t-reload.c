// SPDX-License-Identifier: Apache-2.0
/*
 * The file of the trace on the screen is written over, replaced or removed: the browser says
 * so, and :reload shows what is there now, with what was chosen, by identity.
 */
#include <config.h>

#include "tap/tap.h"

#ifndef HAVE_VTERM
int
main(void)
{
	skip_all("built without libvterm");
}
#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/desk.h"

#define CHANGED "the file has changed on disk (:reload loads it again, :follow goes on)"

/* Both traces have the same methods with other ids, and another order of them. */
static void
shown(struct pty *p, const char *what, const char *text)
{
	if (!ok(pty_expect(p, text), "%s: %s", what, text))
		diag("%s", pty_screen(p));
}

static void
run(const char *command)
{
	if (system(command) != 0)
		diag("failed: %s", command);
}

/* A key that changes nothing, until the browser has looked at the file again. */
static void
told(struct pty *p, const char *what, const char *text)
{
	for (int i = 0; i < 30 && !pty_shows(p, text); i++) {
		pty_keys(p, "j");
		pty_settle(p, 100);
		if (pty_shows(p, text))
			break;
		pty_keys(p, "k");
		pty_settle(p, 100);
	}
	shown(p, what, text);
}

/* When it shows that. */
static struct pty *
begin(const char *words, const char *until)
{
	struct pty_options o = {.rows = 24, .columns = 100};
	char all[1000];
	struct pty *p;

	/* A fixed clock and order: what is compared are the figures. */
	snprintf(all, sizeof(all), "%s %s", strncmp(words, "diff ", 5) != 0
		? "--clock=wall --sort=incl%" : "", words);
	p = desk_start(&o, all);
	shown(p, words, until);
	return p;
}

/* The cursor's row, in reverse. */
static bool
cursor_on(struct pty *p, const char *method)
{
	for (int row = 0; row < 23; row++) {
		struct pty_cell cell;

		pty_cell(p, row, 2, &cell);
		if ((cell.look & PTY_REVERSE) && strstr(pty_row(p, row), method) != NULL)
			return true;
	}
	diag("%s", pty_screen(p));
	return false;
}

static void
written_over(void)
{
	struct pty *p;

	run("cp first.trace app.trace");
	p = begin("app.trace", "ImageCache.decode");
	/* Marked: Json.parse; the cursor on ImageCache.decode; by exclusive time; a filter. */
	pty_keys(p, "/Json<Enter><Space>/ImageCache.dec<Enter>&com.example<Enter>");
	shown(p, "before", "*1 own");
	pty_keys(p, "<lt>");
	shown(p, "before", "Self ms▼");
	run("cp second.trace app.trace");
	told(p, "written over", CHANGED);
	pty_keys(p, "/ImageCache.dec<Enter>:reload<Enter>");
	shown(p, "written over", "loaded again");
	shown(p, "what is there now", "29.00 ms, wall clock");
	shown(p, "the order stays", "Self ms▼");
	shown(p, "the filter stays", "self) com.example");
	ok(!pty_shows(p, "nativeDecodeStream"), "and holds");
	ok(cursor_on(p, "ImageCache.decode"), "the cursor stays on its method");
	pty_keys(p, "<C-l>u");
	shown(p, "the mark, too", "* 26.09");
	shown(p, "the mark, too", "Json.parse");
	shown(p, "what was before is undone", "undone");
	shown(p, "what was before is undone", "nativeDecodeStream");
	desk_quit(p, "Q", "written over");
}

static void
other_ways(void)
{
	struct pty *p;

	run("cp first.trace app.trace");
	p = begin("app.trace", "ImageCache.decode");
	run("cp second.trace other && mv other app.trace");
	told(p, "replaced", "the file was replaced (:reload loads the new one)");
	pty_keys(p, ":reload<Enter>");
	shown(p, "replaced", "29.00 ms, wall clock");
	run("rm app.trace");
	told(p, "removed", "the file was removed; the loaded trace stays");
	pty_keys(p, ":reload<Enter>");
	shown(p, "removed", "not loaded again: ");
	shown(p, "removed, and the trace stays", "29.00 ms, wall clock");
	desk_write("app.trace", "no trace");
	told(p, "another kind of file", "(:reload loads");
	pty_keys(p, ":reload<Enter>");
	shown(p, "no trace any more", "not loaded again: ");
	run("cp odd.trace app.trace");
	pty_keys(p, ":reload<Enter>");
	shown(p, "what is no trace after all", "records have the unused action 3");
	shown(p, "and the trace stays", "29.00 ms, wall clock");
	run("cp first.trace app.trace");
	pty_keys(p, ":reload<Enter>");
	shown(p, "a trace again", "loaded again");
	desk_quit(p, "q", "other ways");
}

/* The file stays unchanged: nothing is said, and loading it again changes nothing. */
static void
the_same(void)
{
	char *before;
	struct pty *p;

	run("cp first.trace app.trace");
	p = begin("app.trace", "ImageCache.decode");
	pty_keys(p, "2+j");
	pty_settle(p, 1200);
	pty_keys(p, "<C-l>j");
	pty_settle(p, 150);
	ok(!pty_shows(p, "changed on disk"), "nothing is said of a file that is the same");
	before = strdup(pty_row(p, 4));
	pty_keys(p, ":reload<Enter>");
	shown(p, "the same", "loaded again");
	shown(p, "the tree is as it was", before);
	free(before);
	desk_quit(p, "Q", "the same");
}

static void
compressed_and_renamed(void)
{
	struct pty *p;

	run("gzip -c first.trace > app.trace.gz");
	desk_write("mapping.txt", "com.example.shop.Basket -> com.example.feed.Json:\n"
				  "    void total(java.lang.String) -> parse\n");
	p = begin("--mapping=mapping.txt app.trace.gz", "ImageCache.decode");
	shown(p, "renamed", "Basket.total");
	run("gzip -c second.trace > app.trace.gz");
	told(p, "compressed", CHANGED);
	pty_keys(p, ":reload<Enter>");
	shown(p, "compressed", "29.00 ms, wall clock");
	shown(p, "renamed again", "Basket.total");
	desk_quit(p, "q", "compressed");
}

static void
compared(void)
{
	struct pty *p;

	run("cp first.trace app.trace");
	p = begin("diff second.trace app.trace", "ImageCache.decode");
	shown(p, "compared", "MORE TIME");
	run("cp second.trace app.trace");
	told(p, "compared", CHANGED);
	pty_keys(p, ":reload<Enter>");
	shown(p, "compared with itself", "more time 0");
	desk_quit(p, "Q", "compared");
}

static void
log_text(void)
{
	char command[2 * DESK_PATH], path[DESK_PATH];
	struct pty *p;

	desk_source(path, "tests/tui/sample.ftrace.txt");
	snprintf(command, sizeof(command), "cp '%s' app.txt", path);
	run(command);
	p = begin("app.txt", "DrawFrame");
	snprintf(command, sizeof(command), "sed s/DrawFrame/PaintFrame/ '%s' > app.txt", path);
	run(command);
	told(p, "a log", CHANGED);
	pty_keys(p, ":reload<Enter>");
	shown(p, "a log", "PaintFrame");
	desk_quit(p, "q", "a log");
}

static void
no_file(void)
{
	struct pty_options o = {.rows = 24, .columns = 100, .input = "first.trace"};
	struct pty *p;

	run("cp first.trace app.trace");
	p = desk_start(&o, "-");
	shown(p, "standard input", "ImageCache.decode");
	pty_keys(p, ":reload<Enter>");
	shown(p, "standard input", "this trace did not come from a file");
	pty_keys(p, "<Escape>");
	pty_expect_gone(p, ":reload");
	desk_quit(p, "q", "standard input");
}

/* Nobody presses a key: what is written comes by itself. */
static void
followed(void)
{
	struct pty *p;

	run("cp first.trace app.trace");
	p = begin("-F app.trace", "ImageCache.decode");
	shown(p, "-F", "following");
	pty_keys(p, "/ImageCache.dec<Enter>&com.example<Enter><lt>");
	shown(p, "-F", "Self ms▼");
	run("cp second.trace app.trace");
	shown(p, "-F, overwritten", "29.00 ms, wall clock");
	shown(p, "-F, overwritten", "what it holds now is followed");
	shown(p, "-F, the order stays", "Self ms▼");
	shown(p, "-F, the filter stays", "self) com.example");
	ok(cursor_on(p, "ImageCache.decode"), "-F, the cursor stays on its method");
	run("cp first.trace other && mv app.trace app.old && mv other app.trace");
	pty_expect_gone(p, "29.00 ms");
	shown(p, "-F, replaced", "ImageCache.decode");
	shown(p, "-F, the new one is shown", "following");
	run("mv app.trace app.old && mkdir app.trace");
	shown(p, "-F, a folder", "a folder, or what cannot be read, has the name");
	shown(p, "-F, a folder: the trace stays", "ImageCache.decode");
	run("rmdir app.trace && cp first.trace app.trace");
	shown(p, "-F, a file again", "following");
	run("rm app.trace");
	shown(p, "-F, removed", "waiting for another of its name");
	run("cp second.trace app.trace");
	shown(p, "-F, there again", "29.00 ms, wall clock");
	/* Until the file was looked at, too, as cp left it. */
	pty_settle(p, 400);
	run(": > app.trace");
	shown(p, "-F, emptied: the trace stays", "29.00 ms, wall clock");
	shown(p, "-F, emptied", "truncated");
	run("cp first.trace app.trace");
	pty_expect_gone(p, "29.00 ms");
	shown(p, "-F, written anew", "ImageCache.decode");
	shown(p, "-F, written anew", "following");
	desk_quit(p, "Q", "-F");

	run("cp odd.trace app.trace");
	p = begin("-F app.trace", "waiting for more");
	shown(p, "-F, records that cannot be read", "records have the unused action 3");
	shown(p, "-F, records that cannot be read", "not readable");
	run("cp first.trace other && mv other app.trace");
	shown(p, "-F, records that can", "ImageCache.decode");
	shown(p, "-F, records that can", "following");
	desk_quit(p, "Q", "-F of what cannot be read");

	run("head -c 100000 long.trace > app.trace");
	p = begin("-f app.trace", "following");
	pty_keys(p, "`");
	shown(p, "a pause", "paused +0 B");
	run("tail -c +100001 long.trace | head -c 51200 >> app.trace");
	shown(p, "what came meanwhile", "paused +50.0 KiB");
	pty_keys(p, "`:window 10ms<Enter>");
	shown(p, "the end of it", "limited to ");
	shown(p, "and on", "following");
	run("tail -c +151201 long.trace >> app.trace");
	shown(p, "a window that moves", "1.108108-1.118108 s of 1.118 s, wall clock");
	pty_keys(p, ":window all<Enter>");
	shown(p, "no window", "figures of the whole trace");
	run("head -c 1000 long.trace > app.trace");
	shown(p, "-f, cut", "the file was cut short: following ended");
	shown(p, "-f, cut", "truncated");
	run("cp first.trace app.trace");
	pty_keys(p, ":reload<Enter>");
	shown(p, "-f, again", "ImageCache.decode");
	shown(p, "-f, again", "following");
	desk_quit(p, "Q", "-f");
}

/* Views that search the trace or decode it begin anew with each update. */
static void
followed_views(void)
{
	struct pty *p;

	run("head -c 100000 long.trace > app.trace");
	p = begin("-f app.trace", "following");
	pty_keys(p, "/Looper.loop<Enter>5");
	shown(p, "calls", "p50");
	run("tail -c +100001 long.trace | head -c 51200 >> app.trace");
	pty_expect_gone(p, "150.1 ms");
	shown(p, "calls of what came", "p50");
	pty_keys(p, "<Tab>+");
	shown(p, "calls by depth", "Looper.loop");
	run("tail -c +151201 long.trace >> app.trace");
	shown(p, "calls by depth of what came", "1.118 s");
	shown(p, "calls by depth of what came", "Looper.loop");
	desk_quit(p, "Q", "views");
}

/* What is appended to a file that was opened without -f. */
static void
followed_later(void)
{
	struct pty *p;

	run("head -c 100000 long.trace > app.trace");
	p = begin("app.trace", "of the trace");
	pty_keys(p, ":nofollow<Enter>");
	shown(p, "not followed", "nothing is followed");
	pty_keys(p, "<Escape>");
	pty_expect_gone(p, ":nofollow");
	run("tail -c +100001 long.trace | head -c 51200 >> app.trace");
	told(p, "appended", CHANGED);
	ok(!pty_shows(p, "following"), "it is not followed by itself");
	pty_keys(p, "/ImageCache.dec<Enter>&com.example<Enter>:follow<Enter>");
	shown(p, ":follow", "following");
	run("tail -c +151201 long.trace | head -c 51200 >> app.trace");
	shown(p, ":follow", "451.1 ms, wall clock");
	shown(p, ":follow, the filter stays", "self) com.example");
	pty_keys(p, ":nofollow<Enter>");
	pty_expect_gone(p, "following");
	run("tail -c +202401 long.trace >> app.trace");
	told(p, ":nofollow", CHANGED);
	shown(p, ":nofollow, the figures stay", "451.1 ms, wall clock");
	pty_keys(p, ":follow<Enter>:window 10ms<Enter>");
	shown(p, ":follow again", "of 1.118 s, wall clock");
	pty_keys(p, "u");
	shown(p, "the filter is undone after that", "undone");
	desk_quit(p, "Q", ":follow");
}

static bool
same(const char *a, const char *b)
{
	char command[200];

	snprintf(command, sizeof(command), "cmp %s %s", a, b);
	return system(command) == 0;
}

/* The table as the browser writes it. */
static void
write_table(struct pty *p, const char *name)
{
	char keys[100];

	snprintf(keys, sizeof(keys), "1:write! %s<Enter>", name);
	pty_keys(p, keys);
	snprintf(keys, sizeof(keys), "%s written", name);
	shown(p, name, keys);
	ok(!pty_shows(p, "of the part read by then"), "%s: of all that was loaded", name);
}

/* What a browser writes that opens the file now. */
static void
write_fresh(const char *words, const char *until, const char *name)
{
	struct pty *p = begin(words, until);

	pty_expect_gone(p, "partial");
	pty_expect_gone(p, "counting");
	write_table(p, name);
	desk_quit(p, "Q", name);
}

/* Figures while it is followed are those of a fresh load of the same bytes. */
static void
followed_figures(void)
{
	struct pty_options o = {.rows = 8, .columns = 40, .term = "vt100", .locale = "C"};
	struct pty *p;

	run("head -c 150000 long.trace > app.trace");
	p = desk_start(&o, "--clock=wall --sort=incl% -f app.trace");
	shown(p, "40 columns, vt100", "following");
	pty_settle(p, 500);
	ok(pty_settle(p, 1500) == 0, "nothing is written while nothing comes");
	pty_resize(p, 24, 100);
	shown(p, "larger", "following");
	pty_keys(p, ":window 10ms<Enter>");
	run("tail -c +150001 long.trace >> app.trace");
	shown(p, "a window that moves", "1.108108-1.118108 s of 1.118 s");
	write_table(p, "window.csv");
	write_fresh("--from=1108108us --to=1118108us app.trace",
	    "1.108108-1.118108 s of 1.118 s", "range.csv");
	ok(same("window.csv", "range.csv"), "the window has the figures of the same range");
	pty_keys(p, ":window all<Enter>");
	shown(p, "no window", "figures of the whole trace");
	write_table(p, "before.csv");
	write_fresh("app.trace", "1.118 s", "fresh.csv");
	ok(same("before.csv", "fresh.csv"), "all of it has the figures of a fresh load");
	/* Another trace of the same size in the same place. */
	run("head -c $(wc -c < long.trace) twin.trace | dd of=app.trace conv=notrunc 2>/dev/null");
	shown(p, "overwritten", "the file was overwritten: following ended");
	write_table(p, "after.csv");
	ok(same("before.csv", "after.csv"), "overwritten: the figures stay those of before");
	pty_keys(p, ":reload<Enter>");
	shown(p, "overwritten", "loaded again");
	write_table(p, "after.csv");
	write_fresh("app.trace", "of the trace", "fresh.csv");
	ok(same("after.csv", "fresh.csv"), "and are then those of the other");
	desk_quit(p, "Q", "figures");
}

/*
 * A trace of so many threads: main, which is the first, 12 and 13 in either order, and others, which
 * do nothing.
 */
static void
write_threads(const char *name, int count, bool swapped)
{
	FILE *out = fopen("threads.txt", "w");

	fputs("version 2\nclock wall\nthread 1 main\n", out);
	for (int i = 2; i <= count; i++) {
		int id = swapped && i < 4 ? 15 - i : 10 + i;

		fprintf(out, "thread %d T%d\n", id, id);
	}
	fputs("method 0x10 app/Main run ()V Main.java 10\n"
	      "method 0x14 app/Main step ()V Main.java 20\n"
	      "method 0x18 lib/Leaf work ()V Leaf.java 30\n"
	      "method 0x1c idle/Idle wait ()V Idle.java 40\n0 1 > app/Main.run\n", out);
	for (int i = 2; i <= count; i++)
		fprintf(out, "%d %d > %s\n", i, 10 + i, i < 4 ? "app/Main.step" : "idle/Idle.wait");
	fputs("2000 1 > app/Main.step\n2500 1 > lib/Leaf.work\n3000 1 < lib/Leaf.work\n"
	      "3200 12 > lib/Leaf.work\n3400 1 < app/Main.step\n3600 12 < lib/Leaf.work\n"
	      "3700 13 > lib/Leaf.work\n3800 13 < lib/Leaf.work\n5000 1 < app/Main.run\n", out);
	fclose(out);
	desk_trace(name, "threads.txt");
}

/* Most threads are gone: no view asks for one of them, and no page is of another one. */
static void
fewer_threads(void)
{
	static const char *const keys[] = {"1", "1j<Enter>", "1i", "1<Tab>Gi", "2", "2Gi", "3", "4",
	    "5", "5G<Tab>", "6", "6G", "6Gi", "6G<Enter>", "7", "7G", "7Gi", "0", "v", "6Gi1", "6G1<Tab>"};
	struct pty *p;

	write_threads("many.trace", 1220, false);
	write_threads("few.trace", 3, false);
	write_threads("six.trace", 6, false);
	write_threads("swapped.trace", 6, true);
	run("cp many.trace app.trace");
	p = begin("app.trace", "of the trace");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		pty_keys(p, ":reload<Enter>");
		shown(p, "many threads", "loaded again");
		pty_keys(p, keys[i]);
		pty_settle(p, 100);
		run("cp few.trace other && mv other app.trace");
		pty_keys(p, ":reload<Enter>");
		shown(p, keys[i], ", 3 threads");
		ok(!pty_shows(p, "thread 0, id 0"), "%s: no page of a thread that is not there", keys[i]);
		pty_keys(p, "<Backspace><Backspace>:reload<Enter>");
		shown(p, keys[i], "loaded again");
		run("cp many.trace other && mv other app.trace");
	}
	pty_keys(p, ":reload<Enter>6Gi5");
	shown(p, "calls, from a page", "[5 Calls]");
	run("cp few.trace other && mv other app.trace");
	pty_keys(p, ":reload<Enter>");
	shown(p, "calls, from a page", ", 3 threads");
	pty_keys(p, "q");
	shown(p, "a page that is gone is passed over", "[6 Threads]");
	desk_quit(p, "Q", "fewer threads");
}

/* A page is of the same thread, by its id. */
static void
same_thread(void)
{
	struct pty *p;

	run("cp six.trace app.trace");
	p = begin("app.trace", "of the trace");
	pty_keys(p, "6/T12<Enter>i");
	shown(p, "a page", "id               12");
	run("cp swapped.trace app.trace");
	pty_keys(p, ":reload<Enter>");
	shown(p, "a page, other order", "loaded again");
	shown(p, "a page, other order", "id               12");
	pty_keys(p, "6/T13<Enter>i");
	shown(p, "another page", "id               13");
	pty_keys(p, "<Backspace><Backspace>");
	shown(p, "the page before", "id               12");
	desk_quit(p, "Q", "the same thread");
}

/* A list of a log's intervals stays with its thread, too, or is left. */
static void
same_list(void)
{
	static const char log[] =
	    "app-100 (100) [000] ...1 1.000000: tracing_mark_write: B|100|frame\n"
	    "app-100 (100) [000] d..3 1.001000: sched_switch: prev_comm=app prev_pid=100 "
	    "prev_prio=120 prev_state=S ==> next_comm=hog next_pid=300 next_prio=120\n"
	    "hog-300 (300) [000] d..3 1.031000: sched_switch: prev_comm=hog prev_pid=300 "
	    "prev_prio=120 prev_state=S ==> next_comm=app next_pid=100 next_prio=120\n"
	    "app-100 (100) [000] ...1 1.032000: tracing_mark_write: E|100\n";
	struct pty *p;

	desk_write("app.txt", log);
	p = begin("app.txt", "frame");
	pty_keys(p, "99999/hog<Enter><Enter>");
	shown(p, "a list", "Intervals of 300 hog, Running");
	run("{ sed -n 's/app-100/new-200/; s/100/200/gp' app.txt; cat app.txt; } > other; mv other app.txt");
	pty_keys(p, ":reload<Enter>");
	shown(p, "other numbers", "loaded again");
	shown(p, "other numbers", "Intervals of 300 hog, Running");
	run("sed 's/hog/cow/g; s/300/400/g' app.txt > other; mv other app.txt");
	pty_keys(p, "<C-l>:reload<Enter>");
	shown(p, "its thread is gone", "loaded again");
	shown(p, "its thread is gone", "(1/17)");
	desk_quit(p, "Q", "the same list");
}

/*
 * All but the last line, which has the message, with the rows in reverse marked: the cursor's.
 * `fewer`: without what tells of threads that are only in one of both traces.
 */
static char *
rows_text(struct pty *p, bool fewer)
{
	static const char *const leave_out[] = {
	    "T14", "T15", "T16", "idle", "(toplevel)", "^^", "threads", " methods, "};
	char *text = calloc(1, 23 * 2000);

	for (int row = 0; row < 23; row++) {
		const char *line = pty_row(p, row);
		bool left_out = fewer && line[strspn(line, " ")] == '\0';
		struct pty_cell cell;

		for (size_t i = 0; fewer && i < sizeof(leave_out) / sizeof(leave_out[0]); i++)
			left_out |= strstr(line, leave_out[i]) != NULL;
		pty_cell(p, row, 2, &cell);
		if (!left_out)
			strcat(strcat(text, (cell.look & PTY_REVERSE) ? "\n>" : "\n "), line);
	}
	return text;
}

/*
 * Each view is as it was, when the trace is loaded again, or `other` takes its place, which lists
 * its threads in another order or has `fewer`: title, order, cursor and its line, open and marked
 * rows, filter.
 */
static void
every_view(const char *trace, const char *other, bool fewer, const char *const *keys)
{
	char command[100];
	struct pty *p;

	snprintf(command, sizeof(command), "cp %s app.trace", trace);
	run(command);
	p = begin("app.trace", "app.trace  ");
	pty_expect_gone(p, "partial");
	for (size_t i = 0; keys[i] != NULL; i++) {
		char *before, *after;

		pty_keys(p, keys[i]);
		pty_settle(p, 150);
		before = rows_text(p, fewer);
		snprintf(command, sizeof(command), "cp %s other; mv other app.trace",
		    i % 2 == 0 ? other : trace);
		run(command);
		pty_keys(p, ":reload<Enter>");
		shown(p, keys[i], "loaded again");
		pty_settle(p, 150);
		after = rows_text(p, fewer);
		is_str(after, before, "%s, %s: as it was", other, keys[i]);
		free(before);
		free(after);
		pty_keys(p, "<Escape>");
		pty_expect_gone(p, "loaded again");
	}
	desk_quit(p, "Q", other);
}

/* Cut to each tenth under the browser, then each view is opened. */
static void
cut(void)
{
	char command[100];
	bool lived = true;

	for (int tenth = 0; tenth < 10; tenth++) {
		struct pty *p;

		run("cp long.trace app.trace");
		p = begin("app.trace", "1.118 s");
		snprintf(command, sizeof(command),
		    "truncate -s $(($(wc -c < long.trace) * %d / 10)) app.trace", tenth);
		run(command);
		pty_settle(p, 1000);
		told(p, "cut", CHANGED);
		pty_keys(p, "2345<Escape>67<Escape>!<Escape>01");
		lived = lived && pty_expect(p, "1.118 s");
		desk_quit(p, "Q", "cut");
	}
	ok(lived, "cut: the figures stay");
}

/* A pipe into a browser whose keys come from the terminal. */
static void
piped(void)
{
	struct pty_options o = {.rows = 24, .columns = 100, .input = "pipe"};
	struct pty *p;

	run("mkfifo pipe; { cat first.trace; while [ ! -e go ]; do sleep 0.1; done; } > pipe &");
	p = desk_start(&o, "-f -");
	shown(p, "a pipe", "ImageCache.decode");
	shown(p, "a pipe", "following");
	run("touch go");
	shown(p, "its end", "ended");
	desk_quit(p, "Q", "a pipe");
}

int
main(void)
{
	static const char *const views[] = {"1jjj", "1>jj<Space><Enter>jj", "1GKK", "2+j+jjj", "2*Gkk>>",
	    "3jj+jj+j", "3>>jj", "4jjj", "4jj<Enter>j", "/Handler<Enter>5jj", "5>>jjj<Space>j",
	    "6jj", "6>j", "7", "1vjj+jj", "1v>Gk", "1vvjjj", "0j", "1jji", NULL};
	static const char *const thread_views[] = {"1jj", "1><Space><Enter>jj", "2+j", "2jj+",
	    "2>", "3j", "3>+j", "4j", "4jj<Enter>j", "5jj", "5>k", "6j", "6>", "7jj", "1vj", "1v>",
	    "1&app<Enter>j", "2j", "6k", "1jji", NULL};
	static const char *const log_views[] = {"6jj+jj", "6-jj", "9jj", "99>jj", "9999>>j", "99999jj",
	    "9999999j", "!!jj>", "7jj", NULL};


	desk_begin("t-reload");
	desk_sample("first.trace", "sample.trace.txt");
	desk_sample("second.trace", "before.trace.txt");
	desk_trace("long.trace", "--format=streaming --records=20000 --threads=4");
	desk_trace("twin.trace", "--format=streaming --records=20000 --threads=4 --seed=5");
	desk_log("sched.txt", "--events=8k --waking --tracks");
	desk_trace("odd.trace", "--records=2000 --reserved=5000");
	written_over();
	other_ways();
	the_same();
	compressed_and_renamed();
	compared();
	log_text();
	no_file();
	followed();
	followed_views();
	followed_later();
	followed_figures();
	fewer_threads();
	same_thread();
	same_list();
	every_view("long.trace", "long.trace", false, views);
	every_view("six.trace", "swapped.trace", false, thread_views);
	every_view("six.trace", "few.trace", true, thread_views);
	every_view("sched.txt", "sched.txt", false, log_views);
	cut();
	piped();
	return desk_end();
}
#endif
