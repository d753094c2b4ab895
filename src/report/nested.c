#include <config.h>

#include "report/nested.h"

#include "base/mem.h"

/* Marks the nodes of a thread whose method stands above them, too. */
static void
nested_mark(uint8_t *nested, uint32_t *open, const struct tree *tree, uint32_t root)
{
	uint32_t node = root;

	for (;;) {
		bool counts = !tree_is_bottom(tree, node);
		uint32_t next = tree_child(tree, node);

		if (counts && open[tree->nodes[node].method]++ > 0)
			nested[node >> 3] |= (uint8_t)(1u << (node & 7));
		while (next == NODE_NONE) {
			if (!tree_is_bottom(tree, node))
				open[tree->nodes[node].method]--;
			if (node == root)
				return;
			next = tree_sibling(tree, node);
			if (next == NODE_NONE)
				node = node_parent(&tree->nodes[node]);
		}
		node = next;
	}
}

uint8_t *
nested_find(const struct profile *p)
{
	uint8_t *nested = mem_zero(p->tree.count / 8 + 1, 1);
	uint32_t *open = mem_zero(trace_method_count(p->trace), sizeof(*open));

	for (uint32_t i = 0; i < p->lane_count; i++) {
		if (p->lanes[i].started)
			nested_mark(nested, open, &p->tree, p->lanes[i].root);
	}
	mem_free(open);
	return nested;
}
