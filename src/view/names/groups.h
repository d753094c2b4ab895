// SPDX-License-Identifier: Apache-2.0
/*
 * groups: packages that belong together, under one name.
 *
 * A group is a name and the packages it is made of; what is below such a package is in
 * the group, too ("com.example" has com.example.feed.Adapter, not com.examples.X).  Of
 * several packages that fit, the longest decides.  Classes are written with dots.
 *
 * Owns its texts; groups_release.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct group {
	char *name;
	char *packages; /* with blanks between */
};

struct groups {
	struct group *list;
	size_t count, room;
};

/* Zero-initialised is none. */
void groups_release(struct groups *);
/* Packages with blanks between; none: the group is gone. */
bool groups_set(struct groups *, struct str name, struct str packages, struct err *);
/*
 * The group of a class, NULL when it is in none.  `prefix` (may be NULL) gets the length
 * of the package that put it there.
 */
const struct group *groups_find(const struct groups *, struct str class_name, size_t *prefix);
/*
 * The key of the class's package: its group's name, else its package, else the class.
 * Two classes have equal keys if and only if they belong together.
 */
struct str groups_key(const struct groups *, struct str class_name);
