// SPDX-License-Identifier: Apache-2.0
/*
 * methods: the profile as a list: methods, and below each open one its parents and
 * children.
 *
 * Rows are those of the display's fold that its filters let through. (toplevel) is first in
 * every order.  Rows of relations ignore filters and have an order of their own: parents,
 * self, children, then those while the method was recursive.
 *
 * Functions that return bool say whether they changed anything.
 */
#pragma once

#include "profile/sum/same.h"
#include "view/list/list.h"
#include "view/display.h"

/* Kind and methods of a row, as in struct row. */
struct method_row {
	enum row_kind kind;
	uint32_t method, of;
};

extern const struct list_source methods_source;

struct methods {
	struct list list;
	struct display *display; /* borrowed */
	uint32_t guest; /* shown whatever the filters say; METHOD_NONE */

	/* Why there may be no row. */
	bool loading;         /* more may come: no row is no verdict yet */
	const char *none;     /* what is said when the figures are of no call */
	const char *no_match; /* what helps when a filter hides all: "& edit, u undo" */

	struct display_seen seen; /* that the rows were made of */
	bool begins;              /* one will come that is not the user's choice: its first row is next */
};

/*
 * One list of the relations of `of`, a method or a group of them, by inclusive time descending,
 * then name.  A new array (mem_free).
 */
struct row *relation_rows(const struct figures *, enum same_by, uint32_t of, enum row_kind,
    uint32_t *count);

void methods_init(struct methods *, struct display *);
void methods_release(struct methods *);
/*
 * After any change of the display: at once when its fold is another.  Until the user has moved
 * or changed anything, the cursor is on the first method.
 */
void methods_follow(struct methods *);

struct list_id methods_id(const struct methods *, uint32_t method);
struct method_row methods_what(const struct methods *, const struct list_row *);
/* The cursor's row; false without one. */
bool methods_row(const struct methods *, struct row *);
/* The method that it is about; METHOD_NONE without one. */
uint32_t methods_method(const struct methods *);
/* Methods that the filters let through, (toplevel) not counted. */
uint32_t methods_shown(const struct methods *);

/*
 * Collapses all, expands `method` and puts the cursor on it, as high on the screen as
 * the margin allows; false when it has no row in this scope.  The method is shown
 * whatever the filters say.
 */
bool methods_go(struct methods *, uint32_t method);
/* Selects without expanding or collapsing. */
bool methods_select(struct methods *, uint32_t method);

enum { NAME_END = 2 };
/* The name, half a width to its start (-1) or end (1), to the end; 0: back to the fitted name. */
bool methods_scroll_name(struct methods *, int how, int columns);

/* Sums over the marked methods that are there; how many these are. */
uint32_t methods_marks(const struct methods *, nsec *inclusive, nsec *exclusive);
