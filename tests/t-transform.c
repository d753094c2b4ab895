/*
 * transform: what the tree becomes must be what becomes of its stacks, one by one, by a
 * plain reference that knows no tree; on random trees and random lists of transforms.
 */
#include <config.h>

#include "base/mem.h"
#include "profile/transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain-transform.h"
#include "tap/tap.h"

enum { THREADS = 3, METHODS = 14, NODES = 260 };

static uint64_t seed_now;

static uint32_t
below(uint32_t n)
{
	seed_now = seed_now * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed_now >> 33) % n;
}

/* Method 1 to METHODS: six classes in packages a, a.b, ab and none. */
static struct trace *
make_trace(void)
{
	static const char *const classes[] = {"a.C", "a.b.D", "a/b/E", "ab.F", "G", "a.b.c.H"};
	static char names[METHODS][16];
	struct trace *t = trace_new("made");

	for (int i = 0; i < METHODS; i++) {
		struct method *m = trace_method_add(t, (uint64_t)i * 4);

		snprintf(names[i], sizeof(names[i]), "m%d", i);
		m->class_name = str_from(classes[i % 6]);
		m->name = str_from(names[i]);
		m->signature = STR("()V");
		m->known = true;
	}
	t->clocks = 1u << CLOCK_CPU | 1u << CLOCK_WALL;
	return t;
}

struct made {
	struct trace *trace;
	struct tree tree;
	uint32_t roots[THREADS], open[THREADS];
	struct scope *scope;
};

static void
count_set(struct tree *t, uint32_t node, struct count c)
{
	struct count more = tree_count(t, node);

	more.calls = c.calls - more.calls;
	for (int k = 0; k < CLOCKS; k++)
		more.time[k] = c.time[k] - more.time[k];
	tree_count_add(t, node, &more);
}

static void
random_count(struct tree *t, uint32_t node)
{
	struct count c = {0};

	if (below(12) != 0) {
		c.calls = below(20);
		c.time[CLOCK_CPU] = below(50) * 1000;
		c.time[CLOCK_WALL] = c.time[CLOCK_CPU] + below(9) * 1000;
	}
	count_set(t, node, c);
}

static void
make_tree(struct made *m, uint64_t seed)
{
	uint32_t nodes[THREADS * NODES], depth[THREADS * NODES], n;

	seed_now = seed;
	m->trace = make_trace();
	tree_init(&m->tree);
	m->scope = scope_new(THREADS, true);
	for (uint32_t t = 0; t < THREADS; t++) {
		m->roots[t] = tree_add(&m->tree, NODE_NONE, METHOD_TOPLEVEL);
		nodes[0] = m->roots[t];
		depth[0] = 0;
		n = 1;
		for (int i = 0; i < NODES; i++) {
			uint32_t at = below(3) == 0 ? below(n) : n - 1 - below(n < 8 ? n : 8);
			uint32_t method = 1 + below(METHODS), child;

			if (depth[at] + 4 > ITEM_DEPTH ||
			    tree_find(&m->tree, nodes[at], method) != NODE_NONE)
				continue;
			child = tree_add(&m->tree, nodes[at], method);
			nodes[n] = child;
			depth[n++] = depth[at] + 1;
		}
		m->open[t] = nodes[below(n)];
		for (uint32_t a = below(3); a > 0; a--) {
			m->roots[t] = tree_adopt(&m->tree, m->roots[t], 1 + below(METHODS));
			tree_add(&m->tree, m->roots[t], 1 + below(METHODS));
		}
	}
	for (uint32_t i = 1; i < m->tree.count; i++)
		random_count(&m->tree, i);
	if (below(2) == 0)
		m->scope->in[below(THREADS)] = 0;
}

static void
unmake(struct made *m)
{
	tree_release(&m->tree);
	scope_free(m->scope);
	trace_free(m->trace);
}

/* Random lists ---------------------------------------------------------------- */

static void
random_path(struct made *m, struct transforms *list, enum transform_id id)
{
	uint32_t path[ITEM_DEPTH], n, depth = 0;

	/* One that is there. */
	do
		n = 1 + below(m->tree.count - 1);
	while (node_parent(&m->tree.nodes[n]) == NODE_NONE);
	for (uint32_t k = n; node_parent(&m->tree.nodes[k]) != NODE_NONE; k = node_parent(&m->tree.nodes[k]))
		depth++;
	if (depth > ITEM_DEPTH)
		return;
	for (uint32_t d = depth; d-- > 0; n = node_parent(&m->tree.nodes[n]))
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
	uint32_t method = 1 + below(METHODS);
	const char *text = patterns[below(7)];

	switch (transform_kinds[id].argument) {
	case ARGUMENT_PATH:
		random_path(m, list, id);
		return;
	case ARGUMENT_METHOD:
		if (below(2) == 0) {
			transforms_add_methods(list, id, &method, 1);
			return;
		}
		break;
	case ARGUMENT_PACKAGE:
		text = packages[below(5)];
		break;
	case ARGUMENT_PERCENT:
		text = shares[below(6)];
		break;
	case ARGUMENT_PATTERN:
		break;
	}
	transforms_add_text(list, id, str_from(text), 0, NULL);
}

/* Frames from before the trace are where the tree says they are. */
static bool
bottoms_hold(const struct transformed *x)
{
	for (uint32_t i = 1; i < x->tree.count; i++) {
		uint32_t parent = node_parent(&x->tree.nodes[i]);

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
	    .open = m->open, .thread_count = THREADS, .method_count = METHODS + 1,
	    .scope = m->scope};
	struct transformed *x = transform_apply(list, m->trace, &s, NULL);
	bool same;

	items_take(&expected, &m->tree, m->roots, THREADS);
	items_apply(&expected, list, m->trace, m->scope);
	items_sum(&expected);
	items_take(given, &x->tree, x->roots, THREADS);
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

			make_tree(&m, seed * 31 + (uint64_t)id);
			random_transform(&m, &list, (enum transform_id)id);
			for (; more > 0; more--) {
				random_transform(&m, &list, (enum transform_id)below(TRANSFORMS));
				list.list[list.count - 1].off = below(5) == 0;
			}
			tried++;
			if (applies(&m, &list, &given)) {
				good++;
			} else {
				line_of(&list, m.trace, &line);
				diag("seed %d: %.*s", (int)seed, STR_ARG(sbuf_view(&line)));
			}
			transforms_release(&list);
			unmake(&m);
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

	make_tree(&m, 77);
	items_take(&before, &m.tree, m.roots, THREADS);
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
	unmake(&m);
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
	struct made m = {.trace = make_trace(), .scope = scope_new(THREADS, true)};
	struct transforms list = {0};

	tree_init(&m.tree);
	nodes[0] = m.roots[0] = m.open[0] = tree_add(&m.tree, NODE_NONE, METHOD_TOPLEVEL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		nodes[i + 1] = tree_add(&m.tree, nodes[rows[i].above], rows[i].method);
		count_set(&m.tree, nodes[i + 1], (struct count){1, {i + 1, i + 1}});
	}
	transforms_add_line(&list, STR("recursion:."), NULL);
	ok(applies(&m, &list, &given) && given.n == 4, "a part of the stack that was hidden");
	transforms_release(&list);
	unmake(&m);
}

/* Arguments ------------------------------------------------------------------------ */

static void
test_lines(void)
{
	static const struct {
		const char *line, *text; /* NULL: bad, then at */
		uint64_t at;
	} lines[] = {
	    {"drop:^java\\.", "/^java\\./", 0},
	    {"below:0.5", "0.5 %", 0},
	    {"below:12.25%", "12.25 %", 0},
	    {"below:0.05 %", "0.05 %", 0},
	    {"below:101", NULL, 6},
	    {"below:x", NULL, 6},
	    {"below:1.234", NULL, 10},
	    {"below:", NULL, 6},
	    {"collapse-package:java/util", "java.util.*", 0},
	    {"focus-package:java.util.*", "java.util.*", 0},
	    {"focus-package:*", NULL, 14},
	    {"focus-subtree:a / b", "/a / b/", 0},
	    {"focus-subtree:a / (", NULL, 19},
	    {"merge:(", NULL, 7},
	    {"merge:", NULL, 6},
	    {"merge", NULL, 5},
	    {"Merge:a", NULL, 0},
	    {"", NULL, 0},
	};
	struct trace *t = make_trace();

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct transforms list = {0}, same = {0};
		struct sbuf text = {0};
		struct err e = {0};
		bool good = transforms_add_line(&list, str_from(lines[i].line), &e);

		if (lines[i].text == NULL) {
			ok(!good && list.count == 0 && e.has_offset && e.offset == lines[i].at,
			    "'%s' is bad at %d (%d)", lines[i].line, (int)lines[i].at,
			    (int)e.offset);
			continue;
		}
		ok(good && list.count == 1, "'%s' is good", lines[i].line);
		transform_argument_text(&text, &list.list[0], t);
		is_str(sbuf_cstr(&text), lines[i].text, "and reads so");
		transforms_copy(&same, &list);
		ok(transforms_equal(&same, &list), "a copy is equal");
		same.list[0].off = true;
		ok(!transforms_equal(&same, &list) && !transforms_active(&same), "until it is off");
		transforms_release(&same);
		transforms_release(&list);
		sbuf_release(&text);
	}
	trace_free(t);
}

static void
test_table(void)
{
	for (int i = 0; i < TRANSFORMS; i++) {
		const struct transform_kind *kind = &transform_kinds[i];

		ok((int)transform_find(str_from(kind->name)) == i &&
			(int)transform_find_key(kind->key) == i,
		    "%s has a name and a key of its own", kind->name);
	}
	ok(transform_find(STR("x")) == TRANSFORMS && transform_find_key('x') == TRANSFORMS,
	    "others are none");
}

/* A deep tree must not take the stack with it, nor time that grows with the square. */
static void
test_deep(void)
{
	static const char *const lines[] = {
	    "recursion:.", "include:m1\\(", "below:0.01", "collapse-matches:m[12]\\(", "merge:m3"};
	struct made m = {.trace = make_trace()};
	uint32_t at;

	tree_init(&m.tree);
	at = m.roots[0] = tree_add(&m.tree, NODE_NONE, METHOD_TOPLEVEL);
	for (int i = 0; i < 300000; i++) {
		at = tree_add(&m.tree, at, 1 + (uint32_t)i % METHODS);
		count_set(&m.tree, at, (struct count){1, {1, 1}});
	}
	m.open[0] = at;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct paths_source s = {.tree = &m.tree,
		    .roots = m.roots, .open = m.open, .thread_count = 1,
		    .method_count = METHODS + 1};
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
	struct paths_source s = {.tree = &m.tree, .roots = m.roots, .thread_count = THREADS,
	    .method_count = METHODS + 1};

	make_tree(&m, 5);
	transforms_add_line(&list, STR("merge:m1"), NULL);
	ok(transform_apply(&list, m.trace, &s, &cancel) == NULL, "can be cancelled");
	transforms_release(&list);
	unmake(&m);
}

int
main(void)
{
	test_table();
	test_lines();
	test_random();
	test_identities();
	test_hidden();
	test_deep();
	test_cancel();
	return tap_done();
}
