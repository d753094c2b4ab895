// SPDX-License-Identifier: Apache-2.0
/*
 * callgraph: functions with own costs, and calls with what they cost in all, as call paths.
 *
 * A call graph does not say which path a cost was met on.  Each function's own cost and calls are
 * divided among its paths in proportion to what its callers say that their calls cost; so own costs,
 * and the total, are exact, and paths are estimates.  Calls are divided likewise; each path is one
 * call at least, which may be more than there were.  A call back to a function that the search from
 * the roots is still in is a path of its own, with its calls and no cost: the cost is in the
 * function's already.  Paths of less than 1/10,000 of the total or half a call, and those below 64
 * calls, are left out: what they would have is below "(small)".
 */
#pragma once

#include "format/samples/samples.h"

#define CALLGRAPH_NONE UINT32_MAX

struct callgraph_edge {
	uint32_t caller, callee;
	uint64_t calls, cost;
	uint32_t next; /* of the caller, + 1 */
	bool back;
};

struct callgraph_function {
	uint32_t method;
	uint64_t own;
	uint64_t inside, back;    /* what calls to it cost; those back */
	uint64_t outside;         /* its own cost, and that of its calls but for those back */
	uint32_t first, last;     /* edges from it, + 1 */
	uint32_t path, paths;     /* the last one, + 1; how many */
	bool met, searched;       /* by the search from the roots; `searched`: it has left it */
};

/* A path; those below it come after it. */
struct callgraph_path {
	uint32_t function, parent; /* parent + 1; 0: of the root */
	uint32_t before;           /* the function's path before it, + 1 */
	uint32_t depth, node;      /* node: of the sampler */
	double share;              /* of the function's own cost; 0 of a call back */
	double called;             /* of the function's calls */
	uint64_t own, calls;
};

struct callgraph {
	struct sampler s; /* first */
	struct idmap functions; /* by method */
	struct callgraph_function *list;
	size_t count, room;
	struct idmap edges;     /* caller << 32 | callee */
	struct callgraph_edge *edge;
	size_t edge_count, edge_room;
	struct callgraph_path *paths;
	size_t path_count, path_room;
	uint64_t total;
	uint64_t scale;  /* a weight of the sampler is so much of a cost; set before costs are added */
	size_t taken;    /* paths that are samples */
	uint32_t thread;
};

/* The function of that name, made when it is met first. */
uint32_t callgraph_function(struct callgraph *, struct str name, struct str file);
/* Adds own cost, or calls and their cost; false for more than can be counted. */
bool callgraph_own(struct callgraph *, uint32_t function, uint64_t cost);
bool callgraph_calls(struct callgraph *, uint32_t caller, uint32_t callee, uint64_t calls,
    uint64_t cost);
/* All is there: makes the paths. */
void callgraph_paths(struct callgraph *);
/* Takes the next path (struct samples_format). */
bool callgraph_take(struct sampler *);
void callgraph_release(struct callgraph *);
