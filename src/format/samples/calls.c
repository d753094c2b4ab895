// SPDX-License-Identifier: Apache-2.0
/*
 * calls.c: calls with times as samples: what lies between two of a thread's events is one (samples.h).
 */
#include <config.h>

#include "format/samples/samples.h"

/* The stack from the last event until now is a sample, if it lasts, or ends before it was one. */
static struct sampled_thread *
calls_until(struct sampler *s, uint32_t thread, nsec at, bool ends)
{
	struct sampled_thread *t = samples_thread(s, thread);

	if (at < t->stamp) {
		samples_fault(s, DAMAGE_BACKWARD_CLOCK);
		at = t->stamp;
	}
	if (!t->met) {
		t->weight = (uint64_t)at;
	} else if (at > t->stamp || (ends && t->fresh)) {
		samples_add_stack(s, thread, (uint64_t)(at - t->stamp), 0, t->stack);
		t = samples_thread(s, thread);
		t->fresh = false;
	}
	t->met = true;
	t->stamp = at;
	return t;
}

void
samples_begin(struct sampler *s, uint32_t thread, uint32_t method, nsec at)
{
	struct sampled_thread *t = calls_until(s, thread, at, false);
	uint32_t node = samples_call(s, t->stack, method);

	t->fresh |= node != t->stack;
	t->stack = node;
}

void
samples_end_call(struct sampler *s, uint32_t thread, uint32_t method, uint32_t depth, nsec at)
{
	struct sampled_thread *t = calls_until(s, thread, at, true);
	const struct stack_node *nodes = s->nodes;
	uint32_t node = t->stack;

	while (node != 0 && (depth > 0 ? nodes[node].depth > depth : nodes[node].method != method))
		node = nodes[node].parent;
	if (node == 0 || nodes[node].method != method) {
		samples_fault(s, DAMAGE_UNMATCHED_EXIT);
		return;
	}
	if (node != t->stack)
		samples_fault(s, DAMAGE_LOST_EXIT);
	if (t->ended == 0 || nodes[node].depth < t->ended)
		t->ended = nodes[node].depth;
	t->stack = nodes[node].parent;
}

void
samples_close(struct sampler *s, uint32_t thread, nsec at)
{
	struct sampled_thread *t = samples_thread(s, thread);

	if (!t->met || t->stack == 0)
		return;
	t = calls_until(s, thread, at > t->stamp ? at : t->stamp, true);
	t->ended = 1;
	t->stack = 0;
}
