/* moved: rows that moved are found where moving them pays, and only there. */
#include <config.h>

#include "tap/tap.h"
#include "view/moved.h"

enum { ROWS = 12, COLUMNS = 60 };

static const struct glyph blank = {.text = {' '}, .width = 1};

/* Row i says `first + i`, but outside [top, bottom) it says the same on each screen. */
static void
draw(struct canvas *c, int top, int bottom, int first)
{
	canvas_init(c, false);
	canvas_resize(c, ROWS, COLUMNS);
	for (int row = 0; row < ROWS; row++) {
		bool in = row >= top && row < bottom;

		/* Rows that have little in common. */
		for (int i = 0; i < 40; i++)
			canvas_put(c, row, i,
			    (uint32_t)('!' + ((in ? first + row : row) * (i + 3) * 7 + i) % 89),
			    ROLE_TEXT);
	}
}

static int
differing_rows(const struct glyph *a, const struct glyph *b)
{
	int n = 0;

	for (int row = 0; row < ROWS; row++) {
		bool same = true;

		for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; i++)
			same &= glyph_equal(&a[i], &b[i]);
		n += !same;
	}
	return n;
}

static void
test_moves(void)
{
	static const struct {
		const char *name;
		int top, bottom, from, to; /* the list, and its first items */
		bool moves;
	} cases[] = {
		{"a line down", 1, 11, 40, 41, true},
		{"a line up", 1, 11, 40, 39, true},
		{"half a page", 2, 12, 40, 45, true},
		{"too far", 0, 12, 40, 51, false},
		{"four rows", 4, 8, 40, 41, true},
		{"too few rows", 4, 7, 40, 41, false},
		{"another page", 1, 11, 40, 60, false},
		{"nothing", 1, 11, 40, 40, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct canvas was, now;
		struct moved m = {0};
		int by = cases[i].to - cases[i].from;
		bool found;

		draw(&was, cases[i].top, cases[i].bottom, cases[i].from);
		draw(&now, cases[i].top, cases[i].bottom, cases[i].to);
		found = moved_find(was.cells, now.cells, ROWS, COLUMNS, &m);
		ok(found == cases[i].moves, "%s: %s", cases[i].name, found ? "moved" : "not moved");
		if (found && cases[i].moves) {
			is_int(m.by, by, "%s: by", cases[i].name);
			ok(m.top == cases[i].top && m.bottom == cases[i].bottom,
			    "%s: rows %d to %d", cases[i].name, m.top, m.bottom);
			moved_apply(&m, was.cells, COLUMNS, blank);
			is_int(differing_rows(was.cells, now.cells), by < 0 ? -by : by,
			    "%s: what was let in is left to draw", cases[i].name);
			ok(!moved_find(was.cells, now.cells, ROWS, COLUMNS, &m),
			    "%s: once", cases[i].name);
		}
		canvas_release(&was);
		canvas_release(&now);
	}
}

/* Another pane beside the list stays. */
static void
test_beside(void)
{
	struct canvas was, now;
	struct moved m;

	draw(&was, 1, 11, 40);
	draw(&now, 1, 11, 42);
	for (int row = 1; row < 11; row++) {
		canvas_format(&was, row, 50, COLUMNS, ROLE_DIM, "| %d", row);
		canvas_format(&now, row, 50, COLUMNS, ROLE_DIM, "| %d", row);
	}
	ok(moved_find(was.cells, now.cells, ROWS, COLUMNS, &m), "moved beside another pane");
	is_int(m.by, 2, "by two");
	canvas_release(&was);
	canvas_release(&now);
	draw(&was, 1, 11, 40);
	draw(&now, 1, 11, 40);
	for (int row = 2; row < 11; row++) {
		canvas_put(&was, row, 45, (uint32_t)('0' + row % 10), ROLE_TEXT);
		canvas_put(&now, row, 45, (uint32_t)('0' + (row + 1) % 10), ROLE_TEXT);
	}
	ok(!moved_find(was.cells, now.cells, ROWS, COLUMNS, &m), "not for a few characters");
	canvas_release(&was);
	canvas_release(&now);
}

int
main(void)
{
	test_moves();
	test_beside();
	return tap_done();
}
