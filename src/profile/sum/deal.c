#include <config.h>

#include "profile/sum/deal.h"

#include <stdlib.h>

#include "base/mem.h"

unsigned
deal_workers(const struct profile *p, uint64_t most)
{
	unsigned jobs = p->jobs > 0 ? p->jobs : worker_processors();

	jobs = jobs < DEAL_MOST ? jobs : DEAL_MOST;
	return most < 1 ? 1 : jobs < most ? jobs : (unsigned)most;
}

static int
records_order(const void *left, const void *right, void *context)
{
	const struct stack *stacks = context;
	const uint32_t *a = left, *b = right;

	if (stacks[*a].records != stacks[*b].records)
		return stacks[*a].records < stacks[*b].records ? 1 : -1;
	return (*a > *b) - (*a < *b);
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
	qsort_r(threads, count, sizeof(*threads), records_order, p->stacks);
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
