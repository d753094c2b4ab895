/* history: walking back and forth through places. */
#include <config.h>

#include "tap/tap.h"
#include "view/fixture.h"
#include "view/history.h"

static struct list_id
id_of(uint32_t method)
{
	return methods_id((struct identity){ROW_METHOD, method, method});
}

static void
visit(struct history *h, const struct methods *m)
{
	struct place now;

	place_take(&now, m, NULL, &RANGE_ALL, 0, 0);
	history_visit(h, &now);
}

static bool
step(struct history *h, struct methods *m, int direction)
{
	struct place now;
	const struct place *to;

	place_take(&now, m, NULL, &RANGE_ALL, 0, 0);
	to = history_step(h, direction, &now);
	if (to == NULL) {
		place_release(&now);
		return false;
	}
	place_restore(to, m);
	return true;
}

static void
test_walk(const struct fixture *fixture)
{
	struct history h = {0};
	struct display t;
	struct methods m;

	fixture_methods(&m, &t, fixture, 30);
	ok(!step(&h, &m, -1) && !step(&h, &m, 1), "nowhere to go at first");

	methods_select(&m, fixture_method(M_ODD));
	visit(&h, &m);
	methods_go(&m, fixture_method(M_EVEN));
	visit(&h, &m);
	filters_set(&t.filters, STR("fact"), NULL);
	display_refilter(&t);
	methods_follow(&m);
	list_sort(&m.list, COLUMN_CALLS, false);
	is_int(methods_method(&m), fixture_method(M_FACT), "on fact");

	ok(step(&h, &m, -1), "back");
	is_int(methods_method(&m), fixture_method(M_EVEN), "on even");
	is_int((int64_t)t.filters.count, 0, "without the filter");
	is_int(m.list.sort, COLUMN_INCL_PERCENT, "in the old order");
	ok(list_is_open(&m.list, id_of(fixture_method(M_EVEN))), "expanded");
	list_move(&m.list, 1);
	ok(step(&h, &m, -1), "back again");
	is_int(methods_method(&m), fixture_method(M_ODD), "on odd");
	ok(!list_is_open(&m.list, id_of(fixture_method(M_EVEN))), "not expanded yet");
	ok(!step(&h, &m, -1), "no further");
	ok(step(&h, &m, 1), "forward");
	is_int(methods_selected(&m).kind, ROW_PARENT, "to the row where it was left");
	is_int(methods_selected(&m).of, fixture_method(M_EVEN), "inside even");
	ok(step(&h, &m, 1), "forward again");
	is_int(methods_method(&m), fixture_method(M_FACT), "on fact");
	is_int((int64_t)t.filters.count, 1, "with the filter");
	is_int(m.list.sort, COLUMN_CALLS, "in the new order");
	ok(!step(&h, &m, 1), "no further");
	step(&h, &m, -1);
	visit(&h, &m);
	methods_go(&m, fixture_method(M_RUN));
	ok(!step(&h, &m, 1), "something new cuts the way forward");
	step(&h, &m, -1);
	step(&h, &m, -1);
	is_int(methods_method(&m), fixture_method(M_ODD), "the way back is kept");
	history_release(&h);
	methods_release(&m);
	display_release(&t);
}

static void
test_place(const struct fixture *fixture)
{
	struct scope *scope = scope_new(2, false);
	struct display t;
	struct methods m;
	struct place p;

	scope->in[1] = 1;
	fixture_methods(&m, &t, fixture, 3);
	list_move(&m.list, 5);
	place_take(&p, &m, scope, &(struct range){7, 9}, 5, 10);
	scope->in[1] = 0;
	ok(scope_has(p.scope, 1), "the scope is a copy");
	is_int(p.to - p.from, 5, "what the timeline shows");
	is_int(p.window.to - p.window.from, 2, "the window");
	is_int((int64_t)p.line, 2, "the screen line");
	list_move(&m.list, -100);
	place_restore(&p, &m);
	is_int((int64_t)m.list.at.cursor, 6, "restored");
	is_int((int64_t)(m.list.at.cursor - m.list.at.top), 2, "on its line");
	place_release(&p);
	methods_release(&m);
	display_release(&t);
	scope_free(scope);
}

static void
test_many(const struct fixture *fixture)
{
	struct history h = {0};
	struct display t;
	struct methods m;
	int back = 0;

	display_init(&t, fixture->trace, fixture->names);
	methods_init(&m, &t);
	display_set_fold(&t, fixture_fold(fixture));
	methods_follow(&m);
	for (int i = 0; i < 3 * HISTORY_MAX; i++)
		visit(&h, &m);
	ok(h.count <= HISTORY_MAX, "the list is bounded");
	while (step(&h, &m, -1))
		back++;
	ok(back >= HISTORY_MAX - 1, "and as long as that");
	history_release(&h);
	methods_release(&m);
	display_release(&t);
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
