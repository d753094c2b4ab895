/*
 * filters: which methods are shown: a list of patterns that all must hold.
 *
 * Each pattern includes or excludes by the method's full name (names.h).  A method is
 * matched once and its verdict kept.  Owns its patterns.
 */
#ifndef SLOWTOP_VIEW_FILTERS_H
#define SLOWTOP_VIEW_FILTERS_H

#include <stddef.h>

#include "base/err.h"
#include "view/names.h"

struct pattern;

struct filter {
	struct pattern *pattern;
	struct str text; /* as typed, without `+` and `!` */
	bool exclude;
};

struct filters {
	struct filter *list;
	size_t count, room;
	uint8_t *verdicts; /* by method: 0 unknown, 1 shown, 2 not */
	uint32_t verdict_count;
	size_t verdict_room;
	struct err err; /* a pattern was too costly: all its methods are shown */
};

void filters_init(struct filters *);
void filters_release(struct filters *);

/*
 * What was typed: empty removes all, `+PATTERN` adds one, else the pattern replaces all;
 * `!` (after `+`) excludes.  On a bad pattern false, `e` filled (its offset counts from
 * the start of the line), and the old list stays.
 */
bool filters_set(struct filters *, struct str line, struct err *e);
void filters_remove(struct filters *, size_t index);
/* Replaces `to` by the same list. */
void filters_copy(struct filters *to, const struct filters *from);
bool filters_equal(const struct filters *, const struct filters *);

bool filters_pass(struct filters *, struct names *, uint32_t method);
/* "!^java\. +^com", cleaned, as shown in the title; empty without filters. */
struct str filters_text(const struct filters *, struct names *);

#endif
