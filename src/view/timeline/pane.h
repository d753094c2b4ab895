// SPDX-License-Identifier: Apache-2.0
/*
 * pane: the timeline as a model and its drawing: threads, window, time cursor.
 *
 * Cells, marks and the call under the cursor come from the engine: timeline_pane_ask
 * says which are needed, timeline_pane_take_* hand them in.  What came for another
 * window than the one shown is kept but not drawn.
 *
 * Lines: axis, rows, where there is room a legend of the colours, one last line: marks of the
 * table's method, or with the timeline focused what is under the time cursor.  A row is a track (profile/timeline/tracks.h): a thread,
 * below it, when it is open, its states and calls by depth; where there is room for it, a
 * text log's threads are below their processes and its cores above them.
 */
#pragma once

#include "profile/sum/fold.h"
#include "view/canvas.h"
#include "view/display.h"
#include "view/list/scroll.h"
#include "view/names/names.h"
#include "view/names/processes.h"
#include "view/query/engine.h"
#include "view/sheet.h"
#include "view/timeline/axis.h"

enum thread_order {
	ORDER_COVERAGE, /* time with a call open */
	ORDER_CPU,      /* CPU time; where the trace has none, busy time (fold_busy) */
	ORDER_NAME,
	ORDER_ID,
	THREAD_ORDERS
};

extern const char *const thread_order_names[THREAD_ORDERS]; /* words for a picker */

/* Kinds of rows that can be left out, and the words for them. */
struct track_choice {
	enum track_kind kind;
	const char *word;
	const char *help; /* one line, no full stop */
};

enum { TRACK_CHOICES = 10 };
extern const struct track_choice track_choices[TRACK_CHOICES];
enum { TRACKS_ALL = (1u << TRACK_KINDS) - 1 };

struct thread_facts {
	uint64_t records;
	nsec covered, busy; /* busy: fold_busy */
	bool pinned;
	bool open;      /* its states, calls and instants are below it */
	bool instants;  /* a log has some of it */
	bool repeats;   /* another has its name */
	uint32_t depth; /* of its calls: */
	struct range depth_in; /* in this window; from == to: in none yet */
};

/* State of a process's rows: its threads are left out, or not; `chosen`: as the user said. */
struct process_fold {
	bool folded, chosen;
	bool idle; /* no slices, no running time: below the row for such */
};

struct timeline_pane {
	const struct trace *trace;
	struct names *names;
	struct axis axis;
	struct timescale scale; /* how moments are written */

	enum thread_order by;
	uint32_t main_thread;
	uint32_t *threads; /* those with events, in order: main, pinned, its process's, others */
	size_t thread_count, thread_room;
	struct thread_facts *facts; /* by thread, of the newest fold */
	size_t fact_count, fact_room;
	int longest; /* columns of the longest label of a thread */
	uint32_t thread; /* of the cursor; THREAD_NONE without threads */
	bool settled;    /* the user chose it; else it is the first */
	bool sought;     /* its thread was selected while threads were in no groups */

	struct track *rows; /* from top to bottom, on the screen or not */
	size_t row_count, row_room;
	size_t row;         /* of the cursor; its thread is `thread` if it is about one */
	size_t top;         /* first row on the screen */
	struct track on;    /* the row that the cursor is on, or was when it was last there */
	unsigned kinds;     /* 1 << enum track_kind of those that may be there */
	bool cores_open, steps_open; /* the cores below the load of all; their frequencies */
	struct process_fold *folds; /* by process + 1 */
	size_t fold_room;
	uint32_t idle_count; /* processes below one row, if there are several and others */
	bool idle_open;
	bool entered; /* it was shown alone: what is open is the user's */
	struct processes processes;
	struct range stopped; /* calls by depth are not wanted of this window; RANGE_ALL: of none */
	struct track *wanted; /* lent to queries */
	size_t wanted_room;

	int lines, columns; /* of the pane */
	bool legend;        /* wanted, where there is room for it */
	uint32_t highlight; /* this method is bright, others are dim; METHOD_NONE: all are */

	struct engine_timeline *cells; /* owned, may be NULL */
	struct engine_marks *marks;
	struct engine_tracks *tracks;
	bool has_point;
	struct engine_point point; /* what is known of a row at a time */
};

void timeline_pane_init(struct timeline_pane *, const struct trace *, struct names *);
void timeline_pane_release(struct timeline_pane *);

void timeline_pane_set_size(struct timeline_pane *, int lines, int columns);
/* Threads and their order from a new fold. */
void timeline_pane_set_fold(struct timeline_pane *, const struct fold *);
/* Takes from another trace's pane what was opened, pinned, left out and ordered; before a fold. */
void timeline_pane_take(struct timeline_pane *, const struct timeline_pane *before,
    struct identities *, struct identities *of_before);
void timeline_pane_set_order(struct timeline_pane *, enum thread_order);
/* Pins the cursor's thread, or unpins it; returns whether it is pinned now. */
bool timeline_pane_pin(struct timeline_pane *);

/* Move by rows; by rows of threads. */
bool timeline_pane_move(struct timeline_pane *, int64_t by);
bool timeline_pane_move_thread(struct timeline_pane *, int64_t by);
bool timeline_pane_select_thread(struct timeline_pane *, uint32_t thread);
bool timeline_pane_select_row(struct timeline_pane *, size_t row);
/* The row of that track; false when it is not there. */
bool timeline_pane_select_track(struct timeline_pane *, const struct track *);
/* The cursor's; NULL without rows. */
const struct track *timeline_pane_track(const struct timeline_pane *);
/* The thread that ended a sleep, or made a thread runnable, and when; SCHED_NONE: not known. */
uint32_t track_point_waker(const struct track_point *, nsec *at);
/* When what is under the cursor began and ends; false: not known. */
bool timeline_pane_span(const struct timeline_pane *, struct range *);
/*
 * Shows or hides what belongs to the cursor's row: below a thread its states and calls,
 * below a process its threads, below the load the cores, below the last row processes that
 * did nothing.  False when it is so already, or
 * nothing belongs to it.
 */
bool timeline_pane_open(struct timeline_pane *, bool open);
bool timeline_pane_is_open(const struct timeline_pane *);
/* True if any thread is open. */
bool timeline_pane_any_open(const struct timeline_pane *);
/*
 * Goes to the next (1) or previous (-1) row, or the next but this one first (0), that the
 * search finds: a thread by id or name, a process, a counter; and which of them it is.
 */
enum hits_found timeline_pane_search_next(
    struct timeline_pane *, const struct display *, int direction);
void timeline_pane_search_position(
    const struct timeline_pane *, const struct display *, size_t *n, size_t *of);
bool timeline_pane_is_hit(const struct timeline_pane *, const struct display *, size_t row);
/* Which kinds of rows may be there: bits of 1 << enum track_kind. */
void timeline_pane_set_kinds(struct timeline_pane *, unsigned kinds);
/* The thread open, the cursor on its states if it has any, the time cursor there. */
void timeline_pane_go_state(struct timeline_pane *, uint32_t thread, nsec at);
/* The cores open, the cursor on this one, the time cursor there; false without room for it. */
bool timeline_pane_go_core(struct timeline_pane *, uint32_t cpu, nsec at);
/* Moves to the next (1) or previous (-1) change of the cursor's row; false: unknown. */
bool timeline_pane_step(struct timeline_pane *, int direction);
/* The cell of the time cursor; false when there is no room for cells. */
bool timeline_pane_cell(const struct timeline_pane *, struct range *);
/* The end of a range at the cursor: its cell, or just the moment that it was sent to. */
bool timeline_pane_here(const struct timeline_pane *, struct range *);
/* Columns of cells; 0 when there is no room for any. */
int timeline_pane_cells(const struct timeline_pane *);
/* Lines with rows. */
int timeline_pane_rows(const struct timeline_pane *);
/* Columns of the labels; of how busy threads are, on the right, 0: no room. */
int timeline_pane_label_width(const struct timeline_pane *);
int timeline_pane_busy_width(const struct timeline_pane *);
bool timeline_pane_has_legend(const struct timeline_pane *);

/*
 * Asks for cells, and marks or the point under the cursor.  `method`: of the table's
 * cursor, or METHOD_NONE; `focused`: the last line shows the call instead of the marks.
 * The rows of the queries are the timeline's until its next change.
 */
void timeline_pane_ask(struct timeline_pane *, struct asked *, uint32_t method, bool focused);
/* All take over what they are given. */
/* Calls by depth take too long: none for the present window. */
void timeline_pane_stop_calls(struct timeline_pane *);
void timeline_pane_take_cells(struct timeline_pane *, struct engine_timeline *);
void timeline_pane_take_marks(struct timeline_pane *, struct engine_marks *);
void timeline_pane_take_tracks(struct timeline_pane *, struct engine_tracks *);
/* Its content; the caller frees the point. */
void timeline_pane_take_point(struct timeline_pane *, struct engine_point *);
/* True if all rows of the screen are known, so that no new one will move them. */
bool timeline_pane_rows_known(const struct timeline_pane *);
/* True if timeline_pane_step knows all that it goes by. */
bool timeline_pane_step_known(const struct timeline_pane *);
/* True if it is known what is under the cursor. */
bool timeline_pane_point_known(const struct timeline_pane *);
/* The call there; NULL: not known yet, or none. */
const struct call *timeline_pane_call(const struct timeline_pane *);
/* The other content there; NULL: not known yet, nothing, or a call. */
const struct track_point *timeline_pane_point(const struct timeline_pane *);

/* When a frame was to end, told while the figures are of its range. */
struct deadline {
	struct range range;
	nsec at; /* -1: not known */
};

struct timeline_show {
	bool focused;
	const struct fold *fold;   /* colours and calls; may be NULL */
	const struct scope *scope; /* NULL: all */
	uint32_t method;           /* its calls are marked; METHOD_NONE: none */
	struct range window;       /* that the figures are of */
	nsec deadline;             /* of the frame gone to, marked; 0 and less: none */
	bool choosing;             /* a new one is being chosen: */
	struct range chosen;       /* what it would be now */
	const struct display *search; /* cells of its hits are underlined; NULL: none */
	enum elision elision;
};

void timeline_pane_draw(struct canvas *, struct rect, const struct timeline_pane *,
    const struct timeline_show *);

/* False when no cells are known. */
bool timeline_sheet(struct sheet *, const struct timeline_pane *, const struct figures *);
