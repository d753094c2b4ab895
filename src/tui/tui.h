// SPDX-License-Identifier: Apache-2.0
/*
 * tui: the terminal program: a trace browsed by keyboard.
 *
 * Needs setlocale(LC_CTYPE, "") done before, standard output on a terminal, and keys
 * from standard input or, when that is no terminal, from the controlling terminal.
 * The terminal is given back as it was on every way out: quit, signals, hang-up, and
 * by tui_emergency_restore when the process has to end from within.
 */
#pragma once

#include <stdbool.h>

#include "trace/trace.h"
#include "view/diff/columns.h"

enum tui_colour {
	TUI_COLOUR_AUTO, /* as the terminal can, none when NO_COLOR is set */
	TUI_COLOUR_NEVER,
	TUI_COLOUR_ALWAYS /* as the terminal can, whatever NO_COLOR says */
};

struct settings;
struct start;
struct watch;

/* The trace that the one on the screen is compared with. */
struct tui_diff {
	struct trace *before; /* open; borrowed */
	enum diff_value value;
	bool min_given;
	nsec min;
	enum diff_column sort;
	bool ascending;
};

/* Which trace is opened. */
enum tui_side {
	TUI_BEFORE, /* one to compare with */
	TUI_AGAIN,  /* that on the screen, once more */
};

struct tui_options {
	const struct start *start; /* borrowed */
	struct settings *settings; /* initialised; borrowed, and changed by the user */
	unsigned jobs;             /* threads that read the trace; 0: as many as pay */
	const struct tui_diff *diff; /* NULL: compared with none; borrowed */
	/*
	 * Opens a trace while another is on the screen, on any thread; NULL, and why in `e`.
	 * The pointer is handed through.  `watch`: what it has is opened; NULL: the path.
	 */
	struct trace *(*open)(void *context, enum tui_side, const char *path,
	    struct watch *watch, const atomic_bool *cancel, struct err *e);
	void *open_context;
	struct watch *watch;       /* of the trace, which is followed; NULL: it is not; borrowed */
	nsec window;               /* so much of the end of what is followed; 0: all */
	nsec keep_last;            /* records of a pipe that can be read again, from its end; 0: all */
	bool strict;               /* quitting a trace with damage is TUI_DAMAGED */
};

enum {
	TUI_QUIT = 0,
	TUI_TROUBLE = 2, /* no usable terminal; said on stderr */
	TUI_DAMAGED =
	    3, /* instead of TUI_QUIT under `strict`; what was met is said on stderr */
	TUI_INTERRUPTED = 130 /* quit by Ctrl-C */
};

/*
 * Browses an opened trace until the user quits; returns the status to exit with.  A
 * signal that ends the program (SIGTERM, SIGHUP, ...) is raised again once the terminal
 * is restored.  A file that turns out to be no trace while it is being read, or for which
 * there is no space (LOAD_FAILED), ends it with the error on stderr and TUI_TROUBLE, unless it is
 * followed by its name: then another is waited for.
 */
int tui_run(struct trace *, const struct tui_options *);

/*
 * Gives the terminal back at once, from anywhere but a signal handler; does nothing
 * when tui_run does not hold it.  For mem_exhausted and the like.
 */
void tui_emergency_restore(void);
