/* The threads of a flat profile, summed. */
#include <config.h>

#include "profile/flat.h"
#include "profile/fold-share.h"

/* All calls of a method in a thread. */
static void
sum_add(struct share *s, const struct lane *lane, const struct flat_lane *f, uint32_t index,
    bool in_scope)
{
	const struct flat_sum *sum = &f->sums[index];
	const struct flat_rest *rest = &f->rests[index];
	struct tally *t = &s->tallies[rest->method];
	struct tally_rest *t_rest = &s->rests[rest->method];
	bool open = (sum->calls & FLAT_OPEN) != 0;
	nsec inclusive[CLOCKS];

	for (int c = 0; c < CLOCKS; c++)
		inclusive[c] = index == 0 ? lane_span(lane, (enum clock_id)c)
		    : (nsec)(sum->inclusive[c] +
			  (open ? (uint64_t)lane_time(lane, (enum clock_id)c) : 0));
	t->ranked = true;
	t_rest->rank += s->part ? inclusive[s->rank_clock] : 0;
	if (!in_scope)
		return;
	t->present = true;
	t->threads++;
	t->calls += sum->calls / FLAT_CALL;
	t->recursive_calls += rest->recursive_calls;
	for (int c = 0; c < CLOCKS; c++) {
		t->inclusive[c] += inclusive[c];
		t->exclusive[c] += sum->self[c] + sum->nested[c];
		t_rest->nested[c] += sum->nested[c];
	}
}

void
share_flat(struct share *s, uint32_t thread, bool in_scope, nsec inclusive[CLOCKS])
{
	const struct lane *lane = &s->folding->profile->lanes[thread];
	const struct flat_lane *f = &s->folding->profile->flat->lanes[thread];
	struct fold_thread *out = &s->folding->threads[thread];

	for (uint32_t i = 0; i < f->count; i++)
		sum_add(s, lane, f, i, in_scope);
	for (int c = 0; c < CLOCKS && lane->started; c++)
		inclusive[c] = lane_span(lane, (enum clock_id)c);
	out->deepest = flat_deepest(s->folding->profile->flat, thread);
	for (uint32_t i = 1; i < f->count; i++)
		out->calls += f->sums[i].calls / FLAT_CALL + f->rests[i].recursive_calls;
	s->whole_calls += in_scope ? out->calls : 0;
}
