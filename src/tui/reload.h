// SPDX-License-Identifier: Apache-2.0
/*
 * reload: the file of the trace on the screen, when it is another by now: told, and
 * loaded again by `:reload`.
 *
 * What was chosen stays: view, filters, transforms, threads, range, order, marks,
 * expanded methods, what can be undone and gone back to, and what the cursors are on, by identity: methods by name, threads by
 * id, calls by their start.  Names in a file that was written over are gone, so they are
 * learnt, as keys, when a trace was loaded (some 20 ns a method).
 */
#pragma once

#include "profile/timeline/calls.h"
#include "tui/opener.h"
#include "view/history.h"

struct app;
struct undo;

/* Keys by row: rows of two traces with equal keys are the same. */
struct reload_keys {
	uint64_t *of;
	uint32_t count;
	size_t room;
};

/* Numbers of the new trace by those of the one before; METHOD_NONE, THREAD_NONE: not there. */
struct reload_map {
	uint32_t *methods, *threads;
	uint32_t method_count, thread_count;
};

struct reload {
	const struct tui_options *options; /* borrowed */
	struct opener opener;
	enum filemark_now told; /* what the user knows of the file */
	int64_t asked_ms;       /* when it was last looked at */
	struct trace *own;      /* the trace on the screen; NULL: it is not ours */

	struct reload_keys methods, threads; /* of the trace on the screen */
	unsigned renamed;                    /* as in the trace, when they were learnt */

	/* While the new trace loads. */
	struct trace *fresh;
	struct engine *engine; /* of it */
	double progress;
	bool silent, exchanged, asked; /* it was asked what the screen shows: */
	struct reload_keys new_methods, new_threads; /* its own */
	struct reload_map map;

	/* What was on the screen before, or was given up, as long as that is freed. */
	struct worker_pool *ending;
	struct engine *ended_engine;
	struct trace *ended;

	/* From the exchange to its first answers; in numbers of the trace before. */
	bool following;
	struct place place;
	struct history history;
	struct undo *undo; /* owned; NULL: none */
	struct call_place call; /* of `call_method`, METHOD_NONE: none */
	uint32_t call_method;
	uint32_t *marked;
	size_t marked_count;
};

void reload_init(struct app *, const struct tui_options *);
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
/* Is it being loaded, and keys wait for that? */
bool reload_waited(const struct app *);
/* Whether there is another trace on the screen since the last call. */
bool reload_exchanged(struct app *);
/* Is the file being opened or loaded? */
bool reload_pending(const struct app *);
/* "opening app.trace again (^C stops)"; false when it is not. */
bool reload_text(struct app *, char *out, size_t size);
/* Gives it up without a word. */
void reload_end(struct app *);
/* Gives it up; false when nothing is under way. */
bool reload_interrupt(struct app *);
/* Goes over to the new trace when it is loaded; whether anything changed. */
bool reload_take(struct app *);
/* Answers came: learns what names there are, once the trace was loaded. */
void reload_learn(struct app *);
/* The new trace's first answers came: gives it what was chosen. */
void reload_follow(struct app *);
