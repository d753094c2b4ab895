#include <config.h>

#include "profile/calls.h"

#include <string.h>

#include "base/mem.h"
#include "profile/calls_search.h"
#include "profile/gap.h"
#include "profile/presence.h"
#include "profile/replay.h"

enum { STEP_BYTES = 1 << 20 }; /* of records: some milliseconds */

/* The longest -------------------------------------------------------------------- */

static void
heap_sink(struct calls_search *s, size_t at)
{
	struct call_row row = s->rows[at];
	size_t child;

	while ((child = 2 * at + 1) < s->row_count) {
		if (child + 1 < s->row_count &&
		    call_row_less(s->query.clock, &s->rows[child + 1], &s->rows[child]))
			child++;
		if (!call_row_less(s->query.clock, &s->rows[child], &row))
			break;
		s->rows[at] = s->rows[child];
		at = child;
	}
	s->rows[at] = row;
}

static void
row_keep(struct calls_search *s, const struct call_row *row)
{
	if (s->row_count < s->keep) {
		MEM_GROW(s->rows, s->row_room, s->row_count + 1);
		s->rows[s->row_count++] = *row;
		if (s->row_count == s->keep)
			for (size_t i = s->keep / 2; i-- > 0;)
				heap_sink(s, i);
	} else if (call_row_less(s->query.clock, &s->rows[0], row)) {
		s->rows[0] = *row;
		heap_sink(s, 0);
	}
}

/* Calls -------------------------------------------------------------------------- */

static void
row_count(struct calls_search *s, const struct call_row *row)
{
	struct calls *f = &s->found;
	bool recursive = (row->flags & CALL_RECURSIVE) != 0;

	f->count++;
	f->recursive += recursive;
	f->cut += (row->flags & (CALL_BEFORE | CALL_BEYOND)) != 0;
	f->over += s->query.budget > 0 && row->time[s->query.clock] > s->query.budget;
	for (int c = 0; c < CLOCKS; c++)
		spread_add(&f->spread[c], row->time[c]);
	row_keep(s, row);
}

/* The innermost open call ends here; `at` is where on the axis. */
static void
call_close(struct calls_search *s, uint32_t thread, const nsec leave[CLOCKS], nsec at,
    bool beyond)
{
	struct calls_lane *lane = &s->lanes[thread];
	const struct open_call *call = &lane->open[--lane->count];
	struct call_row row = {.start = call->enter[s->axis], .order = call->order,
	    .thread = thread, .frame = call->node};
	bool before = call->order < CALL_ORDER_FIRST;

	if (lane->count > 0)
		row.flags |= CALL_RECURSIVE;
	if (before)
		row.flags |= CALL_BEFORE;
	if (beyond)
		row.flags |= CALL_BEYOND;
	for (int c = 0; c < CLOCKS; c++) {
		row.time[c] = leave[c] - call->enter[c];
		row.exclusive[c] = call->exclusive[c];
		s->found.exclusive[c] += row.exclusive[c];
		if (lane->count == 0)
			s->found.inclusive[c] += row.time[c];
	}
	/* One that ended as the range begins shares no time with it. */
	if (before && at <= s->from && s->profile->lanes[thread].first[s->axis] < s->from)
		return;
	row_count(s, &row);
}

static void
call_open(struct calls_lane *lane, uint32_t node, uint64_t order, const nsec enter[CLOCKS])
{
	struct open_call *call;

	MEM_GROW(lane->open, lane->room, lane->count + 1);
	call = &lane->open[lane->count++];
	*call = (struct open_call){.node = node, .order = order};
	memcpy(call->enter, enter, sizeof(call->enter));
}

/* All that is open on the stack when the thread is first seen. */
static void
stack_open(struct calls_search *s, struct calls_lane *lane, const struct step *step)
{
	const struct node *nodes = s->profile->tree.nodes;

	lane->known = true;
	for (uint32_t n = step->before; n != NODE_NONE; n = node_parent(&nodes[n])) {
		if (nodes[n].method == s->query.method)
			call_open(lane, n, 0, step->from);
	}
	/* The outermost first. */
	for (size_t i = 0; i < lane->count / 2; i++) {
		uint32_t swap = lane->open[i].node;

		lane->open[i].node = lane->open[lane->count - 1 - i].node;
		lane->open[lane->count - 1 - i].node = swap;
	}
	for (size_t i = 0; i < lane->count; i++)
		lane->open[i].order = i;
}

static bool
enters(const struct calls_search *s, const struct step *step)
{
	return node_parent(&s->profile->tree.nodes[step->after]) == step->before &&
	    step->after != step->before;
}

/* Calls that the step leaves; `drop`: they are of no interest. */
static void
stack_pop(struct calls_search *s, const struct step *step, const nsec leave[CLOCKS], bool drop)
{
	const struct node *nodes = s->profile->tree.nodes;
	struct calls_lane *lane = &s->lanes[step->thread];

	if (step->after == step->before || enters(s, step))
		return;
	for (uint32_t n = step->before; n != step->after && n != NODE_NONE && lane->count > 0;
	     n = node_parent(&nodes[n])) {
		if (lane->open[lane->count - 1].node != n)
			continue;
		if (drop)
			lane->count--;
		else
			call_close(s, step->thread, leave, step->to[s->axis], false);
	}
}

/* The step as records see it -------------------------------------------------------- */

/* The clocks at a time within the step. */
static void
clocks_at(const struct calls_search *s, const struct step *step, nsec at, nsec out[CLOCKS])
{
	const struct gap gap = {step->from[CLOCK_WALL], step->to[CLOCK_WALL],
	    step->from[CLOCK_CPU], step->to[CLOCK_CPU]};

	if (step->first || at == step->to[s->axis]) {
		memcpy(out, step->to, sizeof(step->to));
		return;
	}
	out[CLOCK_CPU] = out[CLOCK_WALL] = 0;
	if (s->dual)
		out[CLOCK_CPU] = gap_cpu_at(&gap, at);
	out[s->axis] = at;
}

/* False as long as the thread is before the range. */
static bool
lane_begin(struct calls_search *s, struct calls_lane *lane, const struct step *step)
{
	nsec at = step->to[s->axis];

	if (at < s->from) {
		stack_pop(s, step, step->to, true);
		if (enters(s, step) && s->profile->tree.nodes[step->after].method == s->query.method)
			call_open(lane, step->after, lane->count, step->to);
		return false;
	}
	lane->begun = true;
	if (step->first || step->from[s->axis] > s->from)
		memcpy(lane->begin, step->first ? step->to : step->from, sizeof(lane->begin));
	else
		clocks_at(s, step, s->from, lane->begin);
	for (size_t i = 0; i < lane->count; i++)
		memcpy(lane->open[i].enter, lane->begin, sizeof(lane->begin));
	return true;
}

/* At or past the end of the range: only calls that are open matter. */
static void
lane_end(struct calls_search *s, struct calls_lane *lane, const struct step *step)
{
	nsec at = step->to[s->axis];

	lane->ended = true;
	if (at == s->to) {
		stack_pop(s, step, lane->end, false);
		return;
	}
	while (lane->count > 0)
		call_close(s, step->thread, lane->end, at, true);
	lane->done = true;
}

static bool
calls_step(void *context, const struct step *step)
{
	struct calls_search *s = context;
	struct calls_lane *lane = &s->lanes[step->thread];
	const nsec *from = step->from, *to = step->to;
	bool past = !s->closed && step->to[s->axis] >= s->to;

	if (lane->done)
		return true;
	if (!lane->known)
		stack_open(s, lane, step);
	if (!lane->begun) {
		if (!lane_begin(s, lane, step))
			return true;
		from = lane->begin;
	}
	/* A thread that begins after the range has nothing of it. */
	if (past && step->first) {
		lane->count = 0;
		lane->done = true;
		return true;
	}
	if (past) {
		if (lane->ended)
			from = lane->end;
		else
			clocks_at(s, step, s->to, lane->end);
		to = lane->end;
	}
	if (lane->count > 0 && lane->open[lane->count - 1].node == step->before) {
		for (int c = 0; c < CLOCKS; c++)
			lane->open[lane->count - 1].exclusive[c] += to[c] - from[c];
	}
	if (past)
		lane_end(s, lane, step);
	else if (!enters(s, step))
		stack_pop(s, step, to, false);
	else if (s->profile->tree.nodes[step->after].method == s->query.method)
		call_open(lane, step->after, CALL_ORDER_FIRST + step->order, to);
	return true;
}

/* Parts -------------------------------------------------------------------------- */

struct scope *
calls_threads(const struct profile *p, const struct scope *scope, uint32_t method)
{
	struct scope *with = scope_new(p->lane_count, false);
	uint8_t *seen = mem_zero(p->tree.count, 1); /* by node: its stack was looked at */

	for (uint32_t i = 1; i < p->tree.count; i++) {
		if (p->tree.nodes[i].method != method)
			continue;
		for (uint32_t n = i; n != NODE_NONE && seen[n] == 0; n = node_parent(&p->tree.nodes[n]))
			seen[n] = 1;
	}
	for (uint32_t t = 0; t < p->lane_count; t++)
		with->in[t] = p->lanes[t].started && scope_has(scope, t) &&
		    seen[p->lanes[t].root] != 0;
	mem_free(seen);
	return with;
}

/* Can the part have something of a call on this thread, by what is known of it? */
static bool
part_has(const struct calls_search *s, size_t part, uint32_t thread, bool enters)
{
	return enters || stackset_has(&s->on_stack, replay_part_start(s->profile, part, thread));
}

static bool
part_needed(const struct calls_search *s, size_t part)
{
	bool enters = s->presence == NULL || presence_may(s->presence, part, s->query.method);

	for (uint32_t t = 0; t < s->lane_count; t++) {
		struct part_info info;

		if (s->scope->in[t] == 0 || s->lanes[t].done)
			continue;
		info = replay_part_info(s->profile, part, t);
		if (info.active && info.to >= s->from && info.from <= s->to &&
		    part_has(s, part, t, enters))
			return true;
	}
	return false;
}

/* What is open on a thread that never came to the end of the range. */
static void
lanes_finish(struct calls_search *s)
{
	for (uint32_t t = 0; t < s->lane_count; t++) {
		struct calls_lane *lane = &s->lanes[t];
		const struct lane *known = &s->profile->lanes[t];
		nsec leave[CLOCKS];

		if (!lane->begun)
			lane->count = 0;
		for (int c = 0; c < CLOCKS; c++)
			leave[c] = lane->ended ? lane->end[c]
					       : lane_time(known, (enum clock_id)c);
		while (lane->count > 0)
			call_close(s, t, leave, leave[s->axis], true);
	}
}

bool
calls_search_own(struct calls_search *s)
{
	uint64_t decoded = 0;

	while (s->part < s->parts && decoded < STEP_BYTES) {
		if (part_needed(s, s->part)) {
			(void)replay_part(s->replay, s->part, calls_step, s);
			decoded += replay_part_end(s->profile, s->part) -
			    replay_part_at(s->profile, s->part).offset;
		}
		s->part++;
	}
	if (s->part < s->parts)
		return true;
	if (!s->found.whole)
		lanes_finish(s);
	s->found.whole = true;
	return false;
}
