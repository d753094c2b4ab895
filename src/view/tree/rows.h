// SPDX-License-Identifier: Apache-2.0
/*
 * rows: a call tree, or its callers, as rows for files: what `report` prints and `:write` writes.
 *
 * A row is a path with its depth, in the order in which a tree is read; children are below their
 * caller, largest first unless asked otherwise.  Children under the least share of the total are
 * folded: the row counts them and sums their time; folded roots are in `rest`.
 *
 * Each level of callers costs the paths of that depth, so a recursion as deep as the trace is long
 * would cost the square of its length.  Callers therefore end at a depth that is chosen by that
 * cost, and at a number; rows with more callers say so.
 */
#pragma once

#include <stdatomic.h>

#include "profile/sum/callers.h"
#include "view/sheet.h"

struct calltree;

enum { TREE_PERCENT_UNIT = 1000, TREE_MIN_PERCENT = 500 };

struct tree_rows_ask {
	const struct paths *paths;     /* borrowed */
	const struct figures *figures; /* of the fold, whose total shares are of */
	bool callers;
	const uint8_t *hidden; /* by method: it passes no filter; NULL: all do */
	unsigned min_percent;  /* in TREE_PERCENT_UNITths */
	enum column_id sort;
	bool reverse;
};

struct tree_row {
	uint32_t path, depth;
	uint32_t folded; /* children left out */
	bool deeper;     /* there are callers, which are not followed */
	nsec folded_time[CLOCKS];
};

struct tree_rows {
	struct tree_rows_ask ask;
	struct figures figures;
	struct callers *callers;  /* NULL: the call tree */
	const struct paths *tree; /* what the rows are of: the paths, or the callers' */
	struct tree_row *rows;
	size_t room;
	uint32_t count;
	struct tree_row rest; /* only what it folds */
	uint32_t deeper;      /* rows with callers that are not followed, */
	uint32_t depth_max;   /* because they are so deep; UINT32_MAX: because they are so many */
	uint64_t callers_max; /* a limit that bounds memory */
	nsec outside[CLOCKS]; /* callers: in which no call was open, (toplevel)'s own */
};

/* False when cancelled.  Release in both cases. */
bool tree_rows_make(struct tree_rows *, const struct tree_rows_ask *, const atomic_bool *cancel);
void tree_rows_release(struct tree_rows *);
const struct path *tree_rows_path(const struct tree_rows *, const struct tree_row *);
/* THREAD_NONE for paths that are no thread's root. */
uint32_t tree_rows_thread(const struct tree_rows *, const struct tree_row *);
struct value tree_rows_value(const struct tree_rows *, enum column_id, const struct tree_row *);

/* For files; borrows the rows, of which it has the first `count`. */
void tree_rows_sheet(struct sheet *, const struct tree_rows *, uint32_t count);
/* Makes a sheet of what a screen shows, with rows of its own; sheet_release. */
void tree_rows_of(struct sheet *, struct calltree *);
