#include <config.h>

#include "view/engine.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "profile/loader.h"
#include "view/answer.h"

enum {
	OVERVIEW_RECORDS = 16384,
	STEP_RECORDS = 65536, /* about a millisecond: how long a new want may wait */
	PARTIAL_MS = 250,     /* between partial results while loading */
	PARTIAL_SHARE = 4,    /* and at least this many times what the last one took */
};

struct engine {
	struct trace *trace;
	struct profile *profile; /* the worker's alone */
	struct loader *loader;
	struct overview *overview; /* NULL: the trace is too short for one */
	struct answerer answerer;
	pthread_t worker;
	int fd;

	pthread_mutex_t lock;
	pthread_cond_t wake;  /* for the worker */
	pthread_cond_t ready; /* for engine_wait */

	/* Below: under the lock, but for `cancel`. */
	bool quit, stop;
	struct wish wish;
	struct wish trees_of;    /* what the call tree was wanted for; TREES_NONE: outdated */
	bool open[JOBS];         /* wished and not answered */
	enum job running;        /* one of them is being worked on; JOBS: none */
	uint64_t took[JOBS];     /* ms, the last of each kind */
	atomic_bool cancel[JOBS]; /* the question that is being worked on is outdated */
	unsigned restarts;       /* of the profile, when the overview was begun */
	bool overview_drawn;     /* the timeline that was drawn with all of it */
	bool news;               /* something for engine_take */
	struct engine_news result;
};

static uint64_t
clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Under the lock. */
static void
job_open(struct engine *e, enum job job)
{
	e->open[job] = true;
	atomic_store(&e->cancel[job], true);
}

static enum job
job_next(const struct engine *e)
{
	/* Single calls are looked for where the trace stays as it is. */
	bool loading = e->result.state == LOAD_MORE;
	enum job job = JOB_TIMELINE;

	while (job < JOBS && (!e->open[job] || (loading && job >= JOB_NEAR)))
		job++;
	return job;
}

/* Under the lock: a tree that nobody looked at meanwhile is still good. */
static void
trees_want(struct engine *e, const struct wish *wish)
{
	struct wish *last = &e->trees_of;

	if (wish->trees == TREES_NONE ||
	    (wish->trees == last->trees && scope_equal(wish->scope, last->scope) &&
		wish->range.from == last->range.from && wish->range.to == last->range.to &&
		transforms_equal(&wish->transforms, &last->transforms)))
		return;
	job_open(e, JOB_PATHS);
	wish_release(last);
	*last = wish_copy(wish);
}

void
engine_want(struct engine *e, const struct engine_want *want)
{
	struct wish wish = wish_make(want), old;
	bool scope, range, window, transforms;

	pthread_mutex_lock(&e->lock);
	old = e->wish;
	scope = !scope_equal(old.scope, wish.scope);
	range = old.range.from != wish.range.from || old.range.to != wish.range.to;
	window = !wish_same_window(&old, &wish);
	if (window || !wish_same_rows(&old, &wish))
		job_open(e, JOB_TIMELINE);
	transforms = !transforms_equal(&old.transforms, &wish.transforms);
	if (scope || range || transforms || (wish.usage && !old.usage))
		job_open(e, JOB_FOLD);
	trees_want(e, &wish);
	if (scope || window || old.marks_method != wish.marks_method)
		job_open(e, JOB_MARKS);
	if (old.call_thread != wish.call_thread || old.call_at != wish.call_at)
		job_open(e, JOB_CALL);
	if (old.near_serial != wish.near_serial)
		job_open(e, JOB_NEAR);
	if (!wish_same_calls(&old, &wish))
		job_open(e, JOB_CALLS);
	/* What may take long makes room for what is more urgent and begins again later. */
	for (enum job job = JOB_PATHS; job < JOBS; job++) {
		if (job_next(e) < job)
			atomic_store(&e->cancel[job], true);
	}
	e->wish = wish;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	wish_release(&old);
}

/* Under the lock. */
static void
news_announce(struct engine *e)
{
	const uint64_t one = 1;

	e->news = true;
	/* Fails only when the counter is full, and then the descriptor is readable. */
	if (write(e->fd, &one, sizeof(one)) < 0) {
	}
	pthread_cond_broadcast(&e->ready);
}

void
engine_news_stand(struct engine_news *news, const struct profile *p, double progress)
{
	const struct source *s = p->trace->source;

	news->state = p->state;
	news->progress = progress;
	news->bytes_total = s->end - s->begin;
	news->bytes_done = (uint64_t)(progress * (double)news->bytes_total);
	news->records = p->records;
	news->begin = p->begin;
	news->end = p->end;
	news->damage = p->damage;
	news->sampled = p->sampled;
	if (p->trace->log != NULL)
		news->log = p->trace->log->summary;
}

/* Under the lock. */
static void
state_publish(struct engine *e)
{
	engine_news_stand(&e->result, e->profile, loader_progress(e->loader));
}

/* Under the lock: what was answered takes the place of what nobody fetched. */
static void
result_take(struct engine_news *into, const struct engine_news *answer)
{
	if (answer->timeline != NULL) {
		engine_timeline_free(into->timeline);
		into->timeline = answer->timeline;
	}
	if (answer->usage != NULL) {
		usage_free(into->usage);
		into->usage = answer->usage;
	}
	if (answer->fold != NULL) {
		fold_free(into->fold);
		into->fold = answer->fold;
		into->transform_err = answer->transform_err;
	}
	if (answer->paths != NULL) {
		engine_paths_free(into->paths);
		into->paths = answer->paths;
	}
	if (answer->marks != NULL) {
		engine_marks_free(into->marks);
		into->marks = answer->marks;
	}
	if (answer->call_fresh) {
		into->call_fresh = true;
		into->call_thread = answer->call_thread;
		into->call_at = answer->call_at;
		into->call = answer->call;
		into->slice = answer->slice;
	}
	if (answer->calls != NULL) {
		calls_free(into->calls);
		into->calls = answer->calls;
	}
	if (answer->near_serial != 0) {
		into->near_serial = answer->near_serial;
		into->near_place = answer->near_place;
		into->near_call = answer->near_call;
	}
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
	result_take(&e->result, &answer);
	e->running = JOBS;
	took = clock_ms() - begin;
	/* One that was given up would have taken at least as long. */
	if (answered || took > e->took[job])
		e->took[job] = took;
	if (!answered)
		e->open[job] = true;
	state_publish(e);
	news_announce(e);
	return took;
}

static bool
questions_left(const struct engine *e)
{
	return e->running < JOBS || job_next(e) < JOBS;
}

/* Is there a question left that was answered within `ms` the last time? */
static bool
answer_near(const struct engine *e, uint64_t ms)
{
	bool near = false;

	for (enum job job = 0; job < JOBS; job++) {
		bool left = e->open[job] || e->running == job;

		/* What is more urgent comes first: behind something slow nothing is near. */
		if (left && e->took[job] > ms)
			return near;
		near |= left;
	}
	return near;
}

/* Partial answers while loading: what was shown is asked again from time to time. */
struct pace {
	uint64_t due[JOBS]; /* ms */
	uint64_t behind;    /* records that the overview may take in while loading */
};

static void
pace_reopen(struct engine *e, const struct pace *pace)
{
	uint64_t now = clock_ms();

	for (int job = JOB_TIMELINE; job <= JOB_PATHS; job++) {
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
	state_publish(e);
	news_announce(e);
}

/*
 * The overview follows loading with a fifth of the time, and takes the rest when loading
 * is over.  Returns whether there was something to do.
 */
static bool
overview_step(struct engine *e, struct pace *pace)
{
	bool loading = e->profile->state == LOAD_MORE, more;

	if (!timeline_wants_overview(e->profile) ||
	    (loading && pace->behind < 8 * OVERVIEW_RECORDS))
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
	more = overview_advance(e->overview, OVERVIEW_RECORDS);
	pthread_mutex_lock(&e->lock);
	if (!loading && (!more || clock_ms() >= pace->due[JOB_TIMELINE]))
		e->open[JOB_TIMELINE] |= !e->overview_drawn;
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
		struct err err = {0};

		pthread_mutex_unlock(&e->lock);
		state = loader_step(e->loader, STEP_RECORDS, &err);
		pace->behind += STEP_RECORDS;
		pthread_mutex_lock(&e->lock);
		if (state == LOAD_FAILED)
			e->result.err = err;
	}
	if (state == LOAD_MORE)
		pace_reopen(e, pace);
	else
		load_ended(e);
}

static void *
engine_work(void *context)
{
	struct engine *e = context;
	struct pace pace = {.behind = 0};

	pthread_mutex_lock(&e->lock);
	while (!e->quit) {
		enum job job = job_next(e);

		if (job < JOBS && e->profile->records > 0) {
			uint64_t took = job_run(e, job);

			pace.due[job] = clock_ms() +
			    (took * PARTIAL_SHARE > PARTIAL_MS ? took * PARTIAL_SHARE : PARTIAL_MS);
		} else if (e->profile->state == LOAD_MORE) {
			if (!overview_step(e, &pace))
				load_step(e, &pace);
		} else if (job < JOBS) {
			(void)job_run(e, job); /* an empty trace has answers, too */
		} else if (!overview_step(e, &pace) && job_next(e) == JOBS) {
			pthread_cond_wait(&e->wake, &e->lock);
		}
	}
	pthread_mutex_unlock(&e->lock);
	return NULL;
}

struct engine *
engine_new(struct trace *t, unsigned jobs, struct err *err)
{
	struct engine *e = mem_zero(1, sizeof(*e));
	sigset_t all, old;
	int failed;

	e->trace = t;
	e->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (e->fd < 0) {
		err_system(err, "cannot make an event descriptor");
		mem_free(e);
		return NULL;
	}
	e->profile = profile_new(t);
	e->answerer.profile = e->profile;
	e->loader = loader_new(e->profile, jobs);
	e->running = JOBS;
	e->wish.marks_method = METHOD_NONE;
	e->wish.call_thread = THREAD_NONE;
	e->wish.calls_method = METHOD_NONE;
	e->wish.near_method = METHOD_NONE;
	e->wish.range = RANGE_ALL;
	e->open[JOB_FOLD] = true;
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->wake, NULL);
	pthread_cond_init(&e->ready, NULL);
	state_publish(e);
	/* Signals are the front end's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&e->worker, NULL, engine_work, e);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed != 0) {
		err_set(err, ERR_SYSTEM, "cannot start a thread: %s", strerror(failed));
		close(e->fd);
		loader_free(e->loader);
		profile_free(e->profile);
		wish_release(&e->wish);
		mem_free(e);
		return NULL;
	}
	return e;
}

static void
result_release(struct engine_news *news)
{
	fold_free(news->fold);
	usage_free(news->usage);
	engine_paths_free(news->paths);
	engine_timeline_free(news->timeline);
	engine_marks_free(news->marks);
	calls_free(news->calls);
}

void
engine_free(struct engine *e)
{
	if (e == NULL)
		return;
	pthread_mutex_lock(&e->lock);
	e->quit = true;
	for (int job = 0; job < JOBS; job++)
		atomic_store(&e->cancel[job], true);
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	pthread_join(e->worker, NULL);
	result_release(&e->result);
	wish_release(&e->wish);
	wish_release(&e->trees_of);
	loader_free(e->loader);
	answerer_release(&e->answerer);
	overview_free(e->overview);
	profile_free(e->profile);
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->wake);
	pthread_cond_destroy(&e->ready);
	close(e->fd);
	mem_free(e);
}

int
engine_fd(const struct engine *e)
{
	return e->fd;
}

void
engine_take(struct engine *e, struct engine_news *news)
{
	uint64_t drained;

	pthread_mutex_lock(&e->lock);
	if (read(e->fd, &drained, sizeof(drained)) < 0) {
		/* Nothing was announced: what stands is handed out all the same. */
	}
	e->result.waiting = questions_left(e) || e->result.state == LOAD_MORE;
	e->result.summing = e->wish.trees != TREES_NONE &&
	    (e->running == JOB_PATHS || e->open[JOB_PATHS]);
	e->result.counting = e->running == JOB_FOLD || e->open[JOB_FOLD];
	e->result.counted = e->running == JOB_FOLD
	    ? (double)atomic_load(&e->answerer.done) / SHARE_ALL
	    : 0;
	*news = e->result;
	e->result.fold = NULL;
	e->result.usage = NULL;
	e->result.paths = NULL;
	e->result.timeline = NULL;
	e->result.marks = NULL;
	e->result.call_fresh = false;
	e->result.calls = NULL;
	e->result.near_serial = 0;
	e->news = false;
	pthread_mutex_unlock(&e->lock);
}

void
engine_wait(struct engine *e, int ms, bool loaded)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ms % 1000 * 1000000L;
	until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&e->lock);
	while ((answer_near(e, (uint64_t)ms) || (loaded && e->result.state == LOAD_MORE)) &&
	    pthread_cond_timedwait(&e->ready, &e->lock, &until) != ETIMEDOUT) {
	}
	pthread_mutex_unlock(&e->lock);
}

void
engine_stop_loading(struct engine *e)
{
	pthread_mutex_lock(&e->lock);
	e->stop = true;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
}
