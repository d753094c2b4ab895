/*
 * Whole parts counted thread by thread (strands.h), as when they were loaded (sweep.h):
 * threads have no path in common, so all workers add to the same counts.
 */
#include <config.h>

#include "profile/range_count.h"

#include "base/mem.h"
#include "profile/comb.h"
#include "profile/count.h"
#include "profile/replay.h"

enum {
	STRETCH_LEAST = 8192, /* records: fewer are not worth being taken apart */
	STRETCH_MOST = 1 << 19,
	STRETCHES = 8, /* of the records, at least: one worker waits for the first */
};

struct ranging {
	struct counting *counting;
	struct comb comb;
	uint64_t stretch; /* records */
	struct lane *lanes;
	struct onstack *onstacks; /* by worker */
};

static bool
cancelled(const struct counting *c)
{
	return c->cancel != NULL && atomic_load_explicit(c->cancel, memory_order_relaxed);
}

static void
task_run(void *arg, unsigned worker, const struct task *task)
{
	const struct ranging *r = arg;
	const struct counting *c = r->counting;
	const struct strands *now = r->comb.now;
	struct records records = {.form = now->form, .plain = now->plain};
	struct walk walk = {(struct profile *)(uintptr_t)c->profile, r->lanes, NULL, false,
	    &r->onstacks[worker]};
	struct runs runs;

	runs_begin(&runs, now, task->strand);
	strand_count(&records, &walk, &r->lanes[task->thread], &runs, now->plain.count, c->counts);
}

/* Consecutive parts. */
static enum strands_end
parts_comb(struct ranging *r, size_t part, size_t behind)
{
	const struct counting *c = r->counting;
	struct comb_span next = {replay_part_at(c->profile, part),
	    replay_part_end(c->profile, behind - 1), r->stretch};
	struct comb *comb = &r->comb;
	enum comb_taken taken = TAKEN;

	replay_part_lanes(c->profile, part, r->lanes);
	while (!cancelled(c) && (taken = comb_take(comb, &next)) == TAKEN) {
		next.from = comb->now->end;
		comb_tasks_loaded(comb, c->profile, c->scope);
		comb_round(comb, &next);
		if (strands_torn(comb->now))
			return STRANDS_LOST;
		source_behind(comb->source, comb->now->plain.offset, comb->now->end.offset);
		for (; part < behind &&
		     replay_part_end(c->profile, part) <= comb->now->end.offset; part++)
			counting_done(c);
	}
	return cancelled(c) ? STRANDS_CANCELLED : taken == TAKEN_LOST ? STRANDS_LOST : STRANDS_DONE;
}

/* Would one worker have most to do?  Part by part all threads are counted, in scope or not. */
static bool
scope_even(const struct counting *c, unsigned jobs)
{
	uint64_t most = 0, all = 0;

	for (uint32_t t = 0; t < c->profile->lane_count; t++) {
		uint64_t records = c->profile->lanes[t].records;

		if (scope_has(c->scope, t) && records > most)
			most = records;
		all += records;
	}
	return most <= all / jobs + all / 4;
}

static uint64_t
records_whole(const struct counting *c)
{
	const struct profile *p = c->profile;
	uint64_t bytes = 0;

	for (size_t part = 0; part < c->part_count; part++) {
		if (counting_whole(c, part))
			bytes += replay_part_end(p, part) - replay_part_at(p, part).offset;
	}
	return bytes / plain_size(p->trace->source->plain);
}

static enum strands_end
wholes_comb(struct ranging *r)
{
	const struct counting *c = r->counting;
	enum strands_end end = STRANDS_DONE;
	size_t behind;

	for (size_t part = 0; part < c->part_count && end == STRANDS_DONE; part = behind + 1) {
		behind = part;
		while (behind < c->part_count && counting_whole(c, behind))
			behind++;
		if (behind > part)
			end = parts_comb(r, part, behind);
	}
	return end;
}

enum strands_end
range_strands(struct counting *c, unsigned jobs)
{
	const struct comb_how how = {task_run, NULL, c->cancel};
	struct source *s = c->profile->trace->source;
	struct ranging r = {.counting = c};
	enum strands_end end = STRANDS_NONE;
	uint64_t records;

	if (s->plain == PLAIN_NONE || s->ops->copy == NULL || !scope_even(c, jobs))
		return STRANDS_NONE;
	records = records_whole(c);
	if (records < STRETCH_LEAST)
		return STRANDS_NONE;
	r.stretch = records / STRETCHES < STRETCH_LEAST ? STRETCH_LEAST : records / STRETCHES;
	if (r.stretch > STRETCH_MOST)
		r.stretch = STRETCH_MOST;
	r.onstacks = mem_zero(jobs, sizeof(*r.onstacks));
	r.lanes = mem_alloc(c->profile->lane_count * sizeof(*r.lanes));
	comb_init(&r.comb, s, jobs, &how, &r);
	end = wholes_comb(&r);
	comb_release(&r.comb);
	for (unsigned i = 0; i < jobs; i++)
		onstack_release(&r.onstacks[i]);
	mem_free(r.onstacks);
	mem_free(r.lanes);
	return end;
}
