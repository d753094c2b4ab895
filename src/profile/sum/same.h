// SPDX-License-Identifier: Apache-2.0
/*
 * same: methods counted as one: those of a class, of a package, of one bare name, or of a log
 * of one folded name (folded.h).
 *
 * A method without a class (or a name), one that the file does not name, and (toplevel)
 * are in no group and stay alone.  Names are compared in the file's own bytes.  Borrows
 * nothing; owns its array.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "trace/trace.h"

enum same_by { SAME_METHOD, SAME_CLASS, SAME_PACKAGE, SAME_NAME };

struct same {
	enum same_by by;
	uint32_t count; /* methods, (toplevel) included */
	uint32_t *as; /* by method: the method that represents its group, as fold.h takes it */
};

/* O(n log n) in the methods that the trace has now. */
void same_make(struct same *, const struct trace *, enum same_by);
/* By names folded so (trace_names_fold). */
void same_folded(struct same *, struct trace *, unsigned folding);
void same_release(struct same *);

/*
 * Finds the group's name in the file, borrowed; empty for classes outside of any package.  False
 * when the method is in no group.
 */
bool same_key(const struct trace *, enum same_by, uint32_t method, struct str *key);
/* The package of a class name: what is before its last dot or slash. */
struct str same_package(struct str class_name);
