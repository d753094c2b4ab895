/*
 * Whole parts counted thread by thread (strands.h), as when they were loaded (sweep.h):
 * threads have no path in common, so all workers add to the same counts.
 */
#include <config.h>

#include "profile/range_count.h"

#include "base/crew.h"
#include "base/mem.h"
#include "profile/count.h"
#include "profile/replay.h"
#include "profile/strand-tasks.h"

enum {
	STRETCH_LEAST = 8192, /* records: fewer are not worth being taken apart */
	STRETCH_MOST = 1 << 19,
	STRETCHES = 8, /* of the records, at least: one worker waits for the first */
};

struct hand {
	struct strand_scratch scratch;
	struct onstack onstack;
};

struct comb {
	struct counting *counting;
	struct source *source;
	struct hand *hands;
	struct crew *crew;
	uint64_t stretch; /* records */
	struct lane *lanes;
	struct strands stretches[2], *now, *ahead;
	struct tasks tasks;
};

static bool
cancelled(const struct counting *c)
{
	return c->cancel != NULL && atomic_load_explicit(c->cancel, memory_order_relaxed);
}

static void
task_run(const struct comb *comb, const struct task *task, struct onstack *onstack)
{
	const struct counting *c = comb->counting;
	struct records records = {.form = comb->now->form, .plain = comb->now->plain};
	struct walk walk = {(struct profile *)(uintptr_t)c->profile, comb->lanes, NULL, false,
	    onstack};
	struct runs runs;

	runs_begin(&runs, comb->now, task->strand);
	strand_count(&records, &walk, &comb->lanes[task->thread], &runs, comb->now->plain.count,
	    c->counts);
}

static void
comb_work(void *arg, unsigned worker)
{
	struct comb *comb = arg;
	struct hand *hand = &comb->hands[worker];
	unsigned at;

	while (!cancelled(comb->counting) &&
	    tasks_next(&comb->tasks, comb->ahead->share_count, &at)) {
		if (at < comb->tasks.count)
			task_run(comb, &comb->tasks.items[at], &hand->onstack);
		else
			strands_share(comb->ahead, at - comb->tasks.count, &hand->scratch);
	}
}

/* Counts the stretch at hand, and takes apart what is next, up to a file offset. */
static void
comb_round(struct comb *comb, struct cursor from, uint64_t end)
{
	comb->ahead->share_count = 0;
	if (from.offset < end)
		strands_begin(comb->ahead, comb->source, from, end, comb->stretch);
	tasks_begin(&comb->tasks);
	crew_round(comb->crew);
}

/* Consecutive parts. */
static enum strands_end
parts_comb(struct comb *comb, size_t part, size_t behind)
{
	const struct counting *c = comb->counting;
	uint64_t end = replay_part_end(c->profile, behind - 1);

	replay_part_lanes(c->profile, part, comb->lanes);
	comb->tasks.count = 0;
	comb_round(comb, replay_part_at(c->profile, part), end);
	while (comb->ahead->share_count > 0 && !cancelled(c)) {
		comb->now = comb->ahead;
		comb->ahead = comb->now == comb->stretches ? &comb->stretches[1] : comb->stretches;
		if (!strands_tie(comb->now, &comb->hands[0].scratch))
			return STRANDS_LOST;
		tasks_loaded(&comb->tasks, comb->now, c->profile, c->scope);
		comb_round(comb, comb->now->end, end);
		if (strands_torn(comb->now))
			return STRANDS_LOST;
		source_behind(comb->source, comb->now->plain.offset, comb->now->end.offset);
		for (; part < behind &&
		     replay_part_end(c->profile, part) <= comb->now->end.offset; part++)
			counting_done(c);
	}
	return cancelled(c) ? STRANDS_CANCELLED : STRANDS_DONE;
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

static void
comb_release(struct comb *comb, unsigned jobs)
{
	crew_free(comb->crew);
	for (unsigned i = 0; i < jobs; i++)
		onstack_release(&comb->hands[i].onstack);
	strands_release(&comb->stretches[0]);
	strands_release(&comb->stretches[1]);
	mem_free(comb->hands);
	mem_free(comb->lanes);
	mem_free(comb->tasks.items);
}

static enum strands_end
wholes_comb(struct comb *comb)
{
	const struct counting *c = comb->counting;
	enum strands_end end = STRANDS_DONE;
	size_t behind;

	for (size_t part = 0; part < c->part_count && end == STRANDS_DONE; part = behind + 1) {
		behind = part;
		while (behind < c->part_count && counting_whole(c, behind))
			behind++;
		if (behind > part)
			end = parts_comb(comb, part, behind);
	}
	return end;
}

enum strands_end
range_strands(struct counting *c, unsigned jobs)
{
	struct source *s = c->profile->trace->source;
	struct comb comb = {.counting = c, .source = s};
	enum strands_end end = STRANDS_NONE;
	uint64_t records;

	if (s->plain == PLAIN_NONE || s->ops->copy == NULL || !scope_even(c, jobs))
		return STRANDS_NONE;
	records = records_whole(c);
	if (records < STRETCH_LEAST)
		return STRANDS_NONE;
	comb.stretch = records / STRETCHES < STRETCH_LEAST ? STRETCH_LEAST : records / STRETCHES;
	if (comb.stretch > STRETCH_MOST)
		comb.stretch = STRETCH_MOST;
	comb.ahead = comb.stretches;
	comb.hands = mem_zero(jobs, sizeof(*comb.hands));
	comb.lanes = mem_alloc(c->profile->lane_count * sizeof(*comb.lanes));
	comb.crew = crew_new(jobs, comb_work, &comb);
	if (comb.crew != NULL)
		end = wholes_comb(&comb);
	comb_release(&comb, jobs);
	return end;
}
