#include <config.h>

#include "profile/usage.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/mem.h"

enum { CANCEL_ITEMS = 65536 };

struct counting {
	const struct profile *profile;
	const struct log *log;
	const struct scope *scope;
	struct usage *usage;
	struct idmap shares;  /* thread << 16 | cpu -> row */
	struct idmap states;  /* thread << 16 | state << 8 | io -> row */
	struct idmap frequencies; /* cpu << 32 | khz -> row */
	const atomic_bool *cancel;
};

static bool
cancelled(const struct counting *c, uint64_t item)
{
	return item % CANCEL_ITEMS == 0 && c->cancel != NULL && atomic_load(c->cancel);
}

/* The part of [from, to) that is in the stretch; also one without length within it. */
static bool
clip(const struct range *range, nsec from, nsec to, nsec *length)
{
	nsec a = from > range->from ? from : range->from, b = to < range->to ? to : range->to;

	*length = b - a;
	return b > a || (from == to && from >= range->from && from < range->to);
}

static struct usage_share *
share_of(struct counting *c, uint32_t thread, uint32_t cpu)
{
	struct usage *u = c->usage;
	uint64_t key = (uint64_t)thread << 16 | cpu;
	uint32_t at = idmap_get(&c->shares, key);

	if (at == IDMAP_NONE) {
		at = (uint32_t)u->share_count;
		MEM_GROW(u->shares, u->share_room, u->share_count + 1);
		u->shares[u->share_count++] = (struct usage_share){.thread = thread, .cpu = cpu};
		idmap_put(&c->shares, key, at);
	}
	return &u->shares[at];
}

static struct usage_state *
state_of(struct counting *c, const struct interval *i)
{
	struct usage *u = c->usage;
	uint64_t key = (uint64_t)i->thread << 16 | (uint64_t)i->state << 8 | i->io;
	uint32_t at = idmap_get(&c->states, key);

	if (at == IDMAP_NONE) {
		at = (uint32_t)u->state_count;
		MEM_GROW(u->states, u->state_room, u->state_count + 1);
		u->states[u->state_count++] = (struct usage_state){.thread = i->thread,
		    .state = i->state, .io = i->io, .least = INT64_MAX};
		idmap_put(&c->states, key, at);
	}
	return &u->states[at];
}

static struct usage_process *
process_of(struct counting *c, uint32_t thread)
{
	return &c->usage->processes[trace_thread(c->profile->trace, thread)->process];
}

static void
run_count(struct counting *c, const struct interval *i, nsec length)
{
	struct usage *u = c->usage;
	struct usage_thread *t = &u->threads[i->thread];
	struct usage_share *s = share_of(c, i->thread, i->cpu);
	struct usage_process *p = process_of(c, i->thread);

	p->threads += t->runs == 0;
	t->ran += length;
	t->runs++;
	if (length > t->longest)
		t->longest = length;
	s->ran += length;
	s->runs++;
	p->ran += length;
	p->runs++;
	u->cores[i->cpu].ran += length;
	u->cores[i->cpu].runs++;
	u->ran += length;
}

static bool
intervals_count(struct counting *c)
{
	const struct sched *s = &c->log->sched;
	struct usage *u = c->usage;

	for (uint64_t n = 0; n < s->intervals.count; n++) {
		const struct interval *i = sched_interval(s, n);
		struct usage_state *state;
		nsec length;

		if (cancelled(c, n))
			return false;
		if (i->thread >= u->thread_count || !clip(&u->range, i->from, i->to, &length))
			continue;
		/* Idle is what no thread takes, chosen or not. */
		if (i->state == TASK_RUNNING && i->cpu < u->core_count)
			u->cores[i->cpu].idle -= length;
		if (!scope_has(c->scope, i->thread))
			continue;
		state = state_of(c, i);
		state->count++;
		state->total += length;
		if (length < state->least)
			state->least = length;
		if (length > state->most)
			state->most = length;
		if (i->state == TASK_RUNNING && i->cpu < u->core_count)
			run_count(c, i, length);
	}
	return true;
}

/* A core's time is idle but for what runs; before its first data nothing is known. */
static void
cores_init(struct counting *c)
{
	const struct sched *s = &c->log->sched;
	struct usage *u = c->usage;

	u->core_count = (uint32_t)s->cpu_count;
	u->cores = mem_zero(u->core_count + 1, sizeof(*u->cores));
	for (uint32_t i = 0; i < u->core_count; i++) {
		const struct sched_cpu *cpu = &s->cpus[i];
		nsec covered = 0;

		u->cores[i].cpu = i;
		u->cores[i].met = cpu->met;
		u->cores[i].switched = cpu->switched;
		u->cores[i].lost = cpu->lost;
		if (cpu->switched && clip(&u->range, cpu->start, u->range.to, &covered))
			u->cores[i].idle = covered;
	}
}

static void
cores_end(struct usage *u)
{
	for (uint32_t i = 0; i < u->core_count; i++) {
		if (u->cores[i].idle < 0 || !u->cores[i].switched)
			u->cores[i].idle = 0;
		u->idle += u->cores[i].idle;
	}
}

/* Frequencies ------------------------------------------------------------------- */

static void
frequency_add(struct counting *c, uint32_t cpu, uint32_t khz, nsec from, nsec to)
{
	struct usage *u = c->usage;
	uint64_t key = (uint64_t)cpu << 32 | khz;
	uint32_t at;
	nsec length;

	if (!clip(&u->range, from, to, &length) || length == 0)
		return;
	at = idmap_get(&c->frequencies, key);
	if (at == IDMAP_NONE) {
		at = (uint32_t)u->frequency_count;
		MEM_GROW(u->frequencies, u->frequency_room, u->frequency_count + 1);
		u->frequencies[u->frequency_count++] =
		    (struct usage_frequency){.cpu = cpu, .khz = khz};
		idmap_put(&c->frequencies, key, at);
	}
	u->frequencies[at].time += length;
}

static int
frequency_order(const void *left, const void *right)
{
	const struct usage_frequency *a = left, *b = right;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->khz > b->khz) - (a->khz < b->khz);
}

/* A frequency holds until the next of its core. */
static bool
frequencies_count(struct counting *c)
{
	struct {
		nsec since;
		uint32_t khz;
		bool known;
	} *now = mem_zero(LOG_CPUS, sizeof(*now));
	bool whole = true;

	for (uint64_t n = 0; n < c->log->steps.count && whole; n++) {
		const struct log_step *s = spool_peek(&c->log->steps, n);

		whole = !cancelled(c, n);
		if (s->idle || s->cpu >= LOG_CPUS)
			continue;
		if (now[s->cpu].known)
			frequency_add(c, s->cpu, now[s->cpu].khz, now[s->cpu].since, s->at);
		now[s->cpu].since = s->at;
		now[s->cpu].khz = s->value;
		now[s->cpu].known = true;
	}
	for (uint32_t cpu = 0; cpu < LOG_CPUS; cpu++) {
		if (now[cpu].known)
			frequency_add(c, cpu, now[cpu].khz, now[cpu].since, c->usage->range.to);
	}
	mem_free(now);
	if (c->usage->frequency_count > 1)
		qsort(c->usage->frequencies, c->usage->frequency_count,
		    sizeof(*c->usage->frequencies), frequency_order);
	return whole;
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

	if (h->known && clip(&u->range, h->since, to, &length)) {
		h->sum += (double)h->value * (double)length;
		h->time += length;
	}
}

static void
value_see(struct usage_counter *u, int64_t value)
{
	if (!u->known) {
		u->known = true;
		u->first = u->min = u->max = value;
	}
	u->last = value;
	if (value < u->min)
		u->min = value;
	if (value > u->max)
		u->max = value;
}

static bool
counters_count(struct counting *c)
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

		whole = !cancelled(c, n);
		value_hold(u, h, s->at);
		/* The value that held when the stretch began belongs to it. */
		if (h->known && !counter->known && s->at > u->range.from && h->since < u->range.to)
			value_see(counter, h->value);
		*h = (struct held){s->at, s->value, true, h->sum, h->time};
		if (s->at >= u->range.from && s->at <= u->range.to) {
			value_see(counter, s->value);
			counter->count++;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		struct usage_counter *counter = &u->counters[i];

		value_hold(u, &held[i], u->range.to);
		if (held[i].known && !counter->known && held[i].since < u->range.to)
			value_see(counter, held[i].value);
		counter->average = held[i].time > 0 ? held[i].sum / (double)held[i].time
						    : (double)counter->last;
	}
	mem_free(held);
	return whole;
}

struct usage *
usage_new(const struct profile *p, const struct scope *scope, const struct range *range,
    const atomic_bool *cancel)
{
	struct usage *u = mem_zero(1, sizeof(*u));
	struct counting c = {.profile = p, .log = p->trace->log, .scope = scope, .usage = u,
	    .cancel = cancel};
	bool whole;

	u->range = (struct range){0, c.log->end};
	if (range != NULL && range->from > 0)
		u->range.from = range->from;
	if (range != NULL && range->to < u->range.to)
		u->range.to = range->to;
	u->thread_count = p->lane_count;
	u->threads = mem_zero((size_t)u->thread_count + 1, sizeof(*u->threads));
	u->process_count = seg_count(&c.log->processes) + 1;
	u->processes = mem_zero(u->process_count, sizeof(*u->processes));
	cores_init(&c);
	whole = intervals_count(&c) && frequencies_count(&c) && counters_count(&c);
	cores_end(u);
	idmap_release(&c.shares);
	idmap_release(&c.states);
	idmap_release(&c.frequencies);
	if (whole)
		return u;
	usage_free(u);
	return NULL;
}

bool
usage_split(const struct profile *p, uint32_t thread, const struct range *range,
    struct usage_split *split, const atomic_bool *cancel)
{
	const struct counting c = {.cancel = cancel};
	const struct sched *s = &p->trace->log->sched;
	nsec longest = 0;

	*split = (struct usage_split){.waker = SCHED_NONE};
	for (uint64_t n = 0; n < s->intervals.count; n++) {
		const struct interval *i = sched_interval(s, n);
		nsec length;

		if (cancelled(&c, n))
			return false;
		if (i->thread != thread || !clip(range, i->from, i->to, &length))
			continue;
		split->time[i->state][i->io] += length;
		if (i->waker != SCHED_NONE)
			split->waker = i->waker;
		split->sleeps += i->state != TASK_RUNNING && i->state != TASK_RUNNABLE &&
		    i->state != TASK_PREEMPTED;
		if (i->caller > 0 && length >= longest) {
			longest = length;
			split->caller = i->caller;
		}
	}
	return true;
}

void
usage_free(struct usage *u)
{
	if (u == NULL)
		return;
	mem_free(u->cores);
	mem_free(u->threads);
	mem_free(u->processes);
	mem_free(u->shares);
	mem_free(u->states);
	mem_free(u->frequencies);
	mem_free(u->counters);
	mem_free(u);
}
