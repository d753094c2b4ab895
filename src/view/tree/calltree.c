// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/tree/calltree.h"

#include <string.h>

#include "base/mem.h"
#include "view/diff/columns.h"

enum {
	SMALL_SHARE = 200, /* small is less than one of so many parts of the thread */
	CHAIN_COST = 64,   /* callers that cost more are only looked for when asked */
	WIDE = 140,        /* columns of a screen with room for more than the most needed */
};

const struct paths *
calltree_paths(const struct calltree *t)
{
	return t->callers != NULL ? &t->callers->tree : t->paths;
}

enum clock_id
tree_clock(const struct calltree *t)
{
	return column_clock(&column_table[t->list.sort], t->display->figures.clock);
}

/* Children -------------------------------------------------------------------------- */

/* By the value of the column. */
static struct path_key
key_of(const void *of, const struct path *path)
{
	const struct calltree *t = of;
	const struct column *c = &column_table[t->list.sort];
	uint32_t id = paths_id(calltree_paths(t), path);
	struct value v = tree_value(t, &(struct list_row){.item = id, .of = id}, t->list.sort);

	return (struct path_key){column_is_text(c) ? 0 : list_key(c, v), v.text};
}

/* The main thread before the others. */
static void
main_ahead(const struct calltree *t, uint32_t *roots, uint32_t count)
{
	uint32_t main_thread = trace_main_thread(t->display->figures.trace);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t root = roots[i];

		if (t->paths->root_thread[root] != main_thread)
			continue;
		memmove(roots + 1, roots, i * sizeof(*roots));
		roots[0] = root;
		return;
	}
}

const uint32_t *
tree_children(struct calltree *t, uint32_t path, uint32_t *count)
{
	const struct path_order o = {.clock = tree_clock(t),
	    .names = t->list.sort == COLUMN_METHOD,
	    .reverse = t->list.ascending != column_ascends(&column_table[t->list.sort]),
	    .trace = t->display->figures.trace,
	    .key = key_of,
	    .of = t};
	const struct paths *p;

	if (t->callers != NULL && path != PATH_NONE)
		callers_expand(t->callers, path);
	p = calltree_paths(t);
	*count = path == PATH_NONE ? p->roots : p->items[path].children;
	MEM_GROW(t->sorted, t->sorted_room, *count);
	MEM_GROW(t->ids, t->id_room, *count);
	paths_children(p, path, &o, t->sorted);
	for (uint32_t i = 0; i < *count; i++)
		t->ids[i] = paths_id(p, t->sorted[i]);
	if (path == PATH_NONE && t->callers == NULL && !t->list.sorted)
		main_ahead(t, t->ids, *count);
	return t->ids;
}

nsec
tree_weight(const struct calltree *t, uint32_t path)
{
	const struct path *p = &calltree_paths(t)->items[path];
	enum clock_id clock = tree_clock(t);

	return t->callers != NULL ? p->exclusive[clock] : p->inclusive[clock];
}

static bool
weighs_little(const struct calltree *t, uint32_t path)
{
	nsec whole = t->root != NULL ? tree_weight(t, t->root[path]) : t->total[tree_clock(t)];

	return tree_weight(t, path) < whole / SMALL_SHARE;
}

bool
tree_is_small(const struct calltree *t, uint32_t path)
{
	uint32_t parent = calltree_paths(t)->items[path].parent;

	/* Below one that is small itself nothing is: it was asked for. */
	return parent != PATH_NONE && weighs_little(t, path) && !weighs_little(t, parent);
}

nsec
tree_small_sum(const struct calltree *t, uint32_t path)
{
	const struct path *p = &calltree_paths(t)->items[path];
	nsec sum = 0;

	for (uint32_t c = p->child; c < p->child + p->children; c++)
		if (tree_shown(t, c) && tree_is_small(t, c))
			sum += tree_weight(t, c);
	return sum;
}

static bool
has_children(const struct calltree *t, uint32_t path)
{
	const struct path *p = &calltree_paths(t)->items[path];

	if (t->callers != NULL)
		return (p->flags & CALLER_LAST) == 0;
	for (uint32_t c = p->child; c < p->child + p->children; c++)
		if (tree_shown(t, c))
			return true;
	return false;
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
	/* Calls of compared paths differ as soon as those of one side do. */
	if (t->pair != NULL && tree_sides(t, child)->calls[DIFF_A] != tree_sides(t, path)->calls[DIFF_A])
		return PATH_NONE;
	return child;
}

uint32_t
tree_chain_end(struct calltree *t, uint32_t head, uint64_t *id)
{
	uint32_t end = head, next;

	if (calltree_paths(t)->items[head].parent == PATH_NONE || *id == t->alone ||
	    ids_has(&t->apart, tree_id(*id, TREE_PATH)))
		return head;
	while ((next = next_in_chain(t, end)) != PATH_NONE && tree_below(t, *id, next) != t->alone) {
		end = next;
		*id = tree_keep(t, *id, end);
	}
	return end;
}

static void
add(struct list *l, struct list_id id, uint32_t path, uint32_t item, bool leads)
{
	struct list_row *row = list_add(l, id, item);

	row->of = path;
	row->flags = LIST_AS_GIVEN | (leads ? LIST_LEADS : 0);
}

static void
children(void *of, struct list *l, const struct list_row *above)
{
	struct calltree *t = of;
	uint32_t path = above != NULL ? tree_path(above) : PATH_NONE, count, small = 0;
	uint64_t id = above != NULL ? above->id.a : 0;
	const uint32_t *child;
	bool whole;

	if (t->paths == NULL)
		return;
	child = tree_children(t, path, &count);
	for (uint32_t i = 0; i < count; i++)
		small += tree_shown(t, child[i]) && tree_is_small(t, child[i]);
	/* A single small child takes no more room than a folded row. */
	whole = small < 2 || list_is_open(&t->list, tree_id(id, TREE_SMALL));
	for (uint32_t i = 0; i < count; i++) {
		if (tree_shown(t, child[i]) && (whole || !tree_is_small(t, child[i]))) {
			uint64_t last = tree_keep(t, id, child[i]);
			uint32_t end = tree_chain_end(t, child[i], &last);

			add(l, tree_id(last, TREE_PATH), end, child[i], has_children(t, end));
		}
	}
	if (!whole)
		add(l, tree_id(id, TREE_SMALL), path, small, true);
}

static bool
parent(const void *of, struct list_id id, struct list_id *up)
{
	struct identity_step step = {id.a, 0};

	if (id.b == TREE_PATH && !identity_step(((const struct calltree *)of)->display->figures.identities, id.a, &step))
		return false;
	*up = tree_id(step.above, TREE_PATH);
	return step.above != 0;
}

bool
tree_row_has(const struct calltree *t, const struct list_row *row, uint32_t path)
{
	const struct paths *p = calltree_paths(t);
	uint32_t id = tree_path(row);

	if (tree_is_folded(row))
		return false;
	while (id != path && id != tree_head(row))
		id = p->items[id].parent;
	return id == path;
}

static bool
holds(const void *of, const struct list_row *row, struct list_id id)
{
	struct tree_at at = {row->id.a, tree_path(row)};

	while (at.id != id.a && id.b == TREE_PATH && tree_chain_up(of, row, &at))
		;
	return at.id == id.a && row->id.b == id.b;
}

uint32_t
tree_main(const struct calltree *t, const struct list_row *row)
{
	const struct path *items = calltree_paths(t)->items;
	enum clock_id clock = tree_clock(t);
	uint32_t main = tree_path(row);

	if (t->callers != NULL)
		return tree_head(row);
	for (uint32_t id = main; id != tree_head(row);) {
		id = items[id].parent;
		if (items[id].exclusive[clock] > items[main].exclusive[clock])
			main = id;
	}
	return main;
}

/* Values ---------------------------------------------------------------------------- */

/* The exclusive time of all paths of the row together. */
static nsec
exclusive(const struct calltree *t, const struct list_row *row, enum clock_id clock)
{
	const struct path *items = calltree_paths(t)->items;
	nsec sum = items[tree_path(row)].exclusive[clock];

	/* Upside down all have the same time: that of the topmost method. */
	for (uint32_t id = tree_path(row); id != tree_head(row) && t->callers == NULL;) {
		id = items[id].parent;
		sum += items[id].exclusive[clock];
	}
	return sum;
}

const char *
tree_mark(const struct calltree *t, const struct pathjoin_figures *f)
{
	return pathstep_mark(t->hue, t->pair->sums[t->display->figures.clock].own_most, f);
}

look
tree_change_look(const struct calltree *t, const struct pathjoin_figures *f)
{
	bool more;
	enum pathstep step =
	    pathstep_seen(t->hue, t->pair->sums[t->display->figures.clock].own_most, f, &more);

	return step == STEP_SAME ? ROLE_DIM : more ? ROLE_SLOWER : ROLE_FASTER;
}

/* Returns both sides' figures of a row: exclusive times are those of all of its chain. */
static struct pathjoin_figures
sides_of(const struct calltree *t, const struct list_row *row)
{
	struct pathjoin_figures f = *tree_sides(t, tree_head(row));

	for (uint32_t id = tree_path(row); id != tree_head(row); id = t->paths->items[id].parent)
		for (int side = 0; side < DIFF_SIDES; side++)
			f.exclusive[side] = pathjoin_plus(f.exclusive[side], tree_sides(t, id)->exclusive[side]);
	return f;
}

struct value
tree_value(const void *tree, const struct list_row *row, int column)
{
	const struct calltree *t = tree;
	const struct path *items = calltree_paths(t)->items, *head, *above;
	struct sums s = {.rank = RANK_NONE, .own = true};
	struct pathjoin_figures sides;

	if (tree_is_folded(row))
		return VALUE_NONE;
	head = &items[tree_head(row)];
	above = t->base == TREE_OF_PARENT && head->parent != PATH_NONE ? &items[head->parent]
									: NULL;
	s.method = items[tree_main(t, row)].method;
	s.threads = head->threads;
	s.longest = head->longest;
	s.longest_at = head->longest_at;
	s.call_count = head->calls;
	s.calls = value_calls(VALUE_CALLS, head->calls, 0);
	for (int c = 0; c < CLOCKS; c++) {
		s.inclusive[c] = head->inclusive[c];
		s.exclusive[c] = exclusive(t, row, (enum clock_id)c);
		s.base[c] = above != NULL ? above->inclusive[c] : t->total[c];
		s.exclusive_base[c] =
		    above != NULL && t->callers != NULL ? above->exclusive[c] : s.base[c];
	}
	if (t->pair != NULL) {
		sides = sides_of(t, row);
		s.sides = &sides;
		s.mark = str_from(tree_mark(t, &sides));
	}
	return sums_value(&t->display->figures, column, &s);
}

/* Room for the largest: nothing is above the whole, or called more often. */
static struct value
widest(const void *of, int column)
{
	const struct calltree *t = of;

	if (column == COLUMN_CALLS)
		return value_calls(VALUE_CALLS, t->most_calls, 0);
	if (column_table[column].kind == VALUE_TIME)
		return value_time(t->total[column_clock(&column_table[column], t->display->figures.clock)]);
	return VALUE_NONE;
}

static bool
has(const void *of, int column)
{
	const struct calltree *t = of;

	/* All other figures are of one trace. */
	if (t->pair != NULL || (column_table[column].flags & LIST_COMPARED) != 0)
		return t->pair != NULL &&
		    (column == COLUMN_METHOD || (column_table[column].flags & LIST_COMPARED) != 0);
	/* Ranks and rates are methods', not paths'. */
	return column != COLUMN_RANK && (column_table[column].flags & LIST_RATE) == 0 && (column != COLUMN_THREADS || t->callers == NULL);
}

/* Names need more room than in the table: they are indented. */
static int
from(const void *of, int column)
{
	return column == COLUMN_EXCL_PERCENT ? WIDE
	    : column == COLUMN_INCL_PERCENT  ? 0
	    : column == COLUMN_MAX           ? WIDE - 30
					     : column_table[column].from;
}

static const char *
title(const void *of, int column, char out[static FMT_SIZE])
{
	const struct calltree *t = of;

	if (column != COLUMN_METHOD)
		return NULL;
	return t->callers != NULL ? "Method, called by" : "Call tree";
}

/* Differences have a sign. */
static const char *
text(const void *of, const struct list_row *row, int column, struct value v, char out[static FMT_SIZE])
{
	const struct calltree *t = of;
	const struct figures *f = &t->display->figures;
	struct pathjoin_figures sides;

	if (t->pair == NULL || tree_is_folded(row))
		return NULL;
	sides = sides_of(t, row);
	if (column == COLUMN_DELTA_PERCENT)
		return diff_percent_text(sides.inclusive[DIFF_A], sides.inclusive[DIFF_B], out);
	if (column == COLUMN_DELTA || column == COLUMN_DELTA_EXCL)
		return diff_time_text(&f->trace->unit, v.a, f->auto_units != 0, out);
	return NULL;
}

static bool
hit(const void *of, const struct list_row *row)
{
	return !tree_is_folded(row) && tree_is_hit(of, tree_path(row));
}

/* Exports --------------------------------------------------------------------------- */

/* All stacks of the tree, whatever is expanded; those of two traces have no one time. */
static size_t
stacks(const void *of)
{
	const struct calltree *t = of;

	return t->pair == NULL ? t->paths->count : 0;
}

static void
stack(const struct list *l, size_t i, struct folded *folded, struct sbuf *out)
{
	folded_next(folded, ((const struct calltree *)l->of)->paths, PATH_NONE, out);
}

static look
style(const void *of, const struct list_row *row, int column, struct value v)
{
	return tree_is_idle(of, row) ? ROLE_IDLE : ROLE_TEXT;
}

/* The list -------------------------------------------------------------------------- */

/* clang-format off */
#define TREE_SOURCE(name, by) \
	.word = (name), .columns = column_table, .sort = (by), .name_least = 20, \
	.settles = true, .scrolls = true, .tree = true, .get = tree_value, .children = children, \
	.parent = parent, .holds = holds, .widest = widest, .from = from, .has = has, \
	.title = title, .text = text, .hit = hit, .style = style, .draw = tree_draw_name, .draw_empty = tree_draw_empty, \
	.put_name = tree_put_name, .stacks = stacks, .stack = stack
/* clang-format on */

const struct list_source tree_source = {
    TREE_SOURCE("tree", COLUMN_INCL_PERCENT),
    .next_hit = tree_next_hit,
    .count_hits = tree_count_hits,
};

const struct list_source callers_source = {
    TREE_SOURCE("bottom-up", COLUMN_EXCL_PERCENT),
};

void
calltree_init(struct calltree *t, struct display *display, bool callers)
{
	*t = (struct calltree){.display = display, .hit = PATH_NONE};
	list_init(&t->list, callers ? &callers_source : &tree_source, t, &display->figures);
	t->list.columns = &display->columns;
}

void
calltree_release(struct calltree *t)
{
	list_release(&t->list);
	ids_release(&t->apart);
	callers_free(t->matching);
	mem_free(t->root);
	mem_free(t->sorted);
	mem_free(t->ids);
	mem_free(t->way);
	mem_free(t->steps);
	mem_free(t->shown);
	mem_free(t->hits);
}

void
calltree_follow(struct calltree *t)
{
	unsigned changed = display_changed(t->display, &t->seen);

	if ((changed & CHANGED_FILTERS) != 0)
		tree_refilter(t);
	else if ((changed & CHANGED_SEARCH) != 0)
		tree_research(t);
	if ((changed & (CHANGED_FILTERS | CHANGED_FIGURES)) != 0)
		list_update(&t->list);
}

uint32_t
calltree_method(const struct calltree *t)
{
	const struct list_row *row = list_row(&t->list);
	uint32_t method;

	if (row == NULL || tree_is_folded(row))
		return METHOD_NONE;
	if (t->pair != NULL && !pathpair_in_b(t->pair, tree_path(row)))
		return METHOD_NONE;
	method = calltree_paths(t)->items[tree_main(t, row)].method;
	return method == METHOD_TOPLEVEL ? METHOD_NONE : method;
}

void
calltree_sheet(struct sheet *s, const struct calltree *t)
{
	struct list *own = mem_alloc(sizeof(*own));

	list_copy(own, &t->list);
	list_update(own);
	/* Its rows are those of the file, without the lists' choice of the top. */
	own->files = true;
	list_sheet(s, own, true);
	s->own = own;
	s->free_own = list_copy_free;
}

/* Paths ----------------------------------------------------------------------------- */

static void
measure(struct calltree *t)
{
	const struct paths *p = calltree_paths(t);

	t->most_calls = 0;
	for (int c = 0; c < CLOCKS; c++)
		t->total[c] = t->paths != NULL ? paths_total(t->paths, (enum clock_id)c) : 0;
	for (uint32_t id = 0; p != NULL && id < p->count; id++)
		if (p->items[id].calls > t->most_calls)
			t->most_calls = p->items[id].calls;
	mem_free(t->root);
	t->root = NULL;
	if (t->paths == NULL || t->callers != NULL)
		return;
	t->root = mem_alloc(((size_t)p->count + 1) * sizeof(*t->root));
	for (uint32_t id = 0; id < p->count; id++)
		t->root[id] = id < p->roots ? id : t->root[p->items[id].parent];
}

void
calltree_set(struct calltree *t, const struct paths *paths, struct callers *callers,
    const struct pathpair *pair)
{
	const uint32_t *root;
	bool near = false;
	uint32_t count;

	if (t->paths != NULL && t->list.settled)
		tree_open_chains(t);
	t->paths = paths = pair != NULL ? &pair->paths : paths;
	t->pair = pair;
	t->callers = t->given = callers;
	if (!list_has(&t->list, t->list.sort) && t->list.sorted)
		list_sort_auto(&t->list);
	t->hit = PATH_NONE;
	measure(t);
	tree_refilter(t);
	if (paths == NULL) {
		list_clear(&t->list);
		return;
	}
	if (t->list.settled) {
		near = tree_find_wanted(t);
	} else {
		/* Until the user moves: the first thread, or all methods that match, opened. */
		root = tree_children(t, PATH_NONE, &count);
		(void)ids_clear(&t->list.open);
		(void)ids_clear(&t->apart);
		if (count > 0 && (t->callers == NULL || t->matching != NULL))
			(void)ids_add(&t->list.open, tree_id(tree_identity(t, root[0]), TREE_PATH));
	}
	list_update(&t->list);
	/* Nothing of its path is left: it stays where it is. */
	if (t->list.settled && !near)
		(void)list_move(&t->list, 0);
}
