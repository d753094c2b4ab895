/* What a row of the timeline has under the time cursor. */
#include <config.h>

#include "view/answer.h"

bool
wish_same_point(const struct wish *a, const struct wish *b)
{
	return a->call_wanted == b->call_wanted && a->call_at == b->call_at &&
	    a->call_method == b->call_method &&
	    track_equal(&a->point, &b->point);
}

/* What a log says of the call, and what its thread did meanwhile. */
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
	return cancel == NULL || !atomic_load(cancel);
}

bool
answer_point(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	uint32_t thread;

	news->call = (struct call){.method = METHOD_NONE};
	news->point = wish->point;
	if (!wish->call_wanted)
		return true;
	thread = track_thread(&wish->point);
	if (wish->point.kind >= TRACK_STATE) {
		if (!track_point_find(
			a->profile, &wish->point, wish->call_at, &news->at_point, cancel))
			return false;
	} else if (wish->call_method != METHOD_NONE
		       ? !timeline_call_of(a->profile, thread, wish->call_at, wish->call_method,
			     &news->call, cancel)
		       : !timeline_call_at_depth(a->profile, thread, wish->call_at,
			     wish->point.depth, &news->call, cancel)) {
		return false;
	}
	if (!slice_find(a->profile, thread, wish->call_at, &news->call, &news->slice, cancel))
		return false;
	news->call_fresh = true;
	news->call_at = wish->call_at;
	return true;
}
