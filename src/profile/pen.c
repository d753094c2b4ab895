#include <config.h>

#include "profile/pen.h"

#include "profile/gap.h"
#include "profile/item.h"

/* What the records of a batch or a stretch have in common. */
struct drawing {
	struct walk *walk;
	enum clock_id axis;
	bool dual; /* both clocks: threads sleep */
	nsec from;
	struct idmap threads, methods; /* of the trace */
};

/* The thread of an id; those that the file does not list are known to the source only. */
static inline __attribute__((always_inline)) uint32_t
thread_of(const struct drawing *d, const struct records *r, enum plain_form form,
    const uint8_t *p, uint32_t id)
{
	struct source *source = d->walk->profile->trace->source;
	uint32_t thread = form == PLAIN_NONE ? id : idmap_get(&d->threads, id);

	if (form != PLAIN_NONE && __builtin_expect(thread == IDMAP_NONE, 0))
		thread = source->ops->thread_unknown(source, id, 0, NULL, item_offset(r, form, p));
	return thread;
}

/* The method of a word; the file does not list it. */
static __attribute__((noinline)) uint32_t
method_unlisted(const struct drawing *d, uint32_t word, uint64_t offset)
{
	struct source *source = d->walk->profile->trace->source;

	return source->ops->method_unknown(source, word, NULL, offset) & METHOD_TOP;
}

/*
 * What is kept in registers of a thread; in the lane before what is odd is dealt with, and
 * taken from there again.
 */
struct hold {
	const struct node *node;
	const uint32_t *guess;
	pair64 raw; /* by clock */
};

static inline __attribute__((always_inline)) struct hold
hold_take(const struct lane *lane, const struct node *nodes)
{
	return (struct hold){nodes + lane->node, (const uint32_t *)nodes + lane->guess,
	    pair64_load(lane->raw)};
}

static inline __attribute__((always_inline)) void
hold_put(const struct hold *h, struct lane *lane, const struct node *nodes)
{
	lane->node = (uint32_t)(h->node - nodes);
	lane->guess = (uint32_t)(h->guess - (const uint32_t *)nodes);
	pair64_store(lane->raw, h->raw);
}

/* A step that is not within the open cell, or in which the thread sleeps. */
static __attribute__((noinline)) void
step_draw(const struct profile *p, struct strip *s, const struct lane *lane, uint32_t node,
    pair64 lapse)
{
	struct step step = {.before = node};

	pair64_store(step.to, pair64_add(pair64_load(lane->raw), pair64_load(lane->shift)));
	pair64_store(step.from, pair64_subtract(pair64_load(step.to), lapse));
	strip_step(s, p, &step);
}

/* Clocks that go back, and a thread's first record, before which there is nothing to draw. */
static __attribute__((noinline)) pair64
clock_odd(struct walk *w, struct lane *lane, pair64 times)
{
	uint64_t time[CLOCKS];
	nsec delta[CLOCKS];

	pair64_store(time, times);
	pair64_store(delta, pair64_subtract(times, pair64_load(lane->raw)));
	walk_clock_odd(w, lane, time, 0, delta);
	return pair64_load(delta);
}

/* An entry that was not guessed, or what is no exit of the frame on top. */
static __attribute__((noinline)) void
stack_odd(const struct drawing *d, struct lane *lane, uint32_t method, uint32_t word)
{
	if ((word & 3) == ACTION_ENTER) {
		lane->node = walk_enter_miss(d->walk, lane, method, 0);
		lane->guess = tree_place(lane->node, 0);
	} else if ((word & 3) != ACTION_RESERVED) {
		const struct tree *tree = &d->walk->profile->tree;

		if (tree->nodes[lane->node].method == method)
			walk_pop(tree, lane);
		else
			walk_exit_odd(d->walk, lane, method, 0);
	}
}

/*
 * The run of one thread's items that begins at `p`.  With `runs` it has these as well, and
 * tells what was entered; else it ends where another thread's begins, or where the time
 * `until` is reached.  Returns its end.
 */
static inline __attribute__((always_inline)) const uint8_t *
run_draw(const struct drawing *d, const struct records *r, enum plain_form form,
    struct lane *lane, struct strip *s, const uint8_t *p, const uint8_t *end, struct runs *runs,
    const struct entered *entered, nsec until, bool *reached)
{
	const uint32_t size = item_size(form), id = item_thread(form, p);
	/* In a form with two clocks the axis is the second. */
	const enum clock_id axis = form == PLAIN_14 ? CLOCK_WALL : d->axis;
	const bool dual = form == PLAIN_14 || (form == PLAIN_NONE && d->dual);
	const struct node *nodes = d->walk->profile->tree.nodes;
	const struct kin *kin = d->walk->profile->tree.kin;
	struct hold hold = hold_take(lane, nodes);
	nsec shift = lane->shift[axis];

	do {
		const uint32_t word = item_word(form, p);
		const pair64 times = item_times(form, p);
		pair64 lapse = pair64_subtract(times, hold.raw);
		uint32_t method = form == PLAIN_NONE ? word >> 2
						     : idmap_get(&d->methods, word >> 2);
		const uint32_t on_top = hold.node->method;
		nsec cpu, wall, length, now;

		if (__builtin_expect(pair64_is_negative(lapse), 0)) {
			hold_put(&hold, lane, nodes);
			lapse = clock_odd(d->walk, lane, times);
			hold = hold_take(lane, nodes);
			shift = lane->shift[axis];
		} else {
			hold.raw = times;
		}
		cpu = (nsec)pair64_first(lapse);
		wall = (nsec)pair64_second(lapse);
		length = axis == CLOCK_WALL ? wall : cpu;
		now = shift + (nsec)(axis == CLOCK_WALL ? pair64_second(hold.raw)
						       : pair64_first(hold.raw));
		if (length == 0 || on_top == METHOD_TOPLEVEL) {
			/* Nothing to be drawn. */
		} else if (__builtin_expect(now <= s->end && now - length >= s->begin &&
				   !(dual && wall - cpu > GAP_SLEEP_MIN), 1)) {
			strip_run_within(s, on_top, length, dual && cpu < length ? cpu : length);
		} else if (now > d->from) {
			pair64_store(lane->raw, hold.raw);
			step_draw(d->walk->profile, s, lane, (uint32_t)(hold.node - nodes), lapse);
		}
		if ((word & 3) == ACTION_ENTER && __builtin_expect(nodes[*hold.guess].method == method, 1)) {
			hold.node = nodes + *hold.guess;
			hold.guess = &hold.node->next[0];
			/* What is needed when it makes a call that is not guessed, or is left. */
			__builtin_prefetch(&kin[hold.node - nodes]);
			__builtin_prefetch(nodes + hold.node->next[1]);
			if (entered != NULL)
				entered_add(entered, method);
		} else if ((word & 3) != ACTION_ENTER && (word & 3) != ACTION_RESERVED &&
		    __builtin_expect(hold.node->method == method, 1)) {
			const struct node *left = hold.node;

			hold.node = nodes + node_parent(left);
			hold.guess = &left->next[1];
		} else {
			const struct node *before = hold.node;

			if (form != PLAIN_NONE && method == IDMAP_NONE)
				method = method_unlisted(d, word, item_offset(r, form, p));
			hold_put(&hold, lane, nodes);
			stack_odd(d, lane, method, word);
			hold = hold_take(lane, nodes);
			/* Not what goes on within (other). */
			if (entered != NULL && node_parent(hold.node) == (uint32_t)(before - nodes))
				entered_add(entered, hold.node->method);
		}
		p += size;
		if (runs == NULL && now >= until) {
			*reached = true;
			break;
		}
		if (runs != NULL && __builtin_expect(p == end, 0) && !runs_at(runs, &p, &end, size))
			break;
	} while (runs != NULL || (p < end && item_thread(form, p) == id));
	hold_put(&hold, lane, nodes);
	return p;
}

/* The records of one thread that begin at `p`; they are skipped when it is not drawn. */
static inline __attribute__((always_inline)) const uint8_t *
thread_draw(const struct drawing *d, struct pens *pens, const struct records *r,
    enum plain_form form, const uint8_t *p, const uint8_t *end)
{
	const uint32_t id = item_thread(form, p), thread = thread_of(d, r, form, p, id);
	struct pen *pen;
	bool reached = false;

	/* What loading did not meet: the file is not what it was. */
	if (thread >= pens->count || !pens->items[thread].down) {
		do
			p += item_size(form);
		while (p < end && item_thread(form, p) == id);
		return p;
	}
	pen = &pens->items[thread];
	p = run_draw(d, r, form, &d->walk->lanes[thread], pen->strip, p, end, NULL, NULL,
	    pen->until, &reached);
	if (reached) {
		pen->down = false;
		pens->down--;
	}
	return p;
}

/* One copy of the loop for each form. */
#define DRAWER(form)                                                                       \
	static void draw_##form(const struct drawing *d, struct pens *pens,                \
	    const struct records *r, const uint8_t *p, const uint8_t *end)                 \
	{                                                                                  \
		while (p < end && pens->down > 0)                                          \
			p = thread_draw(d, pens, r, form, p, end);                         \
	}

#define DRAWER_ROW(form) [form] = draw_##form,

DRAWER(PLAIN_NONE)
FORMS(DRAWER)

static struct drawing
drawing_of(struct walk *w, nsec from)
{
	const struct trace *t = w->profile->trace;

	return (struct drawing){.walk = w, .axis = w->profile->axis,
	    .dual = t->clocks == (1u << CLOCK_CPU | 1u << CLOCK_WALL), .from = from,
	    .threads = t->thread_ids, .methods = t->method_ids};
}

uint32_t
pens_draw(struct pens *pens, struct walk *w, const struct records *r)
{
	static void (*const drawer[])(const struct drawing *, struct pens *,
	    const struct records *, const uint8_t *, const uint8_t *) = {
	    DRAWER_ROW(PLAIN_NONE)
	    FORMS(DRAWER_ROW)
	};
	const struct drawing d = drawing_of(w, pens->from);
	uint32_t count = r->form == PLAIN_NONE ? r->batch.count : r->plain.count;
	const uint8_t *p = r->form == PLAIN_NONE ? (const uint8_t *)r->batch.ev : r->plain.bytes;

	drawer[r->form](&d, pens, r, p, p + (size_t)count * item_size(r->form));
	return count;
}

/* The same for the runs of one thread. */
#define FOLLOWER(form)                                                                     \
	static void follow_##form(const struct drawing *d, const struct records *r,        \
	    struct lane *lane, struct runs *from, struct strip *s,                         \
	    const struct entered *entered)                                                 \
	{                                                                                  \
		struct runs runs = *from;                                                  \
		const uint8_t *p, *end;                                                    \
                                                                                           \
		if (runs_at(&runs, &p, &end, plain_size(form)))                            \
			run_draw(d, r, form, lane, s, p, end, &runs, entered, 0, NULL);    \
		*from = runs;                                                              \
	}

#define FOLLOWER_ROW(form) [form] = follow_##form,

FORMS(FOLLOWER)

void
strand_draw(const struct records *r, struct walk *w, struct lane *lane, struct runs *runs,
    uint32_t until, struct strip *s, const struct entered *entered)
{
	static void (*const follower[])(const struct drawing *, const struct records *,
	    struct lane *, struct runs *, struct strip *, const struct entered *) = {
	    FORMS(FOLLOWER_ROW)
	};
	const struct drawing d = drawing_of(w, INT64_MIN);

	runs_until(runs, until);
	follower[r->form](&d, r, lane, runs, s, entered);
}
