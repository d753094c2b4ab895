// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/wakers.h"

enum {
	CANCEL_ITEMS = 65536,
	/* A sleep whose end was found late comes after intervals that ended meanwhile. */
	LATE_ITEMS = 4096,
};

struct wakers_seek {
	const struct sched *sched;
	const atomic_bool *cancel;
	uint32_t thread;
};

static bool
sleeps(const struct interval *i)
{
	enum task_class class = task_states[i->state].class;

	return class != TASK_CLASS_RUNNING && class != TASK_CLASS_RUNNABLE;
}

/* The first interval that ends after `at`, or one shortly after it. */
static uint64_t
first_after(const struct sched *s, nsec at)
{
	uint64_t from = 0, to = s->intervals.count;

	while (from < to) {
		uint64_t middle = from + (to - from) / 2;

		if (sched_interval(s, middle)->to > at)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* The thread's interval next to `*index` (which counts, too), forth or back. */
static const struct interval *
seek(const struct wakers_seek *k, uint64_t *index, int direction)
{
	for (uint64_t n = *index; n < k->sched->intervals.count; n += (uint64_t)direction) {
		const struct interval *i = sched_interval(k->sched, n);

		if (n % CANCEL_ITEMS == 0 && is_cancelled(k->cancel))
			return NULL;
		if (i->thread == k->thread) {
			*index = n;
			return i;
		}
	}
	return NULL;
}

/* The thread's interval at a time, and its place. */
static const struct interval *
seek_at(const struct wakers_seek *k, nsec at, uint64_t *index)
{
	const struct interval *i;

	*index = first_after(k->sched, at);
	*index -= *index < LATE_ITEMS ? *index : LATE_ITEMS;
	while ((i = seek(k, index, 1)) != NULL && i->to <= at)
		++*index;
	return i != NULL && i->from <= at ? i : NULL;
}

bool
wakers_state(const struct log *log, uint32_t thread, nsec at, struct interval *out,
    const atomic_bool *cancel)
{
	const struct wakers_seek k = {&log->sched, cancel, thread};
	uint64_t index;
	const struct interval *i = seek_at(&k, at, &index);

	if (i != NULL)
		*out = *i;
	return i != NULL;
}

/* Fills in the wakeup that began the interval, which is at `index`. */
static void
wake_fill(const struct wakers_seek *k, uint64_t index, struct wake *w)
{
	const struct interval *i = sched_interval(k->sched, index), *other;
	uint64_t before = index - 1, after = index + 1;

	*w = (struct wake){.thread = k->thread, .waker = i->waker, .at = i->from, .slept = -1,
	    .ran = -1};
	other = seek(k, &before, -1);
	if (other != NULL && other->to == i->from && sleeps(other)) {
		w->slept = other->from;
		w->state = other->state;
		w->io = other->io;
		w->caller = other->caller;
	}
	other = i->next == TASK_RUNNING ? seek(k, &after, 1) : NULL;
	if (other != NULL && other->state == TASK_RUNNING) {
		w->ran = other->from;
		w->cpu = other->cpu;
	}
}

bool
wakers_last(const struct log *log, uint32_t thread, nsec at, struct wake *w,
    const atomic_bool *cancel)
{
	const struct wakers_seek k = {&log->sched, cancel, thread};
	uint64_t index;
	const struct interval *i = seek_at(&k, at, &index);

	if (i != NULL && sleeps(i)) {
		nsec end = i->to;

		index++;
		i = seek(&k, &index, 1);
		if (i == NULL || i->from != end || i->waker == SCHED_NONE)
			return false;
		wake_fill(&k, index, w);
		return true;
	}
	if (i == NULL)
		index = first_after(k.sched, at) - 1;
	for (; (i = seek(&k, &index, -1)) != NULL; index--) {
		if (i->waker == SCHED_NONE || i->from > at)
			continue;
		wake_fill(&k, index, w);
		return true;
	}
	return false;
}

bool
wakers_wait(const struct log *log, uint32_t thread, nsec at, struct range *wait,
    const atomic_bool *cancel)
{
	const struct wakers_seek k = {&log->sched, cancel, thread};
	uint64_t index;
	const struct interval *i = seek_at(&k, at, &index);

	if (i == NULL)
		return false;
	*wait = (struct range){i->from, i->to};
	if (i->state == TASK_RUNNING) {
		wait->to = i->from;
		for (index--; (i = seek(&k, &index, -1)) != NULL && i->to == wait->from &&
		     i->state != TASK_RUNNING; index--)
			wait->from = i->from;
	} else {
		for (index++; (i = seek(&k, &index, 1)) != NULL && i->from == wait->to &&
		     i->state != TASK_RUNNING; index++)
			wait->to = i->to;
	}
	return wait->from < wait->to;
}

bool
wakers_longest(const struct log *log, uint32_t thread, const struct range *within,
    struct range *wait, nsec *ran, const atomic_bool *cancel)
{
	const struct wakers_seek k = {&log->sched, cancel, thread};
	uint64_t index = first_after(k.sched, within->from);
	struct range now = {within->from, within->from};
	const struct interval *i;

	*wait = now;
	*ran = 0;
	index -= index < LATE_ITEMS ? index : LATE_ITEMS;
	for (; (i = seek(&k, &index, 1)) != NULL && i->from < within->to; index++) {
		enum task_class class = task_states[i->state].class;
		bool runs = class == TASK_CLASS_RUNNING;
		nsec from = i->from > within->from ? i->from : within->from;
		nsec to = i->to < within->to ? i->to : within->to;

		if (from >= to)
			continue;
		if (runs)
			*ran += to - from;
		if (runs || class == TASK_CLASS_NONE || class == TASK_CLASS_DEAD)
			from = to;
		else if (from == now.to)
			from = now.from;
		now = (struct range){from, to};
		if (now.to - now.from > wait->to - wait->from)
			*wait = now;
	}
	return !is_cancelled(cancel) && wait->from < wait->to;
}
