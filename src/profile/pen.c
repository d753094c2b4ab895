#include <config.h>

#include "profile/pen.h"

#include "profile/gap.h"

/* What the records of a batch have in common. */
struct drawing {
	struct walk *walk;
	struct pens *pens;
	enum clock_id axis;
	bool dual; /* both clocks: threads sleep */
	nsec from;
	struct idmap threads, methods; /* of the trace */
};

/* What a record has for its thread. */
static inline __attribute__((always_inline)) uint32_t
id_at(enum plain_form form, const uint8_t *p)
{
	return form == PLAIN_NONE ? ((const struct event *)(const void *)p)->thread
				  : plain_thread(form, p);
}

static inline uint64_t
offset_of(const struct records *r, const uint8_t *p)
{
	return r->plain.offset + (uint64_t)(p - r->plain.bytes);
}

/* The thread of an id; those that the file does not list are known to the source only. */
static inline __attribute__((always_inline)) uint32_t
thread_of(const struct drawing *d, const struct records *r, enum plain_form form,
    const uint8_t *p, uint32_t id)
{
	struct source *source = d->walk->profile->trace->source;
	uint32_t thread = form == PLAIN_NONE ? id : idmap_get(&d->threads, id);

	if (form != PLAIN_NONE && __builtin_expect(thread == IDMAP_NONE, 0))
		thread = source->ops->thread_unknown(source, id, NULL, offset_of(r, p));
	return thread;
}

/* A step that is not within the open cell, or in which the thread sleeps. */
static __attribute__((noinline)) void
step_draw(const struct profile *p, struct strip *s, const struct lane *lane, uint32_t node,
    nsec cpu, nsec wall)
{
	struct step step = {.before = node};

	step.to[CLOCK_CPU] = lane_time(lane, CLOCK_CPU);
	step.to[CLOCK_WALL] = lane_time(lane, CLOCK_WALL);
	step.from[CLOCK_CPU] = step.to[CLOCK_CPU] - cpu;
	step.from[CLOCK_WALL] = step.to[CLOCK_WALL] - wall;
	strip_step(s, p, &step);
}

/* Time since a thread's last record; small enough to be returned in registers. */
struct lapse {
	nsec cpu, wall;
};

/* Clocks that go back, and a thread's first record, before which there is nothing to draw. */
static __attribute__((noinline)) struct lapse
clock_odd(struct walk *w, struct lane *lane, uint64_t cpu, uint64_t wall)
{
	const uint64_t time[CLOCKS] = {cpu, wall};
	nsec delta[CLOCKS] = {(nsec)(cpu - lane->raw[CLOCK_CPU]),
	    (nsec)(wall - lane->raw[CLOCK_WALL])};

	walk_clock_odd(w, lane, time, 0, delta);
	return (struct lapse){delta[CLOCK_CPU], delta[CLOCK_WALL]};
}

/* One record; returns the time on the axis then. */
static inline __attribute__((always_inline)) nsec
record_draw(const struct drawing *d, struct strip *s, struct lane *lane, uint64_t cpu,
    uint64_t wall)
{
	struct lapse lapse = {(nsec)(cpu - lane->raw[CLOCK_CPU]),
	    (nsec)(wall - lane->raw[CLOCK_WALL])};
	uint32_t node = lane->node, method;
	nsec length, now;

	if (__builtin_expect((lapse.cpu | lapse.wall) < 0, 0)) {
		lapse = clock_odd(d->walk, lane, cpu, wall);
	} else {
		lane->raw[CLOCK_CPU] = cpu;
		lane->raw[CLOCK_WALL] = wall;
	}
	length = d->axis == CLOCK_WALL ? lapse.wall : lapse.cpu;
	now = lane_time(lane, d->axis);
	if (length == 0 || now <= d->from)
		return now;
	method = d->walk->profile->tree.nodes[node].method;
	if (method == METHOD_TOPLEVEL)
		return now;
	if (now - length >= s->begin && now <= s->end &&
	    !(d->dual && lapse.wall - lapse.cpu > GAP_SLEEP_MIN))
		strip_run_within(
		    s, method, length, d->dual && lapse.cpu < length ? lapse.cpu : length);
	else
		step_draw(d->walk->profile, s, lane, node, lapse.cpu, lapse.wall);
	return now;
}

/* A plain record as an event. */
static inline __attribute__((always_inline)) struct event
event_of(const struct drawing *d, const struct records *r, enum plain_form form,
    const uint8_t *p, uint32_t thread)
{
	struct source *source = d->walk->profile->trace->source;
	uint32_t word = plain_word(form, p);
	uint32_t method = idmap_get(&d->methods, word >> 2);
	struct event event;

	if (__builtin_expect(method == IDMAP_NONE, 0))
		method = source->ops->method_unknown(source, word, NULL, offset_of(r, p));
	event = (struct event){.thread = thread, .word = method << 2 | (word & 3)};
	pair64_store(event.time, plain_times(form, p));
	return event;
}

/* The records of one thread that begin at `p`, or those of one that is not drawn. */
static inline __attribute__((always_inline)) const uint8_t *
run_draw(const struct drawing *d, const struct records *r, enum plain_form form,
    const uint8_t *p, const uint8_t *end)
{
	const uint32_t size = form == PLAIN_NONE ? sizeof(struct event) : plain_size(form);
	const uint32_t id = id_at(form, p), thread = thread_of(d, r, form, p, id);
	struct pens *pens = d->pens;
	struct pen *pen;
	struct lane *lane;

	/* What loading did not meet: the file is not what it was. */
	if (thread >= pens->count || !pens->items[thread].down)
		return p + size;
	pen = &pens->items[thread];
	lane = &d->walk->lanes[thread];
	do {
		const struct event ev = form == PLAIN_NONE
		    ? *(const struct event *)(const void *)p
		    : event_of(d, r, form, p, thread);
		nsec now = record_draw(
		    d, pen->strip, lane, ev.time[CLOCK_CPU], ev.time[CLOCK_WALL]);

		walk_stack(d->walk, lane, &ev, 0, false);
		p += size;
		if (now >= pen->until) {
			pen->down = false;
			pens->down--;
			break;
		}
	} while (p < end && id_at(form, p) == id);
	return p;
}

/* One copy of the loop for each form. */
#define DRAWER(form)                                                                       \
	static void draw_##form(const struct drawing *d, const struct records *r,          \
	    const uint8_t *p, const uint8_t *end)                                          \
	{                                                                                  \
		while (p < end && d->pens->down > 0)                                       \
			p = run_draw(d, r, form, p, end);                                  \
	}

DRAWER(PLAIN_NONE)
DRAWER(PLAIN_9_CPU)
DRAWER(PLAIN_9_WALL)
DRAWER(PLAIN_10_CPU)
DRAWER(PLAIN_10_WALL)
DRAWER(PLAIN_14)
DRAWER(PLAIN_14_CPU)
DRAWER(PLAIN_14_WALL)

uint32_t
pens_draw(struct pens *pens, struct walk *w, const struct records *r)
{
	static void (*const drawer[])(const struct drawing *, const struct records *,
	    const uint8_t *, const uint8_t *) = {
	    [PLAIN_NONE] = draw_PLAIN_NONE,
	    [PLAIN_9_CPU] = draw_PLAIN_9_CPU,
	    [PLAIN_9_WALL] = draw_PLAIN_9_WALL,
	    [PLAIN_10_CPU] = draw_PLAIN_10_CPU,
	    [PLAIN_10_WALL] = draw_PLAIN_10_WALL,
	    [PLAIN_14] = draw_PLAIN_14,
	    [PLAIN_14_CPU] = draw_PLAIN_14_CPU,
	    [PLAIN_14_WALL] = draw_PLAIN_14_WALL,
	};
	const struct trace *t = w->profile->trace;
	const struct drawing d = {.walk = w, .pens = pens, .axis = w->profile->axis,
	    .dual = t->clocks == (1u << CLOCK_CPU | 1u << CLOCK_WALL), .from = pens->from,
	    .threads = t->thread_ids, .methods = t->method_ids};
	uint32_t count = r->form == PLAIN_NONE ? r->batch.count : r->plain.count;
	const uint8_t *p = r->form == PLAIN_NONE ? (const uint8_t *)r->batch.ev : r->plain.bytes;
	uint32_t size = r->form == PLAIN_NONE ? sizeof(struct event) : plain_size(r->form);

	drawer[r->form](&d, r, p, p + (size_t)count * size);
	return count;
}
