/* usage-split: what one thread did over a stretch, and why it did not run. */
#include <config.h>

#include <stdlib.h>

#include "profile/usage_count.h"

static void
met_add(struct usage_met *list, uint32_t *count, struct usage_met met)
{
	uint32_t i = 0;

	while (i < *count && (list[i].what != met.what || list[i].io != met.io))
		i++;
	if (i == USAGE_MET_MAX)
		return;
	if (i == *count)
		list[(*count)++] = (struct usage_met){.what = met.what, .io = met.io};
	list[i].count++;
	list[i].time += met.time;
}

static int
met_order(const void *left, const void *right)
{
	const struct usage_met *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->what > b->what) - (a->what < b->what);
}

static void
interval_split(struct usage_split *split, const struct range *range, const struct interval *i,
    nsec length)
{
	enum task_class class = task_states[i->state].class;

	split->time[i->state][i->io] += length;
	if (i->waker != SCHED_NONE && i->from >= range->from) {
		split->waker = i->waker;
		met_add(split->wakers, &split->waker_count, (struct usage_met){.what = i->waker});
	}
	if (i->caller > 0)
		met_add(split->reasons, &split->reason_count,
		    (struct usage_met){.what = i->caller, .io = i->io, .time = length});
	if (class == TASK_CLASS_RUNNING || class == TASK_CLASS_RUNNABLE)
		return;
	split->sleeps++;
	if (split->waited && length <= split->longest.to - split->longest.from)
		return;
	split->waited = true;
	split->longest = *i;
	if (i->from < range->from)
		split->longest.from = range->from;
	split->longest.to = split->longest.from + length;
}

bool
usage_split(const struct profile *p, uint32_t thread, const struct range *range,
    struct usage_split *split, const atomic_bool *cancel)
{
	const struct counting c = {.cancel = cancel};
	const struct sched *s = &p->trace->log->sched;
	const struct interval *i;

	*split = (struct usage_split){.waker = SCHED_NONE};
	for (uint64_t n = 0; (i = sched_within(s, &n, range->from, range->to)) != NULL; n++) {
		nsec length;

		if (usage_cancelled(&c, n))
			return false;
		if (i->thread == thread && usage_clip(range, i->from, i->to, &length))
			interval_split(split, range, i, length);
	}
	qsort(split->reasons, split->reason_count, sizeof(split->reasons[0]), met_order);
	qsort(split->wakers, split->waker_count, sizeof(split->wakers[0]), met_order);
	return true;
}
