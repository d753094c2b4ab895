// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/mem.h"
#include "trace/sched.h"

/* A thread's scheduler state. */
struct sched_task {
	nsec since;
	nsec clock;      /* ran so far, without an open interval */
	nsec waking_at;  /* of the first sched_waking since it left the core; -1 none */
	uint64_t asleep; /* its last interval off the core and not runnable, + 1 */
	uint32_t waking_by, waker, caller;
	int32_t priority;
	uint16_t cpu;
	uint8_t state;   /* enum task_state */
	uint8_t io;
	bool switched;   /* a switch showed it */
};

/* States by their letters --------------------------------------------------------- */

const struct task_state_info task_states[TASK_STATES] = {
	[TASK_UNKNOWN] = { "", "Unknown", TASK_CLASS_NONE },
	[TASK_RUNNING] = { "", "Running", TASK_CLASS_RUNNING },
	[TASK_RUNNABLE] = { "R", "Runnable", TASK_CLASS_RUNNABLE },
	[TASK_PREEMPTED] = { "R+", "Runnable (preempted)", TASK_CLASS_RUNNABLE },
	[TASK_SLEEPING] = { "S", "Sleeping", TASK_CLASS_SLEEP },
	[TASK_BLOCKED] = { "D", "Uninterruptible sleep", TASK_CLASS_BLOCKED },
	[TASK_BLOCKED_KILLABLE] = { "DK", "Uninterruptible, killable", TASK_CLASS_BLOCKED },
	[TASK_STOPPED] = { "T", "Stopped", TASK_CLASS_STOPPED },
	[TASK_TRACED] = { "t", "Traced", TASK_CLASS_STOPPED },
	[TASK_EXITED] = { "X", "Exited", TASK_CLASS_DEAD },
	[TASK_ZOMBIE] = { "Z", "Zombie", TASK_CLASS_DEAD },
	[TASK_DEAD] = { "x", "Dead", TASK_CLASS_DEAD },
	[TASK_IDLE] = { "I", "Idle kernel thread", TASK_CLASS_SLEEP },
	[TASK_WAKE_KILL] = { "K", "Wake-kill", TASK_CLASS_SLEEP },
	[TASK_WAKING] = { "W", "Waking", TASK_CLASS_SLEEP },
	[TASK_PARKED] = { "P", "Parked", TASK_CLASS_SLEEP },
	[TASK_NO_LOAD] = { "N", "No load", TASK_CLASS_SLEEP },
	[TASK_OTHER] = { "?", "Other", TASK_CLASS_OTHER },
};

/* Letters of states, the most decisive first: of combined letters the first in this list counts. */
static const char decisive[] = "XZxDTtISKWPNR";

static const enum task_state by_letter[] = {TASK_EXITED, TASK_ZOMBIE, TASK_DEAD, TASK_BLOCKED,
	TASK_STOPPED, TASK_TRACED, TASK_IDLE, TASK_SLEEPING, TASK_WAKE_KILL, TASK_WAKING,
	TASK_PARKED, TASK_NO_LOAD, TASK_RUNNABLE};

/* trace-cmd's raw bits, as the kernel had them before 4.14. */
static enum task_state
state_number(uint64_t n)
{
	static const enum task_state by_bit[] = {TASK_SLEEPING, TASK_BLOCKED, TASK_STOPPED,
	    TASK_TRACED, TASK_EXITED, TASK_ZOMBIE, TASK_DEAD, TASK_WAKE_KILL};

	if (n == 0)
		return TASK_RUNNABLE;
	if (n >= 0x100 && (n & (n - 1)) == 0)
		return TASK_PREEMPTED;
	if ((n & 0x82) == 0x82)
		return TASK_BLOCKED_KILLABLE;
	if ((n & 0x30) != 0)
		return (n & 0x10) != 0 ? TASK_EXITED : TASK_ZOMBIE;
	if ((n & 2) != 0)
		return (n & 0x400) != 0 ? TASK_IDLE : TASK_BLOCKED;
	for (int i = 0; i < 8; i++) {
		if ((n & 1u << i) != 0)
			return by_bit[i];
	}
	return TASK_OTHER;
}

enum task_state
task_state_parse(struct str s)
{
	bool killable = false, no_load = false, plus = s.n > 0 && s.p[s.n - 1] == '+';
	size_t best = sizeof(by_letter) / sizeof(by_letter[0]);
	uint64_t number = 0;

	s.n -= plus;
	if (s.n == 0)
		return TASK_OTHER;
	if (s.p[0] >= '0' && s.p[0] <= '9') {
		for (size_t i = 0; i < s.n; i++) {
			if (s.p[i] < '0' || s.p[i] > '9' || i == 9)
				return TASK_OTHER;
			number = number * 10 + (uint64_t)(s.p[i] - '0');
		}
		return plus ? TASK_OTHER : state_number(number);
	}
	for (size_t i = 0; i < s.n; i++) {
		const char *at = memchr(decisive, s.p[i], sizeof(decisive) - 1);

		killable |= s.p[i] == 'K';
		no_load |= s.p[i] == 'N';
		if (s.p[i] == '|')
			continue;
		if (at == NULL)
			return TASK_OTHER;
		if ((size_t)(at - decisive) < best)
			best = (size_t)(at - decisive);
	}
	if (best == sizeof(by_letter) / sizeof(by_letter[0]))
		return TASK_OTHER;
	if (plus)
		return by_letter[best] == TASK_RUNNABLE ? TASK_PREEMPTED : TASK_OTHER;
	if (by_letter[best] == TASK_BLOCKED && no_load)
		return TASK_IDLE;
	if (by_letter[best] == TASK_BLOCKED && killable)
		return TASK_BLOCKED_KILLABLE;
	return by_letter[best];
}

/* Cores and threads --------------------------------------------------------------- */

void
sched_init(struct sched *s, const char *folder)
{
	spool_init(&s->intervals, sizeof(struct interval), folder);
	spool_init(&s->gaps, sizeof(struct sched_gap), folder);
}

void
sched_release(struct sched *s)
{
	spool_release(&s->intervals);
	spool_release(&s->gaps);
	mem_free(s->spans);
	mem_free(s->cpus);
	mem_free(s->tasks);
}

void
sched_again(struct sched *s, bool firsts)
{
	struct sched old = *s;

	s->intervals = s->gaps = (struct spool){.fd = -1};
	sched_init(s, old.intervals.how.folder);
	spool_release(&old.intervals);
	spool_release(&old.gaps);
	s->task_count = 0;
	if (!firsts)
		s->cpu_count = 0;
	for (size_t i = 0; i < s->cpu_count; i++)
		s->cpus[i] = (struct sched_cpu){.current = SCHED_NONE, .first_known = true,
		    .first = s->cpus[i].switched ? s->cpus[i].first : SCHED_NONE};
	s->switches = s->wakeups = s->wakings = s->ignored_wakeups = 0;
	s->blocked_reasons = s->dropped_reasons = 0;
	s->wrong = false;
	s->e = (struct err){.kind = ERR_NONE};
}

static struct sched_cpu *
cpu_at(struct sched *s, uint32_t cpu)
{
	MEM_GROW(s->cpus, s->cpu_room, (size_t)cpu + 1);
	for (; s->cpu_count <= cpu; s->cpu_count++)
		s->cpus[s->cpu_count] = (struct sched_cpu){
		    .current = SCHED_NONE, .first = SCHED_NONE, .start = -1};
	return &s->cpus[cpu];
}

static struct sched_task *
task_at(struct sched *s, uint32_t thread)
{
	MEM_GROW(s->tasks, s->task_room, (size_t)thread + 1);
	for (; s->task_count <= thread; s->task_count++)
		s->tasks[s->task_count] = (struct sched_task){
		    .waking_at = -1, .waking_by = SCHED_NONE, .waker = SCHED_NONE};
	return &s->tasks[thread];
}

nsec
sched_clock(const struct sched *s, uint32_t thread, nsec at)
{
	const struct sched_task *t;

	if (thread >= s->task_count)
		return 0;
	t = &s->tasks[thread];
	return t->clock + (t->state == TASK_RUNNING && at > t->since ? at - t->since : 0);
}

static bool
is_running(const struct sched *s, uint32_t thread)
{
	return thread < s->task_count && s->tasks[thread].state == TASK_RUNNING;
}

static void
span_add(struct sched *s, nsec from, nsec to)
{
	uint64_t last = s->intervals.count - 1;
	struct sched_span *span;

	if (last % SCHED_SPAN == 0) {
		MEM_GROW(s->spans, s->span_room, (size_t)(last / SCHED_SPAN) + 1);
		s->spans[last / SCHED_SPAN] = (struct sched_span){from, to};
		return;
	}
	span = &s->spans[last / SCHED_SPAN];
	span->from = nsec_min(span->from, from);
	span->to = nsec_max(span->to, to);
}

/* The state that a thread was in ends; it has none then. */
static void
sched_task_close(struct sched *s, uint32_t thread, nsec at, enum task_state next)
{
	struct sched_task *t = task_at(s, thread);
	enum task_class class = task_states[t->state].class;
	struct interval *i;

	at = nsec_max(at, t->since);
	if (t->state == TASK_RUNNING) {
		struct sched_cpu *c = cpu_at(s, t->cpu);

		t->clock += at - t->since;
		c->ran += at - t->since;
		/* The event may be from another core: a gap does not reach back before it. */
		c->last = nsec_max(c->last, at);
	}
	if (class != TASK_CLASS_NONE && class != TASK_CLASS_DEAD && s->e.kind == ERR_NONE &&
	    (i = spool_add(&s->intervals, &s->e)) != NULL) {
		*i = (struct interval){.from = t->since, .to = at, .thread = thread,
		    .waker = t->waker, .caller = t->caller, .priority = t->priority,
		    .cpu = t->cpu, .state = t->state, .next = (uint8_t)next, .io = t->io};
		span_add(s, t->since, at);
		if (class != TASK_CLASS_RUNNING && class != TASK_CLASS_RUNNABLE)
			t->asleep = s->intervals.count;
	}
	t->state = TASK_UNKNOWN;
	t->since = at;
	t->waker = SCHED_NONE;
	t->caller = 0;
	t->io = IO_UNTOLD;
}

static void
sched_task_open(struct sched *s, uint32_t thread, nsec at, enum task_state state)
{
	struct sched_task *t = task_at(s, thread);

	t->state = (uint8_t)state;
	t->since = at;
}

static void
ran_tell(struct sched *s, uint32_t thread, nsec at)
{
	if (s->ran != NULL)
		s->ran(s->context, thread, at);
}

/* The thread leaves the core that it runs on. */
static void
task_stop(struct sched *s, uint32_t thread, nsec at, enum task_state next)
{
	sched_task_close(s, thread, at, next);
	ran_tell(s, thread, at);
}

static void
task_run(struct sched *s, uint32_t thread, nsec at, uint32_t cpu, int32_t priority)
{
	struct sched_task *t;

	sched_task_open(s, thread, at, TASK_RUNNING);
	t = task_at(s, thread);
	t->cpu = (uint16_t)cpu;
	t->priority = priority;
	ran_tell(s, thread, at);
}

/* Without a wakeup, the waking that was seen ends the sleep. */
static void
waking_split(struct sched *s, uint32_t thread)
{
	struct sched_task *t = task_at(s, thread);
	enum task_class class = task_states[t->state].class;
	uint32_t waker = t->waking_by;
	nsec at = t->waking_at;

	t->waking_at = -1;
	if (at < t->since || class == TASK_CLASS_RUNNABLE || class == TASK_CLASS_RUNNING)
		return;
	sched_task_close(s, thread, at, TASK_RUNNABLE);
	sched_task_open(s, thread, at, TASK_RUNNABLE);
	task_at(s, thread)->waker = waker;
}

static void
gap_add(struct sched *s, uint32_t cpu, nsec from, nsec to)
{
	struct sched_gap *gap = from < to ? spool_add(&s->gaps, &s->e) : NULL;

	if (gap != NULL)
		*gap = (struct sched_gap){from, to, cpu};
}

/* From here on the core has data. */
static void
cpu_meet(struct sched *s, uint32_t cpu, nsec at)
{
	struct sched_cpu *c = cpu_at(s, cpu);

	if (c->met)
		return;
	c->met = true;
	if (c->start != 0)
		c->start = c->start == -2 ? at : 0;
	c->since = c->start;
	gap_add(s, cpu, 0, c->start);
}

void
sched_line(struct sched *s, nsec at, uint32_t cpu, uint32_t thread, bool presume)
{
	struct sched_cpu *c = cpu_at(s, cpu);

	cpu_meet(s, cpu, at);
	c->last = at;
	/* In a gap no thread is presumed to run: that time counts as lost already. */
	if (c->gap || c->switched || c->presumed || !presume || thread == SCHED_NONE ||
	    (c->first_known && c->first != thread) || task_at(s, thread)->switched)
		return;
	c->presumed = true;
	c->current = thread;
	task_run(s, thread, c->start, cpu, SCHED_NO_PRIORITY);
}

void
sched_buffer(struct sched *s, uint32_t cpu)
{
	struct sched_cpu *c = cpu_at(s, cpu);

	if (!c->met)
		c->start = -2; /* cpu_meet tells when */
}

static bool
runs_on(struct sched *s, uint32_t thread, uint32_t cpu)
{
	const struct sched_task *t = task_at(s, thread);

	return t->state == TASK_RUNNING && t->cpu == cpu;
}

void
sched_lost(struct sched *s, uint32_t cpu)
{
	struct sched_cpu *c = cpu_at(s, cpu);

	if (c->gap)
		return;
	cpu_meet(s, cpu, 0);
	if (!c->switched && !c->presumed) {
		c->last = c->start; /* which thread ran since then is not known either */
	} else if (c->current == SCHED_NONE) {
		c->idle += c->last > c->since ? c->last - c->since : 0;
	} else if (runs_on(s, c->current, cpu)) {
		task_stop(s, c->current, c->last, TASK_UNKNOWN);
	}
	c->current = SCHED_NONE;
	c->gap = true;
	c->since = c->last;
}

/* Another core has the thread: what its own does from now on is not known. */
static void
task_move(struct sched *s, uint32_t thread, nsec at, enum task_state next)
{
	struct sched_cpu *c = cpu_at(s, task_at(s, thread)->cpu);

	task_stop(s, thread, at, next);
	c->gap = true;
	c->since = at;
}

/*
 * The first switch of a core: the thread that left had been on it from the beginning.
 * False when that thread was elsewhere.
 */
static bool
first_switch(struct sched *s, struct sched_cpu *c, const struct sched_switch *e)
{
	struct sched_task *t;
	bool there;

	if (!c->first_known)
		c->first = e->prev;
	c->switched = true;
	if (c->presumed && c->current != SCHED_NONE && c->current != e->prev) {
		s->wrong |= !c->first_known;
		if (runs_on(s, c->current, e->cpu))
			task_stop(s, c->current, e->at, TASK_UNKNOWN);
		c->since = e->at;
	}
	if (c->gap)
		return true; /* nor is it known whether it had */
	there = e->prev == SCHED_NONE || (c->presumed && c->current == e->prev);
	c->current = e->prev;
	if (there)
		return true;
	t = task_at(s, e->prev);
	if (t->switched) {
		/*
		 * The thread was elsewhere meanwhile, so data were lost: what the core
		 * did is not known.
		 */
		c->current = SCHED_NONE;
		c->gap = true;
		c->since = c->start;
		return false;
	}
	task_run(s, e->prev, c->start, e->cpu, SCHED_NO_PRIORITY);
	return true;
}

bool
sched_switch(struct sched *s, const struct sched_switch *e)
{
	struct sched_cpu *c = cpu_at(s, e->cpu);
	bool late = false, agrees = true;

	s->switches++;
	cpu_meet(s, e->cpu, e->at);
	if (!c->switched)
		agrees = first_switch(s, c, e);
	else
		agrees = c->gap || c->current == e->prev;
	if (c->gap) {
		c->lost += e->at - c->since;
		gap_add(s, e->cpu, c->since, e->at);
	} else if (c->current == SCHED_NONE) {
		c->idle += e->at - c->since;
	} else if (c->current != e->prev && runs_on(s, c->current, e->cpu)) {
		/* Data were lost: it ran until now, and what it does now is not known. */
		task_stop(s, c->current, e->at, TASK_UNKNOWN);
	}
	c->gap = false;
	if (e->prev != SCHED_NONE) {
		/* The thread was seen here, and runs on another core already. */
		late = c->current == e->prev && is_running(s, e->prev) &&
		    !runs_on(s, e->prev, e->cpu);
		if (runs_on(s, e->prev, e->cpu))
			task_stop(s, e->prev, e->at, e->state);
		else if (!late && is_running(s, e->prev))
			task_move(s, e->prev, e->at, e->state);
		else if (!late)
			sched_task_close(s, e->prev, e->at, e->state);
		if (!late)
			sched_task_open(s, e->prev, e->at, e->state);
		task_at(s, e->prev)->switched = true;
		task_at(s, e->prev)->waking_at = -1;
	}
	c->current = e->next;
	c->since = e->at;
	if (e->next == SCHED_NONE)
		return agrees;
	if (is_running(s, e->next)) {
		agrees = false; /* it is on another core */
		task_move(s, e->next, e->at, TASK_UNKNOWN);
	} else {
		waking_split(s, e->next);
		sched_task_close(s, e->next, e->at, TASK_RUNNING);
	}
	task_run(s, e->next, e->at, e->cpu, e->next_priority);
	task_at(s, e->next)->switched = true;
	task_at(s, e->next)->waking_at = -1;
	return agrees;
}

void
sched_end(struct sched *s, nsec at)
{
	for (uint32_t t = 0; t < s->task_count; t++) {
		if (s->tasks[t].state == TASK_RUNNING) {
			task_stop(s, t, at, TASK_UNKNOWN);
		} else {
			waking_split(s, t);
			sched_task_close(s, t, at, TASK_UNKNOWN);
		}
	}
	for (size_t i = 0; i < s->cpu_count; i++) {
		struct sched_cpu *c = &s->cpus[i];

		s->wrong |= c->presumed && !c->switched && !c->first_known;
		if (c->gap) {
			c->lost += at - c->since;
			gap_add(s, (uint32_t)i, c->since, at);
		} else if (c->switched && c->current == SCHED_NONE) {
			c->idle += at - c->since;
		}
	}
}

void
sched_mark_take(struct sched_mark *m, const struct sched *s)
{
	uint64_t spans = s->intervals.count / SCHED_SPAN;

	*m = (struct sched_mark){.tasks = mem_dup(s->tasks, s->task_count, sizeof(*s->tasks)),
	    .cpus = mem_dup(s->cpus, s->cpu_count, sizeof(*s->cpus)), .task_count = s->task_count,
	    .cpu_count = s->cpu_count, .intervals = s->intervals.count, .gaps = s->gaps.count};
	if (s->intervals.count % SCHED_SPAN > 0)
		m->span = s->spans[spans];
}

void
sched_mark_give(struct sched_mark *m, struct sched *s)
{
	spool_cut(&s->intervals, m->intervals);
	spool_cut(&s->gaps, m->gaps);
	if (m->intervals % SCHED_SPAN > 0)
		s->spans[m->intervals / SCHED_SPAN] = m->span;
	if (m->task_count > 0)
		memcpy(s->tasks, m->tasks, m->task_count * sizeof(*s->tasks));
	if (m->cpu_count > 0)
		memcpy(s->cpus, m->cpus, m->cpu_count * sizeof(*s->cpus));
	s->task_count = m->task_count;
	s->cpu_count = m->cpu_count;
	sched_mark_release(m);
}

void
sched_mark_release(struct sched_mark *m)
{
	mem_free(m->tasks);
	mem_free(m->cpus);
	*m = (struct sched_mark){.tasks = NULL};
}

/* Wakeups and reasons ------------------------------------------------------------- */

void
sched_wakeup(struct sched *s, nsec at, uint32_t thread, uint32_t waker)
{
	struct sched_task *t = task_at(s, thread);
	enum task_class class = task_states[t->state].class;

	s->wakeups++;
	if (class == TASK_CLASS_RUNNABLE || class == TASK_CLASS_RUNNING) {
		s->ignored_wakeups++;
		return;
	}
	sched_task_close(s, thread, at, TASK_RUNNABLE);
	sched_task_open(s, thread, at, TASK_RUNNABLE);
	t = task_at(s, thread);
	t->waker = waker;
	t->waking_at = -1;
}

void
sched_waking(struct sched *s, nsec at, uint32_t thread, uint32_t waker)
{
	struct sched_task *t = task_at(s, thread);

	s->wakings++;
	if (t->waking_at >= 0 || t->state == TASK_RUNNING)
		return;
	t->waking_at = at;
	t->waking_by = waker;
}

static bool
waits(enum task_state state)
{
	return task_states[state].class == TASK_CLASS_BLOCKED || state == TASK_IDLE;
}

void
sched_blocked(struct sched *s, uint32_t thread, bool io, uint32_t caller)
{
	struct sched_task *t = task_at(s, thread);
	enum task_class class = task_states[t->state].class;
	struct interval *i;

	s->blocked_reasons++;
	if (class != TASK_CLASS_RUNNING && class != TASK_CLASS_RUNNABLE &&
	    class != TASK_CLASS_NONE) {
		if (waits((enum task_state)t->state)) {
			t->io = io ? IO_YES : IO_NO;
			t->caller = caller;
			return;
		}
	} else if (t->asleep > 0) {
		i = spool_at(&s->intervals, t->asleep - 1);
		if (waits((enum task_state)i->state)) {
			i->io = io ? IO_YES : IO_NO;
			i->caller = caller;
			return;
		}
	}
	s->dropped_reasons++;
}
