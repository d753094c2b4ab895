// SPDX-License-Identifier: Apache-2.0
/*
 * calls_list: the calls of one method as a list.
 *
 * Rows come while they are found; until the user has moved, the cursor is on the first.
 * The search is that of the display, by callers and threads.  Drawing: calls_pane.h.
 */
#pragma once

#include "base/mem.h"
#include "profile/timeline/calls.h"
#include "view/list/list.h"
#include "view/timeline/axis.h"

enum calls_column {
#define COLUMN(number, ...) number,
#include "view/calls_list.def"
#undef COLUMN
	CALLS_COLUMNS
};

extern const struct list_source calls_source;

struct calls_list {
	struct list list;
	const struct trace *trace;
	struct names *names;
	const struct display *search; /* borrowed; NULL: nothing is searched for */
	struct calls *calls;        /* owned; NULL before the first */
	struct display_seen seen;   /* that the rows are of */
	struct timescale scale;     /* of when they began */
	struct str *threads;        /* "1 main", by thread, in `texts` */
	struct arena texts;
};

void calls_list_init(struct calls_list *, const struct figures *, const struct display *search);
void calls_list_release(struct calls_list *);

/* Takes them over. */
void calls_list_set(struct calls_list *, struct calls *);
/* None are known, and the cursor is nowhere: before those of another method. */
void calls_list_clear(struct calls_list *);
void calls_list_set_scale(struct calls_list *, const struct timescale *);
/* After any change of the display. */
void calls_list_follow(struct calls_list *);

static inline enum clock_id
calls_list_clock(const struct calls_list *l)
{
	return l->list.figures->clock;
}

/* The call of a row. */
static inline const struct call_row *
calls_list_at(const struct calls_list *l, const struct list_row *row)
{
	return &l->calls->rows[row->item];
}

/* Under the cursor; NULL: there is none. */
const struct call_row *calls_list_row(const struct calls_list *);
bool calls_list_is_over(const struct calls_list *, const struct call_row *);
/* Moves to that call, now or when it comes. */
void calls_list_go(struct calls_list *, uint32_t method, const struct call_place *);
/* Sums over the marked calls that are listed; how many these are. */
uint32_t calls_list_marks(const struct calls_list *, nsec *time, nsec *exclusive);
