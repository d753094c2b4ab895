// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "schedule.h"

#include <stdlib.h>

#include "abstract.h"

enum { SLICE_NS = 4000000 };

static void
heap_push(struct schedule *s, struct task *task)
{
	size_t i = s->waiting_count++;

	while (i && s->waiting[(i - 1) / 2]->wake > task->wake) {
		s->waiting[i] = s->waiting[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	s->waiting[i] = task;
}

static struct task *
heap_pop(struct schedule *s)
{
	struct task *top, *last;
	size_t i = 0, child;

	if (!s->waiting_count)
		return NULL;
	top = s->waiting[0];
	last = s->waiting[--s->waiting_count];
	while ((child = 2 * i + 1) < s->waiting_count) {
		if (child + 1 < s->waiting_count &&
		    s->waiting[child + 1]->wake < s->waiting[child]->wake)
			child++;
		if (s->waiting[child]->wake >= last->wake)
			break;
		s->waiting[i] = s->waiting[child];
		i = child;
	}
	s->waiting[i] = last;
	return top;
}

void
schedule_init(struct schedule *s, unsigned cores, size_t tasks)
{
	unsigned i;

	s->core_count = cores;
	s->waiting_count = 0;
	s->waiting = gen_alloc(tasks, sizeof *s->waiting);
	for (i = 0; i < cores; i++)
		s->cores[i] = (struct core){.now = INT64_MAX};
}

void
schedule_release(struct schedule *s)
{
	free(s->waiting);
}

void
schedule_end(struct schedule *s, struct core *c)
{
	c->task = heap_pop(s);
	if (!c->task) {
		c->now = INT64_MAX;
		return;
	}
	if (c->now == INT64_MAX || c->now < c->task->wake)
		c->now = c->task->wake;
	c->slice_end = c->now + SLICE_NS;
}

/* Idle cores take what waits. */
static void
fill_cores(struct schedule *s)
{
	unsigned i;

	for (i = 0; i < s->core_count && s->waiting_count; i++)
		if (!s->cores[i].task)
			schedule_end(s, &s->cores[i]);
}

void
schedule_add(struct schedule *s, struct task *task, int64_t wake)
{
	task->wake = wake;
	heap_push(s, task);
	fill_cores(s);
}

void
schedule_yield(struct schedule *s, struct core *c, int64_t wake)
{
	c->task->wake = wake;
	heap_push(s, c->task);
	schedule_end(s, c);
	fill_cores(s);
}

struct core *
schedule_next(struct schedule *s)
{
	struct core *best = s->cores;
	unsigned i;

	for (i = 1; i < s->core_count; i++)
		if (s->cores[i].now < best->now)
			best = &s->cores[i];
	return best;
}

void
schedule_wake_all(struct schedule *s, int64_t now)
{
	size_t i;

	for (i = 0; i < s->waiting_count; i++)
		s->waiting[i]->wake = now;
	for (i = 0; i < s->core_count; i++)
		if (s->cores[i].task && s->cores[i].now > now)
			s->cores[i].now = now;
}
