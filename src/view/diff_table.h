/*
 * diff_table: two traces compared as lists of methods to walk in: those that got slower,
 * faster, that are in one of them only, and those that did not change.
 *
 * B is the trace that is browsed: clock, filters, search and how names are shown are those
 * of its table.  Lists are made anew when folds, clock, value or filters have changed
 * (diff_table_follow); each has its own cursor, which stays on its method.
 *
 * Functions that return bool say whether they changed anything.  Nothing here draws.
 */
#ifndef SLOWTOP_VIEW_DIFF_TABLE_H
#define SLOWTOP_VIEW_DIFF_TABLE_H

#include "view/diff_columns.h"
#include "view/scroll.h"
#include "view/table.h"

struct diff_list {
	uint32_t *rows; /* of the diff, those that pass the filters */
	size_t room;
	struct scroll at;
	uint64_t wish; /* identity of the cursor's row */
	bool settled;  /* `wish` counts */
	bool sorted;
	bool measured; /* `width` is known of the columns that can be seen */
	int width[DIFF_COLUMNS];
};

struct diff_table {
	struct table *table;       /* of B; borrowed */
	const struct trace *trace; /* A; borrowed, NULL: there is no comparison */
	struct names *names;       /* of A; owned */
	struct filters filters;    /* of the table, with verdicts on A's names */
	struct fold *fold;         /* of A; owned, NULL before the first */
	unsigned fold_a, fold_b;   /* serial numbers of the folds */

	struct diff_names pairs;
	struct diff diff; /* of the folds that are known; empty until both are */
	bool made;
	struct diff_by by;
	bool min_given; /* else by.min is diff_min_default */
	bool lacks; /* the clock of B's table is not in both: by.clock is another, or none is */

	struct diff_list lists[DIFF_CHANGES];
	enum diff_change now;
	enum diff_column sort;
	bool rising;
	enum column_shown shown[DIFF_COLUMNS];
	int columns; /* of the screen */

	/* What the lists were made of. */
	struct {
		unsigned fold_a, fold_b, filters;
		struct diff_by by;
		bool auto_units;
	} of;
};

void diff_table_init(struct diff_table *, struct table *);
void diff_table_release(struct diff_table *);

/* Compares with this trace from now on; NULL: with none. */
void diff_table_begin(struct diff_table *, const struct trace *, bool utf8);
/* A's newest fold, taken over. */
void diff_table_set_fold(struct diff_table *, struct fold *);
/*
 * After any change: of B's fold, which has the serial number `fold_b`, of its table, or of
 * this one.  Some 10 ms for 30 000 methods when something changed.
 */
void diff_table_follow(struct diff_table *, unsigned fold_b);

/* Is there something to be seen?  No: folds are still missing, or there is no clock. */
bool diff_table_known(const struct diff_table *);

static inline const struct diff_list *
diff_table_list(const struct diff_table *t)
{
	return &t->lists[t->now];
}

/* The cursor's row; NULL without one. */
const struct diff_row *diff_table_row(const struct diff_table *);
/* Which method of B it is; METHOD_NONE without one. */
uint32_t diff_table_method(const struct diff_table *);
/* The list that has this method of B, and in it its row; false when there is none. */
bool diff_table_go(struct diff_table *, uint32_t method);
/* Rows of a list, columns of the screen. */
void diff_table_set_size(struct diff_table *, size_t rows, int columns);
bool diff_table_move(struct diff_table *, int64_t rows);
bool diff_table_centre(struct diff_table *);
/* The list to the right (1) or left (-1), around. */
void diff_table_step(struct diff_table *, int direction);
void diff_table_sort(struct diff_table *, enum diff_column, bool rising);
void diff_table_show(struct diff_table *, enum diff_column, enum column_shown);
bool diff_table_visible(const struct diff_table *, enum diff_column, int columns);

/* The full name of a row's method, B's before A's: raw, or cleaned. */
struct str diff_table_raw(const struct diff_table *, const struct diff_row *);
struct str diff_table_name(const struct diff_table *, const struct diff_row *);
/* Whose name that is. */
struct names *diff_table_names(const struct diff_table *, const struct diff_row *, uint32_t *method);

/* Search for what B's table searches; as in table.h. */
bool diff_table_is_hit(const struct diff_table *, size_t row);
enum table_found diff_table_search_next(struct diff_table *, int direction);
void diff_table_search_position(const struct diff_table *, size_t *n, size_t *of);

#endif
