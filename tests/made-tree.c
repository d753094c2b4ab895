// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "made-tree.h"

#include <stdio.h>

#include "plain-transform.h"

enum { NODES = 260 }; /* of a thread, at most */

static uint64_t seed_now;

uint32_t
made_below(uint32_t n)
{
	seed_now = seed_now * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed_now >> 33) % n;
}

struct trace *
made_trace(void)
{
	static const char *const classes[] = {"a.C", "a.b.D", "a/b/E", "ab.F", "G", "a.b.c.H"};
	static char names[MADE_METHODS][16];
	struct trace *t = trace_new("made");

	for (int i = 0; i < MADE_METHODS; i++) {
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

void
made_count(struct tree *t, uint32_t node, struct count c)
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

	if (made_below(12) != 0) {
		c.calls = made_below(20);
		c.time[CLOCK_CPU] = made_below(50) * 1000;
		c.time[CLOCK_WALL] = c.time[CLOCK_CPU] + made_below(9) * 1000;
	}
	made_count(t, node, c);
}

void
made_random(struct made *m, uint64_t seed)
{
	uint32_t nodes[MADE_THREADS * NODES], depth[MADE_THREADS * NODES], n;

	seed_now = seed;
	m->trace = made_trace();
	tree_init(&m->tree);
	m->scope = scope_new(MADE_THREADS, true);
	for (uint32_t t = 0; t < MADE_THREADS; t++) {
		m->roots[t] = tree_add(&m->tree, NODE_NONE, METHOD_TOPLEVEL);
		nodes[0] = m->roots[t];
		depth[0] = 0;
		n = 1;
		for (int i = 0; i < NODES; i++) {
			uint32_t at = made_below(3) == 0 ? made_below(n) : n - 1 - made_below(n < 8 ? n : 8);
			uint32_t method = 1 + made_below(MADE_METHODS), child;

			if (depth[at] + 4 > ITEM_DEPTH ||
			    tree_find(&m->tree, nodes[at], method) != NODE_NONE)
				continue;
			child = tree_add(&m->tree, nodes[at], method);
			nodes[n] = child;
			depth[n++] = depth[at] + 1;
		}
		m->open[t] = nodes[made_below(n)];
		for (uint32_t a = made_below(3); a > 0; a--) {
			m->roots[t] = tree_adopt(&m->tree, m->roots[t], 1 + made_below(MADE_METHODS));
			tree_add(&m->tree, m->roots[t], 1 + made_below(MADE_METHODS));
		}
	}
	for (uint32_t i = 1; i < m->tree.count; i++)
		random_count(&m->tree, i);
	if (made_below(2) == 0)
		m->scope->in[made_below(MADE_THREADS)] = 0;
}

void
made_release(struct made *m)
{
	tree_release(&m->tree);
	scope_free(m->scope);
	trace_free(m->trace);
}
