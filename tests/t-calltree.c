// SPDX-License-Identifier: Apache-2.0
/*
 * calltree: the rows of a call tree, upright and upside down: chains, what is small, and what
 * is found in it; the cursor stays on its path; names that are cut say so.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "format/format.h"
#include "random-trace.h"
#include "tap/tap.h"
#include "tests/folded.h"
#include "view/fixture.h"
#include "view/tree/calltree.h"

static const char *const short_names[] = {
    "run", "fact", "even", "odd", "load", "fail", "loop"};

/* "top(run [fact])": depth as brackets, the cursor's row with a star, chains with "/". */
static void
rows_are(const struct calltree *t, const char *want, const char *name)
{
	const struct path *items = calltree_paths(t)->items;
	char got[1000] = "";

	for (size_t i = 0; i < t->list.at.count; i++) {
		const struct list_row *row = &t->list.rows[i];
		uint32_t method = items[tree_path(row)].method;

		if (i > 0)
			strcat(got, " ");
		snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s%s%s%s%s",
		    (int)row->depth, "........", tree_head(row) != tree_path(row) ? "~" : "",
		    tree_is_folded(row)		 ? "folded"
			: method == METHOD_TOPLEVEL ? "top"
						 : short_names[method - fixture_method(0)],
		    list_is_open(&t->list, row->id)	? "-"
			: (row->flags & LIST_LEADS) != 0 ? "+"
						      : "",
		    i == t->list.at.cursor ? "*" : "");
	}
	is_str(got, want, "%s", name);
}

static void
test_worked(void)
{
	struct fixture f;
	struct display display;
	struct calltree t, up;
	struct paths *p;
	struct callers *callers;
	struct selection s;
	struct heaviest found;

	fixture_worked(&f, true);
	display_init(&display, f.trace, f.names);
	display_set_fold(&display, fixture_fold(&f));
	p = paths_counted(f.profile, NULL, NULL, NULL, true, false, NULL);
	callers = callers_new(p, NULL);
	calltree_init(&t, &display, false);
	calltree_init(&up, &display, true);
	list_set_size(&t.list, 20, 80);
	calltree_set(&t, p, NULL, NULL);
	calltree_set(&up, p, callers, NULL);
	rows_are(&t, "top-* .run+ .loop+", "begins with the root open");
	ok(calltree_heaviest(&t, &found) && found.whole, "H");
	rows_are(&t, "top- .run-* ..~odd ..~fact ..~fail .loop+", "along those with half of the time");
	ok(!calltree_heaviest(&t, &found), "no child has half of it");
	ok(list_to_child(&t.list), "into it");
	ok(calltree_open(&t), "+ takes a chain apart");
	rows_are(&t, "top- .run- ..even-* ...odd- ....even- .....odd ..~fact ..~fail .loop+", "taken apart");
	ok(list_to_sibling(&t.list, 1), "J");
	rows_are(&t, "top- .run- ..even- ...odd- ....even- .....odd ..~fact* ..~fail .loop+", "the next sibling");
	ok(!list_to_sibling(&up.list, -1), "K: none before the first");
	rows_are(&up, "load+* loop+ run+ odd+ fact+ even+ fail+", "methods by exclusive time, each with callers");
	/* One selection for both. */
	selection_init(&s);
	calltree_selected(&t, &s);
	calltree_select(&up, &s);
	ok(calltree_method(&up) == s.method && list_row(&up.list)->depth == 0,
	    "bottom-up goes to the method as a topmost one");
	list_to_parent(&t.list);
	calltree_select(&t, &s);
	ok(calltree_method(&t) == s.method, "and the tree back to its path");
	selection_release(&s);
	calltree_release(&t);
	calltree_release(&up);
	callers_free(callers);
	paths_free(p);
	display_release(&display);
	fixture_close(&f);
}

/* Random traces ------------------------------------------------------------------ */

/* Rows are below open ones, and the cursor is on the row that it is to be on. */
static bool
as_a_tree(const struct list *l)
{
	for (size_t i = 0; i < l->at.count; i++) {
		const struct list_row *row = &l->rows[i];

		if (row->depth > 0 && row->depth > row[-1].depth &&
		    (row->depth > row[-1].depth + 1 || !list_is_open(l, row[-1].id)))
			return false;
	}
	return l->at.cursor < l->at.count;
}

/* Single paths that follow each other on one level are in the order of the column. */
static bool
in_order(const struct list *l)
{
	const struct column *c = &column_table[l->sort];

	for (size_t i = 1; i < l->at.count && l->sort != COLUMN_METHOD; i++) {
		const struct list_row *a = &l->rows[i - 1], *b = a + 1;
		struct value v = list_value(l, a, l->sort), w = list_value(l, b, l->sort);
		int64_t x = list_key(c, v), y = list_key(c, w);
		int order = column_is_text(c) ? str_compare(v.text, w.text) : (x > y) - (x < y);

		if (a->depth == b->depth && !tree_is_folded(b) && a->item == tree_path(a) &&
		    b->item == tree_path(b) && (l->ascending ? order > 0 : order < 0))
			return false;
	}
	return true;
}

static int promises; /* not kept */

static void
step(struct calltree *t)
{
	static const enum column_id sorts[] = {COLUMN_INCL, COLUMN_EXCL_PERCENT, COLUMN_CALLS,
		COLUMN_PER_CALL, COLUMN_METHOD, COLUMN_WAIT, COLUMN_WAIT_INCL, COLUMN_CLASS,
		COLUMN_FILE};
	enum { SORTS = sizeof(sorts) / sizeof(sorts[0]) };

	size_t below;
	struct heaviest found;
	bool whole;

	switch (random_below(12)) {
	case 0:
	case 1:
		list_open(&t->list);
		break;
	case 2:
		calltree_open(t);
		break;
	case 3:
		calltree_close(t);
		break;
	case 4:
		calltree_heaviest(t, &found);
		break;
	case 5:
		list_to_parent(&t->list);
		break;
	case 6:
		list_to_sibling(&t->list, random_below(2) > 0 ? 1 : -1);
		break;
	case 7:
		/* What is promised to be enough is. */
		below = calltree_below(t, 300);
		whole = calltree_open_all(t, 300);
		promises += !whole && below < 300;
		break;
	case 8:
		list_sort(&t->list, sorts[random_below(SORTS)], random_below(2) > 0);
		break;
	default:
		list_move(&t->list, (int64_t)random_below(30) - 12);
		break;
	}
}

/* Each hit once on the way around, and back again. */
static void
test_search(struct calltree *t, struct display *display, int direction)
{
	struct pattern *pattern = NULL;
	struct err e = {0};
	size_t n, at, of, found = 0;
	uint32_t first;
	bool hits = true;

	pattern_compile(STR("m3"), 0, &pattern, &e);
	display_search(display, pattern);
	calltree_follow(t);
	list_search_position(&t->list, &n, &of);
	list_search_next(&t->list, direction);
	first = t->hit;
	list_search_position(&t->list, &at, &of);
	do {
		list_search_next(&t->list, direction);
		list_search_position(&t->list, &n, &of);
		hits = hits && n == (direction > 0 ? at % of + 1 : (at + of - 2) % of + 1) &&
		    display_is_hit(display, t->paths->items[t->hit].method);
		at = n;
		found++;
	} while (t->hit != first && found <= of);
	ok(of > 0 && hits, "only hits, numbered in their order");
	is_int((int64_t)found, (int64_t)of, "each of them once");
	display_search(display, NULL);
}

static void
test_random(int seed)
{
	struct err e = {0};
	size_t size;
	uint8_t *bytes;
	struct trace *trace;
	struct profile *p;
	struct names *names;
	struct display display;
	struct calltree t[2];
	struct paths *paths;
	struct callers *callers;
	int wrong = 0;

	random_trace_make((uint64_t)seed, 1);
	bytes = random_trace_bytes(&size);
	trace = format_open_memory(bytes, size, "random", &e);
	p = profile_new(trace);
	/* First half, then all: rows and cursor go along. */
	profile_load(p, RANDOM_RECORDS / 2, &e);
	names = names_new(trace, true);
	display_init(&display, trace, names);
	display_set_fold(&display, fold_new(p, NULL, NULL, NULL));
	paths = paths_counted(p, NULL, NULL, NULL, seed % 2 == 0, false, NULL);
	callers = callers_new(paths, NULL);
	for (int i = 0; i < 2; i++) {
		calltree_init(&t[i], &display, i == 1);
		list_set_size(&t[i].list, 15, 80);
		calltree_set(&t[i], paths, i == 1 ? callers : NULL, NULL);
	}
	for (int i = 0; i < 600; i++) {
		struct calltree *one = &t[i % 2];

		if (i == 300) {
			struct paths *more;
			struct callers *up;
			struct selection before;

			selection_init(&before);
			calltree_selected(&t[0], &before);

			while (profile_load(p, 5000, &e) == LOAD_MORE) {
			}
			display_set_fold(&display, fold_new(p, NULL, NULL, NULL));
			more = paths_counted(p, NULL, NULL, NULL, seed % 2 == 0, false, NULL);
			up = callers_new(more, NULL);
			calltree_set(&t[0], more, NULL, NULL);
			calltree_set(&t[1], more, up, NULL);
			ok(before.depth == 0 ||
				tree_row_has(&t[0], list_row(&t[0].list),
				    selection_find(&before, more, CLOCK_WALL)),
			    "the cursor stays on its path");
			selection_release(&before);
			callers_free(callers);
			paths_free(paths);
			paths = more;
			callers = up;
		}
		if (i % 100 == 50) {
			filters_set(&display.filters, i % 200 == 50 ? STR("!m[12]") : STR(""), &e);
			display.refilters++;
			calltree_follow(&t[0]);
			calltree_follow(&t[1]);
		}
		step(one);
		wrong += !as_a_tree(&one->list) || !in_order(&one->list);
	}
	is_int(wrong, 0, "seed %d: a tree of rows, in order", seed);
	is_int(promises, 0, "seed %d: no more rows than were told before", seed);
	filters_set(&display.filters, STR(""), &e);
	display.refilters++;
	calltree_follow(&t[0]);
	/* Around once takes as many steps as there are hits, squared. */
	if (seed <= 2)
		test_search(&t[0], &display, seed == 1 ? 1 : -1);
	for (int i = 0; i < 2; i++)
		calltree_release(&t[i]);
	callers_free(callers);
	paths_free(paths);
	display_release(&display);
	names_free(names);
	profile_free(p);
	trace_free(trace);
	free(bytes);
}

/* What callers cost is the square of a recursion's depth: in steps that are bounded. */
static void
test_deep(void)
{
	enum { DEPTH = 6000, STEPS = 40 };
	static const struct fixture_method method[] = {{"a.B", "f", "()V"}};
	static struct fixture_event events[2 * DEPTH];
	struct fixture f;
	struct display display;
	struct calltree t[2];
	struct paths *p;
	struct callers *callers[2];
	struct heaviest found;
	long long most = 0;
	bool whole = false;
	int steps = 0;

	for (int i = 0; i < 2 * DEPTH; i++)
		events[i] = (struct fixture_event){
			1, i < DEPTH ? '>' : '<', 0, (unsigned)i + 1, (unsigned)i + 1};
	fixture_open(&f, "dual", "1\tmain\n", method, 1, events, 2 * DEPTH, true);
	display_init(&display, f.trace, f.names);
	display_set_fold(&display, fixture_fold(&f));
	p = paths_counted(f.profile, NULL, NULL, NULL, true, false, NULL);
	for (int i = 0; i < 2; i++) {
		callers[i] = callers_new(p, NULL);
		calltree_init(&t[i], &display, true);
		list_set_size(&t[i].list, 20, 80);
		calltree_set(&t[i], p, callers[i], NULL);
	}
	while (steps < STEPS && !whole) {
		long long from = callers[0]->tree.count / 2, to, cost;

		calltree_heaviest(&t[0], &found);
		whole = found.whole;
		/* A level is two rows, and made for all paths but those that end before it. */
		to = callers[0]->tree.count / 2;
		cost = (to - from) * (DEPTH - to);
		most = cost > most ? cost : most;
		steps++;
	}
	ok(whole && steps > 2, "H comes to the end of a deep recursion in steps (%d)", steps);
	ok(most <= CALLTREE_COST_MOST, "each of which is bounded (%lld)", most);
	ok(callers[0]->tree.count >= DEPTH, "and all of it is there");
	ok(!calltree_open_all(&t[1], 100000) && callers[1]->tree.count < DEPTH, "* stops, too");
	for (int i = 0; i < 2; i++) {
		calltree_release(&t[i]);
		callers_free(callers[i]);
	}
	paths_free(p);
	display_release(&display);
	fixture_close(&f);
}

/* A thread waits; the little it does is mostly in one of three small children, or in none. */
static void
test_waiting(unsigned most, const char *want)
{
	static const struct fixture_method methods[] = {{"a.B", "run", "()V"}, {"a.B", "wait", "()V"},
		{"a.B", "tick", "()V"}, {"a.B", "tock", "()V"}, {"a.B", "tack", "()V"}};
	const struct fixture_event events[] = {{1, '>', 0, 0, 0}, {1, '>', 1, 0, 0},
		{1, '<', 1, 0, 100000}, {1, '>', 2, 0, 100000}, {1, '<', 2, most, 100000 + most},
		{1, '>', 3, most, 100000 + most}, {1, '<', 3, most + 2, 100002 + most},
		{1, '>', 4, most + 2, 100002 + most}, {1, '<', 4, most + 4, 100004 + most},
		{1, '<', 0, most + 4, 100004 + most}};
	struct fixture f;
	struct display display;
	struct calltree t;
	struct paths *p;
	struct heaviest found;

	fixture_open(&f, "dual", "1\tmain\n", methods, 5, events, 10, true);
	display_init(&display, f.trace, f.names);
	display.figures.clock = CLOCK_WALL;
	display_set_fold(&display, fixture_fold(&f));
	p = paths_counted(f.profile, NULL, NULL, NULL, true, false, NULL);
	paths_mark_idle(p, f.trace, NULL, 0);
	calltree_init(&t, &display, false);
	list_set_size(&t.list, 20, 80);
	calltree_set(&t, p, NULL, NULL);
	calltree_heaviest(&t, &found);
	is_str(methods[calltree_method(&t) - 1].name, want, "H: %u us of busy work", most);
	calltree_release(&t);
	paths_free(p);
	display_release(&display);
	fixture_close(&f);
}

int
main(void)
{
	test_worked();
	test_waiting(8, "tick");
	test_waiting(3, "run");
	test_deep();
	for (int seed = 1; seed <= 4; seed++)
		test_random(seed);
	return tap_done();
}
