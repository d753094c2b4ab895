// SPDX-License-Identifier: Apache-2.0
/*
 * methods: expansion, and above all where the cursor is after everything that changes the
 * rows.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap/tap.h"
#include "tests/folded.h"
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
		struct method_row row = methods_what(m, &m->list.rows[i]);
		const char *method = row.method == METHOD_TOPLEVEL
					 ? "top"
					 : short_names[row.method - fixture_method(0)];

		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s%s",
		    i > 0 ? " " : "", i == m->list.at.cursor ? "[" : "", signs[row.kind],
		    row.kind == ROW_SELF ? "" : method, i == m->list.at.cursor ? "]" : "");
	}
	is_str(got, want, "%s", name);
}

/* Wherever the cursor is. */
static bool
set_open(struct methods *m, uint32_t method, bool open)
{
	bool changed = (open ? ids_add : ids_remove)(&m->list.open, methods_id(m, method));

	list_settle(&m->list);
	list_refilter(&m->list);
	return changed;
}

static bool
move_to(struct methods *m, size_t row)
{
	return list_move(&m->list, (int64_t)row - (int64_t)m->list.at.cursor);
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
	    "fail fact <run = >fact <r:fact >r:fact even odd [<even] <loop = >even "
	    "<r:even"
	    " load loop run top",
	    "the order of relations is fixed");
	filters_set(&t.filters, STR("odd"), NULL);
	t.refilters++;
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
	t.refilters++;
	methods_follow(&m);
	rows_are(&m, "[run] <top = >even >fact >load", "only run");
	ok(methods_go(&m, fixture_method(M_LOAD)), "go to a method that is filtered");
	rows_are(&m, "run [load] <run <loop = >fail", "it is shown, the other collapsed");
	ok(list_is_open(&m.list, methods_id(&m, fixture_method(M_LOAD))), "and open");
	ok(methods_select(&m, fixture_method(M_FAIL)), "select another");
	rows_are(&m, "run [fail]", "the guest is another now, what is open stays open");
	t.refilters++;
	methods_follow(&m);
	rows_are(&m, "[run]", "a filter has no guests");
	ok(!methods_go(&m, 99), "no such method");
	ok(!methods_select(&m, METHOD_NONE), "none at all");
	methods_release(&m);
	display_release(&t);

	display_init(&t, fixture->trace, fixture->names);
	methods_init(&m, &t);
	list_sort(&m.list, COLUMN_INCL_PERCENT, false);
	ok(!methods_go(&m, 1), "nothing to go to without a fold");
	ok(list_row(&m.list) == NULL && methods_method(&m) == METHOD_NONE, "no row");
	ok(!list_move(&m.list, 5) && !list_move(&m.list, -5), "no move");
	is_int(list_search_next(&m.list, 1), HITS_NONE, "no search");
	methods_release(&m);
	display_release(&t);
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
		ok(m.list.at.cursor <= 1, "untouched: on the first method");
	}
	display_set_fold(&t, fixture_fold(&part));
	methods_follow(&m);
	rows_are(&m, "[load] loop run odd fact even fail top", "also at the end");
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

/* Of two parts of the trace, after the clock or the base of percentages is another, too. */
static void
test_begins(const struct fixture *fixture)
{
	struct range early = {0, 15000};

	for (int begins = 0; begins < 2; begins++) {
		struct display t;
		struct methods m;

		display_init(&t, fixture->trace, fixture->names);
		methods_init(&m, &t);
		list_set_size(&m.list, 10, 80);
		list_sort(&m.list, COLUMN_EXCL, false);
		display_set_fold(&t, fold_new(fixture->profile, NULL, &early, NULL));
		methods_follow(&m);
		is_int(methods_method(&m), fixture_method(M_RUN), "the first of a part");
		m.begins = begins != 0;
		t.figures.base = !t.figures.base;
		methods_follow(&m);
		display_set_fold(&t, fixture_fold(fixture));
		methods_follow(&m);
		is_int(methods_method(&m), fixture_method(begins ? M_LOAD : M_RUN), begins
			? "the program chose another part: on its first method"
			: "the user chose it: stays on the method");
		methods_release(&m);
		display_release(&t);
	}
}

/* Another order, with the cursor on the same method. */
static bool
sort_stays(struct methods *m)
{
	uint32_t method = methods_method(m);

	list_sort(&m->list, (enum column_id)(rand() % COLUMNS), rand() % 2);
	return methods_method(m) == method;
}

/* The cursor's line is always on the screen, and with the margin where there is one. */
static void
test_scroll(void)
{
	static const size_t heights[] = {0, 1, 2, 7, 8, 20, 500};
	struct fixture fixture;
	struct display t;
	struct methods m;
	int outside = 0, margin = 0, gap = 0, lost = 0;

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
			scroll_centre(&m.list.at);
			break;
		case 3:
			move_to(&m, (size_t)rand() % 120);
			break;
		case 4:
			set_open(&m, fixture_method(rand() % 100), rand() % 2);
			break;
		case 5:
			lost += !sort_stays(&m);
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
	is_int(lost, 0, "on the same method in another order");
	methods_release(&m);
	display_release(&t);
	fixture_close(&fixture);
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
	ok(methods_scroll_name(&m, NAME_END, 30) && t.name_skip > 0, "to the end");
	ok(!methods_scroll_name(&m, 1, 30), "no further");
	ok(methods_scroll_name(&m, 0, 30) && t.name_skip == NAME_FITTED, "fitted again");
	methods_release(&m);
	display_release(&t);
}

/* The order is that of whole names, wherever their parts meet. */
static void
test_order(void)
{
	static const struct {
		const char *class_name, *name, *signature, *whole;
	} named[] = {
	    {"", "", "", ""}, {"", "a", "", "a"}, {"a", "", "", "a."}, {"a", "b", "", "a.b"},
	    {"", "a.b", "", "a.b"}, {"a", "b", "()V", "a.b()V"}, {"a", "b()V", "", "a.b()V"},
	    {"a.b", "c", "()V", "a.b.c()V"}, {"a", "b.c()", "V", "a.b.c()V"}, {"a$b", "c", "", "a$b.c"},
	    {"", "a.b.c", "()I", "a.b.c()I"}, {"\xc3\xa9", "a", "", "\xc3\xa9.a"}, {"", "", "()V", "()V"},
	};
	enum { COUNT = sizeof(named) / sizeof(named[0]) };
	struct method made[COUNT];
	int wrong = 0;

	memset(made, 0, sizeof(made));
	for (int i = 0; i < COUNT; i++) {
		made[i].class_name = str_from(named[i].class_name);
		made[i].name = str_from(named[i].name);
		made[i].signature = str_from(named[i].signature);
		made[i].known = true;
	}
	for (int i = 0; i < COUNT; i++) {
		for (int j = 0; j < COUNT; j++) {
			int want = strcmp(named[i].whole, named[j].whole), got = method_compare(&made[i], &made[j]);

			wrong += (want > 0) != (got > 0) || (want < 0) != (got < 0);
		}
	}
	is_int(wrong, 0, "methods are in the order of their whole names");
	made[0].known = made[1].known = false;
	made[1].name = STR("");
	made[1].id = 1;
	ok(method_compare(&made[0], &made[1]) < 0 && method_compare(&made[1], &made[0]) > 0,
	    "those without a name in that of ids");
}

int
main(void)
{
	struct fixture fixture;

	fixture_worked(&fixture, true);
	test_expand(&fixture);
	test_go(&fixture);
	test_loading();
	test_begins(&fixture);
	test_scroll();
	test_name_scroll(&fixture);
	test_order();
	fixture_close(&fixture);
	return tap_done();
}
