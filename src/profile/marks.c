/* marks: where on the time line calls of a method are open. */
#include <config.h>

#include "base/mem.h"
#include "profile/replay.h"
#include "profile/strip.h"
#include "profile/timeline.h"

struct marking {
	const struct profile *profile;
	struct grid grid;
	uint8_t *open; /* by node: the method is on its stack */
	uint8_t *marks;
};

static void
mark_span(struct marking *m, nsec a, nsec b)
{
	uint32_t column;

	if (b < m->grid.from || a > m->grid.to)
		return;
	column = grid_column(&m->grid, a > m->grid.from ? a : m->grid.from);
	m->marks[column] = 1;
	while (++column < m->grid.columns && grid_edge(&m->grid, column) < b)
		m->marks[column] = 1;
}

static bool
mark_step(void *context, const struct step *step)
{
	struct marking *m = context;
	enum clock_id axis = m->profile->axis;

	if (m->open[step->before] != 0 && !step->first)
		mark_span(m, step->from[axis], step->to[axis]);
	/* Also a call that takes no time is one. */
	if (m->open[step->after] != 0)
		mark_span(m, step->to[axis], step->to[axis]);
	return true;
}

/* A frame's stack holds the method when it is its own or its caller's does. */
static uint8_t *
nodes_with(const struct profile *p, uint32_t method)
{
	const struct tree *tree = &p->tree;
	uint8_t *open = mem_zero(tree->count, 1);

	/* Callers of roots and adopted frames are younger than these, of others older. */
	for (uint32_t n = tree->count; n-- > 1;) {
		if (tree_is_bottom(tree, n))
			open[n] = tree->nodes[n].method == method || open[tree->nodes[n].parent] != 0;
	}
	for (uint32_t n = 1; n < tree->count; n++) {
		if (!tree_is_bottom(tree, n))
			open[n] = tree->nodes[n].method == method || open[tree->nodes[n].parent] != 0;
	}
	return open;
}

bool
timeline_marks(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    uint32_t columns, uint32_t method, uint8_t *marks, const atomic_bool *cancel)
{
	struct marking m = {.profile = p, .grid = {from, to, columns}, .marks = marks};
	bool whole;

	for (uint32_t c = 0; c < columns; c++)
		marks[c] = 0;
	if (columns == 0 || from >= to)
		return true;
	m.open = nodes_with(p, method);
	whole = replay_window(p, scope, from, to, mark_step, &m, cancel);
	mem_free(m.open);
	return whole;
}
