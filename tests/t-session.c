// SPDX-License-Identifier: Apache-2.0
/*
 * A session in a terminal: settings from a file and back into it, and what leaves the
 * program: copies, files, an editor, a pager.
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
#include <sys/stat.h>
#include <unistd.h>

#include "tui/desk.h"

/* Of a file here. */
static bool
has(const char *name, const char *text)
{
	char *all = desk_read(name);
	bool there = strstr(all, text) != NULL;

	free(all);
	return there;
}

/* Waits for what another process writes. */
static bool
comes_to_have(const char *name, const char *text)
{
	char *all;

	for (int i = 0; i < 300; i++) {
		if (has(name, text))
			return true;
		usleep(20000);
	}
	all = desk_read(name);
	diag("%s: %s", name, all);
	free(all);
	return false;
}

static bool
begins(const char *name, const char *text)
{
	char *all = desk_read(name);
	bool so = strncmp(all, text, strlen(text)) == 0;

	free(all);
	return so;
}

static struct pty *
start(const char *const *env, const char *option)
{
	struct pty_options o = {.env = env};
	char words[120];
	struct pty *p;

	/* A fixed clock and order, where nothing else is asked for. */
	if (env == NULL && option == NULL)
		option = "--clock=wall --sort=incl%";
	snprintf(words, sizeof(words), "%s sample.trace", option != NULL ? option : "");
	p = desk_start(&o, words);
	pty_expect(p, "!2");
	return p;
}

static void
quits(struct pty *p, const char *what)
{
	desk_quit(p, "\033:q\r", what);
}

/* What `settings` and others write. */
static const char *const env[] = {"SLOWTOP_CONFIG=config", NULL};

/* Settings ---------------------------------------------------------------------- */

static void
settings(void)
{
	struct pty *p;
	char *text;

	desk_write("config", "# mine\n"
			     "theme = dark\n"
			     "sort = calls\n"
			     "[keys]\n"
			     "down = x\n"
			     "[columns]\n"
			     "excl% = off\n"
			     "class = on 12\n");
	p = start(env, NULL);
	ok(pty_expect(p, "Calls▼"), "the order of the file");
	ok(!pty_shows(p, "Self%"), "a column is gone");
	ok(pty_shows(p, "Class"), "another one is there");
	pty_keys(p, "?");
	ok(pty_expect(p, "*x "), "the help marks a changed key");
	pty_keys(p, "q:set units=auto<Enter>");
	ok(pty_expect(p, "units=auto (:save keeps it)"), "a setting is changed");
	pty_keys(p, "c:set clock?<Enter>");
	ok(pty_expect(p, "clock=wall"), "so is one by its key");
	pty_keys(p, ":save<Enter>");
	ok(pty_expect(p, "2 settings saved in"), "saved");
	text = desk_read("config");
	is_str(text,
	    "# mine\ntheme = dark\nsort = calls\nunits = auto\nclock = wall\n[keys]\n"
	    "down = x\n[columns]\nexcl% = off\nclass = on 12\n",
	    "into the file, beside what was there");
	free(text);
	pty_keys(p, ":save<Enter>");
	ok(pty_expect(p, "nothing was changed"), "and only once");
	quits(p, "settings");

	p = start(env, "--color=never");
	pty_keys(p, ":save<Enter>");
	ok(pty_expect(p, "nothing was changed"), "an option is not saved");
	ok(!pty_any_colour(p), "but holds");
	quits(p, "an option");
}

/* Keys of lists and of prompts are given as those of views are. */
static void
keys(void)
{
	struct pty *p;

	desk_write("config", "[keys]\n"
			     "list-down = n\n"
			     "list-choose = l\n"
			     "list-close = <F2>\n"
			     "type-accept = <C-x>\n"
			     "type-erase-line = <M-k>\n");
	p = start(env, NULL);
	pty_keys(p, "o");
	ok(pty_expect(p, "l sort / find F2 close"), "a list shows its keys");
	pty_keys(p, "<Home>n");
	ok(pty_expect(p, " 2/"), "one of them moves");
	pty_keys(p, "j");
	ok(pty_expect(p, "j does nothing in this list (F2 closes it)"), "another no more");
	pty_keys(p, "l");
	ok(pty_expect_gone(p, "F2 close"), "one chooses");
	pty_keys(p, "&nothing\033kjson<Enter><C-x>");
	ok(pty_expect(p, "self) json"), "so it is in prompts, with Meta, too");
	pty_keys(p, "?/while typing<C-x>");
	ok(pty_expect(p, "*^X "), "the help has them, and marks them");
	ok(pty_expect(p, "*M-k "), "under their heading, which is found");
	pty_keys(p, "<F2>");
	ok(pty_expect_gone(p, "while typing"), "and is closed");
	pty_keys(p, ":list-down<C-x>");
	ok(pty_expect(p, "there is no action 'list-down'"), "none of them can be told by name");
	pty_keys(p, "<Escape>");
	pty_settle(p, 100);
	desk_quit(p, "Q", "keys");
}

/* What is wrong with a line is said before anything of it runs. */
static void
lines_refused(void)
{
	static const char *const table[][2] = {
	    {"clock wall", "clock takes no argument"},
	    {"quit now", "quit takes no argument"},
	    {"view-tree 2", "view-tree takes no argument"},
	    {"marks x", "marks takes no argument"},
	    {"reload now", "reload takes no argument"},
	    {"nonsense", "there is no action 'nonsense'"},
	    {"view 2", "'view' is ambiguous: view-profile, view-tree"},
	    {"expand-all", "expand-all does nothing in this view"},
	    {"set", "expected name=value"},
	    {"set clock=noon", "expected one of"},
	    {"write", "expected the name of a file"},
	    {"level info", "level: cores, states, processes and tags need"},
	    {"min 2s", "min: no comparison (:diff FILE)"},
	    {"window 2x", "expected a time"},
	    {"window 2s", "nothing is followed"},
	    {"1.2.3", "expected a time"},
	    {"9s", "the trace ends at 0.036000 s"},
	    {"9s-10s", "the trace ends at 0.036000 s"},
	    {"0.01-0.02", "a range needs a unit"},
	    {"20ms-10ms", "the range ends before it begins"},
	};
	struct pty *p = start(NULL, NULL);
	char before[1 << 14], line[80];

	(void)pty_settle(p, 300);
	snprintf(before, sizeof(before), "%s", pty_screen(p));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		snprintf(line, sizeof(line), ":%s<Enter>", table[i][0]);
		pty_keys(p, line);
		ok(pty_expect(p, table[i][1]), ":%s: %s", table[i][0], table[i][1]);
		pty_keys(p, "\033");
		ok(pty_expect_screen(p, before), "and nothing has changed");
	}
	quits(p, "lines refused");
}

/* Times as screens have them. */
static void
lines_with_times(void)
{
	static const char *const table[][2] = {
	    {"20.5ms", "time cursor at 0.020500 s"},
	    {"0.0205 s", "time cursor at 0.020500 s"},
	    {"20500us", "time cursor at 0.020500 s"},
	    {"20500\302\265s", "time cursor at 0.020500 s"},
	    {"10ms-20ms", "limited to 0.010-0.020 s"},
	    {"5-15.5 ms", "limited to 0.0050-0.0155 s"},
	    {"0.010-0.030 s", "limited to 0.010-0.030 s"},
	    {"9000us-0.01s", "limited to 0.009-0.010 s"},
	};
	struct pty *p = start(NULL, NULL);
	char line[80];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		snprintf(line, sizeof(line), ":%s<Enter>", table[i][0]);
		pty_keys(p, line);
		ok(pty_expect(p, table[i][1]), ":%s: %s", table[i][0], table[i][1]);
		pty_keys(p, "R");
	}
	pty_keys(p, ":10ms-10.5ms<Enter>");
	pty_expect(p, "10.2 ms");
	pty_keys(p, ":10.25<Enter>");
	ok(pty_expect(p, "time cursor at 0.010250 s"), "a number with a point is in the axis' unit");
	pty_keys(p, "R:filter  a<Enter>");
	ok(pty_expect(p, "no method matches"), "what a command asks for is taken as typed");
	quits(p, "lines with times");
}

/* A key that closes a list must not meet the screen below it. */
static void
empty_lists(void)
{
	struct pty *p = start(NULL, NULL);

	pty_keys(p, "X");
	ok(pty_expect(p, "no filters (& adds one) and no transforms (x)"), "no filters");
	pty_keys(p, "q&json<Enter>");
	pty_expect(p, "self) json");
	pty_keys(p, "X<Delete>");
	ok(pty_expect(p, "no filters (& adds one)"), "the last one is removed: still open");
	pty_keys(p, "q");
	ok(pty_expect_gone(p, "no filters"), "closed");
	quits(p, "empty lists");
}

/* The transform of idle time keeps its place and its state when its rules change. */
static void
idle_rules(void)
{
	struct pty *p = start(NULL, NULL);

	pty_keys(p, "_");
	ok(pty_expect(p, "idle time is hidden"), "idle time is hidden");
	pty_keys(p, "X<Space>e");
	ok(pty_expect(p, "rules of idle time"), "switched off, and edited: its rules are listed");
	pty_keys(p, "<Space>q");
	ok(pty_expect_gone(p, "rules of idle time"), "one of them is switched off");
	pty_keys(p, "X");
	ok(pty_expect(p, "[ ] idle"), "the transform is off as before");
	pty_keys(p, "q_X");
	ok(pty_expect(p, "[x] idle"), "the key switches it on");
	pty_keys(p, "q_X");
	ok(pty_expect(p, "no filters (& adds one) and no transforms (x)"), "and removes it");
	pty_keys(p, "q");
	quits(p, "idle rules");
}

/* How busy threads were, and the heaviest path, follow the rules of idle time. */
static void
busy_threads(void)
{
	struct pty *p;

	desk_sample("idle.trace", "idle.trace.txt");
	p = desk_start(NULL, "--clock=wall --sort=incl% idle.trace");
	pty_expect(p, "Looper.loop");
	pty_keys(p, "6");
	ok(pty_expect(p, "36.36") && pty_expect(p, "63.64"), "6 of 10 ms waited for messages");
	ok(pty_expect(p, ">[x]      1 main"), "the main thread is first, though the other is longer");
	pty_keys(p, "<>");
	ok(pty_expect(p, ">[x]      2 pool"), "until the user sorts, and then the first is selected");
	pty_keys(p, "jI");
	ok(pty_expect(p, ">[x]      1 main") && pty_expect(p, "1/2 50%"),
	    "unless another one was");
	pty_keys(p, "\"<Space>q");
	ok(pty_expect(p, "90.91"), "all of it busy without that rule");
	pty_keys(p, "\"<Space>q2H");
	ok(pty_expect(p, "skipped a.o.MessageQueue.next (heavier, but idle)") &&
		pty_expect(p, "4/5 80%"), "the heaviest path goes by what is busy");
	pty_keys(p, "\"<Space>qkkH");
	ok(pty_expect(p, "3/5 60%"), "and to that call without the rule");
	quits(p, "busy threads");
}

/* Thread, method, call and moment go from each view to the next. */
static void
one_selection(void)
{
	static const struct {
		const char *keys, *here, *then, *there, *what;
	} ways[] = {
	    {"6j", ">[x]   4111", "2", ">    0.100  41.64▊   26.400       1 - [4111 worker-1]",
		"the tree opens the thread"},
	    {"6j", ">[x]   4111", "4", "> [4111 worker-1] 26.400 ms", "so does the flame graph"},
	    {"6j", ">[x]   4111", "12", ">    0.100  41.64▊   26.400       1 - [4111 worker-1]",
		"by way of the profile, too"},
	    {"2G", "6/6 100%", "6", ">[x]   4120", "the list of threads goes to that of the tree"},
	    {"2G+j", "7/7 100%", "7", "  1                                               ██",
		"the timeline opens it"},
	    {"7Jllll", "0.0204 s java", "2", "12.500       1     ▌ java.lang.Object.wait",
		"a moment of the timeline is a path of its thread in the tree"},
	    {"7Jllll", "0.0204 s java", "5", ">    1 0.015500   12.500", "and a call among those of its method"},
	    {"7Jllll", "0.0204 s java", "4", "> java.lang.Object.wait 12.500 ms", "and a frame"},
	    {"7Jllll", "0.0204 s java", "1", "> 19.72", "and its method in the profile"},
	    {"7Jllll", "0.0204 s java", "6", ">[x]   4111", "and its thread"},
	    {"j5j", "2/4", "7", "0.0020 s c.e.f.ImageCache.decode d3",
		"a call is a moment of the timeline"},
	    {"j5j", "2/4", "2", "11.500       2", "and a path in the tree"},
	    {"j5j", "2/4", "6", ">[x]   4100", "and a thread"},
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct pty *p = start(NULL, NULL);

		pty_keys(p, ways[i].keys);
		(void)pty_expect(p, ways[i].here);
		pty_keys(p, ways[i].then);
		if (!ok(pty_expect(p, ways[i].there), "%s", ways[i].what))
			diag("%s", pty_screen(p));
		quits(p, ways[i].what);
	}
}

static void
faults(void)
{
	const char *const none[] = {"SLOWTOP_CONFIG=/dev/null/no/file", NULL};
	struct pty *p;

	desk_write("config", "# mine\ntheme = pink\nfoo = 1\nsort = calls\n");
	p = start(env, NULL);
	ok(pty_expect(p, "configuration, line 2: theme: expected one of: "),
	    "a fault is told with its line");
	ok(pty_shows(p, "Calls▼"), "the rest holds");
	ok(pty_wrote(p, "config: line 3: there is no setting 'foo'"),
	    "all of them on standard error");
	quits(p, "faults");
	p = start(none, NULL);
	ok(pty_expect(p, "Self%▼"), "no file is needed");
	pty_keys(p, ":set theme=mono<Enter>:save<Enter>");
	ok(pty_expect(p, "Not a directory"), "one that cannot be saved is told");
	quits(p, "no file");
}

/* Out ----------------------------------------------------------------------------- */

static void
copies(void)
{
	struct pty *p = start(NULL, NULL);

	pty_keys(p, "gjy");
	ok(pty_expect(p, "copied: "), "a name is copied");
	ok(pty_wrote(p, "\033]52;c;"), "by the terminal");
	pty_keys(p, "Y");
	ok(pty_expect(p, "copied, 2 lines: Self%"), "a row with its stack");
	pty_keys(p, ":set clipboard=off<Enter>y");
	ok(pty_expect(p, "not copied: the setting clipboard is off"), "or not at all");
	quits(p, "copies");

	desk_write("clip", "#! /bin/sh\ncat >\"$1\"\n");
	chmod("clip", 0755);
	desk_write("config", "clipboard = cmd:./clip clipped\n");
	p = start(env, "--clock=wall --sort=incl%");
	pty_keys(p, "gjy");
	ok(pty_expect(p, "copied: "), "a program gets it");
	ok(comes_to_have("clipped", "com.example.feed.Prefetch.run()V"), "unchanged");
	pty_keys(p, ":set clipboard=cmd:/nowhere/at/all<Enter>y");
	ok(pty_expect(p, "not copied: cannot run"), "one that is not there is told");
	pty_keys(p, ":set clipboard=cmd:false<Enter>y");
	ok(pty_expect(p, "not copied: false ended with status 1"), "so is one that fails");
	quits(p, "a program");
}

/* What `view` shows, after `keys`, is written and holds `text`. */
static void
view_written(struct pty *p, const char *keys, const char *expect, const char *view,
    const char *name, const char *text)
{
	char command[200];

	pty_keys(p, keys);
	pty_expect(p, expect);
	pty_keys(p, view);
	pty_settle(p, 200);
	snprintf(command, sizeof(command), ":write %s<Enter>", name);
	pty_keys(p, command);
	snprintf(command, sizeof(command), "%s written as", name);
	ok(pty_expect(p, command), "%s is written", name);
	if (!ok(has(name, text), "%s: %s", name, text)) {
		char *all = desk_read(name);

		diag("%.300s", all);
		free(all);
	}
}

static void
exports(void)
{
	struct pty *p = start(NULL, NULL);

	pty_keys(p, ":write out.csv<Enter>");
	ok(pty_expect(p, "written as csv"), "a file is written");
	ok(begins("out.csv", "id,class,name,signature,file,rank,"), "its first line");
	pty_keys(p, ":write out.csv<Enter>");
	ok(pty_expect(p, "the file exists; write! overwrites it"), "but not twice");
	pty_keys(p, "<C-c>");
	pty_keys(p, "Eout.csv<Enter>");
	if (!ok(pty_expect(p, "Enter again overwrites it"), "E asks"))
		diag("%s", pty_row(p, 23));
	pty_keys(p, "<Enter>");
	ok(pty_expect(p, "written as csv"), "and then does it");
	pty_keys(p, "jj<Enter>:write out.json<Enter>");
	ok(pty_expect(p, "written as json"), "JSON");
	ok(!has("out.json", "\"row\":\"child\""), "of methods, whatever is open");
	pty_keys(p, "2");
	ok(pty_expect(p, "[4100 main]"), "the call tree is there");
	pty_keys(p, ":write out.folded<Enter>");
	ok(pty_expect(p, "written as folded"), "stacks of the call tree");
	ok(has("out.folded", "main;com.example.feed.FeedActivity.onCreate;"),
	    "with the thread first, and signatures only where they tell names apart");
	ok(system("\"$SLOWTOP\" flame --format=folded --clock=wall sample.trace | cmp -s - out.folded") ==
	    0, "with the bytes of flame");
	pty_keys(p, "3");
	ok(pty_expect(p, "called by"), "callers are there");
	pty_keys(p, "<Right><Right><Right><Right><Right><Right><Right><Right><Right><Right>");
	ok(pty_expect(p, "no caller above it"), "and end at the outermost");
	pty_keys(p, ":write up.csv<Enter>");
	ok(pty_expect(p, "written as csv"), "callers");
	pty_keys(p, "1gj5");
	ok(pty_expect(p, "2 calls"), "calls are there");
	pty_keys(p, ":write calls.csv<Enter>");
	ok(pty_expect(p, "calls.csv written as csv"), "calls");
	ok(begins("calls.csv", "id,class,name,signature,number,start_us,"), "each with its start");
	pty_keys(p, "0:write out<Enter>");
	ok(pty_expect(p, "out written as text"), "trace information as text");
	ok(has("out", "\n HEADER\n"), "all of it");
	pty_keys(p, ":write info.csv<Enter>");
	ok(pty_expect(p, "info.csv written as csv"), "and its rows");
	ok(has("info.csv", "\r\nCOUNTS,records,"), "by section");
	pty_keys(p, ":write info.folded<Enter>");
	ok(pty_expect(p, "this view has no stacks"), "but no stacks");
	ok(access("info.folded", F_OK) != 0, "no file is left then");
	view_written(p, "<Escape>1gj", "Method", "i", "details.json", "\"name\":\"signature\"");
	view_written(p, "<Escape>1", "Method", "6", "threads.csv",
	    "tid,thread,records,calls,open,in_calls_us,cpu_us,");
	view_written(p, "<Escape>1", "Method", "7", "cells.csv",
	    "tid,from_us,to_us,busy_percent,asleep_percent,thread,method\r\n");
	view_written(p, "<Escape>1", "Method", "4", "flame.txt", "ImageCache.decode");
	view_written(p, "<Escape>1", "Method", "4", "flame.folded",
	    "worker-1;com.example.feed.Prefetch.run ");
	ok(!has("flame.folded", "main;"), "of what is zoomed only");
	quits(p, "exports");
}

static void
programs(void)
{
	static const char *const others[] = {"EDITOR=./edit -w", "PAGER=./page", NULL};
	struct pty *p;
	char *before;

	desk_write("edit", "#! /bin/sh\nfor a; do echo \"arg $a\"; done >>\"${0%/*}/edited\"\n"
			   "echo edited by >/dev/tty\nstty -a >>\"${0%/*}/edited\"\n");
	desk_write("page", "#! /bin/sh\ncat >\"${0%/*}/paged\"\n");
	chmod("edit", 0755);
	chmod("page", 0755);
	mkdir("src", 0777);
	mkdir("src/feed", 0777);
	desk_write("src/feed/Prefetch.java", "\n");
	p = start(others, "--clock=wall --sort=incl%");
	pty_expect(p, "no message notably late");
	pty_keys(p, "gj");
	pty_settle(p, 100);
	before = strdup(pty_screen(p));
	pty_keys(p, "e");
	ok(pty_expect(p, "no source folders"), "without folders nothing is edited");
	pty_keys(p, ":set sources=src<Enter>e");
	ok(comes_to_have("edited", "arg -w\narg +9\n"), "the editor has its own arguments");
	ok(comes_to_have("edited", "src/feed/Prefetch.java"), "the line and the file");
	ok(comes_to_have("edited", " icanon"), "the terminal is as programs expect it");
	ok(pty_expect(p, "edited "), "and ours again after");
	pty_keys(p, "|");
	ok(comes_to_have("paged", "Prefetch.run\n"), "the pager gets all rows");
	pty_keys(p, "j");
	pty_settle(p, 100);
	pty_keys(p, "k");
	ok(pty_expect_screen(p, before), "the screen is as before");
	free(before);
	quits(p, "programs");
}

/* A press and its release, at row and column from 1; 0: the left button, 64: the wheel. */
static void
report(struct pty *p, int button, int row, int column)
{
	char bytes[80];
	int n = snprintf(bytes, sizeof(bytes), "\033[<%d;%d;%dM", button, column, row);

	if (button == 0)
		n += snprintf(bytes + n, sizeof(bytes) - (size_t)n, "\033[<%d;%d;%dm",
		    button, column, row);
	pty_bytes(p, bytes, (size_t)n);
}

static void
mouse(void)
{
	struct pty *p = start(NULL, NULL);

	ok(pty_wrote(p, "\033[?1000h"), "the mouse is on");
	pty_keys(p, "M");
	ok(pty_expect(p, "mouse off"), "M turns it off");
	ok(pty_wrote(p, "\033[?1000l"), "the terminal is told");
	report(p, 0, 10, 20);
	pty_settle(p, 100);
	ok(pty_look_of(p, "Prefetch.run") & PTY_REVERSE, "reports do nothing");
	pty_keys(p, "M");
	ok(pty_expect(p, "mouse on"), "M turns it on");
	report(p, 0, 1, 16);
	ok(pty_expect(p, "Call tree"), "a click in the bar opens the view");
	pty_keys(p, "1");
	pty_expect(p, "2/9 22%");
	/* Rows start below bar, title, finding, timeline and header: (toplevel) is the twelfth. */
	report(p, 0, 16, 20);
	ok(pty_expect(p, "5/9 55%"), "a click goes to a row");
	report(p, 64, 15, 20);
	ok(pty_expect(p, "2/9 22%"), "the wheel goes three up");
	report(p, 0, 13, 20);
	ok(pty_expect(p, "= self"), "a click on the cursor opens");
	report(p, 0, 5, 20);
	ok(pty_expect(p, "l time"), "one on the timeline goes there");
	pty_keys(p, "<Tab>");
	report(p, 0, 11, 40);
	ok(pty_expect(p, "Calls▼"), "one on a title sorts");
	pty_keys(p, "<C-z>");
	ok(pty_stopped(p), "stopped");
	ok(pty_wrote(p, "\033[?1000l"), "the mouse is given back");
	pty_continue(p);
	pty_expect(p, "Calls▼");
	quits(p, "mouse");
}

/* Before there is a screen. */
static void
slow_to_open(void)
{
	struct pty_options o = {.rows = 24, .columns = 100, .input = "pipe"};
	struct pty *p;

	ok(system("mkfifo pipe; { while [ ! -e go ]; do sleep 0.1; done; cat sample.trace; } >pipe &") ==
	    0, "a pipe that has nothing yet");
	p = desk_start(&o, "-");
	ok(pty_expect(p, "opening the trace..."), "it is told what takes long");
	desk_write("go", "");
	ok(pty_expect(p, "!2"), "then it is shown");
	ok(!pty_shows(p, "opening"), "and the line is gone");
	desk_quit(p, "Q", "slow to open");
}

int
main(void)
{
	desk_begin("t-session");
	desk_sample("sample.trace", "sample.trace.txt");
	settings();
	keys();
	lines_refused();
	lines_with_times();
	empty_lists();
	idle_rules();
	busy_threads();
	one_selection();
	faults();
	copies();
	exports();
	programs();
	mouse();
	slow_to_open();
	return desk_end();
}
#endif
