/*
 * calltree: the call tree, or the callers upside down, as rows to walk in.
 *
 * Rows are the paths that can be seen: those of expanded ones.  What would only cost rows
 * is put together: an unbranched chain of calls, each made as often as the one above, is
 * one row that shows the last of them, with the time of all in its exclusive column; and
 * small children, under half a percent of the whole each, are one row with their sum.
 * Each can be taken apart.  Filters leave the methods that pass and what leads to them;
 * in callers they are about the topmost methods only.
 *
 * Shares clock, units, filters and search of the profile table, which it borrows as it
 * borrows paths and callers.  Opening and closing costs the rows that come and go (and
 * the place in the list), filters and search the paths.  Nothing here draws, and
 * drawing (calltree_pane.h) changes nothing.
 *
 * Functions that return bool say whether they changed anything.
 */
#ifndef SLOWTOP_VIEW_CALLTREE_H
#define SLOWTOP_VIEW_CALLTREE_H

#include "profile/callers.h"
#include "view/scroll.h"
#include "view/selection.h"
#include "view/table.h"

enum tree_base { TREE_OF_ALL, TREE_OF_PARENT };

struct tree_row {
	uint32_t path;   /* the last of a chain; of folded ones: whose children they are */
	uint32_t head;   /* the first of a chain; `path` for others */
	uint32_t depth;  /* rows above it that it is below; roots 0 */
	uint32_t folded; /* this row is so many small children; 0: it is a path */
	nsec folded_sum; /* of the time that the rows are in percent of */
};

/* What of a path is needed to pass something on to what leads there. */
struct tree_link {
	uint32_t method, parent;
};

struct calltree {
	struct table *table; /* for what is shared */
	const struct paths *paths; /* NULL before the first */
	struct callers *callers;   /* NULL: the tree stands upright */
	enum column_id sort;
	bool ascending;
	enum tree_base base;
	nsec total[CLOCKS];
	uint64_t most_calls;

	struct tree_row *rows;
	size_t row_room;
	struct scroll at;   /* cursor and screen */
	uint8_t *flags;     /* by path: TREE_* */
	size_t flag_room;
	uint8_t *shown;     /* by path: passes the filters or leads there; NULL: all do */
	uint32_t *hits;     /* by path: hits of the search at and below it; NULL: none */
	struct tree_link *links; /* by path, for what goes through all; NULL: not made yet */
	uint32_t hit;       /* the path found last, on its row alone or in a chain */
	bool settled;       /* the user moved or changed something */
	unsigned filter_changes, search_changes; /* of the table that were followed */
	enum clock_id clock;                     /* of the table, as followed */
	struct tree_work *work; /* scratch of calltree-rows.c */
};

enum { TREE_OPEN = 1, TREE_APART = 2, TREE_WHOLE = 4 };

/* `callers`: for the tree upside down, sorted by exclusive time. */
void calltree_init(struct calltree *, struct table *, bool callers);
void calltree_release(struct calltree *);
/*
 * Other paths, or the same of more of the trace: what was open stays open, the cursor on
 * its path or what is left of it.  Call before those at hand are freed.  `callers` as
 * in calltree_init.
 */
void calltree_set(struct calltree *, const struct paths *, struct callers *);
/* Goes along with what changed of the table: clock, filters, search. */
void calltree_follow(struct calltree *);
void calltree_set_height(struct calltree *, size_t rows);
void calltree_sort(struct calltree *, enum column_id, bool ascending);

/* The tree that the ids are of. */
const struct paths *calltree_paths(const struct calltree *);
/* NULL when there is none. */
const struct tree_row *calltree_row(const struct calltree *);
/* The method of the cursor's row, METHOD_NONE for roots and folded ones. */
uint32_t calltree_method(const struct calltree *);
bool calltree_is_open(const struct calltree *, const struct tree_row *);
/* Has it children to show? */
bool calltree_has_children(const struct calltree *, const struct tree_row *);

/* At the cursor.  Opening takes a chain apart, and shows what was folded. */
bool calltree_open(struct calltree *);
/* The same, but chains stay. */
bool calltree_expand(struct calltree *);
bool calltree_close(struct calltree *);
/*
 * Callers are made one level after the other, each for all paths that are so deep: of a
 * recursion that is the square of its depth.  What a key does at once is bounded by this
 * many paths, some 20 ns each.
 */
enum { CALLTREE_COST_MOST = 4 << 20 };

/* How many rows calltree_open_all would make, counted up to `most`. */
size_t calltree_below(const struct calltree *, size_t most);
/* Everything below the cursor, up to `most` rows; false when that or the cost was not enough. */
bool calltree_open_all(struct calltree *, size_t most);
/*
 * Along the child with the most time, to the end; the cursor goes there.  `whole`: that is
 * the end, not only as far as the cost goes.
 */
bool calltree_heaviest(struct calltree *, bool *whole);
bool calltree_to_parent(struct calltree *);
bool calltree_to_child(struct calltree *);
bool calltree_to_sibling(struct calltree *, int direction);

/* Opens what is above the path and puts the cursor there. */
void calltree_go(struct calltree *, uint32_t path);
/* To what is selected; callers: to the topmost method. */
void calltree_select(struct calltree *, const struct selection *);
void calltree_selected(const struct calltree *, struct selection *);

/*
 * Next (1), previous (-1) hit of the search in the order of the rows, in what is closed,
 * too; 0: from the cursor's own row on.  In callers: of what is there.
 */
enum table_found calltree_search_next(struct calltree *, int direction);
/* Which of the hits was found last (0: the cursor left it), and how many there are. */
void calltree_search_position(struct calltree *, size_t *n, size_t *of);

#endif
