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
 * What was counted stands apart from the links (struct count, same index), so that a
 * part of the trace can be counted again on the same tree.
 *
 * Not safe for use by several threads while it grows.  48 bytes a node.
 */
#ifndef SLOWTOP_PROFILE_TREE_H
#define SLOWTOP_PROFILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vast.h"
#include "trace/event.h"

#define NODE_NONE 0u
#define NODE_MAX  0x2aaaaaa0u /* see tree_guess */
/*
 * A hostile trace can make a path of every call.  Sound ones of 75 million records have
 * some 2 million; this many take 400 MB.
 */
#define TREE_LIMIT (8u << 20)

struct node {
	uint32_t method;
	uint32_t parent;  /* NODE_NONE for a thread's root */
	uint32_t child;   /* newest of the children, linked through `sibling`; see tree_child */
	uint32_t sibling; /* the next older one */
	/* The child entered next the last time: [0] just inside this node, [1] after it. */
	uint32_t next[2];
};

struct count {
	uint64_t calls;
	nsec time[CLOCKS]; /* exclusive */
};

struct tree {
	struct node *nodes;
	struct count *counts;
	struct vast node_memory, count_memory; /* of these two */
	uint32_t count; /* ids below this exist */
	uint32_t room;
	uint32_t limit; /* from here on new call paths go to (other): walk.h */
	struct idmap wide; /* parent << 32 | method -> child, of parents with many children */
};

void tree_init(struct tree *);
void tree_release(struct tree *);

/* Adds a node below `parent` (NODE_NONE: a root); NODE_NONE when the tree is full. */
uint32_t tree_add(struct tree *, uint32_t parent, uint32_t method);
/* The child of `parent` that a call of `method` enters, or NODE_NONE.  O(1) on average. */
uint32_t tree_find(const struct tree *, uint32_t parent, uint32_t method);
/* `root` becomes a frame of `method`, called once; returns the new root above it. */
uint32_t tree_adopt(struct tree *, uint32_t root, uint32_t method);
/* Frames from the root down to the node, 0 for the root.  Costs the depth. */
uint32_t tree_depth(const struct tree *, uint32_t node);

/*
 * Where a guess at the next entry stands, just inside a node or after it: a place among
 * the words of all nodes, which the inner loop finds with one instruction.
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

enum { NODE_WIDE = 1u << 31 }; /* in `child`: the children are also in `wide` */

/* First child; the others follow through `sibling`. */
static inline uint32_t
tree_child(const struct node *node)
{
	return node->child & ~(uint32_t)NODE_WIDE;
}

/* A root, or a frame adopted from before the trace: the recorded stack ends here. */
static inline bool
tree_is_bottom(const struct tree *t, uint32_t node)
{
	return t->nodes[node].parent - 1 >= node;
}

#endif
