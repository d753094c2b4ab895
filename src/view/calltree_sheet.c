#include <config.h>

#include "view/calltree_sheet.h"

#include "base/mem.h"
#include "view/calltree_pane.h"

static const struct calltree *
tree_of(const struct sheet *s)
{
	return s->model;
}

/* "main", or "12 threads" of a tree that is of all of them. */
static void
put_root(const struct calltree *t, const struct paths *p, uint32_t root, struct sbuf *out)
{
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
		put_root(t, p, row->path, out);
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

/* Frames of methods, made once each: a stack of each path has very many of them. */
struct frames {
	const struct calltree *t;
	struct sbuf *names; /* by method; empty: not made yet */
	uint32_t *ids;      /* of one stack */
	size_t room;
};

static void
put_frame(struct frames *f, const struct paths *p, uint32_t id, struct sbuf *out)
{
	struct sbuf *kept = &f->names[p->items[id].method], name = {0};

	if (p->items[id].parent == PATH_NONE) {
		put_root(f->t, p, id, &name);
		sheet_frame(out, sbuf_view(&name));
		sbuf_release(&name);
		return;
	}
	if (kept->n == 0) {
		put_method(f->t, p->items[id].method, true, &name);
		sheet_frame(kept, sbuf_view(&name));
		sbuf_release(&name);
	}
	sbuf_str(out, sbuf_view(kept));
}

/* "main;a;b", from the root down. */
static void
put_stack(struct frames *f, const struct paths *p, uint32_t id, struct sbuf *out)
{
	size_t count = 0;

	for (; id != PATH_NONE; id = p->items[id].parent) {
		MEM_GROW(f->ids, f->room, count + 1);
		f->ids[count++] = id;
	}
	while (count-- > 0) {
		put_frame(f, p, f->ids[count], out);
		if (count > 0)
			sbuf_char(out, ';');
	}
}

/* All stacks of the tree, whatever is expanded. */
static bool
folded(const struct sheet *s, struct sbuf *out)
{
	const struct calltree *t = tree_of(s);
	const struct paths *p = t->paths;
	enum clock_id clock = t->table->figures.clock;
	struct frames f = {.t = t, .names = mem_zero(p->method_count, sizeof(*f.names))};
	bool fits = true;

	for (uint32_t id = 0; id < p->count && fits; id++) {
		nsec own = p->items[id].exclusive[clock];

		if (own <= 0)
			continue;
		fits = out->n <= SHEET_FOLDED_MAX;
		put_stack(&f, p, id, out);
		sbuf_printf(out, " %lld\n", (long long)own);
	}
	for (uint32_t i = 0; i < p->method_count; i++)
		sbuf_release(&f.names[i]);
	mem_free(f.names);
	mem_free(f.ids);
	return fits;
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
	    .folded = folded};
	for (int i = 0; i < COLUMNS; i++)
		if (calltree_column_visible(t, t->table->order[i], screen))
			sheet_add_column(s, t->table->order[i]);
}
