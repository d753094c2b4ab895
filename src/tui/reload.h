// SPDX-License-Identifier: Apache-2.0
/*
 * reload: the file of the trace on the screen, when it is another by now: told, and
 * loaded again by `:reload`.
 *
 * What was chosen stays: view, filters, transforms, threads, range, order, marks,
 * expanded methods, what can be undone and gone back to, and what the cursors are on, by identity
 * (identity.h).  Names in a file that was written over are gone, so identities are made while a
 * trace is loaded.
 */
#pragma once

#include "tui/opener.h"

struct app;
struct session;

struct reload {
	struct opener opener;
	enum filemark_now told; /* what the user knows of the file */
	int64_t asked_ms;       /* when it was last looked at */

	struct session *next; /* while the new trace loads; owned */
	double progress;
	bool silent, asked; /* it was asked what the screen shows */

	/* The thread that frees a session, and that session: left, or given up while loading. */
	struct worker_pool *ending;
	struct session *ended;
};

void reload_release(struct app *);

/*
 * Says once that the file has changed.  Called when the screen is drawn for another
 * reason, and costs one stat a second then; nothing while the program is idle.
 */
void reload_look(struct app *);

/*
 * Loads the file again; when that fails, the old trace stays.  `silent`: no word of it, and keys
 * do not wait.
 */
bool reload_begin(struct app *, bool silent, struct err *);
/* True if the file is being opened or loaded, and keys wait for that. */
bool reload_waited(const struct app *);
/* True if the file is being opened or loaded. */
bool reload_pending(const struct app *);
/* "opening app.trace again (^C stops)"; false when it is not. */
bool reload_text(struct app *, char *out, size_t size);
/* Gives it up without a word. */
void reload_end(struct app *);
/* Gives it up; false when nothing is under way. */
bool reload_interrupt(struct app *);
/* Goes over to the new trace when it is loaded; whether anything changed. */
bool reload_take(struct app *);
