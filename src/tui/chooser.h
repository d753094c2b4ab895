// SPDX-License-Identifier: Apache-2.0
/*
 * chooser: a list on a screen of its own, before any trace is browsed, of which a row is chosen.
 *
 * It has the terminal, the cursor and the keys to move it; what rows show and what else keys do is
 * the caller's.  Rows are known by their number.  The terminal is taken for the list alone.
 */
#pragma once

#include "base/worker.h"
#include "tui/settings/settings.h"
#include "view/canvas.h"

struct chooser;

struct chooser_command {
	const char *keys; /* names, blanks between */
	void (*run)(struct chooser *);
	const char *shown, *help;
};

/* Zero-initialise, and fill in; it begins at `cursor`. */
struct chooser {
	size_t count, cursor, top;
	int head_rows, foot_rows; /* above and below the rows; the footer is one more */
	const char *hint;         /* the footer */
	/* True if the cursor may be on it; NULL: on each. */
	bool (*is_row)(const struct chooser *, size_t row);
	bool hides; /* what is no row is not shown */
	void (*draw_head)(struct chooser *, struct canvas *);
	void (*draw_row)(struct chooser *, struct canvas *, int y, size_t row);
	void (*draw_foot)(struct chooser *, struct canvas *, int y); /* may be NULL */
	const struct chooser_command *commands; /* beside those that move */
	int command_count;
	void *context;
	/* Runs on a thread meanwhile, and posts there when there is something to draw; may be NULL. */
	void (*work)(struct chooser *, const struct notify *arrived, const atomic_bool *cancel);

	bool over;  /* set by a command: it ends */
	bool helps; /* keys are shown */
};

/* Shows it until a command ends it (`over`), or the user quits; false after trouble, told on stderr. */
bool chooser_run(struct chooser *, const struct settings *);
