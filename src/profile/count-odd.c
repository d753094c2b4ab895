#include <config.h>

#include "profile/count_odd.h"

uint32_t
method_unknown(struct walk *w, uint32_t word, uint64_t offset)
{
	struct source *source = w->profile->trace->source;

	/* As in the word of an event, should there be no room for another method. */
	return source->ops->method_unknown(source, word, w->damage, offset) & METHOD_TOP;
}

uint32_t
thread_met(struct walk *w, uint32_t thread, uint32_t id, uint64_t offset)
{
	struct profile *p = w->profile;
	struct source *source = p->trace->source;

	if (thread == IDMAP_NONE)
		thread = source->ops->thread_unknown(source, id, 1, w->damage, offset);
	if (w->build) {
		profile_lanes_extend(p, trace_thread_count(p->trace));
		w->lanes = p->lanes;
	}
	return thread;
}

void
thread_unlisted(struct walk *w, uint32_t id, uint64_t records, uint64_t offset)
{
	struct source *source = w->profile->trace->source;

	source->ops->thread_unknown(source, id, records - 1, w->damage, offset);
}

pair64
clock_odd(struct walk *w, struct lane *lane, pair64 times, uint64_t offset)
{
	uint64_t time[CLOCKS];
	nsec delta[CLOCKS];

	pair64_store(time, times);
	pair64_store(delta, pair64_subtract(times, pair64_load(lane->raw)));
	walk_clock_odd(w, lane, time, offset, delta);
	return pair64_load(delta);
}
