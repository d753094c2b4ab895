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

	for (size_t i = 0; i < t->at.count; i++) {
		const struct row *row = &t->rows[i];
		const char *method = row->method == METHOD_TOPLEVEL
					 ? "top"
					 : short_names[row->method - fixture_method(0)];

		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s%s",
		    i > 0 ? " " : "", i == t->at.cursor ? "[" : "", signs[row->kind],
		    row->kind == ROW_SELF ? "" : method, i == t->at.cursor ? "]" : "");
	}
	is_str(got, want, "%s", name);
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
	struct table t;
	char want[200];

	table_init(&t, fixture->trace, fixture->names);
	table_set_height(&t, 20);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int ascending = 0; ascending < 2; ascending++) {
			const char *order = ascending ? cases[i].ascending : cases[i].descending;

			if (order == NULL)
				continue;
			/* Anew, so that the cursor is on the first. */
			table_release(&t);
			table_init(&t, fixture->trace, fixture->names);
			table_set_height(&t, 20);
			table_sort(&t, cases[i].id, ascending);
			table_set_fold(&t, fixture_fold(fixture));
			snprintf(want, sizeof want, "top [%.*s]%s",
			    (int)strcspn(order, " "), order, order + strcspn(order, " "));
			rows_are(&t, want, column_table[cases[i].id].id);
		}
	}
	table_release(&t);
}

static void
test_expand(const struct fixture *fixture)
{
	struct table t;
	uint32_t odd = fixture_method(M_ODD), fact = fixture_method(M_FACT);

	fixture_table(&t, fixture, 30);
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

	fixture_table(&t, fixture, 30);
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

	fixture_table(&t, fixture, 30);
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
	ok(!table_move(&t, 5) && !table_move(&t, -5), "no move");
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
	fixture_table(&t, &fixture, 20);
	table_move(&t, 149);
	is_int((int64_t)table_position(&t, &of), 150,
	    "position counts from the first method");
	is_int((int64_t)of, 300, "of all methods");
	method = table_method(&t);
	is_int(method, fixture_method(149), "on m149");
	table_centre(&t);
	line = t.at.cursor - t.at.top;
	is_int((int64_t)line, 10, "centred");

	table_invert(&t);
	is_int(table_method(&t), method, "invert: same method");
	is_int((int64_t)(t.at.cursor - t.at.top), (int64_t)line, "invert: same line");
	table_sort_by(&t, COLUMN_METHOD);
	is_int(table_method(&t), method, "by name: same method");
	is_int((int64_t)(t.at.cursor - t.at.top), (int64_t)line, "by name: same line");
	ok(!t.ascending == !column_ascends(&column_table[COLUMN_METHOD]), "names rise");
	table_sort_by(&t, COLUMN_EXCL);
	table_set_clock(&t, CLOCK_CPU);
	is_int(table_method(&t), method, "clock: same method");
	is_int((int64_t)(t.at.cursor - t.at.top), (int64_t)line, "clock: same line");

	filters_set(&t.filters, STR("9\\("), NULL);
	table_refilter(&t);
	is_int(table_method(&t), method, "filter that keeps it: same method");
	is_int((int64_t)(t.at.cursor - t.at.top), (int64_t)line, "same line");
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

	line = t.at.cursor - t.at.top;
	table_set_fold(&t, fixture_fold(&fixture));
	is_int(table_method(&t), method, "a new fold: same method");
	is_int((int64_t)(t.at.cursor - t.at.top), (int64_t)line, "a new fold: same line");

	filters_set(&t.filters, STR("nothing"), NULL);
	table_refilter(&t);
	is_int((int64_t)t.at.count, 0, "no row");
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
		is_int((int64_t)t.at.cursor, 1, "untouched: on the first method");
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

	fixture_table(&t, fixture, 30);
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
	fixture_close(&fixture);
	return tap_done();
}
