// SPDX-License-Identifier: Apache-2.0
/*
 * list: rows of a small tree: order, what is open, and where the cursor is, by identity.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "tap/tap.h"
#include "view/list/list.h"

/* A row is the text of its way from the top: "b" has "b1" and "b2". */
struct item {
	const char *name;
	int value;
	unsigned flags;
};

static struct item nodes[] = {
    {"t", 0, LIST_FIRST | LIST_LEADS},
    {"t1", 5, 0},
    {"a", 10, 0},
    {"b", 30, LIST_LEADS},
    {"b1", 1, LIST_AS_GIVEN},
    {"b2", 3, LIST_AS_GIVEN | LIST_LEADS},
    {"b2x", 7, 0},
    {"b2y", 9, 0},
    {"c", 20, LIST_LEADS},
    {"c1", 2, 0},
};

enum { NODES = sizeof(nodes) / sizeof(nodes[0]) };

static bool gone[NODES];

static struct list_id
id_of(const char *name)
{
	struct list_id id = {0, 0};

	memcpy(&id.a, name, strlen(name));
	return id;
}

static void
children(void *of, struct list *l, const struct list_row *row)
{
	const char *above = row != NULL ? nodes[row->item].name : "";
	size_t n = strlen(above);

	(void)of;
	for (uint32_t i = 0; i < NODES; i++) {
		const char *name = nodes[i].name;

		if (!gone[i] && strlen(name) == n + 1 && strncmp(name, above, n) == 0)
			list_add(l, id_of(name), i)->flags = nodes[i].flags;
	}
}

static bool
parent(const void *of, struct list_id id, struct list_id *up)
{
	char name[sizeof(id.a) + 1] = "";

	(void)of;
	memcpy(name, &id.a, sizeof(id.a));
	if (strlen(name) < 2)
		return false;
	name[strlen(name) - 1] = '\0';
	*up = id_of(name);
	return true;
}

enum { VALUE, NAME };

static struct value
get(const void *of, const struct list_row *row, int column)
{
	(void)of;
	return column == NAME ? value_text(str_from(nodes[row->item].name))
			      : value_count((uint64_t)nodes[row->item].value);
}

static const struct column columns[] = {
    [VALUE] = {"value", "Value", "", .kind = VALUE_COUNT},
    [NAME] = {"name", "Name", "", .kind = VALUE_TEXT, .flags = LIST_REST},
    {.id = NULL},
};

static const struct list_source source = {
    .word = "nodes",
    .empty = "",
    .columns = columns,
    .sort = VALUE,
    .marks = true,
    .get = get,
    .children = children,
    .parent = parent,
};

/* "b .b1": a row is its name, its depth in dots; the cursor's has a star. */
static void
rows_are(const struct list *l, const char *want, const char *what)
{
	char got[200] = "";

	for (size_t i = 0; i < l->at.count; i++) {
		size_t n = strlen(got);

		snprintf(got + n, sizeof(got) - n, "%s%.*s%s%s", i > 0 ? " " : "",
		    (int)l->rows[i].depth, "......", nodes[l->rows[i].item].name,
		    i == l->at.cursor ? "*" : "");
	}
	is_str(got, want, "%s", what);
}

static void
test_tree(struct list *l)
{
	struct err e = {0};

	rows_are(l, "t b* c a", "the first stays first, and the cursor is on the next");
	ok(list_open(l), "b opens");
	rows_are(l, "t b* .b1 .b2 c a", "in the order that was given");
	ok(!list_open(l), "but once");
	ok(list_to_child(l) && list_to_sibling(l, 1) && list_open(l), "b2 opens");
	rows_are(l, "t b .b1 .b2* ..b2y ..b2x c a", "each level in order");
	ok(!list_to_sibling(l, 1), "no sibling after the last");
	list_sort(l, VALUE, true);
	rows_are(l, "t a c b .b1 .b2* ..b2x ..b2y", "ascending");
	list_sort(l, NAME, true);
	ok(list_to_parent(l), "to b");
	rows_are(l, "t a b* .b1 .b2 ..b2x ..b2y c", "by name");
	ok(list_close(l), "b closes");
	rows_are(l, "t a b* c", "with all that is below");
	ok(list_open(l), "and opens again");
	rows_are(l, "t a b* .b1 .b2 ..b2x ..b2y c", "as it was");
	ok(list_filter(l, STR("[bx]"), &e), "a filter");
	rows_are(l, "b* .b1 .b2 ..b2x ..b2y", "is of all levels");
	ok(list_filter(l, STR("!y"), &e), "one that excludes");
	rows_are(l, "t a b* .b1 .b2 ..b2x c", "too");
	ok(list_filter(l, STR(""), &e), "none");
}

static void
test_go(struct list *l)
{
	(void)ids_clear(&l->open);
	ok(list_go(l, id_of("b2x"), 0), "a row opens the way to it");
	rows_are(l, "t a b .b1 .b2 ..b2x* ..b2y c", "and the cursor is there");
	gone[6] = true;
	list_update(l);
	rows_are(l, "t a b .b1 .b2* ..b2y c", "gone: on the nearest above");
	gone[5] = true;
	list_update(l);
	rows_are(l, "t a b* .b1 c", "and above that");
	gone[5] = gone[6] = false;
	list_update(l);
	rows_are(l, "t a b .b1 .b2 ..b2x* ..b2y c", "it comes back");
	ok(!list_go(l, id_of("c2"), 0), "what is not there");
	rows_are(l, "t a b .b1 .b2 ..b2x ..b2y c* .c1", "opens the way, too");
	ok(list_mark(l), "c is marked");
	list_sort(l, VALUE, false);
	ok(list_is_marked(l, &l->rows[6]) && !list_is_marked(l, &l->rows[7]),
	    "at any place");
	ok(list_unmark(l) && !list_unmark(l), "and is not any more");
}

/* What was done to one list, done to another, whose first rows come later. */
static void
test_state(struct list *from, const struct figures *figures)
{
	struct list_state state, again;
	struct err e = {0};
	struct list to;

	ok(list_filter(from, STR("!^a$"), &e) && list_go(from, id_of("b"), 2) && list_mark(from),
	    "filter, mark and cursor");
	(void)list_go(from, id_of("b2x"), 3);
	rows_are(from, "t b .b1 .b2 ..b2y ..b2x* c .c1", "of one list");
	list_take(&state, from);
	for (int i = 0; i < NODES; i++)
		gone[i] = true;
	list_init(&to, &source, NULL, figures);
	list_give(&to, &state);
	list_update(&to);
	list_set_size(&to, 20, 80);
	rows_are(&to, "", "no row yet in the other");
	list_take(&again, &to);
	ok(list_id_equal(again.cursor, state.cursor) && again.line == state.line &&
	    again.marked.count == 1 && again.open.count == state.open.count,
	    "and still the same state");
	memset(gone, 0, sizeof(gone));
	list_update(&to);
	rows_are(&to, "t b .b1 .b2 ..b2y ..b2x* c .c1", "then the same rows");
	ok(list_is_marked(&to, list_find(&to, id_of("b"))) &&
	    scroll_line(&to.at) == scroll_line(&from->at), "the mark, and the cursor's line");
	list_state_release(&state);
	list_state_release(&again);
	list_release(&to);
}

/* Against a plain array. */
static void
test_ids(void)
{
	enum { KEYS = 300, STEPS = 5000 };
	bool in[KEYS] = {false};
	struct ids set = {.count = 0};
	size_t count = 0;
	int wrong = 0;

	for (uint32_t i = 0, chance = 1; i < STEPS; i++) {
		uint32_t k = (chance = chance * 1664525u + 1013904223u) / 65536 % KEYS;
		struct list_id id = {k / 2, k % 2};

		wrong += ids_has(&set, id) != in[k];
		if (chance / 256 % 3 > 0) {
			wrong += ids_add(&set, id) == in[k];
			count += !in[k];
			in[k] = true;
		} else {
			wrong += ids_remove(&set, id) != in[k];
			count -= in[k];
			in[k] = false;
		}
		wrong += set.count != count;
	}
	is_int(wrong, 0, "a set of ids has what was added and not removed");
	ok(ids_clear(&set) && !ids_has(&set, (struct list_id){1, 1}), "or nothing");
	ids_release(&set);
}

/* A list without rows, all of which are open, takes a filter. */
static void
test_empty(const struct figures *figures)
{
	struct list l;
	struct err e = {0};

	for (int i = 0; i < NODES; i++)
		gone[i] = true;
	list_init(&l, &source, NULL, figures);
	l.all = true;
	list_set_size(&l, 20, 80);
	ok(list_filter(&l, STR("x"), &e), "an empty list takes a filter");
	list_settle(&l);
	is_int((int64_t)l.at.count, 0, "and has no rows");
	list_release(&l);
	memset(gone, 0, sizeof(gone));
}

int
main(void)
{
	static const struct trace trace;
	struct figures figures = {.trace = &trace};
	struct list l;

	list_init(&l, &source, NULL, &figures);
	list_set_size(&l, 20, 80);
	test_tree(&l);
	test_go(&l);
	test_state(&l, &figures);
	list_release(&l);
	test_empty(&figures);
	test_ids();
	return tap_done();
}
