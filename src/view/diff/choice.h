// SPDX-License-Identifier: Apache-2.0
/* choice: what was chosen of the browsed trace (B), applied to the other trace (A). */
#pragma once

#include "profile/load/scope.h"
#include "profile/sum/transform.h"
#include "trace/trace.h"

/*
 * A's threads that are called as B's chosen ones are, or, where these have no name, have
 * their ids.  The caller's; NULL: all.
 */
struct scope *diff_scope(const struct scope *, const struct trace *a, const struct trace *b);

/*
 * Translates B's list for methods of A, by their names.  False when a transform has too
 * long names and is not in `to`.
 */
bool diff_transforms(
    struct transforms *to, const struct transforms *from, const struct trace *b);
