#include <config.h>

#include "profile/timeline/stackset.h"

#include "base/mem.h"

struct stackset
stackset_new(const struct tree *tree, uint32_t method)
{
	struct stackset s = {tree, method, mem_zero(tree->count, 1)};

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

	while (s->known[end] == STACK_UNKNOWN && nodes[end].method != s->method)
		end = node_parent(&nodes[end]);
	known = s->known[end] != STACK_UNKNOWN ? s->known[end] : STACK_WITH;
	s->known[end] = known;
	for (; node != end; node = node_parent(&nodes[node]))
		s->known[node] = known;
	return known;
}
