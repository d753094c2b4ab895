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

enum {
	OVERVIEW_RECORDS = 16384,
	STEP_RECORDS = 65536, /* about a millisecond: how long a new want may wait */
	PARTIAL_MS = 250,     /* between partial results while loading */
	PARTIAL_SHARE = 4,    /* and at least this many times what the last one took */
};

/* The questions, the most urgent first. */
enum job { JOB_TIMELINE, JOB_FOLD, JOB_MARKS, JOB_CALL, JOBS };

/* A want that owns what it points to. */
struct wish {
	struct scope *scope;
	nsec from, to;
	uint32_t columns, rows;
	uint32_t *threads;
	uint32_t marks_method;
	uint32_t call_thread;
	nsec call_at;
};

struct engine {
	struct trace *trace;
	struct profile *profile; /* the worker's alone */
	struct loader *loader;
	struct overview *overview; /* NULL: the trace is too short for one */
	pthread_t worker;
	int fd;

	pthread_mutex_t lock;
	pthread_cond_t wake;  /* for the worker */
	pthread_cond_t ready; /* for engine_wait */

	/* Below: under the lock, but for `cancel`. */
	bool quit, stop;
	struct wish wish;
	bool open[JOBS];         /* wished and not answered */
	enum job running;        /* one of them is being worked on; JOBS: none */
	uint64_t took[JOBS];     /* ms, the last of each kind */
	atomic_bool cancel[JOBS]; /* the question that is being worked on is outdated */
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

static void
wish_release(struct wish *w)
{
	scope_free(w->scope);
	mem_free(w->threads);
}

static struct wish
wish_make(const struct scope *scope, const struct engine_want *want)
{
	struct wish w = {
		.scope = scope_copy(scope),
		.from = want->from,
		.to = want->to,
		.columns = want->columns,
		.rows = want->rows,
		.marks_method = want->marks_method,
		.call_thread = want->call_thread,
		.call_at = want->call_at,
	};

	w.threads = mem_alloc(w.rows * sizeof(*w.threads));
	if (w.rows > 0)
		memcpy(w.threads, want->threads, w.rows * sizeof(*w.threads));
	return w;
}

static bool
same_window(const struct wish *a, const struct wish *b)
{
	return a->from == b->from && a->to == b->to && a->columns == b->columns;
}

static bool
same_rows(const struct wish *a, const struct wish *b)
{
	return a->rows == b->rows &&
	    (a->rows == 0 || memcmp(a->threads, b->threads, a->rows * sizeof(*a->threads)) == 0);
}

/* Under the lock. */
static void
job_open(struct engine *e, enum job job)
{
	e->open[job] = true;
	atomic_store(&e->cancel[job], true);
}

void
engine_want(struct engine *e, const struct engine_want *want)
{
	struct wish wish = wish_make(want->scope, want), old;
	bool scope, window;

	pthread_mutex_lock(&e->lock);
	old = e->wish;
	scope = !scope_equal(old.scope, wish.scope);
	window = !same_window(&old, &wish);
	if (window || !same_rows(&old, &wish))
		job_open(e, JOB_TIMELINE);
	if (scope)
		job_open(e, JOB_FOLD);
	if (scope || window || old.marks_method != wish.marks_method)
		job_open(e, JOB_MARKS);
	if (old.call_thread != wish.call_thread || old.call_at != wish.call_at)
		job_open(e, JOB_CALL);
	/* What may take long makes room for what is more urgent and begins again later. */
	if (e->open[JOB_TIMELINE] || e->open[JOB_FOLD])
		atomic_store(&e->cancel[JOB_MARKS], true);
	if (e->open[JOB_TIMELINE] || e->open[JOB_FOLD] || e->open[JOB_MARKS])
		atomic_store(&e->cancel[JOB_CALL], true);
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
}

/* Under the lock. */
static void
state_publish(struct engine *e)
{
	engine_news_stand(&e->result, e->profile, loader_progress(e->loader));
}

/* One question of the worker, with the wish as it was when it began. */
struct task {
	struct engine *engine;
	struct wish wish;
	nsec from, to; /* the window, "whole trace" resolved */
	uint64_t took; /* ms */
};

static bool
run_timeline(struct task *t)
{
	struct engine *e = t->engine;
	struct engine_timeline *view = mem_zero(1, sizeof(*view));

	view->from = t->from;
	view->to = t->to;
	view->columns = t->wish.columns;
	view->rows = t->wish.rows;
	view->threads = t->wish.threads;
	t->wish.threads = NULL;
	view->cells = mem_alloc((size_t)view->columns * view->rows * sizeof(*view->cells));
	if (!timeline_draw(e->profile, e->overview, view->from, view->to, view->columns, view->threads,
		view->rows, view->cells, &e->cancel[JOB_TIMELINE])) {
		engine_timeline_free(view);
		return false;
	}
	pthread_mutex_lock(&e->lock);
	engine_timeline_free(e->result.timeline);
	e->result.timeline = view;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static bool
run_fold(struct task *t)
{
	struct engine *e = t->engine;
	struct fold *fold = fold_new(e->profile, t->wish.scope, NULL, &e->cancel[JOB_FOLD]);

	if (fold == NULL)
		return false;
	pthread_mutex_lock(&e->lock);
	fold_free(e->result.fold);
	e->result.fold = fold;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static bool
run_marks(struct task *t)
{
	struct engine *e = t->engine;
	struct engine_marks *m;

	if (t->wish.marks_method == METHOD_NONE || t->wish.columns == 0)
		return true;
	m = mem_zero(1, sizeof(*m));
	m->from = t->from;
	m->to = t->to;
	m->columns = t->wish.columns;
	m->method = t->wish.marks_method;
	m->marks = mem_alloc(m->columns);
	if (!timeline_marks(e->profile, t->wish.scope, m->from, m->to, m->columns, m->method,
		m->marks, &e->cancel[JOB_MARKS])) {
		engine_marks_free(m);
		return false;
	}
	pthread_mutex_lock(&e->lock);
	engine_marks_free(e->result.marks);
	e->result.marks = m;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static bool
run_call(struct task *t)
{
	struct engine *e = t->engine;
	struct call call;

	if (t->wish.call_thread == THREAD_NONE)
		return true;
	if (!timeline_call_at(e->profile, t->wish.call_thread, t->wish.call_at, &call,
		&e->cancel[JOB_CALL]))
		return false;
	pthread_mutex_lock(&e->lock);
	e->result.call_fresh = true;
	e->result.call_thread = t->wish.call_thread;
	e->result.call_at = t->wish.call_at;
	e->result.call = call;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static bool (*const run[JOBS])(struct task *) = {
	[JOB_TIMELINE] = run_timeline,
	[JOB_FOLD] = run_fold,
	[JOB_MARKS] = run_marks,
	[JOB_CALL] = run_call,
};

/* Works on a question without the lock; it stays open when it was cancelled. */
static uint64_t
job_run(struct engine *e, enum job job)
{
	struct task task = {.engine = e};
	struct engine_want want;
	uint64_t begin = clock_ms(), took;
	bool answered;

	want = (struct engine_want){.from = e->wish.from, .to = e->wish.to,
	    .columns = e->wish.columns, .rows = e->wish.rows, .threads = e->wish.threads,
	    .marks_method = e->wish.marks_method, .call_thread = e->wish.call_thread,
	    .call_at = e->wish.call_at};
	task.wish = wish_make(e->wish.scope, &want);
	task.from = want.from < want.to ? want.from : e->profile->begin;
	task.to = want.from < want.to ? want.to : e->profile->end;
	e->open[job] = false;
	e->running = job;
	atomic_store(&e->cancel[job], false);
	pthread_mutex_unlock(&e->lock);
	answered = run[job](&task);
	wish_release(&task.wish);
	pthread_mutex_lock(&e->lock);
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

static enum job
job_next(const struct engine *e)
{
	enum job job = JOB_TIMELINE;

	while (job < JOBS && !e->open[job])
		job++;
	return job;
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

	for (int job = JOB_TIMELINE; job <= JOB_FOLD; job++) {
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
	e->loader = loader_new(e->profile, jobs);
	e->running = JOBS;
	e->wish.marks_method = METHOD_NONE;
	e->wish.call_thread = THREAD_NONE;
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
	engine_timeline_free(news->timeline);
	engine_marks_free(news->marks);
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
	loader_free(e->loader);
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
	*news = e->result;
	e->result.fold = NULL;
	e->result.timeline = NULL;
	e->result.marks = NULL;
	e->result.call_fresh = false;
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

void
engine_timeline_free(struct engine_timeline *view)
{
	if (view == NULL)
		return;
	mem_free(view->threads);
	mem_free(view->cells);
	mem_free(view);
}

void
engine_marks_free(struct engine_marks *m)
{
	if (m == NULL)
		return;
	mem_free(m->marks);
	mem_free(m);
}
