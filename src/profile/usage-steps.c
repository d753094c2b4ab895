/* usage-steps: what the cores were set to, and what counters were, over a stretch. */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "profile/usage_count.h"

/* Frequencies and idle levels ----------------------------------------------------- */

static void
step_add(struct counting *c, struct usage_steps *to, struct idmap *rows,
    const struct log_step *step, nsec until)
{
	uint64_t key = (uint64_t)step->cpu << 32 | step->value;
	uint32_t at;
	nsec length;

	if (!usage_clip(&c->usage->range, step->at, until, &length) || length == 0)
		return;
	at = idmap_get(rows, key);
	if (at == IDMAP_NONE) {
		at = (uint32_t)to->count;
		MEM_GROW(to->items, to->room, to->count + 1);
		to->items[to->count++] = (struct usage_step){.cpu = step->cpu, .value = step->value};
		idmap_put(rows, key, at);
	}
	to->items[at].time += length;
	to->items[at].count++;
}

static int
step_order(const void *left, const void *right)
{
	const struct usage_step *a = left, *b = right;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* What is set holds until the next of its core. */
static bool
steps_count(struct counting *c, bool idle, struct usage_steps *to, struct idmap *rows)
{
	const struct log_step **now = mem_zero(LOG_CPUS, sizeof(const struct log_step *));
	bool whole = true;

	for (uint64_t n = 0; n < c->log->steps.count && whole; n++) {
		const struct log_step *s = spool_peek(&c->log->steps, n);

		whole = !usage_cancelled(c, n);
		if (s->idle != idle || s->cpu >= LOG_CPUS)
			continue;
		if (now[s->cpu] != NULL)
			step_add(c, to, rows, now[s->cpu], s->at);
		now[s->cpu] = s;
	}
	for (uint32_t cpu = 0; cpu < LOG_CPUS; cpu++) {
		if (now[cpu] != NULL)
			step_add(c, to, rows, now[cpu], c->usage->range.to);
	}
	mem_free((void *)now);
	if (to->count > 1)
		qsort(to->items, to->count, sizeof(*to->items), step_order);
	return whole;
}

bool
usage_steps_count(struct counting *c)
{
	return steps_count(c, false, &c->usage->frequencies, &c->frequencies) &&
	    steps_count(c, true, &c->usage->levels, &c->levels);
}

/* Counters ---------------------------------------------------------------------- */

struct held {
	nsec since;
	int64_t value;
	bool known;
	double sum;
	nsec time;
};

static void
value_hold(const struct usage *u, struct held *h, nsec to)
{
	nsec length;

	if (h->known && usage_clip(&u->range, h->since, to, &length)) {
		h->sum += (double)h->value * (double)length;
		h->time += length;
	}
}

static void
value_see(struct usage_counter *u, int64_t value, nsec at)
{
	if (!u->known) {
		u->known = true;
		u->first = u->min = u->max = value;
		u->max_at = at;
	}
	u->last = value;
	if (value < u->min)
		u->min = value;
	if (value > u->max) {
		u->max = value;
		u->max_at = at;
	}
}

bool
usage_counters_count(struct counting *c)
{
	struct usage *u = c->usage;
	uint32_t count = seg_count(&c->log->counters);
	struct held *held = mem_zero((size_t)count + 1, sizeof(*held));
	bool whole = true;

	u->counter_count = count;
	u->counters = mem_zero((size_t)count + 1, sizeof(*u->counters));
	for (uint64_t n = 0; n < c->log->samples.count && whole; n++) {
		const struct log_sample *s = spool_peek(&c->log->samples, n);
		struct usage_counter *counter = &u->counters[s->counter];
		struct held *h = &held[s->counter];

		whole = !usage_cancelled(c, n);
		value_hold(u, h, s->at);
		/* The value that held when the stretch began belongs to it. */
		if (h->known && !counter->known && s->at > u->range.from && h->since < u->range.to)
			value_see(counter, h->value, u->range.from);
		*h = (struct held){s->at, s->value, true, h->sum, h->time};
		if (s->at >= u->range.from && s->at <= u->range.to) {
			value_see(counter, s->value, s->at);
			counter->count++;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		struct usage_counter *counter = &u->counters[i];

		value_hold(u, &held[i], u->range.to);
		if (held[i].known && !counter->known && held[i].since < u->range.to)
			value_see(counter, held[i].value, u->range.from);
		counter->average = held[i].time > 0 ? held[i].sum / (double)held[i].time
						    : (double)counter->last;
	}
	mem_free(held);
	return whole;
}
