// SPDX-License-Identifier: Apache-2.0
/*
 * lookup: which line of a trace an id belongs to.
 */
#pragma once

#include "abstract.h"

enum { LOOKUP_NONE = UINT32_MAX };

struct lookup_slot {
	uint64_t key;
	uint32_t value; /* LOOKUP_NONE: free */
};

struct lookup {
	size_t count; /* slots: a power of two */
	struct lookup_slot *slots;
};

/* Of two lines with one id the last is found. */
void lookup_methods(struct lookup *, const struct gen_trace *);
void lookup_threads(struct lookup *, const struct gen_trace *);
uint32_t lookup_find(const struct lookup *, uint64_t key);
void lookup_free(struct lookup *);
