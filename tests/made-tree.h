// SPDX-License-Identifier: Apache-2.0
/*
 * made-tree: trees of call paths made by chance, with a trace that names their methods.
 *
 * No path is deeper than plain-transform.h takes.  The same on every machine.
 */
#pragma once

#include "profile/load/scope.h"
#include "profile/sum/tree.h"
#include "trace/trace.h"

enum { MADE_THREADS = 3, MADE_METHODS = 14 };

struct made {
	struct trace *trace;
	struct tree tree;
	uint32_t roots[MADE_THREADS], open[MADE_THREADS];
	struct scope *scope;
};

/* A number below `n`, by chance. */
uint32_t made_below(uint32_t n);
/* Method 1 to MADE_METHODS: six classes in packages a, a.b, ab and none. */
struct trace *made_trace(void);
void made_count(struct tree *, uint32_t node, struct count);
/* A tree for each thread, some with frames from before the trace; chance begins at `seed`. */
void made_random(struct made *, uint64_t seed);
void made_release(struct made *);
