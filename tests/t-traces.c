// SPDX-License-Identifier: Apache-2.0
/* The list of several traces: what its rows say, what its keys do, and traces that cannot be read. */
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

#include "tui/desk.h"

static void
shown(struct pty *p, const char *what, const char *text)
{
	if (!ok(pty_expect(p, text), "%s: %s", what, text))
		diag("%s", pty_screen(p));
}

static void
pressed(struct pty *p, const char *keys, const char *text)
{
	pty_keys(p, keys);
	shown(p, keys, text);
}

static void
list_check(void)
{
	struct pty *p;
	int status;

	mkdir("d", 0777);
	desk_sample("d/a.trace", "sample.trace.txt");
	desk_sample("d/b.trace", "before.trace.txt");
	desk_write("d/notes.txt", "nothing to see\n");
	desk_write("d/cut.trace", "*version\n3\nclock=dual\n*threads\n1\tmain\n");
	p = desk_start(&(struct pty_options){.columns = 100}, "d");
	shown(p, "rows", "a.trace");
	shown(p, "its format", "b.trace          classic");
	ok(pty_expect_gone(p, "notes.txt"), "what is no trace goes");
	shown(p, "why one cannot be read", "cut.trace");
	shown(p, "how many", "3 traces");
	ok(!pty_shows(p, "still being read"), "all is read");
	pressed(p, "?", "the base of comparisons; again: of B; no more");
	pressed(p, "x", "First finding");
	pressed(p, "j<Enter>", "d/b.trace  ");
	pressed(p, "q", "3 traces");
	pressed(p, "g<Space>", "A a.trace");
	pressed(p, "jd", "MORE TIME");
	pressed(p, "q", "3 traces");
	shown(p, "the marks stay", "B b.trace");
	pressed(p, "g<Space><Space>", "3 traces");
	if (!ok(pty_expect_gone(p, "A a.trace"), "a mark goes"))
		diag("%s", pty_screen(p));
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && status == 0, "ends");
	pty_free(p);
}

static void
words_check(void)
{
	struct pty *p = desk_start(&(struct pty_options){.columns = 80}, "d/a.trace nowhere d/b.trace");
	int status;

	shown(p, "named ones stay", "nowhere");
	shown(p, "with what is wrong", "cannot open");
	pressed(p, "G<Enter>", "d/b.trace  ");
	pty_keys(p, "q");
	shown(p, "back", "3 traces");
	pty_resize(p, 10, 40);
	shown(p, "small", "3 traces");
	pty_keys(p, "<Escape>");
	ok(pty_ended(p, &status) && status == 0, "ends");
	pty_free(p);
}

/* Several runs of each side: what they say, and a row opens a trace of each. */
static void
runs_check(void)
{
	struct pty *p;
	int status;

	mkdir("old", 0777);
	mkdir("new", 0777);
	desk_sample("old/1.trace", "before.trace.txt");
	desk_sample("old/2.trace", "before.trace.txt");
	desk_sample("new/1.trace", "sample.trace.txt");
	desk_sample("new/2.trace", "sample.trace.txt");
	p = desk_start(&(struct pty_options){.columns = 80}, "--base old --new new");
	shown(p, "runs", "2 runs of A, 2 of B");
	shown(p, "why they cannot tell", "2 and 2 runs are too few");
	shown(p, "lists", "More time (");
	pressed(p, "?", "open the new trace at the method");
	pressed(p, "x", "95 %");
	pressed(p, "<Tab>", "2 runs of A");
	pressed(p, "g<Enter>", "MORE TIME");
	pressed(p, "q", "2 runs of A");
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && status == 0, "ends");
	pty_free(p);
	p = desk_start(&(struct pty_options){.columns = 80}, "old new");
	shown(p, "paths tell names apart", "old/1.trace");
	pressed(p, "<Space>j<Space>j", "A old/2.trace");
	pressed(p, "<Space><Space>j<Space><Space>", "B new/2.trace");
	pressed(p, "d", "2 runs of A, 2 of B");
	pressed(p, "q", "4 traces");
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && status == 0, "ends");
	pty_free(p);
}

int
main(void)
{
	desk_begin("t-traces");
	runs_check();
	list_check();
	words_check();
	return desk_end();
}
#endif
