/* history: walking back and forth through places. */
#include <config.h>

#include "tap/tap.h"
#include "view/fixture.h"
#include "view/history.h"

static void
visit(struct history *h, const struct table *t)
{
	struct place now;

	place_take(&now, t, NULL, &RANGE_ALL, 0, 0);
	history_visit(h, &now);
}

static bool
step(struct history *h, struct table *t, int direction)
{
	struct place now;
	const struct place *to;

	place_take(&now, t, NULL, &RANGE_ALL, 0, 0);
	to = history_step(h, direction, &now);
	if (to == NULL) {
		place_release(&now);
		return false;
	}
	place_restore(to, t);
	return true;
}

static void
test_walk(const struct fixture *fixture)
{
	struct history h;
	struct table t;

	history_init(&h);
	table_init(&t, fixture->trace, fixture->names);
	table_set_height(&t, 30);
	table_set_fold(&t, fixture_fold(fixture));
	ok(!step(&h, &t, -1) && !step(&h, &t, 1), "nowhere to go at first");

	table_select(&t, fixture_method(M_ODD));
	visit(&h, &t);
	table_go(&t, fixture_method(M_EVEN));
	visit(&h, &t);
	filters_set(&t.filters, STR("fact"), NULL);
	table_refilter(&t);
	table_sort_by(&t, COLUMN_CALLS);
	is_int(table_method(&t), fixture_method(M_FACT), "on fact");

	ok(step(&h, &t, -1), "back");
	is_int(table_method(&t), fixture_method(M_EVEN), "on even");
	is_int((int64_t)t.filters.count, 0, "without the filter");
	is_int(t.sort, COLUMN_INCL_PERCENT, "in the old order");
	ok(table_is_open(&t, fixture_method(M_EVEN)), "expanded");
	table_move(&t, 1);
	ok(step(&h, &t, -1), "back again");
	is_int(table_method(&t), fixture_method(M_ODD), "on odd");
	ok(!table_is_open(&t, fixture_method(M_EVEN)), "not expanded yet");
	ok(!step(&h, &t, -1), "no further");
	ok(step(&h, &t, 1), "forward");
	is_int(t.rows[t.at.cursor].kind, ROW_PARENT, "to the row where it was left");
	is_int(t.rows[t.at.cursor].of, fixture_method(M_EVEN), "inside even");
	ok(step(&h, &t, 1), "forward again");
	is_int(table_method(&t), fixture_method(M_FACT), "on fact");
	is_int((int64_t)t.filters.count, 1, "with the filter");
	is_int(t.sort, COLUMN_CALLS, "in the new order");
	ok(!step(&h, &t, 1), "no further");
	step(&h, &t, -1);
	visit(&h, &t);
	table_go(&t, fixture_method(M_RUN));
	ok(!step(&h, &t, 1), "something new cuts the way forward");
	step(&h, &t, -1);
	step(&h, &t, -1);
	is_int(table_method(&t), fixture_method(M_ODD), "the way back is kept");
	history_release(&h);
	table_release(&t);
}

static void
test_place(const struct fixture *fixture)
{
	struct scope *scope = scope_new(2, false);
	struct table t;
	struct place p;

	scope->in[1] = 1;
	table_init(&t, fixture->trace, fixture->names);
	table_set_height(&t, 3);
	table_set_fold(&t, fixture_fold(fixture));
	table_move(&t, 5);
	place_take(&p, &t, scope, &(struct range){7, 9}, 5, 10);
	scope->in[1] = 0;
	ok(scope_has(p.scope, 1), "the scope is a copy");
	is_int(p.to - p.from, 5, "what the timeline shows");
	is_int(p.window.to - p.window.from, 2, "the window");
	is_int((int64_t)p.line, 2, "the screen line");
	table_move_to(&t, 0);
	place_restore(&p, &t);
	is_int((int64_t)t.at.cursor, 6, "restored");
	is_int((int64_t)(t.at.cursor - t.at.top), 2, "on its line");
	place_release(&p);
	table_release(&t);
	scope_free(scope);
}

static void
test_many(const struct fixture *fixture)
{
	struct history h;
	struct table t;
	int back = 0;

	history_init(&h);
	table_init(&t, fixture->trace, fixture->names);
	table_set_fold(&t, fixture_fold(fixture));
	for (int i = 0; i < 3 * HISTORY_MAX; i++)
		visit(&h, &t);
	ok(h.count <= HISTORY_MAX, "the list is bounded");
	while (step(&h, &t, -1))
		back++;
	ok(back >= HISTORY_MAX - 1, "and as long as that");
	history_release(&h);
	table_release(&t);
}

int
main(void)
{
	struct fixture fixture;

	fixture_worked(&fixture, true);
	test_walk(&fixture);
	test_place(&fixture);
	test_many(&fixture);
	fixture_close(&fixture);
	return tap_done();
}
