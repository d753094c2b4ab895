// SPDX-License-Identifier: Apache-2.0
/*
 * where: conditions on the figures of a list's rows, as users write them: "calls=1 max>16ms".
 *
 * A condition is the word of a column that the list can be sorted by, one of = < > <= >=, and a
 * figure: times have a unit (ns us ms s), percentages end in %, texts stand alone or between
 * double quotes and have only =, which compares all of them.  Blanks are between conditions,
 * which must all hold.  Calls are those that recur, too.  Figures are compared as they are, not as
 * they are rounded on the screen.  What has no figure meets no condition on it.
 *
 * Each kind of list (its source) has its own conditions.  They are of the rows of the top, in trees
 * of all: below a row that does not meet them nothing is shown.  Owns the texts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trace/event.h"

struct list;
struct list_row;
struct list_source;

struct where_term {
	int column;
	unsigned orders; /* that meet it: a set of enum where_order */
	nsec time;       /* of a column of times, */
	long double number; /* of other figures, */
	struct str text;    /* and of texts */
};

struct where {
	const struct list_source *source;
	unsigned id; /* other conditions have another one; never 0 */
	char *text;  /* the user's */
	struct where_term *terms;
	size_t count, room;
};

struct wheres {
	struct where *list;
	size_t count, room;
	unsigned last_id;
};

/*
 * Lists of the same kind show only rows that meet the conditions, from the next time that they are
 * arranged or laid out; empty: all rows.  False, with nothing changed, when the list has no such
 * column, or the figure is none of its kind; `e` has the offset.
 */
bool wheres_set(struct wheres *, const struct list *, struct str text, struct err *e);
/* The conditions of that kind; NULL: none. */
const struct where *wheres_of(const struct wheres *, const struct list_source *);
bool where_holds(const struct where *, const struct list *, const struct list_row *);
void wheres_copy(struct wheres *to, const struct wheres *from);
bool wheres_equal(const struct wheres *, const struct wheres *);
void wheres_release(struct wheres *);
