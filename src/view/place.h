// SPDX-License-Identifier: Apache-2.0
/*
 * place: where a user is: a view, what it is about and how it is shown; and lists of places to walk
 * back and forth in, which history and undo are.
 *
 * A place is a value that owns its arrays.  A list keeps the newest PLACES_MAX.
 */
#pragma once

#include "profile/log/usage.h"
#include "profile/timeline/tracks.h"
#include "view/methods.h"
#include "view/query/query.h"
#include "view/selection.h"

enum view {
#define VIEW(number, ...) VIEW_##number,
#include "view/views.def"
	VIEW_DETAILS, /* one method; commands.def says which key shows it */
	VIEWS
};

/* The subject of the details: a method; without one and `moment` a thread, or a frame of a log. */
struct details_of {
	uint32_t method;      /* METHOD_NONE: none */
	uint32_t thread;
	struct list_id frame; /* 0, 0: none */
	bool moment;          /* the time cursor's thread and slice, too */
};

struct place {
	/* Choice of what is counted and shown, which undo takes back; its places lack the rest. */
	struct filters filters;
	struct wheres wheres;
	struct subset subset;
	struct log_choice choice; /* of slices */

	struct list_state list; /* of the profile */
	struct list_state rows; /* of the view, where it has another list; else empty */
	uint64_t guest;         /* its identity */
	uint64_t alone;         /* of the call tree: the path that is in no chain */
	uint64_t zoom, frame;   /* identities in the flame graph: its widest frame, the cursor's */
	size_t top, found;      /* the first line of a text, and that of the hit found last */
	struct range shown;     /* by the timeline */
	uint32_t thread;     /* of the timeline's cursor, its row, its time */
	bool thread_chosen;
	struct track row;
	nsec at;
	bool placed, exact;  /* as in struct axis */
	enum view view;
	bool in_timeline;    /* the profile's timeline has the keyboard */
	struct details_of told;
	int table;           /* of a log's tables, and what it is of */
	struct usage_ask ask;
	uint32_t sequence_thread;
	struct slow_calls slow;
	struct selection selection;
};

enum { PLACES_MAX = 200 };

struct places {
	struct place *items;
	size_t count, room;
	size_t at; /* the place where the user is; its content is what was left last */
};

void places_release(struct places *);
void place_release(struct place *);
/* The profile goes there.  All else is the caller's to restore. */
void place_restore(const struct place *, struct methods *);

/* Before going somewhere new: `now` (taken over) is where the way back leads. */
void places_visit(struct places *, struct place *now);
/*
 * One step back (-1) or forward (1): `now` (taken over) is kept for the way back.
 * NULL, `now` not taken, when there is none; else valid until the next call.
 */
const struct place *places_step(struct places *, int direction, struct place *now);
