// SPDX-License-Identifier: Apache-2.0
/* canvas: what is drawn stays inside, and wide and combining characters stay whole. */
#include <config.h>

#include <limits.h>
#include <locale.h>
#include <string.h>

#include "base/mem.h"
#include "tap/tap.h"
#include "view/canvas.h"

static void
row_is(const struct canvas *c, int row, const char *want, const char *name)
{
	char *got = canvas_row(c, row);

	is_str(got, want, "%s", name);
	mem_free(got);
}

/* Each half of a wide character has its other half. */
static void
whole(const struct canvas *c, const char *name)
{
	int broken = 0;

	for (int r = 0; r < c->rows; r++) {
		const struct glyph *cells = &c->cells[r * c->columns];

		for (int i = 0; i < c->columns; i++) {
			if (cells[i].width == 2)
				broken += i + 1 >= c->columns || cells[i + 1].width != 0;
			if (cells[i].width == 0)
				broken += i == 0 || cells[i - 1].width != 2 ||
					  cells[i].text[0] != 0;
			broken += cells[i].width > 2;
		}
	}
	is_int(broken, 0, "%s: wide characters are whole", name);
}

static void
test_text(void)
{
	static const struct {
		const char *name, *text;
		int column, limit, end;
		const char *want;
	} cases[] = {
	    {"plain", "abc", 2, 10, 5, "  abc"},
	    {"cut at the limit", "abcdef", 2, 5, 5, "  abc"},
	    {"cut at the canvas", "abcdefghijkl", 4, 99, 16, "    abcdef"},
	    {"cut at the left", "abcdef", -2, 10, 4, "cdef"},
	    {"outside", "abc", 12, 20, 15, ""},
	    {"limit before start", "abc", 5, 3, 5, ""},
	    {"two bytes", "\303\244\303\266", 0, 10, 2, "\303\244\303\266"},
	    {"wide", "\344\270\255\346\226\207x", 0, 10, 5, "\344\270\255\346\226\207x"},
	    {"wide at the limit", "a\344\270\255b", 0, 2, 2, "a"},
	    {"wide at the canvas", "a\344\270\255b", 8, 99, 12, "        a"},
	    {"wide at the left", "\344\270\255b", -1, 10, 2, " b"},
	    {"combining", "e\314\201x", 0, 10, 2, "e\314\201x"},
	    {"combining on wide", "\344\270\255\314\201x", 0, 10, 3,
		"\344\270\255\314\201x"},
	    {"too many marks", "e\314\201\314\201\314\201\314\201x", 0, 10, 2,
		"e\314\201\314\201\314\201x"},
	    {"mark without base", "\314\201x", 0, 10, 1, "x"},
	    {"mark beyond the limit", "ab\314\201", 0, 2, 2, "ab\314\201"},
	    {"four bytes", "\360\237\230\200", 0, 10, 2, "\360\237\230\200"},
	    {"control", "a\033[b", 0, 10, 4, "a?[b"},
	    {"half a character", "a\303", 0, 10, 2, "a?"},
	};
	struct canvas c;

	canvas_init(&c, true);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int end;

		canvas_resize(&c, 1, 10);
		end = canvas_text(&c, 0, cases[i].column, cases[i].limit,
		    str_from(cases[i].text), ROLE_TEXT);
		is_int(end, cases[i].end, "%s: end", cases[i].name);
		row_is(&c, 0, cases[i].want, cases[i].name);
		whole(&c, cases[i].name);
	}
	canvas_release(&c);
}

static void
test_overwrite(void)
{
	struct canvas c;

	canvas_init(&c, true);
	canvas_resize(&c, 1, 8);
	canvas_text(
	    &c, 0, 0, 8, STR("\344\270\255\346\226\207\344\270\255\346\226\207"), 0);
	canvas_put(&c, 0, 1, 'x', ROLE_TEXT);
	canvas_put(&c, 0, 2, 'y', ROLE_TEXT);
	row_is(&c, 0, " xy \344\270\255\346\226\207",
	    "a half that is overwritten takes the other");
	whole(&c, "after put");
	canvas_text(&c, 0, 5, 8, STR("\346\226\207"), ROLE_TEXT);
	row_is(&c, 0, " xy  \346\226\207", "wide over two halves");
	whole(&c, "after wide over wide");
	canvas_release(&c);
}

static void
test_outside(void)
{
	static const int places[] = {INT_MIN / 2, -1, 0, 2, 3, INT_MAX / 2};
	struct canvas c;

	canvas_init(&c, false);
	canvas_text(&c, 0, 0, 10, STR("nothing"), ROLE_TEXT);
	canvas_resize(&c, 3, 3);
	for (int i = 0; i < 6; i++) {
		canvas_text(&c, places[i], 0, 9, STR("ab"), ROLE_TEXT);
		canvas_put(&c, places[i], 0, 'x', ROLE_TEXT);
		canvas_put(&c, 1, places[i], 'x', ROLE_TEXT);
		canvas_fill(&c, places[i], -1, 9, 'f', ROLE_TEXT);
		canvas_add_look(&c, places[i], -1, 9, LOOK_HIT);
	}
	row_is(&c, 0, "fff", "row 0 filled");
	row_is(&c, 1, "x x", "row 1");
	row_is(&c, 2, "fff", "row 2 filled");
	row_is(&c, 7, "", "a row outside is empty");
	canvas_resize(&c, -1, 5);
	is_int(c.rows, 0, "no negative size");
	canvas_resize(&c, 1, 1);
	canvas_text(&c, 0, 0, 1, STR("\344\270\255"), ROLE_TEXT);
	row_is(&c, 0, "", "a wide character has no room in one column");
	canvas_release(&c);
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_text();
	test_overwrite();
	test_outside();
	return tap_done();
}
