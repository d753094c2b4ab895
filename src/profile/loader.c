#include <config.h>

#include "profile/loader.h"

#include <time.h>

#include "base/mem.h"
#include "base/worker.h"
#include "profile/join.h"
#include "profile/sweep.h"

enum {
	STEP_RECORDS = 65536, /* between two looks at the cancel flag: about a millisecond */
	PART_MIN = 16 * 1024 * 1024, /* bytes: a smaller part costs more than it saves */
	SWEEP_MIN = 4 * 1024 * 1024, /* bytes for each worker: the same */
	SWEEP_WORKERS_MAX = 16,      /* each has ids of its own */
	ROUND_LEAST = 65536,         /* records: half a millisecond */
	ROUND_RECORDS = 1 << 20,     /* when nobody looks in between */
};

struct part {
	struct profile *profile;
	atomic_uint_fast64_t done; /* bytes */
	atomic_bool finished;
};

struct loader {
	struct profile *profile;
	unsigned jobs;
	bool at_once;       /* nobody waits for the first records */
	bool divided;       /* among workers, or left to one */
	struct sweep *sweep; /* NULL: there is what follows, or one worker in one pass */
	struct part *parts; /* the second and later */
	unsigned part_count, joined;
	struct worker_pool *pool;
};

static void
part_read(struct worker_pool *pool, unsigned index, void *context)
{
	struct part *part = &((struct loader *)context)->parts[index];
	struct profile *p = part->profile;
	uint64_t begin = p->at.offset;
	bool more = true;

	while (more && !worker_cancelled(pool)) {
		more = profile_load_part(p, STEP_RECORDS);
		atomic_store_explicit(&part->done, p->at.offset - begin, memory_order_relaxed);
	}
	atomic_store(&part->finished, true);
}

/* Workers for the rest of the records, of which each is to have `least` bytes. */
static unsigned
jobs_choose(const struct profile *p, unsigned jobs, uint64_t least)
{
	const struct source *s = p->trace->source;
	uint64_t most = (s->end - p->at.offset) / least;

	if (s->ops->cut == NULL && s->ops->copy == NULL)
		return 1;
	if (jobs == 0) {
		jobs = worker_processors();
		if (s->ops->cached != NULL && !s->ops->cached((struct source *)(uintptr_t)s))
			return 1;
	}
	if (jobs > WORKER_MAX)
		jobs = WORKER_MAX;
	return most < 1 ? 1 : jobs < most ? jobs : (unsigned)most;
}

/* Cuts the rest of the records into `jobs` parts; the first stays with the profile. */
static void
parts_cut(struct loader *l, unsigned jobs)
{
	struct source *s = l->profile->trace->source;
	uint64_t begin = l->profile->at.offset, share = (s->end - begin) / jobs;

	l->parts = mem_zero(jobs, sizeof(*l->parts));
	for (unsigned i = 1; i < jobs; i++) {
		struct profile *before = l->part_count > 0 ? l->parts[l->part_count - 1].profile
							   : l->profile;
		struct cursor at;

		if (!s->ops->cut(s, begin + share * i, &at) || at.offset <= before->at.offset)
			continue;
		before->stop = at.offset;
		l->parts[l->part_count++].profile = profile_new_part(l->profile->trace, at, s->end);
	}
}

static void
part_free(struct part *part)
{
	profile_free(part->profile);
	part->profile = NULL;
}

/* Without threads the first part is the whole. */
static void
parts_drop(struct loader *l)
{
	for (unsigned i = 0; i < l->part_count; i++)
		part_free(&l->parts[i]);
	l->part_count = 0;
	l->profile->stop = l->profile->trace->source->end;
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
	struct profile *p = l->profile;
	unsigned jobs = jobs_choose(p, l->jobs, SWEEP_MIN);

	l->divided = true;
	jobs = jobs < SWEEP_WORKERS_MAX ? jobs : SWEEP_WORKERS_MAX;
	l->sweep = sweep_new(p, jobs);
	if (l->sweep != NULL || p->flat != NULL) /* only trees are joined */
		return;
	jobs = jobs_choose(p, l->jobs, PART_MIN);
	if (jobs < 2 || p->trace->source->ops->cut == NULL)
		return;
	parts_cut(l, jobs);
	if (l->part_count > 0 &&
	    !worker_start(&l->pool, l->part_count, part_read, l, NULL, NULL)) {
		l->pool = NULL;
		parts_drop(l);
	}
}

/*
 * The first part is at its end: takes over the next one.  What cannot be joined is read
 * again, in one pass.
 */
static void
part_take(struct loader *l, struct part *part)
{
	if (!profile_join(l->profile, part->profile))
		l->profile->stop = part->profile->stop;
	part_free(part);
	l->joined++;
}

/* The file was cut: what others read behind that place does not follow what stands before. */
static void
parts_forget(struct loader *l)
{
	l->joined = l->part_count;
	l->profile->at.offset = l->profile->stop = l->profile->trace->source->end;
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
	const struct timespec moment = {0, 1000000};
	struct profile *p = l->profile;
	struct part *next;

	if (work_divides(l))
		work_divide(l);
	if (p->state == LOAD_MORE && rounds_go_on(l, max_records))
		return profile_settle(p, e);
	if (p->cut && l->joined < l->part_count)
		parts_forget(l);
	next = l->joined < l->part_count ? &l->parts[l->joined] : NULL;
	if (p->state != LOAD_MORE || next == NULL || p->at.offset < p->stop)
		return profile_load(p, max_records, e);
	if (!atomic_load(&next->finished)) {
		nanosleep(&moment, NULL);
		return LOAD_MORE;
	}
	part_take(l, next);
	return profile_load(p, 0, e);
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
	uint64_t done = p->at.offset - s->begin;

	if (p->state == LOAD_DONE || s->end <= s->begin)
		return 1;
	/* What was not joined when loading ended is not there. */
	for (unsigned i = l->joined; i < l->part_count && p->state == LOAD_MORE; i++)
		done += atomic_load_explicit(&l->parts[i].done, memory_order_relaxed);
	return (double)done / (double)(s->end - s->begin);
}

void
loader_free(struct loader *l)
{
	if (l == NULL)
		return;
	sweep_free(l->sweep);
	if (l->pool != NULL)
		worker_cancel(l->pool);
	worker_join(l->pool);
	for (unsigned i = 0; i < l->part_count; i++)
		part_free(&l->parts[i]);
	mem_free(l->parts);
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
