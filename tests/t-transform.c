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

#include "tap/tap.h"

enum { THREADS = 3, METHODS = 14, DEPTH = 24, NODES = 260, ITEMS = 4096 };

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
random_count(struct count *c)
{
	if (below(12) == 0) {
		*c = (struct count){0};
		return;
	}
	c->calls = below(20);
	c->time[CLOCK_CPU] = below(50) * 1000;
	c->time[CLOCK_WALL] = c->time[CLOCK_CPU] + below(9) * 1000;
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

			if (depth[at] + 4 > DEPTH ||
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
		random_count(&m->tree.counts[i]);
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

/* The reference ------------------------------------------------------------ */

/* A stack, (toplevel) left out, and what was counted at its last frame. */
struct item {
	uint32_t thread;
	int depth;
	uint32_t path[DEPTH];
	struct count count;
};

struct items {
	struct item list[ITEMS];
	int n;
};

static void
items_take(struct items *out, const struct tree *t, const struct count *counts,
    const uint32_t *roots)
{
	out->n = 0;
	for (uint32_t id = 1; id < t->count; id++) {
		struct item *item = &out->list[out->n++];
		uint32_t n = id;

		memset(item, 0, sizeof(*item));
		for (; t->nodes[n].parent != NODE_NONE; n = t->nodes[n].parent)
			item->depth++;
		while (item->thread < THREADS && roots[item->thread] != n)
			item->thread++;
		n = id;
		for (int d = item->depth; d-- > 0; n = t->nodes[n].parent)
			item->path[d] = t->nodes[n].method;
		item->count = counts[id];
	}
}

static bool
is_prefix(const struct item *a, const struct item *b)
{
	return a->depth <= b->depth &&
	    memcmp(a->path, b->path, (size_t)a->depth * sizeof(a->path[0])) == 0;
}

static void
time_clear(struct item *item)
{
	item->count.time[CLOCK_CPU] = item->count.time[CLOCK_WALL] = 0;
}

static bool
means(const uint8_t *matches, uint32_t method)
{
	return matches != NULL && matches[method] != 0;
}

static int
first_match(const struct item *item, const uint8_t *matches)
{
	int d = 0;

	while (d < item->depth && !means(matches, item->path[d]))
		d++;
	return d;
}

/* Frames from `from` on are left; those before go. */
static void
cut_front(struct item *item, int from)
{
	item->depth -= from;
	memmove(item->path, item->path + from, (size_t)item->depth * sizeof(item->path[0]));
}

static void
remove_frame(struct item *item, int at)
{
	if (at == item->depth - 1)
		item->count.calls = 0;
	item->depth--;
	memmove(item->path + at, item->path + at + 1,
	    (size_t)(item->depth - at) * sizeof(item->path[0]));
}

/* One that is not there any more. */
static void
gone(struct item *item)
{
	item->depth = 0;
	item->count = (struct count){0};
}

static void
ref_include(struct items *all, const uint8_t *matches)
{
	static bool stays[ITEMS];

	for (int i = 0; i < all->n; i++) {
		stays[i] = false;
		for (int k = 0; k < all->n && !stays[i]; k++) {
			const struct item *b = &all->list[k];

			stays[i] = b->thread == all->list[i].thread &&
			    is_prefix(&all->list[i], b) && first_match(b, matches) < b->depth &&
			    (b->count.calls > 0 || b->count.time[0] > 0 || b->count.time[1] > 0);
		}
	}
	for (int i = 0; i < all->n; i++) {
		struct item *item = &all->list[i];

		if (first_match(item, matches) == item->depth)
			time_clear(item);
		if (!stays[i] && item->depth > 0)
			gone(item);
	}
}

static void
ref_below(struct items *all, uint32_t hundredths, uint32_t made, const struct scope *scope)
{
	static int cut[ITEMS];
	nsec total = 0;

	for (int i = 0; i < all->n; i++)
		if (scope_has(scope, all->list[i].thread))
			total += all->list[i].count.time[CLOCK_WALL];
	for (int i = 0; i < all->n; i++) {
		struct item prefix = all->list[i];

		cut[i] = prefix.depth;
		if (!scope_has(scope, prefix.thread))
			continue;
		for (prefix.depth = 1; prefix.depth <= all->list[i].depth; prefix.depth++) {
			nsec sum = 0;

			for (int k = 0; k < all->n; k++)
				if (scope_has(scope, all->list[k].thread) &&
				    is_prefix(&prefix, &all->list[k]))
					sum += all->list[k].count.time[CLOCK_WALL];
			if (sum * 10000 < total * hundredths) {
				cut[i] = -prefix.depth;
				break;
			}
		}
	}
	for (int i = 0; i < all->n; i++) {
		struct item *item = &all->list[i];

		if (cut[i] >= 0)
			continue;
		if (item->depth > -cut[i])
			item->count.calls = 0;
		item->depth = -cut[i];
		item->path[item->depth - 1] = made;
	}
}

/* Frames one by one onto a new stack, which a recursive one cuts. */
static void
ref_recursion(struct item *item, const uint8_t *matches, bool direct)
{
	struct item was = *item;
	bool joined = false;

	item->depth = 0;
	for (int d = 0; d < was.depth; d++) {
		int at = item->depth - 1;

		joined = false;
		if (means(matches, was.path[d])) {
			while (at >= 0 && item->path[at] != was.path[d] && !direct)
				at--;
			joined = at >= 0 && item->path[at] == was.path[d];
		}
		if (joined)
			item->depth = at + 1;
		else
			item->path[item->depth++] = was.path[d];
	}
	if (joined)
		item->count.calls = 0;
}

static void
ref_collapse_matches(struct item *item, const uint8_t *matches, uint32_t made)
{
	struct item was = *item;
	bool inside = false, joined = false;

	item->depth = 0;
	for (int d = 0; d < was.depth; d++) {
		bool match = means(matches, was.path[d]);

		joined = match && inside;
		if (!joined)
			item->path[item->depth++] = match ? made : was.path[d];
		inside = match;
	}
	if (joined)
		item->count.calls = 0;
}

static bool
starts_with(const struct item *item, const struct transform *t)
{
	return item->depth >= (int)t->depth &&
	    memcmp(item->path, t->methods, t->depth * sizeof(item->path[0])) == 0;
}

static void
ref_one(struct item *item, const struct transform *t, const uint8_t *matches, uint32_t made)
{
	int first = first_match(item, matches);
	bool has = first < item->depth;

	switch (t->id) {
	case TRANSFORM_EXCLUDE:
	case TRANSFORM_DROP:
		if (has)
			gone(item);
		break;
	case TRANSFORM_FOCUS:
	case TRANSFORM_FOCUS_SUBTREE:
		if (t->id == TRANSFORM_FOCUS_SUBTREE) {
			has = starts_with(item, t);
			first = (int)t->depth - 1;
		}
		if (item->depth == 0)
			time_clear(item);
		else if (has)
			cut_front(item, first);
		else
			gone(item);
		break;
	case TRANSFORM_FOCUS_SELF:
		if (item->depth == 0)
			time_clear(item);
		else if (means(matches, item->path[item->depth - 1]))
			cut_front(item, item->depth - 1);
		else
			gone(item);
		break;
	case TRANSFORM_FOCUS_PACKAGE:
	case TRANSFORM_MERGE:
		for (int d = item->depth; d-- > 0;)
			if (means(matches, item->path[d]) == (t->id == TRANSFORM_MERGE))
				remove_frame(item, d);
		/* The last frame may have gone: then so did those calls. */
		break;
	case TRANSFORM_MERGE_NODE:
		if (starts_with(item, t))
			remove_frame(item, (int)t->depth - 1);
		break;
	case TRANSFORM_COLLAPSE:
		if (has && first + 1 < item->depth) {
			item->depth = first + 1;
			item->count.calls = 0;
		}
		break;
	case TRANSFORM_COLLAPSE_PACKAGE:
	case TRANSFORM_COLLAPSE_MATCHES:
		ref_collapse_matches(item, matches, made);
		break;
	case TRANSFORM_RECURSION:
	case TRANSFORM_DIRECT_RECURSION:
		ref_recursion(item, matches, t->id == TRANSFORM_DIRECT_RECURSION);
		break;
	default:
		break;
	}
}

/* The name that a frame for several must have. */
static uint32_t
made_for(struct trace *trace, const struct transform *t)
{
	char name[64];

	if (t->id == TRANSFORM_COLLAPSE_PACKAGE)
		snprintf(name, sizeof(name), "(%.*s.*)", STR_ARG(t->text));
	else if (t->id == TRANSFORM_COLLAPSE_MATCHES)
		snprintf(name, sizeof(name), "(/%.*s/)", STR_ARG(t->text));
	else if (t->id == TRANSFORM_BELOW && t->hundredths % 10 != 0)
		snprintf(name, sizeof(name), "(below %.2f %%)", t->hundredths / 100.0);
	else if (t->id == TRANSFORM_BELOW)
		snprintf(name, sizeof(name), "(below %.1f %%)", t->hundredths / 100.0);
	else
		return METHOD_NONE;
	return trace_method_made(trace, str_from(name));
}

static void
ref_apply(struct items *all, const struct transforms *list, struct made *m)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct transform *t = &list->list[i];
		uint32_t count = trace_method_count(m->trace), made = made_for(m->trace, t);
		uint8_t *matches = NULL;

		if (t->off)
			continue;
		if (t->text.n > 0)
			matches = transform_matches(t, m->trace, count, t->text, NULL, NULL);
		else if (t->depth == 1) {
			matches = mem_zero(count, 1);
			matches[t->methods[0]] = 1;
		}
		if (t->id == TRANSFORM_INCLUDE)
			ref_include(all, matches);
		else if (t->id == TRANSFORM_BELOW)
			ref_below(all, t->hundredths, made, m->scope);
		for (int k = 0; k < all->n; k++)
			ref_one(&all->list[k], t, matches, made);
		mem_free(matches);
	}
}

static int
item_order(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth - b->depth;
	return memcmp(a->path, b->path, (size_t)a->depth * sizeof(a->path[0]));
}

/* One item a path that has something. */
static void
items_sum(struct items *all)
{
	int n = 0;

	qsort(all->list, (size_t)all->n, sizeof(all->list[0]), item_order);
	for (int i = 0; i < all->n; i++) {
		struct item *to = n > 0 ? &all->list[n - 1] : NULL;
		const struct item *item = &all->list[i];

		if (item->count.calls == 0 && item->count.time[0] == 0 && item->count.time[1] == 0)
			continue;
		if (to == NULL || item_order(to, item) != 0) {
			all->list[n++] = *item;
			continue;
		}
		to->count.calls += item->count.calls;
		to->count.time[0] += item->count.time[0];
		to->count.time[1] += item->count.time[1];
	}
	all->n = n;
}

static bool
items_equal(const struct items *a, const struct items *b)
{
	bool same = a->n == b->n;

	for (int i = 0; i < a->n && same; i++)
		same = item_order(&a->list[i], &b->list[i]) == 0 &&
		    memcmp(&a->list[i].count, &b->list[i].count, sizeof(struct count)) == 0;
	return same;
}

/* Random lists ---------------------------------------------------------------- */

static void
random_path(struct made *m, struct transforms *list, enum transform_id id)
{
	uint32_t path[DEPTH], n, depth = 0;

	/* One that is there. */
	do
		n = 1 + below(m->tree.count - 1);
	while (m->tree.nodes[n].parent == NODE_NONE);
	for (uint32_t k = n; m->tree.nodes[k].parent != NODE_NONE; k = m->tree.nodes[k].parent)
		depth++;
	if (depth > DEPTH)
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
	struct paths_source s = {.tree = &m->tree, .counts = m->tree.counts, .roots = m->roots,
	    .open = m->open, .thread_count = THREADS, .method_count = METHODS + 1,
	    .scope = m->scope};
	struct transformed *x = transform_apply(list, m->trace, &s, NULL);
	bool same;

	items_take(&expected, &m->tree, m->tree.counts, m->roots);
	ref_apply(&expected, list, m);
	items_sum(&expected);
	items_take(given, &x->tree, x->tree.counts, x->roots);
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
	items_take(&before, &m.tree, m.tree.counts, m.roots);
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
		m.tree.counts[nodes[i + 1]] = (struct count){1, {i + 1, i + 1}};
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
		m.tree.counts[at] = (struct count){1, {1, 1}};
	}
	m.open[0] = at;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct paths_source s = {.tree = &m.tree, .counts = m.tree.counts,
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
	s.counts = m.tree.counts;
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
