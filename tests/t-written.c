// SPDX-License-Identifier: Apache-2.0
/*
 * What `:write` writes as CSV in a view is, byte for byte, what the report of that view prints.
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
#include <sys/wait.h>
#include <unistd.h>

#include "tui/desk.h"

/* The keys that show a view, and the report's words for it. */
static const struct view {
	const char *keys, *report;
	const char *file; /* NULL: of all */
} views[] = {
    {"1", "--view=methods", NULL},
    {"v", "--view=packages", NULL},
    {"v", "--view=classes", NULL},
    {"2", "--view=tree", NULL},
    {"3", "--view=bottom-up", NULL},
    {"1<F7>", "--view=frames", NULL},
    {"6", "--view=threads", NULL},
    {"1/ImageCache.decode<Enter>5", "--calls=ImageCache.decode", "app.trace"},
    {"9vg<Enter>", "--view=log-processes", NULL},
    {"<Tab>", "--view=log-threads", NULL},
    {"<Tab>", "--view=log-latency", NULL},
    {"<Tab>", "--view=log-cores", NULL},
    {"<Tab>", "--view=log-states", NULL},
    {"<Tab>", "--view=log-switches", NULL},
    {"<Tab>", "--view=log-blocked", NULL},
    {"<Tab>", "--view=log-priorities", NULL},
    {"<Tab>", "--view=log-counters", NULL},
    {"<Tab>", "--view=log-frequencies", NULL},
    {"<Tab>", "--view=log-top", NULL},
    {"<Tab>", "--view=log-chains", NULL},
    {"<Tab>", "--view=log-starts", NULL},
    {"<Tab>", "--view=log-binder", NULL},
    {"<Tab>", "--view=log-locks", NULL},
    {"<Tab>", "--view=log-messages", NULL},
    {"<Tab>", "--view=log-summary", NULL},
};

enum { VIEWS = sizeof(views) / sizeof(views[0]) };

static bool
same(const char *name)
{
	char command[200];

	snprintf(command, sizeof(command), "cmp report.csv %s", name);
	return system(command) == 0;
}

/* Did the report refuse the view, as it must for a trace that has nothing of it? */
static bool
refused(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == 2 &&
	    system("grep -Eq 'need a system trace|no sched events in this log' report.err") == 0;
}

/* A view that is still being counted is written when it is there. */
static void
compare(struct pty *p, const char *command)
{
	static int number;
	char name[20], text[DESK_PATH + 300];
	bool written = false;
	int status;

	snprintf(text, sizeof(text), "$SLOWTOP %s --format=csv >report.csv 2>report.err", command);
	status = system(text);
	if (status != 0) {
		ok(refused(status), "%s: refused", command);
		return;
	}
	if (strstr(command, "--view=frames") != NULL && pty_settle(p, 300) > 0 &&
	    pty_shows(p, "no frames of the display")) {
		ok(system("test $(wc -l <report.csv) = 1") == 0, "%s: none", command);
		return;
	}
	for (int try = 0; try < 20 && !written; try++) {
		snprintf(name, sizeof(name), "%d.csv", number++);
		snprintf(text, sizeof(text), ":write! %s<Enter>", name);
		pty_keys(p, text);
		pty_settle(p, 150);
		snprintf(text, sizeof(text), "%s written as csv", name);
		written = pty_shows(p, text);
		if (!written)
			pty_keys(p, "<Escape>");
	}
	if (!ok(written && same(name), "%s", command))
		diag("%s", pty_screen(p));
	remove(name);
}

/* The first `count` views of the file, with what both take. */
static void
written(const char *file, const char *options, size_t count)
{
	struct pty_options o = {.rows = 24, .columns = 100};
	char words[DESK_PATH + 200];
	struct pty *p;

	snprintf(words, sizeof(words), "%s %s", options, file);
	p = desk_start(&o, words);
	pty_settle(p, 500);
	pty_expect_gone(p, "partial");
	/* A log begins with the threads of the app in front, its report has all. */
	if (strstr(options, "--thread") == NULL)
		pty_keys(p, "T");
	for (size_t i = 0; i < count; i++) {
		if (views[i].file != NULL && strcmp(views[i].file, file) != 0)
			continue;
		pty_keys(p, views[i].keys);
		snprintf(words, sizeof(words), "report %s %s '%s'", views[i].report, options, file);
		compare(p, words);
	}
	desk_quit(p, "Q", file);
}

/* Of all lists, whichever is shown. */
static void
compared(const char *options)
{
	struct pty_options o = {.rows = 24, .columns = 100};
	char words[100];
	struct pty *p;

	snprintf(words, sizeof(words), "diff %s app.trace damaged.trace", options);
	p = desk_start(&o, words);
	pty_settle(p, 500);
	pty_expect_gone(p, "partial");
	pty_expect_gone(p, "loading");
	compare(p, words);
	desk_quit(p, "Q", words);
}

/* Samples are large: some of each kind. */
static void
samples(void)
{
	static const char *const some[] = {"art/burroak-dmtrace.trace", "art/lilong-example_dmtrace.trace",
	    "art/setapp-deck.trace", "art/aosp-perflib-exception.trace", "ftrace/servo_v1.ftrace",
	    "ftrace/docs_myTest_api19.ftrace", "ftrace/catapult_atrace_missing_tgids.txt",
	    "ftrace/gracker_flutter_wanandroid.html.gz"};
	const char *shared = getenv("SLOWTOP_SHARED");
	char path[DESK_PATH];

	for (size_t i = 0; shared != NULL && i < sizeof(some) / sizeof(some[0]); i++) {
		snprintf(path, sizeof(path), "%s/samples/%s", shared, some[i]);
		if (access(path, R_OK) == 0)
			written(path, "", VIEWS);
	}
}

int
main(void)
{
	desk_begin("t-written");
	desk_sample("app.trace", "sample.trace.txt");
	desk_trace("damaged.trace",
	    "--seed=7 --records=20k --threads=9 --methods=400 --lost=40 --stray=40 --unknown-methods=300 --open");
	desk_trace("wall.trace", "--records=20k --threads=5 --data-version=2 --clock=wall");
	desk_log("some.log", "--events=8k --waking --tracks");
	written("app.trace", "", VIEWS);
	written("app.trace", "--thread=main --from=0.002 --until=0.03 --clock=cpu", VIEWS);
	written("app.trace", "--filter=com --sort=calls", 1);
	written("damaged.trace", "", VIEWS);
	written("damaged.trace", "--sort=+method --transform=drop:a --filter=!e", 1);
	compared("");
	compared("--min=1us --filter=!e --sort=+method --clock=cpu");
	written("wall.trace", "", VIEWS);
	written("some.log", "", VIEWS);
	written("some.log", "--from=0.01 --until=0.04", VIEWS);
	samples();
	return desk_end();
}

#endif
