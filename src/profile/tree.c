#include <config.h>

#include "profile/tree.h"

#include <pthread.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/seg.h"
#include "base/vast.h"

enum {
	/* From this many children on a map finds them; below, the list is faster. */
	WIDE_FROM = 12,
	BLOCK = 256, /* ids that one of several copies takes at once */
	SHARED_LEAST = 65536, /* nodes: so much memory grows in place */
};

/* The children of a node that has many. */
struct wide {
	struct idmap by_method;
	uint32_t first;
};

struct tree_common {
	struct vast nodes, counts;
	struct seg wide;
	pthread_mutex_t lock; /* of what copies take from here */
	uint32_t room;
	uint32_t next; /* while it is shared: the first id that no copy has */
};

static struct wide *
wide_of(const struct tree *t, const struct node *node)
{
	return seg_at(&t->common->wide, node->child & ~NODE_WIDE);
}

uint32_t
tree_child_wide(const struct tree *t, const struct node *node)
{
	return wide_of(t, node)->first;
}

static void
tree_reserve(struct tree *t, size_t room)
{
	struct tree_common *c = t->common;

	t->nodes = vast_resize(&c->nodes, room, sizeof(*t->nodes));
	t->counts = vast_resize(&c->counts, room, sizeof(*t->counts));
	t->room = c->room = (uint32_t)room;
}

void
tree_init_room(struct tree *t, uint32_t count)
{
	*t = (struct tree){.common = mem_zero(1, sizeof(*t->common))};
	t->common->wide = SEG_INIT(struct wide);
	pthread_mutex_init(&t->common->lock, NULL);
	tree_reserve(t, count);
	/* No method ever equals this one, so a guess of NODE_NONE is always wrong. */
	t->nodes[NODE_NONE] = (struct node){.method = UINT32_MAX};
	t->counts[NODE_NONE] = (struct count){0};
	t->count = 1;
	t->limit = TREE_LIMIT;
}

void
tree_init(struct tree *t)
{
	tree_init_room(t, 1024);
}

void
tree_release(struct tree *t)
{
	struct tree_common *c = t->common;

	if (c != NULL) {
		vast_release(&c->nodes);
		vast_release(&c->counts);
		for (uint32_t i = 0; i < seg_count(&c->wide); i++)
			idmap_release(&((struct wide *)seg_at(&c->wide, i))->by_method);
		seg_release(&c->wide);
		pthread_mutex_destroy(&c->lock);
		mem_free(c);
	}
	*t = (struct tree){0};
}

/* An id for a copy, the first of a block of its own. */
static uint32_t
block_take(struct tree *t)
{
	struct tree_common *c = t->common;

	pthread_mutex_lock(&c->lock);
	t->count = c->next;
	c->next += BLOCK;
	if (c->next > c->room) {
		struct tree grown = *t;

		tree_reserve(&grown, (size_t)c->next + c->next / 2);
	}
	t->room = c->next;
	pthread_mutex_unlock(&c->lock);
	return t->count;
}

bool
tree_share_begin(struct tree *t, uint32_t most)
{
	/* As block_take makes room, with blocks that several copies do not fill. */
	size_t room = ((size_t)t->count + most + SHARED_LEAST) / 2 * 3;

	if (t->room < SHARED_LEAST)
		tree_reserve(t, SHARED_LEAST);
	if (room > NODE_MAX || !vast_stays(&t->common->nodes, room * sizeof(*t->nodes)) ||
	    !vast_stays(&t->common->counts, room * sizeof(*t->counts)))
		return false;
	t->common->next = t->room = t->count;
	t->shared = true;
	return true;
}

/* Ids that a copy took and did not use. */
static uint32_t
rest_clear(const struct tree *t)
{
	for (uint32_t id = t->count; id < t->room; id++) {
		t->nodes[id] = (struct node){0};
		t->counts[id] = (struct count){0};
	}
	return t->room - t->count;
}

void
tree_share_end(struct tree *t, const struct tree *copies, unsigned count)
{
	t->limit += rest_clear(t);
	for (unsigned i = 0; i < count; i++)
		t->limit += rest_clear(&copies[i]);
	t->count = t->common->next;
	t->room = t->common->room;
	t->shared = false;
}

static void
tree_widen(struct tree *t, uint32_t parent)
{
	struct tree_common *c = t->common;
	uint32_t first = t->nodes[parent].child, number;
	struct wide *wide;

	pthread_mutex_lock(&c->lock);
	wide = seg_reserve(&c->wide);
	number = wide != NULL ? seg_commit(&c->wide) : 0;
	pthread_mutex_unlock(&c->lock);
	if (wide == NULL)
		return; /* the list does as well */
	wide->first = first;
	for (uint32_t n = first; n != NODE_NONE; n = t->nodes[n].sibling) {
		if (!tree_is_bottom(t, n))
			idmap_put(&wide->by_method, t->nodes[n].method, n);
	}
	t->nodes[parent].child = number | NODE_WIDE;
}

static void
tree_link(struct tree *t, uint32_t parent, uint32_t child)
{
	struct node *p = &t->nodes[parent];
	int n = 0;

	t->nodes[child].sibling = tree_child(t, p);
	if ((p->child & NODE_WIDE) != 0) {
		struct wide *wide = wide_of(t, p);

		wide->first = child;
		idmap_put(&wide->by_method, t->nodes[child].method, child);
		return;
	}
	p->child = child;
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
	if (id == t->room) {
		if (t->shared)
			id = block_take(t);
		else
			tree_reserve(t, (size_t)t->room + t->room / 2);
	}
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

	if ((p->child & NODE_WIDE) != 0) {
		c = idmap_find(&wide_of(t, p)->by_method, method);
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
