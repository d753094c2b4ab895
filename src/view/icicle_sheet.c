#include <config.h>

#include "view/icicle_sheet.h"

#include "base/mem.h"
#include "view/calltree_names.h"

static const enum column_id shown[] = {COLUMN_INCL_PERCENT, COLUMN_EXCL_PERCENT, COLUMN_INCL,
	COLUMN_EXCL, COLUMN_CALLS, COLUMN_METHOD};

static const struct icicle *
graph_of(const struct sheet *s)
{
	return s->model;
}

static int
depth(const struct sheet *s, size_t at)
{
	return graph_of(s)->cells[at].row;
}

static struct value
name_value(const struct sheet *s, uint32_t path, bool raw)
{
	const struct calltree *t = graph_of(s)->tree;
	struct names *names = t->display->figures.names;
	uint32_t method;

	sbuf_clear(s->scratch);
	if (path == PATH_NONE) {
		sbuf_printf(s->scratch, "%u threads", t->paths->roots);
	} else if (path < t->paths->roots) {
		tree_put_root(t, path, s->scratch);
	} else {
		method = t->paths->items[path].method;
		sbuf_str(s->scratch, raw ? names_raw(names, method) : names_full(names, method));
	}
	return (struct value){.kind = VALUE_TEXT, .text = sbuf_view(s->scratch)};
}

/* The frame above the threads has no path: only its name and its time are known. */
static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct icicle *f = graph_of(s);
	uint32_t path = f->cells[at].path;
	struct list_row row = {.id = tree_id(path, TREE_PATH), .item = path};
	enum column_id id = columns_find(str_from(s->columns[column].id));
	nsec all = f->tree->total[f->tree->display->figures.clock];

	if (id == COLUMN_METHOD)
		return name_value(s, path, raw);
	if (path != PATH_NONE)
		return tree_value(f->tree, &row, id);
	if (id == COLUMN_INCL)
		return (struct value){.kind = VALUE_TIME, .a = all};
	if (id == COLUMN_INCL_PERCENT)
		return (struct value){.kind = VALUE_PERCENT, .a = all, .b = all};
	return (struct value){.kind = VALUE_EMPTY};
}

static void
stack(const struct sheet *s, struct sheet_stacks *stacks, size_t i, struct sbuf *out)
{
	const struct icicle *f = graph_of(s);

	tree_stack(f->tree, stacks, (uint32_t)i, f->zoom, out);
}

static void
keep(struct sheet *s)
{
	const struct icicle *f = graph_of(s);
	struct icicle *kept = mem_alloc(sizeof(*kept));

	*kept = (struct icicle){
	    .tree = calltree_kept(f->tree),
	    .zoom = f->zoom,
	    .cells = mem_dup(f->cells, f->cell_count, sizeof(*f->cells)),
	    .cell_count = f->cell_count,
	};
	s->model = kept;
	s->figures = &kept->tree->display->figures;
}

static void
drop(struct sheet *s)
{
	struct icicle *kept = (struct icicle *)(uintptr_t)s->model;

	calltree_kept_free(kept->tree);
	mem_free(kept->cells);
	mem_free(kept);
}

void
icicle_sheet(struct sheet *s, const struct icicle *f)
{
	const struct icicle_cell *at = icicle_cell(f);

	*s = (struct sheet){.view = "flame",
	    .rows = f->cell_count,
	    .cursor = at != NULL ? (size_t)(at - f->cells) : f->cell_count,
	    .figures = &f->tree->display->figures,
	    .model = f,
	    .cell = cell,
	    .depth = depth,
	    .stack = stack,
	    .stacks = f->tree->paths->count,
	    .keep = keep,
	    .drop = drop};
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		sheet_add_column(s, shown[i]);
}
