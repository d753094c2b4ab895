// SPDX-License-Identifier: Apache-2.0
/*
 * icicle: frames of the flame graph are below their callers, side by side, heaviest
 * first, as wide as their shares, those too narrow together and with their number; and the
 * cursor is visible wherever it goes.
 */
#include <config.h>

#include <stdlib.h>

#include "format/format.h"
#include "random-trace.h"
#include "tap/tap.h"
#include "tests/folded.h"
#include "view/tree/icicle.h"

static const struct icicle_cell *
cell_of(const struct icicle *f, uint32_t path)
{
	for (size_t i = 0; i < f->cell_count; i++) {
		if (f->cells[i].path == path)
			return &f->cells[i];
	}
	return NULL;
}

/* That of all siblings of less than a column, where they are one cell. */
static uint64_t
weight_of(const struct icicle *f, const struct icicle_cell *cell)
{
	const struct paths *p = f->tree->paths;
	const struct path *up = cell->several > 0 && p->items[cell->path].parent != PATH_NONE
	    ? &p->items[p->items[cell->path].parent] : NULL;
	uint32_t first = up != NULL ? up->child : 0, n = up != NULL ? up->children : p->roots;
	uint32_t narrow = 0;
	uint64_t sum = 0;

	if (cell->several == 0)
		return icicle_weight(f, cell->path);
	for (uint32_t id = first; id < first + n; id++) {
		uint64_t weight = icicle_weight(f, id);

		if (weight > 0 && weight * (uint64_t)f->columns < icicle_weight(f, f->zoom)) {
			sum += weight;
			narrow++;
		}
	}
	return narrow == cell->several ? sum : 0;
}

/* What must hold of two frames of one row. */
static bool
side_by_side(const struct icicle *f, const struct icicle_cell *a,
    const struct icicle_cell *b)
{
	const struct path *items = f->tree->paths->items;

	if (b->column < a->column + a->width)
		return false;
	/* Siblings: heaviest to the left. */
	return a->path == PATH_NONE || b->path == PATH_NONE ||
	    items[a->path].parent != items[b->path].parent ||
	    icicle_weight(f, a->path) >= icicle_weight(f, b->path);
}

static bool
layout_holds(const struct icicle *f)
{
	const struct path *items = f->tree->paths->items;
	double total = (double)icicle_weight(f, f->zoom);

	for (size_t i = 0; i < f->cell_count; i++) {
		const struct icicle_cell *c = &f->cells[i], *up;
		double share;

		if (c->width < 1 || c->column < 0 || c->column + c->width > f->columns ||
		    c->row < 0 || c->row >= f->rows)
			return false;
		if (i > 0 && c[-1].row == c->row && !side_by_side(f, &c[-1], c))
			return false;
		if (i <= f->above) {
			if (c->row != (i == f->above) || (i == f->above && c->width != f->columns))
				return false;
			continue;
		}
		up = c->path != PATH_NONE ? cell_of(f, items[c->path].parent) : NULL;
		if (up != NULL && up->row == c->row - 1 &&
		    (c->column < up->column || c->column + c->width > up->column + up->width))
			return false;
		/* Both edges are rounded down. */
		share = (double)weight_of(f, c) / total * f->columns;
		if (c->width > share + 1.001 || c->width < share - 1.001)
			return false;
	}
	return true;
}

/* Hatched cells with room for it tell how many frames they are; returns of how many cells. */
static int
numbers_drawn(const struct icicle *f, int *wrong)
{
	struct canvas c;
	int drawn = 0;

	canvas_init(&c, true);
	canvas_resize(&c, f->rows + ICICLE_TEXT_ROWS, f->columns);
	icicle_draw(&c, (struct rect){0, 0, c.rows, c.columns}, f);
	for (size_t i = 0; i < f->cell_count; i++) {
		const struct icicle_cell *cell = &f->cells[i];
		const struct glyph *at = canvas_at(&c, cell->row, cell->column);

		if (cell->several == 0)
			continue;
		*wrong += at->text[0] != 0x2591;
		if (cell->width < 3 || cell->several > 9)
			continue;
		*wrong += at[1].text[0] != '+' || at[2].text[0] != '0' + cell->several;
		drawn++;
	}
	canvas_release(&c);
	return drawn;
}

static void
step(struct icicle *f)
{
	switch (random_below(12)) {
	case 0:
		icicle_zoom_in(f);
		break;
	case 1:
		icicle_zoom_out(f);
		break;
	case 2:
	case 3:
		icicle_up(f);
		break;
	case 4:
		icicle_heaviest(f);
		break;
	case 5:
		icicle_set_value(f, random_below(2) == 0 ? ICICLE_TIME : (enum icicle_value)random_below(ICICLE_VALUES));
		if (icicle_cell(f) == NULL)
			icicle_to_zoom(f);
		break;
	case 6:
	case 7:
		icicle_move(f, random_below(2) > 0 ? 1 : -1);
		break;
	case 8:
		icicle_go(f, random_below(f->tree->paths->count));
		break;
	default:
		icicle_down(f);
		break;
	}
}

static void
test_random(int seed)
{
	struct err e = {0};
	size_t size;
	uint8_t *bytes;
	struct trace *trace;
	struct profile *p;
	struct names *names;
	struct display display;
	struct calltree tree;
	struct icicle f;
	struct paths *paths, *other;
	int crooked = 0, lost = 0, drawn = 0, wrong = 0;

	random_trace_make((uint64_t)seed, 1);
	bytes = random_trace_bytes(&size);
	trace = format_open_memory(bytes, size, "random", &e);
	p = profile_new(trace);
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	names = names_new(trace, true);
	display_init(&display, trace, names);
	display_set_fold(&display, fold_new(p, NULL, NULL, NULL));
	paths = paths_counted(p, NULL, NULL, NULL, false, false, NULL);
	calltree_init(&tree, &display, false);
	icicle_init(&f, &tree);
	icicle_layout(&f, 20, 80);
	is_int((int64_t)f.cell_count, 0, "nothing yet");
	calltree_set(&tree, paths, NULL, NULL);
	for (int i = 0; i < 1000; i++) {
		if (i % 200 == 100)
			icicle_layout(&f, 5 + (int)random_below(40), 20 + (int)random_below(180));
		icicle_layout(&f, f.rows > 0 ? f.rows : 20, f.columns > 0 ? f.columns : 80);
		step(&f);
		icicle_layout(&f, f.rows, f.columns);
		crooked += !layout_holds(&f);
		drawn += numbers_drawn(&f, &wrong);
		/* A path without any weight has no frame in any layout. */
		lost += icicle_cell(&f) == NULL && icicle_weight(&f, f.cursor) > 0;
	}
	is_int(crooked, 0, "seed %d: layouts", seed);
	is_int(lost, 0, "seed %d: the cursor is seen", seed);
	ok(drawn > 0 && wrong == 0, "seed %d: %d numbers of narrow frames", seed, drawn);
	/* Threads as one: zoom and cursor go along. */
	icicle_go(&f, paths->count / 2);
	other = paths_counted(p, NULL, NULL, NULL, true, false, NULL);
	icicle_keep(&f);
	calltree_set(&tree, other, NULL, NULL);
	icicle_follow(&f);
	icicle_layout(&f, 20, 80);
	is_int(other->items[f.cursor].method, paths->items[paths->count / 2].method,
	    "the same method in other paths");
	ok(layout_holds(&f), "and a layout of these");
	paths_free(paths);
	paths_free(other);
	icicle_release(&f);
	calltree_release(&tree);
	display_release(&display);
	names_free(names);
	profile_free(p);
	trace_free(trace);
	free(bytes);
}

int
main(void)
{
	for (int seed = 1; seed <= 4; seed++)
		test_random(seed);
	return tap_done();
}
