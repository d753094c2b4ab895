/*
 * treerows: the views of call paths: the call tree, and upside down the callers.
 *
 * A row is a path with its depth, in the order in which a tree is read; children stand
 * below what calls them, largest first unless asked otherwise.  Children under the least
 * share of the total (report.h) are folded: the row counts them and sums their time; those
 * that are nobody's children are in `rest`.
 *
 * Each level of callers costs the paths that are that deep, so those of a recursion as deep
 * as the trace is long would cost the square of it: callers end at a depth that is chosen by
 * that cost, and when there are very many; rows that have more say so.
 */
#ifndef SLOWTOP_REPORT_TEXT_TREEROWS_H
#define SLOWTOP_REPORT_TEXT_TREEROWS_H

#include "profile/callers.h"
#include "profile/paths.h"
#include "report/report.h"

struct tree_row {
	uint32_t path, depth;
	uint32_t folded; /* children left out */
	bool deeper;     /* there are callers, which are not followed */
	nsec folded_time[CLOCKS];
};

struct treerows {
	struct paths *paths;
	struct callers *callers;  /* NULL: the call tree */
	const struct paths *tree; /* what the rows are of: `paths`, or the callers' */
	struct tree_row *rows;
	size_t room;
	struct tree_row rest; /* only what it folds */
	uint32_t deeper;      /* rows whose callers are not followed: */
	uint32_t depth_max;   /* for they are so deep; UINT32_MAX: for there are very many */
	uint64_t callers_max; /* more are not made, lest memory be exhausted */
	nsec outside[CLOCKS]; /* callers: in which no call was open, (toplevel)'s own */
};

/* Fill the report's `tree` and count; false as report_make. */
bool treerows_choose(struct report *, const atomic_bool *cancel, struct err *e);
bool treerows_choose_callers(struct report *, const atomic_bool *cancel, struct err *e);
void treerows_free(struct treerows *);

/* What counts of a path on a clock: with callees, or of callers the topmost's own. */
nsec treerows_time(const struct report *, const struct path *, enum clock_id);

void treerows_text(struct sink *, const struct report *);
void treerows_write(struct sink *, struct json *, const struct report *);

#endif
