// SPDX-License-Identifier: Apache-2.0
/*
 * packages: the profile by package or by class, as a list; below each open one its methods.
 *
 * The figures of a package are those of its methods counted as one: what they call of each
 * other is no call into it, and time is in it once.  The filters are about methods: a package is
 * there when one of its own passes.
 *
 * Shares clock, units, filters, search and columns of the display, which it borrows.
 */
#pragma once

#include "view/list/list.h"
#include "view/query/query.h"

struct packages {
	struct list list;
	struct display *display; /* borrowed */
	enum same_by by;     /* SAME_PACKAGE or SAME_CLASS */
	struct engine_groups *groups; /* owned; NULL before the first */
	struct figures figures;       /* of these */
	/* The methods of a group: `first` by group, `next` by method; METHOD_NONE: no more. */
	uint32_t *first, *next;
	struct display_seen seen; /* that the rows were made of */
};

/* Return the group's name, or the method's without one: as shown; in the file's own bytes. */
struct str group_name(const struct figures *, enum same_by, uint32_t method);
struct str group_own(const struct figures *, enum same_by, uint32_t method);

void packages_init(struct packages *, struct display *);
void packages_release(struct packages *);
/* Takes them over. */
void packages_set(struct packages *, struct engine_groups *);
/* After any change of the display. */
void packages_follow(struct packages *);
/* Other groups from now on, when they come. */
void packages_set_by(struct packages *, enum same_by);

/* The method of the cursor's row; METHOD_NONE: it is a group. */
uint32_t packages_method(const struct packages *);
/* Appends the filter that the methods of the cursor's group pass; false on another row. */
bool packages_pattern(const struct packages *, struct sbuf *out);
/* Moves to the row of a method, if its group is open, or to its group. */
bool packages_go(struct packages *, uint32_t method);
