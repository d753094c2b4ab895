/* The parts of which all is counted. */
#include <config.h>

#include "profile/range_count.h"

#include "base/mem.h"
#include "base/worker.h"
#include "profile/replay.h"

/* Consecutive parts, and a worker. */
struct share {
	struct counting *counting;
	size_t first, end;
	struct count *counts;
	bool whole;
};

static void
share_run(struct worker_pool *pool, unsigned index, void *context)
{
	struct share *s = &((struct share *)context)[index];
	struct counting *c = s->counting;
	struct replay *r = replay_new(c->profile, c->scope, c->cancel);

	(void)pool;
	s->whole = true;
	for (size_t part = s->first; part < s->end && s->whole; part++) {
		if (!counting_whole(c, part))
			continue;
		s->whole = replay_count(r, part, s->counts);
		counting_done(c);
	}
	replay_free(r);
}

static void
share_add(struct counting *c, const struct share *from)
{
	for (uint32_t n = 0; n < c->profile->tree.count; n++) {
		c->counts[n].calls += from->counts[n].calls;
		for (int k = 0; k < CLOCKS; k++)
			c->counts[n].time[k] += from->counts[n].time[k];
	}
}

/* Shares with as many of the `parts` each. */
static void
shares_cut(struct counting *c, struct share *shares, unsigned count, size_t parts)
{
	size_t part = 0, before = 0;

	for (unsigned i = 0; i < count; i++) {
		shares[i] = (struct share){.counting = c, .first = part, .counts = c->counts};
		for (; part < c->part_count && before < parts * (i + 1) / count; part++)
			before += counting_whole(c, part);
		shares[i].end = part;
		if (i > 0)
			shares[i].counts = mem_zero(c->profile->tree.count, sizeof(*c->counts));
	}
}

bool
range_wholes(struct counting *c)
{
	struct share shares[WORKER_MAX];
	enum strands_end end;
	size_t parts = 0;
	unsigned count;
	bool whole = true;

	for (size_t part = 0; part < c->part_count; part++)
		parts += counting_whole(c, part);
	count = counting_jobs(c, parts);
	counting_begin(c);
	end = range_strands(c, count);
	if (end == STRANDS_DONE || end == STRANDS_CANCELLED)
		return end == STRANDS_DONE;
	if (end == STRANDS_LOST)
		counting_begin(c);
	shares_cut(c, shares, count, parts);
	worker_all(count, share_run, shares);
	for (unsigned i = 0; i < count; i++)
		whole &= shares[i].whole;
	for (unsigned i = 1; i < count; i++) {
		if (whole)
			share_add(c, &shares[i]);
		mem_free(shares[i].counts);
	}
	return whole;
}
