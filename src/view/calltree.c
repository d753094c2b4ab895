#include <config.h>

#include "view/calltree.h"

#include <string.h>

#include "base/mem.h"
#include "view/calltree_rows.h"

void
calltree_init(struct calltree *t, struct table *table, bool callers)
{
	*t = (struct calltree){.table = table,
		.hit = PATH_NONE,
		.sort = callers ? COLUMN_EXCL_PERCENT : COLUMN_INCL_PERCENT};
}

void
calltree_release(struct calltree *t)
{
	tree_work_free(t->work);
	mem_free(t->rows);
	mem_free(t->flags);
	mem_free(t->shown);
	mem_free(t->hits);
	mem_free(t->links);
}

const struct paths *
calltree_paths(const struct calltree *t)
{
	return t->callers != NULL ? &t->callers->tree : t->paths;
}

/* What stays open when paths change --------------------------------------------- */

/* From the paths at hand to others, which may have less. */
struct moving {
	const struct paths *from;
	struct calltree *to;  /* has the new paths already */
	uint32_t *now;        /* by path: its new id; PATH_NONE: not known yet, or gone */
	uint32_t *way;        /* scratch: up to what is known */
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
child_now(struct moving *m, uint32_t parent, uint32_t method)
{
	if (parent == PATH_NONE)
		return PATH_NONE;
	if (m->to->callers != NULL)
		callers_expand(m->to->callers, parent);
	return paths_child(calltree_paths(m->to), parent, method);
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

static void
flags_move(struct moving *m, const uint8_t *flags, size_t count)
{
	for (uint32_t id = 0; id < count && id < m->from->count; id++) {
		uint32_t last, now;

		if (flags[id] == 0)
			continue;
		now = path_now(m, id, &last);
		if (now != PATH_NONE)
			*tree_flags(m->to, now) |= flags[id];
	}
}

static void
figures_measure(struct calltree *t)
{
	const struct paths *p = calltree_paths(t);

	t->most_calls = 0;
	for (int c = 0; c < CLOCKS; c++)
		t->total[c] = t->paths != NULL ? paths_total(t->paths, (enum clock_id)c) : 0;
	for (uint32_t id = 0; p != NULL && id < p->count; id++) {
		if (p->items[id].calls > t->most_calls)
			t->most_calls = p->items[id].calls;
	}
}

/* As long as the user has no opinion: the first thread, opened. */
static void
begin(struct calltree *t)
{
	uint32_t count;
	const struct path *const *root = tree_children(t, PATH_NONE, &count);

	if (t->flag_room > 0)
		memset(t->flags, 0, t->flag_room);
	if (count > 0 && t->callers == NULL)
		*tree_flags(t, paths_id(t->paths, root[0])) |= TREE_OPEN;
	tree_rows_all(t);
	scroll_put(&t->at, 0, 0);
}

/* A chain may be none any more: what is below it is to be seen all the same. */
static void
chains_mark(struct calltree *t, const struct paths *from)
{
	for (size_t i = 0; i < t->at.count; i++) {
		const struct tree_row *row = &t->rows[i];
		uint32_t id = row->path;

		if (row->folded != 0 || id == row->head || !calltree_is_open(t, row))
			continue;
		while (id != row->head) {
			id = from->items[id].parent;
			*tree_flags(t, id) |= TREE_OPEN;
		}
	}
}

/* Returns the path that the cursor's is now. */
static uint32_t
state_move(struct calltree *t, const struct paths *from)
{
	struct moving m = {.from = from, .to = t};
	uint32_t cursor = PATH_NONE;
	uint8_t *flags;
	size_t count;

	chains_mark(t, from);
	flags = t->flags;
	count = t->flag_room;
	t->flags = NULL;
	t->flag_room = 0;
	m.now = mem_alloc(((size_t)from->count + 1) * sizeof(*m.now));
	memset(m.now, 0xff, from->count * sizeof(*m.now));
	flags_move(&m, flags, count);
	if (t->at.cursor < t->at.count)
		(void)path_now(&m, t->rows[t->at.cursor].path, &cursor);
	mem_free(m.now);
	mem_free(m.way);
	mem_free(flags);
	return cursor;
}

/* On its row, or on that of the nearest frame above that has one. */
static void
cursor_put(struct calltree *t, uint32_t path, size_t line)
{
	size_t at = t->at.count;

	while (path != PATH_NONE && at == t->at.count) {
		at = tree_rows_find(t, path);
		path = calltree_paths(t)->items[path].parent;
	}
	if (at < t->at.count)
		scroll_put(&t->at, at, line);
	else
		scroll_keep(&t->at);
}

void
calltree_set(struct calltree *t, const struct paths *paths, struct callers *callers)
{
	const struct paths *from = t->paths != NULL ? calltree_paths(t) : NULL;
	uint32_t cursor = PATH_NONE;
	size_t line = scroll_line(&t->at);

	t->paths = paths;
	t->callers = callers;
	mem_free(t->links);
	t->links = NULL;
	t->hit = PATH_NONE;
	figures_measure(t);
	if (paths == NULL) {
		t->at.count = 0;
		return;
	}
	if (from != NULL && t->settled)
		cursor = state_move(t, from);
	tree_refilter(t);
	if (!t->settled) {
		begin(t);
		return;
	}
	/* The rows at hand are of ids that are no more. */
	t->at.count = 0;
	if (cursor != PATH_NONE)
		tree_open_to(t, cursor);
	tree_rows_all(t);
	cursor_put(t, cursor, line);
}

/* Rows, order, screen ------------------------------------------------------------ */

void
tree_rebuild(struct calltree *t)
{
	const struct tree_row *row = calltree_row(t);
	uint32_t path = row != NULL ? row->path : PATH_NONE;
	size_t line = scroll_line(&t->at);

	if (t->paths == NULL)
		return;
	tree_rows_all(t);
	if (t->settled)
		cursor_put(t, path, line);
	else
		scroll_keep(&t->at);
}

void
calltree_follow(struct calltree *t)
{
	const struct table *table = t->table;
	bool filters = t->filter_changes != table->filter_changes;

	if (!filters && t->search_changes == table->search_changes &&
	    t->clock == table->figures.clock)
		return;
	if (filters)
		tree_refilter(t);
	else
		tree_research(t);
	if (filters || t->clock != table->figures.clock)
		tree_rebuild(t);
	t->filter_changes = table->filter_changes;
	t->search_changes = table->search_changes;
	t->clock = table->figures.clock;
}

void
calltree_set_height(struct calltree *t, size_t rows)
{
	if (t->at.height != rows) {
		t->at.height = rows;
		scroll_keep(&t->at);
	}
}

void
calltree_sort(struct calltree *t, enum column_id sort, bool ascending)
{
	t->sort = sort;
	t->ascending = ascending;
	t->settled = true;
	tree_rebuild(t);
}

const struct tree_row *
calltree_row(const struct calltree *t)
{
	return t->at.cursor < t->at.count ? &t->rows[t->at.cursor] : NULL;
}

uint32_t
calltree_method(const struct calltree *t)
{
	const struct tree_row *row = calltree_row(t);
	uint32_t method;

	if (row == NULL || row->folded != 0)
		return METHOD_NONE;
	/* Upside down the nearest caller is what the row is about. */
	method = calltree_paths(t)->items[t->callers != NULL ? row->head : row->path].method;
	return method == METHOD_TOPLEVEL ? METHOD_NONE : method;
}

bool
calltree_is_open(const struct calltree *t, const struct tree_row *row)
{
	return row->folded == 0 && (tree_flag(t, row->path) & TREE_OPEN) != 0;
}

bool
calltree_has_children(const struct calltree *t, const struct tree_row *row)
{
	const struct path *p = &calltree_paths(t)->items[row->path];

	if (row->folded != 0)
		return false;
	if (t->callers != NULL)
		return (p->flags & CALLER_LAST) == 0;
	for (uint32_t c = p->child; c < p->child + p->children; c++) {
		if (tree_shown(t, c))
			return true;
	}
	return false;
}
