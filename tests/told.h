// SPDX-License-Identifier: Apache-2.0
/*
 * told: the figures of a profile as lines of text, in an order of their own, so that profiles
 * whose rows and nodes have other numbers can be compared.
 */
#pragma once

#include "profile/sum/fold.h"

enum { TOLD_LINE = 400 };

struct told {
	char (*line)[TOLD_LINE];
	size_t count, room;
	char damage[TOLD_LINE];
};

/* What a trace has in every format. */
struct told tell(const struct profile *);
/* All that is known. */
struct told tell_relations(const struct profile *, const struct range *);
/* Says the first line that differs. */
bool told_same(const struct told *, const struct told *);
void told_free(struct told *);
