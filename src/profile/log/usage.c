// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "profile/log/unknown.h"
#include "profile/log/usage.h"

/* Rows are found by keys. */
enum rows {
	ROWS_FREQUENCIES, /* cpu << 32 | value */
	ROWS_LEVELS,
	ROWS_SHARES,      /* thread << 16 | cpu */
	ROWS_STATES,      /* thread << 16 | state << 8 | io */
	ROWS_PRIORITIES,  /* as unsigned */
	ROWS_MET,         /* thread << 32 | row of priorities: counted there */
	ROWS_BLOCKS,      /* caller << 32 | thread, io apart */
	ROWS
};

/* A usage while it is counted. */
struct usage_counting {
	const struct profile *profile;
	const struct log *log;
	const struct scope *scope;
	struct usage *usage;
	struct idmap rows[ROWS];
	const atomic_bool *cancel;
};

/* Frequencies and idle states ----------------------------------------------------- */

static void
step_add(struct usage_counting *c, struct usage_steps *to, const struct log_step *step, nsec until)
{
	struct idmap *rows = &c->rows[step->idle ? ROWS_LEVELS : ROWS_FREQUENCIES];
	uint64_t key = (uint64_t)step->cpu << 32 | step->value;
	uint32_t at;
	nsec length;

	if (!range_clip(&c->usage->range, step->at, until, &length) || length == 0)
		return;
	at = idmap_add(rows, key, to->count);
	if (at == to->count) {
		*MEM_ADD(to->items, to->count, to->room) =
		    (struct usage_step){.cpu = step->cpu, .value = step->value};
	}
	to->items[at].time += length;
	to->items[at].count++;
}

static int
step_order(const void *left, const void *right)
{
	const struct usage_step *a = left, *b = right;

	return order_then(ORDER(a->cpu, b->cpu), order_then(ORDER(b->time, a->time),
	    ORDER(a->value, b->value)));
}

/* A step holds until the next one of its core.  False when cancelled, as what follows. */
static bool
usage_steps_count(struct usage_counting *c)
{
	struct usage_steps *to[] = {&c->usage->frequencies, &c->usage->levels};
	/* By kind and core. */
	const struct log_step **now = mem_zero(2 * LOG_CPUS, sizeof(const struct log_step *));
	bool whole = true;

	for (uint64_t n = 0; n < c->log->steps.count && whole; n++) {
		const struct log_step *s = spool_peek(&c->log->steps, n), **before;

		whole = !sched_stopped(c->cancel, n);
		if (s->cpu >= LOG_CPUS)
			continue;
		before = &now[s->idle * LOG_CPUS + s->cpu];
		if (*before != NULL)
			step_add(c, to[s->idle], *before, s->at);
		*before = s;
	}
	for (uint32_t i = 0; i < 2 * LOG_CPUS; i++) {
		if (now[i] != NULL)
			step_add(c, to[now[i]->idle], now[i], c->usage->range.to);
	}
	mem_free((void *)now);
	for (int k = 0; k < 2; k++)
		mem_sort(to[k]->items, to[k]->count, sizeof(*to[k]->items), step_order);
	return whole;
}

/* Counters ---------------------------------------------------------------------- */

struct held {
	nsec since;
	double value;
	bool known;
	double sum;
	nsec time;
};

static void
value_hold(const struct usage *u, struct held *h, nsec to)
{
	nsec length;

	if (h->known && range_clip(&u->range, h->since, to, &length)) {
		h->sum += h->value * (double)length;
		h->time += length;
	}
}

static void
value_see(struct usage_counter *u, double value, nsec at)
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

static bool
usage_counters_count(struct usage_counting *c)
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

		whole = !sched_stopped(c->cancel, n);
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
						    : counter->last;
	}
	mem_free(held);
	return whole;
}

/* Chains -------------------------------------------------------------------------- */

static bool
usage_chains_count(struct usage_counting *c)
{
	struct usage *u = c->usage;

	u->chain_count = seg_count(&c->log->chains);
	u->chains = mem_zero((size_t)u->chain_count + 1, sizeof(*u->chains));
	for (uint64_t n = 0; n < c->log->links.count; n++) {
		const struct log_link *l = spool_peek(&c->log->links, n);
		struct usage_chain *chain = &u->chains[l->chain];
		nsec to = l->to != LOG_OPEN ? l->to : c->log->end;

		if (sched_stopped(c->cancel, n))
			return false;
		if (!scope_has(c->scope, l->thread) || l->from < u->range.from ||
		    l->from > u->range.to)
			continue;
		if (chain->slices++ == 0) {
			chain->from = l->from;
			chain->to = to;
			chain->first = l->method;
		} else if (chain->thread != l->thread) {
			chain->changes++;
		}
		chain->thread = l->thread;
		chain->to = nsec_max(chain->to, to);
	}
	return true;
}

/* All that is counted ------------------------------------------------------------- */

static struct usage_share *
share_of(struct usage_counting *c, uint32_t thread, uint32_t cpu)
{
	struct usage *u = c->usage;
	uint64_t key = (uint64_t)thread << 16 | cpu;
	uint32_t at = idmap_add(&c->rows[ROWS_SHARES], key, u->share_count);

	if (at == u->share_count) {
		*MEM_ADD(u->shares, u->share_count, u->share_room) = (struct usage_share){
		    .thread = thread, .cpu = cpu, .next = u->threads[thread].share};
		u->threads[thread].share = u->share_count;
	}
	return &u->shares[at];
}

static struct usage_state *
state_of(struct usage_counting *c, const struct interval *i)
{
	struct usage *u = c->usage;
	uint64_t key = (uint64_t)i->thread << 16 | (uint64_t)i->state << 8 | i->io;
	uint32_t at = idmap_add(&c->rows[ROWS_STATES], key, u->state_count);

	if (at == u->state_count) {
		*MEM_ADD(u->states, u->state_count, u->state_room) =
		    (struct usage_state){.thread = i->thread,
		    .state = i->state, .io = i->io, .least = INT64_MAX};
	}
	return &u->states[at];
}

static void
run_count(struct usage_counting *c, const struct interval *i, nsec length)
{
	struct usage *u = c->usage;
	struct usage_thread *t = &u->threads[i->thread];
	struct usage_share *s = share_of(c, i->thread, i->cpu);
	struct usage_process *p =
	    &u->processes[trace_thread(c->profile->trace, i->thread)->process];

	if (t->runs == 0 && (p->threads++ == 0 || t->unknown < p->unknown))
		p->unknown = t->unknown;
	t->ran += length;
	t->runs++;
	if (length > t->longest) {
		t->longest = length;
		t->longest_at = i->from;
	}
	/* The end counts in the range that it is in. */
	if (i->to <= u->range.to && i->next != TASK_UNKNOWN)
		*(task_states[i->next].class == TASK_CLASS_RUNNABLE ? &t->preempted : &t->left) += 1;
	s->ran += length;
	s->runs++;
	p->ran += length;
	p->runs++;
	u->cores[i->cpu].ran += length;
	u->cores[i->cpu].runs++;
	u->ran += length;
}

static void
priority_count(struct usage_counting *c, const struct interval *i, nsec length)
{
	struct usage *u = c->usage;
	uint32_t at = idmap_add(&c->rows[ROWS_PRIORITIES], (uint32_t)i->priority, u->priority_count);
	struct idmap *met = &c->rows[ROWS_MET];
	struct usage_priority *p;

	if (at == u->priority_count) {
		*MEM_ADD(u->priorities, u->priority_count, u->priority_room) =
		    (struct usage_priority){.priority = i->priority, .least = INT64_MAX};
	}
	p = &u->priorities[at];
	/* A thread that is new to it: those known have smaller values. */
	if (idmap_add(met, (uint64_t)i->thread << 32 | at, p->threads) == p->threads)
		p->threads++;
	p->count++;
	p->total += length;
	p->least = nsec_min(p->least, length);
	p->most = nsec_max(p->most, length);
}

/* Counts a wait for a core since the wakeup. */
static void
wakeup_count(struct usage *u, const struct interval *i, nsec length)
{
	struct usage_thread *t = &u->threads[i->thread];

	t->wakeups++;
	t->waited += length;
	if (length > t->waited_most || t->wakeups == 1) {
		t->waited_most = length;
		t->waited_at = i->from;
		t->waker = i->waker;
	}
}

static void
block_count(struct usage_counting *c, const struct interval *i, nsec length)
{
	struct usage *u = c->usage;
	uint64_t key = ((uint64_t)i->caller << 2 | i->io) << 32 | i->thread;
	uint32_t at = idmap_add(&c->rows[ROWS_BLOCKS], key, u->block_count);
	struct usage_block *b;

	if (at == u->block_count) {
		*MEM_ADD(u->blocks, u->block_count, u->block_room) = (struct usage_block){
		    .thread = i->thread, .caller = i->caller, .io = i->io, .most = -1};
	}
	b = &u->blocks[at];
	b->count++;
	b->total += length;
	if (length > b->most) {
		b->most = length;
		b->most_at = i->from;
	}
}

static bool
intervals_count(struct usage_counting *c)
{
	const struct sched *s = &c->log->sched;
	struct usage *u = c->usage;
	const struct interval *i;

	for (uint64_t n = 0; (i = sched_within(s, &n, u->range.from, u->range.to)) != NULL; n++) {
		struct usage_state *state;
		nsec length;

		if (sched_stopped(c->cancel, n))
			return false;
		if (i->thread >= u->thread_count || !range_clip(&u->range, i->from, i->to, &length))
			continue;
		/* Idle is what no thread takes, chosen or not. */
		if (i->state == TASK_RUNNING && i->cpu < u->core_count)
			u->cores[i->cpu].idle -= length;
		if (!scope_has(c->scope, i->thread))
			continue;
		state = state_of(c, i);
		state->count++;
		state->total += length;
		state->least = nsec_min(state->least, length);
		if (length > state->most || state->count == 1) {
			state->most = length;
			state->most_at = i->from;
		}
		if (i->waker != SCHED_NONE)
			wakeup_count(u, i, length);
		if (task_states[i->state].class == TASK_CLASS_BLOCKED)
			block_count(c, i, length);
		if (i->state != TASK_RUNNING || i->cpu >= u->core_count)
			continue;
		run_count(c, i, length);
		priority_count(c, i, length);
	}
	return true;
}

static bool
unknown_count(struct usage_counting *c)
{
	struct usage *u = c->usage;
	nsec *of = mem_zero((size_t)u->thread_count + 1, sizeof(*of));
	bool whole = unknown_add(c->log, &u->range, of, u->thread_count, c->cancel);

	for (uint32_t i = 0; i < u->thread_count; i++)
		u->threads[i].unknown = of[i];
	mem_free(of);
	return whole;
}

/* The unknown part of a core's time: before its first data, and where records were lost. */
static void
gaps_count(struct usage_counting *c)
{
	const struct spool *gaps = &c->log->sched.gaps;
	struct usage *u = c->usage;

	for (uint64_t n = 0; n < gaps->count; n++) {
		const struct sched_gap *gap = spool_peek(gaps, n);
		nsec length;

		if (gap->cpu < u->core_count && range_clip(&u->range, gap->from, gap->to, &length))
			u->cores[gap->cpu].unknown += length;
	}
}

/* A core's time is idle except for running threads and the unknown part. */
static void
cores_init(struct usage_counting *c)
{
	const struct sched *s = &c->log->sched;
	struct usage *u = c->usage;

	u->core_count = (uint32_t)s->cpu_count;
	u->cores = mem_zero(u->core_count + 1, sizeof(*u->cores));
	for (uint32_t i = 0; i < u->core_count; i++) {
		const struct sched_cpu *cpu = &s->cpus[i];

		u->cores[i].cpu = i;
		u->cores[i].met = cpu->met;
		u->cores[i].switched = cpu->switched;
	}
	gaps_count(c);
	for (uint32_t i = 0; i < u->core_count; i++) {
		if (!u->cores[i].switched || u->range.to <= u->range.from)
			continue;
		u->cores[i].idle = u->range.to - u->range.from - u->cores[i].unknown;
		u->known += u->cores[i].idle;
	}
}

struct usage *
usage_new(const struct profile *p, const struct scope *scope, const struct range *range,
    const struct usage_ask *ask, const atomic_bool *cancel)
{
	struct usage *u = mem_zero(1, sizeof(*u));
	struct usage_counting c = {.profile = p, .log = p->trace->log, .scope = scope, .usage = u,
	    .cancel = cancel};
	bool whole;

	u->range = range_within(range != NULL ? range : &RANGE_ALL, 0, c.log->end);
	u->thread_count = p->stack_count;
	u->threads = mem_zero((size_t)u->thread_count + 1, sizeof(*u->threads));
	u->process_count = seg_count(&c.log->processes) + 1;
	u->processes = mem_zero(u->process_count, sizeof(*u->processes));
	cores_init(&c);
	whole = unknown_count(&c) && intervals_count(&c) && usage_steps_count(&c) && usage_counters_count(&c) &&
	    usage_chains_count(&c) && starts_find(p, &u->range, &u->starts, cancel) &&
	    (ask == NULL || usage_list_make(&u->list, p, scope, &u->range, ask, cancel));
	for (uint32_t i = 0; i < u->core_count; i++) {
		u->cores[i].idle = nsec_max(u->cores[i].idle, 0);
		u->idle += u->cores[i].idle;
	}
	for (int i = 0; i < ROWS; i++)
		idmap_release(&c.rows[i]);
	if (whole)
		return u;
	usage_free(u);
	return NULL;
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
	mem_free(u->priorities);
	mem_free(u->blocks);
	mem_free(u->frequencies.items);
	mem_free(u->levels.items);
	mem_free(u->chains);
	usage_list_release(&u->list);
	starts_release(&u->starts);
	mem_free(u->counters);
	mem_free(u);
}

/* One thread in a range: what it did, and why it did not run ----------------------- */

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

	return order_then(ORDER(b->time, a->time), order_then(ORDER(b->count, a->count),
	    ORDER(a->what, b->what)));
}

static void
interval_split(struct usage_split *split, const struct range *range, const struct interval *i,
    nsec length)
{
	enum task_class class = task_states[i->state].class;

	split->time[i->state][i->io] += length;
	if (i->waker != SCHED_NONE && i->from >= range->from)
		met_add(split->wakers, &split->waker_count, (struct usage_met){.what = i->waker});
	if (i->caller > 0)
		met_add(split->reasons, &split->reason_count,
		    (struct usage_met){.what = i->caller, .io = i->io, .time = length});
	if (class == TASK_CLASS_RUNNING || class == TASK_CLASS_RUNNABLE)
		return;
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
	const struct sched *s = &p->trace->log->sched;
	const struct interval *i;

	*split = (struct usage_split){.waited = false};
	for (uint64_t n = 0; (i = sched_within(s, &n, range->from, range->to)) != NULL; n++) {
		nsec length;

		if (sched_stopped(cancel, n))
			return false;
		if (i->thread == thread && range_clip(range, i->from, i->to, &length))
			interval_split(split, range, i, length);
	}
	qsort(split->reasons, split->reason_count, sizeof(split->reasons[0]), met_order);
	qsort(split->wakers, split->waker_count, sizeof(split->wakers[0]), met_order);
	return true;
}
