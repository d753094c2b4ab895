// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/sequence.h"

#include "base/mem.h"
#include "profile/index/closed.h"

/* Kinds of items in a caller's list, which holds calls that are over. */
enum item_kind {
	KIND_CALL,  /* one that is not small */
	KIND_SMALL, /* small ones of one method */
	KIND_FOLD,  /* small runs */
};

#define ITEM_NONE UINT32_MAX

struct sequence_item {
	enum item_kind kind;
	uint32_t next, before; /* in the list */
	uint32_t child;        /* the first of the call's own list */
	struct sequence_row row;
};

/* Calls within one that is open, or [0] of the thread, that have ended. */
struct sequence_calls {
	uint32_t first, last;
	size_t mark; /* items before it began */
};

struct sequence_walker {
	const struct profile *profile;
	enum clock_id axis;
	nsec least;
	struct sequence_calls *lists; /* by depth; none: the thread has nothing of the range */
	size_t depth, list_room;
	struct sequence_item *items;
	size_t count, room;
};

/* Lists ---------------------------------------------------------------------------- */

static void
row_add(struct sequence_row *to, const struct sequence_row *row)
{
	if (to->method != row->method)
		to->method = METHOD_NONE;
	to->calls += row->calls;
	to->to = row->to;
	to->flags |= row->flags;
	for (int c = 0; c < CLOCKS; c++) {
		to->time[c] += row->time[c];
		to->exclusive[c] += row->exclusive[c];
	}
}

static bool
is_run(const struct sequence_item *a, const struct sequence_item *b)
{
	return a->kind != KIND_FOLD && b->kind != KIND_FOLD && a->row.method == b->row.method;
}

/* The last run of the list is whole: if it is small, and no part of a longer run, it is folded. */
static void
run_end(struct sequence_walker *w, struct sequence_calls *list)
{
	struct sequence_item *items = w->items, *last = list->last != ITEM_NONE ? &items[list->last] : NULL;
	struct sequence_item *before;

	if (last == NULL || last->kind != KIND_SMALL || last->row.time[w->axis] >= w->least)
		return;
	before = last->before != ITEM_NONE ? &items[last->before] : NULL;
	if (before != NULL && is_run(before, last))
		return;
	last->kind = KIND_FOLD;
	if (before == NULL || before->kind != KIND_FOLD)
		return;
	row_add(&before->row, &last->row);
	if (list->last == w->count - 1)
		w->count--;
	list->last = last->before;
	before->next = ITEM_NONE;
}

static void
list_append(struct sequence_walker *w, struct sequence_calls *list, const struct sequence_item *item)
{
	struct sequence_item *added;
	uint32_t at;

	if (list->last != ITEM_NONE && !is_run(&w->items[list->last], item))
		run_end(w, list);
	at = (uint32_t)w->count;
	added = MEM_ADD(w->items, w->count, w->room);
	*added = *item;
	added->before = list->last;
	added->next = ITEM_NONE;
	if (list->last != ITEM_NONE)
		w->items[list->last].next = at;
	else
		list->first = at;
	list->last = at;
}

/* Calls ---------------------------------------------------------------------------- */

static void
list_begin(struct sequence_walker *w)
{
	*MEM_ADD(w->lists, w->depth, w->list_room) =
	    (struct sequence_calls){ITEM_NONE, ITEM_NONE, w->count};
}

static bool
thread_begin(void *context, uint32_t thread, uint32_t node, const nsec at[CLOCKS])
{
	list_begin(context);
	return true;
}

static bool
call_enter(void *context, const struct closed *call)
{
	list_begin(context);
	return true;
}

static bool
call_leave(void *context, const struct closed *call)
{
	struct sequence_walker *w = context;
	struct sequence_calls *list = &w->lists[--w->depth], *above = list - 1;
	struct sequence_item item = {.kind = KIND_CALL, .row = {.calls = 1,
	    .method = w->profile->tree.nodes[call->node].method,
	    .from = call->enter[w->axis], .to = call->leave[w->axis],
	    .flags = call->flags & (CALL_BEFORE | CALL_BEYOND)}};

	run_end(w, list);
	for (int c = 0; c < CLOCKS; c++) {
		item.row.time[c] = call->leave[c] - call->enter[c];
		item.row.exclusive[c] = call->self[c];
	}
	item.child = list->first;
	if (item.row.time[w->axis] < w->least) {
		item.kind = KIND_SMALL;
		item.child = ITEM_NONE;
		w->count = list->mark;
	}
	if ((call->flags & CLOSED_TOUCHES) != 0)
		return true;
	if (item.kind == KIND_SMALL && above->last != ITEM_NONE &&
	    w->items[above->last].kind == KIND_SMALL && is_run(&w->items[above->last], &item))
		row_add(&w->items[above->last].row, &item.row);
	else
		list_append(w, above, &item);
	return true;
}

/* Rows ----------------------------------------------------------------------------- */

/* Items that become rows below one. */
struct sequence_part {
	uint32_t item, end;
	uint32_t row; /* that they are below; UINT32_MAX: none */
	bool run;     /* the calls of one */
};

/* One call that was open all the time: all further rows are below it. */
static bool
covers_range(const struct thread_sequence *s, uint32_t row)
{
	return row < s->count && s->rows[row].below == s->count - row - 1 &&
	    s->rows[row].calls == 1 && s->rows[row].flags == (CALL_BEFORE | CALL_BEYOND);
}

static void
rows_make(struct thread_sequence *s, const struct sequence_walker *w, uint32_t first)
{
	struct sequence_part *parts = NULL;
	size_t count = 0, room = 0, row_room = 0;

	*MEM_ADD(parts, count, room) = (struct sequence_part){first, ITEM_NONE, UINT32_MAX, false};
	while (count > 0) {
		struct sequence_part *part = &parts[count - 1];
		uint32_t item = part->item, end, row = s->count;
		const struct sequence_item *of = &w->items[item];

		if (item == part->end) {
			if (part->row != UINT32_MAX)
				s->rows[part->row].below = s->count - part->row - 1;
			count--;
			continue;
		}
		*MEM_ADD(s->rows, s->count, row_room) = of->row;
		s->rows[row].depth = (uint32_t)count - 1;
		for (end = of->next; end != part->end && !part->run && is_run(of, &w->items[end]);
		     end = w->items[end].next)
			row_add(&s->rows[row], &w->items[end].row);
		part->item = end;
		if (end != of->next)
			*MEM_ADD(parts, count, room) = (struct sequence_part){item, end, row, true};
		else if (of->kind == KIND_CALL)
			*MEM_ADD(parts, count, room) =
			    (struct sequence_part){of->child, ITEM_NONE, row, false};
	}
	mem_free(parts);
	while (covers_range(s, s->base) && covers_range(s, s->base + 1))
		s->base++;
}

nsec
sequence_least(const struct profile *p, const struct range *r, double share)
{
	const struct range within = range_within(r, p->begin, p->end);
	double least = (double)(within.to - within.from) * share;

	return least > 1 ? (nsec)least : 1;
}

struct thread_sequence *
sequence_find(const struct profile *p, const struct sequence_query *q, const atomic_bool *cancel)
{
	struct thread_sequence *s = mem_zero(1, sizeof(*s));
	static const struct closed_sink sink = {
	    .begin = thread_begin, .enter = call_enter, .leave = call_leave};
	struct sequence_walker w = {.profile = p, .axis = p->axis, .least = q->least};
	struct scope *scope = scope_new(p->stack_count, false);

	if (w.least == 0)
		w.least = sequence_least(p, &q->range, SEQUENCE_SHARE);
	s->window = range_within(&q->range, p->begin, p->end);
	s->query = *q;
	s->query.least = w.least;
	if (profile_met(p, q->thread)) {
		scope->in[q->thread] = 1;
		(void)closed_visit(&(struct closed_query){.profile = p, .range = q->range, .sink = &sink,
		    .context = &w}, scope, cancel);
	}
	scope_free(scope);
	if (w.depth > 0) {
		run_end(&w, &w.lists[0]);
		rows_make(s, &w, w.lists[0].first);
	}
	mem_free(w.lists);
	mem_free(w.items);
	if (!is_cancelled(cancel))
		return s;
	sequence_free(s);
	return NULL;
}

void
sequence_free(struct thread_sequence *s)
{
	if (s == NULL)
		return;
	mem_free(s->rows);
	mem_free(s);
}
