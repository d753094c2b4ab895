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
#include "base/worker.h"
#include "view/engine_state.h"

/* Under the lock. */
static void
job_open(struct engine *e, enum job job)
{
	e->open[job] = true;
	e->asked[job] = true;
	atomic_store(&e->cancel[job], true);
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

enum { PUT_OFF_MOST = 4 };

/*
 * Under the lock: while loading, an answer that was there before and is only made anew
 * makes room for one that is not there, a few times.
 */
static void
refresh_put_off(struct engine *e)
{
	enum job now = e->running;
	bool asked = false;

	if (now == JOBS || e->asked[now] || e->put_off[now] >= PUT_OFF_MOST)
		return;
	for (enum job job = 0; job < JOBS; job++)
		asked |= e->asked[job] && e->open[job] && engine_can(e, job);
	if (asked) {
		e->put_off[now]++;
		atomic_store(&e->cancel[now], true);
	}
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
	if (scope || range || transforms)
		job_open(e, JOB_FOLD);
	if (wish.usage && (scope || range || !old.usage ||
	    !usage_ask_equal(&wish.usage_ask, &old.usage_ask)))
		job_open(e, JOB_USAGE);
	trees_want(e, &wish);
	if (scope || window || old.marks_method != wish.marks_method)
		job_open(e, JOB_MARKS);
	if (!wish_same_tracks(&old, &wish))
		job_open(e, JOB_TRACKS);
	if (!wish_same_point(&old, &wish))
		job_open(e, JOB_CALL);
	if (old.near_serial != wish.near_serial)
		job_open(e, JOB_NEAR);
	if (!wish_same_calls(&old, &wish))
		job_open(e, JOB_CALLS);
	/* What may take long makes room for what is more urgent and begins again later. */
	for (enum job job = JOB_PATHS; job < JOBS; job++) {
		if (engine_next(e) < job)
			atomic_store(&e->cancel[job], true);
	}
	refresh_put_off(e);
	e->wish = wish;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	wish_release(&old);
}

static bool
questions_left(const struct engine *e)
{
	return e->running < JOBS || engine_next(e) < JOBS;
}

/* Is there a question left that was answered within `ms` the last time? */
static bool
answer_near(const struct engine *e, uint64_t ms)
{
	bool near = false;

	for (enum job job = 0; job < JOBS; job++) {
		bool left = (e->open[job] && engine_can(e, job)) || e->running == job;

		/* What is more urgent comes first: behind something slow nothing is near. */
		if (left && e->took[job] > ms)
			return near;
		near |= left;
	}
	return near;
}

bool
engine_pending(struct engine *e, unsigned jobs)
{
	bool pending = false;

	pthread_mutex_lock(&e->lock);
	for (enum job job = 0; job < JOBS; job++)
		pending |= (jobs & 1u << job) != 0 && e->asked[job] && engine_can(e, job);
	pthread_mutex_unlock(&e->lock);
	return pending;
}

/* A wait must not last longer because the clock of the day was set back. */
static void
locks_make(struct engine *e)
{
	pthread_condattr_t steady;

	pthread_condattr_init(&steady);
	pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->wake, NULL);
	pthread_cond_init(&e->ready, &steady);
	pthread_condattr_destroy(&steady);
}

/* The worker has ended, or never began. */
static void
engine_release(struct engine *e)
{
	engine_news_release(&e->result);
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

struct engine *
engine_new(struct trace *t, unsigned jobs, struct err *err)
{
	struct engine *e = mem_zero(1, sizeof(*e));
	sigset_t old;
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
	e->jobs = jobs;
	e->loader = loader_new(e->profile, jobs);
	e->running = JOBS;
	e->wish.marks_method = METHOD_NONE;
	e->wish.call_method = METHOD_NONE;
	e->wish.calls_method = METHOD_NONE;
	e->wish.near_method = METHOD_NONE;
	e->wish.range = RANGE_ALL;
	e->open[JOB_FOLD] = true;
	e->asked[JOB_FOLD] = true;
	locks_make(e);
	engine_publish(e);
	/* Signals are the front end's. */
	worker_block_signals(&old);
	failed = pthread_create(&e->worker, NULL, engine_work, e);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed != 0) {
		err_set(err, ERR_SYSTEM, "cannot start a thread: %s", strerror(failed));
		engine_release(e);
		return NULL;
	}
	return e;
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
	engine_release(e);
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
	e->result.drawing = e->running == JOB_TRACKS || e->open[JOB_TRACKS];
	e->result.drawn = (double)atomic_load(&e->answerer.tracks_done) / CHART_ALL;
	*news = e->result;
	e->result.fold = NULL;
	e->result.usage = NULL;
	e->result.paths = NULL;
	e->result.timeline = NULL;
	e->result.marks = NULL;
	e->result.tracks = NULL;
	e->result.call_fresh = false;
	e->result.calls = NULL;
	e->result.near_serial = 0;
	e->news = false;
	pthread_mutex_unlock(&e->lock);
}

/* So much may be loaded while somebody waits for a first screen. */
enum { SOON_BYTES = 4 << 20 };

static bool
loaded_soon(const struct engine *e)
{
	return e->result.state == LOAD_MORE && e->result.bytes_total <= SOON_BYTES;
}

void
engine_wait(struct engine *e, int ms, bool loaded)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms % 1000 * 1000000L;
	until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&e->lock);
	while ((answer_near(e, (uint64_t)ms) || (loaded && loaded_soon(e))) &&
	    pthread_cond_timedwait(&e->ready, &e->lock, &until) != ETIMEDOUT) {
	}
	pthread_mutex_unlock(&e->lock);
}

void
engine_choose(struct engine *e, const struct log_choice *choice)
{
	pthread_mutex_lock(&e->lock);
	e->choose = true;
	e->choice = *choice;
	/* Answers of before are worth nothing. */
	for (enum job job = 0; job < JOBS; job++)
		job_open(e, job);
	e->result.state = LOAD_MORE;
	e->result.progress = 0;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
}

void
engine_hold(struct engine *e)
{
	pthread_mutex_lock(&e->lock);
	e->hold = true;
	pthread_mutex_unlock(&e->lock);
}

void
engine_go_on(struct engine *e)
{
	pthread_mutex_lock(&e->lock);
	e->hold = false;
	pthread_cond_signal(&e->wake);
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
