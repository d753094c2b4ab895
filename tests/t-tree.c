// SPDX-License-Identifier: Apache-2.0
/* The call tree's own words: what is packed in them does not get in the way of the rest. */
#include <config.h>

#include "profile/sum/tree.h"

#include "tap/tap.h"
#include "trace/trace.h"

enum { METHODS = 3000 };

/* As many children as `count` are found, each by its method, and listed once. */
static int
wrong_children(const struct tree *t, uint32_t parent, uint32_t count)
{
	uint32_t listed = 0;
	int wrong = 0;

	for (uint32_t m = 1; m <= METHODS; m++) {
		uint32_t child = tree_find(t, parent, m);

		if (m <= count)
			wrong += child == NODE_NONE || t->nodes[child].method != m ||
			    tree_parent(t, child) != parent;
		else
			wrong += child != NODE_NONE;
	}
	for (uint32_t c = tree_child(t, parent); c != NODE_NONE; c = tree_sibling(t, c))
		listed += !tree_is_bottom(t, c);
	return wrong + (listed != count);
}

static void
children(void)
{
	static const uint32_t looks[] = {1, 2, 11, 12, 13, 14, 40, METHODS};
	uint32_t root, count = 0;
	struct tree t;

	tree_init(&t);
	root = tree_add(&t, NODE_NONE, METHOD_TOPLEVEL);
	is_int(wrong_children(&t, root, 0), 0, "no children");
	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
		while (count < looks[i]) {
			uint32_t child = tree_add(&t, root, ++count);

			/* Below each, others of the same methods. */
			tree_add(&t, child, METHODS - count);
		}
		is_int(wrong_children(&t, root, count), 0, "%u children", (unsigned)count);
	}
	tree_release(&t);
}

/* The counts of a node add up; the first of its longest calls is kept. */
static void
calls(void)
{
	static const uint64_t more[] = {1, 127, (1ull << 32) + 77};
	static const nsec ends[][2] = {{10, 10}, {20, 25}, {30, 35}, {40, 44}};
	uint32_t root, node;
	uint64_t want = 0;
	struct tree t;

	tree_init(&t);
	root = tree_add(&t, NODE_NONE, METHOD_TOPLEVEL);
	node = tree_add(&t, root, 7);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++) {
		tree_count_add(&t, node, &(struct count){more[i], {(nsec)i, 2}});
		want += more[i];
		ok(tree_count(&t, node).calls == want && tree_parent(&t, node) == root,
		    "%llu more", (unsigned long long)more[i]);
	}
	is_int(tree_count(&t, node).time[CLOCK_CPU], 0 + 1 + 2, "times add up");
	is_int(tree_count(&t, node).time[CLOCK_WALL], 6, "on both clocks");
	is_int(t.nodes[node].longest, -1, "no call has ended");
	node_end_call(&t.nodes[node], ends[0][0], ends[0][1]);
	is_int(t.nodes[node].longest, 0, "one without time has");
	for (size_t i = 1; i < sizeof(ends) / sizeof(*ends); i++)
		node_end_call(&t.nodes[node], ends[i][0], ends[i][1]);
	is_int(t.nodes[node].longest, 5, "the longest");
	is_int(t.nodes[node].longest_at, 20, "the first of two");
	tree_release(&t);
}

/* Copies that take blocks of ids and leave most of them. */
static void
shared(void)
{
	uint32_t root[2], limit, there = 0;
	struct tree t, copies[2];

	tree_init(&t);
	for (int i = 0; i < 2; i++)
		root[i] = tree_add(&t, NODE_NONE, METHOD_TOPLEVEL);
	limit = t.limit;
	ok(tree_share_begin(&t, 2 * METHODS), "two may grow at once");
	copies[0] = copies[1] = t;
	for (uint32_t m = 1; m <= METHODS; m++) {
		for (int i = 0; i < 2; i++)
			tree_add(&copies[i], root[i], m);
	}
	tree_share_end(&t, copies, 2);
	for (int i = 0; i < 2; i++)
		is_int(wrong_children(&t, root[i], METHODS), 0, "what copy %d added is there", i);
	for (uint32_t n = 1; n < t.count; n++)
		there += tree_parent(&t, n) != NODE_NONE;
	is_int(there, 2 * METHODS, "and nothing else");
	is_int(t.limit - limit, t.count - 1 - 2 - there, "ids in vain are not held against it");
	/* Each of so many paths may get a child for what comes too late. */
	t.limit = NODE_MAX / 2 + 1;
	ok(!tree_share_begin(&t, 1), "no more in vain than there are ids");
	tree_release(&t);
}

int
main(void)
{
	children();
	calls();
	shared();
	return tap_done();
}
