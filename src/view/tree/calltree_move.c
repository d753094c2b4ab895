// SPDX-License-Identifier: Apache-2.0
/* Which rows of a call tree are open, and where its cursor is, when its paths change. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "view/tree/calltree.h"

/* Maps the present paths to others, which may lack some. */
struct moving {
	const struct paths *from;
	struct calltree *to; /* has the new paths already */
	uint32_t *now;       /* by path: its new id; PATH_NONE: not known yet, or gone */
	uint32_t *way;       /* scratch: up to what is known */
	size_t way_room;
};

static uint32_t
root_now(const struct moving *m, uint32_t root)
{
	const struct paths *to = calltree_paths(m->to);

	for (uint32_t r = 0; r < to->roots; r++) {
		if (m->to->callers != NULL ? to->items[r].method == m->from->items[root].method
					   : to->root_thread[r] == m->from->root_thread[root])
			return r;
	}
	return PATH_NONE;
}

static uint32_t
child_now(struct moving *m, uint32_t above, uint32_t method)
{
	if (above == PATH_NONE)
		return PATH_NONE;
	if (m->to->callers != NULL)
		callers_expand(m->to->callers, above);
	return paths_child(calltree_paths(m->to), above, method);
}

/* `*last` becomes the nearest frame that there still is. */
static uint32_t
path_now(struct moving *m, uint32_t path, uint32_t *last)
{
	size_t n = 0;
	uint32_t id = path, now;

	while (id != PATH_NONE && m->now[id] == PATH_NONE) {
		MEM_GROW(m->way, m->way_room, n + 1);
		m->way[n++] = id;
		id = m->from->items[id].parent;
	}
	now = *last = id != PATH_NONE ? m->now[id] : PATH_NONE;
	while (n-- > 0) {
		id = m->way[n];
		now = m->from->items[id].parent == PATH_NONE
			  ? root_now(m, id)
			  : child_now(m, now, m->from->items[id].method);
		m->now[id] = now;
		if (now != PATH_NONE)
			*last = now;
	}
	return now;
}

/* A chain may have ended: rows below it stay open all the same. */
static void
open_chains(struct calltree *t, const struct paths *from)
{
	for (size_t i = 0; i < t->list.at.count; i++) {
		const struct list_row *row = &t->list.rows[i];

		if (tree_is_folded(row) || !list_is_open(&t->list, row->id))
			continue;
		for (uint32_t id = tree_path(row); id != tree_head(row);) {
			id = from->items[id].parent;
			(void)ids_add(&t->list.open, tree_id(id, TREE_PATH));
		}
	}
}

static void
ids_move(struct moving *m, struct ids *ids)
{
	struct ids was = *ids;
	const struct list_id *id;
	uint32_t last, now;

	*ids = (struct ids){.count = 0};
	for (size_t at = 0; (id = ids_next(&was, &at)) != NULL;) {
		now = path_now(m, (uint32_t)id->a, &last);
		if (now != PATH_NONE)
			(void)ids_add(ids, (struct list_id){now, id->b});
	}
	ids_release(&was);
}

void
tree_move(struct calltree *t, const struct paths *from)
{
	struct moving m = {.from = from, .to = t};
	struct list_id *wanted = &t->list.wanted;
	uint32_t last, now;

	open_chains(t, from);
	m.now = mem_alloc(((size_t)from->count + 1) * sizeof(*m.now));
	memset(m.now, 0xff, from->count * sizeof(*m.now));
	ids_move(&m, &t->list.open);
	ids_move(&m, &t->apart);
	now = path_now(&m, (uint32_t)wanted->a, &last);
	*wanted = (struct list_id){last, now != PATH_NONE ? wanted->b : TREE_PATH};
	mem_free(m.now);
	mem_free(m.way);
}
