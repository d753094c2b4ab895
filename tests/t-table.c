/*
 * table: order, expansion, and above all where the cursor is after everything that
 * changes the rows.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "tap/tap.h"
#include "view/fixture.h"
#include "view/table.h"
#include "view/table_layout.h"

static const char *const short_names[] = {
    "run", "fact", "even", "odd", "load", "fail", "loop"};
static const char *const signs[] = {"", "<", "=", ">", "<r:", ">r:"};

/* "run [odd] <even": the rows, the cursor's in brackets. */
static void
rows_are(const struct table *t, const char *want, const char *name)
{
	char got[1000] = "";

	for (size_t i = 0; i < t->row_count; i++) {
		const struct row *row = &t->rows[i];
		const char *method = row->method == METHOD_TOPLEVEL
					 ? "top"
					 : short_names[row->method - fixture_method(0)];

		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s%s",
		    i > 0 ? " " : "", i == t->cursor ? "[" : "", signs[row->kind],
		    row->kind == ROW_SELF ? "" : method, i == t->cursor ? "]" : "");
	}
	is_str(got, want, "%s", name);
}

static void
test_order(const struct fixture *fixture)
{
	static const struct {
		enum column_id id;
		const char *falling, *rising;
	} cases[] = {
	    {COLUMN_INCL, "run loop load odd even fact fail",
		"fail fact even odd load loop run"},
	    /* Equals are by name in both directions. */
	    {COLUMN_EXCL, "load loop run odd fact even fail",
		"fail even fact run odd loop load"},
	    {COLUMN_CALLS, "fact odd load even fail run loop",
		"fail run loop load even fact odd"},
	    {COLUMN_METHOD, "loop odd even fact run load fail",
		"fail load run fact even odd loop"},
	    {COLUMN_RANK, "fail fact even odd load loop run",
		"run loop load odd even fact fail"},
	    {COLUMN_PER_CALL, "run loop load even odd fact fail",
		"fail fact odd even load loop run"},
	    {COLUMN_THREADS, "load odd fail run fact even loop", NULL},
	};
	struct table t;
	char want[200];

	table_init(&t, fixture->trace, fixture->names);
	table_set_height(&t, 20);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int rising = 0; rising < 2; rising++) {
			const char *order = rising ? cases[i].rising : cases[i].falling;

			if (order == NULL)
				continue;
			/* Anew, so that the cursor is on the first. */
			table_release(&t);
			table_init(&t, fixture->trace, fixture->names);
			table_set_height(&t, 20);
			table_sort(&t, cases[i].id, rising);
			table_set_fold(&t, fixture_fold(fixture));
			snprintf(want, sizeof want, "top [%.*s]%s",
			    (int)strcspn(order, " "), order, order + strcspn(order, " "));
			rows_are(&t, want, column_table[cases[i].id].id);
		}
	}
	table_release(&t);
}

static void
open_table(struct table *t, const struct fixture *fixture, size_t height)
{
	table_init(t, fixture->trace, fixture->names);
	table_set_height(t, height);
	table_set_fold(t, fixture_fold(fixture));
}

static void
test_expand(const struct fixture *fixture)
{
	struct table t;
	uint32_t odd = fixture_method(M_ODD), fact = fixture_method(M_FACT);

	open_table(&t, fixture, 30);
	rows_are(&t, "top [run] loop load odd even fact fail", "start");
	table_move(&t, 3);
	ok(table_set_open(&t, odd, true), "open");
	ok(!table_set_open(&t, odd, true), "is open already");
	rows_are(&t, "top run loop load [odd] <even <loop = >even <r:even even fact fail",
	    "parents, self, children, recursive ones");
	table_set_open(&t, fact, true);
	rows_are(&t,
	    "top run loop load [odd] <even <loop = >even <r:even even fact <run = >fact"
	    " <r:fact >r:fact fail",
	    "a second one");
	table_move(&t, 1);
	rows_are(&t,
	    "top run loop load odd [<even] <loop = >even <r:even even fact <run = >fact"
	    " <r:fact >r:fact fail",
	    "on a parent");
	table_invert(&t);
	rows_are(&t,
	    "top fail fact <run = >fact <r:fact >r:fact even odd [<even] <loop = >even "
	    "<r:even"
	    " load loop run",
	    "the order of relations is fixed");
	filters_set(&t.filters, STR("odd"), NULL);
	table_refilter(&t);
	rows_are(
	    &t, "odd [<even] <loop = >even <r:even", "filters do not hide relations");
	ok(table_set_open(&t, odd, false), "close");
	rows_are(&t, "[odd]", "the cursor goes to where the row came from");
	table_release(&t);

	open_table(&t, fixture, 30);
	table_move_to(&t, 0);
	table_set_open(&t, METHOD_TOPLEVEL, true);
	rows_are(&t, "[top] = >run >loop run loop load odd even fact fail",
	    "(toplevel) has no parents");
	table_set_open(&t, fixture_method(M_FAIL), true);
	rows_are(&t, "[top] = >run >loop run loop load odd even fact fail <load",
	    "no self without children");
	table_release(&t);
}

static void
test_go(const struct fixture *fixture)
{
	struct table t;

	open_table(&t, fixture, 30);
	table_set_open(&t, fixture_method(M_RUN), true);
	filters_set(&t.filters, STR("run"), NULL);
	table_refilter(&t);
	rows_are(&t, "[run] <top = >even >fact >load", "only run");
	ok(table_go(&t, fixture_method(M_LOAD)), "go to a method that is filtered");
	rows_are(&t, "run [load] <run <loop = >fail", "it is shown, the other collapsed");
	ok(table_is_open(&t, fixture_method(M_LOAD)), "and open");
	ok(table_select(&t, fixture_method(M_FAIL)), "select another");
	rows_are(&t, "run [fail]", "the guest is another now, what is open stays open");
	table_refilter(&t);
	rows_are(&t, "[run]", "a filter has no guests");
	ok(!table_go(&t, 99), "no such method");
	ok(!table_select(&t, METHOD_NONE), "none at all");
	table_release(&t);

	table_init(&t, fixture->trace, fixture->names);
	ok(!table_go(&t, 1), "nothing to go to without a fold");
	ok(table_row(&t) == NULL && table_method(&t) == METHOD_NONE, "no row");
	ok(!table_move(&t, 5) && !table_move(&t, -5) && !table_page(&t, 1), "no move");
	is_int(table_search_next(&t, 1), TABLE_NOT_FOUND, "no search");
	table_release(&t);
}

/* On 300 methods: the same method on the same line, whatever happens. */
static void
test_selection(void)
{
	struct fixture fixture;
	struct table t;
	uint32_t method;
	size_t line, n, of;

	fixture_many(&fixture, 300, true);
	open_table(&t, &fixture, 20);
	table_move(&t, 149);
	is_int((int64_t)table_position(&t, &of), 150,
	    "position counts from the first method");
	is_int((int64_t)of, 300, "of all methods");
	method = table_method(&t);
	is_int(method, fixture_method(149), "on m149");
	table_centre(&t);
	line = t.cursor - t.top;
	is_int((int64_t)line, 10, "centred");

	table_invert(&t);
	is_int(table_method(&t), method, "invert: same method");
	is_int((int64_t)(t.cursor - t.top), (int64_t)line, "invert: same line");
	table_sort_by(&t, COLUMN_METHOD);
	is_int(table_method(&t), method, "by name: same method");
	is_int((int64_t)(t.cursor - t.top), (int64_t)line, "by name: same line");
	ok(!t.rising == !column_table[COLUMN_METHOD].rises, "names rise");
	table_sort_by(&t, COLUMN_EXCL);
	table_set_clock(&t, CLOCK_CPU);
	is_int(table_method(&t), method, "clock: same method");
	is_int((int64_t)(t.cursor - t.top), (int64_t)line, "clock: same line");

	filters_set(&t.filters, STR("9\\("), NULL);
	table_refilter(&t);
	is_int(table_method(&t), method, "filter that keeps it: same method");
	is_int((int64_t)(t.cursor - t.top), (int64_t)line, "same line");
	filters_set(&t.filters, STR("8\\("), NULL);
	table_refilter(&t);
	ok(table_method(&t) != method, "filter that hides it");
	table_invert(&t);
	filters_set(&t.filters, STR(""), NULL);
	table_refilter(&t);
	is_int(table_method(&t), method, "it returns with its row");
	filters_set(&t.filters, STR("8\\("), NULL);
	table_refilter(&t);
	table_move(&t, 1);
	method = table_method(&t);
	filters_set(&t.filters, STR(""), NULL);
	table_refilter(&t);
	is_int(table_method(&t), method, "but not when the user has moved on");

	line = t.cursor - t.top;
	table_set_fold(&t, fixture_fold(&fixture));
	is_int(table_method(&t), method, "a new fold: same method");
	is_int((int64_t)(t.cursor - t.top), (int64_t)line, "a new fold: same line");

	filters_set(&t.filters, STR("nothing"), NULL);
	table_refilter(&t);
	is_int((int64_t)t.row_count, 0, "no row");
	is_int((int64_t)table_position(&t, &of), 0, "no position");
	ok(table_row(&t) == NULL, "no row to speak of");
	table_move(&t, 3);
	table_centre(&t);
	table_invert(&t);
	table_search_position(&t, &n, &of);
	filters_set(&t.filters, STR(""), NULL);
	table_refilter(&t);
	is_int(table_method(&t), method, "and back");
	table_release(&t);
	fixture_close(&fixture);
}

/* While a trace is read, the first method may become another. */
static void
test_loading(void)
{
	struct err e = {0};
	struct fixture part;
	struct table t;

	fixture_worked(&part, true);
	profile_free(part.profile);
	part.profile = profile_new(part.trace);
	table_init(&t, part.trace, part.names);
	table_set_height(&t, 10);
	table_sort(&t, COLUMN_EXCL, false);
	while (profile_load(part.profile, 8, &e) == LOAD_MORE) {
		table_set_fold(&t, fixture_fold(&part));
		is_int((int64_t)t.cursor, 1, "untouched: on the first method");
	}
	table_set_fold(&t, fixture_fold(&part));
	rows_are(&t, "top [load] loop run odd fact even fail", "also at the end");
	table_release(&t);

	profile_free(part.profile);
	part.profile = profile_new(part.trace);
	table_init(&t, part.trace, part.names);
	table_set_height(&t, 10);
	table_sort(&t, COLUMN_EXCL, false);
	profile_load(part.profile, 8, &e);
	table_set_fold(&t, fixture_fold(&part));
	while (table_method(&t) != fixture_method(M_FACT))
		if (!table_move(&t, 1))
			break;
	while (profile_load(part.profile, 8, &e) == LOAD_MORE)
		;
	table_set_fold(&t, fixture_fold(&part));
	is_int(table_method(&t), fixture_method(M_FACT), "moved: stays on the method");
	table_release(&t);
	fixture_close(&part);
}

/* The cursor's line is always on the screen, and with the margin where there is one. */
static void
test_scroll(void)
{
	static const size_t heights[] = {0, 1, 2, 7, 8, 20, 500};
	struct fixture fixture;
	struct table t;
	int outside = 0, margin = 0, gap = 0;

	fixture_many(&fixture, 100, true);
	open_table(&t, &fixture, 20);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		size_t last;

		switch (rand() % 9) {
		case 0:
			table_set_height(&t, heights[rand() % 7]);
			break;
		case 1:
			table_page(&t, rand() % 5 - 2);
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
		if (t.height == 0)
			continue;
		last = t.row_count > t.height ? t.row_count - t.height : 0;
		outside += t.cursor < t.top || t.cursor >= t.top + t.height ||
			   t.cursor >= t.row_count;
		gap += t.top > last;
		if (t.height >= 8)
			margin += (t.cursor < t.top + 2 && t.top > 0) ||
				  (t.cursor + 2 >= t.top + t.height && t.top < last);
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
	open_table(&t, &fixture, 20);
	table_move_to(&t, 5);
	table_page(&t, 2);
	is_int((int64_t)t.cursor, 25, "a page down");
	is_int((int64_t)t.top, 20, "and the screen with it");
	table_page(&t, 1);
	is_int((int64_t)t.cursor, 35, "half a page");
	table_page(&t, -2);
	is_int((int64_t)t.cursor, 15, "a page up");
	is_int((int64_t)t.top, 10, "and the screen with it");
	ok(table_page(&t, 20), "over the end");
	is_int((int64_t)t.cursor, 100, "is the last row");
	ok(!table_page(&t, 2), "no further");
	ok(table_move_to(&t, 0) && t.top == 0, "home");
	table_move_to(&t, 18);
	table_set_open(&t, fixture_method(17), true);
	ok(t.top + t.height >= t.cursor + 2, "what came out is seen");
	table_release(&t);
	fixture_close(&fixture);
}

static struct pattern *
compile(const char *text)
{
	struct pattern *p;

	pattern_compile(str_from(text), 0, &p, NULL);
	return p;
}

static void
test_search(const struct fixture *fixture)
{
	struct table t;
	size_t n, of;

	open_table(&t, fixture, 30);
	table_search(&t, compile("parity"));
	table_search_position(&t, &n, &of);
	is_int((int64_t)n, 0, "setting a search does not move");
	is_int((int64_t)of, 2, "two hits");
	ok(table_is_hit(&t, fixture_method(M_ODD)), "odd is one");
	ok(!table_is_hit(&t, fixture_method(M_RUN)), "run is none");
	is_int(table_search_next(&t, 0), TABLE_FOUND, "first");
	rows_are(&t, "top run loop load [odd] even fact fail", "on odd");
	is_int(table_search_next(&t, 0), TABLE_FOUND, "first, when there already");
	rows_are(&t, "top run loop load [odd] even fact fail", "stays");
	is_int(table_search_next(&t, 1), TABLE_FOUND, "next");
	table_search_position(&t, &n, &of);
	is_int((int64_t)n, 2, "hit 2/2");
	is_int(table_search_next(&t, 1), TABLE_FOUND_WRAPPED, "next, wraps");
	rows_are(&t, "top run loop load [odd] even fact fail", "on odd again");
	is_int(table_search_next(&t, -1), TABLE_FOUND_WRAPPED, "previous, wraps");
	is_int(table_search_next(&t, -1), TABLE_FOUND, "previous");
	table_set_open(&t, fixture_method(M_ODD), true);
	table_search_position(&t, &n, &of);
	is_int((int64_t)of, 5, "relation rows are hits, too");
	table_search(&t, compile("nothing"));
	is_int(table_search_next(&t, 1), TABLE_NOT_FOUND, "no hit");
	rows_are(&t, "top run loop load [odd] <even <loop = >even <r:even even fact fail",
	    "does not move");
	table_search(&t, NULL);
	ok(!table_is_hit(&t, fixture_method(M_ODD)), "no search, no hits");
	table_set_fold(&t, fixture_fold(fixture));
	table_release(&t);
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

	open_table(&t, fixture, 10);
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

	open_table(&t, fixture, 10);
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
	test_order(&fixture);
	test_expand(&fixture);
	test_go(&fixture);
	test_selection();
	test_loading();
	test_scroll();
	test_page();
	test_search(&fixture);
	test_columns(&fixture);
	test_name_scroll(&fixture);
	fixture_close(&fixture);
	return tap_done();
}
