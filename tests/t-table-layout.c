/*
 * The profile table on a screen: scrolling, pages, which columns there is room for.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap/tap.h"
#include "view/fixture.h"
#include "view/table.h"
#include "view/table_layout.h"

/* The cursor's line is always on the screen, and with the margin where there is one. */
static void
test_scroll(void)
{
	static const size_t heights[] = {0, 1, 2, 7, 8, 20, 500};
	struct fixture fixture;
	struct table t;
	int outside = 0, margin = 0, gap = 0;

	fixture_many(&fixture, 100, true);
	fixture_table(&t, &fixture, 20);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		size_t last;

		switch (rand() % 9) {
		case 0:
			table_set_height(&t, heights[rand() % 7]);
			break;
		case 1:
			table_move(&t, rand() % 41 - 20);
			break;
		case 2:
			table_centre(&t);
			break;
		case 3:
			table_move_to(&t, (size_t)rand() % 120);
			break;
		case 4:
			table_set_open(&t, fixture_method(rand() % 100), rand() % 2);
			break;
		case 5:
			table_sort(&t, (enum column_id)(rand() % COLUMNS), rand() % 2);
			break;
		case 6:
			table_go(&t, fixture_method(rand() % 100));
			break;
		default:
			table_move(&t, rand() % 7 - 3);
		}
		if (t.at.height == 0)
			continue;
		last = t.at.count > t.at.height ? t.at.count - t.at.height : 0;
		outside += t.at.cursor < t.at.top || t.at.cursor >= t.at.top + t.at.height ||
			   t.at.cursor >= t.at.count;
		gap += t.at.top > last;
		if (t.at.height >= 8)
			margin += (t.at.cursor < t.at.top + 2 && t.at.top > 0) ||
				  (t.at.cursor + 2 >= t.at.top + t.at.height && t.at.top < last);
	}
	is_int(outside, 0, "never off the screen");
	is_int(margin, 0, "never in the margin but at the ends");
	is_int(gap, 0, "never a gap at the end");
	table_release(&t);
	fixture_close(&fixture);
}

static bool
has_column(const void *context, int column)
{
	(void)context;
	return column != COLUMN_WAIT;
}

static void
test_page(void)
{
	struct fixture fixture;
	struct table t;

	fixture_many(&fixture, 100, true);
	fixture_table(&t, &fixture, 20);
	table_move_to(&t, 5);
	ok(table_move(&t, 1000), "over the end");
	is_int((int64_t)t.at.cursor, 100, "is the last row");
	ok(!table_move(&t, 1), "no further");
	ok(table_move_to(&t, 0) && t.at.top == 0, "home");
	table_move_to(&t, 18);
	table_set_open(&t, fixture_method(17), true);
	ok(t.at.top + t.at.height >= t.at.cursor + 2, "what came out is seen");
	table_release(&t);
	fixture_close(&fixture);
}

static void
test_columns(const struct fixture *fixture)
{
	static const struct {
		int screen;
		enum column_id sort;
		const char *want;
	} cases[] = {
	    {80, COLUMN_INCL, "Incl% Excl% Incl Excl Calls Method"},
	    {60, COLUMN_INCL, "Incl% Excl% Incl Excl Calls Method"},
	    {59, COLUMN_INCL, "Incl% Incl Excl Method"},
	    {49, COLUMN_INCL, "Incl% Incl Method"},
	    {40, COLUMN_INCL, "Incl% Incl Method"},
	    {40, COLUMN_CALLS, "Incl% Incl Calls Method"},
	    {40, COLUMN_EXCL_PERCENT, "Incl% Excl% Incl Method"},
	    {80, COLUMN_RANK, "Rank Incl% Excl% Incl Excl Calls Method"},
	    {160, COLUMN_INCL, "Incl% Excl% Incl Excl Calls Avg Thr Method"},
	    {10, COLUMN_INCL, "Incl% Method"},
	    {1, COLUMN_INCL, "Method"},
	};
	struct table_layout layout;
	struct table t;

	fixture_table(&t, fixture, 10);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char got[200] = "";

		table_sort_by(&t, cases[i].sort);
		table_layout(&layout, &t, cases[i].screen);
		for (int k = 0; k < layout.count; k++)
			snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s",
			    k > 0 ? " " : "", column_table[layout.places[k].id].title);
		is_str(got, cases[i].want, "%d columns", cases[i].screen);
	}
	table_sort_by(&t, COLUMN_INCL);
	table_layout(&layout, &t, 40);
	ok(table_layout_name(&layout)->width >= 20, "20 columns for the name at 40");
	table_column_show(&t, COLUMN_EXCL, SHOWN_NO);
	table_column_show(&t, COLUMN_CLASS, SHOWN_YES);
	table_column_show(&t, COLUMN_OTHER_INCL, SHOWN_YES);
	ok(!table_column_visible(&t, COLUMN_EXCL, 300), "hidden");
	ok(table_column_visible(&t, COLUMN_CLASS, 40), "shown");
	ok(columnset_move(&t.columns, COLUMN_INCL_PERCENT, 1, has_column, NULL), "move right");
	ok(t.columns.order[COLUMN_EXCL_PERCENT] == COLUMN_INCL_PERCENT, "is there");
	ok(!columnset_move(&t.columns, COLUMN_FILE, 1, has_column, NULL), "the method stays last");
	ok(!columnset_move(&t.columns, COLUMN_RANK, -1, has_column, NULL), "no further left");
	ok(columnset_move(&t.columns, COLUMN_INCL_PERCENT, -1, has_column, NULL), "and back");

	table_layout(&layout, &t, 60);
	ok(layout.more_right && !layout.more_left, "not all fit");
	ok(table_scroll_columns(&t, 1, 60), "scroll right");
	table_layout(&layout, &t, 60);
	is_int(layout.places[0].id, COLUMN_EXCL_PERCENT, "the first is away");
	ok(layout.more_left, "and can be scrolled to");
	while (table_scroll_columns(&t, 1, 60))
		;
	table_layout(&layout, &t, 60);
	ok(!layout.more_right, "to the end");
	ok(table_scroll_columns(&t, -1, 60), "and back");
	table_release(&t);
}

static void
test_name_scroll(const struct fixture *fixture)
{
	struct table t;

	fixture_table(&t, fixture, 10);
	is_int(t.name_skip, NAME_FITTED, "fitted at first");
	ok(!table_scroll_name(&t, 1, 200), "nothing to scroll to when all fits");
	ok(table_scroll_name(&t, 1, 30), "half a width");
	is_int(t.name_skip, 6, "of twelve");
	ok(table_scroll_name(&t, -1, 30) && t.name_skip == 0, "back to the start");
	ok(table_scroll_name(&t, -1, 30) && t.name_skip == NAME_FITTED, "and to fitted");
	ok(table_scroll_name(&t, -1, 30) && t.name_skip == 0,
	    "to the start of the full name");
	ok(table_scroll_name_end(&t, 30) && t.name_skip > 0, "to the end");
	ok(!table_scroll_name(&t, 1, 30), "no further");
	ok(table_scroll_name(&t, 0, 30) && t.name_skip == NAME_FITTED, "fitted again");
	table_release(&t);
}

int
main(void)
{
	struct fixture fixture;

	fixture_worked(&fixture, true);
	test_scroll();
	test_page();
	test_columns(&fixture);
	test_name_scroll(&fixture);
	fixture_close(&fixture);
	return tap_done();
}
