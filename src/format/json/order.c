// SPDX-License-Identifier: Apache-2.0
/*
 * order: events of a Chrome trace by time; beginnings and ends paired; and which slice of those
 * that begin at one time is the outer one.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/chrome.h"

enum {
	RUN_EVENTS = 1 << 17,   /* sorted at a time */
	AHEAD_EVENTS = 512,     /* read of a run at a time */
	GROUP_MOST = 1 << 18,   /* of one time; more are ordered in parts */
	BACK_MOST = 512,        /* open slices that an end is looked for in */
};

/* Heaps ------------------------------------------------------------------------------ */

static bool
before(const struct chrome_due *a, const struct chrome_due *b)
{
	if (a->at != b->at)
		return a->at < b->at;
	return a->tie != b->tie ? a->tie < b->tie : a->of < b->of;
}

void
chrome_heap_add(struct chrome_heap *h, struct chrome_due due)
{
	size_t at = h->count++;

	MEM_GROW(h->items, h->room, h->count);
	for (; at > 0 && before(&due, &h->items[(at - 1) / 2]); at = (at - 1) / 2)
		h->items[at] = h->items[(at - 1) / 2];
	h->items[at] = due;
}

static void
chrome_heap_change(struct chrome_heap *h, struct chrome_due due)
{
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
		if (child + 1 < h->count && before(&h->items[child + 1], &h->items[child]))
			child++;
		if (!before(&h->items[child], &due))
			break;
		h->items[at] = h->items[child];
	}
	h->items[at] = due;
}

void
chrome_heap_remove(struct chrome_heap *h)
{
	if (--h->count > 0)
		chrome_heap_change(h, h->items[h->count]);
}

/* Runs ------------------------------------------------------------------------------- */

static int
event_order(const void *a, const void *b, const void *context)
{
	const struct chrome_event *x = a, *y = b;

	return order_then(ORDER(x->ts, y->ts), ORDER(x->offset, y->offset));
}

static void
buffer_flush(struct chrome_trace *c)
{
	struct chrome_run *run = c->run_count > 0 ? &c->runs[c->run_count - 1] : NULL;
	const struct chrome_event *last;

	if (c->buffer_count == 0)
		return;
	if (c->unsorted)
		msort_items(c->buffer, c->buffer_count, sizeof(*c->buffer), event_order, NULL);
	last = run != NULL ? spool_at(&c->events, c->events.count - 1) : NULL;
	if (last == NULL || event_order(last, c->buffer, NULL) > 0) {
		run = MEM_ADD(c->runs, c->run_count, c->run_room);
		*run = (struct chrome_run){.first = c->events.count};
	}
	for (size_t i = 0; i < c->buffer_count; i++) {
		struct chrome_event *e = spool_add(&c->events, &c->r.source.failed);

		if (e == NULL)
			break;
		*e = c->buffer[i];
		run->count++;
	}
	c->buffer_count = 0;
	c->unsorted = false;
}

void
chrome_keep(struct chrome_trace *c, const struct chrome_event *e)
{
	MEM_GROW(c->buffer, c->buffer_room, c->buffer_count + 1);
	if (c->buffer_count > 0 && event_order(&c->buffer[c->buffer_count - 1], e, NULL) > 0)
		c->unsorted = true;
	c->buffer[c->buffer_count++] = *e;
	if (c->buffer_count == RUN_EVENTS)
		buffer_flush(c);
}

void
chrome_kept(struct chrome_trace *c)
{
	buffer_flush(c);
	mem_free(c->buffer);
	c->buffer = NULL;
	c->buffer_room = 0;
	for (size_t i = 0; i < c->run_count; i++)
		c->runs[i].items = mem_alloc(AHEAD_EVENTS * sizeof(struct chrome_event));
}

/* Merging ---------------------------------------------------------------------------- */

/* Reads on in a run; false at its end. */
static bool
run_read(struct chrome_trace *c, struct chrome_run *run)
{
	uint64_t left = run->count - run->next, at = run->first + run->next, n;

	if (left == 0)
		return false;
	n = spool_run(&c->events, at);
	n = n < left ? n : left;
	n = n < AHEAD_EVENTS ? n : AHEAD_EVENTS;
	memcpy(run->items, spool_at(&c->events, at), (size_t)n * sizeof(*run->items));
	run->at = 0;
	run->have = (uint32_t)n;
	run->next += n;
	return true;
}

/* The run with the earliest event. */
static struct chrome_run *
merge_run(const struct chrome_trace *c)
{
	return &c->runs[c->heap.items[0].of];
}

static struct chrome_due
run_due(const struct chrome_trace *c, const struct chrome_run *run)
{
	const struct chrome_event *e = &run->items[run->at];

	return (struct chrome_due){e->ts, e->offset, (uint32_t)(run - c->runs)};
}

static void
merge_begin(struct chrome_trace *c)
{
	c->heap.count = 0;
	for (size_t i = 0; i < c->run_count; i++) {
		c->runs[i].next = 0;
		if (run_read(c, &c->runs[i]))
			chrome_heap_add(&c->heap, run_due(c, &c->runs[i]));
	}
}

/* The event that merge_pass passes; NULL at the end. */
static const struct chrome_event *
merge_head(const struct chrome_trace *c)
{
	return c->heap.count > 0 ? &merge_run(c)->items[merge_run(c)->at] : NULL;
}

/* Where it is in the spool. */
static uint64_t
merge_place(const struct chrome_trace *c)
{
	const struct chrome_run *run = merge_run(c);

	return run->first + run->next - run->have + run->at;
}

static void
merge_pass(struct chrome_trace *c)
{
	struct chrome_run *run = merge_run(c);

	if (++run->at < run->have || run_read(c, run))
		chrome_heap_change(&c->heap, run_due(c, run));
	else
		chrome_heap_remove(&c->heap);
}

/* Pairs ------------------------------------------------------------------------------ */

/* True if an end is of a beginning by name, and by category if both have one. */
static bool
pair_fits(const struct chrome_trace *c, uint32_t begin, uint32_t end)
{
	const struct intern_item *a = &c->names.items[begin], *b = &c->names.items[end];

	return begin == end || b->text.n == 0 ||
	    (str_equal(a->text, b->text) && (a->kind == 0 || b->kind == 0));
}

static struct chrome_event *
open_at(struct chrome_trace *c, const struct chrome_thread *t, size_t depth)
{
	return spool_at(&c->events, t->open[depth - 1]);
}

static void
begin_pair(struct chrome_trace *c, struct chrome_thread *t)
{
	struct chrome_event *e = spool_at(&c->events, merge_place(c));

	e->depth = t->depth < CHROME_DEPTH_MOST ? t->depth : CHROME_DEPTH_MOST;
	*MEM_ADD(t->open, t->depth, t->room) = merge_place(c);
}

static void
end_pair(struct chrome_trace *c, struct chrome_thread *t, const struct chrome_event *end)
{
	struct damage *damage = &c->r.trace->damage;
	size_t depth = t->depth, least = depth > BACK_MOST ? depth - BACK_MOST : 0;

	while (depth > least && !pair_fits(c, open_at(c, t, depth)->name, end->name))
		depth--;
	if (depth == least) {
		c->unmatched++;
		damage_add(damage, t->depth > 0 ? DAMAGE_UNMATCHED_EXIT : DAMAGE_EXIT_WITHOUT_ENTRY,
		    1, end->offset);
		return;
	}
	damage_add(damage, DAMAGE_LOST_EXIT, t->depth - depth, end->offset);
	while (t->depth >= depth) {
		struct chrome_event *e = open_at(c, t, t->depth--);

		e->end = end->ts;
		e->ran_end = end->ran;
	}
}

void
chrome_pair(struct chrome_trace *c)
{
	const struct chrome_event *e;

	if (c->pairs == 0)
		return;
	for (merge_begin(c); (e = merge_head(c)) != NULL; merge_pass(c)) {
		if (e->kind == CHROME_BEGIN)
			begin_pair(c, &c->threads[e->of]);
		else if (e->kind == CHROME_END)
			end_pair(c, &c->threads[e->of], e);
	}
	for (size_t i = 0; i < c->thread_count; i++) {
		struct chrome_thread *t = &c->threads[i];

		for (; t->depth > 0; t->depth--) {
			struct chrome_event *open = open_at(c, t, t->depth);

			open->end = t->last;
			open->ran_end = CHROME_NOT_TOLD;
			open->unfinished = true;
			c->unfinished++;
			damage_add(&c->r.trace->damage, DAMAGE_UNFINISHED_CALL, 1, open->offset);
		}
		mem_free(t->open);
		t->open = NULL;
		t->room = 0;
	}
}

/* Events of one time ------------------------------------------------------------------- */

static bool
is_slice(const struct chrome_event *e)
{
	return e->kind == CHROME_BEGIN || e->kind == CHROME_COMPLETE;
}

/* Slices first, by thread, the longest first; of equals and of others that of the file. */
static int
group_order(const void *a, const void *b, const void *context)
{
	const struct chrome_grouped *x = a, *y = b;

	int order = is_slice(&y->event) - is_slice(&x->event);

	if (order == 0 && is_slice(&x->event))
		order = order_then(ORDER(x->event.of, y->event.of), ORDER(y->lasts, x->lasts));
	return order_then(order, ORDER(x->event.offset, y->event.offset));
}

/*
 * Sorts the group.  Beginnings keep their order: each counts for as long as the longest one that
 * comes after it, so a complete slice comes before it only if it is longer than all of them.
 */
static void
group_sort(struct chrome_trace *c)
{
	c->group_number++;
	for (size_t i = c->group_count; i-- > 0;) {
		struct chrome_grouped *g = &c->group[i];
		struct chrome_thread *t;

		g->lasts = g->event.end;
		if (g->event.kind != CHROME_BEGIN)
			continue;
		t = &c->threads[g->event.of];
		if (t->group == c->group_number && t->longest > g->lasts)
			g->lasts = t->longest;
		t->group = c->group_number;
		t->longest = g->lasts;
	}
	msort_items(c->group, c->group_count, sizeof(*c->group), group_order, NULL);
}

static void
group_read(struct chrome_trace *c)
{
	const struct chrome_event *e;

	c->group_count = c->group_at = 0;
	for (; (e = merge_head(c)) != NULL; merge_pass(c)) {
		c->taken++;
		if (e->kind == CHROME_END)
			continue;
		if (c->group_count > 0 &&
		    (e->ts != c->group->event.ts || c->group_count == GROUP_MOST)) {
			c->taken--;
			break;
		}
		MEM_ADD(c->group, c->group_count, c->group_room)->event = *e;
	}
	if (c->group_count > 1)
		group_sort(c);
}

void
chrome_order(struct chrome_trace *c)
{
	merge_begin(c);
	c->group_count = c->group_at = 0;
	c->taken = 0;
}

const struct chrome_event *
chrome_next(struct chrome_trace *c)
{
	if (c->group_at == c->group_count)
		group_read(c);
	return c->group_at < c->group_count ? &c->group[c->group_at++].event : NULL;
}

void
chrome_order_release(struct chrome_trace *c)
{
	for (size_t i = 0; i < c->run_count; i++)
		mem_free(c->runs[i].items);
	mem_free(c->runs);
	mem_free(c->heap.items);
	mem_free(c->group);
	mem_free(c->buffer);
	spool_release(&c->events);
}
