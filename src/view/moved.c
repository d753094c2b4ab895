// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/moved.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Bytes, as terminals with 256 colours take them. */
enum {
	MOVE_COST = 24, /* a scroll region, set and reset */
	JUMP_COST = 6,
	LOOK_COST = 8,
	CLEAR_COST = 5, /* blanks, however many */
	WORTH = 2 * MOVE_COST,
	ROWS_LEAST = 3,
	PLACES = 32, /* of a row */
	MANY_CELLS = 200000,
	FARTHER = 2, /* rows, than there are rows moved; an eighth of those at most */
};

/* Looks of a blank that are seen. */
enum { SEEN_ON_BLANK = LOOK_SELECTED | LOOK_HIT };

bool
glyph_is_blank(const struct glyph *g)
{
	return g->text[0] == ' ' && g->text[1] == 0;
}

bool
glyph_equal(const struct glyph *a, const struct glyph *b)
{
	return memcmp(a->text, b->text, sizeof(a->text)) == 0 && a->width == b->width &&
	    a->look == b->look;
}

static bool
looks_empty(const struct glyph *g)
{
	return glyph_is_blank(g) && (g->look & SEEN_ON_BLANK) == 0;
}

/*
 * The rows that changed at all, and what a row saves: now, and if it comes to be blank.  All
 * rows are held against all, so of a cell there is a number to compare: 0 where it looks
 * empty, else a hash, as costs are guesses anyway.
 */
struct search {
	const struct glyph *now;
	uint32_t *was_cells, *now_cells;
	uint32_t *blank; /* cells of a row */
	int columns;
	int first, count;
	int *cost;  /* as things are */
	int *saved; /* sums of what the rows before save when moved; count + 1 of them */
	int *empty; /* the same, when blank */
};

static uint32_t
cell_of(const struct glyph *g)
{
	uint64_t hash = (uint64_t)g->look << 8 | g->width;

	if (looks_empty(g))
		return 0;
	for (size_t i = 0; i < sizeof(g->text) / sizeof(g->text[0]); i++)
		hash = (hash ^ g->text[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash >> 32) | 1;
}

/* The first cell from `i` on that differs, or the number of columns. */
static int
next_changed(const uint32_t *was, const uint32_t *now, int i, int columns)
{
	enum { FEW = 4 };

	while (i + FEW <= columns && memcmp(was + i, now + i, FEW * sizeof(*now)) == 0)
		i += FEW;
	while (i < columns && was[i] == now[i])
		i++;
	return i;
}

/* The cost of turning one row into another with these glyphs. */
static int
row_cost(const uint32_t *was, const uint32_t *now, const struct glyph *glyphs, int columns)
{
	int cost = 0, blanks = 0;
	int last = -1; /* look */

	for (int i = 0; (i = next_changed(was, now, i, columns)) < columns;) {
		cost += JUMP_COST;
		for (; i < columns && was[i] != now[i]; i++) {
			const struct glyph *g = &glyphs[i];

			if (now[i] == 0) {
				cost += ++blanks <= CLEAR_COST;
				continue;
			}
			blanks = 0;
			cost += g->text[0] == 0 ? 0 : g->text[0] < 0x80 ? 1 : 3;
			cost += g->look != last ? LOOK_COST : 0;
			last = g->look;
		}
	}
	return cost;
}

static size_t
row_cells(const struct search *s, int row)
{
	return (size_t)(s->first + row) * (size_t)s->columns;
}

/* `from` < 0: from a blank one. */
static int
cost_from(const struct search *s, int from, int to)
{
	size_t now = row_cells(s, to);

	return row_cost(from < 0 ? s->blank : s->was_cells + row_cells(s, from),
	    s->now_cells + now, s->now + now, s->columns);
}

/*
 * Worth a closer look?  On a screen that is not too large all pairs of rows are: also rows
 * that are only like each other may be less to mend than to send.
 */
static bool
resemble(const struct search *s, int from, int to)
{
	const uint32_t *was = s->was_cells + row_cells(s, from);
	const uint32_t *now = s->now_cells + row_cells(s, to);
	int step = s->columns / PLACES + 1;
	int same = 0, places = 0;

	if (s->count * s->count < MANY_CELLS / s->columns)
		return true;
	for (int i = 0; i < s->columns; i += step) {
		same += now[i] != 0 && now[i] == was[i];
		places += now[i] != 0;
	}
	return same * 8 >= places;
}

/* Does ncurses move so many rows so far? */
static bool
is_movable(int rows, int by)
{
	int farther = rows / 8 < FARTHER ? rows / 8 : FARTHER;

	return rows >= ROWS_LEAST && rows + farther >= by;
}

/* Finds the best rows to move up (or down) by so many; returns what that saves. */
static int
best_stretch(struct search *s, int by, struct moved *best, int least)
{
	int n = abs(by);

	for (int i = 0; i < s->count; i++) {
		int from = i + by, saves = 0;

		if (from >= 0 && from < s->count)
			saves = resemble(s, from, i) ? s->cost[i] - cost_from(s, from, i)
						     : s->empty[i + 1] - s->empty[i];
		s->saved[i + 1] = s->saved[i] + saves;
	}
	for (int top = 0; top + n < s->count; top++) {
		for (int bottom = top + n + 1; bottom <= s->count; bottom++) {
			int kept = by > 0 ? top : top + n, end = kept + bottom - top - n;
			int let_in = by > 0 ? end : top;
			int saves = s->saved[end] - s->saved[kept] +
			    s->empty[let_in + n] - s->empty[let_in];

			if (saves <= least || !is_movable(bottom - top - n, n))
				continue;
			least = saves;
			*best = (struct moved){s->first + top, s->first + bottom, by};
		}
	}
	return least;
}

/* Narrows the search to rows that changed; what all of them cost. */
static int
find_changed(struct search *s, int rows)
{
	int first = 0, last = -1, total = 0;

	s->first = 0;
	for (int i = 0; i < rows; i++) {
		s->cost[i] = cost_from(s, i, i);
		total += s->cost[i];
		if (s->cost[i] == 0)
			continue;
		if (last < 0)
			first = i;
		last = i;
	}
	s->first = first;
	s->count = last + 1 - first;
	memmove(s->cost, s->cost + first, (size_t)s->count * sizeof(int));
	return total;
}

static void
search_begin(struct search *s, const struct glyph *was, int rows)
{
	size_t cells = (size_t)rows * (size_t)s->columns;

	s->cost = mem_alloc(((size_t)rows * 3 + 2) * sizeof(int));
	s->saved = s->cost + rows;
	s->empty = s->saved + rows + 1;
	s->blank = mem_zero(2 * cells + (size_t)s->columns, sizeof(*s->blank));
	s->was_cells = s->blank + s->columns;
	s->now_cells = s->was_cells + cells;
	for (size_t i = 0; i < cells; i++) {
		s->was_cells[i] = cell_of(&was[i]);
		s->now_cells[i] = cell_of(&s->now[i]);
	}
}

bool
moved_find(const struct glyph *was, const struct glyph *now, int rows, int columns,
    struct moved *best)
{
	struct search s = {.now = now, .columns = columns};
	int least = WORTH;
	bool found = false;

	search_begin(&s, was, rows);
	if (find_changed(&s, rows) > WORTH) {
		s.saved[0] = s.empty[0] = 0;
		for (int i = 0; i < s.count; i++)
			s.empty[i + 1] = s.empty[i] + s.cost[i] - cost_from(&s, -1, i);
		for (int by = 1; is_movable(s.count - by, by); by++) {
			int before = least;

			least = best_stretch(&s, by, best, least);
			least = best_stretch(&s, -by, best, least);
			found |= least > before;
		}
	}
	mem_free(s.cost);
	mem_free(s.blank);
	return found;
}

void
moved_apply(const struct moved *m, struct glyph *cells, int columns, struct glyph blank)
{
	size_t width = (size_t)columns, by = (size_t)abs(m->by);
	size_t kept = (size_t)(m->bottom - m->top) - by;
	struct glyph *top = cells + (size_t)m->top * width;
	struct glyph *let_in = m->by > 0 ? top + kept * width : top;

	memmove(m->by > 0 ? top : top + by * width, m->by > 0 ? top + by * width : top,
	    kept * width * sizeof(*top));
	for (size_t i = 0; i < by * width; i++)
		let_in[i] = blank;
}
