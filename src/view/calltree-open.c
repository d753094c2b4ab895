/* Opening and closing rows of a call tree, and stepping along its branches. */
#include <config.h>

#include "base/mem.h"
#include "view/calltree_rows.h"

static struct tree_row *
cursor_row(struct calltree *t)
{
	t->settled = true;
	return t->at.cursor < t->at.count ? &t->rows[t->at.cursor] : NULL;
}

/* What came out should be seen, as far as the cursor stays in view. */
static void
show_below(struct calltree *t)
{
	size_t end = t->at.cursor + 1;

	while (end < t->at.count && t->rows[end].depth > t->rows[t->at.cursor].depth)
		end++;
	if (t->at.height > 0 && end > t->at.top + t->at.height)
		t->at.top = end - t->at.height < t->at.cursor ? end - t->at.height : t->at.cursor;
	scroll_keep(&t->at);
}

bool
calltree_expand(struct calltree *t)
{
	struct tree_row *row = cursor_row(t);

	if (row == NULL)
		return false;
	if (row->folded != 0) {
		/* The first of them takes the place of the row that told of them. */
		*tree_flags(t, row->path) |= TREE_WHOLE;
		tree_rows_all(t);
		scroll_keep(&t->at);
		return true;
	}
	if (calltree_is_open(t, row) || !calltree_has_children(t, row))
		return false;
	*tree_flags(t, row->path) |= TREE_OPEN;
	tree_rows_insert(t, t->at.cursor);
	show_below(t);
	return true;
}

bool
calltree_open(struct calltree *t)
{
	struct tree_row *row = cursor_row(t);
	uint32_t id;

	if (row == NULL || row->folded != 0 || row->path == row->head)
		return calltree_expand(t);
	for (id = row->path; id != row->head; id = calltree_paths(t)->items[id].parent)
		*tree_flags(t, calltree_paths(t)->items[id].parent) |= TREE_APART | TREE_OPEN;
	tree_rows_all(t);
	show_below(t);
	return true;
}

bool
calltree_close(struct calltree *t)
{
	struct tree_row *row = cursor_row(t);
	uint8_t *flags;

	if (row == NULL || !calltree_is_open(t, row))
		return false;
	tree_rows_remove(t, t->at.cursor);
	*tree_flags(t, row->path) &= (uint8_t) ~(TREE_OPEN | TREE_APART | TREE_WHOLE);
	/* A chain that was taken apart is one row again. */
	row->path = tree_chain_end(t, row->head);
	flags = tree_flags(t, row->path);
	*flags &= (uint8_t)~TREE_OPEN;
	scroll_keep(&t->at);
	return true;
}

size_t
calltree_below(const struct calltree *t, size_t most)
{
	const struct tree_row *row = calltree_row(t);
	const struct paths *p = calltree_paths(t);
	size_t count = 0;
	uint32_t from, to;

	if (row == NULL || row->folded != 0)
		return 0;
	if (t->callers != NULL)
		return callers_below(t->callers, row->path, most);
	/* Level by level: those of one stand in a row. */
	from = p->items[row->path].child;
	to = from + p->items[row->path].children;
	while (from < to && count < most) {
		uint32_t first = to, last = to;

		count += to - from;
		for (uint32_t id = from; id < to; id++) {
			if (p->items[id].children == 0)
				continue;
			if (first == last)
				first = p->items[id].child;
			last = p->items[id].child + p->items[id].children;
		}
		from = first;
		to = last;
	}
	return count < most ? count : most;
}

/* The callers of a path, as long as all that were made come to no more than is allowed. */
static bool
callers_make(struct calltree *t, uint32_t path, size_t *cost)
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
	struct tree_row *row = cursor_row(t);
	uint32_t *queue;
	size_t count = 1, done = 0, cost = 0;

	if (row == NULL || row->folded != 0)
		return true;
	queue = mem_alloc((most + 1) * sizeof(*queue));
	queue[0] = row->path;
	for (; done < count; done++) {
		const struct path *p;

		if (!callers_make(t, queue[done], &cost))
			break;
		p = &calltree_paths(t)->items[queue[done]];
		if (p->children == 0)
			continue;
		if (count + p->children > most + 1)
			break;
		*tree_flags(t, queue[done]) |= TREE_OPEN;
		for (uint32_t c = 0; c < p->children; c++)
			queue[count++] = p->child + c;
	}
	mem_free(queue);
	tree_rows_all(t);
	show_below(t);
	return done == count;
}

/* The shown child with the most weight; PATH_NONE when there is none, or it is small. */
static uint32_t
heaviest(struct calltree *t, uint32_t path)
{
	const struct paths *p;
	uint32_t best = PATH_NONE;

	p = calltree_paths(t);
	for (uint32_t c = p->items[path].child, n = p->items[path].children; n > 0; c++, n--) {
		if (tree_shown(t, c) &&
		    (best == PATH_NONE ||
			tree_weight(t, &p->items[c]) > tree_weight(t, &p->items[best])))
			best = c;
	}
	if (best != PATH_NONE && tree_is_small(t, best) &&
	    (tree_flag(t, path) & TREE_WHOLE) == 0 && p->items[path].children > 1)
		return PATH_NONE;
	return best;
}

bool
calltree_heaviest(struct calltree *t, bool *whole)
{
	const struct tree_row *row = cursor_row(t);
	uint32_t path, next;
	size_t line = scroll_line(&t->at), at, cost = 0;

	*whole = true;
	if (row == NULL || row->folded != 0)
		return false;
	for (path = row->path; (*whole = callers_make(t, path, &cost)) &&
	     (next = heaviest(t, path)) != PATH_NONE; path = next)
		*tree_flags(t, path) |= TREE_OPEN;
	if (path == row->path)
		return false;
	tree_rows_all(t);
	at = tree_rows_find(t, path);
	if (at < t->at.count)
		scroll_put(&t->at, at, line + (at - t->at.cursor));
	return true;
}

bool
calltree_to_parent(struct calltree *t)
{
	const struct tree_row *row = cursor_row(t);
	size_t at = t->at.cursor;

	if (row == NULL || row->depth == 0)
		return false;
	while (at > 0 && t->rows[at].depth >= row->depth)
		at--;
	return scroll_move(&t->at, -(int64_t)(t->at.cursor - at));
}

bool
calltree_to_child(struct calltree *t)
{
	const struct tree_row *row = cursor_row(t);
	size_t next = t->at.cursor + 1;

	if (row == NULL || next >= t->at.count || t->rows[next].depth <= row->depth)
		return false;
	return scroll_move(&t->at, 1);
}

bool
calltree_to_sibling(struct calltree *t, int direction)
{
	const struct tree_row *row = cursor_row(t);
	int64_t at = (int64_t)t->at.cursor;

	if (row == NULL)
		return false;
	do
		at += direction;
	while (at >= 0 && at < (int64_t)t->at.count && t->rows[at].depth > row->depth);
	if (at < 0 || at >= (int64_t)t->at.count || t->rows[at].depth < row->depth)
		return false;
	return scroll_move(&t->at, at - (int64_t)t->at.cursor);
}
