// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/sequence.h"

#include <string.h>

#include "base/mem.h"
#include "profile/index/replay.h"

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

/* A call that is open, with the list of what it called; [0]: the thread. */
struct sequence_level {
	uint32_t node;
	bool before; /* began before the range or the trace */
	uint32_t first, last; /* of its list */
	size_t mark; /* items before it began */
	nsec enter[CLOCKS], exclusive[CLOCKS];
};

struct sequence_walker {
	const struct profile *profile;
	enum clock_id axis;
	nsec from, to, least;
	bool closed; /* the end belongs to the range */
	bool begun;  /* the thread is within the range */
	bool ended;  /* and came to its end */
	nsec begin[CLOCKS], end[CLOCKS];
	struct sequence_level *levels;
	size_t depth, level_room;
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
run_end(struct sequence_walker *w, struct sequence_level *level)
{
	struct sequence_item *items = w->items, *last = level->last != ITEM_NONE ? &items[level->last] : NULL;
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
	if (level->last == w->count - 1)
		w->count--;
	level->last = last->before;
	before->next = ITEM_NONE;
}

static void
list_append(struct sequence_walker *w, struct sequence_level *level, const struct sequence_item *item)
{
	uint32_t at;

	if (level->last != ITEM_NONE && !is_run(&w->items[level->last], item))
		run_end(w, level);
	at = (uint32_t)w->count;
	MEM_GROW(w->items, w->room, w->count + 1);
	w->items[w->count] = *item;
	w->items[w->count].before = level->last;
	w->items[w->count++].next = ITEM_NONE;
	if (level->last != ITEM_NONE)
		w->items[level->last].next = at;
	else
		level->first = at;
	level->last = at;
}

/* Calls ---------------------------------------------------------------------------- */

static void
call_open(struct sequence_walker *w, uint32_t node, bool before, const nsec enter[CLOCKS])
{
	struct sequence_level *level;

	MEM_GROW(w->levels, w->level_room, w->depth + 1);
	level = &w->levels[w->depth++];
	*level = (struct sequence_level){.node = node, .before = before, .first = ITEM_NONE,
	    .last = ITEM_NONE, .mark = w->count};
	memcpy(level->enter, enter, sizeof(level->enter));
}

/* The innermost call ends; `at` is where on the axis. */
static void
call_close(struct sequence_walker *w, const nsec leave[CLOCKS], nsec at, bool beyond)
{
	struct sequence_level *level = &w->levels[--w->depth], *above = level - 1;
	struct sequence_item item = {.kind = KIND_CALL, .row = {.calls = 1,
	    .method = w->profile->tree.nodes[level->node].method,
	    .from = level->enter[w->axis], .to = leave[w->axis],
	    .flags = (level->before ? CALL_BEFORE : 0u) | (beyond ? CALL_BEYOND : 0u)}};

	run_end(w, level);
	for (int c = 0; c < CLOCKS; c++) {
		item.row.time[c] = leave[c] - level->enter[c];
		item.row.exclusive[c] = level->exclusive[c];
	}
	item.child = level->first;
	if (item.row.time[w->axis] < w->least) {
		item.kind = KIND_SMALL;
		item.child = ITEM_NONE;
		w->count = level->mark;
	}
	/* One that ended as the range begins shares no time with it. */
	if (level->before && !beyond && at <= w->from && w->levels[0].before)
		return;
	if (item.kind == KIND_SMALL && above->last != ITEM_NONE &&
	    w->items[above->last].kind == KIND_SMALL && is_run(&w->items[above->last], &item))
		row_add(&w->items[above->last].row, &item.row);
	else
		list_append(w, above, &item);
}

/* The first step that reaches into the range: what is open then. */
static void
range_begin(struct sequence_walker *w, const struct step *step)
{
	const struct node *nodes = w->profile->tree.nodes;
	uint32_t depth = tree_depth(&w->profile->tree, step->before), node = step->before;

	w->begun = true;
	if (step->first || step->from[w->axis] > w->from)
		memcpy(w->begin, step->first ? step->to : step->from, sizeof(w->begin));
	else
		step_times_at(step, w->axis, w->from, w->begin);
	call_open(w, NODE_NONE, w->profile->stacks[step->thread].first[w->axis] < w->from, w->begin);
	for (uint32_t i = 0; i < depth; i++)
		call_open(w, NODE_NONE, true, w->begin);
	for (; depth > 0; depth--, node = nodes[node].parent)
		w->levels[depth].node = node;
	w->levels[0].node = node;
}

static bool
walker_step(void *context, const struct step *step)
{
	struct sequence_walker *w = context;
	const struct node *nodes = w->profile->tree.nodes;
	nsec at = step->to[w->axis];
	const nsec *from = step->from, *to = step->to;
	bool past = !w->closed && at >= w->to;

	if (at < w->from)
		return true;
	/* A thread that begins after the range has nothing of it. */
	if (past && step->first)
		return false;
	if (!w->begun) {
		range_begin(w, step);
		from = w->begin;
	}
	if (past) {
		if (w->ended)
			from = w->end;
		else
			step_times_at(step, w->axis, w->to, w->end);
		w->ended = true;
		to = w->end;
	}
	if (w->levels[w->depth - 1].node == step->before) {
		for (int c = 0; c < CLOCKS; c++)
			w->levels[w->depth - 1].exclusive[c] += to[c] - from[c];
	} else if (!past) {
		return false; /* the file is not what it was */
	}
	if (past && at > w->to)
		return false;
	if (step->after == step->before)
		return true;
	if (nodes[step->after].parent == step->before) {
		if (!past)
			call_open(w, step->after, false, to);
		return true;
	}
	for (uint32_t n = step->before; n != step->after && w->depth > 1; n = nodes[n].parent)
		if (w->levels[w->depth - 1].node == n)
			call_close(w, to, at, false);
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

	MEM_GROW(parts, room, 1);
	parts[count++] = (struct sequence_part){first, ITEM_NONE, UINT32_MAX, false};
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
		MEM_GROW(s->rows, row_room, (size_t)s->count + 1);
		s->rows[s->count] = of->row;
		s->rows[s->count++].depth = (uint32_t)count - 1;
		for (end = of->next; end != part->end && !part->run && is_run(of, &w->items[end]);
		     end = w->items[end].next)
			row_add(&s->rows[row], &w->items[end].row);
		part->item = end;
		MEM_GROW(parts, room, count + 1);
		if (end != of->next)
			parts[count++] = (struct sequence_part){item, end, row, true};
		else if (of->kind == KIND_CALL)
			parts[count++] = (struct sequence_part){of->child, ITEM_NONE, row, false};
	}
	mem_free(parts);
	while (covers_range(s, s->base) && covers_range(s, s->base + 1))
		s->base++;
}

nsec
sequence_least(const struct profile *p, const struct range *r, double share)
{
	nsec from = r->from > p->begin ? r->from : p->begin, to = r->to < p->end ? r->to : p->end;
	double least = (double)(to - from) * share;

	return least > 1 ? (nsec)least : 1;
}

struct thread_sequence *
sequence_find(const struct profile *p, const struct sequence_query *q, const atomic_bool *cancel)
{
	struct thread_sequence *s = mem_zero(1, sizeof(*s));
	struct sequence_walker w = {.profile = p, .axis = p->axis, .from = q->range.from, .to = q->range.to,
	    .closed = q->range.to >= p->end, .least = q->least};
	struct scope *scope = scope_new(p->stack_count, false);

	if (w.least == 0)
		w.least = sequence_least(p, &q->range, SEQUENCE_SHARE);
	s->window.from = q->range.from > p->begin ? q->range.from : p->begin;
	s->window.to = q->range.to < p->end ? q->range.to : p->end;
	s->query = *q;
	s->query.least = w.least;
	/* The end itself belongs to the range that comes up to it. */
	if (profile_met(p, q->thread) && (w.from < p->end || p->begin == p->end)) {
		scope->in[q->thread] = 1;
		(void)replay_window(p, scope, w.from, w.to, walker_step, &w, cancel);
	}
	scope_free(scope);
	if (w.begun && !w.ended)
		for (int c = 0; c < CLOCKS; c++)
			w.end[c] = stack_time(&p->stacks[q->thread], (enum clock_id)c);
	while (w.depth > 1)
		call_close(&w, w.end, w.end[w.axis], true);
	if (w.depth > 0) {
		run_end(&w, &w.levels[0]);
		rows_make(s, &w, w.levels[0].first);
	}
	mem_free(w.levels);
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
