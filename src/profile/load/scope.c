// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/load/scope.h"
#include "trace/log.h"

bool
scope_is_aside(const struct scope *scope, const struct profile *p)
{
	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (p->stacks[t].started && scope_has(scope, t) && !trace_thread(p->trace, t)->aside)
			return false;
	}
	return true;
}

unsigned
deal_workers(const struct profile *p, uint64_t most)
{
	unsigned jobs = p->jobs > 0 ? p->jobs : worker_processors();

	jobs = jobs < DEAL_MOST ? jobs : DEAL_MOST;
	return most < 1 ? 1 : jobs < most ? jobs : (unsigned)most;
}

static int
records_order(const void *left, const void *right, const void *context)
{
	const struct stack *stacks = context;
	const uint32_t *a = left, *b = right;

	return order_then(ORDER(stacks[*b].records, stacks[*a].records), ORDER(*a, *b));
}

struct deal
deal_threads(const struct profile *p, const struct scope *scope, uint64_t most)
{
	uint32_t *threads = mem_alloc(p->stack_count * sizeof(*threads)), count = 0;
	uint64_t load[DEAL_MOST] = {0};
	struct deal deal;

	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (scope_has(scope, t))
			threads[count++] = t;
	}
	deal.count = deal_workers(p, most < count ? most : count);
	for (unsigned i = 0; i < deal.count; i++)
		deal.threads[i] = scope_new(p->stack_count, false);
	/* Threads with most records first, each to the worker that has fewest. */
	msort_items(threads, count, sizeof(*threads), records_order, p->stacks);
	for (uint32_t i = 0; i < count; i++) {
		unsigned least = 0;

		for (unsigned w = 1; w < deal.count; w++)
			least = load[w] < load[least] ? w : least;
		deal.threads[least]->in[threads[i]] = 1;
		load[least] += p->stacks[threads[i]].records;
	}
	mem_free(threads);
	return deal;
}

void
deal_release(struct deal *deal)
{
	for (unsigned i = 0; i < deal->count; i++)
		scope_free(deal->threads[i]);
}

struct scope *
scope_new(uint32_t count, bool in)
{
	struct scope *s = mem_alloc(sizeof(*s) + count);

	s->count = count;
	s->front = false;
	memset(s->in, in, count);
	return s;
}

struct scope *
scope_of_thread(const struct profile *p, uint32_t thread)
{
	struct scope *s = scope_new(p->stack_count, false);

	s->in[thread] = 1;
	return s;
}

struct scope *
scope_of_process(const struct trace *t, uint32_t process)
{
	struct scope *s = scope_new(trace_thread_count(t), false);

	for (uint32_t i = 0; i < s->count; i++)
		s->in[i] = trace_thread(t, i)->process == process;
	return s;
}

struct scope *
scope_front(const struct trace *t)
{
	const uint32_t main = t->log != NULL ? trace_main_thread(t) : THREAD_NONE;
	const uint32_t process = main != THREAD_NONE ? trace_thread(t, main)->process : 0;
	const struct log_process *p = process > 0 ? seg_at(&t->log->processes, process - 1) : NULL;
	struct scope *s;

	/* A guess by time would hide too much. */
	if (p == NULL || (p->frames == 0 && p->drawn == 0))
		return NULL;
	s = scope_of_process(t, process);
	s->front = true;
	return s;
}

struct scope *
scope_copy(const struct scope *s)
{
	struct scope *copy;

	if (s == NULL)
		return NULL;
	copy = scope_new(s->count, false);
	copy->front = s->front;
	memcpy(copy->in, s->in, s->count);
	return copy;
}

void
scope_free(struct scope *s)
{
	mem_free(s);
}

bool
scope_equal(const struct scope *a, const struct scope *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return a->front == b->front && a->count == b->count && memcmp(a->in, b->in, a->count) == 0;
}

uint32_t
scope_size(const struct scope *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->count; i++)
		n += s->in[i] != 0;
	return n;
}
