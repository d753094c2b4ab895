#include <config.h>

#include "view/calltree_sheet.h"

#include "base/mem.h"
#include "view/calltree_pane.h"

static const struct calltree *
tree_of(const struct sheet *s)
{
	return s->model;
}

void
calltree_put_root(const struct calltree *t, uint32_t root, struct sbuf *out)
{
	const struct paths *p = t->paths;
	uint32_t thread = p->root_thread != NULL ? p->root_thread[root] : THREAD_NONE;

	if (thread == THREAD_NONE)
		sbuf_printf(out, "%u threads", p->items[root].threads);
	else
		sbuf_str(out, names_thread(t->table->figures.names, thread));
}

static void
put_method(const struct calltree *t, uint32_t method, bool raw, struct sbuf *out)
{
	struct names *names = t->table->figures.names;

	sbuf_str(out, raw ? names_raw(names, method) : names_full(names, method));
}

/* All calls of a chain, the outermost first; in callers the topmost method first. */
static void
put_chain(const struct calltree *t, const struct tree_row *row, bool raw, struct sbuf *out)
{
	const struct path *items = calltree_paths(t)->items;
	uint32_t count = 1, *ids;

	for (uint32_t id = row->path; id != row->head; id = items[id].parent)
		count++;
	ids = mem_zero(count, sizeof(*ids));
	for (uint32_t i = count, id = row->path; i > 0; id = items[id].parent)
		ids[--i] = id;
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0)
			sbuf_text(out, " / ");
		put_method(t, items[ids[i]].method, raw, out);
	}
	mem_free(ids);
}

static void
put_name(const struct calltree *t, const struct tree_row *row, bool raw, struct sbuf *out)
{
	const struct paths *p = calltree_paths(t);

	if (row->folded != 0)
		sbuf_printf(out, "(%u small ones)", row->folded);
	else if (t->callers == NULL && p->items[row->path].parent == PATH_NONE)
		calltree_put_root(t, row->path, out);
	else
		put_chain(t, row, raw, out);
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct calltree *t = tree_of(s);
	const struct tree_row *row = &t->rows[at];
	enum column_id id = columns_find(str_from(s->columns[column].id));

	if (id == COLUMN_METHOD) {
		sbuf_clear(s->scratch);
		put_name(t, row, raw, s->scratch);
		return (struct value){.kind = VALUE_TEXT, .text = sbuf_view(s->scratch)};
	}
	return calltree_value(t, row, id);
}

static int
depth(const struct sheet *s, size_t at)
{
	return (int)tree_of(s)->rows[at].depth;
}

static void
put_frame(struct sheet_stacks *stacks, const struct calltree *t, uint32_t id, struct sbuf *out)
{
	const struct paths *p = t->paths;
	struct sbuf name = {0};

	if (p->items[id].parent != PATH_NONE) {
		sheet_stacks_method(stacks, &t->table->figures, p->items[id].method, out);
		return;
	}
	calltree_put_root(t, id, &name);
	sheet_frame(out, sbuf_view(&name));
	sbuf_release(&name);
}

void
calltree_stack(const struct calltree *t, struct sheet_stacks *stacks, uint32_t id,
    uint32_t below, struct sbuf *out)
{
	const struct paths *p = t->paths;
	nsec own = p->items[id].exclusive[t->table->figures.clock];
	bool in = below == PATH_NONE;
	size_t count = 0;

	if (own <= 0)
		return;
	for (uint32_t at = id; at != PATH_NONE; at = p->items[at].parent) {
		MEM_GROW(stacks->ids, stacks->room, count + 1);
		stacks->ids[count++] = at;
		in |= at == below;
	}
	if (!in)
		return;
	while (count-- > 0) {
		put_frame(stacks, t, stacks->ids[count], out);
		if (count > 0)
			sbuf_char(out, ';');
	}
	sbuf_printf(out, " %lld\n", (long long)own);
}

/* All stacks of the tree, whatever is expanded. */
static void
stack(const struct sheet *s, struct sheet_stacks *stacks, size_t i, struct sbuf *out)
{
	calltree_stack(tree_of(s), stacks, (uint32_t)i, PATH_NONE, out);
}

/* Callers grow: theirs are copied. */
static struct callers *
callers_kept(const struct callers *c)
{
	struct callers *kept = mem_zero(1, sizeof(*kept));

	kept->paths = c->paths;
	kept->tree = c->tree;
	kept->tree.root_thread = NULL;
	kept->tree.items = mem_dup(c->tree.items, c->tree.count, sizeof(*c->tree.items));
	return kept;
}

struct calltree *
calltree_kept(const struct calltree *t)
{
	struct calltree *kept = mem_alloc(sizeof(*kept));

	*kept = (struct calltree){
	    .table = table_kept(t->table),
	    .paths = paths_ref(t->paths),
	    .callers = t->callers != NULL ? callers_kept(t->callers) : NULL,
	    .sort = t->sort,
	    .ascending = t->ascending,
	    .base = t->base,
	    .total = {t->total[CLOCK_CPU], t->total[CLOCK_WALL]},
	    .most_calls = t->most_calls,
	    .rows = mem_dup(t->rows, t->at.count, sizeof(*t->rows)),
	    .at = t->at,
	};
	return kept;
}

void
calltree_kept_free(struct calltree *kept)
{
	table_kept_free(kept->table);
	paths_free((struct paths *)(uintptr_t)kept->paths);
	if (kept->callers != NULL)
		mem_free(kept->callers->tree.items);
	mem_free(kept->callers);
	mem_free(kept->rows);
	mem_free(kept);
}

static void
keep(struct sheet *s)
{
	struct calltree *kept = calltree_kept(s->model);

	s->model = kept;
	s->figures = &kept->table->figures;
}

static void
drop(struct sheet *s)
{
	calltree_kept_free((struct calltree *)(uintptr_t)s->model);
}

void
calltree_sheet(struct sheet *s, const struct calltree *t, int screen)
{
	*s = (struct sheet){.view = t->callers != NULL ? "bottom-up" : "tree",
	    .rows = t->at.count,
	    .cursor = t->at.cursor,
	    .figures = &t->table->figures,
	    .model = t,
	    .cell = cell,
	    .depth = depth,
	    .stack = stack,
	    .stacks = t->paths->count,
	    .keep = keep,
	    .drop = drop};
	for (int i = 0; i < COLUMNS; i++)
		if (calltree_column_visible(t, t->table->columns.order[i], screen))
			sheet_add_column(s, t->table->columns.order[i]);
}
