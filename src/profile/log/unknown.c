// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/unknown.h"

#include "base/mem.h"

/* Stretches in which some core has no data: sorted, apart from one another. */
struct unknown {
	struct range *items;
	size_t count, room;
	nsec length;
};

static void
gaps_take(struct unknown *u, const struct sched *s, const struct range *range)
{
	size_t kept = 0;

	for (uint64_t n = 0; n < s->gaps.count; n++) {
		const struct sched_gap *gap = spool_peek(&s->gaps, n);
		nsec length, from;

		/* A core without switches is not known at any time: its gaps add nothing. */
		if (gap->cpu >= s->cpu_count || !s->cpus[gap->cpu].switched ||
		    !range_clip(range, gap->from, gap->to, &length))
			continue;
		from = gap->from > range->from ? gap->from : range->from;
		*MEM_ADD(u->items, u->count, u->room) = (struct range){from, from + length};
	}
	mem_sort(u->items, u->count, sizeof(*u->items), mem_order_leading);
	for (size_t i = 0; i < u->count; i++) {
		struct range *last = kept > 0 ? &u->items[kept - 1] : NULL;

		if (last == NULL || u->items[i].from > last->to)
			u->items[kept++] = u->items[i];
		else
			last->to = nsec_max(last->to, u->items[i].to);
	}
	u->count = kept;
	for (size_t i = 0; i < u->count; i++)
		u->length += u->items[i].to - u->items[i].from;
}

/* How much of an interval is in the stretches. */
static nsec
overlap(const struct unknown *u, nsec from, nsec to)
{
	size_t i = mem_before(u->items, u->count, sizeof(*u->items), &from, mem_order_leading);
	nsec sum = 0, length;

	/* The one before may reach into it. */
	for (i -= i > 0; i < u->count && u->items[i].from < to; i++)
		if (range_clip(&u->items[i], from, to, &length))
			sum += length;
	return sum;
}

bool
unknown_add(const struct log *log, const struct range *range, nsec *of, uint32_t count,
    const atomic_bool *cancel)
{
	struct unknown u = {.items = NULL};
	const struct interval *i;
	nsec from, to;
	bool whole = true;

	gaps_take(&u, &log->sched, range);
	for (uint32_t t = 0; t < count; t++)
		of[t] += u.length;
	from = u.count > 0 ? u.items[0].from : 0;
	to = u.count > 0 ? u.items[u.count - 1].to : 0;
	for (uint64_t n = 0; u.count > 0 && whole &&
	    (i = sched_within(&log->sched, &n, from, to)) != NULL; n++) {
		whole = !sched_stopped(cancel, n);
		if (i->thread < count)
			of[i->thread] -= overlap(&u, i->from, i->to);
	}
	mem_free(u.items);
	return whole;
}
