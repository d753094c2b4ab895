#include <config.h>

#include "profile/tree.h"

/* From this many children on, `wide` finds them; below, the list is faster. */
enum { WIDE_FROM = 24 };

static uint64_t
wide_key(uint32_t parent, uint32_t method)
{
	return (uint64_t)parent << 32 | method;
}

static void
tree_reserve(struct tree *t, size_t room)
{
	t->nodes = vast_resize(&t->node_memory, room, sizeof(*t->nodes));
	t->counts = vast_resize(&t->count_memory, room, sizeof(*t->counts));
	t->room = (uint32_t)room;
}

void
tree_init(struct tree *t)
{
	*t = (struct tree){0};
	tree_reserve(t, 1024);
	/* No method ever equals this one, so a guess of NODE_NONE is always wrong. */
	t->nodes[NODE_NONE] = (struct node){.method = UINT32_MAX};
	t->counts[NODE_NONE] = (struct count){0};
	t->count = 1;
	t->limit = TREE_LIMIT;
}

void
tree_release(struct tree *t)
{
	vast_release(&t->node_memory);
	vast_release(&t->count_memory);
	idmap_release(&t->wide);
	*t = (struct tree){0};
}

static void
tree_widen(struct tree *t, uint32_t parent)
{
	struct node *p = &t->nodes[parent];

	for (uint32_t c = tree_child(p); c != NODE_NONE; c = t->nodes[c].sibling) {
		if (!tree_is_bottom(t, c))
			idmap_put(&t->wide, wide_key(parent, t->nodes[c].method), c);
	}
	p->child |= (uint32_t)NODE_WIDE;
}

static void
tree_link(struct tree *t, uint32_t parent, uint32_t child)
{
	struct node *p = &t->nodes[parent];
	int n = 0;

	t->nodes[child].sibling = tree_child(p);
	p->child = child | (p->child & (uint32_t)NODE_WIDE);
	if ((p->child & (uint32_t)NODE_WIDE) != 0) {
		idmap_put(&t->wide, wide_key(parent, t->nodes[child].method), child);
		return;
	}
	for (uint32_t c = child; c != NODE_NONE && n <= WIDE_FROM; c = t->nodes[c].sibling)
		n++;
	if (n > WIDE_FROM)
		tree_widen(t, parent);
}

uint32_t
tree_add(struct tree *t, uint32_t parent, uint32_t method)
{
	uint32_t id = t->count;

	if (id > NODE_MAX)
		return NODE_NONE;
	if (id == t->room)
		tree_reserve(t, (size_t)t->room + t->room / 2);
	t->count++;
	t->nodes[id] = (struct node){.method = method, .parent = parent};
	t->counts[id] = (struct count){0};
	if (parent != NODE_NONE)
		tree_link(t, parent, id);
	return id;
}

uint32_t
tree_find(const struct tree *t, uint32_t parent, uint32_t method)
{
	const struct node *p = &t->nodes[parent];
	uint32_t c;

	if ((p->child & (uint32_t)NODE_WIDE) != 0) {
		c = idmap_find(&t->wide, wide_key(parent, method));
		return c == IDMAP_NONE ? NODE_NONE : c;
	}
	for (c = p->child; c != NODE_NONE; c = t->nodes[c].sibling) {
		if (t->nodes[c].method == method && !tree_is_bottom(t, c))
			return c;
	}
	return NODE_NONE;
}

uint32_t
tree_adopt(struct tree *t, uint32_t root, uint32_t method)
{
	uint32_t above = tree_add(t, NODE_NONE, t->nodes[root].method);

	if (above == NODE_NONE)
		return NODE_NONE;
	t->nodes[root].method = method;
	t->nodes[root].parent = above;
	t->counts[above].calls = t->counts[root].calls;
	t->counts[root].calls = 1;
	/* Not tree_add: the frame exists already. */
	t->nodes[above].child = root;
	return above;
}

uint32_t
tree_depth(const struct tree *t, uint32_t node)
{
	uint32_t depth = 0;

	while (t->nodes[node].parent != NODE_NONE) {
		node = t->nodes[node].parent;
		depth++;
	}
	return depth;
}
