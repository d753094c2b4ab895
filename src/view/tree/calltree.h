// SPDX-License-Identifier: Apache-2.0
/*
 * calltree: the call tree, or the callers upside down, as a list to walk in.
 *
 * Rows are the paths that can be seen: those of expanded ones.  What would only cost rows
 * is put together: an unbranched chain of calls, each made as often as the one above, is
 * one row with the time of all in its exclusive column, named after the one that has most of
 * it; and
 * small children, under half a percent of their thread each, are one row with their sum.
 * Each can be taken apart.  Filters leave the methods that pass and what leads to them;
 * in callers they are about the topmost methods only, and the first row is all that are left as
 * one, with the nearest callers outside of these.
 *
 * While two traces are compared, rows are the paths of both, as heavy as both together, and columns have
 * the difference.
 *
 * Shares clock, units, columns, filters and search of the display, which it borrows as
 * it borrows paths and callers.  Opening and closing cost the rows that are there, filters
 * and search the paths.
 *
 * Functions that return bool say whether they changed anything.
 */
#pragma once

#include "profile/sum/callers.h"
#include "view/diff/pathpair.h"
#include "view/diff/pathstep.h"
#include "view/display.h"
#include "view/list/list.h"
#include "view/selection.h"

enum tree_base { TREE_OF_ALL, TREE_OF_PARENT };

/* `b` of a row's id; its `a` is the identity of a path. */
enum tree_id {
	TREE_PATH,  /* the last path of a chain; open: its children are rows */
	TREE_SMALL, /* the path's small children as one; open: each is one */
};

extern const struct list_source tree_source, callers_source;

struct tree_at {
	uint64_t id; /* the identity of: */
	uint32_t path;
};

struct calltree {
	/* Items: the first path of a chain, how many small ones; `of`: the path. */
	struct list list;
	struct ids apart; /* chains that begin with these paths are no rows */
	uint64_t alone;   /* the path that was gone to: in no chain; 0: there is none */
	struct display *display; /* for what is shared */
	const struct paths *paths; /* NULL before the first */
	const struct pathpair *pair; /* has the paths, of two traces that are compared; else NULL */
	enum pathstep_hue hue;     /* of marks and colours of what is compared */
	struct callers *callers;   /* NULL: callees are below their callers */
	struct callers *given, *matching; /* of all; of those that filters leave, owned, or NULL */
	enum tree_base base;
	nsec total[CLOCKS];
	uint32_t *root; /* by path: what small is measured by; NULL of callers: the total */
	uint64_t most_calls;
	const char *none;     /* said when the figures are of no call; NULL: not known yet */
	const char *no_match; /* keys, for when filters leave nothing */

	/* calltree_hits.c */
	uint8_t *shown; /* by path: passes the filters or leads there; NULL: all do */
	uint32_t *hits; /* by path: hits of the search at and below it; NULL: none */
	uint32_t hit;            /* the path found last, on its row alone or in a chain */

	struct display_seen seen; /* of the display, as followed */

	const struct path **sorted; /* scratch: children, and their ids */
	uint32_t *ids, *way;        /* way, steps: up from a path */
	struct identity_step *steps;
	size_t sorted_room, id_room, way_room, step_room;
};

/* `callers`: for the tree upside down, sorted by exclusive time. */
void calltree_init(struct calltree *, struct display *, bool callers);
void calltree_release(struct calltree *);
/*
 * Sets other paths, or those of more of the trace: open rows stay open, the cursor stays
 * on its path or what is left of it.  Call before the present ones are freed.  `callers`
 * as in calltree_init.  `pair`: the paths are its, of two traces, on a clock that both have; or NULL.
 */
void calltree_set(struct calltree *, const struct paths *, struct callers *,
    const struct pathpair *pair);
/* Goes along with what changed of the display: clock, filters, search. */
void calltree_follow(struct calltree *);

/* For files: the rows as they are open on the screen, of two traces that are compared. */
void calltree_sheet(struct sheet *, const struct calltree *);

/* The tree that the ids are of. */
const struct paths *calltree_paths(const struct calltree *);
/* The method of the cursor's row, METHOD_NONE for roots and folded ones. */
uint32_t calltree_method(const struct calltree *);

/* At the cursor, like list_open and list_close, but chains are split first. */
bool calltree_open(struct calltree *);
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
struct heaviest {
	bool whole; /* that is the end, not only as far as the cost goes */
	uint32_t passed; /* the heaviest idle child beside the way; PATH_NONE */
	bool idle; /* the way ends in idle calls */
};

/*
 * Along children that have half of the time, busy ones first; the cursor goes to the last, which is
 * opened: what there is of it is seen.
 */
bool calltree_heaviest(struct calltree *, struct heaviest *);

/* Opens what is above the path and puts the cursor there. */
void calltree_go(struct calltree *, uint32_t path);
/* True if the path is in the tree of that thread alone. */
bool calltree_is_of(const struct calltree *, uint32_t path, uint32_t thread);
/* Moves to the selection; callers: to the topmost method. */
void calltree_select(struct calltree *, const struct selection *);
void calltree_selected(const struct calltree *, struct selection *);
/* Selects the path; of two traces that are compared the nearest above it that B has. */
void tree_select_path(const struct calltree *, uint32_t path, struct selection *);

/* For calltree's files and the flame graph. */

static inline struct list_id
tree_id(uint64_t path, enum tree_id kind)
{
	return (struct list_id){path, kind};
}

/* True if the path is the one of all methods that match. */
static inline bool
tree_is_set(const struct calltree *t, uint32_t path)
{
	return t->matching != NULL && path == 0;
}

static inline bool
tree_is_folded(const struct list_row *row)
{
	return row->id.b == TREE_SMALL;
}

static inline uint32_t
tree_path(const struct list_row *row)
{
	return row->of;
}

/* The first path of the row's chain; not for folded rows. */
static inline uint32_t
tree_head(const struct list_row *row)
{
	return row->item;
}

/* Returns the clock of the column that rows are ordered by. */
enum clock_id tree_clock(const struct calltree *);
/* Returns the weight that decides which paths are small, and which is the heaviest. */
nsec tree_weight(const struct calltree *, uint32_t path);
/* Returns the last path of the row that begins with that one, and its identity in place of that one's. */
uint32_t tree_chain_end(struct calltree *, uint32_t head, uint64_t *id);
/* True if the row is nearly all idle time. */
bool tree_is_idle(const struct calltree *, const struct list_row *);
/* True if the path is one of the small ones that are put together below their parent. */
bool tree_is_small(const struct calltree *, uint32_t path);

/* The identity of a path, by that of the path above it; 0 of roots.  tree_keep: it becomes a row. */
uint64_t tree_below(const struct calltree *, uint64_t above, uint32_t path);
uint64_t tree_keep(struct calltree *, uint64_t above, uint32_t path);
/* Costs the depth, and is kept; 0 of PATH_NONE. */
uint64_t tree_identity(struct calltree *, uint32_t path);
/* Finds the identity; `reveal`: opens the paths above.  Returns whether any of them was closed. */
bool tree_go_down(struct calltree *, uint32_t path, bool reveal, uint64_t *identity);
/* Returns the figures of a path that is compared (PATH_NONE: of all) on the clock that is shown. */
static inline const struct pathjoin_figures *
tree_sides(const struct calltree *t, uint32_t path)
{
	return pathpair_of(t->pair, path, t->display->figures.clock);
}

/* Returns the mark of a path that is compared. */
const char *tree_mark(const struct calltree *, const struct pathjoin_figures *);
/* Returns the colour of its change: a role, ROLE_DIM of what is the same. */
look tree_change_look(const struct calltree *, const struct pathjoin_figures *);
/* From a row's last path to the first of its chain; false after that. */
bool tree_chain_up(const struct calltree *, const struct list_row *, struct tree_at *);
/* A chain may end in the next paths: rows below it are to stay open all the same. */
void tree_open_chains(struct calltree *);
/*
 * The path, or the nearest frame above it that there is now; PATH_NONE: not even its thread, or it
 * was never a row.  Costs the siblings on the way.
 */
uint32_t tree_nearest(struct calltree *, uint64_t identity);
/* The cursor to its path, or that frame; false when there is none. */
bool tree_find_wanted(struct calltree *);
/* In the order of the rows, whether shown or not; valid until the next call. */
const uint32_t *tree_children(struct calltree *, uint32_t path, uint32_t *count);
/* The path that the row is named after: of a chain the one with most of its own time. */
uint32_t tree_main(const struct calltree *, const struct list_row *);
/* True if the row has the path, alone or in a chain. */
bool tree_row_has(const struct calltree *, const struct list_row *, uint32_t path);
/* The time of the folded row below that path. */
nsec tree_small_sum(const struct calltree *, uint32_t path);
/* A column's value in a row; figures of a chain are those of all of it. */
struct value tree_value(const void *tree, const struct list_row *, int column);

/* After a change of the filters, or of the paths; the second alone after one of the search. */
void tree_refilter(struct calltree *);
void tree_research(struct calltree *);
/* True if the filters leave the path. */
bool tree_shown(const struct calltree *, uint32_t path);
bool tree_is_hit(const struct calltree *, uint32_t path);

/*
 * For struct list_source.  Hits with callees below callers: in the order of the rows, inside
 * closed ones, too.
 */
enum hits_found tree_next_hit(void *tree, int direction, struct list_id *);
void tree_count_hits(void *tree, size_t *n, size_t *of);
bool tree_draw_name(const void *tree, struct canvas *, struct rect, const struct list_row *,
    int column);
void tree_draw_empty(const void *tree, struct canvas *, struct rect);
void tree_put_name(const void *tree, const struct list_row *, bool raw, struct sbuf *out);

enum { ROOT_LABEL = 512 };
/* "[1 main]", or "[12 threads]" of a tree that is of all of them; PATH_NONE: of all roots. */
struct str tree_root_label(const struct calltree *, uint32_t path, int width,
    char out[static ROOT_LABEL]);
