// SPDX-License-Identifier: Apache-2.0
/*
 * tree: the calling-context tree, the one aggregate that everything is folded from.
 *
 * A node is a path of methods from a thread's root; its id is also a stack: follow
 * the parents.  Nodes are only ever added; ids are dense and stay.  Id 0 is no node
 * (NODE_NONE) but has memory, so that a guess needs no test.
 *
 * A frame that was open before the trace began shows as an exit on an empty stack:
 * the root then becomes that frame and a new root is put above it (tree_adopt), so
 * what was counted and remembered stays right.  Only such frames, and roots, have a
 * parent younger than themselves or none: tree_is_bottom.  An adopted frame is never
 * entered again; a later call of its method from the empty stack is a node beside it.
 *
 * A node fills a line of the cache, so that what a record does to it is one access.
 *
 * Several threads may add to one tree at once, each to a copy of it and below nodes that
 * are its own: tree_share_begin.  Else not safe for several threads while it grows.  64
 * bytes a node; 1 kB more for one with many children.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "trace/event.h"

struct trace;

#define NODE_NONE 0u
/* The method of NODE_NONE: differs from all methods and from METHOD_NONE. */
#define METHOD_NEVER (UINT32_MAX - 1)
#define NODE_MAX  ((1u << 25) - 256) /* ids; see tree_guess */
/*
 * A hostile trace can make a path of every call.  Sound ones of 75 million records have
 * some 2 million; this many take 400 MB.
 */
#define TREE_LIMIT (8u << 20)

struct node {
	uint32_t method;
	uint32_t parent; /* NODE_NONE for a thread's root */
	/* The child entered next the last time: [0] just inside this node, [1] after it. */
	uint32_t next[2];
	nsec time[CLOCKS]; /* exclusive */
	uint64_t calls;
	/*
	 * The longest call on the trace's axis (profile.h), -1 as long as none has ended, and
	 * when it began: node_end_call.
	 */
	nsec longest, longest_at;
	uint32_t child;   /* newest of the children, linked through `sibling`: tree_child */
	uint32_t sibling; /* the next older one */
};

/* The counts of a node, in the tree or in a part of the trace. */
struct count {
	uint64_t calls;
	nsec time[CLOCKS]; /* exclusive */
};

struct tree_common;

struct tree {
	struct node *nodes;
	uint32_t count; /* ids below this exist */
	uint32_t room;
	bool shared;    /* between tree_share_begin and tree_share_end */
	uint32_t limit; /* from here on new call paths go to (other): walk.h */
	struct tree_common *common; /* the memory of them; the same for copies that share it */
};

void tree_init(struct tree *);
/*
 * Makes room for so many nodes, which the caller fills in, with children in lists.  Such
 * a tree can be walked, but not searched: tree_find needs what tree_add notes.
 */
void tree_init_room(struct tree *, uint32_t count);
void tree_release(struct tree *);

/* Adds a node below `parent` (NODE_NONE: a root); NODE_NONE when the tree is full. */
uint32_t tree_add(struct tree *, uint32_t parent, uint32_t method);
/* The child of `parent` that a call of `method` enters, or NODE_NONE.  O(1) on average. */
uint32_t tree_find(const struct tree *, uint32_t parent, uint32_t method);
/* Adds to what was counted. */
void tree_count_add(struct tree *, uint32_t node, const struct count *);
/* `root` becomes a frame of `method`, called once; returns the new root above it. */
uint32_t tree_adopt(struct tree *, uint32_t root, uint32_t method);

/*
 * Between these two copies of the tree, one for each thread, may grow at once; only then,
 * and below nodes that no other thread's copy looks at.  `most`: ids that may be needed
 * then.  False, with nothing begun, when memory for so many cannot stay where it is, or
 * when so many ids were taken in vain that those there are might not do.
 */
bool tree_share_begin(struct tree *, uint32_t most);
/*
 * The tree takes over what was added to the copies, which are void then.  Ids that no one
 * used are nodes without method, parent or counts; the limit is raised by them.
 */
void tree_share_end(struct tree *, const struct tree *copies, unsigned count);

/* Frames from the root down to the node, 0 for the root.  Costs the depth. */
uint32_t tree_depth(const struct tree *, uint32_t node);

/*
 * Where a guess at the next entry is, just inside a node or after it: a place among the
 * words of all nodes, which the inner loop finds with one instruction.
 */
static inline uint32_t
tree_place(uint32_t node, int next)
{
	return node * (uint32_t)(sizeof(struct node) / sizeof(uint32_t)) +
	    (uint32_t)(offsetof(struct node, next) / sizeof(uint32_t)) + (uint32_t)next;
}

static inline uint32_t *
tree_guess(const struct tree *t, uint32_t place)
{
	return (uint32_t *)t->nodes + place;
}

#define NODE_WIDE (1u << 31) /* in `child`: the rest is a number of what finds them by method */

uint32_t tree_child_wide(const struct tree *, uint32_t child);

/* First child; the others follow through `sibling`. */
static inline uint32_t
tree_child(const struct tree *t, uint32_t node)
{
	uint32_t child = t->nodes[node].child;

	return (child & NODE_WIDE) == 0 ? child : tree_child_wide(t, child);
}

static inline uint32_t
tree_sibling(const struct tree *t, uint32_t node)
{
	return t->nodes[node].sibling;
}

static inline uint32_t
tree_parent(const struct tree *t, uint32_t node)
{
	return t->nodes[node].parent;
}

/* A call of the node that began at `entered` is left. */
static inline __attribute__((always_inline)) void
node_end_call(struct node *node, nsec entered, nsec now)
{
	if (now - entered > node->longest) {
		node->longest = now - entered;
		node->longest_at = entered;
	}
}

static inline struct count
tree_count(const struct tree *t, uint32_t node)
{
	const struct node *n = &t->nodes[node];

	return (struct count){n->calls, {n->time[CLOCK_CPU], n->time[CLOCK_WALL]}};
}

/* The counts of a node from `counts` or, when NULL, from the tree. */
static inline struct count
tree_count_of(const struct tree *t, const struct count *counts, uint32_t node)
{
	return counts != NULL ? counts[node] : tree_count(t, node);
}

static inline const nsec *
tree_time_of(const struct tree *t, const struct count *counts, uint32_t node)
{
	return counts != NULL ? counts[node].time : t->nodes[node].time;
}

/* A root, or a frame adopted from before the trace: the recorded stack ends here. */
static inline bool
tree_is_bottom(const struct tree *t, uint32_t node)
{
	return tree_parent(t, node) - 1 >= node;
}

/*
 * The node after one in an order in which parents come before their children: bottoms from the
 * youngest on, then the others.  Begins after NODE_NONE, and ends with it.
 */
static inline uint32_t
tree_next(const struct tree *t, uint32_t node)
{
	if (node == NODE_NONE || tree_is_bottom(t, node)) {
		node = node == NODE_NONE ? t->count : node;
		while (--node > 0) {
			if (tree_is_bottom(t, node))
				return node;
		}
	}
	while (++node < t->count && tree_is_bottom(t, node))
		continue;
	return node < t->count ? node : NODE_NONE;
}

/*
 * The stacks that a method has a frame on.  A stack is searched when it is asked about, and
 * the answer is kept for all its frames, so no frame is searched twice.  A byte for each
 * node, touched where it is asked about.  The tree must not grow; one thread at a time.
 */
enum stack_known { STACK_UNKNOWN, STACK_WITHOUT, STACK_WITH };

struct stackset {
	const struct tree *tree;
	const struct trace *trace; /* of the methods */
	uint32_t method;
	uint8_t *known; /* enum stack_known, by node */
};

struct stackset stackset_new(const struct tree *, const struct trace *, uint32_t method);
void stackset_release(struct stackset *);
/* Looks through the stack down to the first frame that is known. */
enum stack_known stackset_look(const struct stackset *, uint32_t node);

/* True if a call of the method is open with this frame on top. */
static inline bool
stackset_has(const struct stackset *s, uint32_t node)
{
	uint8_t known = s->known[node];

	return (known != STACK_UNKNOWN ? known : stackset_look(s, node)) == STACK_WITH;
}

/*
 * Has a method a frame on a thread's stack?  A trace may be as deep as it has records and
 * ask with every one of them.  The frames of the stack last asked about are kept counted by
 * method, for each thread that needs it, and brought along to the next stack: that costs
 * what the thread called and left in between.  Only frames entered in the trace count, not
 * those adopted from before it.  Zero-initialise.
 */
struct onstack {
	struct idmap of_thread;
	struct onstack_frames {
		uint32_t top;        /* of the stack that is counted */
		struct idmap frames; /* method -> how many */
	} *items;
	size_t count, room;
};

/* On the stack that `node` is the top of. */
bool onstack_has(struct onstack *, const struct tree *, uint32_t thread, uint32_t node,
    uint32_t method);
void onstack_release(struct onstack *);
