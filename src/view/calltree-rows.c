/* The rows of a call tree: children in order, chains, and what is small. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "view/calltree_rows.h"

enum {
	SMALL_SHARE = 200, /* small is less than one of so many parts of all */
	CHAIN_COST = 64,   /* callers that cost more are only looked for when asked */
};

struct tree_work {
	struct tree_row *out; /* made, from top to bottom */
	size_t count, out_room;
	struct tree_row *todo; /* the next one last */
	size_t left, todo_room;
	const struct path **sorted;
	size_t sorted_room;
};

void
tree_work_free(struct tree_work *w)
{
	if (w == NULL)
		return;
	mem_free(w->out);
	mem_free(w->todo);
	mem_free(w->sorted);
	mem_free(w);
}

static struct tree_work *
work(struct calltree *t)
{
	if (t->work == NULL)
		t->work = mem_zero(1, sizeof(*t->work));
	return t->work;
}

enum clock_id
tree_clock(const struct calltree *t)
{
	enum clock_id clock = t->table->figures.clock;

	if ((column_table[t->sort].flags & LIST_OTHER_CLOCK) == 0)
		return clock;
	return clock == CLOCK_WALL ? CLOCK_CPU : CLOCK_WALL;
}

static struct path_order
order(const struct calltree *t)
{
	static const struct {
		enum column_id column;
		enum path_key key;
	} keys[] = {
		{COLUMN_EXCL, PATH_BY_EXCLUSIVE},
		{COLUMN_EXCL_PERCENT, PATH_BY_EXCLUSIVE},
		{COLUMN_OTHER_EXCL, PATH_BY_EXCLUSIVE},
		{COLUMN_OTHER_EXCL_PERCENT, PATH_BY_EXCLUSIVE},
		{COLUMN_CALLS, PATH_BY_CALLS},
		{COLUMN_PER_CALL, PATH_BY_AVERAGE},
		{COLUMN_OTHER_PER_CALL, PATH_BY_AVERAGE},
		{COLUMN_THREADS, PATH_BY_THREADS},
		{COLUMN_METHOD, PATH_BY_NAME},
	};
	struct path_order o = {.key = PATH_BY_INCLUSIVE,
		.clock = tree_clock(t),
		.reverse = t->ascending != column_ascends(&column_table[t->sort]),
		.trace = t->table->figures.trace};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].column == t->sort)
			o.key = keys[i].key;
	}
	return o;
}

uint8_t *
tree_flags(struct calltree *t, uint32_t path)
{
	size_t room = t->flag_room;

	if (path >= room) {
		MEM_GROW(t->flags, t->flag_room, (size_t)path + 1);
		memset(t->flags + room, 0, t->flag_room - room);
	}
	return &t->flags[path];
}

uint8_t
tree_flag(const struct calltree *t, uint32_t path)
{
	return path < t->flag_room ? t->flags[path] : 0;
}

bool
tree_shown(const struct calltree *t, uint32_t path)
{
	struct table *table = t->table;

	if (t->callers == NULL)
		return t->shown == NULL || t->shown[path] != 0;
	return path >= t->callers->tree.roots || table->filters.count == 0 ||
	    filters_pass(&table->filters, table->figures.names,
		t->callers->tree.items[path].method);
}

nsec
tree_weight(const struct calltree *t, const struct path *p)
{
	enum clock_id clock = tree_clock(t);

	return t->callers != NULL ? p->exclusive[clock] : p->inclusive[clock];
}

static bool
is_small(const struct calltree *t, const struct path *p)
{
	nsec total = t->total[tree_clock(t)];

	return tree_weight(t, p) < total / SMALL_SHARE;
}

bool
tree_is_small(const struct calltree *t, uint32_t path)
{
	const struct paths *p = calltree_paths(t);
	uint32_t parent = p->items[path].parent;

	/* Below one that is small itself nothing is: it was asked for. */
	return parent != PATH_NONE && is_small(t, &p->items[path]) &&
	    !is_small(t, &p->items[parent]);
}

const struct path *const *
tree_children(struct calltree *t, uint32_t path, uint32_t *count)
{
	struct tree_work *w = work(t);
	struct path_order o = order(t);
	const struct paths *p;

	if (t->callers != NULL && path != PATH_NONE)
		callers_expand(t->callers, path);
	p = calltree_paths(t);
	*count = path == PATH_NONE ? p->roots : p->items[path].children;
	MEM_GROW(w->sorted, w->sorted_room, *count);
	paths_children(p, path, &o, w->sorted);
	return w->sorted;
}

static void
todo_push(struct tree_work *w, struct tree_row row)
{
	MEM_GROW(w->todo, w->todo_room, w->left + 1);
	w->todo[w->left++] = row;
}

/* Its children are next, the first of them on top. */
static void
push_children(struct calltree *t, uint32_t path, uint32_t depth)
{
	uint32_t count, small = 0;
	const struct path *const *child = tree_children(t, path, &count);
	bool whole = path == PATH_NONE || (tree_flag(t, path) & TREE_WHOLE) != 0;
	const struct paths *p = calltree_paths(t);
	nsec sum = 0;

	for (uint32_t i = 0; i < count && !whole; i++) {
		uint32_t id = paths_id(p, child[i]);

		if (tree_shown(t, id) && tree_is_small(t, id)) {
			small++;
			sum += tree_weight(t, child[i]);
		}
	}
	/* One alone takes no more room than the row that would tell of it. */
	if (small < 2)
		whole = true;
	else
		todo_push(work(t), (struct tree_row){.path = path, .head = path,
		    .depth = depth, .folded = small, .folded_sum = sum});
	for (uint32_t i = count; i-- > 0;) {
		uint32_t id = paths_id(p, child[i]);

		if (tree_shown(t, id) && (whole || !tree_is_small(t, id)))
			todo_push(work(t),
			    (struct tree_row){.path = id, .head = id, .depth = depth});
	}
}

/* The only child, when it is called as often; else PATH_NONE. */
static uint32_t
next_in_chain(struct calltree *t, uint32_t path)
{
	const struct paths *p;
	uint32_t child;

	if (t->callers != NULL && callers_cost(t->callers, path) <= CHAIN_COST)
		callers_expand(t->callers, path);
	p = calltree_paths(t);
	child = p->items[path].child;
	if (p->items[path].children != 1 || !tree_shown(t, child) ||
	    p->items[child].calls != p->items[path].calls)
		return PATH_NONE;
	return child;
}

uint32_t
tree_chain_end(struct calltree *t, uint32_t head)
{
	uint32_t end = head, next;

	if (calltree_paths(t)->items[head].parent == PATH_NONE ||
	    (tree_flag(t, head) & TREE_APART) != 0)
		return head;
	while ((next = next_in_chain(t, end)) != PATH_NONE)
		end = next;
	return end;
}

static void
rows_make(struct calltree *t)
{
	struct tree_work *w = work(t);

	w->count = 0;
	while (w->left > 0) {
		struct tree_row row = w->todo[--w->left];

		if (row.folded == 0)
			row.path = tree_chain_end(t, row.head);
		MEM_GROW(w->out, w->out_room, w->count + 1);
		w->out[w->count++] = row;
		if (row.folded == 0 && (tree_flag(t, row.path) & TREE_OPEN) != 0)
			push_children(t, row.path, row.depth + 1);
	}
}

void
tree_rows_all(struct calltree *t)
{
	struct tree_work *w = work(t);
	struct tree_row *rows = t->rows;
	size_t room = t->row_room;

	push_children(t, PATH_NONE, 0);
	rows_make(t);
	t->rows = w->out;
	t->row_room = w->out_room;
	t->at.count = w->count;
	w->out = rows;
	w->out_room = room;
}

void
tree_rows_insert(struct calltree *t, size_t at)
{
	struct tree_work *w = work(t);
	size_t behind = t->at.count - at - 1;

	push_children(t, t->rows[at].path, t->rows[at].depth + 1);
	rows_make(t);
	MEM_GROW(t->rows, t->row_room, t->at.count + w->count);
	memmove(t->rows + at + 1 + w->count, t->rows + at + 1, behind * sizeof(*t->rows));
	if (w->count > 0)
		memcpy(t->rows + at + 1, w->out, w->count * sizeof(*t->rows));
	t->at.count += w->count;
}

void
tree_rows_remove(struct calltree *t, size_t at)
{
	size_t end = at + 1;

	while (end < t->at.count && t->rows[end].depth > t->rows[at].depth)
		end++;
	memmove(t->rows + at + 1, t->rows + end, (t->at.count - end) * sizeof(*t->rows));
	t->at.count -= end - at - 1;
}

bool
tree_row_has(const struct calltree *t, const struct tree_row *row, uint32_t path)
{
	const struct paths *p = calltree_paths(t);
	uint32_t id = row->path;

	if (row->folded != 0)
		return false;
	while (id != path && id != row->head)
		id = p->items[id].parent;
	return id == path;
}

size_t
tree_rows_find(const struct calltree *t, uint32_t path)
{
	size_t at = 0;

	while (at < t->at.count && !tree_row_has(t, &t->rows[at], path))
		at++;
	return at;
}
