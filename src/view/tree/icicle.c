// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/tree/icicle.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "view/list/list.h"

enum { ZOOM_ROW = 1 };

void
icicle_release(struct icicle *f)
{
	list_release(&f->list);
	mem_free(f->zooms);
	mem_free(f->cells);
	mem_free(f->sums);
}

/* Weights ------------------------------------------------------------------------- */

static uint64_t
own_of(const struct icicle *f, uint32_t path)
{
	const struct path *item = &f->tree->paths->items[path];

	return f->by == ICICLE_CALLS ? path >= f->tree->paths->roots ? item->calls : 0
				     : (uint64_t)item->exclusive[f->tree->display->figures.clock];
}

/*
 * Weighs the present paths where widths are not inclusive times.  Calls are those at and
 * below a path.  Own time makes a frame as wide as it or those below it need.
 */
static void
weigh(struct icicle *f)
{
	const struct paths *p = f->tree->paths;
	uint64_t *sums;

	mem_free(f->sums);
	f->sums = NULL;
	if (f->by == ICICLE_TIME || p == NULL || f->tree->pair != NULL)
		return;
	f->own_of_all = 0;
	sums = f->sums = mem_zero((size_t)p->count + 1, sizeof(*f->sums));
	/* Paths below a path have higher ids: its sum is of all of them. */
	for (uint32_t id = p->count; id-- > 0;) {
		uint64_t own = own_of(f, id);

		f->own_of_all += own;
		if (f->by == ICICLE_CALLS)
			sums[id] += own;
		else if (sums[id] < own)
			sums[id] = own;
		if (p->items[id].parent != PATH_NONE)
			sums[p->items[id].parent] += sums[id];
	}
	f->sums_clock = f->tree->display->figures.clock;
}

uint64_t
icicle_own(const struct icicle *f, uint32_t path)
{
	return path != PATH_NONE ? own_of(f, path) : f->own_of_all;
}

static uint64_t
sides_weight(const struct icicle *f, uint32_t path)
{
	const struct pathjoin_figures *of = tree_sides(f->tree, path);

	switch (f->sides) {
	case ICICLE_NEW:
		return (uint64_t)of->inclusive[DIFF_B];
	case ICICLE_BASE:
		return (uint64_t)of->inclusive[DIFF_A];
	case ICICLE_CHANGE:
		return (uint64_t)of->change;
	default:
		return (uint64_t)pathjoin_width(of);
	}
}

/* Returns what orders siblings: of two traces the time of both, however wide they are drawn. */
static uint64_t
rank_weight(const struct icicle *f, uint32_t path)
{
	return f->tree->pair != NULL ? (uint64_t)pathjoin_width(tree_sides(f->tree, path)) : icicle_weight(f, path);
}

uint64_t
icicle_weight(const struct icicle *f, uint32_t path)
{
	const struct paths *p = f->tree->paths;
	uint64_t sum = 0;

	if (path == PATH_NONE) {
		for (uint32_t r = 0; r < p->roots; r++)
			sum += icicle_weight(f, r);
		return sum;
	}
	if (f->tree->pair != NULL)
		return sides_weight(f, path);
	if (f->by != ICICLE_TIME)
		return f->sums[path];
	return (uint64_t)p->items[path].inclusive[f->tree->display->figures.clock];
}

/* True if the path is at least 2 columns wide when `whole` fills the screen. */
static bool
wide_in(const struct icicle *f, uint32_t path, uint32_t whole)
{
	return (double)icicle_weight(f, path) * f->columns >= 2.0 * (double)icicle_weight(f, whole);
}

/* Other paths ---------------------------------------------------------------------- */

void
icicle_keep(struct icicle *f)
{
	if (f->tree->paths == NULL)
		return;
	f->zoom_id = tree_identity(f->tree, f->zoom);
	f->cursor_id = tree_identity(f->tree, f->cursor);
}

void
icicle_follow(struct icicle *f)
{
	weigh(f);
	f->zoom = tree_nearest(f->tree, f->zoom_id);
	f->cursor = tree_nearest(f->tree, f->cursor_id);
	/* The way back may be gone. */
	f->zoom_count = 0;
	f->fresh = false;
}

void
icicle_return(struct icicle *f, uint64_t zoom_id, uint64_t cursor_id)
{
	if (f->tree->paths == NULL)
		return;
	f->zoom_id = zoom_id;
	f->cursor_id = cursor_id;
	icicle_follow(f);
	f->hidden = 0;
	f->settled = f->seek = true;
}

static void
lay_again(struct icicle *f)
{
	f->fresh = false;
	icicle_layout(f, f->rows, f->columns);
}

/* Cursor -------------------------------------------------------------------------- */

const struct icicle_cell *
icicle_cell(const struct icicle *f)
{
	for (size_t i = 0; i < f->cell_count; i++) {
		if (f->cells[i].path == f->cursor)
			return &f->cells[i];
	}
	return NULL;
}

uint32_t
icicle_method(const struct icicle *f)
{
	if (f->tree->paths == NULL || f->cursor == PATH_NONE ||
	    f->cursor < f->tree->paths->roots)
		return METHOD_NONE;
	if (f->tree->pair != NULL && !pathpair_in_b(f->tree->pair, f->cursor))
		return METHOD_NONE;
	return f->tree->paths->items[f->cursor].method;
}

/* Scrolls until the cursor's row is on the screen; only rows below the zoom scroll. */
static void
show_cursor(struct icicle *f)
{
	const struct paths *p = f->tree->paths;
	int below = 0, room = f->rows - 1 - ZOOM_ROW;
	uint32_t id = f->cursor;
	int hidden = f->hidden;

	for (; id != f->zoom && id != PATH_NONE; id = p->items[id].parent)
		below++;
	if (id != f->zoom || room <= 0)
		return;
	if (below > 0 && below <= f->hidden)
		f->hidden = below - 1;
	if (below > f->hidden + room)
		f->hidden = below - room;
	if (below == 0)
		f->hidden = 0;
	if (hidden != f->hidden)
		lay_again(f);
}

static bool
put_cursor(struct icicle *f, uint32_t path)
{
	bool changed = f->cursor != path;

	f->cursor = path;
	f->settled = f->moved = true;
	show_cursor(f);
	return changed;
}

/* The cursor where it is, or at the nearest caller that can be seen. */
static void
find_cursor(struct icicle *f)
{
	show_cursor(f);
	while (icicle_cell(f) == NULL && f->cursor != PATH_NONE)
		f->cursor = f->tree->paths->items[f->cursor].parent;
	if (icicle_cell(f) == NULL)
		f->cursor = f->zoom;
}

bool
icicle_move(struct icicle *f, int direction)
{
	const struct icicle_cell *at = icicle_cell(f), *to;

	if (at == NULL)
		return put_cursor(f, f->zoom);
	to = at + direction;
	if (to < f->cells || to >= f->cells + f->cell_count || to->row != at->row)
		return false;
	return put_cursor(f, to->path);
}

bool
icicle_up(struct icicle *f)
{
	const struct icicle_cell *at = icicle_cell(f);

	if (at == NULL)
		return put_cursor(f, f->zoom);
	if (at == f->cells)
		return false;
	return put_cursor(f, f->tree->paths->items[f->cursor].parent);
}

static bool
is_idle(const struct icicle *f, uint32_t path)
{
	return (f->tree->paths->items[path].flags & PATH_IDLE) != 0;
}

struct icicle_child {
	uint32_t path;
	uint64_t weight, rank;
};

static int
heavier(const void *left, const void *right)
{
	const struct icicle_child *a = left, *b = right;

	return order_then(ORDER(b->rank, a->rank), ORDER(a->path, b->path));
}

/* Children of a column or more, the heaviest first: several hundred at most; and the others. */
struct children {
	struct icicle_child *items;
	size_t count, room;
	struct icicle_child narrow; /* the heaviest of them, with the weight of all */
	uint32_t narrows;
};

static void
children_find(const struct icicle *f, uint32_t path, struct children *c)
{
	uint64_t whole = icicle_weight(f, f->zoom), most = 0;
	const struct paths *p = f->tree->paths;
	uint32_t first = path == PATH_NONE ? 0 : p->items[path].child;
	uint32_t n = path == PATH_NONE ? p->roots : p->items[path].children;

	c->count = c->narrows = 0;
	c->narrow.weight = 0;
	for (uint32_t id = first; id < first + n; id++) {
		uint64_t weight = icicle_weight(f, id);

		if (weight == 0 || !tree_shown(f->tree, id))
			continue;
		if (weight * (uint64_t)f->columns < whole) {
			if (weight > most)
				c->narrow.path = id;
			most = weight > most ? weight : most;
			c->narrow.weight += weight;
			c->narrows++;
			continue;
		}
		*MEM_ADD(c->items, c->count, c->room) =
		    (struct icicle_child){id, weight, rank_weight(f, id)};
	}
	mem_sort(c->items, c->count, sizeof(*c->items), heavier);
}

/*
 * The callee that the layout puts first, with `busy` the first that is not idle if there
 * is one; PATH_NONE when it puts none.
 */
static uint32_t
first_below(const struct icicle *f, uint32_t path, bool busy)
{
	struct children c = {.items = NULL};
	uint32_t best;
	size_t i = 0;

	children_find(f, path, &c);
	while (busy && i < c.count && is_idle(f, c.items[i].path))
		i++;
	best = c.count > 0 ? c.items[i < c.count ? i : 0].path : PATH_NONE;
	mem_free(c.items);
	return best;
}

/* One that rounding leaves without a column: its caller instead, and false. */
static bool
seen(struct icicle *f)
{
	if (icicle_cell(f) != NULL)
		return true;
	put_cursor(f, f->tree->paths->items[f->cursor].parent);
	return false;
}

bool
icicle_down(struct icicle *f)
{
	const struct icicle_cell *at = icicle_cell(f);
	uint32_t to;

	if (at == NULL)
		return put_cursor(f, f->zoom);
	/* Above the zoomed frame there is only the way to it. */
	if (at->row < ZOOM_ROW)
		return put_cursor(f, at[1].path);
	to = first_below(f, f->cursor, false);
	if (to == PATH_NONE)
		return false;
	put_cursor(f, to);
	return seen(f);
}

/* True if the callee has at least half of what is not idle in its caller, or is idle itself. */
static bool
has_half(const struct icicle *f, uint32_t path, uint32_t below)
{
	const struct path *p = &f->tree->paths->items[path];
	uint64_t all = icicle_weight(f, path);

	for (uint32_t id = p->child; id < p->child + p->children; id++)
		all -= is_idle(f, id) ? icicle_weight(f, id) : 0;
	return is_idle(f, below) || icicle_weight(f, below) >= all - icicle_weight(f, below);
}

bool
icicle_heaviest(struct icicle *f)
{
	uint32_t to = f->cursor, next;
	const struct icicle_cell *at = icicle_cell(f);

	if (at == NULL || at->row < ZOOM_ROW)
		to = f->zoom;
	while ((next = first_below(f, to, true)) != PATH_NONE &&
	       (to == PATH_NONE || has_half(f, to, next)))
		to = next;
	if (!put_cursor(f, to))
		return false;
	return seen(f);
}

bool
icicle_to_zoom(struct icicle *f)
{
	return put_cursor(f, f->zoom);
}

bool
icicle_zoom_in(struct icicle *f)
{
	if (f->cursor == f->zoom)
		return false;
	*MEM_ADD(f->zooms, f->zoom_count, f->zoom_room) = f->zoom;
	f->zoom = f->cursor;
	f->hidden = 0;
	f->settled = f->moved = true;
	lay_again(f);
	return true;
}

bool
icicle_zoom_out(struct icicle *f)
{
	if (f->zoom_count > 0)
		f->zoom = f->zooms[--f->zoom_count];
	else if (f->zoom != PATH_NONE)
		f->zoom = f->tree->paths->items[f->zoom].parent;
	else
		return false;
	f->hidden = 0;
	f->settled = true;
	lay_again(f);
	find_cursor(f);
	return true;
}

void
icicle_set_value(struct icicle *f, enum icicle_value by)
{
	f->by = by;
	weigh(f);
	lay_again(f);
}

void
icicle_set_sides(struct icicle *f, enum icicle_sides sides)
{
	f->sides = sides;
	lay_again(f);
}

void
icicle_go(struct icicle *f, uint32_t path)
{
	const struct paths *p = f->tree->paths;
	uint32_t id = path;

	while (id != f->zoom && id != PATH_NONE)
		id = p->items[id].parent;
	f->cursor = path;
	f->settled = f->moved = true;
	/* Zoom to the outermost ancestor in which the frame is wide enough to be seen. */
	if (id != f->zoom || !wide_in(f, path, f->zoom)) {
		f->zoom_count = 0;
		for (f->zoom = path; (id = p->items[f->zoom].parent) != PATH_NONE; f->zoom = id) {
			if (!wide_in(f, path, id))
				break;
		}
	}
	f->hidden = 0;
	if (f->rows > 0) {
		lay_again(f);
		show_cursor(f);
	}
}

void
icicle_select(struct icicle *f, uint32_t method, uint32_t path)
{
	const struct paths *p = f->tree->paths;

	f->marked = method;
	f->moved = false;
	if (path == PATH_NONE)
		return;
	f->cursor = path;
	if (!f->settled) {
		for (f->zoom = path; p->items[f->zoom].parent != PATH_NONE;)
			f->zoom = p->items[f->zoom].parent;
	}
	f->settled = f->seek = true;
	f->fresh = false;
}

/* Where the frames are ------------------------------------------------------------- */

struct str
icicle_name(const struct icicle *f, uint32_t path, int columns, char out[static ICICLE_NAME])
{
	const struct paths *p = f->tree->paths;

	if (path == PATH_NONE || path < p->roots)
		return tree_root_label(f->tree, path, columns, out);
	return name_short(f->tree->display->figures.names, p->items[path].method, columns, out,
	    ICICLE_NAME);
}

static void
cell_add(struct icicle *f, struct icicle_cell cell)
{
	*MEM_ADD(f->cells, f->cell_count, f->cell_room) = cell;
}

static void
children_place(struct icicle *f, const struct icicle_cell *cell, const struct children *c)
{
	double total = (double)icicle_weight(f, f->zoom), from = cell->from;

	for (size_t i = 0; i < c->count + (c->narrows > 0); i++) {
		const struct icicle_child *child = i < c->count ? &c->items[i] : &c->narrow;
		double to = from + (double)child->weight * f->columns / total;
		int column = (int)from, end = (int)to;

		/* Sums of shares may be off in the last digit. */
		if (end > cell->column + cell->width)
			end = cell->column + cell->width;
		if (end > column)
			cell_add(f, (struct icicle_cell){child->path,
				i < c->count || c->narrows == 1 ? 0 : c->narrows,
				cell->row + 1, column, end - column, from});
		from = to;
	}
}

/* All threads are no caller where there is one. */
static bool
has_caller(const struct paths *p, uint32_t id)
{
	return id != PATH_NONE && (p->roots > 1 || p->items[id].parent != PATH_NONE);
}

/* Names of the frames above the zoomed one, as many of the nearest as there is room for. */
static void
lay_above(struct icicle *f)
{
	enum { NAME_MOST = 24, FIGURES = 44 };
	const struct paths *p = f->tree->paths;
	int used = 0;
	uint32_t id = f->zoom;
	char text[ICICLE_NAME];

	f->cell_count = 0;
	while (has_caller(p, id)) {
		int width = utf8_width(icicle_name(f, p->items[id].parent, NAME_MOST, text));

		used += width + ICICLE_GAP;
		if (used > f->columns - FIGURES)
			break;
		id = p->items[id].parent;
		cell_add(f, (struct icicle_cell){.path = id, .column = -used, .width = width});
	}
	f->above_cut = has_caller(p, id);
	f->above = f->cell_count;
	used = f->above > 0 ? -f->cells[f->above - 1].column : 0;
	for (size_t i = 0; i < f->above; i++)
		f->cells[i].column += used + (f->above_cut ? 1 + ICICLE_GAP : 0);
	for (size_t i = 0; i < f->above / 2; i++) {
		struct icicle_cell cell = f->cells[i];

		f->cells[i] = f->cells[f->above - 1 - i];
		f->cells[f->above - 1 - i] = cell;
	}
	cell_add(f, (struct icicle_cell){.path = f->zoom, .row = ZOOM_ROW, .width = f->columns});
}

/* Rows below the zoomed frame that are scrolled away take no room. */
static void
drop_hidden(struct icicle *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->cell_count; i++) {
		struct icicle_cell cell = f->cells[i];

		if (cell.row > ZOOM_ROW) {
			cell.row -= f->hidden;
			if (cell.row <= ZOOM_ROW)
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

	f->deeper = false;
	for (size_t i = f->above; i < f->cell_count; i++) {
		struct icicle_cell cell = f->cells[i];

		if (cell.several > 0)
			continue;
		children_find(f, cell.path, &c);
		if (cell.row >= last) {
			f->deeper |= c.count > 0;
			continue;
		}
		children_place(f, &cell, &c);
	}
	mem_free(c.items);
	drop_hidden(f);
}

/* The main thread if it did something, or the busiest one, or the heaviest one. */
static uint32_t
first_root(const struct icicle *f)
{
	enum { SOMETHING = 20 }; /* one part in so many of what the busiest did */
	const struct paths *p = f->tree->paths;
	const struct trace *t = f->tree->display->figures.trace;
	uint32_t main_thread = trace_main_thread(t), first = PATH_NONE, main_root = PATH_NONE;
	nsec *busy = mem_zero((size_t)p->roots + 1, sizeof(*busy));

	(void)paths_busy(p, t, busy, NULL);
	for (uint32_t r = 0; r < p->roots; r++) {
		if (main_thread != THREAD_NONE && p->root_thread[r] == main_thread)
			main_root = r;
		if (first == PATH_NONE || busy[r] > busy[first] ||
		    (busy[r] == busy[first] && icicle_weight(f, r) > icicle_weight(f, first)))
			first = r;
	}
	if (main_root != PATH_NONE && busy[main_root] >= busy[first] / SOMETHING)
		first = main_root;
	mem_free(busy);
	return first;
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
	if (f->by == ICICLE_OWN && f->sums != NULL && f->sums_clock != t->display->figures.clock)
		weigh(f);
	if (!f->settled && f->paths != t->paths)
		f->cursor = f->zoom = first_root(f);
	if ((display_changed(t->display, &f->seen) & (CHANGED_FILTERS | CHANGED_FIGURES)) == 0 &&
	    f->fresh && f->rows == rows && f->columns == columns && f->paths == t->paths)
		return;
	f->rows = rows;
	f->columns = columns;
	f->paths = t->paths;
	f->fresh = true;
	lay_above(f);
	lay_below(f);
	if (f->seek) {
		f->seek = false;
		find_cursor(f);
	}
}

/* In files ------------------------------------------------------------------------- */

static void
children(void *of, struct list *l, const struct list_row *row)
{
	const struct icicle *f = of;

	for (size_t i = 0; i < f->cell_count; i++) {
		const struct icicle_cell *cell = &f->cells[i];
		struct list_row *frame = list_add(l, tree_id(i, TREE_PATH), cell->path);

		frame->of = cell->path;
		frame->depth = (uint32_t)(i < f->above ? i : f->above + (size_t)(cell->row - ZOOM_ROW));
		frame->flags = LIST_AS_GIVEN;
	}
}

/* The frame above the threads has no path: only its name and its time are known. */
static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct icicle *f = of;
	nsec all = f->tree->total[f->tree->display->figures.clock];

	if (tree_path(row) != PATH_NONE)
		return tree_value(f->tree, row, column);
	if (f->tree->pair != NULL)
		return VALUE_NONE;
	return column == COLUMN_INCL	       ? value_time(all)
	       : column == COLUMN_INCL_PERCENT ? value_percent(all, all) : VALUE_NONE;
}

static void
put_name(const void *of, const struct list_row *row, bool raw, struct sbuf *out)
{
	const struct icicle *f = of;

	if (tree_path(row) != PATH_NONE)
		tree_put_name(f->tree, row, raw, out);
	else
		sbuf_printf(out, "%u threads", f->tree->paths->roots);
}

static bool
has(const void *of, int column)
{
	const struct icicle *f = of;

	if (f->tree->pair != NULL)
		return column == COLUMN_METHOD || (column_table[column].flags & LIST_COMPARED) != 0;
	return column == COLUMN_METHOD ||
	    (column_table[column].flags & (LIST_TREES | LIST_OTHER_CLOCK)) == LIST_TREES;
}

static size_t
stacks(const void *of)
{
	const struct calltree *t = ((const struct icicle *)of)->tree;

	return t->pair == NULL ? t->paths->count : 0;
}

static void
stack(const struct list *l, size_t i, struct folded *folded, struct sbuf *out)
{
	const struct icicle *f = l->of;

	folded_next(folded, f->tree->paths, f->zoom, out);
}

static const struct list_source flame_source = {
    .word = "flame",
    .columns = column_table,
    .sort = COLUMN_INCL_PERCENT,
    .tree = true,
    .get = get,
    .children = children,
    .has = has,
    .put_name = put_name,
    .stacks = stacks,
    .stack = stack,
};

void
icicle_init(struct icicle *f, struct calltree *tree)
{
	*f = (struct icicle){
	    .tree = tree, .zoom = PATH_NONE, .cursor = PATH_NONE, .marked = METHOD_NONE};
	list_init(&f->list, &flame_source, f, &tree->display->figures);
}

void
icicle_sheet(struct sheet *s, struct icicle *f, bool files)
{
	const struct icicle_cell *at = icicle_cell(f);

	list_update(&f->list);
	list_sheet(s, &f->list, files);
	s->cursor = at != NULL ? (size_t)(at - f->cells) : f->cell_count;
}
