// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <pthread.h>

#include "base/mem.h"
#include "profile/sum/tree.h"
#include "trace/folded.h"

enum {
	/* From this many children on a map finds them; below, the list is faster. */
	WIDE_FROM = 12,
	BLOCK = 256, /* ids that one of several copies takes at once */
	SHARED_LEAST = 65536, /* nodes: so much memory grows in place */
};

/* The children of a node that has many. */
struct wide_children {
	struct idmap by_method;
	uint32_t first;
};

struct tree_common {
	struct vast nodes;
	struct seg wide;
	pthread_mutex_t lock; /* of what copies take from here */
	uint32_t room;
	uint32_t next; /* while it is shared: the first id that no copy has */
};

static struct wide_children *
wide_of(const struct tree *t, uint32_t child)
{
	return seg_at(&t->common->wide, child & ~NODE_WIDE);
}

uint32_t
tree_child_wide(const struct tree *t, uint32_t child)
{
	return wide_of(t, child)->first;
}

static void
tree_reserve(struct tree *t, size_t room)
{
	struct tree_common *c = t->common;

	t->nodes = vast_resize(&c->nodes, room, sizeof(*t->nodes));
	t->room = c->room = (uint32_t)room;
}

void
tree_init_room(struct tree *t, uint32_t count)
{
	*t = (struct tree){.common = mem_zero(1, sizeof(*t->common))};
	t->common->wide = SEG_INIT(struct wide_children);
	pthread_mutex_init(&t->common->lock, NULL);
	tree_reserve(t, count);
	/* A guess of NODE_NONE is always wrong. */
	t->nodes[NODE_NONE] = (struct node){.method = METHOD_NEVER};
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
		for (uint32_t i = 0; i < seg_count(&c->wide); i++)
			idmap_release(&((struct wide_children *)seg_at(&c->wide, i))->by_method);
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

	/* Ids that many rounds left raised it: (other) may need one below each of the rest. */
	if (t->limit > NODE_MAX / 2)
		return false;
	if (t->room < SHARED_LEAST)
		tree_reserve(t, SHARED_LEAST);
	if (room > NODE_MAX || !vast_stays(&t->common->nodes, room * sizeof(*t->nodes)))
		return false;
	t->common->next = t->room = t->count;
	t->shared = true;
	return true;
}

/* Ids that a copy took and did not use. */
static uint32_t
rest_clear(const struct tree *t)
{
	for (uint32_t id = t->count; id < t->room; id++)
		t->nodes[id] = (struct node){0};
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
	uint32_t first = tree_child(t, parent), number;
	struct wide_children *wide;

	pthread_mutex_lock(&c->lock);
	wide = seg_reserve(&c->wide);
	number = wide != NULL ? seg_commit(&c->wide) : 0;
	pthread_mutex_unlock(&c->lock);
	if (wide == NULL)
		return; /* the list does as well */
	wide->first = t->nodes[parent].child;
	for (uint32_t n = first; n != NODE_NONE; n = tree_sibling(t, n)) {
		if (!tree_is_bottom(t, n))
			idmap_put(&wide->by_method, t->nodes[n].method, n);
	}
	t->nodes[parent].child = number | NODE_WIDE;
}

static void
tree_link(struct tree *t, uint32_t parent, uint32_t child)
{
	struct node *p = &t->nodes[parent];

	if ((p->child & NODE_WIDE) != 0) {
		struct wide_children *wide = wide_of(t, p->child);

		t->nodes[child].sibling = wide->first;
		wide->first = child;
		idmap_put(&wide->by_method, t->nodes[child].method, child);
		return;
	}
	t->nodes[child].sibling = p->child;
	p->child = child;
	for (int n = 0; child != NODE_NONE; child = tree_sibling(t, child)) {
		if (n++ == WIDE_FROM) {
			tree_widen(t, parent);
			return;
		}
	}
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
	t->nodes[id] = (struct node){.method = method, .parent = parent, .longest = -1};
	if (parent != NODE_NONE)
		tree_link(t, parent, id);
	return id;
}

uint32_t
tree_find(const struct tree *t, uint32_t parent, uint32_t method)
{
	uint32_t id = t->nodes[parent].child;

	if ((id & NODE_WIDE) != 0) {
		uint32_t found = idmap_get(&wide_of(t, id)->by_method, method);

		return found == IDMAP_NONE ? NODE_NONE : found;
	}
	while (id != NODE_NONE && (t->nodes[id].method != method || tree_is_bottom(t, id)))
		id = tree_sibling(t, id);
	return id;
}

uint32_t
tree_adopt(struct tree *t, uint32_t root, uint32_t method)
{
	uint32_t above = tree_add(t, NODE_NONE, t->nodes[root].method);

	if (above == NODE_NONE)
		return NODE_NONE;
	t->nodes[root].method = method;
	t->nodes[root].parent = above;
	t->nodes[above].calls = 1;
	/* Not tree_link: the frame exists already. */
	t->nodes[above].child = root;
	return above;
}

void
tree_count_add(struct tree *t, uint32_t node, const struct count *more)
{
	struct node *n = &t->nodes[node];

	n->calls += more->calls;
	clocks_add(n->time, more->time);
}

uint32_t
tree_depth(const struct tree *t, uint32_t node)
{
	uint32_t depth = 0;

	while (tree_parent(t, node) != NODE_NONE) {
		node = tree_parent(t, node);
		depth++;
	}
	return depth;
}

/* The stacks that a method is on ---------------------------------------------------- */

struct stackset
stackset_new(const struct tree *tree, const struct trace *trace, uint32_t method)
{
	struct stackset s = {tree, trace, method, mem_zero(tree->count, 1)};

	s.known[NODE_NONE] = STACK_WITHOUT;
	return s;
}

void
stackset_release(struct stackset *s)
{
	mem_free(s->known);
	s->known = NULL;
}

enum stack_known
stackset_look(const struct stackset *s, uint32_t node)
{
	const struct node *nodes = s->tree->nodes;
	uint32_t end = node;
	uint8_t known;

	while (s->known[end] == STACK_UNKNOWN && !trace_method_is(s->trace, nodes[end].method, s->method))
		end = nodes[end].parent;
	known = s->known[end] != STACK_UNKNOWN ? s->known[end] : STACK_WITH;
	s->known[end] = known;
	for (; node != end; node = nodes[node].parent)
		s->known[node] = known;
	return known;
}

/* Methods on a thread's stack ------------------------------------------------------ */

static struct onstack_frames *
frames_of(struct onstack *s, uint32_t thread)
{
	uint32_t at = idmap_add(&s->of_thread, thread, s->count);

	if (at == s->count)
		*MEM_ADD(s->items, s->count, s->room) = (struct onstack_frames){.top = NODE_NONE};
	return &s->items[at];
}

static uint32_t
frames_get(const struct onstack_frames *f, uint32_t method)
{
	uint32_t n = idmap_get(&f->frames, method);

	return n != IDMAP_NONE ? n : 0;
}

/* Counts the frame and goes to its caller. */
static uint32_t
frame_count(struct onstack_frames *f, const struct tree *t, uint32_t node, int by)
{
	uint32_t method = t->nodes[node].method;

	idmap_put(&f->frames, method, frames_get(f, method) + (uint32_t)by);
	return t->nodes[node].parent;
}

/*
 * From the stack that is counted to that of `node`, through the frame where they part:
 * callers have smaller ids than what they call, so the larger of two that differ is not
 * below the other.
 */
static void
frames_follow(struct onstack_frames *f, const struct tree *t, uint32_t node)
{
	uint32_t left = f->top, entered = node;

	while (left != entered) {
		bool left_bottom = tree_is_bottom(t, left);
		bool entered_bottom = tree_is_bottom(t, entered);

		if (left_bottom && entered_bottom)
			break;
		if (entered_bottom || (!left_bottom && left > entered))
			left = frame_count(f, t, left, -1);
		else
			entered = frame_count(f, t, entered, 1);
	}
	f->top = node;
}

bool
onstack_has(struct onstack *s, const struct tree *t, uint32_t thread, uint32_t node,
    uint32_t method)
{
	struct onstack_frames *f = frames_of(s, thread);

	frames_follow(f, t, node);
	return frames_get(f, method) > 0;
}

void
onstack_release(struct onstack *s)
{
	for (size_t i = 0; i < s->count; i++)
		idmap_release(&s->items[i].frames);
	mem_free(s->items);
	idmap_release(&s->of_thread);
	*s = (struct onstack){0};
}
