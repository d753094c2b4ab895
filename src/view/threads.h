/*
 * threads: the list of the threads: which are chosen, and what each has done.
 *
 * Rows are those of the display's fold.  The search is by the thread's id and name.
 */
#pragma once

#include "view/list/list.h"

extern const struct list_source threads_source;

struct threads {
	struct list list;
	const struct display *display; /* borrowed */
	struct scope *const *scope; /* which threads are chosen, NULL: all; borrowed */
	struct display_seen seen; /* that the rows are of */
};

void threads_init(struct threads *, const struct display *, struct scope *const *scope);
void threads_release(struct threads *);
/* Rows of the display's fold, if that is a new one. */
void threads_follow(struct threads *);

/* THREAD_NONE without rows. */
uint32_t threads_cursor(const struct threads *);
/* Moves to a thread; false when it has no row. */
bool threads_go(struct threads *, uint32_t thread);
