/* Where the frames of a flame graph are. */
#include <config.h>

#include "base/mem.h"
#include "view/calltree_hits.h"
#include "view/icicle.h"

struct icicle_child {
	uint32_t path;
	uint64_t weight;
};

static int
heavier(const void *left, const void *right, const void *context)
{
	const struct icicle_child *a = left, *b = right;

	(void)context;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->path > b->path) - (a->path < b->path);
}

static void
cell_add(struct icicle *f, struct icicle_cell cell)
{
	MEM_GROW(f->cells, f->cell_room, f->cell_count + 1);
	f->cells[f->cell_count++] = cell;
}

/* Children that may get a column, the heaviest first; several hundred at most. */
struct children {
	struct icicle_child *items, **sorted;
	size_t count, room, sorted_room;
};

static void
children_find(const struct icicle *f, uint32_t path, uint64_t least, struct children *c)
{
	const struct paths *p = f->tree->paths;
	uint32_t first = path == PATH_NONE ? 0 : p->items[path].child;
	uint32_t n = path == PATH_NONE ? p->roots : p->items[path].children;

	c->count = 0;
	for (uint32_t id = first; id < first + n; id++) {
		uint64_t weight = icicle_weight(f, id);

		if (weight < least || weight == 0 || !tree_shown(f->tree, id))
			continue;
		MEM_GROW(c->items, c->room, c->count + 1);
		c->items[c->count++] = (struct icicle_child){id, weight};
	}
	MEM_GROW(c->sorted, c->sorted_room, c->count);
	for (size_t i = 0; i < c->count; i++)
		c->sorted[i] = &c->items[i];
	msort((void **)(void *)c->sorted, c->count, heavier, NULL);
}

static void
children_place(struct icicle *f, const struct icicle_cell *cell, const struct children *c)
{
	double total = (double)icicle_weight(f, f->zoom), from = cell->from;

	for (size_t i = 0; i < c->count; i++) {
		double to = from + (double)c->sorted[i]->weight * f->columns / total;
		int column = (int)from, end = (int)to;

		/* Sums of shares may be off in the last digit. */
		if (end > cell->column + cell->width)
			end = cell->column + cell->width;
		if (end > column)
			cell_add(f, (struct icicle_cell){c->sorted[i]->path, cell->row + 1,
				column, end - column, from});
		from = to;
	}
}

/* Frames above the zoomed one, the nearest ones when there are too many. */
static void
lay_above(struct icicle *f)
{
	const struct paths *p = f->tree->paths;
	uint32_t id = f->zoom;
	int n = 0, most = f->rows / 3;

	for (; id != PATH_NONE && n < most; n++)
		id = p->items[id].parent;
	f->above = n;
	id = f->zoom;
	f->cell_count = 0;
	for (int i = 0; i <= n; i++) {
		cell_add(f, (struct icicle_cell){id, n - i, 0, f->columns, 0});
		if (id != PATH_NONE)
			id = p->items[id].parent;
	}
	/* From top to bottom. */
	for (size_t i = 0, k = f->cell_count; i + 1 < k; i++) {
		struct icicle_cell swap = f->cells[i];

		f->cells[i] = f->cells[--k];
		f->cells[k] = swap;
	}
}

/* Rows below the zoomed frame that are scrolled away take no room. */
static void
drop_hidden(struct icicle *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->cell_count; i++) {
		struct icicle_cell cell = f->cells[i];

		if (cell.row > f->above) {
			cell.row -= f->hidden;
			if (cell.row <= f->above)
				continue;
		}
		f->cells[n++] = cell;
	}
	f->cell_count = n;
}

static void
lay_below(struct icicle *f)
{
	struct children c = {.count = 0};
	int last = f->rows + f->hidden - 1;
	uint64_t least = icicle_weight(f, f->zoom) / (uint64_t)(f->columns * 2 + 1);

	f->deeper = false;
	for (size_t i = (size_t)f->above; i < f->cell_count; i++) {
		struct icicle_cell cell = f->cells[i];

		children_find(f, cell.path, least, &c);
		if (cell.row >= last) {
			f->deeper |= c.count > 0;
			continue;
		}
		children_place(f, &cell, &c);
	}
	mem_free(c.items);
	mem_free(c.sorted);
	drop_hidden(f);
}

void
icicle_layout(struct icicle *f, int rows, int columns)
{
	const struct calltree *t = f->tree;

	if (t->paths == NULL || rows <= 0 || columns <= 0) {
		f->cell_count = 0;
		f->fresh = false;
		return;
	}
	icicle_follow(f);
	/* The first time the heaviest thread, which is mostly the main one. */
	if (!f->settled && f->paths != t->paths) {
		f->zoom = PATH_NONE;
		for (uint32_t r = 0; r < t->paths->roots; r++) {
			if (f->zoom == PATH_NONE || icicle_weight(f, r) > icicle_weight(f, f->zoom))
				f->zoom = r;
		}
		f->cursor = f->zoom;
	}
	if (f->fresh && f->rows == rows && f->columns == columns && f->paths == t->paths &&
	    f->filter_changes == t->filter_changes && f->clock == t->clock)
		return;
	f->rows = rows;
	f->columns = columns;
	f->paths = t->paths;
	f->filter_changes = t->filter_changes;
	f->clock = t->clock;
	f->fresh = true;
	lay_above(f);
	lay_below(f);
}
