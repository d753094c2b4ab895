#include <config.h>

#include "format/ftrace-reader.h"

/* A thread that an event names by id and comm. */
static uint32_t
thread_of(struct reader *r, uint32_t tid, struct str comm)
{
	uint32_t row;

	if (tid == 0)
		return SCHED_NONE;
	row = row_of_tid(r, tid);
	row_name(r, row, comm);
	return row;
}

static void
switch_take(struct reader *r, const struct schedline *s, uint32_t cpu, nsec at)
{
	struct sched_switch e = {.at = at, .cpu = cpu, .state = s->state,
	    .next_priority = s->priority};

	r->late_sched |= !r->log->has_sched;
	e.prev = thread_of(r, s->tid, s->comm);
	e.next = thread_of(r, s->next, s->next_comm);
	if (!sched_switch(&r->log->sched, &e))
		damage_add(r->damage, DAMAGE_CONTRADICTING_SWITCH, 1, r->line_at);
	if (e.prev != SCHED_NONE && r->rows[e.prev].exiting &&
	    task_states[e.state].class == TASK_CLASS_DEAD)
		row_ended(r, e.prev);
}

static void
blocked_take(struct reader *r, const struct schedline *s)
{
	uint32_t index = 0;

	if (s->caller.p != NULL) {
		index = intern_add(&r->callers, s->caller, 0);
		if (index == r->log->texts.count) {
			struct str *text = seg_reserve(&r->log->texts);

			if (text == NULL)
				return;
			*text = s->caller;
			seg_commit(&r->log->texts);
		}
		index++;
	}
	sched_blocked(&r->log->sched, row_of_tid(r, s->tid), s->io, index);
}

static void
step_add(struct reader *r, const struct schedline *s, nsec at, bool idle)
{
	struct log_step *step;

	if (s->cpu >= LOGLINE_CPUS)
		return;
	step = spool_add(&r->log->steps, &r->source.failed);
	if (step != NULL)
		*step = (struct log_step){at, s->cpu, s->value, idle};
	(idle ? r->log->idle_told : r->log->frequency_told)[s->cpu] = true;
}

static void
name_take(struct reader *r, const struct schedline *s, bool new_task)
{
	uint32_t row = row_of_tid(r, s->tid);

	if (new_task && r->rows[row].exiting) {
		row_ended(r, row);
		row = row_of_tid(r, s->tid);
	}
	row_name(r, row, s->comm);
}

/* Whoever is named was only interrupted when the flags tell so (the third: h, H, s, Z, z). */
static uint32_t
waker_of(const struct logline *line, uint32_t row)
{
	bool interrupt = line->flags.n >= 3 && line->flags.p[2] != '.';

	return row == SCHED_NONE || interrupt ? SCHED_INTERRUPT : row;
}

void
sched_take(struct reader *r, enum sched_event event, const struct schedline *s,
    const struct logline *line, nsec at, uint32_t row)
{
	uint32_t thread;

	switch (event) {
	case EVENT_SWITCH:
		switch_take(r, s, line->cpu, at);
		break;
	case EVENT_WAKEUP:
		thread = thread_of(r, s->tid, s->comm);
		if (thread != SCHED_NONE)
			sched_wakeup(&r->log->sched, at, thread, waker_of(line, row));
		break;
	case EVENT_WAKING:
		thread = thread_of(r, s->tid, s->comm);
		if (thread != SCHED_NONE)
			sched_waking(&r->log->sched, at, thread, waker_of(line, row));
		break;
	case EVENT_BLOCKED:
		blocked_take(r, s);
		break;
	case EVENT_EXIT:
		thread = thread_of(r, s->tid, s->comm);
		if (thread != SCHED_NONE)
			r->rows[thread].exiting = true;
		break;
	case EVENT_FREQUENCY:
	case EVENT_IDLE:
		step_add(r, s, at, event == EVENT_IDLE);
		break;
	case EVENT_RENAME:
	case EVENT_NEWTASK:
		name_take(r, s, event == EVENT_NEWTASK);
		break;
	case EVENT_NONE:
		break;
	}
}
