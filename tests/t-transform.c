// SPDX-License-Identifier: Apache-2.0
/*
 * transform: what the tree becomes must be what becomes of its stacks, one by one, by a
 * plain reference that knows no tree; on random trees and random lists of transforms.
 */
#include <config.h>

#include "profile/sum/transform.h"

#include "made-tree.h"
#include "plain-transform.h"
#include "tap/tap.h"

/* Random lists -------------------------------------------------------------------- */

static void
random_path(struct made *m, struct transforms *list, enum transform_id id)
{
	uint32_t path[ITEM_DEPTH], n, depth = 0;

	/* One that is there. */
	do
		n = 1 + made_below(m->tree.count - 1);
	while (m->tree.nodes[n].parent == NODE_NONE);
	for (uint32_t k = n; m->tree.nodes[k].parent != NODE_NONE; k = m->tree.nodes[k].parent)
		depth++;
	if (depth > ITEM_DEPTH)
		return;
	for (uint32_t d = depth; d-- > 0; n = m->tree.nodes[n].parent)
		path[d] = m->tree.nodes[n].method;
	transforms_add_methods(list, id, path, depth);
}

static void
random_transform(struct made *m, struct transforms *list, enum transform_id id)
{
	static const char *const patterns[] = {
	    "m[13]\\(", "^a\\.", "D\\.|F\\.", "m1", ".", "nothing", "a/b"};
	static const char *const packages[] = {"a", "a.b", "ab", "a/b.*", "x"};
	static const char *const shares[] = {"0", "1", "0.25", "5 %", "30%", "100"};
	uint32_t method = 1 + made_below(MADE_METHODS);
	const char *text = patterns[made_below(7)];

	switch (transform_kinds[id].argument) {
	case ARGUMENT_PATH:
		random_path(m, list, id);
		return;
	case ARGUMENT_METHOD:
		if (made_below(2) == 0) {
			transforms_add_methods(list, id, &method, 1);
			return;
		}
		break;
	case ARGUMENT_PACKAGE:
		text = packages[made_below(5)];
		break;
	case ARGUMENT_PERCENT:
		text = shares[made_below(6)];
		break;
	case ARGUMENT_PATTERN:
	case ARGUMENT_RULES:
		break;
	}
	transforms_add_text(list, id, str_from(text), NULL);
}

/* Frames from before the trace are where the tree says they are. */
static bool
bottoms_hold(const struct transformed *x)
{
	for (uint32_t i = 1; i < x->tree.count; i++) {
		uint32_t parent = x->tree.nodes[i].parent;

		if (parent >= x->tree.count || parent == i)
			return false;
		/* One below a frame of the trace is itself of the trace. */
		if (parent != NODE_NONE && tree_is_bottom(&x->tree, i) &&
		    !tree_is_bottom(&x->tree, parent))
			return false;
	}
	return true;
}

static bool
applies(struct made *m, const struct transforms *list, struct items *given)
{
	static struct items expected;
	struct paths_source s = {.tree = &m->tree, .roots = m->roots,
	    .open = m->open, .thread_count = MADE_THREADS, .method_count = MADE_METHODS + 1,
	    .scope = m->scope};
	struct transformed *x = transform_apply(list, m->trace, &s, NULL);
	bool same;

	items_take(&expected, &m->tree, m->roots, MADE_THREADS);
	items_apply(&expected, list, m->trace, m->scope);
	items_sum(&expected);
	items_take(given, &x->tree, x->roots, MADE_THREADS);
	items_sum(given);
	same = items_equal(&expected, given) && bottoms_hold(x) && x->err.kind == ERR_NONE;
	transformed_free(x);
	return same;
}

static void
line_of(const struct transforms *list, const struct trace *t, struct sbuf *out)
{
	sbuf_clear(out);
	for (size_t i = 0; i < list->count; i++) {
		sbuf_printf(out, "%s%s%s ", i > 0 ? ", " : "", list->list[i].off ? "off " : "",
		    transform_kinds[list->list[i].id].name);
		transform_argument_text(out, &list->list[i], t);
	}
}

static void
test_random(void)
{
	static struct items given;
	struct sbuf line = {0};

	for (int id = 0; id < TRANSFORMS; id++) {
		int good = 0, tried = 0;

		for (uint64_t seed = 1; seed <= 30; seed++) {
			struct transforms list = {0};
			struct made m = {0};
			uint32_t more = (uint32_t)seed % 4;

			made_random(&m, seed * 31 + (uint64_t)id);
			random_transform(&m, &list, (enum transform_id)id);
			for (; more > 0; more--) {
				random_transform(&m, &list, (enum transform_id)made_below(TRANSFORMS));
				list.list[list.count - 1].off = made_below(5) == 0;
			}
			tried++;
			if (applies(&m, &list, &given)) {
				good++;
			} else {
				line_of(&list, m.trace, &line);
				diag("seed %d: %.*s", (int)seed, STR_ARG(sbuf_view(&line)));
			}
			transforms_release(&list);
			made_release(&m);
		}
		ok(good == tried, "%s first: as its stacks one by one, %d times",
		    transform_kinds[id].name, tried);
	}
	sbuf_release(&line);
}

static void
items_total(const struct items *all, nsec total[CLOCKS])
{
	total[0] = total[1] = 0;
	for (int i = 0; i < all->n; i++)
		for (int c = 0; c < CLOCKS; c++)
			total[c] += all->list[i].count.time[c];
}

static void
test_identities(void)
{
	static const enum transform_id keep[] = {TRANSFORM_FOCUS_PACKAGE, TRANSFORM_MERGE,
	    TRANSFORM_MERGE_NODE, TRANSFORM_COLLAPSE, TRANSFORM_COLLAPSE_PACKAGE,
	    TRANSFORM_COLLAPSE_MATCHES, TRANSFORM_RECURSION, TRANSFORM_DIRECT_RECURSION,
	    TRANSFORM_BELOW};
	static const char *const nothing[] = {"exclude:nothing", "drop:nothing", "merge:nothing",
	    "collapse:nothing", "collapse-package:x", "recursion:nothing", "below:0"};
	static struct items before, after;
	struct transforms list = {0};
	struct made m = {0};
	nsec total[CLOCKS], now[CLOCKS];

	made_random(&m, 77);
	items_take(&before, &m.tree, m.roots, MADE_THREADS);
	items_total(&before, total);
	for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); i++) {
		transforms_release(&list);
		random_transform(&m, &list, keep[i]);
		ok(applies(&m, &list, &after), "%s applies", transform_kinds[keep[i]].name);
		items_total(&after, now);
		ok(now[0] == total[0] && now[1] == total[1], "%s keeps exclusive time",
		    transform_kinds[keep[i]].name);
	}
	items_sum(&before);
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		transforms_release(&list);
		ok(transforms_add_line(&list, str_from(nothing[i]), NULL) &&
			applies(&m, &list, &after) && items_equal(&before, &after),
		    "%s changes nothing", nothing[i]);
	}
	transforms_release(&list);
	ok(applies(&m, &list, &after) && items_equal(&before, &after), "nor does an empty list");
	made_release(&m);
}

/*
 * What a joined frame hides of the stack must be there again when it is left: in
 * 1 2 (1 3) (4 2), the last 2 is within the first.
 */
static void
test_hidden(void)
{
	static const struct {
		uint32_t above, method;
	} rows[] = {{0, 1}, {1, 2}, {2, 1}, {3, 3}, {2, 4}, {5, 2}};
	static struct items given;
	uint32_t nodes[sizeof(rows) / sizeof(rows[0]) + 1];
	struct made m = {.trace = made_trace(), .scope = scope_new(MADE_THREADS, true)};
	struct transforms list = {0};

	tree_init(&m.tree);
	nodes[0] = m.roots[0] = m.open[0] = tree_add(&m.tree, NODE_NONE, METHOD_TOPLEVEL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		nodes[i + 1] = tree_add(&m.tree, nodes[rows[i].above], rows[i].method);
		made_count(&m.tree, nodes[i + 1], (struct count){1, {i + 1, i + 1}});
	}
	transforms_add_line(&list, STR("recursion:."), NULL);
	ok(applies(&m, &list, &given) && given.n == 4, "a part of the stack that was hidden");
	transforms_release(&list);
	made_release(&m);
}

/* A deep tree must not take the stack with it, nor time that grows with the square. */
static void
test_deep(void)
{
	static const char *const lines[] = {
	    "recursion:.", "include:m1\\(", "below:0.01", "collapse-matches:m[12]\\(", "merge:m3"};
	struct made m = {.trace = made_trace()};
	uint32_t at;

	tree_init(&m.tree);
	at = m.roots[0] = tree_add(&m.tree, NODE_NONE, METHOD_TOPLEVEL);
	for (int i = 0; i < 300000; i++) {
		at = tree_add(&m.tree, at, 1 + (uint32_t)i % MADE_METHODS);
		made_count(&m.tree, at, (struct count){1, {1, 1}});
	}
	m.open[0] = at;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct paths_source s = {.tree = &m.tree,
		    .roots = m.roots, .open = m.open, .thread_count = 1,
		    .method_count = MADE_METHODS + 1};
		struct transforms list = {0};
		struct transformed *x;

		transforms_add_line(&list, str_from(lines[i]), NULL);
		x = transform_apply(&list, m.trace, &s, NULL);
		ok(x->tree.count > 1 && x->roots[0] != NODE_NONE, "%s on a deep tree: %u nodes",
		    lines[i], x->tree.count);
		transformed_free(x);
		transforms_release(&list);
	}
	tree_release(&m.tree);
	trace_free(m.trace);
}

static void
test_cancel(void)
{
	atomic_bool cancel = true;
	struct transforms list = {0};
	struct made m = {0};
	struct paths_source s = {.tree = &m.tree, .roots = m.roots, .thread_count = MADE_THREADS,
	    .method_count = MADE_METHODS + 1};

	made_random(&m, 5);
	transforms_add_line(&list, STR("merge:m1"), NULL);
	ok(transform_apply(&list, m.trace, &s, &cancel) == NULL, "can be cancelled");
	transforms_release(&list);
	made_release(&m);
}

int
main(void)
{
	test_random();
	test_identities();
	test_hidden();
	test_deep();
	test_cancel();
	return tap_done();
}
