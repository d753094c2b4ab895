// SPDX-License-Identifier: Apache-2.0
/* Recording at a terminal: menus, the line of progress, keys and signals, and the browser then. */
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
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/desk.h"

static char device[DESK_PATH + 30], data[DESK_PATH + 30], wrong[100];
static const char *const env[] = {device, data, wrong, "ANDROID_SERIAL=", "SLOWTOP_ADB=./adb",
    "SLOWTOP_HDC=./nope", NULL};
static const struct pty_options options = {.env = env};

/* A device on which so much is wrong, and slowtop with these words. */
static struct pty *
begin(const char *what, const char *words)
{
	snprintf(wrong, sizeof(wrong), "WRONG=%s", what);
	if (system("rm -rf device data && mkdir -p device/fs/data/local/tmp &&"
		   " cp sample.trace device/result") != 0)
		diag("no device");
	return desk_start(&options, words);
}

/* Whether nothing is left on the device, and so many recordings are here. */
static bool
clean(int files)
{
	char command[200];

	snprintf(command, sizeof(command),
	    "test -z \"$(find device/fs -type f)\" && test ! -e device/profiling && "
	    "test \"$(find data -name '.slow*' | wc -l)\" -eq 0 && "
	    "test \"$(find data -name '*.trace' | wc -l)\" -eq %d", files);
	if (system(command) == 0)
		return true;
	(void)!system("find device data | sed 's/^/# /'");
	return false;
}

static void
menus_to_browser(void)
{
	struct pty *p = begin("two", "record");

	ok(pty_expect(p, "   2 R58M"), "the menu of devices");
	pty_keys(p, "emul<Enter>");
	ok(pty_expect(p, "   3 org.other"), "the menu of apps");
	ok(!pty_wrote(p, "\033[31m"), "their names are cleaned");
	pty_keys(p, "org<Enter>");
	ok(pty_expect(p, "   2 org.other"), "part of a name: those that have it");
	pty_keys(p, "zzz<Enter>");
	ok(pty_expect(p, "None has that."), "no such name");
	pty_keys(p, "1<Enter>");
	ok(pty_expect(p, "com.example.app  Pixel_8  sampled") && pty_expect(p, "recording 0:00"),
	    "the line of progress");
	pty_keys(p, "q");
	ok(pty_expect(p, "!2"), "a key stops it: the browser");
	ok(clean(1), "nothing is left");
	desk_quit(p, "\033Q", "menus");
}

static void
stopped(const char *keys, const char *name)
{
	struct pty *p = begin("", "record com.example.app");

	pty_expect(p, "recording 0:0");
	pty_keys(p, keys);
	ok(pty_expect(p, "!2") && clean(1), "%s stops it and opens it", name);
	desk_quit(p, "\033Q", name);
}

static void
several(void)
{
	struct pty *p = begin("", "record --mode=startup --count=2 com.example.app");

	pty_expect(p, "recording 0:0");
	pty_keys(p, "q");
	ok(pty_expect(p, "run 1 of 2: "), "--count=2: a key ends a run");
	ok(pty_expect(p, "recording 0:0"), "and the next begins");
	pty_keys(p, "q");
	ok(pty_expect(p, "!2") && clean(2), "the last one opens");
	desk_quit(p, "\033Q", "two runs");
}

static void
signalled(int signal, int status, const char *name)
{
	struct pty *p = begin("", "record com.example.app");
	int ended = -1;

	pty_expect(p, "recording 0:0");
	pty_signal(p, signal);
	ok(pty_ended(p, &ended) && ended == status, "%s ends it", name);
	ok(pty_restored(p) && clean(1), "%s: kept, and all is as it was", name);
	pty_free(p);
}

/* While the file is waited for a second ^C drops it. */
static void
dropped(void)
{
	struct pty *p = begin("never", "record com.example.app");
	int status = -1;

	pty_expect(p, "recording 0:0");
	pty_keys(p, "<C-c>");
	ok(pty_expect(p, "waiting for the file"), "^C stops it");
	pty_keys(p, "<C-c>");
	ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 130,
	    "once more drops it");
	ok(pty_restored(p) && clean(0), "nothing is left, and the terminal as it was");
	pty_free(p);
}

/* The terminal goes away, and slowtop was told to go on without it. */
static void
hung_up(void)
{
	struct pty *p;
	int status = -1;

	signal(SIGHUP, SIG_IGN);
	p = begin("", "record com.example.app");
	signal(SIGHUP, SIG_DFL);
	pty_expect(p, "recording 0:0");
	pty_hangup(p);
	ok(pty_ended(p, &status), "a terminal that is gone ends it");
	ok(clean(1), "the recording is kept");
	pty_free(p);
}

static void
narrow(void)
{
	const struct pty_options o = {.env = env, .rows = 8, .columns = 40};
	struct pty *p;
	int rows = 0;

	pty_free(begin("", "--version"));
	p = desk_start(&o, "record com.example.app");
	pty_expect(p, "recording 0:01");
	for (int row = 0; row < 8; row++)
		rows += strstr(pty_row(p, row), "com.example.app") != NULL;
	ok(rows == 1, "40 columns: the line stays one");
	pty_keys(p, "<Enter>");
	ok(pty_expect(p, "Self") && clean(1), "40 columns: stopped");
	desk_quit(p, "\033Q", "40 columns");
}

/* Shown while it is made, then kept: what came by the pipe, or the file on the device. */
static void
live(const char *words, const char *result, const char *first, const char *then)
{
	char command[800];
	struct pty *p;
	int status = -1;

	pty_free(begin("grows", "--version"));
	snprintf(command, sizeof(command), "cp %s device/result", result);
	(void)!system(command);
	p = desk_start(&options, words);
	ok(pty_expect(p, first), "%s: what is there", words);
	ok(pty_expect(p, then), "%s: and what comes", words);
	pty_keys(p, "\033Q");
	ok(pty_expect(p, "kept as ") && pty_ended(p, &status) && status == 0 && pty_restored(p),
	    "%s: ends and keeps it", words);
	snprintf(command, sizeof(command), "test -z \"$(find device/fs -type f)\" && test ! -e device/tracing &&"
	    " test ! -e device/profiling && test \"$(find data -name '.slow*' | wc -l)\" -eq 0 &&"
	    " f=$(find data -name '*race') && { cmp -s \"$f\" %s || tr -d '\\r' <\"$f\" | cmp - %s; }", result, result);
	ok(system(command) == 0, "%s: all that came, and nothing is left", words);
	pty_free(p);
}

/* The device's own words, when it sends nothing. */
static void
live_silent(void)
{
	struct pty *p = begin("silent", "record --live --mode=atrace");
	int status = -1;

	ok(pty_expect(p, "sent nothing: error opening") && pty_expect(p, "Record without --live."), "--live: nothing comes");
	ok(pty_ended(p, &status) && WEXITSTATUS(status) == 2 && clean(0), "which ends it, and nothing is left");
	pty_free(p);
}

static void
menu_left(void)
{
	struct pty *p = begin("two", "record");
	int status = -1;

	pty_expect(p, "Number or part of a name:");
	pty_keys(p, "<C-c>");
	ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 130 &&
		pty_restored(p), "^C leaves the menu");
	pty_free(p);
}

int
main(void)
{
	char folder[DESK_PATH], path[DESK_PATH];

	desk_begin("t-record-tty");
	desk_sample("sample.trace", "sample.trace.txt");
	desk_source(path, "tests/record/device");
	if (!ok(getcwd(folder, sizeof(folder)) != NULL && symlink(path, "adb") == 0 &&
	    symlink(path, "hdc") == 0, "a stand-in"))
		return desk_end();
	snprintf(device, sizeof(device), "DEVICE=%s/device", folder);
	snprintf(data, sizeof(data), "XDG_DATA_HOME=%s/data", folder);
	menus_to_browser();
	stopped("<Enter>", "Enter");
	stopped("<C-c>", "^C");
	several();
	signalled(SIGTERM, SIGTERM, "SIGTERM");
	dropped();
	menu_left();
	desk_trace("live.trace", "--format=streaming --records=3000 --threads=2");
	desk_source(path, "tests/tui/sample.ftrace.txt");
	desk_convert("live.pftrace", path, "--to=perfetto");
	live("record --live com.example.app", "live.trace", "following", "200.1 ms");
	live("record --live", path, "following", "100.0 ms");
	live("record --live --mode=perfetto", "live.pftrace", "following", "100.0 ms");
	live("record --live --mode=hitrace --hdc=./hdc", path, "following", "100.0 ms");
	live_silent();
	narrow();
	hung_up();
	return desk_end();
}
#endif
