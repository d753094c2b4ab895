// SPDX-License-Identifier: Apache-2.0
/*
 * helper: other programs: an editor, a pager, what keeps the clipboard.
 *
 * They are started with a list of arguments, never through a shell.  Commands come from
 * the user's environment and settings; nothing of a trace is ever taken for one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "tui/term/signals.h"

/* A list of arguments; NULL after the last. */
struct helper {
	char **argv;
	size_t count, room;
};

/* The words of a command: separated by blanks, but not in '' or "" or after a backslash. */
bool helper_split(struct helper *, struct str command, struct err *);
void helper_add(struct helper *, struct str argument);
void helper_release(struct helper *);

/*
 * Runs it on the terminal, which must be unused meanwhile, with `in` as standard input,
 * and waits.  Keys that signal go to the program; ^Z stops both.  False when it could not
 * be started, or ended with a status other than 0.
 */
bool helper_run(const struct helper *, const struct signals *, int in, struct err *);
/*
 * Runs it in the background: standard input is the text, what it prints is lost.  Waits
 * until it ends, some seconds at most.
 */
bool helper_feed(const struct helper *, struct str text, struct err *);
