/*
 * cells: the source of a list (list/list.h), filled in row by row and value by value.
 *
 * For tables that are made anew when their data changed: all rows between cells_begin and
 * cells_end.  A change to another table sets its order and removes the filter.
 *
 * Owns values and texts.
 */
#ifndef SLOWTOP_VIEW_LIST_CELLS_H
#define SLOWTOP_VIEW_LIST_CELLS_H

#include "base/mem.h"
#include "view/list/list.h"

struct cells_row {
	uint64_t identity;
	uint32_t depth; /* how far the last text is indented */
};

struct cells {
	struct list list;
	const struct figures *figures;
	struct value *values; /* by number of the row */
	struct cells_row *rows;
	size_t count, row_room, value_room;
	struct arena arena; /* texts */
};

void cells_init(struct cells *, const struct figures *);
void cells_release(struct cells *);
/* Empties it. */
void cells_begin(struct cells *, const struct list_source *);
/* A row more, its values empty; valid until the next call. */
struct value *cells_add(struct cells *, uint64_t identity);
/* Sets the depth of the last row. */
void cells_depth(struct cells *, uint32_t depth);
/* A copy that lives as long as the rows. */
struct str cells_keep(struct cells *, struct str);
void cells_end(struct cells *);

/* Functions of all such sources. */
struct value cells_get(const void *of, const struct list_row *, int column);
void cells_children(void *of, struct list *, const struct list_row *);
#define CELLS_SOURCE(table, by, none)                                                      \
	{.columns = (table), .sort = (by), .empty = (none), .gutter = 1, .name_least = 16, \
	    .get = cells_get, .children = cells_children}

/* The number of the cursor's row as added; SIZE_MAX without rows. */
size_t cells_cursor(const struct cells *);

#endif
