// SPDX-License-Identifier: Apache-2.0
/*
 * threads: the list of the threads: which are chosen, and what each has done.
 *
 * Rows are those of the display's fold; with filters, the threads that call what passes, and
 * how long.  The search is by the thread's id and name.
 */
#pragma once

#include "view/list/list.h"

struct display;
struct paths;

extern const struct list_source threads_source;

struct threads {
	struct list list;
	struct display *display; /* borrowed */
	struct scope *const *scope; /* which threads are chosen, NULL: all; borrowed */
	struct display_seen seen; /* that the rows are of */
	const struct paths *paths; /* threads apart; NULL: none yet, or no filter asks; borrowed */
	nsec *passed; /* by thread, on the display's clock: inclusive time of what passes the filters */
	nsec passed_total;
	size_t passed_room;
};

void threads_init(struct threads *, struct display *, struct scope *const *scope);
void threads_release(struct threads *);
/* The call paths of the display's fold, which must outlive their use here. */
void threads_set_paths(struct threads *, const struct paths *);
/* Rows of the display's fold, if that is a new one, or the filters are. */
void threads_follow(struct threads *);

/* THREAD_NONE without rows. */
uint32_t threads_cursor(const struct threads *);
/* Moves to a thread; false when it has no row. */
bool threads_go(struct threads *, uint32_t thread);
