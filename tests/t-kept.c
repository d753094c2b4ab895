// SPDX-License-Identifier: Apache-2.0
/* What outlives the terminal program: bookmarks, and the lines of prompts. */
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

/* XDG_STATE_HOME, which has to be an absolute path; the files are in `state` then. */
static char home[DESK_PATH + 30];
static const char *const env[] = {home, NULL};
static const struct pty_options options = {.env = env};

static bool
set_home(void)
{
	char folder[DESK_PATH];

	if (getcwd(folder, sizeof(folder)) == NULL)
		return false;
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s/state", folder);
	return true;
}

/* By the trace's real name. */
static void
bookmarks_kept(void)
{
	struct pty *p = desk_start(&options, "sample.trace");
	char *text;

	pty_expect(p, "!2");
	pty_keys(p, "mqjgmz");
	ok(pty_expect(p, "bookmark z"), "bookmarks are set");
	desk_quit(p, "\033Q", "bookmarks");
	text = desk_read("state/slowtop/bookmarks");
	ok(strstr(text, "/sample.trace\tq\t1\t") != NULL &&
		strstr(text, "nativeDecodeStream") != NULL,
	    "and kept");
	free(text);
	p = desk_start(&options, "sample.trace");
	pty_expect(p, "!2");
	pty_keys(p, "'q");
	ok(pty_expect(p, "> 47.22"), "and gone to by the next one");
	pty_keys(p, "'y");
	ok(pty_expect(p, "no bookmark y"), "others are not there");
	desk_quit(p, "\033Q", "bookmarks again");
}

/* Types a line at each prompt, with this setting; what is kept then, free() it. */
static char *
typed_with(const char *setting)
{
	struct pty *p;

	unlink("state/slowtop/history");
	desk_write("history.conf", setting);
	p = desk_start(&options, "--config=history.conf sample.trace");
	pty_expect(p, "!2");
	pty_keys(p, "/feed<Enter>&!j<C-r>.<Enter>:timeline-larger<Enter>");
	pty_settle(p, 100);
	desk_quit(p, "\033Q", setting);
	return desk_read("state/slowtop/history");
}

/* The next session has the lines of the last one, unless they are not to be kept. */
static void
lines_kept(void)
{
	char *text = typed_with("history = on");
	struct stat st;
	struct pty *p;

	is_str(text, "/feed\n&!j\\.\n:timeline-larger\n", "the lines of each prompt");
	free(text);
	ok(stat("state/slowtop/history", &st) == 0 && (st.st_mode & 0777) == 0600,
	    "for their owner alone");
	p = desk_start(&options, "--config=history.conf sample.trace");
	pty_expect(p, "!2");
	pty_keys(p, "/<Up>");
	ok(pty_expect(p, "/feed"), "there for the next one");
	desk_quit(p, "\033Q", "history again");
	free(typed_with("history = off"));
	ok(stat("state/slowtop/history", &st) != 0, "history off: nothing is written");
}

int
main(void)
{
	desk_begin("t-kept");
	desk_sample("sample.trace", "sample.trace.txt");
	if (ok(set_home(), "a home")) {
		bookmarks_kept();
		lines_kept();
	}
	return desk_end();
}
#endif
