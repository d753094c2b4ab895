// SPDX-License-Identifier: Apache-2.0
/* folded: the usual question to a fold, with relations. */
#pragma once

#include "profile/sum/fold.h"

static inline struct fold *
fold_new(const struct profile *p, const struct scope *scope, const struct range *range,
    const atomic_bool *cancel)
{
	return fold_make(p,
	    &(struct fold_query){.scope = scope, .range = range, .relations = true}, cancel);
}
