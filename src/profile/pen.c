#include <config.h>

#include "profile/pen.h"

#include "profile/gap.h"

/* What the pens have in common, in registers. */
struct drawing {
	struct walk *walk;
	enum clock_id axis;
	bool dual; /* both clocks: threads sleep */
	nsec from;
};

/* A step that is not within the open cell, or in which the thread sleeps. */
static __attribute__((noinline)) void
step_draw(const struct drawing *d, struct strip *s, const struct lane *lane, uint32_t node,
    nsec cpu, nsec wall)
{
	struct step step = {.before = node};

	step.to[CLOCK_CPU] = lane_time(lane, CLOCK_CPU);
	step.to[CLOCK_WALL] = lane_time(lane, CLOCK_WALL);
	step.from[CLOCK_CPU] = step.to[CLOCK_CPU] - cpu;
	step.from[CLOCK_WALL] = step.to[CLOCK_WALL] - wall;
	strip_step(s, d->walk->profile, &step);
}

/* Clocks that stand still or go back, and a thread's first record, which is nothing to draw. */
static __attribute__((noinline)) void
clock_odd(struct walk *w, struct lane *lane, const struct event *ev, nsec delta[CLOCKS])
{
	delta[CLOCK_CPU] = (nsec)(ev->time[CLOCK_CPU] - lane->raw[CLOCK_CPU]);
	delta[CLOCK_WALL] = (nsec)(ev->time[CLOCK_WALL] - lane->raw[CLOCK_WALL]);
	walk_clock_odd(w, lane, ev->time, 0, delta);
}

/* One record; returns the time on the axis then. */
static inline __attribute__((always_inline)) nsec
record_draw(const struct drawing *d, struct strip *s, struct lane *lane, const struct event *ev)
{
	nsec cpu = (nsec)(ev->time[CLOCK_CPU] - lane->raw[CLOCK_CPU]);
	nsec wall = (nsec)(ev->time[CLOCK_WALL] - lane->raw[CLOCK_WALL]);
	uint32_t node = lane->node, method;
	nsec length, now;

	if (__builtin_expect((cpu | wall) < 0, 0)) {
		nsec delta[CLOCKS];

		clock_odd(d->walk, lane, ev, delta);
		cpu = delta[CLOCK_CPU];
		wall = delta[CLOCK_WALL];
	} else {
		lane->raw[CLOCK_CPU] = ev->time[CLOCK_CPU];
		lane->raw[CLOCK_WALL] = ev->time[CLOCK_WALL];
	}
	length = d->axis == CLOCK_WALL ? wall : cpu;
	now = lane_time(lane, d->axis);
	if (length == 0 || now <= d->from)
		return now;
	method = d->walk->profile->tree.nodes[node].method;
	if (method == METHOD_TOPLEVEL)
		return now;
	if (now - length >= s->begin && now <= s->end && !(d->dual && wall - cpu > GAP_SLEEP_MIN))
		strip_run_within(s, method, length, d->dual && cpu < length ? cpu : length);
	else
		step_draw(d, s, lane, node, cpu, wall);
	return now;
}

bool
pens_draw(struct pens *pens, struct walk *w, const struct batch *b)
{
	const struct profile *p = w->profile;
	const struct drawing d = {.walk = w, .axis = p->axis,
	    .dual = p->trace->clocks == (1u << CLOCK_CPU | 1u << CLOCK_WALL),
	    .from = pens->from};
	const struct event *ev = b->ev, *end = ev + b->count;

	while (ev < end) {
		const uint32_t thread = ev->thread;
		struct lane *lane;
		struct pen *pen;

		/* What loading did not meet: the file is not what it was. */
		if (thread >= pens->count || !pens->items[thread].down) {
			ev++;
			continue;
		}
		pen = &pens->items[thread];
		lane = &w->lanes[thread];
		do {
			nsec now = record_draw(&d, pen->strip, lane, ev);

			walk_stack(w, lane, ev, 0, false);
			if (now >= pen->until) {
				pen->down = false;
				if (--pens->down == 0)
					return false;
				break;
			}
		} while (++ev < end && ev->thread == thread);
	}
	return true;
}
