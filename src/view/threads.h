// SPDX-License-Identifier: Apache-2.0
/*
 * threads: the list of the threads: which are chosen, and what each has done.
 *
 * Rows are those of the display's fold; with filters, the threads that call what passes, and
 * how long.  Of a log with several processes, threads are below their processes, the one in
 * front first and open.  Processes and threads that have neither slices nor running time are
 * below a row that counts them.  The search is by id and name; it opens what is closed.
 */
#pragma once

#include "base/mem.h"
#include "profile/sum/fold.h"
#include "view/list/list.h"

struct display;
struct paths;

extern const struct list_source threads_source;

/* Threads that belong together. */
struct thread_process {
	struct str name, rest; /* rest: words for those that did nothing */
	uint32_t pid;
	uint32_t threads, idle; /* of these, without slices or running time */
	uint32_t first;         /* of them; the others by `next`, THREAD_NONE after the last */
	struct fold_thread sum; /* CPU time from 0; wall time from the first event to the last */
	nsec busy, known; /* known: the longest of its threads */
};

struct threads {
	struct list list;
	struct display *display; /* borrowed */
	struct scope *const *scope; /* which threads are chosen, NULL: all; borrowed */
	struct display_seen seen; /* that the rows are of */
	const struct paths *paths; /* threads apart; NULL: none yet, or no filter asks; borrowed */
	nsec *passed; /* by thread, on the display's clock: inclusive time of what passes the filters */
	nsec passed_total;
	size_t passed_room;

	bool grouped;                     /* there are several processes */
	uint32_t main_thread;
	struct thread_process *processes; /* as thread.process counts */
	uint32_t process_count, front;    /* front: the one that was opened; UINT32_MAX: none */
	struct thread_process all;        /* counts processes, or without groups threads */
	uint32_t *next;                   /* by thread */
	struct str widest;                /* as wide as the widest name */
	size_t process_room, next_room;
	struct arena texts;
};

void threads_init(struct threads *, struct display *, struct scope *const *scope);
void threads_release(struct threads *);
/* The call paths of the display's fold, which must outlive their use here. */
void threads_set_paths(struct threads *, const struct paths *);
/* Rows of the display's fold, if that is a new one, or the filters are. */
void threads_follow(struct threads *);

/* As thread.process counts; 0: none, or several. */
uint32_t threads_row_process(const struct threads *, const struct list_row *);
/* Returns the thread of the cursor's row; THREAD_NONE without one. */
uint32_t threads_cursor(const struct threads *);
/* Moves to a thread, and opens what it is in; false when it has no row. */
bool threads_go(struct threads *, uint32_t thread);
/*
 * The threads of a row, the caller's; or `toggle`: those chosen with the row's in, or out if
 * all of them are in.
 */
struct scope *threads_of_row(const struct threads *, const struct list_row *, bool toggle);
