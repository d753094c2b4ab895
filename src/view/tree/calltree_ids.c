// SPDX-License-Identifier: Apache-2.0
/* calltree_ids: identities of paths, and paths by identity, whatever the newest answer has. */
#include <config.h>

#include "base/mem.h"
#include "view/tree/calltree.h"

static struct identities *
identities_of(const struct calltree *t)
{
	return t->display->figures.identities;
}

static uint64_t
method_of(const struct calltree *t, uint32_t path)
{
	return identity_method(identities_of(t), calltree_paths(t)->items[path].method);
}

/* Callers begin with a method; threads together are no thread; those of A only have a name. */
static uint64_t
root_identity(const struct calltree *t, uint32_t root)
{
	enum { CALLERS = 1, TOGETHER, ONLY_A };

	if (t->callers != NULL)
		return identity_below(CALLERS, method_of(t, root));
	if (t->pair != NULL && t->pair->roots[root].name.p != NULL)
		return identity_below(ONLY_A, identity_text(t->pair->roots[root].name));
	if (t->paths->root_thread[root] == THREAD_NONE)
		return identity_below(0, TOGETHER);
	return identity_thread(identities_of(t), t->paths->root_thread[root]);
}

uint64_t
tree_below(const struct calltree *t, uint64_t above, uint32_t path)
{
	return above != 0 ? identity_below(above, method_of(t, path)) : root_identity(t, path);
}

uint64_t
tree_keep(struct calltree *t, uint64_t above, uint32_t path)
{
	uint64_t id = tree_below(t, above, path);

	if (!t->list.all)
		identities_keep(identities_of(t), id,
		    (struct identity_step){above, above != 0 ? method_of(t, path) : 0});
	return id;
}

bool
tree_chain_up(const struct calltree *t, const struct list_row *row, struct tree_at *at)
{
	struct identity_step step;

	if (tree_is_folded(row) || at->path == tree_head(row) ||
	    !identity_step(identities_of(t), at->id, &step))
		return false;
	*at = (struct tree_at){step.above, calltree_paths(t)->items[at->path].parent};
	return true;
}

/* Goes down the first `depth` steps, from the last one on, as far as there are such paths. */
static size_t
descend(struct calltree *t, uint32_t *path, size_t depth)
{
	size_t done = 0;

	for (; done < depth; done++) {
		uint64_t step = t->steps[depth - done - 1].method;
		uint32_t method = identity_to_method(identities_of(t), step), child;

		if (t->callers != NULL)
			callers_expand(t->callers, *path);
		child = paths_child(calltree_paths(t), *path, method);
		if (child == PATH_NONE)
			break;
		*path = child;
	}
	return done;
}

/* Threads are together now, or apart: the first that has the most of the stack; PATH_NONE. */
static uint32_t
deepest(struct calltree *t, size_t depth)
{
	uint32_t at = PATH_NONE;
	size_t most = 0;

	for (uint32_t root = 0; root < t->paths->roots; root++) {
		uint32_t path = root;
		size_t found = descend(t, &path, depth);

		if (found > most) {
			most = found;
			at = path;
		}
	}
	return at;
}

uint32_t
tree_nearest(struct calltree *t, uint64_t identity)
{
	struct identity_step step = {identity, 0};
	size_t depth = 0;

	for (step.above = identity; step.above != 0;) {
		MEM_GROW(t->steps, t->step_room, depth + 1);
		t->steps[depth].above = step.above;
		if (!identity_step(identities_of(t), step.above, &step))
			return PATH_NONE;
		t->steps[depth++].method = step.method;
	}
	if (depth == 0)
		return PATH_NONE;
	depth--;
	for (uint32_t root = 0; root < calltree_paths(t)->roots; root++) {
		if (root_identity(t, root) != t->steps[depth].above)
			continue;
		(void)descend(t, &root, depth);
		return root;
	}
	return t->callers == NULL ? deepest(t, depth) : PATH_NONE;
}

bool
tree_go_down(struct calltree *t, uint32_t path, bool reveal, uint64_t *id)
{
	const struct path *items = calltree_paths(t)->items;
	struct ids *open = &t->list.open;
	bool opened = false;
	size_t depth = 0;

	for (uint32_t at = path; at != PATH_NONE; at = items[at].parent)
		*MEM_ADD(t->way, depth, t->way_room) = at;
	for (*id = 0; depth > 0; *id = tree_keep(t, *id, t->way[depth])) {
		depth--;
		if (!reveal || *id == 0)
			continue;
		opened |= ids_add(open, tree_id(*id, TREE_PATH));
		opened |= tree_is_small(t, t->way[depth]) && ids_add(open, tree_id(*id, TREE_SMALL));
	}
	return opened;
}

uint64_t
tree_identity(struct calltree *t, uint32_t path)
{
	uint64_t id;

	(void)tree_go_down(t, path, false, &id);
	return id;
}

void
tree_open_chains(struct calltree *t)
{
	for (size_t i = 0; i < t->list.at.count; i++) {
		const struct list_row *row = &t->list.rows[i];
		struct tree_at at = {row->id.a, tree_path(row)};

		while (list_is_open(&t->list, row->id) && tree_chain_up(t, row, &at))
			(void)ids_add(&t->list.open, tree_id(at.id, TREE_PATH));
	}
}

bool
tree_find_wanted(struct calltree *t)
{
	struct list_id *wanted = &t->list.wanted;
	uint32_t path = tree_nearest(t, wanted->a);
	uint64_t id;

	(void)tree_go_down(t, path, true, &id);
	if (id != 0 && id != wanted->a)
		*wanted = tree_id(id, TREE_PATH);
	return id != 0;
}
