#include <config.h>

#include "profile/loader.h"

#include "base/mem.h"
#include "base/worker.h"
#include "profile/sweep.h"

enum {
	STEP_RECORDS = 65536, /* between two looks at the cancel flag: about a millisecond */
	WORKER_MIN = 4 * 1024 * 1024, /* bytes for each: less costs more than it saves */
	WORKERS_MAX = 16,             /* each has ids of its own */
	ROUND_LEAST = 65536,          /* records: half a millisecond */
	ROUND_RECORDS = 1 << 20,      /* when nobody looks in between */
};

struct loader {
	struct profile *profile;
	unsigned jobs;
	bool at_once;        /* nobody waits for the first records */
	bool divided;        /* among workers, or left to one pass */
	struct sweep *sweep; /* NULL: one pass */
};

/* Workers for the rest of the records. */
static unsigned
jobs_choose(const struct profile *p, unsigned jobs)
{
	struct source *s = p->trace->source;
	uint64_t most = (s->end - p->at.offset) / WORKER_MIN;

	if (jobs == 0)
		jobs = s->ops->cached != NULL && !s->ops->cached(s) ? 1 : worker_processors();
	if (jobs > WORKERS_MAX)
		jobs = WORKERS_MAX;
	return most < 1 ? 1 : jobs < most ? jobs : (unsigned)most;
}

struct loader *
loader_new(struct profile *p, unsigned jobs)
{
	struct loader *l = mem_zero(1, sizeof(*l));
	struct source *s = p->trace->source;

	l->profile = p;
	l->jobs = p->jobs = jobs;
	if (s->ops->jobs != NULL)
		s->ops->jobs(s, jobs > 0 ? jobs : worker_processors());
	return l;
}

/* Not before records are read as they stand, nor before a first step that is to be short. */
static bool
work_divides(const struct loader *l)
{
	return !l->divided && (l->at_once || l->profile->records > 0) &&
	    l->profile->sampling == NULL;
}

static void
work_divide(struct loader *l)
{
	l->divided = true;
	l->sweep = sweep_new(l->profile, jobs_choose(l->profile, l->jobs));
}

/* Counts a round by threads; false when that is over, or never was. */
static bool
rounds_go_on(struct loader *l, uint64_t max_records)
{
	uint64_t records = max_records > ROUND_LEAST ? max_records : ROUND_LEAST;

	if (l->sweep != NULL && sweep_round(l->sweep, records))
		return true;
	sweep_free(l->sweep);
	l->sweep = NULL;
	return false;
}

enum load_state
loader_step(struct loader *l, uint64_t max_records, struct err *e)
{
	struct profile *p = l->profile;

	if (work_divides(l))
		work_divide(l);
	if (p->state == LOAD_MORE && rounds_go_on(l, max_records))
		return profile_settle(p, e);
	return profile_load(p, max_records, e);
}

void
loader_stop(struct loader *l)
{
	profile_stop(l->profile);
}

double
loader_progress(const struct loader *l)
{
	const struct profile *p = l->profile;
	const struct source *s = p->trace->source;

	if (p->state == LOAD_DONE || s->end <= s->begin)
		return 1;
	return (double)(p->at.offset - s->begin) / (double)(s->end - s->begin);
}

void
loader_free(struct loader *l)
{
	if (l == NULL)
		return;
	sweep_free(l->sweep);
	mem_free(l);
}

enum load_state
loader_run(struct profile *p, unsigned jobs, const atomic_bool *cancel, struct err *e)
{
	struct loader *l = loader_new(p, jobs);
	enum load_state state = LOAD_MORE;

	l->at_once = p->trace->source->ops->copy != NULL && profile_look(p);
	while (state == LOAD_MORE) {
		if (cancel != NULL && atomic_load(cancel)) {
			loader_stop(l);
			state = p->state;
		} else {
			state = loader_step(l, l->sweep != NULL ? ROUND_RECORDS : STEP_RECORDS, e);
		}
	}
	loader_free(l);
	return state;
}
