// SPDX-License-Identifier: Apache-2.0
/*
 * renames: prefixes of full names that another build writes differently.
 *
 * A prefix ends where a part of the name does: before or after `.`, `/`, `$` or `(`, or at the end.
 * `.` and `/` are the same.  Of several prefixes of a name the longest holds.  Classes in signatures
 * are renamed, too.
 *
 * The list borrows its texts, and must outlive the traces that it is applied to.  Linear in names and
 * prefixes.
 */
#pragma once

#include "base/err.h"
#include "trace/trace.h"

struct rename_prefix {
	struct str from, to;
	const char *text; /* as it was given */
	bool used;        /* a name has it */
};

/* Zero-initialise, renames_release. */
struct renames {
	struct rename_prefix *list; /* the longest `from` first */
	size_t count, room;
};

/* Adds "OLD=NEW"; false: `why`. */
bool renames_add(struct renames *, const char *text, struct err *why);
void renames_release(struct renames *);
/* Renames the methods of a trace, before its records are read. */
void renames_apply(const struct renames *, struct trace *);
