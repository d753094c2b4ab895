// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/rates.h"

#include <string.h>

#include "base/mem.h"

static void
past_drop(struct rates *r, int at)
{
	mem_free(r->past[at].sums);
	mem_free(r->past[at].busy);
	r->past_count--;
	memmove(&r->past[at], &r->past[at + 1], (size_t)(r->past_count - at) * sizeof(r->past[0]));
}

void
rates_release(struct rates *r)
{
	while (r->past_count > 0)
		past_drop(r, 0);
	mem_free(r->now);
	mem_free(r->busy);
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

void
rates_keep(struct rates *r, const struct fold *fold, const struct trace *trace, nsec end)
{
	struct rates_past *p;

	/* The oldest is the begin of the interval. */
	if (r->past_count == RATES_PAST)
		past_drop(r, 1);
	p = &r->past[r->past_count++];
	*p = (struct rates_past){.end = end, .count = fold->method_count, .threads = fold->thread_count,
	    .sums = mem_alloc(fold->method_count * sizeof(*p->sums)),
	    .busy = mem_alloc(fold->thread_count * sizeof(*p->busy))};
	for (uint32_t m = 0; m < p->count; m++)
		p->sums[m] = sums_of(&fold->methods[m]);
	for (uint32_t t = 0; t < p->threads; t++)
		p->busy[t] = fold_busy(fold, trace, t);
}

/* The sums by the methods and threads of the next trace. */
static void
past_map(struct rates_past *p, const struct fold *fold, const struct rates_map *map)
{
	struct rates_past to = {.end = p->end, .count = fold->method_count, .threads = fold->thread_count,
	    .sums = mem_zero(fold->method_count, sizeof(*p->sums)),
	    .busy = mem_zero(fold->thread_count, sizeof(*p->busy))};

	for (uint32_t m = 0; m < p->count; m++) {
		uint32_t at = p->sums[m].calls > 0 || m == METHOD_TOPLEVEL ? map->method(map->of, m) : METHOD_NONE;

		if (at < to.count)
			to.sums[at] = p->sums[m];
	}
	for (uint32_t t = 0; t < p->threads; t++) {
		uint32_t at = p->busy[t] > 0 ? map->thread(map->of, t) : THREAD_NONE;

		if (at < to.threads)
			to.busy[at] = p->busy[t];
	}
	mem_free(p->sums);
	mem_free(p->busy);
	*p = to;
}

void
rates_take(struct rates *to, struct rates *from, const struct fold *fold, const struct trace *trace,
    nsec end, nsec interval, const struct rates_map *map)
{
	const struct rates_past *since;

	memcpy(to->past, from->past, sizeof(to->past));
	to->past_count = from->past_count;
	from->past_count = 0;
	while (to->past_count > 1 && to->past[1].end <= end - interval)
		past_drop(to, 0);
	for (int i = 0; i < to->past_count; i++)
		past_map(&to->past[i], fold, map);
	since = &to->past[0];
	to->length = to->past_count > 0 && since->end < end ? end - since->end : 0;
	to->count = fold->method_count;
	to->threads = fold->thread_count;
	to->now = mem_resize(to->now, to->count, sizeof(*to->now));
	to->busy = mem_resize(to->busy, to->threads, sizeof(*to->busy));
	for (uint32_t t = 0; t < to->threads && to->length > 0; t++)
		to->busy[t] = fold_busy(fold, trace, t) - since->busy[t];
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
	rates_keep(to, fold, trace, end);
}
