#include <config.h>

#include "view/icicle.h"

#include <string.h>

#include "base/mem.h"
#include "view/calltree_hits.h"

void
icicle_init(struct icicle *f, struct calltree *tree)
{
	*f = (struct icicle){.tree = tree, .zoom = PATH_NONE, .cursor = PATH_NONE};
}

void
icicle_release(struct icicle *f)
{
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
	if (f->by == ICICLE_TIME || p == NULL)
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
	if (f->by != ICICLE_TIME)
		return f->sums[path];
	return (uint64_t)p->items[path].inclusive[f->tree->display->figures.clock];
}

void
icicle_follow(struct icicle *f)
{
	if (f->by == ICICLE_OWN && f->sums != NULL &&
	    f->sums_clock != f->tree->display->figures.clock)
		weigh(f);
}

/* Has the one some columns where the other has all? */
static bool
wide_in(const struct icicle *f, uint32_t path, uint32_t whole)
{
	return (double)icicle_weight(f, path) * f->columns >= 2.0 * (double)icicle_weight(f, whole);
}

/* Other paths ---------------------------------------------------------------------- */

static void
keep_path(struct selection *s, const struct paths *p, uint32_t path)
{
	selection_init(s);
	if (path != PATH_NONE)
		selection_set_path(s, p, path);
}

void
icicle_leave_paths(struct icicle *f, struct selection keep[2])
{
	keep_path(&keep[0], f->tree->paths, f->zoom);
	keep_path(&keep[1], f->tree->paths, f->cursor);
}

static uint32_t
path_again(const struct icicle *f, struct selection *s, bool all)
{
	const struct paths *p = f->tree->paths;
	uint32_t path = PATH_NONE;

	if (!all && s->depth > 0)
		path = selection_find(s, p, f->tree->clock);
	for (uint32_t r = 0; !all && s->depth == 0 && r < p->roots; r++) {
		if (p->root_thread[r] == s->thread)
			path = r;
	}
	selection_release(s);
	return path;
}

void
icicle_take_paths(struct icicle *f, struct selection keep[2])
{
	bool zoomed = f->zoom != PATH_NONE, chosen = f->cursor != PATH_NONE;

	weigh(f);
	f->zoom = path_again(f, &keep[0], !zoomed);
	f->cursor = path_again(f, &keep[1], !chosen);
	/* The way back may be gone. */
	f->zoom_count = 0;
	f->fresh = false;
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
	return f->tree->paths->items[f->cursor].method;
}

/* Scrolls until the cursor's row is on the screen; only rows below the zoom scroll. */
static void
show_cursor(struct icicle *f)
{
	const struct paths *p = f->tree->paths;
	int below = 0, room = f->rows - f->above - 1;
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
	f->settled = true;
	show_cursor(f);
	return changed;
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
	if (f->cursor == PATH_NONE || at->row == 0)
		return false;
	return put_cursor(f, f->tree->paths->items[f->cursor].parent);
}

/* The callee that the layout would put first; PATH_NONE when it would put none. */
static uint32_t
first_below(const struct icicle *f, uint32_t path)
{
	const struct paths *p = f->tree->paths;
	uint32_t first = path == PATH_NONE ? 0 : p->items[path].child;
	uint32_t n = path == PATH_NONE ? p->roots : p->items[path].children;
	uint32_t best = PATH_NONE;

	for (uint32_t id = first; id < first + n; id++) {
		if (tree_shown(f->tree, id) &&
		    (best == PATH_NONE || icicle_weight(f, id) > icicle_weight(f, best)))
			best = id;
	}
	return best != PATH_NONE && icicle_weight(f, best) * (uint64_t)f->columns >=
		icicle_weight(f, f->zoom) ? best : PATH_NONE;
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
	if (at->row < f->above)
		return put_cursor(f, at[1].path);
	to = first_below(f, f->cursor);
	if (to == PATH_NONE)
		return false;
	put_cursor(f, to);
	return seen(f);
}

bool
icicle_heaviest(struct icicle *f)
{
	uint32_t to = f->cursor, next;
	const struct icicle_cell *at = icicle_cell(f);

	if (at == NULL || at->row < f->above)
		to = f->zoom;
	while ((next = first_below(f, to)) != PATH_NONE)
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
	MEM_GROW(f->zooms, f->zoom_room, f->zoom_count + 1);
	f->zooms[f->zoom_count++] = f->zoom;
	f->zoom = f->cursor;
	f->hidden = 0;
	f->settled = true;
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
	/* The cursor stays where it was, as long as it can be seen there. */
	show_cursor(f);
	while (icicle_cell(f) == NULL && f->cursor != PATH_NONE)
		f->cursor = f->tree->paths->items[f->cursor].parent;
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
icicle_go(struct icicle *f, uint32_t path)
{
	const struct paths *p = f->tree->paths;
	uint32_t id = path;

	while (id != f->zoom && id != PATH_NONE)
		id = p->items[id].parent;
	f->cursor = path;
	f->settled = true;
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
