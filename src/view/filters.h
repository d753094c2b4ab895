// SPDX-License-Identifier: Apache-2.0
/*
 * filters: which methods are shown: a list of patterns that all must hold.
 *
 * Each pattern includes or excludes by the method's full name (names_raw).  A method is
 * matched once and its verdict kept.  Owns its patterns.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "view/names/names.h"

struct pattern;

struct filter {
	struct pattern *pattern;
	struct str text; /* the expression, without `+` and `!`; owned */
	bool exclude;
	bool off;    /* in the list, but without effect: filters_changed after a change */
	bool costly; /* hit the match limits: counts no more */
};

struct filters {
	struct filter *list;
	size_t count, room;
	uint8_t *verdicts; /* by method: 0 unknown, 1 shown, 2 not */
	size_t verdict_room;
	struct err err; /* says which pattern was too costly and counts no more */
};

void filters_release(struct filters *);

/*
 * Takes a line of the user: `+LINE` adds a filter, LINE replaces all, an empty LINE
 * removes all; `!` before the expression excludes.  On a bad one false, `e` filled (its
 * offset counts from the start of `line`), and the list is as before.
 */
bool filters_set(struct filters *, struct str line, struct err *e);
/* After a filter was switched on or off. */
void filters_changed(struct filters *);
/* True if a filter is on. */
bool filters_active(const struct filters *);
void filters_remove(struct filters *, size_t index);
/* `to` becomes the same list. */
void filters_copy(struct filters *to, const struct filters *from);
bool filters_equal(const struct filters *, const struct filters *);

/*
 * When a pattern proves too costly it counts no more, and `err` is set: answers about
 * other methods are then outdated, and must be asked for again.
 */
bool filters_pass(struct filters *, struct names *, uint32_t method);

/* How many patterns proved too costly. */
size_t filters_costly(const struct filters *);

/* All of them, cleaned: "!^java\. & Adapter"; empty without filters.  As names_clean. */
struct str filters_text(const struct filters *, struct names *);
