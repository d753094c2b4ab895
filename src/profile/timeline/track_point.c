// SPDX-License-Identifier: Apache-2.0
/* track_point: what a row of the timeline has at one time. */
#include <config.h>

#include "profile/timeline/tracks.h"

static bool
state_find(const struct log *log, uint32_t thread, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	const struct sched *s = &log->sched;

	for (uint64_t n = 0; n < s->intervals.count; n++) {
		const struct interval *i = sched_interval(s, n);

		if (sched_stopped(cancel, n))
			return false;
		if (i->thread != thread || i->from >= i->to)
			continue;
		if (p->known) {
			p->after = *i;
			break;
		}
		if (i->from > at)
			break;
		if (i->to <= at) {
			p->before = *i;
			continue;
		}
		p->known = true;
		p->state = *i;
		p->from = i->from;
		p->to = i->to;
	}
	/* A gap in between is not known to be anything. */
	if (p->after.from != p->to)
		p->after = (struct interval){.state = TASK_UNKNOWN};
	if (!p->known || p->before.to != p->from)
		p->before = (struct interval){.state = TASK_UNKNOWN};
	return true;
}

/* Narrows the span around `at` that is free of [a, b); true when that has it. */
static bool
narrow(nsec a, nsec b, nsec at, nsec *from, nsec *to)
{
	if (a <= at && b > at) {
		*from = a;
		*to = b;
		return true;
	}
	if (b <= at && b > *from)
		*from = b;
	if (a > at && a < *to)
		*to = a;
	return false;
}

static bool
core_find(const struct log *log, uint32_t cpu, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	const struct sched *s = &log->sched;

	p->to = log->end;
	for (uint64_t n = 0; n < s->intervals.count; n++) {
		const struct interval *i = sched_interval(s, n);

		if (sched_stopped(cancel, n))
			return false;
		if (i->state != TASK_RUNNING || i->cpu != cpu || i->from >= i->to)
			continue;
		if (narrow(i->from, i->to, at, &p->from, &p->to)) {
			p->known = true;
			p->state = *i;
			return true;
		}
	}
	p->known = cpu < s->cpu_count && s->cpus[cpu].switched;
	for (uint64_t n = 0; n < s->gaps.count; n++) {
		const struct sched_gap *gap = spool_peek(&s->gaps, n);

		if (gap->cpu == cpu && (p->lost = narrow(gap->from, gap->to, at, &p->from, &p->to)))
			break;
	}
	p->idle = true;
	return true;
}

/* How many cores, or threads of a process, ran at that time; the span is that moment. */
static bool
load_find(const struct profile *profile, const struct track *t, nsec at,
    struct track_point *p, const atomic_bool *cancel)
{
	const struct sched *s = &profile->trace->log->sched;

	p->known = true;
	p->from = 0;
	p->to = profile->trace->log->end;
	for (uint64_t n = 0; n < s->intervals.count; n++) {
		const struct interval *i = sched_interval(s, n);

		if (sched_stopped(cancel, n))
			return false;
		if (i->state != TASK_RUNNING || i->from >= i->to ||
		    i->thread >= profile->stack_count ||
		    (t->kind == TRACK_PROCESS &&
			trace_thread(profile->trace, i->thread)->process != t->index))
			continue;
		p->value += i->from <= at && i->to > at;
		(void)narrow(i->from, i->from, at, &p->from, &p->to);
		(void)narrow(i->to, i->to, at, &p->from, &p->to);
	}
	return true;
}

/* A value of a core or a counter holds until the next one. */
static bool
value_find(const struct log *log, const struct track *t, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	bool counter = t->kind == TRACK_COUNTER;
	const struct spool *values = counter ? &log->samples : &log->steps;

	p->to = log->end;
	for (uint64_t n = 0; n < values->count; n++) {
		const struct log_sample *sample = spool_peek(values, n);
		const struct log_step *step = spool_peek(values, n);
		nsec set = counter ? sample->at : step->at;

		if (sched_stopped(cancel, n))
			return false;
		if (counter ? sample->counter != t->index
			    : step->cpu != t->index || step->idle != (t->kind == TRACK_IDLE))
			continue;
		if (set > at) {
			p->to = set;
			break;
		}
		p->known = true;
		p->from = set;
		p->value = counter ? sample->value : step->value;
	}
	return true;
}

/* The time between two of them. */
static bool
instants_here(const struct log *log, const struct track *t, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	bool points = t->kind == TRACK_POINTS;

	if (!instants_find_near(log, points ? THREAD_NONE : t->index, points ? t->index : 0, at,
		&p->near, cancel))
		return false;
	p->known = p->near.has_last || p->near.has_next;
	p->from = p->near.has_last ? p->near.last : 0;
	p->to = p->near.has_next ? p->near.next : log->end;
	return true;
}

bool
track_point_find(const struct profile *profile, const struct track *t, nsec at,
    struct track_point *p, const atomic_bool *cancel)
{
	const struct log *log = profile->trace->log;

	*p = (struct track_point){.before = {.state = TASK_UNKNOWN},
	    .after = {.state = TASK_UNKNOWN}};
	if (log == NULL)
		return true;
	switch (t->kind) {
	case TRACK_STATE:
		return state_find(log, t->index, at, p, cancel);
	case TRACK_CORE:
		return core_find(log, t->index, at, p, cancel);
	case TRACK_LOAD:
	case TRACK_PROCESS:
		return load_find(profile, t, at, p, cancel);
	case TRACK_FREQUENCY:
	case TRACK_IDLE:
	case TRACK_COUNTER:
		return value_find(log, t, at, p, cancel);
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		return instants_here(log, t, at, p, cancel);
	default:
		return true;
	}
}
