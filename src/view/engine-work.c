/* The engine's worker: loads in steps and answers between them. */
#include <config.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/worker.h"
#include "view/engine_state.h"

enum {
	STEP_FIRST = 8192,     /* records that are read at a time; later as many as take: */
	STEP_US = 2000,        /* how long a new want may wait */
	OVERVIEW_FIRST = 16384, /* the same for those that the overview takes in */
	OVERVIEW_US = 5000,
	STEP_LEAST = 512,      /* of what is slow to read, as text is */
	STEP_MOST = 1 << 19,   /* of what several workers read */
	PARTIAL_MS = 250,     /* between partial results while loading */
	PARTIAL_SHARE = 4,    /* and at least this many times what the last one took */
};

bool
engine_can(const struct engine *e, enum job job)
{
	return job < JOB_TRACKS || e->result.state != LOAD_MORE;
}

enum job
engine_next(const struct engine *e)
{
	enum job job = JOB_TIMELINE;

	/* What is there already, if not of all that is known now, comes second. */
	while (job < JOBS && !(e->open[job] && e->asked[job] && engine_can(e, job)))
		job++;
	if (job < JOBS)
		return job;
	job = JOB_TIMELINE;
	while (job < JOBS && !(e->open[job] && engine_can(e, job)))
		job++;
	return job;
}

void
engine_announce(struct engine *e)
{
	const uint64_t one = 1;

	e->news = true;
	/* Fails only when the counter is full, and then the descriptor is readable. */
	if (write(e->fd, &one, sizeof(one)) < 0) {
	}
	pthread_cond_broadcast(&e->ready);
}

void
engine_publish(struct engine *e)
{
	engine_news_stand(&e->result, e->profile, loader_progress(e->loader));
	/* What stands is to be forgotten. */
	if (e->choose)
		e->result.state = LOAD_MORE;
}

/* Works on a question without the lock; it stays open when it was cancelled. */
static uint64_t
job_run(struct engine *e, enum job job)
{
	struct wish wish = wish_copy(&e->wish);
	struct engine_news answer = {.fold = NULL};
	uint64_t begin = clock_ms(), took;
	bool answered;

	/* Nobody waits for it now: what there is may be outdated when somebody does again. */
	if (job == JOB_PATHS && wish.trees == TREES_NONE)
		e->trees_of.trees = TREES_NONE;
	e->open[job] = false;
	e->running = job;
	atomic_store(&e->cancel[job], false);
	pthread_mutex_unlock(&e->lock);
	e->answerer.overview = e->overview;
	answered = answer_find(job, &e->answerer, &wish, &answer, &e->cancel[job]);
	wish_release(&wish);
	pthread_mutex_lock(&e->lock);
	engine_news_take(&e->result, &answer);
	e->running = JOBS;
	took = clock_ms() - begin;
	/* One that was given up would have taken at least as long. */
	if (answered || took > e->took[job])
		e->took[job] = took;
	if (answered)
		e->put_off[job] = 0;
	if (!answered)
		e->open[job] = true;
	else if (!e->open[job])
		e->asked[job] = false;
	engine_publish(e);
	engine_announce(e);
	return took;
}

/* Partial answers while loading: what was shown is asked again from time to time. */
struct pace {
	uint64_t due[JOBS]; /* ms */
	uint64_t behind;    /* records that the overview may take in while loading */
	uint64_t step;      /* records that are read at a time */
	uint64_t overview_step; /* and taken in by the overview, when all are read */
};

/* As many records as the last so many, which took that long, let expect in a step. */
static void
pace_step(uint64_t *step, uint64_t us, uint64_t us_most)
{
	if (us > us_most && *step / 2 >= STEP_LEAST)
		*step /= 2;
	else if (us < us_most / 2 && *step * 2 <= STEP_MOST)
		*step *= 2;
}

static void
pace_reopen(struct engine *e, const struct pace *pace)
{
	uint64_t now = clock_ms();

	for (int job = JOB_TIMELINE; job <= JOB_MARKS; job++) {
		if (now >= pace->due[job])
			e->open[job] = true;
	}
}

/* The rest of the trace is known: every answer given before was partial. */
static void
load_ended(struct engine *e)
{
	for (int job = 0; job < JOBS; job++)
		e->open[job] = true;
	engine_publish(e);
	engine_announce(e);
}

/*
 * The overview follows loading with a fifth of the time, and takes the rest when loading
 * is over.  Returns whether there was something to do.
 */
static bool
overview_step(struct engine *e, struct pace *pace)
{
	bool loading = e->profile->state == LOAD_MORE, more;
	uint64_t records = loading ? pace->behind / 8 : pace->overview_step, begin;

	if (!timeline_wants_overview(e->profile) ||
	    (loading && pace->behind < 8 * OVERVIEW_FIRST))
		return false;
	pace->behind = 0;
	if (e->restarts != e->profile->restarts) {
		overview_free(e->overview);
		e->overview = NULL;
		e->restarts = e->profile->restarts;
	}
	if (e->overview == NULL)
		e->overview = overview_new(e->profile, OVERVIEW_BYTES);
	pthread_mutex_unlock(&e->lock);
	begin = clock_us();
	more = overview_advance(e->overview, records);
	if (!loading)
		pace_step(&pace->overview_step, clock_us() - begin, OVERVIEW_US);
	pthread_mutex_lock(&e->lock);
	if (!loading && (!more || clock_ms() >= pace->due[JOB_TIMELINE]) && !e->overview_drawn)
		e->open[JOB_TIMELINE] = e->open[JOB_MARKS] = true;
	if (!loading && !more)
		e->overview_drawn = true;
	return more;
}

static void
load_step(struct engine *e, struct pace *pace)
{
	enum load_state state;

	if (e->stop) {
		loader_stop(e->loader);
		state = e->profile->state;
	} else {
		uint64_t before = e->profile->records, begin = clock_us();
		struct err err = {0};

		pthread_mutex_unlock(&e->lock);
		state = loader_step(e->loader, pace->step, &err);
		pace_step(&pace->step, clock_us() - begin, STEP_US);
		pace->behind += e->profile->records > before ? e->profile->records - before : 0;
		pthread_mutex_lock(&e->lock);
		if (state == LOAD_FAILED)
			e->result.err = err;
	}
	if (state == LOAD_MORE)
		pace_reopen(e, pace);
	else
		load_ended(e);
}

/* The log is read again with another choice of slices. */
static void
choice_take(struct engine *e)
{
	struct log_choice choice = e->choice;

	e->choose = false;
	e->stop = false;
	pthread_mutex_unlock(&e->lock);
	loader_free(e->loader);
	answerer_release(&e->answerer);
	overview_free(e->overview);
	e->overview = NULL;
	e->trace->log->choice = choice;
	profile_restart(e->profile);
	e->loader = loader_new(e->profile, e->jobs);
	pthread_mutex_lock(&e->lock);
	e->overview_drawn = false;
	for (int job = 0; job < JOBS; job++)
		e->open[job] = e->asked[job] = true;
	engine_publish(e);
}

void *
engine_work(void *context)
{
	struct engine *e = context;
	struct pace pace = {.step = STEP_FIRST, .overview_step = OVERVIEW_FIRST};
	bool behind = false;

	pthread_mutex_lock(&e->lock);
	while (!e->quit) {
		enum job job;

		if (e->hold) {
			pthread_cond_wait(&e->wake, &e->lock);
			continue;
		}
		/* The first table is waited for; other threads come later. */
		if (!behind && e->profile->records > 0) {
			worker_behind();
			behind = true;
		}
		if (e->choose)
			choice_take(e);
		job = engine_next(e);
		if (job < JOBS && e->profile->records > 0) {
			uint64_t took = job_run(e, job);

			pace.due[job] = clock_ms() +
			    (took * PARTIAL_SHARE > PARTIAL_MS ? took * PARTIAL_SHARE : PARTIAL_MS);
			/* A long search, step by step, does not keep the timeline waiting. */
			if (job == JOB_CALLS && e->profile->state != LOAD_MORE)
				(void)overview_step(e, &pace);
		} else if (e->profile->state == LOAD_MORE) {
			if (!overview_step(e, &pace))
				load_step(e, &pace);
		} else if (job < JOBS) {
			(void)job_run(e, job); /* an empty trace has answers, too */
		} else if (!overview_step(e, &pace) && engine_next(e) == JOBS) {
			pthread_cond_wait(&e->wake, &e->lock);
		}
	}
	pthread_mutex_unlock(&e->lock);
	return NULL;
}
