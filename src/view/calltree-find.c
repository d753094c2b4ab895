/* Filters, search and selection of a call tree. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "view/calltree_rows.h"

/* Filters ------------------------------------------------------------------------ */

static size_t
costly_filters(const struct filters *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++)
		n += f->list[i].costly;
	return n;
}

/*
 * Millions of paths are gone through for each letter that is typed: without their times
 * they are an eighth of the memory.
 */
static const struct tree_link *
links_of(struct calltree *t)
{
	const struct path *items = t->paths->items;

	if (t->links == NULL) {
		t->links = mem_alloc(((size_t)t->paths->count + 1) * sizeof(*t->links));
		for (uint32_t id = 0; id < t->paths->count; id++)
			t->links[id] = (struct tree_link){items[id].method, items[id].parent};
	}
	return t->links;
}

/* By method: does it pass?  Asked anew when a filter gives up on the way. */
static uint8_t *
methods_passing(struct calltree *t)
{
	const struct tree_link *links = links_of(t);
	uint32_t count = t->paths->method_count;
	struct filters *f = &t->table->filters;
	uint8_t *pass = mem_zero(count, 1), *met = mem_zero(count, 1);
	size_t costly;

	/* A file may name many that were never called. */
	for (uint32_t id = t->paths->roots; id < t->paths->count; id++)
		met[links[id].method] = 1;
	do {
		costly = costly_filters(f);
		for (uint32_t m = 1; m < count; m++)
			pass[m] = met[m] && filters_pass(f, t->table->figures.names, m);
	} while (costly_filters(f) != costly);
	mem_free(met);
	return pass;
}

/* What passes, and what leads to it. */
static void
filter_paths(struct calltree *t)
{
	const struct tree_link *links = links_of(t);
	uint8_t *pass = methods_passing(t), *shown = t->shown;

	for (uint32_t id = t->paths->count; id-- > t->paths->roots;) {
		shown[id] |= pass[links[id].method];
		shown[links[id].parent] |= shown[id];
	}
	memset(shown, 1, t->paths->roots);
	mem_free(pass);
}

void
tree_refilter(struct calltree *t)
{
	mem_free(t->shown);
	t->shown = NULL;
	if (t->paths == NULL)
		return;
	if (t->table->filters.count > 0 && t->callers == NULL) {
		t->shown = mem_zero((size_t)t->paths->count + 1, 1);
		filter_paths(t);
	}
	tree_research(t);
}

/* Search ------------------------------------------------------------------------- */

static bool
is_hit(const struct calltree *t, uint32_t path)
{
	return tree_shown(t, path) &&
	    table_is_hit(t->table, calltree_paths(t)->items[path].method);
}

void
tree_research(struct calltree *t)
{
	const struct paths *p = t->paths;
	const struct tree_link *links;
	uint8_t *hit;

	mem_free(t->hits);
	t->hits = NULL;
	if (p == NULL || t->callers != NULL || t->table->search == NULL)
		return;
	links = links_of(t);
	hit = mem_zero((size_t)p->method_count + 1, 1);
	for (uint32_t m = 1; m < p->method_count; m++)
		hit[m] = table_is_hit(t->table, m);
	t->hits = mem_zero((size_t)p->count + 1, sizeof(*t->hits));
	for (uint32_t id = p->count; id-- > p->roots;) {
		if (hit[links[id].method] && (t->shown == NULL || t->shown[id]))
			t->hits[id]++;
		t->hits[links[id].parent] += t->hits[id];
	}
	mem_free(hit);
}

/* The neighbour on that side with hits at or below it; PATH_NONE: none. */
static uint32_t
sibling_with_hits(struct calltree *t, uint32_t path, int direction)
{
	uint32_t count, found = PATH_NONE;
	const struct path *const *child =
	    tree_children(t, t->paths->items[path].parent, &count);
	bool passed = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = paths_id(t->paths, child[direction > 0 ? i : count - 1 - i]);

		if (passed && t->hits[id] > 0) {
			found = id;
			break;
		}
		passed |= id == path;
	}
	return found;
}

/* The first or last child with hits at or below it. */
static uint32_t
child_with_hits(struct calltree *t, uint32_t path, int direction)
{
	uint32_t count;
	const struct path *const *child = tree_children(t, path, &count);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = paths_id(t->paths, child[direction > 0 ? i : count - 1 - i]);

		if (t->hits[id] > 0)
			return id;
	}
	return PATH_NONE;
}

static uint32_t
hits_below(const struct calltree *t, uint32_t path)
{
	return t->hits[path] - is_hit(t, path);
}

static uint32_t
first_hit_in(struct calltree *t, uint32_t path)
{
	while (!is_hit(t, path))
		path = child_with_hits(t, path, 1);
	return path;
}

static uint32_t
last_hit_in(struct calltree *t, uint32_t path)
{
	while (hits_below(t, path) > 0)
		path = child_with_hits(t, path, -1);
	return path;
}

/* PATH_NONE when there is none behind it. */
static uint32_t
hit_after(struct calltree *t, uint32_t path)
{
	uint32_t next;

	if (hits_below(t, path) > 0)
		return first_hit_in(t, child_with_hits(t, path, 1));
	while (path != PATH_NONE && (next = sibling_with_hits(t, path, 1)) == PATH_NONE)
		path = t->paths->items[path].parent;
	return path == PATH_NONE ? PATH_NONE : first_hit_in(t, next);
}

static uint32_t
hit_before(struct calltree *t, uint32_t path)
{
	uint32_t next;

	while ((next = sibling_with_hits(t, path, -1)) == PATH_NONE) {
		path = t->paths->items[path].parent;
		if (path == PATH_NONE || is_hit(t, path))
			return path;
	}
	return last_hit_in(t, next);
}

static enum table_found
search_rows(struct calltree *t, int direction)
{
	size_t count = t->at.count, at = t->at.cursor;

	for (size_t i = 0; i < count; i++) {
		if (direction != 0 || i > 0)
			at = (at + (direction < 0 ? count - 1 : 1)) % count;
		if (t->rows[at].folded == 0 && is_hit(t, t->rows[at].path)) {
			bool wrapped = direction < 0 ? at >= t->at.cursor
			    : direction > 0	     ? at <= t->at.cursor
						     : at < t->at.cursor;

			scroll_move(&t->at, (int64_t)at - (int64_t)t->at.cursor);
			return wrapped ? TABLE_FOUND_WRAPPED : TABLE_FOUND;
		}
	}
	return TABLE_NOT_FOUND;
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
	const struct tree_row *row = calltree_row(t);

	if (t->hit == PATH_NONE || t->hits == NULL || row == NULL || t->hit >= t->paths->count ||
	    !is_hit(t, t->hit) || !tree_row_has(t, row, t->hit))
		return PATH_NONE;
	return t->hit;
}

/* The next one in that direction, or for 0 from the row's own on; PATH_NONE: none. */
static uint32_t
hit_from(struct calltree *t, const struct tree_row *row, int direction)
{
	uint32_t at = hit_at(t), first = PATH_NONE;

	if (direction < 0)
		return hit_before(t, at != PATH_NONE ? at : row->head);
	if (direction > 0 || row->folded != 0)
		return hit_after(t, at != PATH_NONE ? at : row->path);
	for (uint32_t id = row->path;; id = t->paths->items[id].parent) {
		if (is_hit(t, id))
			first = id;
		if (id == row->head)
			break;
	}
	return first != PATH_NONE ? first : hit_after(t, row->path);
}

enum table_found
calltree_search_next(struct calltree *t, int direction)
{
	const struct tree_row *row = calltree_row(t);
	bool wrapped = false;
	uint32_t path;

	t->settled = true;
	if (row == NULL)
		return TABLE_NOT_FOUND;
	if (t->callers != NULL)
		return search_rows(t, direction);
	if (t->hits == NULL || hits_of_all(t) == 0)
		return TABLE_NOT_FOUND;
	path = hit_from(t, row, direction);
	if (path == PATH_NONE) {
		/* Around the end: as if at the first or last thread. */
		path = child_with_hits(t, PATH_NONE, direction < 0 ? -1 : 1);
		path = direction < 0 ? last_hit_in(t, path) : first_hit_in(t, path);
		wrapped = true;
	}
	calltree_go(t, path);
	t->hit = path;
	return wrapped ? TABLE_FOUND_WRAPPED : TABLE_FOUND;
}

/* Hits up to this one, in the order of the rows. */
static size_t
hit_place(struct calltree *t, uint32_t path)
{
	size_t n = 1;

	while (path != PATH_NONE) {
		uint32_t parent = t->paths->items[path].parent, count;
		const struct path *const *child = tree_children(t, parent, &count);

		for (uint32_t i = 0; i < count && paths_id(t->paths, child[i]) != path; i++)
			n += t->hits[paths_id(t->paths, child[i])];
		if (parent != PATH_NONE)
			n += is_hit(t, parent);
		path = parent;
	}
	return n;
}

void
calltree_search_position(struct calltree *t, size_t *n, size_t *of)
{
	*n = *of = 0;
	if (t->callers != NULL || t->hits == NULL) {
		for (size_t i = 0; i < t->at.count; i++) {
			if (t->rows[i].folded != 0 || !is_hit(t, t->rows[i].path))
				continue;
			++*of;
			if (i == t->at.cursor)
				*n = *of;
		}
		return;
	}
	*of = hits_of_all(t);
	*n = hit_at(t) != PATH_NONE ? hit_place(t, t->hit) : 0;
}

/* Selection ---------------------------------------------------------------------- */

void
tree_open_to(struct calltree *t, uint32_t path)
{
	const struct paths *p = calltree_paths(t);

	for (uint32_t id = path; p->items[id].parent != PATH_NONE; id = p->items[id].parent) {
		uint8_t *flags = tree_flags(t, p->items[id].parent);

		*flags |= TREE_OPEN;
		if (tree_is_small(t, id))
			*flags |= TREE_WHOLE;
	}
}

void
calltree_go(struct calltree *t, uint32_t path)
{
	size_t line = scroll_line(&t->at), at;

	t->settled = true;
	tree_open_to(t, path);
	at = tree_rows_find(t, path);
	if (at == t->at.count) {
		tree_rows_all(t);
		at = tree_rows_find(t, path);
	}
	if (at < t->at.count)
		scroll_put(&t->at, at, line);
}

void
calltree_select(struct calltree *t, const struct selection *s)
{
	const struct paths *p;
	uint32_t path = PATH_NONE;

	if (t->paths == NULL || s->method == METHOD_NONE)
		return;
	/* Its method, wherever on its path: there the cursor stays. */
	if (s->depth == 0 && calltree_method(t) == s->method)
		return;
	if (t->callers == NULL) {
		path = selection_find(s, t->paths, tree_clock(t));
	} else {
		p = calltree_paths(t);
		for (uint32_t r = 0; r < p->roots && path == PATH_NONE; r++) {
			if (p->items[r].method == s->method)
				path = r;
		}
	}
	if (path != PATH_NONE)
		calltree_go(t, path);
}

void
calltree_selected(const struct calltree *t, struct selection *s)
{
	const struct tree_row *row = calltree_row(t);

	if (row == NULL)
		return;
	if (t->callers == NULL)
		selection_set_path(s, t->paths, row->path);
	else if (calltree_method(t) != METHOD_NONE)
		selection_set_method(s, calltree_method(t));
}
