// SPDX-License-Identifier: Apache-2.0
/*
 * paths: the call tree of a selection as a value: threads apart or as one.
 *
 * A path is a stack of methods from a root, (toplevel), down.  A tree may have several
 * frames of one method side by side (of several threads, or one from before the trace and
 * later ones): they are one path here.  Paths without a call and without time in the
 * selection are left out.
 *
 * Ids: roots first, from 0; then level by level, so that a parent's id is below those of
 * its children and the children of a path are contiguous.  A loop over the ids goes down
 * the tree, one backwards goes up: no walk needs a stack, however deep the trace is.
 *
 * The value is immutable, holds no pointer into tree or profile and may be handed to
 * another thread; its maker frees it.  Times are nanoseconds; a clock that the trace
 * lacks is 0.  Of a text log a root's time is that of its slices, as the total of a fold
 * is; threads without slices have no root.  Cost: linear in the tree's nodes (some 0.1 s
 * for a million), 80 bytes a path; while it is made 12 bytes a node more.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/sum/range.h"
#include "trace/folded.h"

struct transformed;

#define PATH_NONE UINT32_MAX

enum path_flags {
	PATH_RECURSIVE = 1 << 0, /* a frame above has the same method: it has the time too */
	PATH_ADOPTED = 1 << 1,   /* has a call from before the trace */
	PATH_OPEN = 1 << 2,      /* has a call that the end of the trace cuts */
	PATH_IDLE = 1 << 3,      /* nearly all of its time is (paths_mark_idle); not of roots */
	PATH_WAITS = 1 << 4,     /* its own time is; only where there is no CPU time */
};

struct path {
	uint32_t method;   /* METHOD_TOPLEVEL for roots, and for no other */
	uint32_t parent;   /* PATH_NONE for roots */
	uint32_t child;    /* first of the children, which are in no useful order */
	uint32_t children; /* how many */
	uint64_t calls;
	nsec inclusive[CLOCKS], exclusive[CLOCKS];
	nsec longest, longest_at; /* the longest call on the axis, -1: not known; its begin */
	uint32_t threads;  /* that have the path */
	uint32_t flags;
};

struct paths {
	struct path *items;
	uint32_t count;
	uint32_t roots;        /* one a thread that has something, or one for all, or none */
	uint32_t *root_thread; /* by root; THREAD_NONE: several as one */
	uint32_t method_count; /* methods are below this */
};

/* Source of paths; only read. */
struct paths_source {
	const struct tree *tree;
	const struct count *counts;  /* by node, of a range; NULL: the tree's */
	struct range range;          /* RANGE_ALL: whole */
	const uint32_t *roots;       /* by thread; NODE_NONE: nothing of it */
	const uint32_t *open;        /* by thread: innermost open frame; NULL: not to be marked */
	uint32_t thread_count;
	uint32_t method_count;
	const struct scope *scope;   /* NULL: all threads */
	bool slices; /* of a text log: roots without a call below are left out */
	const struct trace *folded; /* methods are those that stand for them; NULL: they are themselves */
	bool idle;   /* as recorded of a text log: the time of roots' own counts to nothing */
};

static inline uint32_t
source_method(const struct paths_source *s, uint32_t node)
{
	const uint32_t method = s->tree->nodes[node].method;

	return s->folded != NULL ? trace_folded(s->folded, method) : method;
}

/*
 * The paths of a range that is counted already, for all threads; `sums` NULL: the whole
 * trace.  `of`: a tree made of the same counts, in place of the recorded one
 * (transform.h); may be NULL.  `folded`: by folded names (folded.h), as those of `of` are.
 */
struct paths *paths_counted(const struct profile *, const struct scope *,
    const struct range_sums *sums, const struct transformed *of, bool together, bool folded,
    const atomic_bool *cancel);
/* Returns a profile's source of paths by its own methods, valid until it is released. */
struct paths_source paths_source_of(const struct profile *, const struct scope *,
    const struct range_sums *sums);
void paths_source_release(struct paths_source *);
void paths_free(struct paths *);
/*
 * Marks paths that had nearly no CPU time; without that clock, calls of idle methods as
 * waiting, and as idle those that spent nearly all of their time so.  Before others have the value.
 */
void paths_mark_idle(struct paths *, const struct trace *, const uint8_t *idle, uint32_t count);
/*
 * Adds what threads did beside waiting, by root, and methods in themselves (NULL: not wanted):
 * time on the CPU, or without that clock time in paths that do not wait.  Asynchronous slices
 * are of no thread.  Returns the sum.
 */
nsec paths_busy(const struct paths *, const struct trace *, nsec *roots, nsec *methods);

/* Sort key of a path: a figure, descending, then a text. */
struct path_key {
	int64_t figure;
	struct str text;
};

/*
 * Compares by names, or keys; of equals, more inclusive time comes first, then the one whose
 * longest call began first.
 */
struct path_order {
	enum clock_id clock;
	bool names, reverse;
	const struct trace *trace; /* for names; NULL: by method index instead */
	struct path_key (*key)(const void *of, const struct path *); /* NULL: inclusive time */
	const void *of;
};

/* The children (of PATH_NONE: the roots) in that order; room for all in `out`. */
void paths_children(const struct paths *, uint32_t path, const struct path_order *,
    const struct path **out);
/* The child of that method, PATH_NONE when there is none.  Costs the children. */
uint32_t paths_child(const struct paths *, uint32_t path, uint32_t method);
/* Frames between a root and the path, 0 for a root.  Costs the depth. */
uint32_t paths_depth(const struct paths *, uint32_t path);
/* Sum over the roots. */
nsec paths_total(const struct paths *, enum clock_id);

static inline uint32_t
paths_id(const struct paths *p, const struct path *path)
{
	return (uint32_t)(path - p->items);
}

/*
 * Paths from top to bottom, children in an order, without recursion.
 *
 *	struct pathwalk w = {.paths = p, .order = {...}};
 *	uint32_t depth, id;
 *
 *	while ((id = pathwalk_next(&w, &depth)) != PATH_NONE) {
 *		...
 *		if (not into it)
 *			pathwalk_skip(&w);
 *	}
 *	pathwalk_release(&w);
 *
 * Children are asked for when the next path is, so they may be made meanwhile
 * (callers_expand in callers.h).  Borrows the paths; memory grows with the siblings on the way.
 */
struct pathwalk {
	const struct paths *paths;
	struct path_order order;
	/* Private from here. */
	bool started, into;
	uint32_t last, last_depth;
	struct pathwalk_item {
		uint32_t id, depth;
	} *items; /* still to visit, the next one last */
	size_t count, room;
	const struct path **list;
	size_t list_room;
};

/* PATH_NONE at the end.  `depth`: 0 for roots. */
uint32_t pathwalk_next(struct pathwalk *, uint32_t *depth);
/* Leaves out what is below the last one. */
void pathwalk_skip(struct pathwalk *);
void pathwalk_release(struct pathwalk *);
