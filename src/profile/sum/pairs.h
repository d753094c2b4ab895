// SPDX-License-Identifier: Apache-2.0
/*
 * pairs: which methods of two traces have the same name, and which differ in no more than what
 * a compiler made up.
 *
 * Names are the same when class, name and signature are (`/` and `.` between the parts of a
 * class are the same), and both or neither are asynchronous slices; what a file does not name
 * has its id for a name.  Names that differ only in what was made up are a family.
 */
#pragma once

#include "trace/trace.h"

enum { DIFF_A, DIFF_B, DIFF_SIDES };

/* Methods of two traces by their names.  Zero-initialise. */
struct diff_names {
	const struct trace *trace[DIFF_SIDES]; /* NULL: not made yet */
	uint32_t known[DIFF_SIDES], renamed[DIFF_SIDES];
	uint32_t count; /* different names */
	/* Methods by name: those of name k are methods[first[k]] up to methods[first[k + 1]]. */
	uint32_t *first[DIFF_SIDES], *methods[DIFF_SIDES];
	/* Names by family: those of f are family_keys[family[f].first] up to the next one's. */
	struct diff_family *family; /* one more than there are */
	uint32_t families;
	uint32_t *family_keys; /* in the order of their numbers */
};

struct diff_family {
	uint32_t first;
	bool hashed; /* the order means nothing */
};

/*
 * Makes it for these traces, or again when they have other names than before.  Cost:
 * some 0.2 us a method, when it is made; memory while it is, the bytes of the names.
 */
void diff_names_update(struct diff_names *, const struct trace *a, const struct trace *b);
void diff_names_release(struct diff_names *);
