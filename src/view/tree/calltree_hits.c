// SPDX-License-Identifier: Apache-2.0
/*
 * calltree_hits: which paths of a call tree the filters leave and the search finds.
 *
 * All paths are gone through once for each change; hits are counted at and below each, so
 * that the next one is found without making rows.
 */
#include <config.h>

#include "view/tree/calltree.h"

#include <string.h>

#include "base/mem.h"

/* Filters --------------------------------------------------------------------------- */

/* Keeps paths that pass, and those above them; anew when a filter gives up on the way. */
static void
filter_paths(struct calltree *t)
{
	const struct path *items = t->paths->items;
	struct filters *f = &t->display->filters;
	uint8_t *shown = t->shown;
	size_t costly;

	do {
		costly = filters_costly(f);
		memset(shown, 0, t->paths->count);
		for (uint32_t id = t->paths->count; id-- > t->paths->roots;) {
			shown[id] |= filters_pass(f, t->display->figures.names, items[id].method);
			shown[items[id].parent] |= shown[id];
		}
	} while (filters_costly(f) != costly);
	memset(shown, 1, t->paths->roots);
}

/* The callers of what filters leave, as one row and one by one, where they are several. */
static void
match_callers(struct calltree *t)
{
	struct filters *f = &t->display->filters;
	uint32_t count = t->paths != NULL ? t->paths->method_count : 0, n = 0;
	bool first = t->matching == NULL;
	uint8_t *set;

	callers_free(t->matching);
	t->matching = NULL;
	t->callers = t->given;
	if (t->paths == NULL || t->given == NULL || !filters_active(f))
		return;
	set = mem_zero((size_t)count + 1, sizeof(*set));
	for (uint32_t r = 0; r < t->given->tree.roots; r++) {
		uint32_t method = t->given->tree.items[r].method;

		set[method] = filters_pass(f, t->display->figures.names, method);
		n += set[method];
	}
	if (n > 1) {
		t->callers = t->matching = callers_new(t->paths, set);
		if (first)
			(void)ids_add(&t->list.open, tree_id(tree_identity(t, 0), TREE_PATH));
	}
	mem_free(set);
}

void
tree_refilter(struct calltree *t)
{
	mem_free(t->shown);
	t->shown = NULL;
	match_callers(t);
	if (t->paths == NULL)
		return;
	if (t->display->filters.count > 0 && t->callers == NULL) {
		t->shown = mem_alloc((size_t)t->paths->count + 1);
		filter_paths(t);
	}
	tree_research(t);
}

bool
tree_shown(const struct calltree *t, uint32_t path)
{
	struct display *display = t->display;

	if (t->callers == NULL)
		return t->shown == NULL || t->shown[path] != 0;
	return path >= t->callers->tree.roots || t->matching != NULL || display->filters.count == 0 ||
	       filters_pass(&display->filters, display->figures.names,
		   t->callers->tree.items[path].method);
}

/* Search ---------------------------------------------------------------------------- */

bool
tree_is_hit(const struct calltree *t, uint32_t path)
{
	uint32_t method = calltree_paths(t)->items[path].method;

	/* B's fold has no methods of A. */
	return tree_shown(t, path) && (t->pair != NULL ? display_matches(t->display, method)
						       : display_is_hit(t->display, method));
}

void
tree_research(struct calltree *t)
{
	const struct paths *p = t->paths;

	mem_free(t->hits);
	t->hits = NULL;
	if (p == NULL || t->callers != NULL || t->display->search == NULL)
		return;
	t->hits = mem_zero((size_t)p->count + 1, sizeof(*t->hits));
	for (uint32_t id = p->count; id-- > p->roots;) {
		t->hits[id] += tree_is_hit(t, id);
		t->hits[p->items[id].parent] += t->hits[id];
	}
}

static uint32_t
hits_of_all(const struct calltree *t)
{
	uint32_t all = 0;

	for (uint32_t r = 0; r < t->paths->roots; r++)
		all += t->hits[r];
	return all;
}

/* The hit found last, as long as the cursor is on its row. */
static uint32_t
hit_at(const struct calltree *t)
{
	const struct list_row *row = list_row(&t->list);

	if (t->hit == PATH_NONE || t->hits == NULL || row == NULL || t->hit >= t->paths->count ||
	    !tree_is_hit(t, t->hit) || !tree_row_has(t, row, t->hit))
		return PATH_NONE;
	return t->hit;
}

/* How many hits come before the path, in the order of the rows. */
static int64_t
hits_before(struct calltree *t, uint32_t path)
{
	int64_t n = 0;

	while (path != PATH_NONE) {
		uint32_t above = t->paths->items[path].parent, count;
		const uint32_t *child = tree_children(t, above, &count);

		for (uint32_t i = 0; i < count && child[i] != path; i++)
			n += t->hits[child[i]];
		n += above != PATH_NONE && tree_is_hit(t, above);
		path = above;
	}
	return n;
}

/* The hit that so many come before; there are more than that. */
static uint32_t
hit_number(struct calltree *t, int64_t n)
{
	uint32_t path = PATH_NONE;

	do {
		uint32_t count, i = 0;
		const uint32_t *child = tree_children(t, path, &count);

		for (; n >= t->hits[child[i]]; i++)
			n -= t->hits[child[i]];
		path = child[i];
	} while (!tree_is_hit(t, path) || n-- > 0);
	return path;
}

enum hits_found
tree_next_hit(void *tree, int direction, struct list_id *to)
{
	struct calltree *t = tree;
	const struct list_row *row;
	uint32_t at, all;
	int64_t n;

	calltree_follow(t);
	row = list_row(&t->list);
	all = t->hits != NULL ? hits_of_all(t) : 0;
	if (row == NULL || all == 0)
		return HITS_NONE;
	at = hit_at(t);
	if (!tree_is_folded(row) && direction == 0)
		at = tree_head(row);
	else if (at == PATH_NONE)
		at = direction < 0 && !tree_is_folded(row) ? tree_head(row) : tree_path(row);
	n = hits_before(t, at);
	if (direction < 0)
		n--;
	else if (tree_is_folded(row) || direction > 0)
		n += tree_is_hit(t, at);
	t->hit = hit_number(t, n < 0 ? all - 1 : n < all ? n : 0);
	calltree_go(t, t->hit);
	*to = tree_id(tree_identity(t, t->hit), TREE_PATH);
	return n >= 0 && n < all ? HITS_FOUND : HITS_WRAPPED;
}

void
tree_count_hits(void *tree, size_t *n, size_t *of)
{
	struct calltree *t = tree;
	uint32_t at = hit_at(t);

	*of = t->hits != NULL ? hits_of_all(t) : 0;
	*n = at != PATH_NONE ? (size_t)hits_before(t, at) + 1 : 0;
}
