// SPDX-License-Identifier: Apache-2.0
/*
 * table: tables in JSON, read a column at a time.
 *
 * A table is an object with an array for each column, {"a":[1,2],"b":[3,4]}, or one with the
 * places of columns in its rows, {"schema":{"a":0,"b":1},"data":[[1,3],[2,4]]}, whose rows may end
 * early.  Cells borrow the text.
 */
#pragma once

#include "format/json/scan.h"

struct jcolumn {
	struct jscan j;
	int64_t place; /* in a row; -1: the column is an array */
};

#define CELL_NONE UINT32_MAX

/* An array as a column; of what is none an empty one. */
struct jcolumn jcolumn_of(struct jscan_value array);
/* The column of that name; false when there is none. */
bool jcolumn_open(struct jcolumn *, struct str table, const char *name);
/* Its next cell, `null` where a row ends early; false at the end. */
bool jcolumn_next(struct jcolumn *, struct jscan_value *);
/* All cells as indexes, the caller's to free; CELL_NONE of what is none.  NULL: no such column. */
uint32_t *jcolumn_indexes(struct str table, const char *name, size_t *count);
/* All strings of an array, escaped as they are. */
struct str *jcolumn_texts(struct jscan_value array, size_t *count);
/* A cell as an index. */
uint32_t jcell_index(const struct jscan_value *);
