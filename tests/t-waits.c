// SPDX-License-Identifier: Apache-2.0
/*
 * L in the terminal, on rows of frames and of calls: the time that it explains is the row's.
 *
 * The rows of a log of its own, and where SLOWTOP_SHARED has samples with scheduler events, rows
 * of these, chosen evenly: ROWS frames of each, and CALLS calls of METHODS methods of each.
 * SLOWTOP_ALL_ROWS=1 takes all frames, and 100 times as many calls.
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

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/desk.h"

enum { ROWS = 20, METHODS = 8, CALLS = 3, HEADING = 4, TRIES = 400 };

/* Times of the screen are rounded to microseconds. */
#define SLACK 0.0021

static bool all_rows;

/* Until the screen shows one of these; the one that it shows. */
static const char *
shows_one(struct pty *p, const char *const *texts)
{
	for (int i = 0; i < TRIES; i++) {
		(void)pty_settle(p, 15);
		for (const char *const *text = texts; *text != NULL; text++)
			if (pty_shows(p, *text))
				return *text;
	}
	return NULL;
}

/* Milliseconds of the cursor's row: number, start, duration. */
static bool
row_times(struct pty *p, double unit, double *from, double *to)
{
	double number, start, length;

	for (int row = 0; row < 23; row++) {
		const char *line = strchr(pty_row(p, row), '>');

		if (line == NULL || sscanf(line + 1, "%lf %lf %lf", &number, &start, &length) != 3)
			continue;
		*from = start * unit;
		*to = *from + length;
		return true;
	}
	return false;
}

/* Presses L on the row; is what it says of the row's time? */
static bool
row_waits(struct pty *p, double unit, const char *back)
{
	static const char *const answers[] = {" ms of ", "no doFrame of this frame",
	    "no thread that could wait", NULL};
	const char *const backs[] = {back, NULL};
	double from, to, length = 0;
	const char *answer, *line = "";
	bool good;

	if (!row_times(p, unit, &from, &to)) {
		diag("no row\n%s", pty_screen(p));
		return false;
	}
	pty_keys(p, "L");
	answer = shows_one(p, answers);
	if (answer == NULL) {
		diag("no answer\n%s", pty_screen(p));
		return false;
	}
	for (int row = 0; row < HEADING && strstr(line, answer) == NULL; row++)
		line = pty_row(p, row);
	if (answer == answers[0]) {
		good = sscanf(line, "%lf ms of ", &length) == 1 && length <= to - from + SLACK;
		if (!good)
			diag("%.3f-%.3f: %s", from, to, line);
		pty_keys(p, "q");
		if (shows_one(p, backs) == NULL) {
			diag("not back\n%s", pty_screen(p));
			good = false;
		}
		return good;
	}
	pty_keys(p, "<C-l>");
	return true;
}

/* So many rows of the list on the screen, evenly; the list has `count`. */
static void
rows_wait(struct pty *p, const char *what, int count, int rows, double unit, const char *back)
{
	int wrong = 0, tried = 0;

	if (rows > count)
		rows = count;
	for (int i = 0; i < rows; i++) {
		char keys[40];

		int row = 1 + (int)((double)i * count / rows);

		snprintf(keys, sizeof(keys), ":%d<Enter>", row);
		pty_keys(p, keys);
		snprintf(keys, sizeof(keys), " %d/%d ", row, count);
		wrong += !pty_expect(p, keys) || !row_waits(p, unit, back);
		tried++;
	}
	if (!ok(wrong == 0 && tried > 0, "%s: L on %d of %d rows", what, tried, count))
		diag("%d wrong", wrong);
}

/* "3/51 6%" at the end of the last line. */
static int
rows_count(struct pty *p)
{
	const char *slash = strrchr(pty_row(p, 23), '/');

	return slash != NULL ? atoi(slash + 1) : 0;
}

/* The columns are of the axis: a row's length is where it ends. */
static struct pty *
on_wall(const struct pty_options *o, const char *path)
{
	char words[DESK_PATH + 20];

	snprintf(words, sizeof(words), "--clock=wall %s", path);
	return desk_start(o, words);
}

static void
sample(const char *name, const char *path)
{
	static const char *const frames[] = {"What took most", "no frames", "No frames", NULL};
	static const char *const calls[] = {"Self ms", "No calls", "no method", NULL};
	static const char *const profile[] = {"Incl%", NULL};
	struct pty_options o = {.rows = 24, .columns = 160};
	struct pty *p = on_wall(&o, path);
	const char *shown;
	char what[200];
	int methods;

	if (!ok(pty_expect(p, "of the trace"), "%s", name))
		return;
	pty_keys(p, ":view-frames<Enter>");
	shown = shows_one(p, frames);
	ok(shown != NULL, "%s: frames, or that there are none", name);
	if (shown == frames[0]) {
		(void)pty_expect_gone(p, "looking for frames");
		(void)pty_settle(p, 300);
		snprintf(what, sizeof(what), "%s, frames", name);
		rows_wait(p, what, rows_count(p), all_rows ? 100000 : ROWS, 1, frames[0]);
	}
	pty_keys(p, "1");
	(void)shows_one(p, profile);
	(void)pty_settle(p, 300);
	methods = rows_count(p);
	ok(methods > 0, "%s: methods", name);
	for (int i = 0; i < METHODS && i < methods; i++) {
		int row = 1 + (int)((double)i * methods / METHODS);

		snprintf(what, sizeof(what), "1:%d<Enter>5", row);
		pty_keys(p, what);
		shown = shows_one(p, calls);
		ok(shown != NULL, "%s: calls of method %d, or that there are none", name, row);
		if (shown != calls[0])
			continue;
		(void)pty_settle(p, 300);
		snprintf(what, sizeof(what), "%s, calls of method %d", name, row);
		rows_wait(p, what, rows_count(p), all_rows ? 100 * CALLS : CALLS, 1000, calls[0]);
	}
	desk_quit(p, "Q", name);
}

/* What of the heading does not fit is marked as cut. */
static void
narrow(const char *path)
{
	struct pty_options o = {.rows = 24, .columns = 60};
	struct pty *p = on_wall(&o, path);
	const char *line = "";

	(void)pty_expect(p, "1/");
	pty_keys(p, ":view-frames<Enter>L");
	(void)pty_expect(p, " ms of ");
	for (int row = 0; row < HEADING && strstr(line, " ms of ") == NULL; row++)
		line = pty_row(p, row);
	if (!ok(strstr(line, "…") != NULL, "a heading that is cut says so"))
		diag("%s", line);
	desk_quit(p, "Q", "narrow");
}

int
main(void)
{
	static const char *const samples[] = {"ftrace/gracker_flutter_wanandroid.html.gz",
	    "ftrace/gracker_xiaomi_launcher_scroll.html.gz", "ftrace/trappy_surfaceflinger_systrace.html",
	    "perfetto/api32_startup_warm.perfetto-trace"};
	const char *shared = getenv("SLOWTOP_SHARED");
	char path[DESK_PATH];

	all_rows = getenv("SLOWTOP_ALL_ROWS") != NULL;
	desk_begin("t-waits");
	desk_log("own.txt", "--events=1500 --waking");
	sample("a log", "own.txt");
	narrow("own.txt");
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		snprintf(path, sizeof(path), "%s/samples/%s", shared != NULL ? shared : "none",
		    samples[i]);
		if (access(path, R_OK) == 0)
			sample(samples[i], path);
		else
			skip("%s is not here", samples[i]);
	}
	return desk_end();
}
#endif
