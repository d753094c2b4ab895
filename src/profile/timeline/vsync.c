// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/vsync.h"

#include "base/mem.h"
#include "trace/log.h"

enum { PERIOD_LEAST = 2000000, PERIOD_MOST = 100000000, CHANGES_LEAST = 4 };

/* Counters of the display; those that tell a period first, both in order of trust. */
static const struct {
	struct str name;
	bool starts; /* names only begin so */
	bool period;
} kinds[] = {
    {STR("VSP-period"), false, true},
    {STR("VsyncPeriod"), false, true},
    {STR("VSYNC-app"), false, false},
    {STR("VSYNC-sf"), false, false},
    {STR("HW_VSYNC_"), true, false},
};
enum { VSYNC_APP = 2, KINDS = sizeof(kinds) / sizeof(kinds[0]) };
static const char *const names[KINDS] = {
    "VSP-period", "VsyncPeriod", "VSYNC-app", "VSYNC-sf", "HW_VSYNC"};

/* The changes of one counter. */
struct vsync_told {
	uint32_t counter;
	uint64_t samples; /* 0: there is none */
	double last;
	struct vsync_value *values; /* of changes: their distance from the one before */
	size_t count, room;
};

/* The counter of each kind: of several that with most values. */
static void
counters_choose(const struct log *log, struct vsync_told told[KINDS])
{
	for (uint32_t i = 0; i < seg_count(&log->counters); i++) {
		const struct log_counter *c = seg_at(&log->counters, i);

		for (int k = 0; k < KINDS; k++) {
			if (c->count <= told[k].samples || !str_starts(c->name, kinds[k].name) ||
			    (kinds[k].starts ? str_starts(c->name, STR("HW_VSYNC_ON_"))
					     : c->name.n != kinds[k].name.n))
				continue;
			told[k].counter = i;
			told[k].samples = c->count;
		}
	}
}

static void
sample_take(struct vsync_told *t, bool period, const struct log_sample *s)
{
	struct vsync_value v = {.at = s->at};

	if (t->count == VSYNC_MOST || (period ? !(s->value >= PERIOD_LEAST && s->value <= PERIOD_MOST)
		: t->count > 0 && s->value == t->last))
		return;
	if (period)
		v.period = (nsec)s->value;
	else if (t->count > 0)
		v.period = s->at - t->values[t->count - 1].at;
	t->last = s->value;
	*MEM_ADD(t->values, t->count, t->room) = v;
}

/* The lower median; 0 of nothing. */
static nsec
median(const struct vsync_value *values, size_t count)
{
	nsec *sorted = mem_alloc(count * sizeof(*sorted) + 1), middle;

	for (size_t i = 0; i < count; i++)
		sorted[i] = values[i].period;
	mem_sort(sorted, count, sizeof(*sorted), mem_order_leading);
	middle = count > 0 ? sorted[(count - 1) / 2] : 0;
	mem_free(sorted);
	return middle;
}

void
vsync_find(struct vsync *v, const struct log *log)
{
	struct vsync_told told[KINDS] = {{.samples = 0}};
	bool any = false;

	*v = (struct vsync){.counter = NULL};
	counters_choose(log, told);
	for (int k = 0; k < KINDS; k++)
		any |= told[k].samples > 0;
	for (uint64_t i = 0; any && i < log->samples.count; i++) {
		const struct log_sample *s = spool_peek(&log->samples, i);

		for (int k = 0; k < KINDS; k++) {
			if (told[k].samples > 0 && told[k].counter == s->counter)
				sample_take(&told[k], kinds[k].period, s);
		}
	}
	for (int k = 0; k < KINDS && v->counter == NULL; k++) {
		if (told[k].count < (kinds[k].period ? 1 : CHANGES_LEAST))
			continue;
		v->counter = names[k];
		v->period = kinds[k].period ? median(told[k].values, told[k].count)
					    : median(told[k].values + 1, told[k].count - 1);
		if (!kinds[k].period)
			break;
		v->periods = told[k].values;
		v->period_count = (uint32_t)told[k].count;
		told[k].values = NULL;
	}
	v->app = told[VSYNC_APP].values;
	v->app_count = (uint32_t)told[VSYNC_APP].count;
	told[VSYNC_APP].values = NULL;
	for (int k = 0; k < KINDS; k++)
		mem_free(told[k].values);
}

void
vsync_release(struct vsync *v)
{
	mem_free(v->periods);
	mem_free(v->app);
}

/* How many of the values are at the time or earlier. */
static size_t
values_until(const struct vsync_value *values, uint32_t count, nsec at)
{
	const struct vsync_value key = {.at = at < INT64_MAX ? at + 1 : at};

	return mem_before(values, count, sizeof(key), &key, mem_order_leading);
}

nsec
vsync_period(const struct vsync *v, nsec at)
{
	size_t before = values_until(v->periods, v->period_count, at);

	return v->period_count > 0 ? v->periods[before > 0 ? before - 1 : 0].period : v->period;
}

nsec
vsync_before(const struct vsync *v, nsec at, nsec most)
{
	size_t before = values_until(v->app, v->app_count, at);

	return before > 0 && at - v->app[before - 1].at <= most ? v->app[before - 1].at : at;
}
