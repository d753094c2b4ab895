/*
 * methods: order, expansion, and above all where the cursor is after everything that
 * changes the rows; which columns there is room for.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "tap/tap.h"
#include "view/fixture.h"
#include "view/methods.h"

static const char *const short_names[] = {
    "run", "fact", "even", "odd", "load", "fail", "loop"};
static const char *const signs[] = {"", "<", "=", ">", "<r:", ">r:"};

/* "run [odd] <even": the rows, the cursor's in brackets. */
static void
rows_are(const struct methods *m, const char *want, const char *name)
{
	char got[1000] = "";

	for (size_t i = 0; i < m->list.at.count; i++) {
		struct identity row = methods_identity(m->list.rows[i].id);
		const char *method = row.method == METHOD_TOPLEVEL
					 ? "top"
					 : short_names[row.method - fixture_method(0)];

		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s%s",
		    i > 0 ? " " : "", i == m->list.at.cursor ? "[" : "", signs[row.kind],
		    row.kind == ROW_SELF ? "" : method, i == m->list.at.cursor ? "]" : "");
	}
	is_str(got, want, "%s", name);
}

static struct list_id
id_of(uint32_t method)
{
	return methods_id((struct identity){ROW_METHOD, method, method});
}

/* Wherever the cursor is. */
static bool
set_open(struct methods *m, uint32_t method, bool open)
{
	bool changed = (open ? ids_add : ids_remove)(&m->list.open, id_of(method));

	list_settle(&m->list);
	list_refilter(&m->list);
	return changed;
}

static void
sort_by(struct methods *m, enum column_id column)
{
	list_sort(&m->list, (int)column, column_ascends(&column_table[column]));
}

static bool
move_to(struct methods *m, size_t row)
{
	return list_move(&m->list, (int64_t)row - (int64_t)m->list.at.cursor);
}

static void
test_order(const struct fixture *fixture)
{
	static const struct {
		enum column_id id;
		const char *descending, *ascending;
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
	struct display t;
	struct methods m;
	char want[200];

	display_init(&t, fixture->trace, fixture->names);
	methods_init(&m, &t);
	list_set_size(&m.list, (int)20, 80);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int ascending = 0; ascending < 2; ascending++) {
			const char *order = ascending ? cases[i].ascending : cases[i].descending;

			if (order == NULL)
				continue;
			/* Anew, so that the cursor is on the first. */
			methods_release(&m);
	display_release(&t);
			display_init(&t, fixture->trace, fixture->names);
	methods_init(&m, &t);
			list_set_size(&m.list, (int)20, 80);
			list_sort(&m.list, cases[i].id, ascending);
			display_set_fold(&t, fixture_fold(fixture));
	methods_follow(&m);
			snprintf(want, sizeof want, "top [%.*s]%s",
			    (int)strcspn(order, " "), order, order + strcspn(order, " "));
			rows_are(&m, want, column_table[cases[i].id].id);
		}
	}
	methods_release(&m);
	display_release(&t);
}

static void
test_expand(const struct fixture *fixture)
{
	struct display t;
	struct methods m;
	uint32_t odd = fixture_method(M_ODD), fact = fixture_method(M_FACT);

	fixture_methods(&m, &t, fixture, 30);
	rows_are(&m, "top [run] loop load odd even fact fail", "start");
	list_move(&m.list, 3);
	ok(set_open(&m, odd, true), "open");
	ok(!set_open(&m, odd, true), "is open already");
	rows_are(&m, "top run loop load [odd] <even <loop = >even <r:even even fact fail",
	    "parents, self, children, recursive ones");
	set_open(&m, fact, true);
	rows_are(&m,
	    "top run loop load [odd] <even <loop = >even <r:even even fact <run = >fact"
	    " <r:fact >r:fact fail",
	    "a second one");
	list_move(&m.list, 1);
	rows_are(&m,
	    "top run loop load odd [<even] <loop = >even <r:even even fact <run = >fact"
	    " <r:fact >r:fact fail",
	    "on a parent");
	list_sort(&m.list, m.list.sort, !m.list.ascending);
	rows_are(&m,
	    "top fail fact <run = >fact <r:fact >r:fact even odd [<even] <loop = >even "
	    "<r:even"
	    " load loop run",
	    "the order of relations is fixed");
	filters_set(&t.filters, STR("odd"), NULL);
	display_refilter(&t);
	methods_follow(&m);
	rows_are(&m, "odd [<even] <loop = >even <r:even", "filters do not hide relations");
	ok(set_open(&m, odd, false), "close");
	rows_are(&m, "[odd]", "the cursor goes to where the row came from");
	methods_release(&m);
	display_release(&t);

	fixture_methods(&m, &t, fixture, 30);
	move_to(&m, 0);
	set_open(&m, METHOD_TOPLEVEL, true);
	rows_are(&m, "[top] = >run >loop run loop load odd even fact fail",
	    "(toplevel) has no parents");
	set_open(&m, fixture_method(M_FAIL), true);
	rows_are(&m, "[top] = >run >loop run loop load odd even fact fail <load",
	    "no self without children");
	methods_release(&m);
	display_release(&t);
}

static void
test_go(const struct fixture *fixture)
{
	struct display t;
	struct methods m;

	fixture_methods(&m, &t, fixture, 30);
	set_open(&m, fixture_method(M_RUN), true);
	filters_set(&t.filters, STR("run"), NULL);
	display_refilter(&t);
	methods_follow(&m);
	rows_are(&m, "[run] <top = >even >fact >load", "only run");
	ok(methods_go(&m, fixture_method(M_LOAD)), "go to a method that is filtered");
	rows_are(&m, "run [load] <run <loop = >fail", "it is shown, the other collapsed");
	ok(list_is_open(&m.list, id_of(fixture_method(M_LOAD))), "and open");
	ok(methods_select(&m, fixture_method(M_FAIL)), "select another");
	rows_are(&m, "run [fail]", "the guest is another now, what is open stays open");
	display_refilter(&t);
	methods_follow(&m);
	rows_are(&m, "[run]", "a filter has no guests");
	ok(!methods_go(&m, 99), "no such method");
	ok(!methods_select(&m, METHOD_NONE), "none at all");
	methods_release(&m);
	display_release(&t);

	display_init(&t, fixture->trace, fixture->names);
	methods_init(&m, &t);
	ok(!methods_go(&m, 1), "nothing to go to without a fold");
	ok(list_row(&m.list) == NULL && methods_method(&m) == METHOD_NONE, "no row");
	ok(!list_move(&m.list, 5) && !list_move(&m.list, -5), "no move");
	is_int(list_search_next(&m.list, 1), HITS_NONE, "no search");
	methods_release(&m);
	display_release(&t);
}

/* On 300 methods: the same method on the same line, whatever happens. */
static void
test_selection(void)
{
	struct fixture fixture;
	struct display t;
	struct methods m;
	uint32_t method;
	size_t line, n, of;

	fixture_many(&fixture, 300, true);
	fixture_methods(&m, &t, &fixture, 20);
	list_move(&m.list, 149);
	is_int((int64_t)methods_position(&m, &of), 150,
	    "position counts from the first method");
	is_int((int64_t)of, 300, "of all methods");
	method = methods_method(&m);
	is_int(method, fixture_method(149), "on m149");
	list_centre(&m.list);
	line = m.list.at.cursor - m.list.at.top;
	is_int((int64_t)line, 10, "centred");

	list_sort(&m.list, m.list.sort, !m.list.ascending);
	is_int(methods_method(&m), method, "invert: same method");
	is_int((int64_t)(m.list.at.cursor - m.list.at.top), (int64_t)line, "invert: same line");
	sort_by(&m, COLUMN_METHOD);
	is_int(methods_method(&m), method, "by name: same method");
	is_int((int64_t)(m.list.at.cursor - m.list.at.top), (int64_t)line, "by name: same line");
	ok(!m.list.ascending == !column_ascends(&column_table[COLUMN_METHOD]), "names rise");
	sort_by(&m, COLUMN_EXCL);
	t.figures.clock = CLOCK_CPU;
	methods_follow(&m);
	is_int(methods_method(&m), method, "clock: same method");
	is_int((int64_t)(m.list.at.cursor - m.list.at.top), (int64_t)line, "clock: same line");

	filters_set(&t.filters, STR("9\\("), NULL);
	display_refilter(&t);
	methods_follow(&m);
	is_int(methods_method(&m), method, "filter that keeps it: same method");
	is_int((int64_t)(m.list.at.cursor - m.list.at.top), (int64_t)line, "same line");
	filters_set(&t.filters, STR("8\\("), NULL);
	display_refilter(&t);
	methods_follow(&m);
	ok(methods_method(&m) != method, "filter that hides it");
	list_sort(&m.list, m.list.sort, !m.list.ascending);
	filters_set(&t.filters, STR(""), NULL);
	display_refilter(&t);
	methods_follow(&m);
	is_int(methods_method(&m), method, "it returns with its row");
	filters_set(&t.filters, STR("8\\("), NULL);
	display_refilter(&t);
	methods_follow(&m);
	list_move(&m.list, 1);
	method = methods_method(&m);
	filters_set(&t.filters, STR(""), NULL);
	display_refilter(&t);
	methods_follow(&m);
	is_int(methods_method(&m), method, "but not when the user has moved on");

	line = m.list.at.cursor - m.list.at.top;
	display_set_fold(&t, fixture_fold(&fixture));
	methods_follow(&m);
	is_int(methods_method(&m), method, "a new fold: same method");
	is_int((int64_t)(m.list.at.cursor - m.list.at.top), (int64_t)line, "a new fold: same line");

	filters_set(&t.filters, STR("nothing"), NULL);
	display_refilter(&t);
	methods_follow(&m);
	is_int((int64_t)m.list.at.count, 0, "no row");
	is_int((int64_t)methods_position(&m, &of), 0, "no position");
	ok(list_row(&m.list) == NULL, "no row to speak of");
	list_move(&m.list, 3);
	list_centre(&m.list);
	list_sort(&m.list, m.list.sort, !m.list.ascending);
	list_search_position(&m.list, &n, &of);
	filters_set(&t.filters, STR(""), NULL);
	display_refilter(&t);
	methods_follow(&m);
	is_int(methods_method(&m), method, "and back");
	methods_release(&m);
	display_release(&t);
	fixture_close(&fixture);
}

/* While a trace is read, the first method may become another. */
static void
test_loading(void)
{
	struct err e = {0};
	struct fixture part;
	struct display t;
	struct methods m;

	fixture_worked(&part, true);
	profile_free(part.profile);
	part.profile = profile_new(part.trace);
	display_init(&t, part.trace, part.names);
	methods_init(&m, &t);
	list_set_size(&m.list, (int)10, 80);
	list_sort(&m.list, COLUMN_EXCL, false);
	while (profile_load(part.profile, 8, &e) == LOAD_MORE) {
		display_set_fold(&t, fixture_fold(&part));
	methods_follow(&m);
		is_int((int64_t)m.list.at.cursor, 1, "untouched: on the first method");
	}
	display_set_fold(&t, fixture_fold(&part));
	methods_follow(&m);
	rows_are(&m, "top [load] loop run odd fact even fail", "also at the end");
	methods_release(&m);
	display_release(&t);

	profile_free(part.profile);
	part.profile = profile_new(part.trace);
	display_init(&t, part.trace, part.names);
	methods_init(&m, &t);
	list_set_size(&m.list, (int)10, 80);
	list_sort(&m.list, COLUMN_EXCL, false);
	profile_load(part.profile, 8, &e);
	display_set_fold(&t, fixture_fold(&part));
	methods_follow(&m);
	while (methods_method(&m) != fixture_method(M_FACT))
		if (!list_move(&m.list, 1))
			break;
	while (profile_load(part.profile, 8, &e) == LOAD_MORE)
		;
	display_set_fold(&t, fixture_fold(&part));
	methods_follow(&m);
	is_int(methods_method(&m), fixture_method(M_FACT), "moved: stays on the method");
	methods_release(&m);
	display_release(&t);
	fixture_close(&part);
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
	struct display t;
	struct methods m;
	size_t n, of;

	fixture_methods(&m, &t, fixture, 30);
	display_search(&t, compile("parity"));
	list_search_position(&m.list, &n, &of);
	is_int((int64_t)n, 0, "setting a search does not move");
	is_int((int64_t)of, 2, "two hits");
	ok(display_is_hit(&t, fixture_method(M_ODD)), "odd is one");
	ok(!display_is_hit(&t, fixture_method(M_RUN)), "run is none");
	is_int(list_search_next(&m.list, 0), HITS_FOUND, "first");
	rows_are(&m, "top run loop load [odd] even fact fail", "on odd");
	is_int(list_search_next(&m.list, 0), HITS_FOUND, "first, when there already");
	rows_are(&m, "top run loop load [odd] even fact fail", "stays");
	is_int(list_search_next(&m.list, 1), HITS_FOUND, "next");
	list_search_position(&m.list, &n, &of);
	is_int((int64_t)n, 2, "hit 2/2");
	is_int(list_search_next(&m.list, 1), HITS_WRAPPED, "next, wraps");
	rows_are(&m, "top run loop load [odd] even fact fail", "on odd again");
	is_int(list_search_next(&m.list, -1), HITS_WRAPPED, "previous, wraps");
	is_int(list_search_next(&m.list, -1), HITS_FOUND, "previous");
	set_open(&m, fixture_method(M_ODD), true);
	list_search_position(&m.list, &n, &of);
	is_int((int64_t)of, 5, "relation rows are hits, too");
	display_search(&t, compile("nothing"));
	is_int(list_search_next(&m.list, 1), HITS_NONE, "no hit");
	rows_are(&m, "top run loop load [odd] <even <loop = >even <r:even even fact fail",
	    "does not move");
	display_search(&t, NULL);
	ok(!display_is_hit(&t, fixture_method(M_ODD)), "no search, no hits");
	display_set_fold(&t, fixture_fold(fixture));
	methods_follow(&m);
	methods_release(&m);
	display_release(&t);
}

/* The cursor's line is always on the screen, and with the margin where there is one. */
static void
test_scroll(void)
{
	static const size_t heights[] = {0, 1, 2, 7, 8, 20, 500};
	struct fixture fixture;
	struct display t;
	struct methods m;
	int outside = 0, margin = 0, gap = 0;

	fixture_many(&fixture, 100, true);
	fixture_methods(&m, &t, &fixture, 20);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		size_t last;

		switch (rand() % 9) {
		case 0:
			list_set_size(&m.list, (int)heights[rand() % 7], 80);
			break;
		case 1:
			list_move(&m.list, rand() % 41 - 20);
			break;
		case 2:
			list_centre(&m.list);
			break;
		case 3:
			move_to(&m, (size_t)rand() % 120);
			break;
		case 4:
			set_open(&m, fixture_method(rand() % 100), rand() % 2);
			break;
		case 5:
			list_sort(&m.list, (enum column_id)(rand() % COLUMNS), rand() % 2);
			break;
		case 6:
			methods_go(&m, fixture_method(rand() % 100));
			break;
		default:
			list_move(&m.list, rand() % 7 - 3);
		}
		if (m.list.at.height == 0)
			continue;
		last = m.list.at.count > m.list.at.height ? m.list.at.count - m.list.at.height : 0;
		outside += m.list.at.cursor < m.list.at.top || m.list.at.cursor >= m.list.at.top + m.list.at.height ||
			   m.list.at.cursor >= m.list.at.count;
		gap += m.list.at.top > last;
		if (m.list.at.height >= 8)
			margin += (m.list.at.cursor < m.list.at.top + 2 && m.list.at.top > 0) ||
				  (m.list.at.cursor + 2 >= m.list.at.top + m.list.at.height && m.list.at.top < last);
	}
	is_int(outside, 0, "never off the screen");
	is_int(margin, 0, "never in the margin but at the ends");
	is_int(gap, 0, "never a gap at the end");
	methods_release(&m);
	display_release(&t);
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
	struct display t;
	struct methods m;

	fixture_many(&fixture, 100, true);
	fixture_methods(&m, &t, &fixture, 20);
	move_to(&m, 5);
	ok(list_move(&m.list, 1000), "over the end");
	is_int((int64_t)m.list.at.cursor, 100, "is the last row");
	ok(!list_move(&m.list, 1), "no further");
	ok(move_to(&m, 0) && m.list.at.top == 0, "home");
	move_to(&m, 18);
	set_open(&m, fixture_method(17), true);
	ok(m.list.at.top + m.list.at.height >= m.list.at.cursor + 2, "what came out is seen");
	methods_release(&m);
	display_release(&t);
	fixture_close(&fixture);
}

static void
lay_out(struct list_layout *layout, struct methods *m, int columns)
{
	list_set_size(&m->list, 10, columns);
	list_layout(layout, &m->list, columns);
}

static int
name_width(const struct list_layout *layout)
{
	return layout->slots[layout->count - 1].to - layout->slots[layout->count - 1].from;
}

static bool
visible(struct methods *m, enum column_id column, int screen)
{
	list_set_size(&m->list, 10, screen);
	return list_visible(&m->list, (int)column);
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
	struct list_layout layout;
	struct display t;
	struct methods m;

	fixture_methods(&m, &t, fixture, 10);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char got[200] = "";

		sort_by(&m, cases[i].sort);
		lay_out(&layout, &m, cases[i].screen);
		for (int k = 0; k < layout.count; k++)
			snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s",
			    k > 0 ? " " : "", column_table[layout.slots[k].column].title);
		is_str(got, cases[i].want, "%d columns", cases[i].screen);
	}
	sort_by(&m, COLUMN_INCL);
	lay_out(&layout, &m, 40);
	ok(name_width(&layout) >= 20, "20 columns for the name at 40");
	list_show(&m.list, COLUMN_EXCL, SHOWN_NO);
	list_show(&m.list, COLUMN_CLASS, SHOWN_YES);
	list_show(&m.list, COLUMN_OTHER_INCL, SHOWN_YES);
	ok(!visible(&m, COLUMN_EXCL, 300), "hidden");
	ok(visible(&m, COLUMN_CLASS, 40), "shown");
	ok(columnset_move(&t.columns, COLUMN_INCL_PERCENT, 1, has_column, NULL), "move right");
	ok(t.columns.order[COLUMN_EXCL_PERCENT] == COLUMN_INCL_PERCENT, "is there");
	ok(!columnset_move(&t.columns, COLUMN_FILE, 1, has_column, NULL), "the method stays last");
	ok(!columnset_move(&t.columns, COLUMN_RANK, -1, has_column, NULL), "no further left");
	ok(columnset_move(&t.columns, COLUMN_INCL_PERCENT, -1, has_column, NULL), "and back");

	lay_out(&layout, &m, 60);
	ok(layout.more_right && !layout.more_left, "not all fit");
	ok(list_scroll_columns(&m.list, 1, 60), "scroll right");
	lay_out(&layout, &m, 60);
	is_int(layout.slots[0].column, COLUMN_EXCL_PERCENT, "the first is away");
	ok(layout.more_left, "and can be scrolled to");
	while (list_scroll_columns(&m.list, 1, 60))
		;
	lay_out(&layout, &m, 60);
	ok(!layout.more_right, "to the end");
	ok(list_scroll_columns(&m.list, -1, 60), "and back");
	methods_release(&m);
	display_release(&t);
}

static void
test_name_scroll(const struct fixture *fixture)
{
	struct display t;
	struct methods m;

	fixture_methods(&m, &t, fixture, 10);
	is_int(t.name_skip, NAME_FITTED, "fitted at first");
	ok(!methods_scroll_name(&m, 1, 200), "nothing to scroll to when all fits");
	list_set_size(&m.list, 10, 30);
	ok(methods_scroll_name(&m, 1, 30), "half a width");
	is_int(t.name_skip, 6, "of twelve");
	ok(methods_scroll_name(&m, -1, 30) && t.name_skip == 0, "back to the start");
	ok(methods_scroll_name(&m, -1, 30) && t.name_skip == NAME_FITTED, "and to fitted");
	ok(methods_scroll_name(&m, -1, 30) && t.name_skip == 0,
	    "to the start of the full name");
	ok(methods_scroll_name_end(&m, 30) && t.name_skip > 0, "to the end");
	ok(!methods_scroll_name(&m, 1, 30), "no further");
	ok(methods_scroll_name(&m, 0, 30) && t.name_skip == NAME_FITTED, "fitted again");
	methods_release(&m);
	display_release(&t);
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
	test_search(&fixture);
	test_scroll();
	test_page();
	test_columns(&fixture);
	test_name_scroll(&fixture);
	fixture_close(&fixture);
	return tap_done();
}
