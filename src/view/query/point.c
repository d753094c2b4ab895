// SPDX-License-Identifier: Apache-2.0
/* The content of a timeline's row under the time cursor. */
#include <config.h>

#include "base/mem.h"
#include "view/query/answering.h"

/* Finds what a log says of the call, and what its thread did meanwhile. */
static bool
slice_find(const struct profile *p, uint32_t thread, nsec at, const struct call *call,
    struct engine_slice *slice, const atomic_bool *cancel)
{
	const struct log *log = p->trace->log;
	struct range range = {call->enter[CLOCK_WALL], call->leave[CLOCK_WALL]};
	struct log_detail end;

	*slice = (struct engine_slice){.known = false};
	if (log == NULL)
		return true;
	if (call->method != METHOD_NONE) {
		slice->known = call->offset != UINT64_MAX &&
		    log->detail(log, call->offset, &slice->detail);
		slice->end_known = call->leave_offset != UINT64_MAX &&
		    log->detail(log, call->leave_offset, &end);
		slice->end_tid = slice->end_known ? end.tid : 0;
	}
	if (thread < trace_thread_count(p->trace) &&
	    !instants_find_near(log, thread, 0, at, &slice->near, cancel))
		return false;
	if (!log->has_sched || thread >= trace_thread_count(p->trace) ||
	    trace_thread(p->trace, thread)->kind != THREAD_TASK)
		return true;
	slice->state_known = wakers_state(log, thread, at, &slice->state, cancel);
	if (call->method != METHOD_NONE) {
		if (!usage_split(p, thread, &range, &slice->split, cancel))
			return false;
		slice->split_known = true;
		if (slice->split.waited)
			at = slice->split.longest.from;
	}
	slice->woken = wakers_last(log, thread, at, &slice->wake, cancel);
	return !is_cancelled(cancel);
}

/* Finds the content of the query's row. */
static bool
point_find(const struct profile *p, const struct query *q, struct engine_point *point,
    const atomic_bool *cancel)
{
	uint32_t thread = track_thread(&q->point);

	if (q->point.kind >= TRACK_STATE)
		return track_point_find(p, &q->point, q->at, &point->point, cancel);
	return timeline_call(p, thread, q->at, q->method == METHOD_NONE ? q->point.depth : 0, q->method,
	    &point->call, cancel);
}

/* The methods of a call's stack, outermost first. */
static uint32_t *
stack_of(const struct tree *tree, const struct call *call)
{
	uint32_t *stack = mem_alloc(call->depth * sizeof(*stack)), node = call->node;

	for (uint32_t i = call->depth; i-- > 0; node = tree->nodes[node].parent)
		stack[i] = tree->nodes[node].method;
	return stack;
}

bool
answer_point(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	struct engine_point *point = mem_zero(1, sizeof(*point));

	*point = (struct engine_point){
		.row = q->point, .at = q->at, .call.method = METHOD_NONE};
	if (!point_find(a->profile, q, point, cancel) ||
	    !slice_find(a->profile, track_thread(&q->point), q->at, &point->call, &point->slice,
		cancel)) {
		mem_free(point);
		return false;
	}
	if (point->call.method != METHOD_NONE)
		point->stack = stack_of(&a->profile->tree, &point->call);
	answer->value = point;
	return true;
}

void
engine_point_free(void *value)
{
	struct engine_point *p = value;

	mem_free(p->stack);
	mem_free(p);
}
