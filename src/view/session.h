// SPDX-License-Identifier: Apache-2.0
/*
 * session: all of one open trace: the trace, the worker, what it has answered, what the views show
 * of it and where the user is.
 *
 * Made by one function and freed by one.  A front end has one for the trace on the screen, one more
 * while that is loaded again, and one of the trace that it is compared with; what is in a session
 * points within it.
 */
#pragma once

#include "profile/timeline/jank.h"
#include "view/bookmarks.h"
#include "view/calls_list.h"
#include "view/display.h"
#include "view/findings_list.h"
#include "view/sequence_list.h"
#include "view/frames.h"
#include "view/log/tables.h"
#include "view/methods.h"
#include "view/names/names.h"
#include "view/packages.h"
#include "view/pages/info.h"
#include "view/place.h"
#include "view/query/engine.h"
#include "view/selection.h"
#include "view/threads.h"
#include "view/timeline/axis.h"
#include "view/timeline/pane.h"
#include "view/tree/calltree.h"
#include "view/tree/icicle.h"

/* The call that was stepped to; counts as long as the time cursor is at its start. */
struct picked {
	bool set;
	uint32_t method;
	struct call_place place;
	struct range span;
};

/* The query for the next call (query.h). */
struct near_ask {
	bool waiting;
	unsigned serial;
	uint32_t method;
	int direction;
	struct call_place from;
};

struct session {
	struct trace *trace;
	bool owned;            /* the trace is freed with it */
	struct engine *engine; /* owned; NULL until its maker adds it */
	struct names *names;
	struct timescale scale; /* how moments are written */

	/*
	 * The method of the pane beside the views, and of the profile's marks.  While keys
	 * follow each other, as when one is held down, it stays that of before
	 * (`details_late`): a line costs its own bytes then.
	 */
	uint32_t details_method;
	bool details_late;

	struct load_status now;
	bool has_frames; /* of the display; once all is read */
	bool coloured;   /* by sums of the whole trace */
	struct engine_work work;
	int64_t load_start_ms, count_start_ms, draw_start_ms;

	struct selection selected; /* as the views left it; see screens_select */
	struct track seen_row; /* of the timeline when it was entered, and its time: */
	nsec seen_at;

	struct display display;
	struct methods methods; /* they borrow it */
	struct timeline_pane timeline;
	struct log_choice choice; /* of slices; see choice.h */
	struct subset subset; /* that is wanted; owned */
	struct deadline deadline; /* of the frame that was gone to last */
	bool choosing;       /* a new window: it began with `chosen_first` */
	struct range chosen_first;
	struct places history, undo;
	bool tree_goes;      /* to what is selected, once the tree of a jump is there */
	struct subset shown; /* what the figures are of; owned, too */

	struct engine_paths *trees;     /* owned; NULL before the first */
	uint32_t copying; /* its stack is copied when the paths are there; METHOD_NONE: none */
	struct calltree tree, callers;  /* they borrow these */
	struct slow_calls slow; /* that the tree and the flame graph compare with the others */
	struct icicle flame;             /* of `tree` */
	struct threads threads;
	struct threads picker_threads; /* the same to choose from, in a popup */
	uint32_t tree_asked;            /* path that `*` asked about; PATH_NONE: none */
	struct packages packages;
	struct findings_list findings;
	struct sequence_list sequence;
	uint32_t sequence_thread; /* that it is asked of; THREAD_NONE: the main one, or the busiest */
	struct frames frames;
	struct calls_list calls;
	uint32_t calls_method; /* that the calls are of, found or not */
	bool calls_stopped;    /* by the user, before all were found */
	struct picked picked;
	struct bookmarks bookmarks;
	bool bookmarks_known; /* the file was looked at */
	struct near_ask near;

	struct usage *usage;   /* of a log, while its view is open; owned, may be NULL */
	struct usage_tables tables;    /* of that view */

	struct info info; /* of the views info and details */
	size_t info_top, info_found; /* lines: the first shown, the last found */
	struct details_of told; /* by the details */

	/* Requests of the command line that are not done yet (start.h). */
	struct scope *start_scope; /* as it was last set for it */
	bool start_threads, start_front, start_method, start_window;
};

/* Takes the trace over if `owned`. */
struct session *session_new(struct trace *, bool owned, bool utf8);
/* Makes a session with an engine (engine_new); NULL and `e` on failure: an owned trace is freed. */
struct session *session_open(struct trace *, bool owned, bool utf8, unsigned jobs,
    const struct notify *answered, struct err *);
/* The clock unless the user chose one: of a thread that is chosen alone, and of slow calls, wall, for the waits. */
enum clock_id session_auto_clock(const struct session *);
/* Returns the method whose row has the calls of this one: names may be folded. */
uint32_t session_listed(const struct session *, uint32_t method);
/* Waits for the worker. */
void session_free(struct session *);
/* The i-th of all its lists; NULL after the last. */
struct list *session_list(struct session *, int i);
