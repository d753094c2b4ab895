// SPDX-License-Identifier: Apache-2.0
/* calltree_go: rows opened and closed, the heaviest path, and the cursor put on a path (calltree.h). */
#include <config.h>

#include "base/mem.h"
#include "view/tree/calltree.h"

/* Opening and closing --------------------------------------------------------------- */

bool
calltree_open(struct calltree *t)
{
	const struct list_row *row = list_row(&t->list);
	struct tree_at at;

	if (row == NULL || tree_is_folded(row) || tree_path(row) == tree_head(row))
		return list_open(&t->list);
	for (at = (struct tree_at){row->id.a, tree_path(row)}; tree_chain_up(t, row, &at);) {
		(void)ids_add(&t->apart, tree_id(at.id, TREE_PATH));
		(void)ids_add(&t->list.open, tree_id(at.id, TREE_PATH));
	}
	list_reopen(&t->list);
	return true;
}

bool
calltree_close(struct calltree *t)
{
	const struct list_row *row = list_row(&t->list);
	struct ids *open = &t->list.open;
	struct tree_at at;

	if (row == NULL || !ids_remove(open, row->id))
		return false;
	(void)ids_remove(&t->apart, tree_id(row->id.a, TREE_PATH));
	(void)ids_remove(open, tree_id(row->id.a, TREE_SMALL));
	/* A chain that was taken apart is one row again. */
	for (at = (struct tree_at){row->id.a, tree_path(row)}; tree_chain_up(t, row, &at);)
		;
	(void)tree_chain_end(t, tree_head(row), &at.id);
	(void)ids_remove(open, tree_id(at.id, TREE_PATH));
	list_reopen(&t->list);
	return true;
}

size_t
calltree_below(const struct calltree *t, size_t most)
{
	const struct list_row *row = list_row(&t->list);
	const struct paths *p = calltree_paths(t);
	size_t count = 0;
	uint32_t first, end;

	if (row == NULL || tree_is_folded(row))
		return 0;
	if (t->callers != NULL)
		return callers_below(t->callers, tree_path(row), most);
	/* Level by level: nodes of one level are contiguous. */
	first = p->items[tree_path(row)].child;
	end = first + p->items[tree_path(row)].children;
	while (first < end && count < most) {
		uint32_t next = end, last = end;

		count += end - first;
		for (uint32_t id = first; id < end; id++) {
			if (p->items[id].children == 0)
				continue;
			if (next == last)
				next = p->items[id].child;
			last = p->items[id].child + p->items[id].children;
		}
		first = next;
		end = last;
	}
	return count < most ? count : most;
}

/* Makes the callers of a path, while the cost of all made so far is within the limit. */
static bool
make_callers(struct calltree *t, uint32_t path, size_t *cost)
{
	if (t->callers == NULL)
		return true;
	*cost += callers_cost(t->callers, path);
	if (*cost > CALLTREE_COST_MOST && *cost > callers_cost(t->callers, path))
		return false;
	callers_expand(t->callers, path);
	return true;
}

bool
calltree_open_all(struct calltree *t, size_t most)
{
	const struct list_row *row = list_row(&t->list);
	struct tree_at *queue;
	size_t count = 1, done = 0, cost = 0;

	if (row == NULL || tree_is_folded(row))
		return true;
	queue = mem_alloc((most + 1) * sizeof(*queue));
	queue[0] = (struct tree_at){row->id.a, tree_path(row)};
	for (; done < count; done++) {
		struct tree_at at = queue[done];
		const struct path *p;

		if (!make_callers(t, at.path, &cost))
			break;
		p = &calltree_paths(t)->items[at.path];
		if (p->children == 0)
			continue;
		if (count + p->children > most + 1)
			break;
		(void)ids_add(&t->list.open, tree_id(at.id, TREE_PATH));
		for (uint32_t c = p->child; c < p->child + p->children; c++)
			queue[count++] = (struct tree_at){
			    tree_below(t, at.id, c), c};
	}
	mem_free(queue);
	list_reopen(&t->list);
	return done == count;
}

bool
tree_is_idle(const struct calltree *t, const struct list_row *row)
{
	return !tree_is_folded(row) &&
	    (calltree_paths(t)->items[tree_head(row)].flags & PATH_IDLE) != 0;
}

/* The one with more weight; either may be PATH_NONE. */
static uint32_t
heavier(const struct calltree *t, uint32_t a, uint32_t b)
{
	return b != PATH_NONE && (a == PATH_NONE || tree_weight(t, b) > tree_weight(t, a)) ? b : a;
}

/*
 * The shown child that has half of what is not idle in its parent, or without busy ones the
 * heaviest idle one; PATH_NONE when there is none.
 */
static uint32_t
heaviest(const struct calltree *t, uint32_t path, uint64_t id, struct heaviest *found)
{
	const struct path *items = calltree_paths(t)->items, *p = &items[path];
	bool single = p->children == 1 || list_is_open(&t->list, tree_id(id, TREE_SMALL));
	uint32_t busy = PATH_NONE, idle = PATH_NONE;
	nsec all = t->callers == NULL ? p->exclusive[tree_clock(t)] : 0;

	for (uint32_t c = p->child; c < p->child + p->children; c++) {
		if (!tree_shown(t, c))
			continue;
		if ((items[c].flags & PATH_IDLE) == 0) {
			all += tree_weight(t, c);
			busy = heavier(t, busy, c);
		} else if (single || !tree_is_small(t, c)) {
			idle = heavier(t, idle, c);
		}
	}
	if (busy != PATH_NONE && tree_weight(t, busy) < all - tree_weight(t, busy))
		return PATH_NONE;
	if (busy == PATH_NONE) {
		found->idle |= idle != PATH_NONE;
		return idle;
	}
	if (heavier(t, busy, idle) == idle)
		found->passed = heavier(t, found->passed, idle);
	return busy;
}

bool
calltree_heaviest(struct calltree *t, struct heaviest *found)
{
	const struct list_row *row = list_row(&t->list);
	size_t top = t->list.at.top, cost = 0;
	uint32_t path, next;
	uint64_t id;

	*found = (struct heaviest){true, PATH_NONE, false};
	if (row == NULL || tree_is_folded(row))
		return false;
	id = row->id.a;
	for (path = tree_path(row); (found->whole = make_callers(t, path, &cost)) &&
	     (next = heaviest(t, path, id, found)) != PATH_NONE; path = next)
		id = tree_below(t, id, next);
	if (path == tree_path(row)) {
		(void)list_open(&t->list);
		return false;
	}
	calltree_go(t, path);
	(void)list_open(&t->list);
	t->list.at.top = top;
	scroll_keep(&t->list.at);
	return true;
}

/* Selection ------------------------------------------------------------------------- */

void
calltree_go(struct calltree *t, uint32_t path)
{
	size_t line = scroll_line(&t->list.at);
	uint64_t id;

	if (tree_go_down(t, path, true, &id))
		list_refilter(&t->list);
	(void)list_go(&t->list, tree_id(id, TREE_PATH), line);
}

bool
calltree_is_of(const struct calltree *t, uint32_t path, uint32_t thread)
{
	return t->paths->root_thread[t->root[path]] == thread;
}

/* True if the cursor is on that method and the selection's thread, as far as these are given. */
static bool
is_at(const struct calltree *t, const struct selection *s, uint32_t method)
{
	const struct list_row *row = list_row(&t->list);

	return row != NULL && s->depth == 0 && (method == METHOD_NONE || calltree_method(t) == method) &&
	    (t->callers != NULL || s->thread == THREAD_NONE ||
		calltree_is_of(t, tree_path(row), s->thread));
}

void
calltree_select(struct calltree *t, const struct selection *s)
{
	uint32_t method = s->idle ? METHOD_NONE : s->method, path = PATH_NONE;

	/* The cursor stays on a row of that method, whatever its path. */
	if (t->paths == NULL || is_at(t, s, method) || (t->matching != NULL && !t->list.settled))
		return;
	if (t->callers == NULL)
		path = selection_find(s, t->paths, tree_clock(t));
	for (uint32_t r = 0; t->callers != NULL && r < t->callers->tree.roots; r++)
		if (t->callers->tree.items[r].method == method)
			path = r;
	if (path == PATH_NONE)
		return;
	/* Its row is named after it. */
	t->alone = t->callers == NULL ? tree_identity(t, path) : 0;
	list_refilter(&t->list);
	calltree_go(t, path);
	if (t->callers == NULL && path < t->paths->roots)
		(void)list_open(&t->list);
}

void
tree_select_path(const struct calltree *t, uint32_t path, struct selection *s)
{
	while (t->pair != NULL && path != PATH_NONE && !pathpair_in_b(t->pair, path))
		path = t->paths->items[path].parent;
	if (path != PATH_NONE)
		selection_set_path(s, t->paths, path);
}

void
calltree_selected(const struct calltree *t, struct selection *s)
{
	const struct list_row *row = list_row(&t->list);

	if (row == NULL)
		return;
	if (t->callers == NULL)
		tree_select_path(t, tree_path(row), s);
	else if (calltree_method(t) != METHOD_NONE)
		selection_set_method(s, calltree_method(t));
}
