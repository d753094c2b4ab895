// SPDX-License-Identifier: Apache-2.0
/*
 * compare: the trace A, with which the one on the screen (B) is compared: opened and
 * loaded in the background, counted as B is, shown by screens/diff.c, and by the tree and the flame
 * graph, whose paths are those of both: a thread joins them when both sessions have answered.
 *
 * A is a session of its own: its subset is what is asked of it, its display has the answer.
 */
#pragma once

#include "profile/sum/transform.h"
#include "tui/opener.h"
#include "view/diff/pathpair.h"
#include "view/diff/table.h"
#include "view/session.h"

struct app;

/* Joins the paths of both sessions' answers, which it borrows. */
struct pairing {
	const struct trace *a;
	struct trace *b;
	const struct paths *of[DIFF_SIDES]; /* also after that, until they are gone */
	struct worker_pool *thread; /* NULL: nothing is being joined */
	atomic_bool cancel;
	struct pathpair *made;
};

struct compare {
	struct session *before; /* A; owned, NULL: there is none, or it is being opened */
	struct opener opener; /* of another A; what is compared stays till then */
	struct transforms of; /* B's that those asked for of A were made of */
	struct diff_table table;
	struct pairing pairing;
	struct pathpair *pair; /* owned; joined last, NULL: nothing was */
	bool shown;            /* once, when all was there */
};

void compare_init(struct app *);
void compare_release(struct app *);

/* Compares with an open trace; borrowed. */
bool compare_begin(struct app *, struct trace *, struct err *);
/* Gives up what is under way; false when nothing is. */
bool compare_interrupt(struct app *);

/* "comparing with base.trace: loading 64% (^C stops)"; false when nothing is under way. */
bool compare_text(struct app *, char *out, size_t size);

/* Like engine_wait, for A's engine. */
void compare_wait(struct app *, int ms, bool loaded);
/* Asks A's engine for what the screen needs. */
void compare_ask(struct app *);
/* Takes what A's engine has; returns whether anything on the screen may differ. */
bool compare_take(struct app *);
/* The lists as they should be now; for the view. */
void compare_follow(struct app *);
/*
 * The paths in the tree and the flame graph as they should be now: of B alone, of both, or of its slow calls
 * and the others.
 */
void compare_follow_paths(struct app *);
/* Shows them when B's are new, before the former ones are freed. */
void compare_paths_came(struct app *);
/* Before B's paths are freed: nothing joins them any more, and what was joined stays. */
void compare_leave_paths(struct app *);
/* Before B's session is another: B's paths are alone again. */
void compare_forget_paths(struct app *);
/* True if the tree and the flame graph wait for the paths of both. */
bool compare_paths_pending(const struct app *);
/* There is a comparison, or one is being opened. */
bool compare_is_on(const struct app *);
/* There is an A that is not loaded yet. */
bool compare_loading(const struct app *);
/* Both traces are loaded and counted as chosen. */
bool compare_ready(const struct app *);
/* There is a comparison that is not known yet. */
bool compare_pending(const struct app *);
