/* sched-wakeups: what lets threads go on, and what they waited for (sched.h). */
#include <config.h>

#include "trace/sched-task.h"

void
sched_wakeup(struct sched *s, nsec at, uint32_t thread, uint32_t waker)
{
	struct task *t = task_at(s, thread);
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
	struct task *t = task_at(s, thread);

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
	struct task *t = task_at(s, thread);
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
