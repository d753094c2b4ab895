#include <config.h>

#include "profile/usage_count.h"

#include "base/mem.h"

static struct usage_share *
share_of(struct counting *c, uint32_t thread, uint32_t cpu)
{
	struct usage *u = c->usage;
	uint64_t key = (uint64_t)thread << 16 | cpu;
	uint32_t at = idmap_get(&c->shares, key);

	if (at == IDMAP_NONE) {
		at = (uint32_t)u->share_count;
		MEM_GROW(u->shares, u->share_room, u->share_count + 1);
		u->shares[u->share_count++] = (struct usage_share){
		    .thread = thread, .cpu = cpu, .next = u->threads[thread].share};
		u->threads[thread].share = u->share_count;
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
	if (length > t->longest) {
		t->longest = length;
		t->longest_at = i->from;
	}
	/* How it ends counts where it ends. */
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
priority_count(struct counting *c, const struct interval *i, nsec length)
{
	struct usage *u = c->usage;
	uint64_t key = (uint32_t)i->priority;
	uint32_t at = idmap_get(&c->priorities, key);
	struct usage_priority *p;

	if (at == IDMAP_NONE) {
		at = (uint32_t)u->priority_count;
		MEM_GROW(u->priorities, u->priority_room, u->priority_count + 1);
		u->priorities[u->priority_count++] =
		    (struct usage_priority){.priority = i->priority, .least = INT64_MAX};
		idmap_put(&c->priorities, key, at);
	}
	p = &u->priorities[at];
	key = (uint64_t)i->thread << 32 | at;
	if (idmap_get(&c->priority_threads, key) == IDMAP_NONE) {
		idmap_put(&c->priority_threads, key, at);
		p->threads++;
	}
	p->count++;
	p->total += length;
	if (length < p->least)
		p->least = length;
	if (length > p->most)
		p->most = length;
}

/* It waits for a core since it was woken. */
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
block_count(struct counting *c, const struct interval *i, nsec length)
{
	struct usage *u = c->usage;
	uint64_t key = ((uint64_t)i->caller << 2 | i->io) << 32 | i->thread;
	uint32_t at = idmap_get(&c->blocks, key);
	struct usage_block *b;

	if (at == IDMAP_NONE) {
		at = (uint32_t)u->block_count;
		MEM_GROW(u->blocks, u->block_room, u->block_count + 1);
		u->blocks[u->block_count++] = (struct usage_block){
		    .thread = i->thread, .caller = i->caller, .io = i->io, .most = -1};
		idmap_put(&c->blocks, key, at);
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
intervals_count(struct counting *c)
{
	const struct sched *s = &c->log->sched;
	struct usage *u = c->usage;
	const struct interval *i;

	for (uint64_t n = 0; (i = sched_within(s, &n, u->range.from, u->range.to)) != NULL; n++) {
		struct usage_state *state;
		nsec length;

		if (usage_cancelled(c, n))
			return false;
		if (i->thread >= u->thread_count || !usage_clip(&u->range, i->from, i->to, &length))
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
		if (length > state->most || state->count == 1) {
			state->most = length;
			state->most_at = i->from;
		}
		if (i->waker != SCHED_NONE)
			wakeup_count(u, i, length);
		if (task_states[i->state].class == TASK_CLASS_BLOCKED || i->caller > 0)
			block_count(c, i, length);
		if (i->state != TASK_RUNNING || i->cpu >= u->core_count)
			continue;
		run_count(c, i, length);
		priority_count(c, i, length);
	}
	return true;
}

/* Of a core's time what is not known: before its first data, and where records were lost. */
static void
gaps_count(struct counting *c)
{
	const struct spool *gaps = &c->log->sched.gaps;
	struct usage *u = c->usage;

	for (uint64_t n = 0; n < gaps->count; n++) {
		const struct sched_gap *gap = spool_peek(gaps, n);
		nsec length;

		if (gap->cpu < u->core_count && usage_clip(&u->range, gap->from, gap->to, &length))
			u->cores[gap->cpu].idle -= length;
	}
}

/* A core's time is idle but for what runs and what is not known. */
static void
cores_init(struct counting *c)
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
		u->cores[i].lost = cpu->lost;
		if (u->range.to > u->range.from)
			u->cores[i].idle = u->range.to - u->range.from;
	}
	gaps_count(c);
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

struct usage *
usage_new(const struct profile *p, const struct scope *scope, const struct range *range,
    const struct usage_ask *ask, const atomic_bool *cancel)
{
	struct usage *u = mem_zero(1, sizeof(*u));
	struct counting c = {.profile = p, .log = p->trace->log, .scope = scope, .usage = u,
	    .ask = ask, .cancel = cancel};
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
	whole = intervals_count(&c) && usage_steps_count(&c) && usage_counters_count(&c) &&
	    usage_chains_count(&c) &&
	    (ask == NULL || usage_list_count(&c));
	cores_end(u);
	idmap_release(&c.shares);
	idmap_release(&c.states);
	idmap_release(&c.priorities);
	idmap_release(&c.priority_threads);
	idmap_release(&c.blocks);
	idmap_release(&c.frequencies);
	idmap_release(&c.levels);
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
	mem_free(u->counters);
	mem_free(u);
}
