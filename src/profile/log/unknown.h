// SPDX-License-Identifier: Apache-2.0
/*
 * unknown: how long it is not known what the threads of a log did: while some core has no
 * data, those of which no state is known then.
 */
#pragma once

#include <stdatomic.h>

#include "profile/sum/range.h"
#include "trace/log.h"

/*
 * Adds that time within the range to `of`, by thread of the trace.  Costs the intervals from
 * the first to the last gap of a core.  False when cancelled (`cancel` may be NULL).
 */
bool unknown_add(const struct log *, const struct range *, nsec *of, uint32_t count,
    const atomic_bool *cancel);
