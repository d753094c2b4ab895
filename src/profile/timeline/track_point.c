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

		if (tracks_cancelled(cancel, n))
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

static bool
core_find(const struct log *log, uint32_t cpu, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	const struct sched *s = &log->sched;
	nsec from = 0, to = log->end;

	for (uint64_t n = 0; n < s->intervals.count; n++) {
		const struct interval *i = sched_interval(s, n);

		if (tracks_cancelled(cancel, n))
			return false;
		if (i->state != TASK_RUNNING || i->cpu != cpu || i->from >= i->to)
			continue;
		if (i->from <= at && i->to > at) {
			*p = (struct track_point){.known = true, .from = i->from, .to = i->to,
			    .state = *i};
			return true;
		}
		if (i->to <= at && i->to > from)
			from = i->to;
		if (i->from > at && i->from < to)
			to = i->from;
	}
	p->known = cpu < s->cpu_count && s->cpus[cpu].switched;
	for (uint64_t n = 0; n < s->gaps.count; n++) {
		const struct sched_gap *gap = spool_peek(&s->gaps, n);

		if (gap->cpu != cpu)
			continue;
		if (gap->from <= at && gap->to > at) {
			p->lost = true;
			from = gap->from;
			to = gap->to;
			break;
		}
		if (gap->to <= at && gap->to > from)
			from = gap->to;
		if (gap->from > at && gap->from < to)
			to = gap->from;
	}
	p->idle = true;
	p->from = from;
	p->to = to;
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

		if (tracks_cancelled(cancel, n))
			return false;
		if (i->state != TASK_RUNNING || i->from >= i->to ||
		    i->thread >= profile->stack_count ||
		    (t->kind == TRACK_PROCESS &&
			trace_thread(profile->trace, i->thread)->process != t->index))
			continue;
		p->value += i->from <= at && i->to > at;
		if (i->from <= at && i->from > p->from)
			p->from = i->from;
		if (i->to <= at && i->to > p->from)
			p->from = i->to;
		if (i->from > at && i->from < p->to)
			p->to = i->from;
		if (i->to > at && i->to < p->to)
			p->to = i->to;
	}
	return true;
}

/* A value holds until the next one. */
static bool
value_see(struct track_point *p, nsec set, int64_t value, nsec at)
{
	if (set > at) {
		p->to = set;
		return false;
	}
	p->known = true;
	p->from = set;
	p->value = value;
	return true;
}

static bool
step_find(const struct log *log, const struct track *t, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	bool idle = t->kind == TRACK_IDLE;

	p->to = log->end;
	for (uint64_t n = 0; n < log->steps.count; n++) {
		const struct log_step *s = spool_peek(&log->steps, n);

		if (tracks_cancelled(cancel, n))
			return false;
		if (s->cpu == t->index && s->idle == idle && !value_see(p, s->at, s->value, at))
			break;
	}
	return true;
}

static bool
sample_find(const struct log *log, uint32_t counter, nsec at, struct track_point *p,
    const atomic_bool *cancel)
{
	p->to = log->end;
	for (uint64_t n = 0; n < log->samples.count; n++) {
		const struct log_sample *s = spool_peek(&log->samples, n);

		if (tracks_cancelled(cancel, n))
			return false;
		if (s->counter == counter && !value_see(p, s->at, s->value, at))
			break;
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
		return step_find(log, t, at, p, cancel);
	case TRACK_COUNTER:
		return sample_find(log, t->index, at, p, cancel);
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		return instants_here(log, t, at, p, cancel);
	case TRACK_THREAD:
	case TRACK_CALLS:
	case TRACK_ASYNC:
	case TRACK_KINDS:
		break;
	}
	return true;
}
