/*
 * timeline_pane: the timeline as a model and its drawing: threads, window, time cursor.
 *
 * Cells, marks and the call under the cursor come from the engine: timeline_pane_want
 * says which are needed, timeline_pane_take_* hand them in.  What came for another
 * window than the one shown is kept but not drawn.
 *
 * Lines: axis, threads, one last line: marks of the table's method, or with the
 * timeline focused the call under the time cursor.
 */
#ifndef SLOWTOP_VIEW_TIMELINE_PANE_H
#define SLOWTOP_VIEW_TIMELINE_PANE_H

#include "profile/fold.h"
#include "view/axis.h"
#include "view/canvas.h"
#include "view/engine.h"
#include "view/names.h"
#include "view/rect.h"

enum thread_order {
	ORDER_COVERAGE, /* time with a call open */
	ORDER_CPU,      /* CPU time, where the trace has it */
	ORDER_NAME,
	ORDER_ID,
	THREAD_ORDERS
};

extern const char *const thread_order_names[THREAD_ORDERS]; /* words for a picker */

struct thread_facts {
	uint64_t records;
	nsec covered, cpu;
	bool pinned;
};

struct timeline_pane {
	const struct trace *trace;
	struct names *names;
	struct axis axis;

	enum thread_order by;
	uint32_t *threads; /* those with events, in order: main, pinned, others */
	size_t thread_count, thread_room;
	struct thread_facts *facts; /* by thread, of the newest fold */
	size_t fact_count, fact_room;
	uint32_t thread; /* of the cursor; THREAD_NONE without threads */
	bool settled;    /* the user chose it; else it is the first */
	size_t top;      /* first thread on the screen */

	int lines, columns; /* of the pane */

	struct engine_timeline *cells; /* owned, may be NULL */
	struct engine_marks *marks;
	bool has_call;
	uint32_t call_thread;
	nsec call_at;
	struct call call;
};

void timeline_pane_init(struct timeline_pane *, const struct trace *, struct names *);
void timeline_pane_release(struct timeline_pane *);

void timeline_pane_set_size(struct timeline_pane *, int lines, int columns);
void timeline_pane_set_span(struct timeline_pane *, nsec begin, nsec end);
/* Threads and their order from a new fold. */
void timeline_pane_set_fold(struct timeline_pane *, const struct fold *);
void timeline_pane_set_order(struct timeline_pane *, enum thread_order);
/* Of the cursor's thread; returns whether it is pinned now. */
bool timeline_pane_pin(struct timeline_pane *);

bool timeline_pane_move_thread(struct timeline_pane *, int64_t by);
bool timeline_pane_select_thread(struct timeline_pane *, uint32_t thread);
/* By one cell, or more; pans at the edges. */
bool timeline_pane_move_cells(struct timeline_pane *, int64_t by);
/* The cell of the time cursor; false when there is no room for cells. */
bool timeline_pane_cell(const struct timeline_pane *, struct range *);
/* Columns of cells; 0 when there is no room for any. */
int timeline_pane_cells(const struct timeline_pane *);
/* Lines with threads. */
int timeline_pane_rows(const struct timeline_pane *);
/* Columns of the labels, and of the id in them. */
int timeline_pane_label_width(const struct timeline_pane *);
int timeline_pane_id_width(const struct timeline_pane *);

/*
 * Fills the timeline, marks and call parts.  `method`: of the table's cursor, or
 * METHOD_NONE; `focused`: the last line shows the call instead of the marks.
 * `threads` of the want borrows from the timeline until its next change.
 */
void timeline_pane_want(
    const struct timeline_pane *, struct engine_want *, uint32_t method, bool focused);
/* All take over what they are given. */
void timeline_pane_take_cells(struct timeline_pane *, struct engine_timeline *);
void timeline_pane_take_marks(struct timeline_pane *, struct engine_marks *);
void timeline_pane_take_call(
    struct timeline_pane *, uint32_t thread, nsec at, const struct call *);
/* Whether it is known what is under the cursor. */
bool timeline_pane_call_known(const struct timeline_pane *);
/* The call there; NULL: not known yet, or none. */
const struct call *timeline_pane_call(const struct timeline_pane *);

struct table;

struct timeline_show {
	bool focused;
	const struct fold *fold;   /* colours and calls; may be NULL */
	const struct scope *scope; /* NULL: all */
	uint32_t method;           /* whose calls are marked; METHOD_NONE */
	struct range window;       /* that the figures are of */
	bool choosing;             /* a new one is being chosen: */
	struct range chosen;       /* what it would be now */
	const struct table *search; /* cells of its hits are underlined; NULL: none */
	enum elision elision;
};

void timeline_pane_draw(struct canvas *, struct rect, const struct timeline_pane *,
    const struct timeline_show *);

#endif
