// SPDX-License-Identifier: Apache-2.0
/*
 * history: where the user was: a list of places to walk back and forth in.
 *
 * A place is a value that owns its arrays.  The list keeps the newest HISTORY_MAX.
 */
#pragma once

#include "profile/load/scope.h"
#include "profile/log/usage.h"
#include "profile/sum/range.h"
#include "profile/sum/transform.h"
#include "profile/timeline/tracks.h"
#include "view/methods.h"
#include "view/selection.h"

/* Views that led to the present one, each once: `q` goes back to the last of them. */
enum { VIEW_STACK_MAX = 16 };
struct view_stack {
	size_t count;
	int views[VIEW_STACK_MAX];
};

struct place {
	struct list_id selected;
	size_t line;     /* screen line of the cursor */
	struct ids open; /* expanded methods */
	uint64_t guest;  /* its identity */
	int sort;
	bool ascending;
	struct filters filters;
	struct transforms transforms; /* the caller's to fill */
	struct scope *scope; /* NULL: all threads */
	struct range window; /* that is counted */
	nsec from, to;       /* what the timeline shows; equal: all */
	uint32_t thread;     /* of the timeline's cursor, its row if there is one, its time */
	bool has_row;
	struct track row;
	nsec at;
	int view;            /* the front end's number of it */
	struct view_stack below;
	uint32_t told;       /* the method that its details are of, or a time, */
	uint32_t told_thread; /* or this thread */
	bool moment;
	int table;           /* the same, of a log's tables, and what it is of */
	struct usage_ask ask;
	struct selection selection;
};

enum { HISTORY_MAX = 200 };

struct history {
	struct place *places;
	size_t count, room;
	size_t at; /* the place where the user is; its content is what was left last */
};

void history_release(struct history *);

/*
 * Takes the place in the profile, scope (copied), window and timeline; the caller adds
 * the rest.
 */
void place_take(struct place *, const struct methods *, const struct scope *,
    const struct range *window, nsec from, nsec to);
void place_release(struct place *);
/* The profile goes there.  All else is the caller's to restore. */
void place_restore(const struct place *, struct methods *);

/* Before going somewhere new: `now` (taken over) is where Backspace returns to. */
void history_visit(struct history *, struct place *now);
/*
 * One step back (-1) or forward (1): `now` (taken over) is kept for the way back.
 * NULL, `now` not taken, when there is none; else valid until the next call.
 */
const struct place *history_step(struct history *, int direction, struct place *now);
