// SPDX-License-Identifier: Apache-2.0
/*
 * What a key costs on the line: bytes of a line down, a page down, a zoom, and of the
 * first screen, in every view, at 80x24 and at 160x50, against budgets that suit a slow
 * connection.
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

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/desk.h"

enum { PATH = 4096, LINES = 6, PAGES = 3, ROUNDS = 8, WIDE = 140 };
/* Longer than keys have to rest before what is beside the cursor is drawn. */
enum { QUIET_MS = 150 };

static char program[PATH], generator[PATH], trace[PATH], dense[PATH], text_log[PATH];
static const char other[] = "tests/t-bytes-other.trace"; /* as in the keys below */

static int
by_size(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/*
 * The median of the presses that changed the screen.  On a machine with much else to do answers come late
 * and cost updates of their own, so a figure above the budget is measured again, and each press counts
 * as it was at its cheapest.
 */
static size_t
bytes_of(struct pty *p, const char *key, int presses, size_t budget)
{
	size_t cheapest[LINES], middle = SIZE_MAX;

	for (int i = 0; i < presses; i++)
		cheapest[i] = SIZE_MAX;
	for (int round = 0; round < ROUNDS && middle > budget; round++) {
		size_t sorted[LINES];
		int count = 0;

		pty_keys(p, "g");
		pty_settle(p, QUIET_MS);
		for (int i = 0; i < presses; i++) {
			size_t bytes;

			pty_keys(p, key);
			bytes = pty_settle(p, 120);
			if (bytes > 0 && bytes < cheapest[i])
				cheapest[i] = bytes;
			if (cheapest[i] < SIZE_MAX)
				sorted[count++] = cheapest[i];
		}
		qsort(sorted, (size_t)count, sizeof(sorted[0]), by_size);
		middle = count > 0 ? sorted[count / 2] : 0;
	}
	return middle;
}

/* The dearest of some zooms, in and out, along the heaviest path. */
static size_t
zoom_bytes(struct pty *p, size_t budget)
{
	size_t most = SIZE_MAX;

	for (int round = 0; round < ROUNDS && most > budget; round++) {
		most = 0;
		for (int i = 0; i < 12; i++) {
			size_t bytes;

			/* Details beside it come once the keys have rested, and are no part of a zoom. */
			pty_keys(p, "j");
			pty_settle(p, 400);
			pty_keys(p, i % 4 == 3 ? "<Backspace>" : "<Enter>");
			bytes = pty_settle(p, 80);
			if (bytes > most)
				most = bytes;
		}
	}
	return most;
}

struct size {
	int rows, columns;
	size_t start, page, zoom;
	size_t down, beside; /* alone, and with the details beside it */
	size_t held;         /* with lines that scroll, which cost more */
	size_t dense;        /* a page of the timeline where all cells are full of calls */
};

static const struct size sizes[] = {
	{24, 80, 7000, 3000, 4000, 400, 400, 410, 4000},
	{50, 160, 25000, 7000, 20000, 500, 1100, 400, 16000},
};

struct view {
	const char *name, *keys, *expect;
	bool details;
	bool whole; /* may be all on the screen: no bytes are right, too */
};

static const struct view views[] = {
	{"profile", "1", "Method", true, false},
	{"an open method", "gjj<Enter>", "Method", true, false},
	/* "All threads" as one is counted later: its rows are opened once they exist. */
	{"call tree", "2gO", " threads]", true, true},
	{"an open call tree", "g**", "Call tree", true, false},
	{"callers", "3", "called by", true, false},
	{"flame graph", "4", "% of all", true, false},
	{"calls", "1gjj5", "calls sum", false, false},
	{"threads", "6", "Busy", false, false},
	{"timeline", "7", "time ", true, false},
	{"comparison", ":diff tests/t-bytes-other.trace<Enter>8<Tab>", "LESS TIME", true, false},
	{"information", "0", "format", false, true},
	{"details", "1gjji", "signature", false, true},
};

static const struct view log_views[] = {
	{"profile of a log", "1", "Slice", true, false},
	{"timeline of a log", "7", "CPU load", true, false},
	{"its cores", "g+", "cpu1", true, false},
	{"cores", "9", "", false, true},
	{"processes", "9", "", false, true},
	{"threads of a log", "9", "", false, true},
};

static void
view_bytes(struct pty *p, const struct size *s, const struct view *v)
{
	size_t most = v->details && s->columns >= WIDE ? s->beside : s->down;
	size_t least = v->whole ? 0 : 1, bytes;

	pty_keys(p, v->keys);
	ok(pty_expect(p, v->expect), "%dx%d: %s", s->columns, s->rows, v->name);
	bytes = bytes_of(p, "<Down>", LINES, most);
	ok(bytes >= least && bytes <= most, "%dx%d, %s: a line down in %zu bytes of %zu",
	    s->columns, s->rows, v->name, bytes, most);
	bytes = bytes_of(p, "<PageDown>", PAGES, s->page);
	ok(bytes <= s->page, "%dx%d, %s: a page down in %zu bytes of %zu", s->columns,
	    s->rows, v->name, bytes, s->page);
}

static struct pty *
start(const struct size *s, const char *file)
{
	const struct pty_options o = {.rows = s->rows, .columns = s->columns};
	const char *argv[] = {program, "--clock=wall", file, NULL};
	struct pty *p = pty_start(&o, argv);

	pty_expect(p, "help");
	pty_settle(p, 400);
	return p;
}

/* Colours of cells without a dominant method would cost more than all else. */
static void
dense_bytes(const struct size *s)
{
	/*
	 * Every cell that differs is three bytes, and a zoom draws all of them; where the answer is late,
	 * as on a busy machine, it clears them first (21,653 bytes instead of 12,870 at 160x50).
	 */
	size_t page = s->dense, zoom = s->dense * 11 / 8, bytes, most = SIZE_MAX;
	struct pty *p = start(s, dense);

	pty_keys(p, "7");
	pty_expect(p, "time ");
	pty_settle(p, 300);
	bytes = bytes_of(p, "<PageDown>", PAGES, page);
	ok(bytes > 0 && bytes <= page, "%dx%d, all busy: a page down in %zu bytes of %zu",
	    s->columns, s->rows, bytes, page);
	pty_keys(p, "g");
	for (int round = 0; round < ROUNDS && most > zoom; round++) {
		pty_keys(p, round % 2 == 0 ? "w" : "s");
		bytes = pty_settle(p, 300);
		most = bytes < most ? bytes : most;
	}
	ok(most <= zoom, "%dx%d, all busy: a zoom in %zu bytes of %zu", s->columns, s->rows, most,
	    zoom);
	pty_keys(p, "1<Tab>g");
	pty_settle(p, 300);
	bytes = bytes_of(p, "j", LINES, s->down);
	ok(bytes <= (s->columns >= WIDE ? s->beside : s->down),
	    "%dx%d, all busy: a thread down in %zu bytes", s->columns, s->rows, bytes);
	pty_free(p);
}

/*
 * The smallest of some starts: on a machine with much else to do the screen is drawn
 * before the trace is read, and once more after.
 */
static struct pty *
first_screen(const struct size *s)
{
	size_t least = SIZE_MAX;
	struct pty *p = NULL;

	for (int i = 0; i < ROUNDS && least > s->start; i++) {
		if (p != NULL)
			pty_free(p);
		p = start(s, trace);
		if (pty_total(p) < least)
			least = pty_total(p);
	}
	ok(least <= s->start, "%dx%d: first screen in %zu bytes of %zu", s->columns, s->rows,
	    least, s->start);
	return p;
}

/* Keys that follow each other at once: marks and the details beside the table wait. */
static void
held_down(struct pty *p, const struct size *s)
{
	enum { HELD = 20 };
	size_t before, bytes;

	pty_keys(p, "1g");
	pty_settle(p, 300);
	before = pty_total(p);
	for (int i = 0; i < HELD; i++) {
		pty_keys(p, "j");
		pty_settle(p, 15);
	}
	pty_settle(p, 300);
	bytes = (pty_total(p) - before) / HELD;
	ok(bytes <= s->held, "%dx%d: held down, a line costs %zu bytes of %zu", s->columns,
	    s->rows, bytes, s->held);
}

static void
views_bytes(struct pty *p, const struct size *s, const struct view *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		view_bytes(p, s, &all[i]);
}

enum { HALF = sizeof(views) / sizeof(views[0]) / 2 };

static void
some_views(const struct size *s)
{
	struct pty *p = first_screen(s);

	views_bytes(p, s, views, HALF);
	held_down(p, s);
	pty_free(p);
}

static void
other_views(const struct size *s)
{
	struct pty *p = start(s, trace);
	size_t bytes;

	views_bytes(p, s, views + HALF, sizeof(views) / sizeof(views[0]) - HALF);
	pty_keys(p, "4");
	pty_expect(p, "% of all");
	bytes = zoom_bytes(p, s->zoom);
	ok(bytes > 0 && bytes <= s->zoom, "%dx%d: a zoom of the flame graph in %zu bytes of %zu",
	    s->columns, s->rows, bytes, s->zoom);
	pty_free(p);
}

static void
log_bytes(const struct size *s)
{
	struct pty *p = start(s, text_log);

	views_bytes(p, s, log_views, sizeof(log_views) / sizeof(log_views[0]));
	pty_free(p);
}

static void
part(int i)
{
	static void (*const parts[])(const struct size *) = {
	    some_views, other_views, dense_bytes, log_bytes};

	parts[i / 2](&sizes[i % 2]);
}

/* Forty threads of ten processes take turns on two cores, and say what they do. */
static bool
write_log(const char *path)
{
	FILE *out = fopen(path, "w");

	if (out == NULL)
		return false;
	fprintf(out, "# tracer: nop\n#\n");
	for (int i = 0; i < 4000; i++) {
		int was = 100 + i * 7 % 40, is = 100 + (i + 1) * 7 % 40;

		fprintf(out,
		    "  worker-%d-%d  (  %d) [%03d] .... %d.%06d: tracing_mark_write: B|%d|H:step %d\n"
		    "  worker-%d-%d  (  %d) [%03d] .... %d.%06d: tracing_mark_write: E|%d\n"
		    "  worker-%d-%d  (  %d) [%03d] d... %d.%06d: sched_switch: prev_comm=worker-%d "
		    "prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=worker-%d next_pid=%d "
		    "next_prio=120\n",
		    was, was, was / 4, i % 2, 10 + i / 1000, i % 1000 * 1000, was / 4, i % 60,
		    was, was, was / 4, i % 2, 10 + i / 1000, i % 1000 * 1000 + 400 + i % 90,
		    was / 4, was, was, was / 4, i % 2, 10 + i / 1000, i % 1000 * 1000 + 900, was,
		    was, is, is);
	}
	return fclose(out) == 0;
}

int
main(void)
{
	const char *build = getenv("BUILDDIR");
	char command[6 * PATH];

	if (build == NULL || chdir(build) != 0)
		skip_all("run by make check");
#if defined(TAP_SANITIZED)
	/* Late answers are screen updates of their own. */
	skip_all("sanitizers make every answer late");
#endif
	snprintf(program, sizeof(program), "%s/slowtop", build);
	snprintf(generator, sizeof(generator), "%s/tests/gen/tracegen", build);
	snprintf(trace, sizeof(trace), "tests/t-bytes.trace");
	snprintf(dense, sizeof(dense), "tests/t-bytes-dense.trace");
	snprintf(text_log, sizeof(text_log), "tests/t-bytes.ftrace");
	snprintf(command, sizeof(command),
	    "'%s' --records=100k --threads=12 --methods=1800 --seed=3 --output=%s && "
	    "'%s' --records=100k --threads=12 --methods=1800 --seed=3 --slowness=2 --output=%s",
	    generator, trace, generator, other);
	ok(system(command) == 0, "two traces");
	snprintf(command, sizeof(command),
	    "'%s' --records=1M --threads=56 --methods=500 --seed=5 --output=%s", generator, dense);
	if (ok(system(command) == 0, "a dense one") && ok(write_log(text_log), "a log"))
		tap_each(8, DESK_AT_ONCE, part);
	unlink(trace);
	unlink(other);
	unlink(dense);
	unlink(text_log);
	return tap_done();
}
#endif
