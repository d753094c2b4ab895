/* calls-share: a search for calls, the threads shared by several workers. */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/worker.h"
#include "profile/calls_search.h"
#include "profile/presence.h"
#include "profile/replay.h"

enum {
	WORKERS_MAX = 8, /* each decodes all records, and may keep as many rows as all */
	WORKER_PARTS = 2, /* of the trace, for each worker: a millisecond */
};

/* Takes the scope. */
static struct calls_search *
search_new(const struct profile *p, const struct calls_query *q, struct scope *scope)
{
	struct calls_search *s = mem_zero(1, sizeof(*s));

	s->profile = p;
	s->query = *q;
	s->axis = p->axis;
	s->dual = trace_has_clock(p->trace, CLOCK_CPU) && trace_has_clock(p->trace, CLOCK_WALL);
	s->from = q->range.from;
	s->to = q->range.to;
	s->closed = q->range.to >= p->end;
	/* The end itself belongs to the range that comes up to it. */
	if (q->range.from >= p->end && p->begin < p->end)
		s->from = INT64_MAX;
	s->keep = q->keep > 0 ? q->keep : CALLS_KEEP;
	s->scope = scope;
	s->replay = replay_new(p, s->scope, NULL);
	s->parts = replay_part_count(p);
	s->lane_count = p->lane_count;
	s->lanes = mem_zero(s->lane_count, sizeof(*s->lanes));
	s->found.method = q->method;
	s->found.range = q->range;
	s->found.clock = q->clock;
	s->found.budget = q->budget;
	return s;
}

static int
records_order(const void *left, const void *right, void *context)
{
	const struct lane *lanes = context;
	const uint32_t *a = left, *b = right;

	if (lanes[*a].records != lanes[*b].records)
		return lanes[*a].records < lanes[*b].records ? 1 : -1;
	return (*a > *b) - (*a < *b);
}

/* Threads with most records first, each to who has fewest records. */
static void
threads_share(const struct profile *p, const struct scope *all, struct scope **share,
    unsigned count)
{
	uint64_t load[WORKERS_MAX] = {0};
	uint32_t *threads = mem_alloc(p->lane_count * sizeof(*threads));
	uint32_t n = 0;

	for (uint32_t t = 0; t < p->lane_count; t++) {
		if (scope_has(all, t))
			threads[n++] = t;
	}
	qsort_r(threads, n, sizeof(*threads), records_order, p->lanes);
	for (uint32_t i = 0; i < n; i++) {
		unsigned least = 0;

		for (unsigned w = 1; w < count; w++)
			least = load[w] < load[least] ? w : least;
		share[least]->in[threads[i]] = 1;
		load[least] += p->lanes[threads[i]].records;
	}
	mem_free(threads);
}

static unsigned
workers_choose(const struct profile *p, const struct scope *with)
{
	size_t most = replay_part_count(p) / WORKER_PARTS;
	unsigned jobs = p->jobs > 0 ? p->jobs : worker_processors();
	uint32_t threads = 0;

	for (uint32_t t = 0; t < with->count; t++)
		threads += with->in[t] != 0;
	most = threads < most ? threads : most;
	jobs = jobs < WORKERS_MAX ? jobs : WORKERS_MAX;
	return jobs < most ? jobs : most > 0 ? (unsigned)most : 1;
}

struct calls_search *
calls_search_new(const struct profile *p, const struct calls_query *q)
{
	struct scope *with = calls_threads(p, q->scope, q->method), *share[WORKERS_MAX];
	unsigned count = workers_choose(p, with);
	struct calls_search *s;

	for (unsigned i = 0; i < count; i++)
		share[i] = scope_new(p->lane_count, false);
	threads_share(p, with, share, count);
	scope_free(with);
	s = search_new(p, q, share[0]);
	s->others = mem_alloc(count * sizeof(struct calls_search *));
	for (s->other_count = 0; s->other_count + 1 < count; s->other_count++)
		s->others[s->other_count] = search_new(p, q, share[s->other_count + 1]);
	return s;
}

static void
other_run(struct worker_pool *pool, unsigned index, void *context)
{
	(void)pool;
	calls_search_own(((struct calls_search *)context)->others[index]);
}

void
calls_search_guide(struct calls_search *s, const struct overview *overview)
{
	s->presence = overview != NULL ? overview_presence(overview) : NULL;
	if (s->presence != NULL && s->on_stack.known == NULL)
		s->on_stack = stackset_new(&s->profile->tree, s->query.method);
	for (unsigned i = 0; i < s->other_count; i++)
		calls_search_guide(s->others[i], overview);
}

bool
calls_search_step(struct calls_search *s)
{
	struct worker_pool *pool = NULL;
	bool apart, whole;

	apart = s->other_count > 0 && worker_start(&pool, s->other_count, other_run, s, NULL, NULL);
	calls_search_own(s);
	if (apart)
		worker_join(pool);
	whole = s->part >= s->parts;
	for (unsigned i = 0; i < s->other_count; i++) {
		if (!apart)
			calls_search_own(s->others[i]);
		whole &= s->others[i]->part >= s->others[i]->parts;
	}
	return !whole;
}

void
calls_search_free(struct calls_search *s)
{
	if (s == NULL)
		return;
	for (unsigned i = 0; i < s->other_count; i++)
		calls_search_free(s->others[i]);
	stackset_release(&s->on_stack);
	mem_free(s->others);
	for (uint32_t t = 0; t < s->lane_count; t++)
		mem_free(s->lanes[t].open);
	mem_free(s->lanes);
	mem_free(s->rows);
	replay_free(s->replay);
	scope_free(s->scope);
	mem_free(s);
}
