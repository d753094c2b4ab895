// SPDX-License-Identifier: Apache-2.0
/*
 * The terminal program, end to end: keys in, whole screens out; and the same screens with all
 * keys in one piece, since what keys do does not depend on the speed of typing.
 *
 * The right screens are in tests/tui/golden.  After a change that is meant to change
 * them, SLOWTOP_ACCEPT=1 makes this test write them anew (t-tui WORD... those with a word
 * in their name); look at the difference before committing it.
 *
 * An eighth of the screens, or with SLOWTOP_RELOAD=1 all, are looked at again after :reload.
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

#include "base/compat.h"
#include "tui/desk.h"
#include "tui/screen_table.h"

/* As in the titles. */
static const char sample[] = "tests/tui/sample.trace", earlier[] = "tests/tui/before.trace",
		  sample_log[] = "tests/tui/sample.ftrace";

static void
make_samples(void)
{
	mkdir("tests", 0777);
	mkdir("tests/tui", 0777);
	desk_sample(sample, "sample.trace.txt");
	desk_sample(earlier, "before.trace.txt");
	desk_copy(sample_log, "sample.ftrace.txt");
	desk_write("tests/tui/counts.folded", "main;a 3\nmain;b 4\n");
}

static void
golden_path(char out[static DESK_PATH], const char *name)
{
	char file[200];

	snprintf(file, sizeof(file), "tests/tui/golden/%s.txt", name);
	desk_source(out, file);
}

/* The last line is what the steps expect. */
static bool
but_for_last_line(struct pty *p, const char *want)
{
	const char *end = memrchr(want, '\n', strlen(want) - 1);
	bool same = false;

	for (int i = 0; i < 400 && !same; i++) {
		same = strncmp(pty_screen(p), want, (size_t)(end - want)) == 0;
		if (!same)
			pty_settle(p, 50);
	}
	if (!same)
		pty_compare(p, want);
	return same;
}

/* A name with "~": that screen but for its last line. */
static void
golden_is(struct pty *p, const char *name, const char *what)
{
	bool part = *name == '~';
	char path[DESK_PATH], *want;

	golden_path(path, name + part);
	want = desk_read(path);
	if (*want == '\0')
		ok(false, "%s: no such file", path);
	else
		ok(part ? but_for_last_line(p, want) : pty_expect_screen(p, want), "%s: %s", name, what);
	free(want);
}

static void
golden_accept(struct pty *p, const char *name)
{
	char path[DESK_PATH];

	if (*name == '~')
		return;
	golden_path(path, name);
	pty_settle(p, 400);
	desk_write(path, pty_screen(p));
}

/* Screens that were loaded again, in this process. */
static int reloaded;

/* Of a screen that takes commands: the same file in another session, and there the same. */
static void
screen_is_value(struct pty *p, const char *name)
{
	char path[DESK_PATH], *want;

	pty_keys(p, ":reload<Enter>");
	pty_settle(p, 200);
	if (!pty_shows(p, "loaded again"))
		return;
	reloaded++;
	golden_path(path, name);
	want = desk_read(path);
	ok(but_for_last_line(p, want), "%s: loaded again", name);
	free(want);
}

/* Waits until the trace is read, and the one that it is compared with. */
static void
begins(struct pty *p, const struct screen *s, const char *badge)
{
	pty_expect(p, s->options.columns == 39 ? "slowtop needs" : badge);
	if (s->option != NULL && strncmp(s->option, "diff ", 5) == 0) {
		pty_expect_gone(p, "(^C stops)");
		pty_expect_gone(p, "is loaded");
	}
}

static void
screen_is_right(const struct screen *s, const char *start, const char *badge, bool reload)
{
	struct pty *p = desk_start(&s->options, start);

	begins(p, s, badge);
	for (int i = 0; i < STEPS_MAX && s->steps[i].keys != NULL; i++) {
		pty_keys(p, s->steps[i].keys);
		if (s->steps[i].expect == NULL)
			pty_settle(p, 40);
		else
			ok(pty_expect(p, s->steps[i].expect), "%s: %s", s->name,
			    s->steps[i].expect);
	}
	if (getenv("SLOWTOP_ACCEPT") != NULL)
		golden_accept(p, s->name);
	golden_is(p, s->name, "the screen");
	if (reload && *s->name != '~')
		screen_is_value(p, s->name);
	/* Esc ends a prompt, if there is one. */
	desk_quit(p, "\033Q", s->name);
}

/* Esc before another key is a key of its own only when it comes alone. */
static void
screen_is_typed(const struct screen *s, const char *start, const char *badge)
{
	char keys[400] = "";
	struct pty *p;

	if (s->steps[1].keys == NULL && strlen(s->steps[0].keys) < 2)
		return;
	for (int i = 0; i < STEPS_MAX && s->steps[i].keys != NULL; i++)
		snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys), "%s", s->steps[i].keys);
	if (strchr(keys, '\033') != NULL)
		return;
	p = desk_start(&s->options, start);
	begins(p, s, badge);
	pty_keys(p, keys);
	golden_is(p, s->name, "all keys at once");
	pty_free(p);
}

static char **words;

static bool
is_named(const struct screen *s)
{
	for (char **word = words; *word != NULL; word++)
		if (strstr(s->name, *word) != NULL)
			return true;
	return *words == NULL;
}

enum { PARTS = 8 };

static void
some_screens(int part)
{
	for (size_t i = (size_t)part; i < screen_count + log_screen_count; i += PARTS) {
		bool log = i >= screen_count;
		const struct screen *s = log ? &log_screens[i - screen_count] : &screens[i];
		const char *badge = log ? "!1" : "!2"; /* once the trace is read */
		/* The first screens are those that the program begins with; others have a fixed order. */
		const char *option = s->option != NULL ? s->option : "";
		const char *clock = strstr(option, "--clock") == NULL ? "--clock=wall" : "";
		const char *order = strstr(option, "--sort") == NULL && strstr(option, "diff ") == NULL
		    ? "--sort=incl%" : "";
		const bool first = strstr(s->name, "start") != NULL;
		char start[500];

		if (!is_named(s))
			continue;
		/* Logs begin with the app in front unless a name says so. */
		snprintf(start, sizeof(start), "%s %s %s %s %s", option, first ? "" : clock,
		    first ? "" : order, log && strstr(s->name, "front") == NULL ? "--process=all" : "", log ? sample_log : sample);
		screen_is_right(s, start, badge, part == 0 || getenv("SLOWTOP_RELOAD") != NULL);
		screen_is_typed(s, start, badge);
	}
	if (part == 0 && *words == NULL)
		ok(reloaded > 20, "%d screens were loaded again", reloaded);
}

int
main(int argc, char **argv)
{
	(void)argc;
	words = argv + 1;
	desk_begin("t-tui");
	make_samples();
	tap_each(PARTS, DESK_AT_ONCE, some_screens);
	return desk_end();
}
#endif
