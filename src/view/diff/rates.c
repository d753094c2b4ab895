// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/rates.h"

#include <string.h>

#include "base/mem.h"

void
rates_release(struct rates *r)
{
	for (int i = 0; i < r->past_count; i++)
		mem_free(r->past[i].sums);
	mem_free(r->now);
	*r = (struct rates){0};
}

void
rates_pause(struct rates *r)
{
	r->length = 0;
}

static struct rate
sums_of(const struct method_sum *m)
{
	struct rate r = {.calls = m->calls + m->recursive_calls};

	memcpy(r.inclusive, m->inclusive, sizeof(r.inclusive));
	memcpy(r.exclusive, m->exclusive, sizeof(r.exclusive));
	return r;
}

/* Forgets the oldest. */
static void
past_drop(struct rates *r)
{
	mem_free(r->past[0].sums);
	memmove(&r->past[0], &r->past[1], (size_t)--r->past_count * sizeof(r->past[0]));
}

void
rates_keep(struct rates *r, const struct fold *fold, nsec end)
{
	struct rates_past *p;

	/* The oldest is the begin of the interval. */
	if (r->past_count == RATES_PAST) {
		mem_free(r->past[1].sums);
		memmove(&r->past[1], &r->past[2], (size_t)(--r->past_count - 1) * sizeof(r->past[0]));
	}
	p = &r->past[r->past_count++];
	*p = (struct rates_past){end, mem_alloc(fold->method_count * sizeof(*p->sums)), fold->method_count};
	for (uint32_t m = 0; m < fold->method_count; m++)
		p->sums[m] = sums_of(&fold->methods[m]);
}

/* The sums by the methods of the next trace. */
static void
past_map(struct rates_past *p, uint32_t count,
    uint32_t (*to_method)(const void *map, uint32_t method), const void *map)
{
	struct rate *sums = mem_zero(count, sizeof(*sums));

	for (uint32_t m = 0; m < p->count; m++) {
		uint32_t to = p->sums[m].calls > 0 || m == METHOD_TOPLEVEL ? to_method(map, m) : METHOD_NONE;

		if (to < count)
			sums[to] = p->sums[m];
	}
	mem_free(p->sums);
	p->sums = sums;
	p->count = count;
}

void
rates_take(struct rates *to, struct rates *from, const struct fold *fold, nsec end, nsec interval,
    uint32_t (*to_method)(const void *map, uint32_t method), const void *map)
{
	const struct rates_past *since;

	memcpy(to->past, from->past, sizeof(to->past));
	to->past_count = from->past_count;
	from->past_count = 0;
	while (to->past_count > 1 && to->past[1].end <= end - interval)
		past_drop(to);
	for (int i = 0; i < to->past_count; i++)
		past_map(&to->past[i], fold->method_count, to_method, map);
	since = &to->past[0];
	to->length = to->past_count > 0 && since->end < end ? end - since->end : 0;
	to->count = fold->method_count;
	to->now = mem_resize(to->now, to->count, sizeof(*to->now));
	for (uint32_t m = 0; m < to->count && to->length > 0; m++) {
		struct rate *now = &to->now[m];
		const struct rate *before = &since->sums[m];

		*now = sums_of(&fold->methods[m]);
		now->calls -= before->calls < now->calls ? before->calls : now->calls;
		for (int c = 0; c < CLOCKS; c++) {
			now->inclusive[c] -= before->inclusive[c];
			now->exclusive[c] -= before->exclusive[c];
		}
	}
	rates_keep(to, fold, end);
}
